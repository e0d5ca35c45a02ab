#pragma once
#include "elbowroom/math/segment.hpp"

namespace elbowroom {

namespace triangles {

/// Does x project into the triangle t, whose normal (of any length) is n?
inline bool projects_inside(Vec3 x, const Vec3* t, Vec3 n) {
    for (int i = 0; i < 3; ++i)
        if (dot(x - t[i], cross(n, t[(i + 1) % 3] - t[i])) < 0) return false;
    return true;
}

inline void take_nearer(Closest& best, const Closest& c) {
    if (c.distance2 < best.distance2) best = c;
}

/// The vertices of `other` over the face of `t`, and the points where the edges of `other` pierce it.
/// `flip`: t is the second triangle of the pair.
inline void against_face(const Vec3* t, const Vec3* other, bool flip, Closest& best) {
    const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
    const double nn = length2(n);
    if (!(nn > 0)) return;
    double height[3];
    for (int i = 0; i < 3; ++i) height[i] = dot(other[i] - t[0], n);
    for (int i = 0; i < 3; ++i) {
        if (projects_inside(other[i], t, n)) {
            const Vec3 foot = other[i] - n * (height[i] / nn);
            take_nearer(best, flip ? closest_of(other[i], foot) : closest_of(foot, other[i]));
        }
        const int j = (i + 1) % 3;
        if ((height[i] < 0) == (height[j] < 0) || height[i] == height[j]) continue;
        const Vec3 x = other[i] + (other[j] - other[i]) * (height[i] / (height[i] - height[j]));
        if (projects_inside(x, t, n)) return void(best = {x, x, 0});
    }
}

}  // namespace triangles

/// Closest points of two triangles, both the same point when they meet: sides against sides, vertices against faces,
/// and sides through faces.
inline Closest closest_triangle_triangle(const Vec3* p, const Vec3* q) {
    Closest best = closest_of(p[0], q[0]);
    triangles::against_face(p, q, false, best);
    if (best.distance2 > 0) triangles::against_face(q, p, true, best);
    for (int i = 0; i < 3 && best.distance2 > 0; ++i)
        for (int j = 0; j < 3; ++j)
            triangles::take_nearer(best, closest_segment_segment(p[i], p[(i + 1) % 3], q[j], q[(j + 1) % 3]));
    return best;
}

}  // namespace elbowroom
