#pragma once
#include "elbowroom/math/quaternion.hpp"
#include "elbowroom/math/rotation_about.hpp"

namespace elbowroom {

/// From one pose to another in the time from 0 to 1: the translation is linear, the rotation about a fixed axis at a
/// constant rate (Eqs. 5 to 7 of [He2014]).
struct LinearMotion {
    Rigid start;
    Vec3 shift;          // goal - start
    Vec3 axis{0, 0, 1};  // of unit length, in the frame that the poses lead to
    double angle = 0;    // not negative; joints may turn farther than half a turn

    /// The short way round. By quaternions, since Eq. 5 has no axis at half a turn.
    static LinearMotion between(const Rigid& start, const Rigid& goal) {
        LinearMotion m{start, goal.translation - start.translation, {0, 0, 1}, 0};
        Quat q = quaternion(goal.rotation * transposed(start.rotation));
        if (q.w < 0) q = {-q.w, -q.x, -q.y, -q.z};
        const double sine = length(q.vector());
        if (sine > 0) {
            m.axis = q.vector() * (1 / sine);
            m.angle = 2 * std::atan2(sine, q.w);
        }
        return m;
    }
    Rigid at(double t) const {
        return {angle != 0 ? rotation_about(axis, t * angle) * start.rotation : start.rotation,
                start.translation + shift * t};
    }
    /// What happens from t0 to t1, as a motion of its own; backwards if t1 is the smaller.
    LinearMotion part(double t0, double t1) const {
        const double share = t1 - t0;
        return {at(t0), shift * share, share < 0 ? -axis : axis, angle * std::fabs(share)};
    }
    /// The axis in the moving frame, where it stays as well.
    Vec3 axis_inside() const { return transposed_times(start.rotation, axis); }
    /// How far the origin of the moving frame ever is from the origin of the other. A distance from a point that moves
    /// on a line is largest at an end.
    double farthest_origin() const { return most(length(start.translation), length(start.translation + shift)); }
};

}  // namespace elbowroom
