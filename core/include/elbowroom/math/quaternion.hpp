#pragma once
#include "elbowroom/math/lanes.hpp"
#include "elbowroom/math/rigid.hpp"

namespace elbowroom {

/// A unit quaternion: the rotation v -> q v q*.
struct Quat {
    double w = 1, x = 0, y = 0, z = 0;
    ELBOWROOM_INLINE Vec3 vector() const { return {x, y, z}; }
};

ELBOWROOM_INLINE Quat operator*(const Quat& a, const Quat& b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
ELBOWROOM_INLINE Quat conjugate(const Quat& q) { return {q.w, -q.x, -q.y, -q.z}; }
ELBOWROOM_INLINE Vec3 operator*(const Quat& q, Vec3 v) {
    const Vec3 u = q.vector(), twice = cross(u, v) * 2;
    return v + twice * q.w + cross(u, twice);
}
/// One Newton step towards length 1: a product of unit quaternions is off by a few ulps, and the error squares.
ELBOWROOM_INLINE Quat unit(const Quat& q) {
    const double f = 1.5 - 0.5 * (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return {q.w * f, q.x * f, q.y * f, q.z * f};
}
/// The turn by `angle` about a unit axis.
inline Quat turn_about(Vec3 axis, double angle) {
    const double s = std::sin(0.5 * angle);
    return unit({std::cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z});
}
ELBOWROOM_INLINE Mat3 matrix(const Quat& q) {
    const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return {{{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
             {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
             {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}}};
}
/// The same without its bias: the entries above are each rounded, which shrinks a vector by 3e-17 on average, and a
/// million turns would add that up. One Newton step, in the form that keeps the digits of the error, leaves 2e-18.
inline Mat3 unbiased_matrix(const Quat& q) {
    const Mat3 m = matrix(q);
    return m + (m * transposed(m) + Mat3::identity() * -1) * m * -0.5;
}
/// From a rotation matrix, by its largest component (Shepperd 1978), so that nothing is lost near half turns.
inline Quat quaternion(const Mat3& m) {
    const double a = m.row[0].x, b = m.row[1].y, c = m.row[2].z, trace = a + b + c;
    Quat q;
    if (trace >= a && trace >= b && trace >= c)
        q = {1 + trace, m.row[2].y - m.row[1].z, m.row[0].z - m.row[2].x, m.row[1].x - m.row[0].y};
    else if (a >= b && a >= c)
        q = {m.row[2].y - m.row[1].z, 1 + a - b - c, m.row[1].x + m.row[0].y, m.row[2].x + m.row[0].z};
    else if (b >= c)
        q = {m.row[0].z - m.row[2].x, m.row[1].x + m.row[0].y, 1 + b - a - c, m.row[2].y + m.row[1].z};
    else
        q = {m.row[1].x - m.row[0].y, m.row[2].x + m.row[0].z, m.row[2].y + m.row[1].z, 1 + c - a - b};
    const double s = 1 / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return unit({q.w * s, q.x * s, q.y * s, q.z * s});
}

/// Modified Rodrigues parameters, v / (1 + w) for w >= 0: a rotation in three numbers, all digits kept everywhere.
ELBOWROOM_INLINE Vec3 packed(const Quat& q) {
    const double s = q.w < 0 ? -1 : 1;
    return q.vector() * (s / (1 + s * q.w));
}
ELBOWROOM_INLINE Quat unpacked(Vec3 m) {
    const double n = length2(m), f = 1 / (1 + n);
    return {(1 - n) * f, 2 * f * m.x, 2 * f * m.y, 2 * f * m.z};
}

/// A frame: x -> q x + t.
struct Frame {
    Quat q;
    Vec3 t;
    ELBOWROOM_INLINE Vec3 operator*(Vec3 x) const { return q * x + t; }
};
ELBOWROOM_INLINE Frame operator*(const Frame& a, const Frame& b) { return {unit(a.q * b.q), a * b.t}; }
ELBOWROOM_INLINE Frame inverse(const Frame& f) {
    const Quat c = conjugate(f.q);
    return {c, -(c * f.t)};
}
inline Frame frame(const Rigid& r) { return {quaternion(r.rotation), r.translation}; }
ELBOWROOM_INLINE Rigid rigid(const Frame& f) { return {matrix(f.q), f.t}; }

/// Four quaternions at once.
struct Quat4 {
    Double4 w, x, y, z;
};
ELBOWROOM_INLINE Quat4 operator*(const Quat& a, const Quat4& b) {
    const Double4 w(a.w), x(a.x), y(a.y), z(a.z);
    return {w * b.w - x * b.x - y * b.y - z * b.z, w * b.x + x * b.w + y * b.z - z * b.y,
            w * b.y - x * b.z + y * b.w + z * b.x, w * b.z + x * b.y - y * b.x + z * b.w};
}
ELBOWROOM_INLINE Quat4 unit(const Quat4& q) {
    const Double4 f = Double4(1.5) - Double4(0.5) * (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return {q.w * f, q.x * f, q.y * f, q.z * f};
}
ELBOWROOM_INLINE Vec3x4 operator*(const Mat3& m, const Vec3x4& v) {
    auto row = [&](int i) {
        return multiply_add(Double4(m.row[i].x), v.x,
                            multiply_add(Double4(m.row[i].y), v.y, Double4(m.row[i].z) * v.z));
    };
    return {row(0), row(1), row(2)};
}
ELBOWROOM_INLINE Vec3x4 four_times(Vec3 v) { return {Double4(v.x), Double4(v.y), Double4(v.z)}; }

}  // namespace elbowroom
