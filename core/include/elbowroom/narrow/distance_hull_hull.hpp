#pragma once
#include "elbowroom/math/segment.hpp"
#include "elbowroom/narrow/epa.hpp"
#include "elbowroom/narrow/half_space.hpp"

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

/// A direction to start GJK with: from the first point of b to the first point of a.
ELBOWROOM_INLINE Vec3 start_direction(const HullPair& p) {
    return normalised(p.a.points[0] - *p.b_to_a * p.b.points[0], {1, 0, 0});
}

/// Moves the witness points from the hulls out to their rounded surfaces; both to one point when these overlap.
inline HullDistance rounded(const HullPair& p, double lower, double upper, Vec3 on_a, Vec3 on_b) {
    const double radii = p.a.radius + p.b.radius, slack = rounding * p.scale;
    const Vec3 towards = normalised(on_b - on_a, {0, 0, 1});
    HullDistance d{most(0.0, least(lower, upper) - radii - slack), most(0.0, upper - radii), on_a, on_b};
    if (d.upper > slack) {
        d.on_a = on_a + towards * p.a.radius;
        d.on_b = on_b - towards * p.b.radius;
        return d;
    }
    const double share = radii > 0 ? p.a.radius / radii : 0.5;
    d.upper = d.lower = 0;
    d.on_a = d.on_b = on_a + (on_b - on_a) * share;
    return d;
}

/// GJK has not proved its answer: the hulls are so near, or their nearest faces so nearly parallel, that it has no
/// digits left to tell the direction. A case for EPA, whose planes are made of edges.
inline bool is_undecided(const HullPair& p, const GjkOutcome& g) {
    const bool curved = p.linear && p.a.radius + p.b.radius > 0;
    return !g.overlapping && !curved && g.upper - g.lower > (g.upper <= 1e-4 * p.scale ? 1e-13 : 1e-11) * p.scale;
}

/// Decides the undecided: by a plane that separates the hulls, or by there being none.
inline void decide(const HullPair& p, GjkOutcome& g, Vec3& on_a, Vec3& on_b) {
    const TightestPlane plane = epa(p, g);
    const Vec3 between = p.linear ? *p.linear * (plane.on_a - plane.on_b) : plane.on_a - plane.on_b;
    if (const double d = length(between); d < g.upper) {
        g.upper = d;
        on_a = plane.on_a;
        on_b = plane.on_b;
    }
    g.lower = clamped(-plane.reach, g.lower, g.upper);
    g.overlapping = !(g.lower > rounding * p.scale);
}

}  // namespace hulls

/// Distance of two primitives, with proven bounds. May end early when it is proved larger than `above`.
inline HullDistance distance_hull_hull(const HullPair& p, double above) {
    if (p.has_half_space()) return half_spaces::distance(p);
    if (hulls::is_segment_like(p)) {
        const Closest c = hulls::closest_segments(p);
        const double d = std::sqrt(c.distance2);
        return hulls::rounded(p, d, d, c.on_a, c.on_b);
    }
    const double radii = p.linear ? 0 : p.a.radius + p.b.radius;  // under a map they are part of the hulls
    const double limit = above + radii + 2 * rounding * p.scale;
    GjkOutcome g = gjk(p, hulls::start_direction(p), {limit, -1});
    Vec3 on_a = g.simplex.on_a(), on_b = g.simplex.on_b();
    if (hulls::is_undecided(p, g) && !(g.lower > limit)) hulls::decide(p, g, on_a, on_b);
    if (g.overlapping) return {0, 0, on_a, on_b};
    if (!p.linear) return hulls::rounded(p, g.lower, g.upper, on_a, on_b);
    return {most(0.0, g.lower - rounding * p.scale), g.upper, on_a, on_b};
}

/// Do two primitives overlap or touch? "No" is a proof.
inline bool overlaps_hull_hull(const HullPair& p) {
    if (p.has_half_space()) return half_spaces::overlaps(p);
    const double limit = p.a.radius + p.b.radius + rounding * p.scale;
    if (hulls::is_segment_like(p)) return hulls::closest_segments(p).distance2 <= limit * limit;
    GjkOutcome g = gjk(p, hulls::start_direction(p), {limit, limit});
    if (g.overlapping || g.upper <= limit) return true;
    if (g.lower > limit) return false;
    Vec3 on_a, on_b;
    if (hulls::is_undecided(p, g)) hulls::decide(p, g, on_a, on_b);
    return !(g.lower > limit);
}

}  // namespace elbowroom
