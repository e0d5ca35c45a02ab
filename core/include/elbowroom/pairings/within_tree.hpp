#pragma once
#include "elbowroom/pairings/across_two.hpp"

namespace elbowroom {

/// One box of a tree against the children of a node, or the children of a node as they are.
template <class Tree>
struct WithinTreeFan {
    static constexpr int width = Tree::width;
    ObbFan<Tree> boxes;
    unsigned lanes;  // children that belong to the pair
    bool tested;     // false: a node with itself, whose children are offered untested
    int itself;      // lane that is the box itself, or -1

    ELBOWROOM_INLINE unsigned valid() const { return lanes; }
    ELBOWROOM_INLINE unsigned overlapping(Float8& gap) const {
        if (!tested) return gap = Float8(0.f), lanes;
        return boxes.overlapping(gap) & lanes;
    }
    ELBOWROOM_INLINE Float8 squared_gaps(const LinearMaps& linear, Float8& gap) const {
        if (!tested) return gap = Float8(0.f), Float8(0.f);
        return boxes.squared_gaps(linear, gap);
    }
    ELBOWROOM_INLINE Pair child(int lane, float bound) const {
        if (lane == itself) return {boxes.other, boxes.other, bound};
        return boxes.child(lane, bound);
    }
};

/// Pairs within one tree of boxes. A node with itself opens into each child with the node; a child with its parent into
/// itself and the siblings behind it; of two other nodes the larger is opened.
template <class Tree>
class WithinTree {
public:
    explicit WithinTree(const Tree& tree) : tree_(tree), across_(tree, tree, Rigid{}), as_is_(Rigid{}) {}

    Pair root() const { return {0, 0, 0.f}; }
    ELBOWROOM_INLINE bool is_leaf(const Pair& p) const { return across_.is_leaf(p); }
    ELBOWROOM_INLINE WithinTreeFan<Tree> open(const Pair& p) const {
        if (p.a == p.b) return children_of(p.a);
        if (is_parent(p)) return siblings_of(p.a, p.b);
        const ObbFan<Tree> fan = across_.open(p);
        return {fan, fan.many.valid, true, -1};
    }
    /// Pairs of primitives below.
    double count(std::int32_t a, std::int32_t b) const {
        const double n = tree_.below[a], own = n * (n - 1) / 2;
        if (a == b) return own;
        if (!is_parent({a, b, 0})) return n * tree_.below[b];
        double behind = 0;
        for (int r = a + 1; r < (a / Tree::width + 1) * Tree::width; ++r)
            if (tree_.lanes[r / Tree::width].valid >> r % Tree::width & 1) behind += tree_.below[r];
        return own + n * behind;
    }

private:
    const Tree& tree_;
    const AcrossTwo<Tree> across_;
    const RigidFloat as_is_;

    ELBOWROOM_INLINE bool is_parent(const Pair& p) const { return tree_.records[p.b].child == p.a / Tree::width; }
    ELBOWROOM_INLINE WithinTreeFan<Tree> children_of(std::int32_t node) const {
        const std::int32_t child = tree_.records[node].child;
        const ObbLanes<Tree::width>& many = tree_.lanes[child];
        return {{ObbProbe(), many, 0, child * Tree::width, node, true}, many.valid, false, -1};
    }
    ELBOWROOM_INLINE WithinTreeFan<Tree> siblings_of(std::int32_t box, std::int32_t parent) const {
        const std::int32_t child = tree_.records[parent].child;
        const ObbLanes<Tree::width>& many = tree_.lanes[child];
        const int lane = box % Tree::width;
        return {{ObbProbe(as_is_, tree_.records[box].field), many, across_.margin, child * Tree::width, box, false},
                many.valid & (~0u << lane),
                true,
                lane};
    }
};

}  // namespace elbowroom
