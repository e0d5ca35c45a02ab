#pragma once
#include "elbowroom/portable.hpp"

namespace elbowroom {

struct Vec3 {
    double x = 0, y = 0, z = 0;
    ELBOWROOM_INLINE double operator[](int i) const { return i == 0 ? x : (i == 1 ? y : z); }
    ELBOWROOM_INLINE double& operator[](int i) { return i == 0 ? x : (i == 1 ? y : z); }
};

ELBOWROOM_INLINE Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
ELBOWROOM_INLINE Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
ELBOWROOM_INLINE Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
ELBOWROOM_INLINE Vec3 operator*(Vec3 a, double s) { return {a.x * s, a.y * s, a.z * s}; }
ELBOWROOM_INLINE Vec3 operator*(double s, Vec3 a) { return a * s; }
ELBOWROOM_INLINE bool operator==(Vec3 a, Vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

ELBOWROOM_INLINE double dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
ELBOWROOM_INLINE Vec3 cross(Vec3 a, Vec3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
ELBOWROOM_INLINE double length2(Vec3 a) { return dot(a, a); }
ELBOWROOM_INLINE double length(Vec3 a) { return std::sqrt(length2(a)); }
ELBOWROOM_INLINE Vec3 absolute(Vec3 a) { return {std::fabs(a.x), std::fabs(a.y), std::fabs(a.z)}; }
ELBOWROOM_INLINE Vec3 lower_of(Vec3 a, Vec3 b) { return {least(a.x, b.x), least(a.y, b.y), least(a.z, b.z)}; }
ELBOWROOM_INLINE Vec3 upper_of(Vec3 a, Vec3 b) { return {most(a.x, b.x), most(a.y, b.y), most(a.z, b.z)}; }
ELBOWROOM_INLINE double largest(Vec3 a) { return most(a.x, most(a.y, a.z)); }
ELBOWROOM_INLINE Vec3 unit_axis(int i) { return {double(i == 0), double(i == 1), double(i == 2)}; }

/// A unit vector along `a`, or along `otherwise` when `a` is zero.
ELBOWROOM_INLINE Vec3 normalised(Vec3 a, Vec3 otherwise) {
    const double scale = largest(absolute(a));  // divide first: the square of a tiny vector would underflow
    if (!(scale > 0)) return otherwise;
    const Vec3 b = a * (1 / scale);
    return b * (1 / length(b));
}

/// Any unit vector across the unit vector `a`.
ELBOWROOM_INLINE Vec3 perpendicular(Vec3 a) {
    const Vec3 m = absolute(a);
    const int i = m.x <= m.y ? (m.x <= m.z ? 0 : 2) : (m.y <= m.z ? 1 : 2);
    return normalised(cross(a, unit_axis(i)), unit_axis((i + 1) % 3));
}

}  // namespace elbowroom
