#pragma once
#include "elbowroom/math/rigid.hpp"
#include "elbowroom/traversal/pair.hpp"
#include "elbowroom/volumes/obb_lanes.hpp"

namespace elbowroom {

/// One box against the children of a node: what a pair opens into.
template <class Tree>
struct ObbFan {
    static constexpr int width = Tree::width;
    ObbProbe one;
    const ObbLanes<width>& many;
    float margin;
    std::int32_t base, other;  // first child record; the record of the single box
    bool opens_a;

    /// The lanes that may overlap, and by what signed gap they miss.
    ELBOWROOM_INLINE unsigned overlapping(Float8& gap) const { return overlap_lanes(one, many, margin, gap); }
    /// Lower bounds of the squared distances, with the signed gaps; under a linear map if there is one.
    ELBOWROOM_INLINE Float8 squared_gaps(const LinearMaps& linear, Float8& gap) const {
        return linear.in_a ? squared_gap_lanes(one, many, margin, opens_a ? *linear.in_a : *linear.in_b, gap)
                           : squared_gap_lanes(one, many, margin, gap);
    }
    /// Lower bounds of the squared distances as good as the boxes allow.
    ELBOWROOM_INLINE Float8 squared_bounds() const { return squared_bound_lanes(one, many, margin); }
    ELBOWROOM_INLINE unsigned valid() const { return many.valid; }
    ELBOWROOM_INLINE Pair child(int lane, float bound) const {
        return opens_a ? Pair{base + lane, other, bound} : Pair{other, base + lane, bound};
    }
};

/// Pairs across two rigid trees of boxes with a relative pose: the larger box is opened.
template <class Tree>
class AcrossTwo {
public:
    AcrossTwo(const Tree& a, const Tree& b, const Rigid& b_to_a)
        : AcrossTwo(a, b, b_to_a, b_to_a * b.origin - a.origin) {}
    float margin;

    ELBOWROOM_INLINE bool is_leaf(const Pair& p) const { return (a_.records[p.a].child & b_.records[p.b].child) < 0; }

    ELBOWROOM_INLINE ObbFan<Tree> open(const Pair& p) const {
        const auto &x = a_.records[p.a], &y = b_.records[p.b];
        if (y.child < 0 || (x.child >= 0 && size(x.field) > size(y.field)))
            return {ObbProbe(to_a_, y.field, y.child < 0, a_.radius),
                    a_.lanes[x.child],
                    margin,
                    x.child * Tree::width,
                    p.b,
                    true};
        return {ObbProbe(to_b_, x.field, x.child < 0, b_.radius),
                b_.lanes[y.child],
                margin,
                y.child * Tree::width,
                p.a,
                false};
    }
    /// Pairs of primitives below.
    double count(std::int32_t a, std::int32_t b) const { return double(a_.below[a]) * b_.below[b]; }
    Pair root() const { return {0, 0, 0}; }
    /// The root against the root, as a fan with one child.
    ELBOWROOM_INLINE ObbFan<Tree> roots() const {
        return {
            ObbProbe(to_b_, a_.records[0].field, a_.records[0].child < 0, b_.radius), b_.lanes[0], margin, 0, 0, false};
    }

private:
    const Tree &a_, &b_;
    const RigidFloat to_a_, to_b_;

    /// Boxes are about the trees' origins. Single precision costs a few ulps of every length that enters: sizes and
    /// shift.
    AcrossTwo(const Tree& a, const Tree& b, const Rigid& b_to_a, Vec3 shift)
        : margin(float((a.radius + b.radius + length(shift)) * 2e-6)),
          a_(a),
          b_(b),
          to_a_({b_to_a.rotation, shift}),
          to_b_(inverse({b_to_a.rotation, shift})) {}
    static ELBOWROOM_INLINE float size(const float* f) { return most(f[3], most(f[4], f[5])); }
};

}  // namespace elbowroom
