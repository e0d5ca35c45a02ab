// One volume against eight that are each a ball and a box along common axes, about one centre: the kernel of chains.
// The ball is cheap and good for coils, the box is tight for compact chains; together they are what overlap means here.
#pragma once
#include "elbowroom/math/lanes.hpp"
#include "elbowroom/math/quaternion.hpp"
#include "elbowroom/volumes/obb_lanes.hpp"

namespace elbowroom {

/// A ball and a box along the axes about one centre, both holding the same things.
struct BallBox {
    float centre[3], radius, half[3];
};

/// The children of a node: field by field, a lane a child, boxes along the axes of the node's frame.
struct BallBoxLanes {
    alignas(32) float centre[3][8], radius[8], half[3][8];
    unsigned valid = 0;    // one bit for each child that is there
    unsigned changes = 0;  // of the node's poses since they were last made from what lies below
};

/// Single precision costs a few ulps of every length that enters. Centres in lanes are turned in single precision as
/// well, so they are off by up to 5e-7 of their distance from the frame's origin and of their radius; twice that is
/// allowed, and once again for the kernel itself.
inline constexpr float lane_slack = 1e-6f, probe_slack = 4e-6f;

/// A rotation in single precision, row by row.
struct TurnFloat {
    float row[3][3];
    ELBOWROOM_INLINE explicit TurnFloat(const Quat& q) {
        const float w = float(q.w), x = float(q.x), y = float(q.y), z = float(q.z), x2 = x + x, y2 = y + y, z2 = z + z;
        const float xx = x * x2, yy = y * y2, zz = z * z2, xy = x * y2, xz = x * z2, yz = y * z2;
        const float wx = w * x2, wy = w * y2, wz = w * z2;
        row[0][0] = 1 - yy - zz;
        row[0][1] = xy - wz;
        row[0][2] = xz + wy;
        row[1][0] = xy + wz;
        row[1][1] = 1 - xx - zz;
        row[1][2] = yz - wx;
        row[2][0] = xz - wy;
        row[2][1] = yz + wx;
        row[2][2] = 1 - xx - yy;
    }
};

/// A frame in single precision, both ways.
struct FrameFloat {
    Float4 column[3], inverse[3];  // columns of the rotation and of its transpose
    ELBOWROOM_INLINE explicit FrameFloat(const Quat& q) {
        const TurnFloat turn(q);
        const auto& m = turn.row;
        for (int k = 0; k < 3; ++k) {
            column[k] = Float4{m[0][k], m[1][k], m[2][k], 0};
            inverse[k] = Float4{m[k][0], m[k][1], m[k][2], 0};
        }
    }
    FrameFloat() = default;
    /// From the common frame into this one, directions only.
    ELBOWROOM_INLINE Float4 into(Float4 v) const {
        return multiply_add(inverse[0], all_four(v[0]),
                            multiply_add(inverse[1], all_four(v[1]), inverse[2] * all_four(v[2])));
    }
};

/// One volume, seen from the frame of the lanes.
struct BallBoxProbe {
    alignas(16) float axis[3][4];  // axis[i]: the i-th axis of the box
    float centre[3], radius, half[3];
    float slack;

