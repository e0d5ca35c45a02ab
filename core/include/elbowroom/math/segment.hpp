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

/// Closest points of the segments p0 p1 and q0 q1, which may be points, parallel or crossing.
/// The unclamped optimum is tried when the lines are not parallel; the four end points are tried in any case, which makes
/// the answer right whatever the rounding of the determinant did (after Ericson, Real-Time Collision Detection, 5.1.9).
inline Closest closest_segment_segment(Vec3 p0, Vec3 p1, Vec3 q0, Vec3 q1) {
    const Vec3 d = p1 - p0, e = q1 - q0, w = p0 - q0;
    const double dd = length2(d), ee = length2(e), de = dot(d, e), det = dd * ee - de * de;
    auto at_q = [&](double t) { return closest_of(p0 + d * nearest_parameter(q0 + e * t, p0, d), q0 + e * t); };
    auto at_p = [&](double s) { return closest_of(p0 + d * s, q0 + e * nearest_parameter(p0 + d * s, q0, e)); };
    Closest best = at_p(0);
    auto better = [&](const Closest& c) { if (c.distance2 < best.distance2) best = c; };
    better(at_p(1)), better(at_q(0)), better(at_q(1));
    if (det > 1e-14 * dd * ee) {
        const double s = clamped((de * dot(e, w) - ee * dot(d, w)) / det, 0.0, 1.0);
        const Closest first = at_p(s);
        better(first);
        better(at_q(nearest_parameter(first.on_a, q0, e)));  // one alternation takes back the rounding of s
    }
    return best;
}

}  // namespace elbowroom
