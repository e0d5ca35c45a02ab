// Triangles of one mesh that share corners: do they meet anywhere else?
#pragma once
#include "elbowroom/narrow/distance_hull_hull.hpp"

namespace elbowroom {

/// Two triangles in one frame, with what they share: corners at the same place. A triangle whose corners are in one
/// line, or in one place, is a segment or a point.
class TriangleNeighbours {
public:
    TriangleNeighbours(const Vec3* a, const Vec3* b, double scale) : scale_(scale) {
        unsigned in_b = 0;
        for (int i = 0; i < 3; ++i) {
            int same = -1;
            for (int j = 0; j < 3; ++j)
                if (a[i] == b[j]) in_b |= 1u << j, same = j;
            if (same < 0)
                own_a_[owns_a_++] = a[i];
            else if (!is_shared(a[i]))
                shared_[shares_++] = a[i];
            a_[i] = a[i], b_[i] = b[i];
        }
        for (int j = 0; j < 3; ++j)
            if (!(in_b >> j & 1)) own_b_[owns_b_++] = b[j];
    }
    bool share() const { return shares_ > 0; }

    /// Of triangles that share a corner: have they more in common than the corner, or the edge, that they share? Less
    /// than `margin` apart counts as touching, as everywhere.
    bool overlap() const {
        if (shares_ == 3) return true;                   // the same triangle twice
        if (owns_a_ == 0 || owns_b_ == 0) return false;  // one is an edge or a corner of the other
        return shares_ == 1 ? overlap_beyond_corner() : overlap_beyond_edge();
    }

private:
    const double scale_;
    Vec3 a_[3], b_[3], shared_[3], own_a_[3], own_b_[3];
    int shares_ = 0, owns_a_ = 0, owns_b_ = 0;

    bool is_shared(Vec3 p) const {
        for (int i = 0; i < shares_; ++i)
            if (shared_[i] == p) return true;
        return false;
    }
    double margin() const { return rounding * scale_; }
    bool meet(const Vec3* x, int nx, const Vec3* y, int ny) const {
        const Rigid here;
        return overlaps_hull_hull({{x, nx, 0}, {y, ny, 0}, &here, nullptr, scale_});
    }

    /// Both are convex and hold the corner, so that what else they share goes on from the corner to where one of them
    /// ends: on the side opposite to the corner.
    bool overlap_beyond_corner() const {
        if (apart_at_corner(own_a_, owns_a_, own_b_, owns_b_) || apart_at_corner(own_b_, owns_b_, own_a_, owns_a_))
            return false;
        return side_meets(own_a_, owns_a_, b_) || side_meets(own_b_, owns_b_, a_);
    }
    bool side_meets(const Vec3* side, int count, const Vec3* triangle) const {
        if (!meet(side, count, shared_, 1)) return meet(side, count, triangle, 3);
        for (int i = 0; i < count; ++i)  // the corner lies on the side: a segment on either hand
            if (!meet(side + i, 1, shared_, 1) && meet(side + i, 1, triangle, 3)) return true;
        return false;
    }
    /// Is there a plane through the corner, with all of x strictly on one side, and y on the other or on it?
    bool apart_at_corner(const Vec3* x, int nx, const Vec3* y, int ny) const {
        if (nx != 2 || ny != 2) return false;
        const Vec3 p = shared_[0], u = y[0] - p, v = y[1] - p, n = cross(u, v);
        auto beyond = [&](Vec3 normal) {
            const double pad = margin() * (std::fabs(normal.x) + std::fabs(normal.y) + std::fabs(normal.z));
            const double other = most(0.0, most(dot(normal, u), dot(normal, v))) + pad;
            return dot(normal, x[0] - p) > other && dot(normal, x[1] - p) > other;
        };
        if (beyond(n) || beyond(-n)) return true;
        const Vec3 off_u = cross(u, n), off_v = cross(n, v);  // away from the triangle, across its sides at the corner
        return beyond(off_u) || beyond(off_v);
    }

    /// Beyond a common edge they meet only where they lie on the same side in one plane.
    bool overlap_beyond_edge() const {
        const Vec3 p = shared_[0], q = shared_[1], a = own_a_[0], b = own_b_[0], e = q - p;
        const Vec3 m = cross(e, a - p), n = cross(e, b - p);
        const double line = margin() * length(e);
        const bool on_line_a = length(m) <= line, on_line_b = length(n) <= line;  // segments along the edge
        if (on_line_a && on_line_b)
            return (dot(a - q, e) > 0 && dot(b - q, e) > 0) || (dot(a - p, e) < 0 && dot(b - p, e) < 0);
        if (on_line_a || on_line_b) return false;
        // What rounding may make of the heights over the planes of slivers is left to the tests of distances.
        const double doubt = 1e-15 * length(e) * length(a - p) * length(b - p);
        if (std::fabs(dot(m, b - p)) > 2 * margin() * length(m) + doubt) return false;
        if (std::fabs(dot(n, a - p)) > 2 * margin() * length(n) + doubt) return false;
        if (dot(m, n) < -0.5 * length(m) * length(n)) return false;
        const Vec3 pa[2] = {p, a}, qa[2] = {q, a}, pb[2] = {p, b}, qb[2] = {q, b};
        return meet(&a, 1, b_, 3) || meet(&b, 1, a_, 3) || meet(pa, 2, qb, 2) || meet(qa, 2, pb, 2);
    }
};

}  // namespace elbowroom
