#pragma once
#include "elbowroom/math/segment.hpp"
#include "elbowroom/volumes/balls.hpp"

namespace elbowroom {

/// A rectangle-swept sphere (Larsen, Gottschalk, Lin and Manocha 2000): all points within `radius` of the rectangle
/// with the given centre, half sides half[0], half[1] along axes.row[0], axes.row[1]; axes.row[2] is its normal.
struct RssVolume {
    Vec3 centre;
    Mat3 axes = Mat3::identity();
    double half[2] = {0, 0}, radius = 0;

    /// In the principal frame (or a given one): the radius is half the thickness, the sides are drawn in as far as the
    /// balls allow along each side alone, and the radius grows by what then still sticks out at the corners.
    static RssVolume fit(const Balls& balls, bool /*rough*/ = false) { return along(balls, principal_axes(balls)); }
    static RssVolume along(const Balls& balls, const Mat3& axes) {
        RssVolume v;
        v.axes = axes;
        const Interval thickness = shadow(balls, v.axes.row[2]);
        v.radius = thickness.half();
        v.centre = v.axes.row[2] * thickness.middle();
        for (int k = 0; k < 2; ++k) {
            double low = far_away, high = -far_away;
            for (int i = 0; i < balls.count; ++i) {
                const double x = dot(v.axes.row[k], balls.centre[i]), gap = v.radius - balls.radius_of(i);
                const double h = dot(v.axes.row[2], balls.centre[i]) - thickness.middle();
                const double slack = std::sqrt(most(0.0, gap * gap - h * h));
                low = least(low, x + slack);
                high = most(high, x - slack);
            }
            v.half[k] = most(0.0, 0.5 * (high - low));
            v.centre = v.centre + v.axes.row[k] * (0.5 * (low + high));
        }
        double over = 0;
        for (int i = 0; i < balls.count; ++i) over = most(over, v.excess(balls.centre[i], balls.radius_of(i)));
        v.radius += over;
        return v;
    }
    int balls(Vec3* c, double* r) const {
        for (int i = 0; i < 4; ++i) {
            c[i] = corner(i);
            r[i] = radius;
        }
        return 4;
    }
    RssVolume merged(const RssVolume& o) const {
        Vec3 c[8];
        double r[8];
        const int n = balls(c, r);
        return fit({c, r, n + o.balls(c + n, r + n)});
    }
    /// Distance of the two rectangles less the radii: corners to the other rectangle and sides to sides, unless the
    /// rectangles cross, which a separating axis over their normals, sides and cross products rules out.
    double separation(const RssVolume& o) const {
        double d2 = far_away * far_away;
        for (int i = 0; i < 4; ++i) {
            d2 = least(d2, least(length2(to_rectangle(o.corner(i))), length2(o.to_rectangle(corner(i)))));
            for (int j = 0; j < 4; ++j)
                d2 = least(
                    d2, closest_segment_segment(corner(i), corner(next(i)), o.corner(j), o.corner(next(j))).distance2);
        }
        if (crosses(o)) return 0;
        return most(0.0, std::sqrt(d2) - radius - o.radius);
    }
    double excess(Vec3 p, double r) const { return length(to_rectangle(p)) + r - radius; }
    /// The point of the rectangle nearest to p.
    Vec3 nearest(Vec3 p) const {
        const Vec3 s = axes * (p - centre);
        return centre + axes.row[0] * clamped(s.x, -half[0], half[0]) + axes.row[1] * clamped(s.y, -half[1], half[1]);
    }
    /// Half the shadow of the rectangle on the line along `axis`.
    double half_shadow(Vec3 axis) const {
        return half[0] * std::fabs(dot(axes.row[0], axis)) + half[1] * std::fabs(dot(axes.row[1], axis));
    }
    double cost() const { return (half[0] + radius) * (half[1] + radius) + (half[0] + half[1] + 2 * radius) * radius; }

    static constexpr int fields = 15;
    void pack(float* f, double slack) const {
        for (int k = 0; k < 3; ++k) {
            f[k] = float(centre[k]);
            for (int j = 0; j < 3; ++j) f[3 + 3 * k + j] = float(axes.row[k][j]);
        }
        f[12] = float(half[0]);
        f[13] = float(half[1]);
        f[14] = float(radius + slack + 3e-7 * (half[0] + half[1]));
    }
    static RssVolume unpack(const float* f) {
        return {{f[0], f[1], f[2]},
                {{{f[3], f[4], f[5]}, {f[6], f[7], f[8]}, {f[9], f[10], f[11]}}},
                {f[12], f[13]},
                f[14]};
    }

private:
    static int next(int corner) { return (corner + 1) & 3; }
    Vec3 corner(int i) const {  // in order around the rectangle
        const double s = i == 0 || i == 3 ? -half[0] : half[0], t = i < 2 ? -half[1] : half[1];
        return centre + axes.row[0] * s + axes.row[1] * t;
    }
    /// From the nearest point of the rectangle to p.
    Vec3 to_rectangle(Vec3 p) const {
        const Vec3 s = axes * (p - centre);
        return {s.x - clamped(s.x, -half[0], half[0]), s.y - clamped(s.y, -half[1], half[1]), s.z};
    }
    bool crosses(const RssVolume& o) const {
        const Vec3 d = o.centre - centre;
        auto apart = [&](Vec3 axis) { return std::fabs(dot(axis, d)) > half_shadow(axis) + o.half_shadow(axis); };
        for (int i = 0; i < 3; ++i) {
            if (apart(axes.row[i]) || apart(o.axes.row[i])) return false;
            for (int j = 0; j < 3; ++j)
                if (const Vec3 axis = cross(axes.row[i], o.axes.row[j]); length2(axis) > 1e-12 && apart(axis))
                    return false;
        }
        return true;
    }
};

}  // namespace elbowroom
