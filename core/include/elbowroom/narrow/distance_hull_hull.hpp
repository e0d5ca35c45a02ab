#pragma once
#include "elbowroom/math/segment.hpp"
#include "elbowroom/narrow/gjk.hpp"

namespace elbowroom {

namespace hulls {

/// Points and segments have closed forms.
ELBOWROOM_INLINE bool is_segment_like(const HullPair& p) { return p.a.count <= 2 && p.b.count <= 2 && !p.linear; }

inline Closest closest_segments(const HullPair& p) {
    const Vec3 *a = p.a.points, *b = p.b.points;
    const Vec3 b0 = *p.b_to_a * b[0];
    if (p.a.count + p.b.count == 2) return closest_of(a[0], b0);
    const Vec3 b1 = p.b.count == 2 ? *p.b_to_a * b[1] : b0;
    return closest_segment_segment(a[0], a[p.a.count - 1], b0, b1);
}

/// A direction to start GJK with: the one that is given, or else from the first point of b to the first point of a.
ELBOWROOM_INLINE Vec3 start_direction(const HullPair& p, Vec3 given) {
    return given == Vec3{} ? normalised(p.a.points[0] - *p.b_to_a * p.b.points[0], {1, 0, 0}) : given;
}

/// Moves the witness points from the hulls out to their rounded surfaces; both to one point when these overlap.
inline HullDistance rounded(const HullPair& p, double lower, double upper, Vec3 on_a, Vec3 on_b) {
    const double radii = p.a.radius + p.b.radius, slack = rounding * p.scale;
    const Vec3 towards = normalised(on_b - on_a, {0, 0, 1});
    HullDistance d{most(0.0, lower - radii - slack), most(0.0, upper - radii), on_a, on_b};
    if (d.upper > slack) {
        d.on_a = on_a + towards * p.a.radius, d.on_b = on_b - towards * p.b.radius;
        return d;
    }
    const double share = radii > 0 ? p.a.radius / radii : 0.5;
    d.upper = d.lower = 0;
    d.on_a = d.on_b = on_a + (on_b - on_a) * share;
    return d;
}

}  // namespace hulls

/// Distance of two primitives, with proven bounds. May end early when it is proved larger than `above`.
/// `guess`: a direction from b to a, kept from a similar pair, or zero; set to the one found.
inline HullDistance distance_hull_hull(const HullPair& p, double above, Vec3& guess) {
    if (hulls::is_segment_like(p)) {
        const Closest c = hulls::closest_segments(p);
        const double d = std::sqrt(c.distance2);
        return hulls::rounded(p, d, d, c.on_a, c.on_b);
    }
    if (p.linear) {
        const GjkOutcome g = gjk(p, hulls::start_direction(p, guess), {above, -1});
        const Vec3 on_a = g.simplex.on_a(), on_b = g.simplex.on_b();
        guess = g.direction;
        const double slack = rounding * p.scale;
        if (g.overlapping || g.upper <= slack) return {0, 0, on_a, on_a};
        return {most(0.0, g.lower - slack), g.upper, on_a, on_b};
    }
    const GjkOutcome g = gjk(p, hulls::start_direction(p, guess), {above + p.a.radius + p.b.radius, -1});
    guess = g.direction;
    const Vec3 on_a = g.simplex.on_a();
    if (g.overlapping) return {0, 0, on_a, on_a};
    return hulls::rounded(p, g.lower, g.upper, on_a, g.simplex.on_b());
}

/// Do two primitives overlap or touch? "No" is a proof.
inline bool overlaps_hull_hull(const HullPair& p) {
    const double limit = p.a.radius + p.b.radius + rounding * p.scale;
    if (hulls::is_segment_like(p)) return hulls::closest_segments(p).distance2 <= limit * limit;
    const GjkOutcome g = gjk(p, hulls::start_direction(p, {}), {limit, limit});
    return g.overlapping || !(g.lower > limit);
}

}  // namespace elbowroom
