// A half-space against any other primitive, in closed form: only the point of the other that lies deepest counts.
#pragma once
#include "elbowroom/math/mat3.hpp"
#include "elbowroom/math/ray.hpp"
#include "elbowroom/narrow/rounded_hull.hpp"

namespace elbowroom::half_spaces {

/// A half-space and another primitive, in the frame of the first of the two.
struct Facing {
    Vec3 normal, nearest;  // outwards, of unit length; the point of the other that is nearest or deepest
    double height;         // of that point above the plane; -infinity if no translation separates the two
    bool first;            // the half-space is the first of the two
};

/// Two half-spaces are parallel if their normals are to rounding; if they are not, they overlap.
inline Facing facing_of_two(const HullPair& p) {
    const Vec3 on_a = p.a.points[0], normal = p.a.points[1], other = p.b_to_a->rotation * p.b.points[1];
    const Vec3 on_b = *p.b_to_a * p.b.points[0];
    if (length2(normal + other) <= 16 * rounding * rounding) return {normal, on_b, dot(normal, on_b - on_a), true};
    Vec3 way = normal + other;  // from a point of the first plane against it into both
    if (dot(normal, other) < 0) {
        way = other - normal * dot(normal, other);
        way = way - normal * dot(normal, way);  // what was cancelled before
    }
    const double above = most(0.0, dot(other, on_a - on_b));
    return {normal, on_a - way * (above / dot(other, way)), -__builtin_inf(), true};
}

inline Facing facing(const HullPair& p) {
    const bool first = p.a.is_half_space();
    if (first && p.b.is_half_space()) return facing_of_two(p);
    const RoundedHull &space = first ? p.a : p.b, &hull = first ? p.b : p.a;
    const Vec3 normal = first ? space.points[1] : p.b_to_a->rotation * space.points[1];
    const Vec3 on_plane = first ? space.points[0] : *p.b_to_a * space.points[0];
    Facing out{normal, {}, far_away, first};
    for (int i = 0; i < hull.count; ++i) {
        const Vec3 x = first ? *p.b_to_a * hull.points[i] : hull.points[i];
        const double height = dot(normal, x - on_plane);
        if (height < out.height) {
            out.height = height;
            out.nearest = x;
        }
    }
    out.height -= hull.radius;
    out.nearest = out.nearest - normal * hull.radius;
    return out;
}

inline bool overlaps(const HullPair& p) { return facing(p).height <= rounding * p.scale; }

/// Under a linear map the normal turns, and with it the way to the nearest point of the plane.
inline HullDistance distance(const HullPair& p) {
    const Facing f = facing(p);
    Vec3 way = f.normal;
    double value = f.height;
    if (p.linear) {
        const Mat3 normals = inverse_transposed(*p.linear);
        const Vec3 mapped = normals * f.normal;
        value /= length(mapped);
        way = transposed_times(normals, mapped) * (1 / length2(mapped));
    }
    const double slack = rounding * p.scale;
    if (value <= slack) return {0, 0, f.nearest, f.nearest};
    const Vec3 foot = f.nearest - way * f.height;
    return {most(0.0, value - slack), value, f.first ? foot : f.nearest, f.first ? f.nearest : foot};
}

inline HullContact contact(const HullPair& p) {
    const Facing f = facing(p);
    const double depth = most(0.0, -f.height);
    const Vec3 middle = depth < far_away ? f.nearest + f.normal * (0.5 * depth) : f.nearest;
    return {depth, f.first ? f.normal : -f.normal, middle};
}

}  // namespace elbowroom::half_spaces
