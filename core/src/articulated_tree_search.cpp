#include "elbowroom/bodies/articulated_tree_search.hpp"
#include "elbowroom/queries/distance.hpp"
#include "elbowroom/queries/overlap.hpp"
#include "elbowroom/reference/across_links.hpp"
#include "elbowroom/traversal/traverse.hpp"

namespace elbowroom {

namespace {

/// What two leaves mean: two shapes, for others to look at.
struct ShapeLeaves {
    const LinkTree &a, &b;

    template <class Sink>
    bool overlap(const Pair& pair, Counters&, Sink& sink) const {
        sink(a.node(pair.a).right, b.node(pair.b).right, 0.f);
        return false;
    }
    template <class Sink>
    void within(const Pair& pair, double /*reach*/, Counters&, Sink& sink) const {
        sink(a.node(pair.a).right, b.node(pair.b).right, pair.bound);
    }
};

template <class Pairing, class Query>
Stop run(const Pairing& pairing, Query query, const Allowance& allowance, Counters& counters) {
    DepthFirst order;
    const auto roots = pairing.roots();
    counters.volume_tests += roots.width;
    order.push(roots, query.offers(roots));
    Budget budget(allowance);
    return traverse(pairing, query, order, budget, counters);
}

template <class Pairing, class Sink>
Stop search(const Pairing& pairing, const ShapeLeaves& leaves, double reach, const Allowance& allowance,
            Counters& counters, Sink& sink) {
    if (reach > 0) return run(pairing, WithinReach(leaves, reach, sink), allowance, counters);
    return run(pairing, Overlap(leaves, sink), allowance, counters);
}

struct NothingExcluded {
    ELBOWROOM_INLINE bool operator()(int, int) const { return false; }
};

}  // namespace

template <class Volume>
Stop candidates_within(const LinkTree& tree, const LinkBoxes<Volume>& boxes, const ShapeExclusion& excluded,
                       double reach, const Allowance& allowance, Counters& counters, std::vector<ShapePair>& out) {
    out.clear();
    if (tree.root() < 0) return Stop::exhausted;
    const AcrossLinks<Volume, true, ShapeExclusion> pairing(tree, boxes, tree, boxes, excluded);
    auto sink = [&](std::int32_t i, std::int32_t j, float bound) { out.push_back({least(i, j), most(i, j), bound}); };
    return search(pairing, {tree, tree}, reach, allowance, counters, sink);
}

template <class Volume>
Stop candidates_across(const LinkTree& a, const LinkBoxes<Volume>& x, const LinkTree& b, const LinkBoxes<Volume>& y,
                       double reach, const Allowance& allowance, Counters& counters, std::vector<ShapePair>& out) {
    out.clear();
    if (a.root() < 0 || b.root() < 0) return Stop::exhausted;
    const NothingExcluded excluded;
    const AcrossLinks<Volume, false, NothingExcluded> pairing(a, x, b, y, excluded);
    auto sink = [&](std::int32_t i, std::int32_t j, float bound) { out.push_back({i, j, bound}); };
    return search(pairing, {a, b}, reach, allowance, counters, sink);
}

template Stop candidates_within(const LinkTree&, const LinkBoxes<ObbVolume>&, const ShapeExclusion&, double,
                                const Allowance&, Counters&, std::vector<ShapePair>&);
template Stop candidates_within(const LinkTree&, const LinkBoxes<AabbVolume>&, const ShapeExclusion&, double,
                                const Allowance&, Counters&, std::vector<ShapePair>&);
template Stop candidates_across(const LinkTree&, const LinkBoxes<ObbVolume>&, const LinkTree&,
                                const LinkBoxes<ObbVolume>&, double, const Allowance&, Counters&,
                                std::vector<ShapePair>&);
template Stop candidates_across(const LinkTree&, const LinkBoxes<AabbVolume>&, const LinkTree&,
                                const LinkBoxes<AabbVolume>&, double, const Allowance&, Counters&,
                                std::vector<ShapePair>&);

}  // namespace elbowroom
