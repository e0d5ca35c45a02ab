// Where a ray, or a ball that moves along it, first meets a primitive.
#pragma once
#include "elbowroom/math/ray.hpp"
#include "elbowroom/narrow/gjk.hpp"

namespace elbowroom {

/// `t` is the distance along the ray, or negative if nothing is met; `normal` is a unit vector.
struct RayHit {
    double t = -1;
    Vec3 normal;
    explicit operator bool() const { return t >= 0; }
};

/// The shear that makes a ray the positive z axis, after Woop, Benthin and Wald (2013), "Watertight Ray/Triangle
/// Intersection", JCGT 2(1). Two triangles that share an edge decide on which side of it the ray passes by the same
/// products, so no ray slips through between them.
class RayShear {
public:
    explicit RayShear(const Ray& ray) : origin_(ray.origin) {
        const Vec3 d = ray.direction;
        z_ = std::fabs(d.x) > std::fabs(d.y) ? (std::fabs(d.x) > std::fabs(d.z) ? 0 : 2)
                                             : (std::fabs(d.y) > std::fabs(d.z) ? 1 : 2);
        x_ = (z_ + 1) % 3;
        y_ = (z_ + 2) % 3;
        along_x_ = d[x_] / d[z_];
        along_y_ = d[y_] / d[z_];
        along_z_ = 1 / d[z_];
    }
    Vec3 operator()(Vec3 point) const {
        const Vec3 p = point - origin_;
        return {p[x_] - along_x_ * p[z_], p[y_] - along_y_ * p[z_], along_z_ * p[z_]};
    }

private:
    Vec3 origin_;
    int x_, y_, z_;
    double along_x_, along_y_, along_z_;
};

namespace rays {

/// The support point of the hull gives a plane that the ball cannot have crossed before `t`, so each step proves that
/// nothing was met so far (conservative advancement). A polytope takes a step for each supporting plane.
inline RayHit advance(const Ray& ray, const RoundedHull& hull, double scale) {
    static const Rigid identity{};
    const double reach = hull.radius + ray.radius, touching = reach + rounding * scale;
    const RoundedHull bare{hull.points, hull.count, 0};
    RayHit hit{0, -ray.direction};
    Vec3 guess = -ray.direction;
    for (int step = 0; step < 200; ++step) {
        const Vec3 centre = ray.origin + ray.direction * hit.t;
        const GjkOutcome g = gjk({{&centre, 1, 0}, bare, &identity, nullptr, scale}, guess);
        if (g.overlapping || g.lower <= touching) return hit;
        const double towards = -dot(g.normal, ray.direction);
        if (towards <= 0) return {};  // the plane has the whole rest of the ray on its far side
        hit.normal = guess = g.normal;
        const double next = hit.t + (g.lower - reach) / towards;
        if (next == hit.t) return hit;
        hit.t = next;
        if (hit.t > ray.length) return {};
    }
    return hit;  // a ray that grazes a curved surface at rounding distance: it counts as a hit
}

inline RayHit cast_ball(const Ray& ray, Vec3 centre, double radius, double scale) {
    const Vec3 from = ray.origin - centre;
    const double along = dot(from, ray.direction), outside = dot(from, from) - radius * radius;
    if (outside <= 0) return {0, -ray.direction};
    const double touching = radius + rounding * scale;
    const double miss2 = length2(from - ray.direction * along);
    if (along > 0 || miss2 > touching * touching) return {};
    const double half_chord = std::sqrt(most(0.0, radius * radius - miss2));
    const double t = most(0.0, half_chord - along > 0 ? outside / (half_chord - along) : 0.0);
    if (t > ray.length) return {};
    return {t, normalised(from + ray.direction * t, -ray.direction)};
}

/// A triangle of no thickness, its normal by the order of its corners.
inline RayHit cast_triangle(const Ray& ray, const RayShear& shear, const Vec3* p, double scale) {
    const Vec3 a = shear(p[0]), b = shear(p[1]), c = shear(p[2]);
    const double u = c.x * b.y - c.y * b.x, v = a.x * c.y - a.y * c.x, w = b.x * a.y - b.y * a.x;
    if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return {};
    const double sum = u + v + w;
    if (sum == 0) return advance(ray, {p, 3, 0}, scale);  // seen edge on, or no triangle at all
    const double t = (u * a.z + v * b.z + w * c.z) / sum;
    if (t < 0 || t > ray.length) return {};
    return {t, normalised(cross(p[1] - p[0], p[2] - p[0]), -ray.direction)};
}

}  // namespace rays

/// A half-space. From outside it is met only where the ray comes down on it.
inline RayHit cast_half_space(const Ray& ray, const RoundedHull& space) {
    const Vec3 normal = space.points[1];
    const double height = dot(normal, ray.origin - space.points[0]) - ray.radius;
    if (height <= 0) return {0, -ray.direction};
    const double speed = -dot(normal, ray.direction);
    if (!(speed > 0) || height > speed * ray.length) return {};
    return {height / speed, normal};
}

/// The first contact of a ray and a primitive, both in one frame. A ray that begins inside a convex shape meets it at
/// 0, with the normal against its direction. `scale`: what rounding is relative to.
inline RayHit cast_ray_hull(const Ray& ray, const RayShear& shear, const RoundedHull& hull, double scale) {
    if (hull.count == 1) return rays::cast_ball(ray, hull.points[0], hull.radius + ray.radius, scale);
    if (hull.count == 3 && hull.radius == 0 && ray.radius == 0)
        return rays::cast_triangle(ray, shear, hull.points, scale);
    return rays::advance(ray, hull, scale);
}

}  // namespace elbowroom
