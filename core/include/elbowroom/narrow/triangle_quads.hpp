// Two triangles against two triangles, all four pairs at once, in double.
#pragma once
#include "elbowroom/math/lanes.hpp"
#include "elbowroom/math/rigid.hpp"

namespace elbowroom {

/// Two triangles, coordinate by coordinate; a single one is repeated.
struct TriangleTwo {
    double vertex[3][3][2];
    ELBOWROOM_INLINE void set(int which, const Vec3* t) {
        for (int v = 0; v < 3; ++v)
            for (int k = 0; k < 3; ++k) vertex[v][k][which] = t[v][k];
    }
    ELBOWROOM_INLINE void get(int which, Vec3* t) const {
        for (int v = 0; v < 3; ++v) t[v] = {vertex[v][0][which], vertex[v][1][which], vertex[v][2][which]};
    }
};

/// Well enough shaped for the four-lane kernels, whose normals lose digits on slivers; others go the general way.
inline bool is_plain(const Vec3* t) {
    const Vec3 e = t[1] - t[0], f = t[2] - t[0], g = t[2] - t[1];
    const double edges = most(length2(e), most(length2(f), length2(g)));
    const double reach2 = most(length2(t[0]), most(length2(t[1]), length2(t[2])));
    return length2(cross(e, f)) > 1e-8 * edges * edges && edges > 1e-16 * reach2;  // not lost in its own coordinates
}

ELBOWROOM_INLINE Double4 mapped_row(Vec3 row, const Vec3x4& v, double shift) {
    return multiply_add(Double4(row.x), v.x,
                        multiply_add(Double4(row.y), v.y, multiply_add(Double4(row.z), v.z, Double4(shift))));
}
ELBOWROOM_INLINE Vec3x4 mapped(const Mat3& m, const Vec3x4& v, Vec3 shift) {
    return {mapped_row(m.row[0], v, shift.x), mapped_row(m.row[1], v, shift.y), mapped_row(m.row[2], v, shift.z)};
}

/// Lanes (a0, b0) (a0, b1) (a1, b0) (a1, b1), with b carried into the frame of a.
struct TriangleQuads {
    Vec3x4 p[3], q[3];
    ELBOWROOM_INLINE TriangleQuads(const TriangleTwo& a, const TriangleTwo& b, const Rigid& b_to_a,
                                   const Mat3* linear) {
        for (int v = 0; v < 3; ++v) {
            const auto& x = a.vertex[v];
            const auto& y = b.vertex[v];
            p[v] = {Double4::each_twice(x[0]), Double4::each_twice(x[1]), Double4::each_twice(x[2])};
            const Vec3x4 own = {Double4::alternating(y[0]), Double4::alternating(y[1]), Double4::alternating(y[2])};
            q[v] = mapped(b_to_a.rotation, own, b_to_a.translation);
            if (linear) {
                p[v] = mapped(*linear, p[v], {});
                q[v] = mapped(*linear, q[v], {});
            }
        }
    }
};

namespace quads {

ELBOWROOM_INLINE Double4 least3(Double4 a, Double4 b, Double4 c) { return least(a, least(b, c)); }
ELBOWROOM_INLINE Double4 most3(Double4 a, Double4 b, Double4 c) { return most(a, most(b, c)); }
ELBOWROOM_INLINE Double4 size_of_largest(const Vec3x4& a) { return most3(absolute(a.x), absolute(a.y), absolute(a.z)); }

}  // namespace quads

/// Which of the four pairs of plain triangles overlap or touch: separating axes over both normals, the nine cross
/// products of edges, and the six in-plane normals of edges, without which coplanar pairs could not be told apart. Any
/// axis is a valid witness whatever its own rounding; `margin` (a length) covers the rounding of the projections. A
/// cross product of edges projects both ends of either edge alike only up to its own rounding, a few ulps of the
/// product of their lengths, which `skew` covers.
inline unsigned overlapping_lanes(const TriangleQuads& t, double margin) {
    const Vec3x4 *P = t.p, *Q = t.q;
    const Vec3x4 e[3] = {P[1] - P[0], P[2] - P[1], P[0] - P[2]}, f[3] = {Q[1] - Q[0], Q[2] - Q[1], Q[0] - Q[2]};
    const Vec3x4 n = cross(e[0], e[1]), m = cross(f[0], f[1]), q[3] = {Q[0] - P[0], Q[1] - P[0], Q[2] - P[0]};
    const Double4 zero(0.), pad(margin);
    auto beyond = [&](Double4 low, Double4 high, Double4 slack) { return greater(low - high, slack); };

    const Double4 h0 = dot(n, q[0]), h1 = dot(n, q[1]), h2 = dot(n, q[2]), n_pad = pad * sum_of_sizes(n);
    Double4 apart = beyond(quads::least3(h0, h1, h2), zero, n_pad) | beyond(zero, quads::most3(h0, h1, h2), n_pad);
    if (lanes_of(apart) == 15) return 0;
    const Double4 k0 = zero - dot(m, q[0]), k1 = dot(m, P[1] - Q[0]), k2 = dot(m, P[2] - Q[0]),
                  m_pad = pad * sum_of_sizes(m);
    apart = apart | beyond(quads::least3(k0, k1, k2), zero, m_pad) | beyond(zero, quads::most3(k0, k1, k2), m_pad);
    if (lanes_of(apart) == 15) return 0;

    const Vec3x4 p[3] = {{zero, zero, zero}, e[0], P[2] - P[0]};
    const Double4 le[3] = {quads::size_of_largest(e[0]), quads::size_of_largest(e[1]), quads::size_of_largest(e[2])};
    const Double4 lf[3] = {quads::size_of_largest(f[0]), quads::size_of_largest(f[1]), quads::size_of_largest(f[2])};
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) {
#pragma GCC unroll 3
        for (int j = 0; j < 3; ++j) {
            const Vec3x4 a = cross(e[i], f[j]);
            const Double4 x = dot(a, p[i]), y = dot(a, p[(i + 2) % 3]), u = dot(a, q[j]), v = dot(a, q[(j + 2) % 3]);
            const Double4 skew = Double4(4e-15) * le[i] * lf[j] * (le[i] + lf[j]);
            const Double4 slack = multiply_add(pad, sum_of_sizes(a), skew);
            apart = apart | beyond(least(x, y), most(u, v), slack) | beyond(least(u, v), most(x, y), slack);
        }
        if (lanes_of(apart) == 15) return 0;
    }
    auto in_plane = [&](const Vec3x4& a) {
        const Double4 x0 = dot(a, p[0]), x1 = dot(a, p[1]), x2 = dot(a, p[2]), y0 = dot(a, q[0]), y1 = dot(a, q[1]),
                      y2 = dot(a, q[2]);
        const Double4 slack = pad * sum_of_sizes(a);
        apart = apart | beyond(quads::least3(x0, x1, x2), quads::most3(y0, y1, y2), slack) |
                beyond(quads::least3(y0, y1, y2), quads::most3(x0, x1, x2), slack);
    };
    for (int i = 0; i < 3; ++i) {
        in_plane(cross(e[i], n));
        in_plane(cross(f[i], m));
    }
    return 15u & ~lanes_of(apart);
}

