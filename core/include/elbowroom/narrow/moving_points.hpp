// Points that go straight from one place to another in the time 0 .. 1, and when two balls about such points meet.
#pragma once
#include "elbowroom/math/vec3.hpp"

namespace elbowroom {

/// A point, or the difference of two, at the times 0 and 1.
struct MovingPoint {
    Vec3 from, to;
    ELBOWROOM_INLINE Vec3 at(double t) const { return from * (1 - t) + to * t; }
    ELBOWROOM_INLINE double size() const { return length(from) + length(to); }
};
ELBOWROOM_INLINE MovingPoint operator+(const MovingPoint& a, const MovingPoint& b) {
    return {a.from + b.from, a.to + b.to};
}
ELBOWROOM_INLINE MovingPoint operator-(const MovingPoint& a, const MovingPoint& b) {
    return {a.from - b.from, a.to - b.to};
}

/// When two things that move come within reach of each other for the first time.
struct Meeting {
    enum class Verdict : unsigned char { never, meets, unknown };
    Verdict verdict = Verdict::never;
    double before = 1, at = 1;  // proved apart up to `before`, that time included; within reach at `at`, if they meet
};

/// Two balls; `apart` leads from one centre to the other. The least distance is at a time in closed form. Its rounding
/// is a few ulps of the lengths, less than `margin` below, and as much counts as touching. `doubt`: by how much `apart`
/// itself may be off. What happens after `until` does not matter.
inline Meeting first_meeting_of_balls(const MovingPoint& apart, double reach, double doubt, double until) {
    const double margin = 4e-15 * (apart.size() + reach) + doubt + 1e-150, touch = reach + margin;
    const Vec3 way = apart.to - apart.from;
    const double ww = length2(way);
    const double nearest = ww > 0 ? clamped(-dot(apart.from, way) / ww, 0.0, until) : 0.0;
    auto distance = [&](double t) { return length(apart.at(t)); };
    if (distance(nearest) > touch) return {};
    // Up to `nearest` the distance falls: the last time that it is beyond a limit is found by halving.
    auto last_beyond = [&](double limit, double low, double high) {
        for (int k = 0; k < 64 && low < high; ++k) {
            const double middle = 0.5 * (low + high);
            if (!(middle > low && middle < high)) break;
            (distance(middle) > limit ? low : high) = middle;
        }
        return low;
    };
    if (distance(0) <= touch) return {Meeting::Verdict::meets, 0, 0};
    const double low = last_beyond(touch, 0, nearest);
    double at = nearest;  // the next number for which the distance is no longer beyond
    for (double high = nearest; high > low;) {
        const double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high) || distance(middle) > touch) break;
        at = high = middle;
    }
    const double before = distance(0) > touch + margin ? last_beyond(touch + margin, 0, low) : 0;
    return {Meeting::Verdict::meets, before, at};
}

}  // namespace elbowroom
