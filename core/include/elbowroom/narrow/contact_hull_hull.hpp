#pragma once
#include "elbowroom/narrow/distance_hull_hull.hpp"

namespace elbowroom {

namespace hulls {

inline HullContact rounded_contact(const HullPair& p, double depth, Vec3 normal, Vec3 on_a, Vec3 on_b) {
    const Vec3 surface_a = on_a + normal * p.a.radius, surface_b = on_b - normal * p.b.radius;
    return {most(0.0, depth + p.a.radius + p.b.radius), normal, (surface_a + surface_b) * 0.5};
}

}  // namespace hulls

/// Contact of two primitives that overlap or touch.
inline HullContact contact_hull_hull(const HullPair& p) {
    if (p.has_half_space()) return half_spaces::contact(p);
    if (hulls::is_segment_like(p)) {
        const Closest c = hulls::closest_segments(p);
        const double d = std::sqrt(c.distance2);
        if (d > 1e-6 * p.scale) return hulls::rounded_contact(p, -d, (c.on_b - c.on_a) * (1 / d), c.on_a, c.on_b);
    }
    const GjkOutcome g = gjk(p, hulls::start_direction(p));
    const Vec3 on_a = g.simplex.on_a(), on_b = g.simplex.on_b();
    if (!g.overlapping && g.lower > 0 && !hulls::is_undecided(p, g))  // only the roundings overlap
        return hulls::rounded_contact(p, -g.lower, -g.normal, on_a, on_b);
    const TightestPlane plane = epa(p, g);
    const bool by_gjk = !g.overlapping && g.upper < length(plane.on_a - plane.on_b);
    return hulls::rounded_contact(p, plane.reach, plane.normal, by_gjk ? on_a : plane.on_a, by_gjk ? on_b : plane.on_b);
}

}  // namespace elbowroom
