#pragma once
#include "elbowroom/math/linear_motion.hpp"

namespace elbowroom {

/// A length that is affine in two others: of a point, its distance from the axis of its own frame's motion, and from
/// the origin of that frame.
struct AffineBound {
    double fixed = 0, per_arm = 0, per_reach = 0;
    double at(double arm, double reach) const { return fixed + per_arm * arm + per_reach * reach; }
    AffineBound& operator+=(const AffineBound& o) {
        fixed += o.fixed;
        per_arm += o.per_arm;
        per_reach += o.per_reach;
        return *this;
    }
};
inline AffineBound operator*(const AffineBound& b, double s) { return {b.fixed * s, b.per_arm * s, b.per_reach * s}; }

/// How fast the points of a piece can move, and by how much their velocity can change, seen from another frame. The
/// frames between the two are passed one by one: only joints that lie between two parts count.
///
/// Upwards, from a frame to its parent: x = p(t) + R(t) y with y' <= v, y'' <= a, |y| <= r, R turning at the rate w and
/// p shifting at the velocity d. Then |x'| <= d + w r + v and |x''| <= w^2 r + 2 w v + a, and where y is at rest, r is
/// its distance from the axis. Downwards, y = R^T (x - p), by the same rule for the inverse motion.
class PointBound {
public:
    AffineBound reach{0, 0, 1}, speed, acceleration;

    void up(const LinearMotion& m) {
        const double w = m.angle;
        const AffineBound arm = at_rest_ ? AffineBound{0, 1, 0} : reach;
        at_rest_ = false;
        acceleration += arm * (w * w);
        acceleration += speed * (2 * w);
        speed += arm * w;
        speed.fixed += length(m.shift);
        reach.fixed += m.farthest_origin();
    }
    void down(const LinearMotion& m) {
        const double w = m.angle;
        at_rest_ = false;
        reach.fixed += m.farthest_origin();
        speed.fixed += length(m.shift);
        acceleration += speed * (2 * w);
        acceleration += reach * (w * w);
        speed += reach * w;
    }
    bool moves() const { return speed.fixed > 0 || speed.per_arm > 0 || speed.per_reach > 0; }

private:
    bool at_rest_ = true;
};

}  // namespace elbowroom
