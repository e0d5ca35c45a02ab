#pragma once
#include "elbowroom/math/lanes.hpp"

namespace elbowroom {

/// The children of a fan that a query admits, the most promising of them, and their bounds.
struct Offers {
    unsigned lanes;
    int first;
    ELBOWROOM_INLINE float bound(int) const { return 0; }
};

struct BoundedOffers {
    unsigned lanes;
    int first;
    float bounds[8];
    ELBOWROOM_INLINE float bound(int lane) const { return bounds[lane]; }
};

ELBOWROOM_INLINE int most_promising(Float8 gap, unsigned lanes) { return lanes & (lanes - 1) ? lane_of_least(gap, lanes) : 0; }

ELBOWROOM_INLINE BoundedOffers bounded_offers(unsigned lanes, Float8 gap, Float8 bounds) {
    BoundedOffers o;
    o.lanes = lanes;
    if (lanes) o.first = most_promising(gap, lanes), bounds.store(o.bounds);
    return o;
}

}  // namespace elbowroom
