#pragma once
#include "elbowroom/math/ray.hpp"
#include "elbowroom/traversal/pair.hpp"
#include "elbowroom/volumes/obb_lanes.hpp"

namespace elbowroom {

/// A ray in single precision, in the frame of a tree and about its origin. It begins near the tree's ball and is no
/// longer than that is wide: `margin` then covers the rounding of everything that is computed from it.
struct RayFloat {
    float origin[3], direction[3], margin;
    RayFloat(const Ray& ray, Vec3 about, double radius) {
        for (int i = 0; i < 3; ++i) {
            origin[i] = float(ray.origin[i] - about[i]);
            direction[i] = float(ray.direction[i]);
        }
        // Offsets are at most 3 radii long, which costs 2e-7 of them in each of six operations; the direction is off by
        // 4e-7 in the end, over a length of 2 radii. A moving ball makes the boxes larger by its radius.
        margin = float(5e-6 * radius + ray.radius * 1.000001);
    }
};

/// A ray against the children of a node.
template <class Tree>
struct RayFan {
    static constexpr int width = Tree::width;
    const RayFloat& ray;
    const ObbLanes<width>& many;
    std::int32_t base;

    /// Lower bounds of where the ray enters the boxes; the lanes where it does so before `limit`.
    ELBOWROOM_INLINE unsigned entered(float limit, Float8& entry) const {
        Float8 near(0.f), far(limit), offset[3];
        for (int i = 0; i < 3; ++i) offset[i] = many.centre(i) - Float8(ray.origin[i]);
        for (int j = 0; j < 3; ++j) {
            const Float8 x = many.axis(j, 0), y = many.axis(j, 1), z = many.axis(j, 2);
            const Float8 towards = multiply_add(offset[0], x, multiply_add(offset[1], y, offset[2] * z));
            const Float8 speed = dot(ray.direction, x, y, z), half = many.half(j) + Float8(ray.margin);
            // A speed of almost nothing is far below its own error, so any sign will do; it must not be zero.
            const Float8 by = select(greater(Float8(1e-18f), absolute(speed)), Float8(1e-18f), speed);
            const Float8 one = (towards - half) / by, other = (towards + half) / by;
            near = most(near, least(one, other));
            far = least(far, most(one, other));
        }
        entry = near * Float8(0.999999f);  // the quotients are rounded
        return where_at_most(entry, far * Float8(1.000001f)) & many.valid;
    }
    ELBOWROOM_INLINE Pair child(int lane, float bound) const { return {base + lane, 0, bound}; }
};

/// The nodes of a tree along a ray; the second of a pair is the ray.
template <class Tree>
class AlongRay {
public:
    AlongRay(const Tree& tree, const Ray& ray, double radius) : tree_(tree), ray_(ray, tree.origin, radius) {}
    ELBOWROOM_INLINE bool is_leaf(const Pair& p) const { return tree_.records[p.a].is_leaf(); }
    ELBOWROOM_INLINE RayFan<Tree> open(const Pair& p) const {
        const int node = tree_.records[p.a].child;
        return {ray_, tree_.lanes[node], node * Tree::width};
    }

private:
    const Tree& tree_;
    const RayFloat ray_;
};

}  // namespace elbowroom
