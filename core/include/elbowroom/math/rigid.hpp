#pragma once
#include "elbowroom/math/mat3.hpp"

namespace elbowroom {

/// A rigid transform x -> rotation x + translation. A pose maps body to world.
struct Rigid {
    Mat3 rotation = Mat3::identity();
    Vec3 translation;
};

ELBOWROOM_INLINE Vec3 operator*(const Rigid& p, Vec3 x) { return p.rotation * x + p.translation; }
ELBOWROOM_INLINE Rigid operator*(const Rigid& p, const Rigid& q) {
    return {p.rotation * q.rotation, p * q.translation};
}
ELBOWROOM_INLINE Rigid inverse(const Rigid& p) {
    return {transposed(p.rotation), -transposed_times(p.rotation, p.translation)};
}
/// The pose of `second` seen from the frame of `first`. The difference of the translations is taken before it is
/// turned, so that two bodies far from the origin keep their relative precision.
ELBOWROOM_INLINE Rigid relative(const Rigid& first, const Rigid& second) {
    return {transposed(first.rotation) * second.rotation,
            transposed_times(first.rotation, second.translation - first.translation)};
}

}  // namespace elbowroom
