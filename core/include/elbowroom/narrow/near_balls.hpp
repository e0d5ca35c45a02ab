#pragma once
#include "elbowroom/narrow/rounded_hull.hpp"

namespace elbowroom {

/// Two balls that are near each other, with their exact centres in the common frame.
struct NearBalls {
    std::int64_t a, b;
    Vec3 at_a, at_b;
    double apart2;  // squared distance of the centres
    double gap;     // how far apart the surfaces are, negative if they overlap; 0 if that is too near to tell

    NearBalls() : a(-1), b(-1), apart2(0), gap(0) {}
    /// `doubt`: a gap that is smaller is none.
    ELBOWROOM_INLINE NearBalls(std::int64_t a, std::int64_t b, Vec3 at_a, Vec3 at_b, double radii, double doubt)
        : a(a), b(b), at_a(at_a), at_b(at_b), apart2(length2(at_b - at_a)), gap(std::sqrt(apart2) - radii) {
        if (gap >= 0 && gap <= doubt) gap = 0;
    }
    /// Balls whose centres were given as they are: nothing was lost but in the distance itself.
    ELBOWROOM_INLINE NearBalls(std::int64_t a, std::int64_t b, Vec3 at_a, Vec3 at_b, double radii)
        : NearBalls(a, b, at_a, at_b, radii, 0.0) {
        if (gap >= 0 && gap <= rounding * radii) gap = 0;
    }
};

/// The nearest balls found so far.
struct NearestBalls {
    double upper2 = far_away * far_away;
    NearBalls balls;
};

/// Two balls that overlap.
ELBOWROOM_INLINE HullContact contact_ball_ball(Vec3 a, double radius_a, Vec3 b, double radius_b) {
    const Vec3 normal = normalised(b - a, {1, 0, 0}), on_a = a + normal * radius_a, on_b = b - normal * radius_b;
    return {most(0.0, radius_a + radius_b - length(b - a)), normal, (on_a + on_b) * 0.5};
}

/// The points of two balls that are nearest to each other; one point of both if they overlap.
ELBOWROOM_INLINE void nearest_points_ball_ball(Vec3 a, double radius_a, Vec3 b, double radius_b, bool overlap,
                                               Vec3& on_a, Vec3& on_b) {
    const Vec3 normal = normalised(b - a, {1, 0, 0});
    on_a = a + normal * radius_a;
    on_b = b - normal * radius_b;
    if (!overlap) return;
    const double apart = length(b - a);  // along the normal the balls are [-ra, ra] and [apart - rb, apart + rb]
    const double low = most(-radius_a, apart - radius_b), high = least(radius_a, apart + radius_b);
    on_a = on_b = a + normal * (0.5 * (low + high));
}

/// The distance of two balls whose centres were given as they are.
inline HullDistance distance_ball_ball(const NearBalls& n, double radius_a, double radius_b) {
    HullDistance d{};
    d.upper = most(0.0, n.gap);
    d.lower = d.upper - rounding * (radius_a + radius_b + d.upper);
    nearest_points_ball_ball(n.at_a, radius_a, n.at_b, radius_b, d.upper == 0, d.on_a, d.on_b);
    return d;
}

}  // namespace elbowroom
