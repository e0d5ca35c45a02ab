#pragma once
#include "elbowroom/math/segment.hpp"
#include "elbowroom/volumes/balls.hpp"

namespace elbowroom {

/// A line-swept sphere: all points within `radius` of the segment from `start` to `end`.
struct CapsuleVolume {
    Vec3 start, end;
    double radius = 0;

    /// Along the longest principal axis (or the first of given ones): the radius from the farthest ball, then the ends
    /// drawn in as far as it allows.
    static CapsuleVolume fit(const Balls& balls, bool /*rough*/ = false) { return along(balls, principal_axes(balls)); }
    static CapsuleVolume along(const Balls& balls, const Mat3& axes) {
        const Vec3 u = axes.row[0];
        const Vec3 middle =
            axes.row[1] * shadow(balls, axes.row[1]).middle() + axes.row[2] * shadow(balls, axes.row[2]).middle();
        auto across = [&](int i) {
            const Vec3 d = balls.centre[i] - middle;
            return length(d - u * dot(d, u));
        };
        double radius = 0;
        for (int i = 0; i < balls.count; ++i) radius = most(radius, across(i) + balls.radius_of(i));
        double low = far_away, high = -far_away;
        for (int i = 0; i < balls.count; ++i) {
            const double s = dot(balls.centre[i], u), gap = radius - balls.radius_of(i), d = across(i);
            const double slack = std::sqrt(most(0.0, gap * gap - d * d));
            low = least(low, s + slack);
            high = most(high, s - slack);
        }
        if (low > high) low = high = 0.5 * (low + high);
        CapsuleVolume c{middle + u * low, middle + u * high, radius};
        double over = 0;  // the drawn-in ends can cross: then the radius makes good what they miss
        for (int i = 0; i < balls.count; ++i) over = most(over, c.excess(balls.centre[i], balls.radius_of(i)));
        c.radius += over;
        return c;
    }
    int balls(Vec3* c, double* r) const { return c[0] = start, c[1] = end, r[0] = r[1] = radius, 2; }
    CapsuleVolume merged(const CapsuleVolume& o) const {
        Vec3 c[4];
        double r[4];
        const int n = balls(c, r);
        return fit({c, r, n + o.balls(c + n, r + n)});
    }
    double separation(const CapsuleVolume& o) const {
        const double d2 = closest_segment_segment(start, end, o.start, o.end).distance2;
        return most(0.0, std::sqrt(d2) - radius - o.radius);
    }
    double excess(Vec3 point, double r) const {
        const Vec3 d = end - start;
        return length(point - (start + d * nearest_parameter(point, start, d))) + r - radius;
    }
    double cost() const { return radius * (radius + 0.5 * length(end - start)); }

    static constexpr int fields = 7;
    void pack(float* f, double slack) const {
        for (int k = 0; k < 3; ++k) {
            f[k] = float(start[k]);
            f[3 + k] = float(end[k]);
        }
        f[6] = float(radius + slack);
    }
    static CapsuleVolume unpack(const float* f) { return {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}, f[6]}; }
};

}  // namespace elbowroom
