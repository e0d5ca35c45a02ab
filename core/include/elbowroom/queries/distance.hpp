#pragma once
#include <cmath>

#include "elbowroom/queries/offers.hpp"
#include "elbowroom/traversal/pair.hpp"
#include "elbowroom/volumes/obb_lanes.hpp"

namespace elbowroom {

/// A bound in single precision that is not below the given value (nor zero, nor infinite).
ELBOWROOM_INLINE float rounded_up(double x) { return least(float(x) * 1.0000002f + 1e-44f, 3e38f); }

/// The shortest distance. `Leaves::nearest(pair, counters, best)` lowers `best.upper2` and records the primitives.
/// Pairs proved farther than sqrt(limit2) are dropped too; finding one within it settles the query when `enough` is
/// asked.
template <class Leaves, class Best>
class ShortestDistance {
public:
    ShortestDistance(const Leaves& leaves, Best& best, const LinearMaps& linear, double limit2, bool enough)
        : leaves_(leaves), best_(best), linear_(linear), limit2_(limit2), enough_(enough) {
        update();
    }
    template <class Fan>
    ELBOWROOM_INLINE SortedOffers offers(const Fan& fan) const {
        Float8 gap;
        const Float8 bound = fan.squared_gaps(linear_, gap);
        return {where_at_most(bound, Float8(keep_)) & fan.valid(), gap, bound};
    }
    ELBOWROOM_INLINE bool admits(const Pair& pair) const { return pair.bound <= keep_; }
    void leaf(const Pair& pair, Counters& counters) {
        leaves_.nearest(pair, counters, best_);
        update();
    }
    ELBOWROOM_INLINE bool settled() const { return best_.upper2 == 0 || (enough_ && best_.upper2 <= limit2_); }

private:
    const Leaves& leaves_;
    Best& best_;
    const LinearMaps linear_;
    const double limit2_;
    const bool enough_;
    float keep_;
    void update() { keep_ = rounded_up(least(best_.upper2, limit2_)); }
};

/// All pairs of primitives within reach: `Leaves::within(pair, counters, sink)`.
template <class Leaves, class Sink>
class WithinReach {
public:
    WithinReach(const Leaves& leaves, double reach, Sink& sink)
        : leaves_(leaves), reach_(reach), keep_(rounded_up(reach * reach)), sink_(sink) {}

    template <class Fan>
    ELBOWROOM_INLINE SortedOffers offers(const Fan& fan) const {
        Float8 gap;
        const Float8 bound = fan.squared_gaps({}, gap);
        return {where_at_most(bound, Float8(keep_)) & fan.valid(), gap, bound};
    }
    ELBOWROOM_INLINE bool admits(const Pair&) const { return true; }
    void leaf(const Pair& pair, Counters& counters) { leaves_.within(pair, reach_, counters, sink_); }
    ELBOWROOM_INLINE bool settled() const { return false; }

private:
    const Leaves& leaves_;
    const double reach_;
    const float keep_;
    Sink& sink_;
};

}  // namespace elbowroom
