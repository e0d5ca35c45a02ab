// The box about two boxes that hang together at a joint, by two rules for its axes: the quick one of Schmidl, Walker
// and Lin (2004), and that of the covariance, which it replaces.
#pragma once
#include "elbowroom/volumes/merge_two.hpp"

namespace elbowroom {

/// A half axis of a box, pointing away from the joint.
ELBOWROOM_INLINE Vec3 away_from(Vec3 joint, const ObbVolume& box, int side) {
    const Vec3 axis = box.axes.row[side];
    return axis * (dot(axis, box.centre - joint) >= 0 ? box.half[side] : -box.half[side]);
}

/// For where the long axes lie in no plane: the axes of the box that is longer along any axis but its longest.
inline Mat3 axes_of_wider(const ObbVolume& a, int side_a, const ObbVolume& b, int side_b) {
    auto second = [](const ObbVolume& box, int side) {
        return most(box.half[(side + 1) % 3], box.half[(side + 2) % 3]);
    };
    return closer_to_rotation(second(a, side_a) >= second(b, side_b) ? a.axes : b.axes);
}

/// The axes of the box about two boxes a and b that meet at a joint: with a1 and a2 their longest half axes, pointing
/// away from the joint, and E = a1 - a2 from end to end, the first axis is along the longest of a1, a2 and E; the
/// second is across a1 and a2. With `sum`, the first is along a1 + a2 when E is the shortest (the variant of a
/// reviewer). The paper takes a1 and a2 for parallel when the product of the unit vectors is above 1 - 1e-5; those of a
/// straight limb are antiparallel, so it is the absolute value that is looked at. A box about a turned box is larger,
/// and this rule turns the one below about its longest axis: where limbs branch a hundred levels deep, sizes multiply.
/// Before that can overflow, the axes are left as they are.
ELBOWROOM_INLINE Mat3 cab_axes(const ObbVolume& a, const ObbVolume& b, Vec3 joint, bool sum) {
    const int i = long_side(a), j = long_side(b);
    const Vec3 u = a.axes.row[i], v = b.axes.row[j];
    const bool in_range = least(a.half[i], b.half[j]) > 1e-70 && most(a.half[i], b.half[j]) < 1e70;
    if (!in_range || !(std::fabs(dot(u, v)) <= 1 - 1e-5)) return axes_of_wider(a, i, b, j);
    const Vec3 a1 = away_from(joint, a, i), a2 = away_from(joint, b, j), end_to_end = a1 - a2;
    const double l1 = a.half[i] * a.half[i], l2 = b.half[j] * b.half[j], le = length2(end_to_end);
    Vec3 along = l2 > l1 ? a2 : a1;
    if (le > most(l1, l2)) along = end_to_end;
    if (sum && le < least(l1, l2)) along = a1 + a2;
    const double l = length2(along);
    // The product is as short as 0.0045, so that its rounding has to be taken out.
    const Vec3 plane = cross(u, v), across = plane * l - along * dot(along, plane);
    const Vec3 first = along * (1 / std::sqrt(l)), second = across * (1 / length(across));
    return {{first, second, cross(first, second)}};
}

/// The axes of the covariance of the 16 corners.
inline Mat3 covariance_axes(const ObbVolume& a, const ObbVolume& b) {
    Mat3 covariance{};
    auto add = [&](Vec3 v, double weight) {
        for (int k = 0; k < 3; ++k) covariance.row[k] = covariance.row[k] + v * (weight * v[k]);
    };
    for (int k = 0; k < 3; ++k) {
        add(a.axes.row[k], 0.5 * a.half[k] * a.half[k]);
        add(b.axes.row[k], 0.5 * b.half[k] * b.half[k]);
    }
    add(b.centre - a.centre, 0.25);
    double values[3];
    return eigenvectors(covariance, values);
}

/// The box about both along the given axes, which must be orthonormal to rounding. It is grown by more than rounding
/// can take away, here and where its corners are computed, so that every box of a tree holds those below it as they
/// stand.
ELBOWROOM_INLINE ObbVolume grown_about_two(const ObbVolume& a, const ObbVolume& b, const Mat3& axes) {
    ObbVolume box = BoxAboutTwo(a, b).along_from_a(axes);
    grow(box, 1e-14 * largest(box.half) + 1e-15 * largest(absolute(box.centre)));
    return box;
}

ELBOWROOM_INLINE ObbVolume cab(const ObbVolume& a, const ObbVolume& b, Vec3 joint, bool sum) {
    return grown_about_two(a, b, cab_axes(a, b, joint, sum));
}
inline ObbVolume covariance_box(const ObbVolume& a, const ObbVolume& b) {
    return grown_about_two(a, b, covariance_axes(a, b));
}

}  // namespace elbowroom
