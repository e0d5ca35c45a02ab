#pragma once
#include "elbowroom/math/vec3.hpp"

namespace elbowroom {

/// Two points and the square of their distance.
struct Closest {
    Vec3 on_a, on_b;
    double distance2;
};

ELBOWROOM_INLINE Closest closest_of(Vec3 a, Vec3 b) { return {a, b, length2(a - b)}; }

/// Parameter of the point of p + t d, 0 <= t <= 1, that is nearest to x.
ELBOWROOM_INLINE double nearest_parameter(Vec3 x, Vec3 p, Vec3 d) {
    const double dd = length2(d);
    return dd > 0 ? clamped(dot(x - p, d) / dd, 0.0, 1.0) : 0.0;
}

/// Closest points of the segments p0 p1 and q0 q1, which may be points, parallel or crossing (after Ericson, Real-Time
/// Collision Detection, 5.1.9). Where the lines are so nearly parallel that their determinant has lost its digits, the
/// nearest points of the four ends are tried too, one of which is then as near as any.
inline Closest closest_segment_segment(Vec3 p0, Vec3 p1, Vec3 q0, Vec3 q1) {
    const Vec3 d = p1 - p0, e = q1 - q0, w = p0 - q0;
    const double dd = length2(d), ee = length2(e), de = dot(d, e), det = dd * ee - de * de;
    auto at_q = [&](double t) { return closest_of(p0 + d * nearest_parameter(q0 + e * t, p0, d), q0 + e * t); };
    auto at_p = [&](double s) { return closest_of(p0 + d * s, q0 + e * nearest_parameter(p0 + d * s, q0, e)); };
    const bool skew = det > 1e-8 * dd * ee;
    const double s = skew ? clamped((de * dot(e, w) - ee * dot(d, w)) / det, 0.0, 1.0) : 0.0;
    Closest best = at_q(nearest_parameter(p0 + d * s, q0, e));
    if (skew) return best;
    const Closest ends[4] = {at_p(0), at_p(1), at_q(0), at_q(1)};
    for (const Closest& c : ends)
        if (c.distance2 < best.distance2) best = c;
    if (!(det > 1e-14 * dd * ee)) return best;
    const double t = clamped((de * dot(e, w) - ee * dot(d, w)) / det, 0.0, 1.0);
    const Closest c = at_q(nearest_parameter(p0 + d * t, q0, e));
    return c.distance2 < best.distance2 ? c : best;
}

}  // namespace elbowroom
