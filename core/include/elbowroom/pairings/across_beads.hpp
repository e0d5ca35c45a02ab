#pragma once
#include "elbowroom/pairings/bead_leaves.hpp"

namespace elbowroom {

/// A box of one tree over beads, where it is seen from the other tree, against the children of a node of that one.
struct AcrossBeadsFan {
    static constexpr int width = 8;
    const BeadNode& opened;
    float low[3], high[3], radius;  // of the box; what rounding may hide is in the radius
    unsigned lanes;
    std::int32_t kept, base;
    bool opens_first;

    ELBOWROOM_INLINE unsigned valid() const { return lanes; }
    ELBOWROOM_INLINE Float8 centre_gaps2() const {
        Float8 sum(0.f);
        for (int k = 0; k < 3; ++k) {
            const Float8 apart =
                most(most(Float8::load(opened.low[k]) - Float8(high[k]), Float8(low[k]) - Float8::load(opened.high[k])),
                     Float8(0.f));
            sum = multiply_add(apart, apart, sum);
        }
        return sum;
    }
    ELBOWROOM_INLINE Float8 radii() const { return Float8::load(opened.radius) + Float8(radius); }
    ELBOWROOM_INLINE unsigned overlapping(Float8& gap) const {
        gap = centre_gaps2();
        return where_at_most(gap, near_squared(radii())) & lanes;
    }
    ELBOWROOM_INLINE Float8 squared_gaps(const LinearMaps&, Float8& gap) const {
        gap = square_root(centre_gaps2()) * Float8(0.999998f) - radii();
        const Float8 least_gap = most(gap, Float8(0.f));
        return least_gap * least_gap * Float8(0.999998f);
    }
    ELBOWROOM_INLINE Pair child(int q, float bound) const {
        return opens_first ? Pair{base + q, kept, bound} : Pair{kept, base + q, bound};
    }
};

/// Pairs across two trees over beads, or across a tree and an image of itself, the first moved by a shift. Of two nodes
/// the one of the higher level is opened, of two of one level the first.
class AcrossBeads {
public:
    AcrossBeads(const BeadTree& a, const BeadTree& b) : a_(a), b_(b), root_a_(root_of(a)), root_b_(root_of(b)) {}
    void set_shift(const BeadShift& shift) { shift_ = shift; }

    Pair root() const { return {top(a_).number(), top(b_).number(), 0.f}; }
    ELBOWROOM_INLINE bool is_leaf(const Pair& p) const { return ((p.a | p.b) >> RunRecord::level_at) == 0; }
    /// Pairs of beads below.
    double count(std::int32_t a, std::int32_t b) const {
        const RunRecord x = RunRecord::of(a), y = RunRecord::of(b);
        return double(x.end(a_.beads()) - x.begin()) * double(y.end(b_.beads()) - y.begin());
    }
    ELBOWROOM_INLINE AcrossBeadsFan open(const Pair& p) const {
        const RunRecord a = RunRecord::of(p.a), b = RunRecord::of(p.b);
        return a.level >= b.level ? against(b_, root_b_, b, -1.f, a_, a, true)
                                  : against(a_, root_a_, a, 1.f, b_, b, false);
    }

private:
    const BeadTree &a_, &b_;
    const BeadNode root_a_, root_b_;  // whose first child is the root
    BeadShift shift_;

    static RunRecord top(const BeadTree& tree) { return {tree.levels(), 0}; }
    static BeadNode root_of(const BeadTree& tree) {
        const BeadNode& n = tree.node(tree.levels(), 0);
        BeadNode out{};
        for (int k = 0; k < 3; ++k) {
            out.low[k][0] = smallest(Float8::load(n.low[k]));
            out.high[k][0] = largest(Float8::load(n.high[k]));
        }
        out.radius[0] = largest(Float8::load(n.radius));
        return out;
    }
    ELBOWROOM_INLINE AcrossBeadsFan against(const BeadTree& tree, const BeadNode& root, const RunRecord& kept,
                                            float sign, const BeadTree& other, const RunRecord& opened,
                                            bool first) const {
        const BeadNode& holder = kept.level == tree.levels() ? root : tree.node(kept.level + 1, kept.index >> 3);
        const int q = kept.index & 7;
        AcrossBeadsFan fan{other.node(opened.level, opened.index),
                           {},
                           {},
                           holder.radius[q] + shift_.error,
                           other.children(opened.level, opened.index),
                           kept.number(),
                           opened.child(0).number(),
                           first};
        for (int k = 0; k < 3; ++k) {
            fan.low[k] = holder.low[k][q] + sign * shift_.by[k];
            fan.high[k] = holder.high[k][q] + sign * shift_.by[k];
        }
        return fan;
    }
};

}  // namespace elbowroom
