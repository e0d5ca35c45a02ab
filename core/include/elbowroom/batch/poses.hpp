// Poses as they come from outside: matrices of sixteen numbers, one or many.
#pragma once
#include <cmath>
#include <cstddef>

#include "elbowroom/limits.hpp"
#include "elbowroom/math/frame_rows.hpp"

namespace elbowroom {

/// Rotations up to this far from orthonormal are exact; beyond, they are taken for rounded ones and made so.
inline constexpr double exact_rotation = 4e-15;

inline Mat3 exact(Mat3 rotation) {
    for (int k = 0; k < 4 && rotation_error(rotation) > exact_rotation; ++k) rotation = closer_to_rotation(rotation);
    return rotation;
}

/// Is this a rotation, up to rounding?
inline bool is_rotation(const Mat3& m) { return rotation_error(m) <= limits.rotation_tolerance && determinant(m) > 0; }

/// Is this the matrix of a pose, up to rounding and within the limits?
inline bool is_pose(const double* p) {
    double sum = 0, size = 0;
    for (int k = 0; k < 12; ++k) sum += p[k];
    if (!std::isfinite(sum)) return false;  // comparisons below would not see a NaN
    for (int i = 0; i < 3; ++i) size = most(size, std::fabs(p[4 * i + 3]));
    return size <= limits.largest_number && is_rotation(rigid_of_rows(p).rotation) && p[12] == 0 && p[13] == 0 &&
           p[14] == 0 && p[15] == 1;
}

/// The pose of such a matrix, made exact where it was rounded.
inline Rigid pose_of(const double* matrix) {
    Rigid out = rigid_of_rows(matrix);
    out.rotation = exact(out.rotation);
    return out;
}

inline void write_matrix(const Rigid& pose, double* to) {
    const FrameRows rows(pose);
    for (int i = 0; i < 12; ++i) to[i] = rows.at[i / 4][i % 4];
    to[12] = to[13] = to[14] = 0;
    to[15] = 1;
}

/// One pose, or an array of them that somebody else keeps.
struct Poses {
    Rigid one;
    const double* data = nullptr;  // matrices, each of a pose
    std::ptrdiff_t count = -1;     // of them; -1: one pose
    bool given = true;             // false: the body stands at the origin

    bool many() const { return count >= 0; }
    Rigid at(std::ptrdiff_t i) const { return many() ? pose_of(data + 16 * i) : one; }
};

}  // namespace elbowroom
