#pragma once
#include "elbowroom/queries/offers.hpp"
#include "elbowroom/traversal/pair.hpp"

namespace elbowroom {

/// All pairs of primitives within a reach that may shrink on the way. `Leaves::near_pairs(pair, counters, reach,
/// visit)` calls visit for what is within reach(); the query is settled when that returns true. Pairs come in no order:
/// for a search that begins with a good reach.
template <class Leaves, class Reach, class Visit>
class NearPairs {
public:
    NearPairs(const Leaves& leaves, Reach& reach, Visit& visit) : leaves_(leaves), reach_(reach), visit_(visit) {}

    template <class Fan>
    ELBOWROOM_INLINE Offers offers(const Fan& fan) const {
        const unsigned lanes = fan.near(reach_());
        return {lanes, __builtin_ctz(lanes | 256u)};
    }
    ELBOWROOM_INLINE bool admits(const Pair&) const { return true; }
    void leaf(const Pair& pair, Counters& counters) { settled_ = leaves_.near_pairs(pair, counters, reach_, visit_); }
    ELBOWROOM_INLINE bool settled() const { return settled_; }

private:
    const Leaves& leaves_;
    Reach& reach_;
    Visit& visit_;
    bool settled_ = false;
};

}  // namespace elbowroom
