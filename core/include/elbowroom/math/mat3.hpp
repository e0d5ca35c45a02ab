#pragma once
#include "elbowroom/math/vec3.hpp"

namespace elbowroom {

/// A 3x3 matrix by rows: a rotation or any linear map.
struct Mat3 {
    Vec3 row[3];
    static ELBOWROOM_INLINE Mat3 identity() { return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}; }
    ELBOWROOM_INLINE Vec3 column(int j) const { return {row[0][j], row[1][j], row[2][j]}; }
};

ELBOWROOM_INLINE Vec3 operator*(const Mat3& m, Vec3 v) {
    return {dot(m.row[0], v), dot(m.row[1], v), dot(m.row[2], v)};
}
/// m^T v, without forming the transpose.
ELBOWROOM_INLINE Vec3 transposed_times(const Mat3& m, Vec3 v) {
    return m.row[0] * v.x + m.row[1] * v.y + m.row[2] * v.z;
}
ELBOWROOM_INLINE Mat3 transposed(const Mat3& m) { return {{m.column(0), m.column(1), m.column(2)}}; }
ELBOWROOM_INLINE Mat3 operator*(const Mat3& a, const Mat3& b) {
    return {{transposed_times(b, a.row[0]), transposed_times(b, a.row[1]), transposed_times(b, a.row[2])}};
}
ELBOWROOM_INLINE Mat3 operator*(const Mat3& a, double s) { return {{a.row[0] * s, a.row[1] * s, a.row[2] * s}}; }
ELBOWROOM_INLINE Mat3 operator+(const Mat3& a, const Mat3& b) {
    return {{a.row[0] + b.row[0], a.row[1] + b.row[1], a.row[2] + b.row[2]}};
}
ELBOWROOM_INLINE double determinant(const Mat3& m) { return dot(m.row[0], cross(m.row[1], m.row[2])); }

/// The inverse transpose: what normals are mapped by when points are mapped by m.
ELBOWROOM_INLINE Mat3 inverse_transposed(const Mat3& m) {
    const double s = 1 / determinant(m);
    return {{cross(m.row[1], m.row[2]) * s, cross(m.row[2], m.row[0]) * s, cross(m.row[0], m.row[1]) * s}};
}

/// How far the rows are from orthonormal: the largest entry of |m m^T - I|.
ELBOWROOM_INLINE double rotation_error(const Mat3& m) {
    double worst = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j) worst = most(worst, std::fabs(dot(m.row[i], m.row[j]) - (i == j ? 1.0 : 0.0)));
    return worst;
}

/// One Newton step towards the nearest rotation (the polar factor); the error squares with each.
ELBOWROOM_INLINE Mat3 closer_to_rotation(const Mat3& m) {
    const Mat3 gram = m * transposed(m);
    return (Mat3::identity() * 1.5 + gram * -0.5) * m;
}

}  // namespace elbowroom