    ELBOWROOM_INLINE void place(Float4 at, float ball) {
        for (int k = 0; k < 3; ++k) centre[k] = at[k];
        radius = ball;
        slack = probe_slack * (std::fabs(at[0]) + std::fabs(at[1]) + std::fabs(at[2]) + ball) +
                1e-18f;  // squares must not vanish
    }
    ELBOWROOM_INLINE void orient(Float4 x, Float4 y, Float4 z, const float* sides) {
        *reinterpret_cast<Float4*>(axis[0]) = x, *reinterpret_cast<Float4*>(axis[1]) = y;
        *reinterpret_cast<Float4*>(axis[2]) = z;
        for (int k = 0; k < 3; ++k) half[k] = sides[k];
    }
};

/// The balls of the lanes against the ball of the probe; `key` grows with the gap.
ELBOWROOM_INLINE unsigned ball_overlap_lanes(const BallBoxProbe& one, const BallBoxLanes& many, Float8& key) {
    const Float8 x = Float8::load(many.centre[0]) - Float8(one.centre[0]);
    const Float8 y = Float8::load(many.centre[1]) - Float8(one.centre[1]);
    const Float8 z = Float8::load(many.centre[2]) - Float8(one.centre[2]);
    const Float8 reach =
        multiply_add(Float8::load(many.radius), Float8(1 + probe_slack), Float8(one.radius + one.slack));
    key = multiply_add(x, x, multiply_add(y, y, z * z)) - reach * reach;
    return where_at_most(key, Float8(0.f)) & many.valid;
}

/// A bound from its own frame into a lane of another.
ELBOWROOM_INLINE void set_lane(BallBoxLanes& lanes, int lane, const Frame& from, const BallBox& own) {
    const Vec3 c = from * Vec3{own.centre[0], own.centre[1], own.centre[2]};
    const FrameFloat turned(from.q);
    lanes.radius[lane] = own.radius;
    for (int k = 0; k < 3; ++k) {
        lanes.centre[k][lane] = float(c[k]);
        const float reach = std::fabs(turned.column[0][k]) * own.half[0] +
                            std::fabs(turned.column[1][k]) * own.half[1] + std::fabs(turned.column[2][k]) * own.half[2];
        lanes.half[k][lane] = least(reach * (1 + 2e-6f), own.radius);
    }
}

/// What the box of the probe knows of the eight boxes: the signed gaps along the axes of either side.
struct BoxGaps {
    Float8 own[3], others[3];
    ELBOWROOM_INLINE BoxGaps(const BallBoxProbe& one, const BallBoxLanes& many) {
        Float8 offset[3], half[3];
        float size[3][3];  // size[i][k]: |component k of axis i|
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k) size[i][k] = std::fabs(one.axis[i][k]);
        const Float8 slack = multiply_add(Float8::load(many.radius), Float8(probe_slack), Float8(one.slack));
        for (int k = 0; k < 3; ++k) {
            offset[k] = Float8::load(many.centre[k]) - Float8(one.centre[k]);
            half[k] = Float8::load(many.half[k]);
            const float shadow = size[0][k] * one.half[0] + size[1][k] * one.half[1] + size[2][k] * one.half[2];
            others[k] = absolute(offset[k]) - (half[k] + (Float8(shadow) + slack));
        }
        for (int i = 0; i < 3; ++i) {
            const Float8 along = dot(one.axis[i], offset[0], offset[1], offset[2]);
            own[i] = absolute(along) - (dot(size[i], half[0], half[1], half[2]) + (Float8(one.half[i]) + slack));
        }
    }
    ELBOWROOM_INLINE Float8 largest() const {
        return most(most(most(own[0], own[1]), own[2]), most(most(others[0], others[1]), others[2]));
    }
};

/// Lower bounds of the squared distances: of the balls, and of the boxes if `boxes`; `gap` is the larger signed gap.
ELBOWROOM_INLINE Float8 squared_gap_lanes(const BallBoxProbe& one, const BallBoxLanes& many, bool boxes, Float8& gap) {
    const Float8 x = Float8::load(many.centre[0]) - Float8(one.centre[0]), zero(0.f);
    const Float8 y = Float8::load(many.centre[1]) - Float8(one.centre[1]);
    const Float8 z = Float8::load(many.centre[2]) - Float8(one.centre[2]);
    const Float8 reach =
        multiply_add(Float8::load(many.radius), Float8(1 + probe_slack), Float8(one.radius + one.slack));
    const Float8 apart = square_root(multiply_add(x, x, multiply_add(y, y, z * z))) * Float8(1 - 1e-6f);
    gap = apart - reach;
    const Float8 between = most(gap, zero);
    Float8 bound = between * between;
    if (boxes) {
        const BoxGaps g(one, many);
        gap = most(gap, g.largest());
        bound = most(bound, positive_square(g.own[0], positive_square(g.own[1], positive_square(g.own[2], zero))));
        bound =
            most(bound, positive_square(g.others[0], positive_square(g.others[1], positive_square(g.others[2], zero))));
    }
    // The slack is relative to the probe and the radii. What rounding takes of a centre that lies farther away than
    // these is relative to the gap itself.
    return bound * Float8(1 - 4e-6f);
}

}  // namespace elbowroom
