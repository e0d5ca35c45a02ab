// A volume about two others, quickly: a tree that is kept true while its body bends makes one at every level of every
// update. `merged` of the volumes tries far more and is for trees that are built once.
#pragma once
#include "elbowroom/math/lanes.hpp"
#include "elbowroom/volumes/carried.hpp"

namespace elbowroom {

/// A box about two boxes, side by side.
class BoxAboutTwo {
public:
    BoxAboutTwo(const ObbVolume& a, const ObbVolume& b) : a_(a), b_(b) {}

    ObbVolume along(const Mat3& axes) const {
        ObbVolume box;
        box.axes = axes;
        for (int k = 0; k < 3; ++k) box.set_side(k, shadow_on(axes.row[k]));
        return box;
    }
    /// The same, reckoned from the centre of a, so that boxes far from the origin of their frame lose no digits by it,
    /// and with the three axes in lanes.
    ELBOWROOM_INLINE ObbVolume along_from_a(const Mat3& axes) const {
        const Vec3x4 along = lanes_of_rows(axes);
        const Double4 q = dot(along, all_four(b_.centre - a_.centre));
        const Double4 h = half_shadows(along, a_), g = half_shadows(along, b_);
        const Double4 low = least(Double4(0.) - h, q - g), high = most(h, q + g);
        double half[4], middle[4];
        ((high - low) * Double4(0.5)).store(half), ((high + low) * Double4(0.5)).store(middle);
        const Vec3 shift = transposed_times(axes, {middle[0], middle[1], middle[2]});
        return {a_.centre + shift, {half[0], half[1], half[2]}, axes};
    }
    Interval shadow_on(Vec3 axis) const {
        const double p = dot(axis, a_.centre), q = dot(axis, b_.centre);
        const double h = a_.half_shadow(axis), g = b_.half_shadow(axis);
        return {least(p - h, q - g), most(p + h, q + g)};
    }

private:
    const ObbVolume &a_, &b_;

    static ELBOWROOM_INLINE Vec3x4 lanes_of_rows(const Mat3& m) {
        const Vec3* r = m.row;
        return {{r[0].x, r[1].x, r[2].x, 0}, {r[0].y, r[1].y, r[2].y, 0}, {r[0].z, r[1].z, r[2].z, 0}};
    }
    static ELBOWROOM_INLINE Vec3x4 all_four(Vec3 v) { return {v.x, v.y, v.z}; }
    static ELBOWROOM_INLINE Double4 half_shadows(const Vec3x4& along, const ObbVolume& box) {
        Double4 sum(0.);
        for (int k = 0; k < 3; ++k)
            sum = multiply_add(absolute(dot(along, all_four(box.axes.row[k]))), Double4(box.half[k]), sum);
        return sum;
    }
};

/// The axis along which a box is longest.
ELBOWROOM_INLINE int long_side(const ObbVolume& box) {
    return box.half.x >= box.half.y ? (box.half.x >= box.half.z ? 0 : 2) : (box.half.y >= box.half.z ? 1 : 2);
}

/// The longest half axis of a box.
inline Vec3 long_axis(const ObbVolume& box) {
    const int k = long_side(box);
    return box.axes.row[k] * box.half[k];
}

/// The smallest in area over the frames of the two boxes and three frames in the plane of their long axes: along the
/// one, along the other, and along both laid end to end (after the rule of CAB, Schmidl, Walker and Lin 2004). The
/// principal axes of the corners, besides, were found to gain nothing and to cost as much as all the rest.
inline ObbVolume merge_two(const ObbVolume& a, const ObbVolume& b) {
    const BoxAboutTwo both(a, b);
    ObbVolume best = both.along(a.axes);
    best.take_if_smaller(both.along(b.axes));
    const Vec3 p = long_axis(a), q = long_axis(b), between = b.centre - a.centre;
    const Vec3 end_to_end = p * (dot(p, between) < 0 ? -1.0 : 1.0) + q * (dot(q, between) < 0 ? -1.0 : 1.0);
    ObbVolume flat;  // knows its third side
    const Vec3 across = cross(p, q);
    const bool parallel = !(length2(across) > 1e-12 * length2(p) * length2(q));
    flat.axes.row[2] = normalised(parallel ? perpendicular(normalised(p, {1, 0, 0})) : across, {0, 0, 1});
    flat.set_side(2, both.shadow_on(flat.axes.row[2]));
    for (const Vec3 along : {p, q, end_to_end}) {
        ObbVolume box = flat;
        const Vec3 normal = flat.axes.row[2], in_plane = along - normal * dot(along, normal);
        box.axes.row[0] = normalised(in_plane, perpendicular(normal));
        box.axes.row[1] = cross(box.axes.row[2], box.axes.row[0]);
        for (int k = 0; k < 2; ++k) box.set_side(k, both.shadow_on(box.axes.row[k]));
        best.take_if_smaller(box);
    }
    return best;
}

/// A right-handed frame along a vector.
inline Mat3 frame_along(Vec3 a) {
    const Vec3 u = normalised(a, {1, 0, 0}), v = perpendicular(u);
    return {{u, v, cross(u, v)}};
}

/// A volume about two balls.
template <class Volume>
Volume about_two_balls(const Vec3* centre, const double* radius) {
    const Vec3 d = centre[1] - centre[0];
    return Volume::along({centre, radius, 2}, frame_along(d));
}
template <>
inline SphereVolume about_two_balls(const Vec3* centre, const double* radius) {
    return SphereVolume{centre[0], radius[0]}.merged({centre[1], radius[1]});
}

inline SphereVolume merge_two(const SphereVolume& a, const SphereVolume& b) { return a.merged(b); }
inline CapsuleVolume merge_two(const CapsuleVolume& a, const CapsuleVolume& b) { return a.merged(b); }
inline RssVolume merge_two(const RssVolume& a, const RssVolume& b) { return a.merged(b); }

}  // namespace elbowroom
