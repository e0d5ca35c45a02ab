#pragma once
#include "elbowroom/math/lanes.hpp"

namespace elbowroom {

/// The children of a fan that a query admits. `each` calls f(lane, bound), the most promising last: the traversal takes
/// up last what it was offered last.
struct Offers {
    unsigned lanes;
    int promising;
    template <class F>
    ELBOWROOM_INLINE void each(F&& f) const {
        if (!lanes) return;
        for (unsigned rest = lanes ^ (1u << promising); rest; rest &= rest - 1) f(__builtin_ctz(rest), 0.f);
        f(promising, 0.f);
    }
};

/// The same with bounds, all in order: the smaller the signed gap, the more promising.
struct SortedOffers {
    int count = 0;
    int lane[8];
    float bounds[8];

    ELBOWROOM_INLINE SortedOffers(unsigned lanes, Float8 gap, Float8 bound) {
        if (!lanes) return;
        float gaps[8];
        gap.store(gaps), bound.store(bounds);
        for (; lanes; lanes &= lanes - 1) {
            const int k = __builtin_ctz(lanes);
            int i = count++;
            for (; i > 0 && gaps[lane[i - 1]] < gaps[k]; --i) lane[i] = lane[i - 1];
            lane[i] = k;
        }
    }
    template <class F>
    ELBOWROOM_INLINE void each(F&& f) const {
        for (int i = 0; i < count; ++i) f(lane[i], bounds[lane[i]]);
    }
};

}  // namespace elbowroom
