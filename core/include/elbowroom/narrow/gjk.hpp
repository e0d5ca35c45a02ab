// Distance of two convex hulls after Gilbert, Johnson and Keerthi (1988). Every support point gives a separating plane,
// so the answer comes with a proven lower bound; the simplex gives the upper bound and the witness points.
#pragma once
#include "elbowroom/narrow/rounded_hull.hpp"
#include "elbowroom/narrow/simplex.hpp"

namespace elbowroom {

ELBOWROOM_INLINE int extreme_point(const RoundedHull& hull, Vec3 direction) {
    int best = 0;
    double most_so_far = dot(direction, hull.points[0]);
    for (int i = 1; i < hull.count; ++i)
        if (const double d = dot(direction, hull.points[i]); d > most_so_far) {
            most_so_far = d;
            best = i;
        }
    return best;
}

/// The point of (linear (a - b)) farthest along `direction`. Without a map the radii are left out: the caller subtracts
/// them.
inline SimplexVertex support(const HullPair& p, Vec3 direction) {
    SimplexVertex v;
    if (!p.linear) {
        v.on_a = v.arm_a = p.a.points[extreme_point(p.a, direction)];
        v.arm_b = p.b_to_a->rotation * p.b.points[extreme_point(p.b, -transposed_times(p.b_to_a->rotation, direction))];
        v.on_b = v.arm_b + p.b_to_a->translation;
        v.difference = v.on_a - v.on_b;
        return v;
    }
    const Vec3 u = normalised(transposed_times(*p.linear, direction), {1, 0, 0});
    const Vec3 a = p.a.points[extreme_point(p.a, u)] + u * p.a.radius;
    const Vec3 b =
        p.b_to_a->rotation * p.b.points[extreme_point(p.b, -transposed_times(p.b_to_a->rotation, u))] - u * p.b.radius;
    v.on_a = a;
    v.on_b = b + p.b_to_a->translation;
    v.arm_a = *p.linear * a;
    v.arm_b = *p.linear * b;
    v.difference = *p.linear * (v.on_a - v.on_b);
    return v;
}

struct GjkOutcome {
    Simplex simplex;
    double lower = 0, upper = 0;  // of the distance of the hulls without their radii (with them under a linear map)
    Vec3 direction;               // from b to a, of unit length: the last one searched
    Vec3 normal;                  // the one that proves the lower bound, once that is positive
    bool overlapping = false;
};

/// When may the search end early: as soon as the distance is proved larger than `above`, or found not larger than
/// `below`.
struct GjkLimits {
    double above = far_away, below = -1;
};

/// `guess`: a unit vector that may point from b to a.
inline GjkOutcome gjk(const HullPair& pair, Vec3 guess, GjkLimits limits = {}) {
    const bool curved = pair.linear && pair.a.radius + pair.b.radius > 0;
    const double touching = rounding * pair.scale, converged = (curved ? 1e-13 : 1e-15) * pair.scale;
    GjkOutcome out;
    out.direction = guess;
    out.simplex.vertex[0] = support(pair, -guess);
    out.simplex.count = 1;
    out.simplex.weight[0] = 1;
    out.upper = length(out.simplex.vertex[0].difference);
    if (const double bound = dot(guess, out.simplex.vertex[0].difference); bound > limits.above)
        return out.lower = bound, out.normal = guess, out;
    Simplex current = out.simplex;  // `out` keeps the best
    Vec3 towards = out.simplex.vertex[0].difference;
    int stalled = 0;
    for (int step = 0; step < (curved ? 400 : 100); ++step) {
        if (out.upper <= touching) return out.overlapping = true, out;
        if (out.upper <= limits.below) return out;
        out.direction = normalised(towards, guess);
        const SimplexVertex next = support(pair, -out.direction);
        if (const double bound = dot(out.direction, next.difference); bound > out.lower) {
            out.lower = bound;
            out.normal = out.direction;
        }
        if (out.upper - out.lower <= converged || out.lower > limits.above) return out;
        for (int i = 0; i < current.count; ++i)
            if (current.vertex[i].difference == next.difference) return out;
        current.vertex[current.count++] = next;
        const NearestOfSimplex n = reduce(current);
        if (n.inside) return out.simplex = current, out.upper = 0, out.lower = 0, out.overlapping = true, out;
        towards = n.direction;
        // The distance changes with the square of the direction, so it may rest while the lower bound still grows.
        if (const double reached = length(n.point); reached < out.upper) {
            out.simplex = current;
            out.upper = reached;
            stalled = 0;
        } else if (++stalled == 6)
            return out;
    }
    return out;
}

}  // namespace elbowroom
