// Do two convex hulls overlap? A quick answer, or none: vertices are found in single precision, the rest is Gilbert,
// Johnson and Keerthi (1988) in double without the care that distances need. What it says is proved; what it cannot
// tell goes to overlaps_hull_hull.
#pragma once
#include "elbowroom/math/lanes.hpp"
#include "elbowroom/math/rigid.hpp"

namespace elbowroom {

/// The vertices of a hull: in lanes about their centre and in parts of their reach, so that nothing can underflow, and
/// as they are.
struct QuickHull {
    const float* lanes[3];  // `eights` times eight floats each; the last vertex repeated
    const Vec3* points;
    int eights;
    Vec3 centre;
    double reach;   // of the vertices from the centre
    double radius;  // of the rounding about the hull

    /// The vertex farthest along a unit vector, or one that is short of it by no more than single precision hides.
    ELBOWROOM_INLINE Vec3 farthest(Vec3 direction) const {
        const Float8 d[3] = {Float8(float(direction.x)), Float8(float(direction.y)), Float8(float(direction.z))};
        Farthest best[4];  // four at a time: each waits for what it knew before
        int g = 0;
        for (; g + 4 <= eights; g += 4)
            for (int k = 0; k < 4; ++k) best[k].add(along(d, g + k), g + k);
        for (; g < eights; ++g) best[0].add(along(d, g), g);
        best[0].add(best[1]);
        best[2].add(best[3]);
        best[0].add(best[2]);
        const int lane = __builtin_ctz(where_at_most(Float8(largest(best[0].value)), best[0].value) | 256u) & 7;
        float in_group[8];
        best[0].group.store(in_group);
        return points[8 * int(in_group[lane]) + lane];
    }

private:
    struct Farthest {
        Float8 value{-3e38f}, group{0.f};
        ELBOWROOM_INLINE void add(Float8 v, int g) { add(Farthest{v, Float8(float(g))}); }
        ELBOWROOM_INLINE void add(const Farthest& o) {
            const Float8 better = greater(o.value, value);
            value = most(o.value, value);
            group = select(better, o.group, group);
        }
    };
    ELBOWROOM_INLINE Float8 along(const Float8* d, int g) const {
        return multiply_add(d[0], Float8::load(lanes[0] + 8 * g),
                            multiply_add(d[1], Float8::load(lanes[1] + 8 * g), d[2] * Float8::load(lanes[2] + 8 * g)));
    }
};

enum class HullVerdict { apart, unsure, overlap };

namespace quick {

/// A simplex of points of the difference of two hulls, the newest first, and its point nearest to the origin.
struct Simplex {
    Vec3 at[4];
    int count = 0;
    Vec3 nearest;
    bool lost = false;  // points in a line: the nearest point has no digits

    void keep(Vec3 p) {
        at[0] = p;
        count = 1;
        nearest = p;
    }
    void keep(Vec3 p, Vec3 q, double t) {
        at[0] = p;
        at[1] = q;
        count = 2;
        nearest = p + (q - p) * t;
    }

