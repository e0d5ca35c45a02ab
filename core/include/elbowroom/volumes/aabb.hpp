#pragma once
#include "elbowroom/volumes/balls.hpp"

namespace elbowroom {

/// A box along the axes of its frame.
struct AabbVolume {
    Vec3 low, high;

    static AabbVolume fit(const Balls& balls, bool /*rough*/ = false) {
        AabbVolume b;
        for (int k = 0; k < 3; ++k) {
            const Interval s = shadow(balls, unit_axis(k));
            b.low[k] = s.low;
            b.high[k] = s.high;
        }
        return b;
    }
    int balls(Vec3* c, double* r) const { return c[0] = low, c[1] = high, r[0] = r[1] = 0, 2; }
    AabbVolume merged(const AabbVolume& o) const { return {lower_of(low, o.low), upper_of(high, o.high)}; }
    double separation(const AabbVolume& o) const {
        return length(upper_of({0, 0, 0}, upper_of(o.low - high, low - o.high)));
    }
    double excess(Vec3 p, double r) const { return most(largest(p - high), largest(low - p)) + r; }
    double cost() const {
        const Vec3 e = high - low;
        return e.x * e.y + e.y * e.z + e.z * e.x;
    }

    static constexpr int fields = 6;
    void pack(float* f, double slack) const {
        for (int k = 0; k < 3; ++k) {
            f[k] = float(low[k] - slack);
            f[3 + k] = float(high[k] + slack);
        }
    }
    static AabbVolume unpack(const float* f) { return {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}}; }
};

}  // namespace elbowroom
