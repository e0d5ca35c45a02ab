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
/// Collision Detection, 5.1.9). Lines are compared by cross products: differences of dot products would lose twice as
/// many digits where the lines are nearly parallel, and the points with them. There the nearest points of the four ends
/// are tried too, one of which is as near as any if the lines are parallel.
inline Closest closest_segment_segment(Vec3 p0, Vec3 p1, Vec3 q0, Vec3 q1) {
    const Vec3 d = p1 - p0, e = q1 - q0, n = cross(d, e);
    const double nn = length2(n);
    auto at_q = [&](double t) { return closest_of(p0 + d * nearest_parameter(q0 + e * t, p0, d), q0 + e * t); };
    auto at_p = [&](double s) { return closest_of(p0 + d * s, q0 + e * nearest_parameter(p0 + d * s, q0, e)); };
    const double s = nn > 0 ? clamped(dot(cross(q0 - p0, e), n) / nn, 0.0, 1.0) : 0.0;
    Closest best = at_q(nearest_parameter(p0 + d * s, q0, e));
    if (nn > 1e-8 * length2(d) * length2(e)) return best;
    const Closest ends[4] = {at_p(0), at_p(1), at_q(0), at_q(1)};
    for (const Closest& c : ends)
        if (c.distance2 < best.distance2) best = c;
    return best;
}

}  // namespace elbowroom