    void solve_segment(Vec3 p, Vec3 q) {
        const Vec3 d = q - p;
        const double t = -dot(p, d), dd = length2(d);
        if (!(t > 0)) return keep(p);
        t < dd ? keep(p, q, t / dd) : keep(q);
    }
    void solve_triangle(Vec3 p, Vec3 q, Vec3 r) {
        const Vec3 pq = q - p, pr = r - p;
        const double d1 = -dot(pq, p), d2 = -dot(pr, p);
        if (d1 <= 0 && d2 <= 0) return keep(p);
        const double d3 = -dot(pq, q), d4 = -dot(pr, q);
        if (d3 >= 0 && d4 <= d3) return keep(q);
        if (d1 * d4 - d3 * d2 <= 0 && d1 >= 0 && d3 <= 0) return keep(p, q, d1 / (d1 - d3));
        const double d5 = -dot(pq, r), d6 = -dot(pr, r);
        if (d6 >= 0 && d5 <= d6) return keep(r);
        if (d5 * d2 - d1 * d6 <= 0 && d2 >= 0 && d6 <= 0) return keep(p, r, d2 / (d2 - d6));
        if (d3 * d6 - d5 * d4 <= 0 && d4 >= d3 && d5 >= d6) return keep(q, r, (d4 - d3) / ((d4 - d3) + (d5 - d6)));
        const Vec3 normal = cross(pq, pr);
        at[0] = p;
        at[1] = q;
        at[2] = r;
        count = 3;
        lost = !(length2(normal) > 1e-20 * length2(pq) * length2(pr));
        nearest = normal * (dot(normal, p) / length2(normal));
    }
    /// True if the origin lies inside, by more than rounding could feign.
    bool solve_tetrahedron(Vec3 p, const double flat) {
        constexpr int face[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
        const Vec3 v[4] = {p, at[0], at[1], at[2]};
        Simplex best;
        double least_so_far = far_away;
        for (const auto& f : face) {
            const Vec3 normal = cross(v[f[1]] - v[f[0]], v[f[2]] - v[f[0]]);
            const double origin = -dot(normal, v[f[0]]), other = dot(normal, v[f[3]] - v[f[0]]);
            if (origin * other > 0 && std::fabs(other) > flat) continue;
            Simplex s;
            s.solve_triangle(v[f[0]], v[f[1]], v[f[2]]);
            if (s.lost) return lost = true, false;
            if (const double d = length2(s.nearest); d < least_so_far) {
                least_so_far = d;
                best = s;
            }
        }
        if (!best.count) return true;
        *this = best;
        return false;
    }
    /// Adds a point; true if the origin is inside.
    bool add(Vec3 p, double flat) {
        if (count == 3) return solve_tetrahedron(p, flat);
        count == 2 ? solve_triangle(p, at[0], at[1]) : solve_segment(p, at[0]);
        return false;
    }
};

}  // namespace quick

/// Are two hulls of this size apart by more than `limit`? `least_along(u)` gives the point of their difference that is
/// the least along a unit vector u, short by no more than `doubt`; `nearest` is any point of it. Hulls not farther
/// apart than `limit` count as overlapping.
template <class LeastAlong>
HullVerdict compare(Vec3 nearest, double size, double limit, double doubt, LeastAlong&& least_along) {
    const double flat = 1e-9 * size * size * size;
    quick::Simplex simplex;
    for (int step = 0; step < 32; ++step) {
        const double distance = length(nearest);
        if (!(distance > 1e-12 * size) && step > 0) return HullVerdict::unsure;  // its direction has no digits
        const Vec3 towards = distance > 1e-140 ? nearest * (1 / distance) : Vec3{1, 0, 0};
        const Vec3 point = least_along(towards);
        if (dot(point, towards) > limit + doubt) return HullVerdict::apart;
        for (int i = 0; i < simplex.count; ++i)
            if (simplex.at[i] == point) return HullVerdict::unsure;
        if (!simplex.count)
            simplex.keep(point);
        else if (simplex.add(point, flat))
            return HullVerdict::overlap;
        if (simplex.lost) return HullVerdict::unsure;
        nearest = simplex.nearest;
        if (length2(nearest) <= limit * limit) return HullVerdict::overlap;
    }
    return HullVerdict::unsure;
}

/// `limit`: of the hulls without their roundings. A vertex may be short of the farthest by what single precision hides.
inline HullVerdict compare(const QuickHull& a, const QuickHull& b, const Rigid& b_to_a, double limit) {
    const double size = a.reach + b.reach;
    return compare(a.centre - b_to_a * b.centre, size, limit, 1e-6 * size, [&](Vec3 towards) {
        return a.farthest(-towards) - b_to_a * b.farthest(transposed_times(b_to_a.rotation, towards));
    });
}

}  // namespace elbowroom
