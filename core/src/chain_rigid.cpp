#include "chain_cross.hpp"
#include "elbowroom/pairings/across_chain_and_tree.hpp"
#include "elbowroom/questions/collide.hpp"
#include "elbowroom/questions/distance.hpp"
#include "elbowroom/questions/within.hpp"

namespace elbowroom {

namespace {

/// A chain and a rigid body: balls against rounded hulls.
template <int Width>
class ChainAndRigid {
public:
    ChainAndRigid(const PlacedChain& a, const RigidBody& body, const RigidHierarchy<Width>& hierarchy,
                  const Rigid& to_chain, ChainPlaces& places)
        : chain_(a.chain->tree()),
          body_(body),
          tree_(hierarchy.tree),
          most_items_(hierarchy.most_items),
          to_chain_(to_chain),
          places_(places) {
        start_ = {places.add_root(chain_, {}), 0, 0};
    }
    Pair start() const { return start_; }

    template <class Sink>
    bool overlap(const Pair& pair, Counters& counters, Sink& sink) const {
        return each_near(
            pair, counters, true, [] { return 0.0; },
            [&](std::int64_t i, int j, const HullPair& p) { return overlaps_hull_hull(p) && sink(i, j); });
    }
    void nearest(const Pair& pair, Counters& counters, NearestAcross& best) const {
        each_near(
            pair, counters, false, [&] { return std::sqrt(best.upper2); },
            [&](std::int64_t i, int j, const HullPair& p) {
                const HullDistance d = distance_hull_hull(p, std::sqrt(best.upper2));
                best.lower = least(best.lower, d.lower);
                if (d.upper * d.upper < best.upper2) best.upper2 = d.upper * d.upper, best.a = i, best.b = j;
                return best.upper2 == 0;
            });
    }
    template <class Sink>
    void within(const Pair& pair, double reach, Counters& counters, Sink& sink) const {
        each_near(
            pair, counters, true, [&] { return reach; },
            [&](std::int64_t i, int j, const HullPair& p) {
                if (const HullDistance d = distance_hull_hull(p, reach); d.upper <= reach) sink(i, j, d.upper);
                return false;
            });
    }
    /// Valid until the next call.
    HullPair hulls(std::int64_t i, std::int64_t j) const { return hulls(i, chain_.local_centre(i), j); }

private:
    const ChainTree& chain_;
    const RigidBody& body_;
    const typename RigidHierarchy<Width>::Tree& tree_;
    const std::int32_t most_items_;
    const Rigid to_chain_;
    ChainPlaces& places_;
    Pair start_;
    mutable Vec3 at_;

    HullPair hulls(std::int64_t i, Vec3 at, std::int64_t j) const {
        at_ = at;
        const double r = chain_.radii()[i];
        return {{&at_, 1, r},
                body_.primitive(int(j)),
                &to_chain_,
                nullptr,
                length(at) + r + body_.reach() + length(to_chain_.translation)};
    }
    /// Calls visit for the balls of a leaf that may be within reach() of the box of the other leaf, until it is true.
    /// Of primitives that are copies of each other one may be enough.
    template <class Reach, class Visit>
    bool each_near(const Pair& pair, Counters& counters, bool copies, Reach&& reach, Visit&& visit) const {
        const ChainPlace& a = places_[pair.a];
        const ObbVolume box = ObbVolume::unpack(tree_.records[pair.b].field);
        const TreeLeaf& leaf = tree_.leaves[tree_.records[pair.b].leaf()];
        const int items = copies || leaf.count <= most_items_ ? leaf.count : 1;
        for (unsigned rest = a.balls; rest; rest &= rest - 1) {
            const std::int64_t ball = std::int64_t(a.index) * ChainLeaf::size + __builtin_ctz(rest);
            const Vec3 at = a.frame * chain_.leaf(a.index).centre(__builtin_ctz(rest));
            const Vec3 own = transposed_times(to_chain_.rotation, at - to_chain_.translation) - tree_.origin;
            const Vec3 out = absolute(box.axes * (own - box.centre)) - box.half;
            const double slack = 1e-6 * (length(own) + tree_.radius);  // the box is in single precision
            if (length(upper_of({0, 0, 0}, out)) > chain_.radii()[ball] + reach() + slack) continue;
            if (visit_all(ball, at, &tree_.order[leaf.first], items, counters, visit)) return true;
        }
        return false;
    }
    /// Not inlined: the loop above rules most balls out, and is shorter without it.
    template <class Visit>
    [[gnu::noinline]] bool visit_all(std::int64_t ball, Vec3 at, const std::int32_t* items, int count,
                                     Counters& counters, Visit& visit) const {
        for (int k = 0; k < count; ++k) {
            ++counters.leaf_tests;
            if (visit(ball, items[k], hulls(ball, at, items[k]))) return true;
        }
        return false;
    }
};

template <class Options>
CutMemory* recalled(const PlacedChain& a, const Placed& b, const Options& options) {
    if (!options.memory) return nullptr;
    const Vec3 middle = (b.body->low() + b.body->high()) * 0.5;
    return elbowroom::recalled(options, a.chain->watch().id(), b.body->identity(), a.chain->watch().read(),
                               relative(a.pose, b.pose), middle, length(b.body->high() - middle));
}

template <class Options, class Ask>
auto ask(const PlacedChain& a, const Placed& b, const Options& options, Ask&& question) {
    auto with = [&]<int Width>(const RigidHierarchy<Width>& hierarchy) {
        using Tree = typename RigidHierarchy<Width>::Tree;
        const Rigid here = at_first_ball(a), to_chain = relative(here, b.pose);
        ChainPlaces places;
        const ChainAndRigid<Width> leaves(a, *b.body, hierarchy, to_chain, places);
        const AcrossChainAndTree<Tree> pairing(places, hierarchy.tree, to_chain);
        const AcrossRunAndTree<Tree> runs(pairing, {places, a.chain->tree(), leaves.start().a}, hierarchy.tree);
        ChainCross pair(pairing, leaves, runs, recalled(a, b, options), false, here);
        return question(pair);
    };
    return b.body->wide().empty() ? with(b.body->binary()) : with(b.body->wide());
}

}  // namespace

CollideAnswer collide(const PlacedChain& a, const Placed& b, const CollideOptions& options) {
    return ask(a, b, options, [&](auto& pair) { return questions::collide(pair, options); });
}
DistanceAnswer distance(const PlacedChain& a, const Placed& b, const DistanceOptions& options) {
    return ask(a, b, options, [&](auto& pair) { return questions::distance(pair, options); });
}
WithinAnswer within(const PlacedChain& a, const Placed& b, const WithinOptions& options) {
    return ask(a, b, options, [&](auto& pair) { return questions::within(pair, options); });
}

}  // namespace elbowroom
