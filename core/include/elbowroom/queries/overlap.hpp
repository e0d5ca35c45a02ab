#pragma once
#include "elbowroom/queries/offers.hpp"
#include "elbowroom/traversal/pair.hpp"

namespace elbowroom {

/// Do two bodies overlap? `Leaves::overlap(pair, counters, sink)` calls sink(i, j) for each pair of primitives that
/// does. `Sink` returns true when it has seen enough.
template <class Leaves, class Sink>
class Overlap {
public:
    Overlap(const Leaves& leaves, Sink& sink) : leaves_(leaves), sink_(sink) {}

    template <class Fan>
        requires requires(const Fan& fan) { fan.offers(); }
    ELBOWROOM_INLINE const Fan& offers(const Fan& fan) const {
        return fan.offers();
    }
    template <class Fan>
    ELBOWROOM_INLINE Offers offers(const Fan& fan) const {
        Float8 gap;
        const unsigned lanes = fan.overlapping(gap);
        return {lanes, lanes & (lanes - 1) ? lane_of_least(gap, lanes) : __builtin_ctz(lanes | 256u)};
    }
    ELBOWROOM_INLINE bool admits(const Pair&) const { return true; }
    void leaf(const Pair& pair, Counters& counters) { settled_ = leaves_.overlap(pair, counters, sink_); }
    ELBOWROOM_INLINE bool settled() const { return settled_; }

private:
    const Leaves& leaves_;
    Sink& sink_;
    bool settled_ = false;
};

}  // namespace elbowroom
