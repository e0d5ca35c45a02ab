#pragma once
#include "elbowroom/math/rigid.hpp"

namespace elbowroom {

/// The one form of a primitive: the convex hull of a few points, rounded by a radius. A sphere is one point, a capsule
/// two, a triangle three with radius zero, a box eight. A half-space is the limit of a ball that grows: a point on its
/// plane and then its normal, which is no point, with the radius `unbounded`.
struct RoundedHull {
    const Vec3* points;
    int count;
    double radius;
    ELBOWROOM_INLINE bool is_half_space() const { return radius == unbounded; }
};

/// Two primitives as a kernel sees them: b carried into the frame of a, and optionally both mapped by a linear map, in
/// which case distances are measured as |linear (x - y)|.
struct HullPair {
    RoundedHull a, b;
    const Rigid* b_to_a;
    const Mat3* linear;  // null: none
    double scale;        // sizes and translation: what rounding is relative to
    ELBOWROOM_INLINE bool has_half_space() const { return a.is_half_space() || b.is_half_space(); }
};

/// Bounds of a distance with the points that attain the upper one, in the frame of a.
struct HullDistance {
    double lower, upper;
    Vec3 on_a, on_b;
};

/// Overlap of two primitives: moving b by depth * normal separates them; `point` lies midway between the two surfaces.
struct HullContact {
    double depth;
    Vec3 normal, point;
};

}  // namespace elbowroom
