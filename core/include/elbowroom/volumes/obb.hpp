#pragma once
#include "elbowroom/volumes/balls.hpp"

namespace elbowroom {

/// An oriented box: all points centre + sum of s_k axes.row[k] with |s_k| <= half[k].
struct ObbVolume {
    Vec3 centre, half;
    Mat3 axes = Mat3::identity();

    static ObbVolume along(const Balls& balls, const Mat3& axes) {
        ObbVolume b;
        b.axes = axes;
        for (int k = 0; k < 3; ++k) b.set_side(k, shadow(balls, axes.row[k]));
        return b;
    }
    /// The smallest in area over the principal frame, the coordinate frame, and the principal frame turned about each
    /// of its axes in steps of a part of a quarter turn: many for few balls, where a tight box pays most, fewer for
    /// many. `rough` takes few or none, to compare two ways of cutting a set.
    static ObbVolume fit(const Balls& balls, bool rough = false) {
        const int turns = rough ? (balls.count <= 96 ? 4 : 1) : (balls.count <= 4096 ? 16 : 4);
        const ObbVolume principal = along(balls, principal_axes(balls));
        ObbVolume best = along(balls, Mat3::identity());
        best.take_if_smaller(principal);
        for (int k = 0; k < 3; ++k)
            for (int s = 1; s < turns; ++s)
                best.take_if_smaller(principal.turned(balls, k, 1.5707963267948966 * s / turns));
        return best;
    }
    /// The box of the same balls in the frame turned about axis k, along which nothing changes.
    ObbVolume turned(const Balls& balls, int k, double angle) const {
        const double c = std::cos(angle), s = std::sin(angle);
        const int p = (k + 1) % 3, q = (k + 2) % 3;
        ObbVolume b;
        b.axes.row[k] = axes.row[k];
        b.axes.row[p] = axes.row[p] * c + axes.row[q] * s;
        b.axes.row[q] = axes.row[q] * c - axes.row[p] * s;
        b.half[k] = half[k];
        b.centre = axes.row[k] * dot(axes.row[k], centre);
        b.set_side(p, shadow(balls, b.axes.row[p]));
        b.set_side(q, shadow(balls, b.axes.row[q]));
        return b;
    }
    void set_side(int k, Interval s) {
        half[k] = s.half();
        centre = centre + axes.row[k] * s.middle();
    }
    void take_if_smaller(const ObbVolume& o) {
        if (o.cost() < cost()) *this = o;
    }
    int balls(Vec3* c, double* r) const {
        for (int i = 0; i < 8; ++i) {
            const Vec3 s{i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
            c[i] = centre + transposed_times(axes, s);
            r[i] = 0;
        }
        return 8;
    }
    ObbVolume merged(const ObbVolume& o) const {
        Vec3 c[16];
        double r[16];
        const int n = balls(c, r);
        const Balls corners{c, r, n + o.balls(c + n, r + n)};
        ObbVolume best = fit(corners);
        best.take_if_smaller(along(corners, axes));
        best.take_if_smaller(along(corners, o.axes));
        return best;
    }
    /// The largest gap over the 15 axes of Gottschalk, Lin and Manocha (1996), and the length of the face gaps of
    /// either box, which are orthogonal to each other.
    double separation(const ObbVolume& o) const {
        const Mat3 m = axes * transposed(o.axes);  // m.row[i][j]: axis i of this against axis j of the other
        const Vec3 d = o.centre - centre, s = axes * d, t = o.axes * d;
        Vec3 own, others;
        for (int i = 0; i < 3; ++i) {
            own[i] = std::fabs(s[i]) - half[i] - dot(absolute(m.row[i]), o.half);
            others[i] = std::fabs(t[i]) - o.half[i] - dot(absolute(m.column(i)), half);
        }
        double gap = most(length(upper_of({0, 0, 0}, own)), length(upper_of({0, 0, 0}, others)));
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                const Vec3 axis = cross(axes.row[i], o.axes.row[j]);
                const double norm = length(axis);
                if (norm < 1e-6) continue;
                gap = most(gap, (std::fabs(dot(axis, d)) - half_shadow(axis) - o.half_shadow(axis)) / norm);
            }
        return gap;
    }
    double half_shadow(Vec3 axis) const { return dot(absolute(axes * axis), half); }
    double excess(Vec3 p, double r) const { return largest(absolute(axes * (p - centre)) - half) + r; }
    double cost() const { return half.x * half.y + half.y * half.z + half.z * half.x; }

    static constexpr int fields = 15;
    void pack(float* f, double slack) const {
        for (int k = 0; k < 3; ++k) {
            f[k] = float(centre[k]);
            f[3 + k] = float(half[k] * (1 + 3e-7) + slack);
            for (int j = 0; j < 3; ++j) f[6 + 3 * k + j] = float(axes.row[k][j]);
        }
    }
    static ObbVolume unpack(const float* f) {
        return {{f[0], f[1], f[2]},
                {f[3], f[4], f[5]},
                {{{f[6], f[7], f[8]}, {f[9], f[10], f[11]}, {f[12], f[13], f[14]}}}};
    }
};

}  // namespace elbowroom
