#include <numeric>

#include "elbowroom/pairings/across_two.hpp"
#include "elbowroom/queries/overlap.hpp"
#include "elbowroom/traversal/traverse.hpp"
#include "elbowroom/trees/build.hpp"
#include "reference_baseline_chain.hpp"

namespace elbowroom {

namespace {

using BoxTree = FlatTree<ObbVolume, ObbLanes<2>, 2>;

/// A binary tree of boxes over a run of links, by where they lie.
struct PieceTree {
    BoxTree tree;
    int first;  // link

    PieceTree(const std::vector<Vec3>& centres, const std::vector<double>& radii, int from, int to) : first(from) {
        std::vector<int> starts(to - from + 1);
        std::iota(starts.begin(), starts.end(), 0);
        SplitOptions options;
        options.leaf_items = 1;
        options.judged_items = 0;
        options.rough = true;  // it serves one test
        tree = build<BoxTree>({&centres[from], starts.data(), &radii[from], to - from}, options);
    }
    int link(int record) const { return first + tree.order[tree.leaves[tree.records[record].leaf()].first]; }
};

/// What two leaves mean: two links, unless they are neighbours, or one and the same.
template <class Touches>
struct LinkLeaves {
    const PieceTree &a, &b;
    const Touches& touches;

    template <class Sink>
    bool overlap(const Pair& pair, Counters& counters, Sink& sink) const {
        const int i = a.link(pair.a), j = b.link(pair.b);
        ++counters.leaf_tests;
        return touches(i, j) && sink(i, j);
    }
};

class TreeChain : public BaselineChain {
public:
    using BaselineChain::BaselineChain;

protected:
    PieceTree tree_of(int from, int to) const { return {centres(), radii(), from, to}; }
    bool collide(const PieceTree& a, const PieceTree& b, Counters& counters) const {
        auto touching = [&](int i, int j) { return counts(i, j) && touches(i, j); };
        const LinkLeaves<decltype(touching)> leaves{a, b, touching};
        auto sink = [](int, int) { return true; };
        Overlap query(leaves, sink);
        const AcrossTwo<BoxTree> pairing(a.tree, b.tree, {});
        DepthFirst order;
        const auto roots = pairing.roots();
        ++counters.volume_tests;
        order.push(roots, query.offers(roots));
        Budget budget;
        return traverse(pairing, query, order, budget, counters) == Stop::settled;
    }
};

/// One tree over all links, made anew for each test and tested against a copy of itself.
class OneTreeChain final : public TreeChain {
public:
    using TreeChain::TreeChain;

private:
    bool find_collision(Counters& counters) override {
        const PieceTree all = tree_of(0, links());
        return collide(all, all, counters);
    }
};

/// A tree for each piece that stayed rigid since the chain was last free, each tested against each. Of a chain that was
/// not free yet nothing is known, and it is tested as a whole.
class KTreesChain final : public TreeChain {
public:
    using TreeChain::TreeChain;

private:
    bool find_collision(Counters& counters) override {
        const std::vector<int>* cuts = changed();
        if (!cuts) {
            const PieceTree all = tree_of(0, links());
            return collide(all, all, counters);
        }
        std::vector<PieceTree> pieces;
        int from = 0;
        for (const int joint : *cuts) {
            pieces.push_back(tree_of(from, joint + 1));
            from = joint + 1;
        }
        pieces.push_back(tree_of(from, links()));
        for (std::size_t i = 0; i < pieces.size(); ++i)
            for (std::size_t j = i + 1; j < pieces.size(); ++j)
                if (collide(pieces[i], pieces[j], counters)) return true;
        return false;
    }
};

}  // namespace

std::unique_ptr<BaselineChain> make_one_tree_chain(std::vector<Vec3> positions, std::vector<double> radii,
                                                   int exclude) {
    return std::make_unique<OneTreeChain>(std::move(positions), std::move(radii), exclude);
}

std::unique_ptr<BaselineChain> make_k_trees_chain(std::vector<Vec3> positions, std::vector<double> radii, int exclude) {
    return std::make_unique<KTreesChain>(std::move(positions), std::move(radii), exclude);
}

}  // namespace elbowroom
