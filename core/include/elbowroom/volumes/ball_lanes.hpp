// Eight balls at once, and what bounds some of them.
#pragma once
#include "elbowroom/math/lanes.hpp"
#include "elbowroom/math/vec3.hpp"

namespace elbowroom {

struct BallLanes {
    alignas(32) float centre[3][8], radius[8];
    unsigned valid;  // one bit for each ball that is there
};

struct FloatBall {
    float centre[3], radius;
};

/// The ball about the middle of the box of the centres that holds `count` times eight balls, of those `in`.
template <int count>
ELBOWROOM_INLINE FloatBall ball_of(const Float8 (&centre)[count][3], const Float8 (&radius)[count],
                                   const Float8 (&in)[count]) {
    const Float8 none(-3e38f), zero(0.f);
    Float8 ends[8];  // the upper ends of the box, and the lower ones with the other sign
    for (int m = 0; m < 3; ++m) {
        ends[m] = select(in[0], centre[0][m], none);
        ends[m + 3] = select(in[0], zero - centre[0][m], none);
        for (int k = 1; k < count; ++k) {
            ends[m] = most(ends[m], select(in[k], centre[k][m], none));
            ends[m + 3] = most(ends[m + 3], select(in[k], zero - centre[k][m], none));
        }
    }
    ends[6] = ends[7] = zero;
    alignas(32) float end[8];
    largest_of_each(ends).store(end);
    FloatBall out;
    for (int m = 0; m < 3; ++m) out.centre[m] = 0.5f * (end[m] - end[m + 3]);
    Float8 far(0.f);
    for (int k = 0; k < count; ++k) {
        const Float8 x = centre[k][0] - Float8(out.centre[0]), y = centre[k][1] - Float8(out.centre[1]),
                     z = centre[k][2] - Float8(out.centre[2]);
        const Float8 reach = square_root(multiply_add(x, x, multiply_add(y, y, z * z))) + radius[k];
        far = most(far, select(in[k], reach, zero));
    }
    const float off = std::fabs(out.centre[0]) + std::fabs(out.centre[1]) + std::fabs(out.centre[2]);
    out.radius = largest(far) * (1 + 6e-7f) + 3e-7f * off;
    return out;
}

/// A ball against eight. What rounding may hide is in the reach.
ELBOWROOM_INLINE unsigned overlapping_balls(const float* centre, float reach, const BallLanes& many) {
    const Float8 x = Float8::load(many.centre[0]) - Float8(centre[0]);
    const Float8 y = Float8::load(many.centre[1]) - Float8(centre[1]);
    const Float8 z = Float8::load(many.centre[2]) - Float8(centre[2]);
    const Float8 near = Float8::load(many.radius) + Float8(reach);
    return where_at_most(multiply_add(x, x, multiply_add(y, y, z * z)), near * near) & many.valid;
}

}  // namespace elbowroom
