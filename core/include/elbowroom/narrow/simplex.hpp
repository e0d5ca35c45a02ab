// The point of a simplex nearest to the origin: the inner step of GJK.
#pragma once
#include "elbowroom/math/vec3.hpp"

namespace elbowroom {

/// A point of the Minkowski difference a - b, with the points of a and b that made it. The arms are the same points
/// before anything was added to them, so that their differences keep the digits of a body that is small and far away.
struct SimplexVertex {
    Vec3 difference, on_a, on_b, arm_a, arm_b;
};

/// From vertex x to vertex y.
ELBOWROOM_INLINE Vec3 edge(const SimplexVertex& x, const SimplexVertex& y) {
    return (y.arm_a - x.arm_a) - (y.arm_b - x.arm_b);
}

/// Up to four vertices and the weights of the point nearest to the origin.
struct Simplex {
    SimplexVertex vertex[4];
    double weight[4];
    int count = 0;

    Vec3 on_a() const { return sum(&SimplexVertex::on_a); }
    Vec3 on_b() const { return sum(&SimplexVertex::on_b); }

private:
    Vec3 sum(Vec3 SimplexVertex::* which) const {
        Vec3 s;
        for (int i = 0; i < count; ++i) s = s + vertex[i].*which * weight[i];
        return s;
    }
};

/// The nearest point of a face of the simplex, and the weights of the four vertices there. The point is the weighted
/// sum, so that its distance is never less than the true one. `direction` points from the origin to it: of any length,
/// and across the segment or near triangle to the last digits, because a tilt would weigh with the whole length of the
/// bodies.
struct NearestOfSimplex {
    Vec3 point, direction;
    double weight[4] = {0, 0, 0, 0};
    bool inside = false;  // the origin lies in the (solid) simplex
};

namespace simplex {

inline const NearestOfSimplex& nearer(const NearestOfSimplex& a, const NearestOfSimplex& b) {
    return length2(b.point) < length2(a.point) ? b : a;
}

inline NearestOfSimplex on_vertex(const Simplex& s, int i) {
    NearestOfSimplex n;
    n.point = n.direction = s.vertex[i].difference;
    n.weight[i] = 1;
    return n;
}

inline NearestOfSimplex on_segment(const Simplex& s, int i, int j) {
    const Vec3 p = s.vertex[i].difference, q = s.vertex[j].difference, d = edge(s.vertex[i], s.vertex[j]);
    const double along = -dot(p, d), dd = length2(d);
    if (!(along > 0)) return on_vertex(s, i);
    if (!(along < dd)) return on_vertex(s, j);
    NearestOfSimplex n;
    const double t = along / dd;
    n.point = t < 0.5 ? p + d * t : q - d * (1 - t);
    n.direction = n.point - d * (dot(n.point, d) / dd);  // once more: across the segment to the last digits
    n.weight[i] = 1 - t;
    n.weight[j] = t;
    return n;
}

inline NearestOfSimplex on_triangle(const Simplex& s, int i, int j, int k) {
    const Vec3 p = s.vertex[i].difference, q = s.vertex[j].difference, r = s.vertex[k].difference;
    const Vec3 pq = edge(s.vertex[i], s.vertex[j]), pr = edge(s.vertex[i], s.vertex[k]), normal = cross(pq, pr);
    const double nn = length2(normal), edges = most(length2(pq), most(length2(pr), length2(pr - pq)));
    const NearestOfSimplex on_side = nearer(nearer(on_segment(s, i, j), on_segment(s, j, k)), on_segment(s, i, k));
    if (!(nn > 1e-24 * edges * edges)) return on_side;
    const double height = dot(p, normal);
    const Vec3 c = normal * (height / nn), u = p - c, v = q - c, w = r - c;
    const double a = dot(normal, cross(v, w)), b = dot(normal, cross(w, u)), g = dot(normal, cross(u, v)),
                 sum = a + b + g;
    if (!(a >= 0 && b >= 0 && g >= 0 && sum > 0)) return on_side;
    NearestOfSimplex n;
    n.weight[i] = a / sum;
    n.weight[j] = b / sum;
    n.weight[k] = g / sum;
    n.point = n.direction = p * n.weight[i] + q * n.weight[j] + r * n.weight[k];
    if (length2(n.point) < 1e-6 * edges) n.direction = height < 0 ? -normal : normal;
    return length2(n.point) <= length2(on_side.point) ? n : on_side;  // a sliver's weights may be off
}

inline Vec3 weighted(const Simplex& s, const double* weight) {
    Vec3 sum;
    for (int i = 0; i < 4; ++i) sum = sum + s.vertex[i].difference * weight[i];
    return sum;
}

inline constexpr int tetrahedron_face[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};

/// The normal of face i of a tetrahedron, and the height of the opposite vertex times its length.
inline Vec3 face_normal(const Simplex& s, int i, double& opposite) {
    const int* f = tetrahedron_face[i];
    const Vec3 normal = cross(edge(s.vertex[f[0]], s.vertex[f[1]]), edge(s.vertex[f[0]], s.vertex[f[2]]));
    opposite = dot(normal, edge(s.vertex[f[0]], s.vertex[i]));
    return normal;
}

/// Weights of the origin inside a tetrahedron: made to sum to one, and corrected once for what they miss. Where it is
/// so thin that they have lost their digits all the same, those of a face may come nearer.
inline void weigh_inside(const Simplex& s, NearestOfSimplex& inside) {
    const double sum = inside.weight[0] + inside.weight[1] + inside.weight[2] + inside.weight[3];
    for (double& w : inside.weight) w /= sum;
    inside.point = weighted(s, inside.weight);
    NearestOfSimplex better = inside;
    for (int i = 0; i < 4; ++i) {
        double opposite;
        const Vec3 normal = face_normal(s, i, opposite);
        better.weight[i] = most(0.0, inside.weight[i] - dot(normal, inside.point) / opposite);
    }
    better.point = weighted(s, better.weight);
    inside = nearer(inside, better);
    for (const int* f : tetrahedron_face) inside = nearer(inside, on_triangle(s, f[0], f[1], f[2]));
    inside.inside = true;
}

inline NearestOfSimplex on_tetrahedron(const Simplex& s) {
    NearestOfSimplex best;
    best.inside = true;
    for (int i = 0; i < 4; ++i) {
        const int* face = tetrahedron_face[i];
        double opposite;
        const Vec3 normal = face_normal(s, i, opposite);
        const double origin = -dot(normal, s.vertex[face[0]].difference);
        // The origin must lie between the face and the opposite vertex: a flat tetrahedron is never entered by
        // rounding.
        const bool between =
            opposite > 0 ? origin >= 0 && origin <= opposite : opposite < 0 && origin <= 0 && origin >= opposite;
        if (between) {
            if (best.inside) best.weight[i] = origin / opposite;
            continue;
        }
        const NearestOfSimplex n = on_triangle(s, face[0], face[1], face[2]);
        best = best.inside ? n : nearer(best, n);
    }
    if (best.inside) weigh_inside(s, best);
    return best;
}

}  // namespace simplex

/// Finds the nearest point and drops the vertices that do not carry it.
inline NearestOfSimplex reduce(Simplex& s) {
    NearestOfSimplex n;
    switch (s.count) {
        case 1:
            n = simplex::on_vertex(s, 0);
            break;
        case 2:
            n = simplex::on_segment(s, 0, 1);
            break;
        case 3:
            n = simplex::on_triangle(s, 0, 1, 2);
            break;
        default:
            n = simplex::on_tetrahedron(s);
    }
    if (n.inside) {
        for (int i = 0; i < 4; ++i) s.weight[i] = n.weight[i];
        return n;
    }
    int kept = 0;
    for (int i = 0; i < s.count; ++i)
        if (n.weight[i] > 0) {
            s.vertex[kept] = s.vertex[i];
            s.weight[kept++] = n.weight[i];
        }
    s.count = kept;
    return n;
}

}  // namespace elbowroom