namespace quads {

/// The lanes whose triangles lie farther apart along the direction `d` than the square root of `limit`.
ELBOWROOM_INLINE Double4 apart_along(const Vec3x4& d, const Vec3x4* P, const Vec3x4* Q, Double4 limit) {
    const Double4 gap = least3(dot(d, Q[0] - P[0]), dot(d, Q[1] - P[0]), dot(d, Q[2] - P[0])) -
                        most3(Double4(0.), dot(d, P[1] - P[0]), dot(d, P[2] - P[0]));
    return greater(gap, Double4(0.)) & greater(gap * gap, limit * dot(d, d));
}

/// Squared height of the vertex of `tri` nearest to the plane of `face` where it projects inside, else infinity. `h`
/// are the heights times |n|, `gap` is positive where the plane separates: only there can a vertex be the nearest
/// point.
ELBOWROOM_INLINE Double4 vertex_over_face(const Vec3x4* tri, const Vec3x4* face, const Vec3x4* edge, const Vec3x4& n,
                                          Double4 nn, const Double4* h, Double4 gap) {
    const Double4 zero(0.), a0 = absolute(h[0]), a1 = absolute(h[1]), a2 = absolute(h[2]);
    Vec3x4 w = select(greater(a0, a1), tri[1], tri[0]);
    Double4 a = least(a0, a1);
    w = select(greater(a, a2), tri[2], w);
    a = least(a, a2);
    const Double4 inside = greater(dot(w - face[0], cross(n, edge[0])), zero) &
                           greater(dot(w - face[1], cross(n, edge[1])), zero) &
                           greater(dot(w - face[2], cross(n, edge[2])), zero) & greater(gap, zero);
    return select(inside, a * a / nn, Double4(1e300));
}

}  // namespace quads

