#pragma once
#include <bit>

#include "elbowroom/reference/binary_chain_rule.hpp"
#include "elbowroom/reference/binary_chain_volumes.hpp"
#include "elbowroom/reference/within_one.hpp"

namespace elbowroom {

/// The nearest links found so far.
struct NearestLinks {
    double upper2 = far_away * far_away;
    int a = -1, b = -1;
};

/// Distance of the surfaces of two balls, negative when they overlap, and what rounding may have added to it.
struct BallGap {
    double gap, doubt;
};

/// Where rounding is relative to the size of a whole chain: the poses of nodes are products of up to 24 transforms.
inline constexpr double chain_rounding = 1e-13;

/// What two leaves mean: two links as balls. Where the verdict hangs on rounding, the pair is measured in the frame of
/// the smallest piece of the tree that holds both, so that a touch does not depend on how long the chain is.
template <class Volume>
class BinaryChainLeaves {
public:
    BinaryChainLeaves(const PlacedNodes<ChainVolumes<Volume>>& placed, const ChainVolumes<Volume>& volumes,
                      const ChainJoints& joints, const ChainExclusions& exclusions)
        : placed_(placed), volumes_(volumes), joints_(joints), exclusions_(exclusions) {
        doubt_ = chain_rounding * reach_of(volumes.volume(volumes.root()));
    }
    /// What the place of any node may be off by.
    double doubt() const { return doubt_; }

    template <class Sink>
    bool overlap(const Pair& pair, Counters& counters, Sink& sink) const {
        const auto &x = placed_.leaf(pair.a), &y = placed_.leaf(pair.b);
        if (exclusions_.has(x.item, y.item)) return false;
        ++counters.leaf_tests;
        return touches(gap(x, y, 0)) && sink(x.item, y.item);
    }
    void nearest(const Pair& pair, Counters& counters, NearestLinks& best) const {
        const auto &x = placed_.leaf(pair.a), &y = placed_.leaf(pair.b);
        if (exclusions_.has(x.item, y.item)) return;
        ++counters.leaf_tests;
        const BallGap g = gap(x, y, 0);
        const double d = touches(g) ? 0 : g.gap;
        if (d * d < best.upper2) best = {d * d, x.item, y.item};
    }
    template <class Sink>
    void within(const Pair& pair, double reach, Counters& counters, Sink& sink) const {
        const auto &x = placed_.leaf(pair.a), &y = placed_.leaf(pair.b);
        if (exclusions_.has(x.item, y.item)) return;
        ++counters.leaf_tests;
        const BallGap g = gap(x, y, reach);
        if (g.gap <= reach + g.doubt) sink(x.item, y.item, touches(g) ? 0 : g.gap);
    }
    static bool touches(const BallGap& g) { return g.gap <= g.doubt; }

    /// Two links i < j, in the frame of the smallest node that holds both.
    BallGap measured(int i, int j) const {
        const int level = std::bit_width(unsigned(i ^ j));
        const BinaryChainNode node{level, i >> level};
        const Vec3 p = joints_.pose(node.first(), i).translation, q = joints_.pose(node.first(), j).translation;
        const double radii = volumes_.radius(i) + volumes_.radius(j);
        return {length(q - p) - radii, rounding * (radii + 2 * reach_of(volumes_.volume(node)))};
    }

private:
    using Leaf = typename PlacedNodes<ChainVolumes<Volume>>::Leaf;
    const PlacedNodes<ChainVolumes<Volume>>& placed_;
    const ChainVolumes<Volume>& volumes_;
    const ChainJoints& joints_;
    const ChainExclusions& exclusions_;
    double doubt_;

    BallGap gap(const Leaf& x, const Leaf& y, double critical) const {
        const double g = gap_of(x.ball, y.ball, 0);
        return std::fabs(g - critical) > doubt_ ? BallGap{g, 0} : measured(x.item, y.item);
    }
};

}  // namespace elbowroom
