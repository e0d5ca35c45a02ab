// Volumes under rigid motion, and what is asked of a volume whatever its kind.
#pragma once
#include "elbowroom/math/rigid.hpp"
#include "elbowroom/volumes/volumes.hpp"

namespace elbowroom {

/// The volume in the frame that `to` leads to.
inline SphereVolume carried(const Rigid& to, const SphereVolume& v) { return {to * v.centre, v.radius}; }
inline CapsuleVolume carried(const Rigid& to, const CapsuleVolume& v) { return {to * v.start, to * v.end, v.radius}; }
inline Mat3 carried_axes(const Rigid& to, const Mat3& axes) {
    return {{to.rotation * axes.row[0], to.rotation * axes.row[1], to.rotation * axes.row[2]}};
}
inline ObbVolume carried(const Rigid& to, const ObbVolume& v) {
    return {to * v.centre, v.half, carried_axes(to, v.axes)};
}
inline RssVolume carried(const Rigid& to, const RssVolume& v) {
    return {to * v.centre, carried_axes(to, v.axes), {v.half[0], v.half[1]}, v.radius};
}

/// The smallest volume of the kind about one ball.
template <class Volume>
Volume about_ball(Vec3 centre, double radius);
template <>
inline SphereVolume about_ball(Vec3 centre, double radius) {
    return {centre, radius};
}
template <>
inline CapsuleVolume about_ball(Vec3 centre, double radius) {
    return {centre, centre, radius};
}
template <>
inline ObbVolume about_ball(Vec3 centre, double radius) {
    return {centre, {radius, radius, radius}};
}
template <>
inline RssVolume about_ball(Vec3 centre, double radius) {
    return {centre, Mat3::identity(), {0, 0}, radius};
}

/// The volume with its surface moved outwards.
inline void grow(ObbVolume& v, double by) { v.half = v.half + Vec3{by, by, by}; }
template <class Swept>
void grow(Swept& v, double by) {
    v.radius += by;
}

/// Half the longest extent, by which the larger of two volumes is told.
inline double half_length(const SphereVolume& v) { return v.radius; }
inline double half_length(const CapsuleVolume& v) { return 0.5 * length(v.end - v.start) + v.radius; }
inline double half_length(const AabbVolume& v) { return 0.5 * largest(v.high - v.low); }
inline double half_length(const ObbVolume& v) { return largest(v.half); }
inline double half_length(const RssVolume& v) {
    return std::sqrt(v.half[0] * v.half[0] + v.half[1] * v.half[1]) + v.radius;
}

/// No point of the volume is farther than this from the origin of its frame.
inline double reach_of(const SphereVolume& v) { return length(v.centre) + v.radius; }
inline double reach_of(const CapsuleVolume& v) { return most(length(v.start), length(v.end)) + v.radius; }
inline double reach_of(const AabbVolume& v) { return length(upper_of(absolute(v.low), absolute(v.high))); }
inline double reach_of(const ObbVolume& v) { return length(v.centre) + length(v.half); }
inline double reach_of(const RssVolume& v) { return length(v.centre) + half_length(v); }

}  // namespace elbowroom