/// Squared distances of the four pairs, 0 where they overlap. A lane that cannot beat `best` may hold anything above
/// it.
inline Double4 squared_distances(const TriangleQuads& t, double best, double margin) {
    const Vec3x4 *P = t.p, *Q = t.q;
    const Vec3x4 e[3] = {P[1] - P[0], P[2] - P[1], P[0] - P[2]}, f[3] = {Q[1] - Q[0], Q[2] - Q[1], Q[0] - Q[2]};
    const Vec3x4 n = cross(e[0], e[1]), m = cross(f[0], f[1]);
    const Double4 zero(0.), nn = dot(n, n), mm = dot(m, m);
    Double4 h[3], k[3];
    for (int i = 0; i < 3; ++i) {
        h[i] = dot(n, Q[i] - P[0]);
        k[i] = dot(m, P[i] - Q[0]);
    }
    const Double4 gap_h = quads::most3(zero, quads::least3(h[0], h[1], h[2]), zero - quads::most3(h[0], h[1], h[2]));
    const Double4 gap_k = quads::most3(zero, quads::least3(k[0], k[1], k[2]), zero - quads::most3(k[0], k[1], k[2]));
    const Double4 limit(best * (1 + 1e-9) + margin * margin);
    Double4 beyond = greater(gap_h * gap_h, limit * nn) | greater(gap_k * gap_k, limit * mm);
    if (lanes_of(beyond) == 15) return Double4(1e300);
    beyond = beyond | quads::apart_along(Q[0] + Q[1] + Q[2] - (P[0] + P[1] + P[2]), P, Q, limit);
    if (lanes_of(beyond) == 15) return Double4(1e300);
    Double4 out =
        least(quads::vertex_over_face(Q, P, e, n, nn, h, gap_h), quads::vertex_over_face(P, Q, f, m, mm, k, gap_k));

    Double4 ee[3], ff[3], over_ee[3], over_ff[3];
    for (int i = 0; i < 3; ++i) {
        ee[i] = dot(e[i], e[i]);
        ff[i] = dot(f[i], f[i]);
        // A side may vanish when its triangle is carried far away: no 0 / 0, whose lane would be lost.
        over_ee[i] = Double4(1.) / most(ee[i], Double4(1e-300));
        over_ff[i] = Double4(1.) / most(ff[i], Double4(1e-300));
    }
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i)
#pragma GCC unroll 3
        for (int j = 0; j < 3; ++j) {  // side i against side j, after Ericson 5.1.9
            const Vec3x4 w = P[i] - Q[j];
            const Double4 b = dot(e[i], f[j]), c = dot(e[i], w), g = dot(f[j], w), product = ee[i] * ff[j];
            Double4 det = product - b * b, along = multiply_subtract(b, g, c * ff[j]);
            const Double4 parallel = greater(Double4(1e-4) * product, det);
            if (lanes_of(parallel)) {  // or nearly: these differences have lost their digits, cross products have not
                const Vec3x4 a = cross(e[i], f[j]);
                det = select(parallel, dot(a, a), det);
                along = select(parallel, dot(cross(f[j], w), a), along);
            }
            Double4 u = clamped_to_unit(select(greater(det, zero), along / det, zero));
            const Double4 free = multiply_add(b, u, g) * over_ff[j], v = clamped_to_unit(free);
            u = select(different(free, v), clamped_to_unit(multiply_subtract(b, v, c) * over_ee[i]), u);
            const Vec3x4 d = {multiply_add(u, e[i].x, w.x - v * f[j].x), multiply_add(u, e[i].y, w.y - v * f[j].y),
                              multiply_add(u, e[i].z, w.z - v * f[j].z)};
            out = least(out, dot(d, d));
        }
    const Double4 pad(margin);
    const unsigned crossing = 15u & ~lanes_of(greater(gap_h, pad * sum_of_sizes(n)) |
                                              greater(gap_k, pad * sum_of_sizes(m)));  // no plane separates
    const unsigned near = 15u & ~lanes_of(greater(out, Double4(margin * margin)));
    if (!(crossing | near)) return out;
    const unsigned meet = overlapping_lanes(t, margin) & (crossing | near);
    if (!meet) return out;
    double values[4];
    out.store(values);
    for (int i = 0; i < 4; ++i)
        if (meet >> i & 1) values[i] = 0;
    return {values[0], values[1], values[2], values[3]};
}

}  // namespace elbowroom
