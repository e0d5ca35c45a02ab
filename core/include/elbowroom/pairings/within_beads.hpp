#pragma once
#include "elbowroom/pairings/run_record.hpp"
#include "elbowroom/traversal/pair.hpp"
#include "elbowroom/trees/bead_tree.hpp"
#include "elbowroom/volumes/obb_lanes.hpp"

namespace elbowroom {

/// The largest radii and the reach under which two boxes, or two beads, are near: for comparison with squared distances
/// in single precision.
ELBOWROOM_INLINE Float8 near_squared(Float8 limit) { return limit * limit * Float8(1.000002f) + Float8(1e-37f); }

/// One box of the tree against the children of a node, or the children of a node as they are.
struct BeadFan {
    const BeadTree& tree;
    const BeadNode* opened;   // null: a node with itself, whose children are offered untested
    const BeadNode* holder;   // of the box
    int lane;                 // of the box in its holder
    unsigned lanes;           // children that belong to the pair
    int width;                // tests
    std::int32_t kept, base;  // the record that stays, and that of the first child
    bool opens_first;         // the children come first in their pairs
    int itself;               // lane that is the box itself, or -1

    ELBOWROOM_INLINE unsigned valid() const { return lanes; }
    /// What the centres are apart along an axis, at least; negative if the boxes overlap there.
    ELBOWROOM_INLINE Float8 along(int k) const {
        return most(Float8::load(opened->low[k]) - Float8(holder->high[k][lane]),
                    Float8(holder->low[k][lane]) - Float8::load(opened->high[k]));
    }
    /// Squared gaps of the boxes about the centres. Diagonals are not across the axes: the larger of both bounds holds.
    ELBOWROOM_INLINE Float8 centre_gaps2() const {
        const Float8 x = most(along(0), Float8(0.f)), y = most(along(1), Float8(0.f)), third = along(2);
        const Float8 flat2 = multiply_add(x, x, y * y);
        if (!tree.flat()) {
            const Float8 z = most(third, Float8(0.f));
            return multiply_add(z, z, flat2);
        }
        const Float8 diagonal = most(most(third, along(3)), Float8(0.f));
        return most(flat2, diagonal * diagonal);
    }
    ELBOWROOM_INLINE Float8 radii() const { return Float8::load(opened->radius) + Float8(holder->radius[lane]); }
    /// The children with surfaces within `reach`, or nearly.
    ELBOWROOM_INLINE unsigned near(float reach) const {
        if (!opened) return lanes;
        const Float8 limit = tree.uniform() ? Float8(2 * holder->radius[lane] + reach) : radii() + Float8(reach);
        return where_at_most(centre_gaps2(), near_squared(limit)) & lanes;
    }
    ELBOWROOM_INLINE unsigned overlapping(Float8& gap) const {
        if (!opened) return gap = Float8(0.f), lanes;
        const Float8 g2 = centre_gaps2();
        gap = g2;
        return where_at_most(g2, near_squared(radii())) & lanes;
    }
    ELBOWROOM_INLINE Float8 squared_gaps(const LinearMaps&, Float8& gap) const {
        if (!opened) return gap = Float8(0.f), Float8(0.f);
        const Float8 apart = square_root(centre_gaps2()) * Float8(0.999998f) - radii();
        gap = apart;
        const Float8 least_gap = most(apart, Float8(0.f));
        return least_gap * least_gap * Float8(0.999998f);
    }
    ELBOWROOM_INLINE Pair child(int q, float bound) const {
        if (q == itself) return {kept, kept, bound};
        return opens_first ? Pair{base + q, kept, bound} : Pair{kept, base + q, bound};
    }
};

/// Pairs within one tree over beads; in a pair, a comes before b. A node with itself opens into each child with the
/// node; a child with its parent into itself and the siblings behind it; of two nodes a level apart the higher is
/// opened, of two of one level the first.
class WithinBeads {
public:
    /// `with_self`: leaves with themselves are offered too.
    WithinBeads(const BeadTree& tree, bool with_self) : tree_(tree), with_self_(with_self) {}

    Pair root() const {
        const std::int32_t top = RunRecord{tree_.levels(), 0}.number();
        return {top, top, 0.f};
    }
    ELBOWROOM_INLINE bool is_leaf(const Pair& p) const { return ((p.a | p.b) >> RunRecord::level_at) == 0; }
    /// Pairs of beads below.
    double count(std::int32_t a, std::int32_t b) const { return pairs_within_run(a, b, tree_.beads()); }
    ELBOWROOM_INLINE BeadFan open(const Pair& p) const {
        const RunRecord a = RunRecord::of(p.a), b = RunRecord::of(p.b);
        if (p.a == p.b) return open_self(a);
        if (a.level < b.level) return open_second(a, b);
        return open_box(b, a, true, children(a), -1);
    }

private:
    const BeadTree& tree_;
    const bool with_self_;

    ELBOWROOM_INLINE unsigned children(const RunRecord& r) const { return tree_.children(r.level, r.index); }
    ELBOWROOM_INLINE static std::int32_t first_child(const RunRecord& r) {
        return RunRecord{r.level - 1, 8 * r.index}.number();
    }
    ELBOWROOM_INLINE BeadFan open_self(const RunRecord& r) const {
        return {tree_, nullptr, nullptr, 0, children(r), 0, r.number(), first_child(r), true, -1};
    }
    ELBOWROOM_INLINE BeadFan open_second(const RunRecord& a, const RunRecord& b) const {
        unsigned lanes = children(b);
        const bool parent = a.index >> 3 == b.index;
        const bool self_too = with_self_ || a.level > 0;
        if (parent) lanes &= ~0u << ((a.index & 7) + !self_too);
        return open_box(a, b, false, lanes, parent ? a.index & 7 : -1);
    }
    /// The box of `kept` against the children of `opened`.
    ELBOWROOM_INLINE BeadFan open_box(const RunRecord& kept, const RunRecord& opened, bool first, unsigned lanes,
                                      int itself) const {
        const BeadNode &node = tree_.node(opened.level, opened.index),
                       &holder = tree_.node(kept.level + 1, kept.index >> 3);
        return {tree_, &node, &holder, kept.index & 7, lanes, 8, kept.number(), first_child(opened), first, itself};
    }
};

}  // namespace elbowroom
