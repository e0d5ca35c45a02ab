#pragma once
#include "elbowroom/math/mat3.hpp"

namespace elbowroom {

/// The rotation about a unit axis by an angle in radians, by the right-hand rule (Rodrigues).
inline Mat3 rotation_about(Vec3 axis, double angle) {
    const double s = std::sin(angle), h = std::sin(0.5 * angle), v = 2 * h * h;  // 1 - cos keeps its digits
    const Vec3 a = axis * s, b = axis * v;
    return {{{1 - v + b.x * axis.x, b.x * axis.y - a.z, b.x * axis.z + a.y},
             {b.y * axis.x + a.z, 1 - v + b.y * axis.y, b.y * axis.z - a.x},
             {b.z * axis.x - a.y, b.z * axis.y + a.x, 1 - v + b.z * axis.z}}};
}

/// The rotation nearest to a matrix that is one but for rounding, in the input or in the computer.
inline Mat3 nearest_rotation(Mat3 m) {
    for (int k = 0; k < 4 && rotation_error(m) > 4e-16; ++k) m = closer_to_rotation(m);
    return m;
}

}  // namespace elbowroom
