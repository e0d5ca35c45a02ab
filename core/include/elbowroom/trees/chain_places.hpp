#pragma once
#include <vector>

#include "elbowroom/trees/chain_tree.hpp"

namespace elbowroom {

/// A node or leaf of a chain's tree, placed in the common frame of a query.
struct ChainPlace {
    Frame frame;        // common frame from own; if it waits, made when the place is first opened
    FrameFloat turned;  // made when it is first asked for
    bool is_turned, waits;
    Vec3 centre;          // of its bound, in the common frame
    float radius, slack;  // by how much that centre may be off
    float half[3];
    const ChainTree* tree;
    const BallBoxLanes* lanes;  // its children; those of a part lie in scratch
    const ChainNode* node;      // none for a leaf
    int level;
    std::int32_t index;
    unsigned balls;         // of a leaf: which of its balls belong to it
    std::int32_t expanded;  // of a leaf: its balls in single precision, or -1
    std::int32_t exact;     // of a leaf: its balls in double precision, or -1
    std::int32_t parent;    // of a place that waits, and which of its children it is
    int lane;
    std::int32_t child[8];  // places of the children, or -1
};

/// Balls below a node or leaf that is placed whole.
inline double balls_below(const ChainPlace& p) {
    const std::int64_t each = std::int64_t(ChainLeaf::size) << 3 * p.level, begin = p.index * each;
    return double(least(each, p.tree->balls() - begin));
}

/// The balls of a leaf in single precision, turned into the common frame but about the leaf's own origin.
struct ChainLeafLanes {
    alignas(32) float x[3][ChainLeaf::size], radius[ChainLeaf::size];
};

/// The same in double precision, wholly in the common frame.
struct ChainLeafExact {
    double x[3][ChainLeaf::size];
    ELBOWROOM_INLINE Vec3 at(int i) const { return {x[0][i], x[1][i], x[2][i]}; }
};

/// The places that a query has made so far. Each node is placed once, when first needed, from its parent's place and
/// the shortcut between them; `clear` forgets all of them at no cost. Where balls alone are compared, the ball of a
/// child is known from its parent's lanes, and its frame can wait until it is opened, which most never are.
class ChainPlaces {
public:
    void clear(bool frames_wait = false) { used_ = used_lanes_ = used_exact_ = 0, frames_wait_ = frames_wait; }
    ELBOWROOM_INLINE ChainPlace& operator[](std::int32_t i) { return places_[i]; }

    /// A node or leaf in a given frame, with a bound in its own frame.
    std::int32_t add(const ChainTree& tree, int level, std::int64_t index, const Frame& frame, const BallBox& bound) {
        ChainPlace& p = next(tree, level, index);
        p.frame = frame, p.waits = false, p.slack = 0;
        set_bound(p, bound);
        return used_++;
    }
    /// Some children of a node: `lanes` says which and how they are bounded, and must live as long as the place.
    std::int32_t add_part(const ChainTree& tree, int level, std::int64_t index, const Frame& frame,
                          const BallBoxLanes& lanes, const BallBox& bound) {
        const std::int32_t made = add(tree, level, index, frame, bound);
        places_[made].lanes = &lanes;
        return made;
    }
    static ELBOWROOM_INLINE void set_bound(ChainPlace& p, const BallBox& bound) {
        p.centre = p.frame * Vec3{bound.centre[0], bound.centre[1], bound.centre[2]};
        p.radius = bound.radius;
        for (int k = 0; k < 3; ++k) p.half[k] = bound.half[k];
    }
    std::int32_t add_root(const ChainTree& tree, const Frame& frame) {
        return add(tree, tree.levels(), 0, frame, tree.root_bound());
    }
    std::int32_t child(std::int32_t parent, int lane) {
        if (const std::int32_t there = places_[parent].child[lane]; there >= 0) return there;
        if (frames_wait_) return places_[parent].child[lane] = add_waiting(parent, lane);
        const ChainPlace& p = framed(parent);
        const Frame own = p.node->child(lane);
        const std::int32_t made = add(*p.tree, p.level - 1, 8 * std::int64_t(p.index) + lane,
                                      {p.frame.q * own.q, p.frame * own.t}, p.node->bound(lane));
        return places_[parent].child[lane] = made;
    }
    /// A place whose frame is needed now.
    ELBOWROOM_INLINE const ChainPlace& framed(std::int32_t i) {
        ChainPlace& p = places_[i];
        if (p.waits) {
            const ChainPlace& above = places_[p.parent];  // is opened, so it has a frame
            const Frame own = above.node->child(p.lane);
            p.frame = {above.frame.q * own.q, above.frame * own.t}, p.waits = false;
        }
        return p;
    }
    ELBOWROOM_INLINE const FrameFloat& turned(std::int32_t i) {
        framed(i);
        ChainPlace& p = places_[i];
        if (!p.is_turned) p.turned = FrameFloat(p.frame.q), p.is_turned = true;
        return p.turned;
    }
    const ChainLeafLanes& balls(std::int32_t leaf) {
        framed(leaf);
        ChainPlace& p = places_[leaf];
        if (p.expanded < 0) p.expanded = expand(p);
        return lanes_[p.expanded];
    }

    const ChainLeafExact& exact(std::int32_t leaf) {
        framed(leaf);
        ChainPlace& p = places_[leaf];
        if (p.exact < 0) p.exact = carry(p);
        return exact_[p.exact];
    }

private:
    std::vector<ChainPlace> places_;
    std::vector<ChainLeafLanes> lanes_;
    std::vector<ChainLeafExact> exact_;
    std::int32_t used_ = 0, used_lanes_ = 0, used_exact_ = 0;
    bool frames_wait_ = false;

    /// The next place, with all that does not depend on where it is.
    ELBOWROOM_INLINE ChainPlace& next(const ChainTree& tree, int level, std::int64_t index) {
        if (used_ == std::int32_t(places_.size())) places_.resize(most<std::size_t>(64, 2 * places_.size()));
        ChainPlace& p = places_[used_];
        p.is_turned = false, p.tree = &tree, p.level = level, p.index = std::int32_t(index);
        if (level > 0) {
            p.node = &tree.node(level, index), p.lanes = &p.node->lanes;
            fetch(p.lanes, 4 * sizeof(p.lanes->radius));  // of a million links it is rarely at hand
            for (int k = 0; k < 8; ++k) p.child[k] = -1;
        } else {
            p.node = nullptr, p.balls = tree.valid(index), p.expanded = p.exact = -1;
            fetch(&tree.leaf(index), sizeof(ChainLeaf::x));
        }
        return p;
    }
    /// The ball as its parent's lanes have it: these are off by up to 1e-6 of the lengths, and turning them adds to it.
    std::int32_t add_waiting(std::int32_t parent, int lane) {
        const std::int64_t index = 8 * std::int64_t(places_[parent].index) + lane;
        ChainPlace& p = next(*places_[parent].tree, places_[parent].level - 1, index);
        const FrameFloat& turn = turned(parent);
        const ChainPlace& above = places_[parent];
        const BallBoxLanes& lanes = *above.lanes;
        const float x = lanes.centre[0][lane], y = lanes.centre[1][lane], z = lanes.centre[2][lane];
        const Float4 c = multiply_add(turn.column[0], all_four(x),
                                      multiply_add(turn.column[1], all_four(y), turn.column[2] * all_four(z)));
        p.centre = above.frame.t + Vec3{c[0], c[1], c[2]};
        p.radius = lanes.radius[lane];
        p.slack = 2e-6f * (std::fabs(x) + std::fabs(y) + std::fabs(z) + p.radius);
        p.waits = true, p.parent = parent, p.lane = lane;
        fetch(above.node->q, sizeof(above.node->q) + sizeof(above.node->t));  // for its frame, should it be opened
        return used_++;
    }

    static ELBOWROOM_INLINE void fetch(const void* from, std::size_t bytes) {
        for (std::size_t b = 0; b < bytes; b += 64) __builtin_prefetch(static_cast<const char*>(from) + b);
    }
    std::int32_t carry(const ChainPlace& p) {
        if (used_exact_ == std::int32_t(exact_.size())) exact_.resize(most<std::size_t>(16, 2 * exact_.size()));
        ChainLeafExact& out = exact_[used_exact_];
        const ChainLeaf& leaf = p.tree->leaf(p.index);
        const Mat3 turn = matrix(p.frame.q);
        const Vec3x4 shift = four_times(p.frame.t);
        for (int k = 0; k < ChainLeaf::size; k += 4) {
            const Vec3x4 x{Double4::load(leaf.x[0] + k), Double4::load(leaf.x[1] + k), Double4::load(leaf.x[2] + k)};
            const Vec3x4 y = turn * x + shift;
            y.x.store(out.x[0] + k), y.y.store(out.x[1] + k), y.z.store(out.x[2] + k);
        }
        return used_exact_++;
    }

    std::int32_t expand(const ChainPlace& p) {
        if (used_lanes_ == std::int32_t(lanes_.size())) lanes_.resize(most<std::size_t>(16, 2 * lanes_.size()));
        ChainLeafLanes& out = lanes_[used_lanes_];
        const ChainLeaf& leaf = p.tree->leaf(p.index);
        const FrameFloat turned(p.frame.q);
        const Radii& radii = p.tree->radii();
        const std::int64_t first = std::int64_t(p.index) * ChainLeaf::size;
        for (int k = 0; k < ChainLeaf::size; k += 8) {
            Float8 x[3];
            for (int m = 0; m < 3; ++m)
                x[m] = to_floats(Double4::load(leaf.x[m] + k), Double4::load(leaf.x[m] + k + 4));
            for (int m = 0; m < 3; ++m) {
                const float row[3] = {turned.inverse[m][0], turned.inverse[m][1], turned.inverse[m][2]};
                dot(row, x[0], x[1], x[2]).store(out.x[m] + k);
            }
        }
        if (radii.uniform())
            for (int i = 0; i < ChainLeaf::size; ++i) out.radius[i] = float(radii[0]);
        else
            for (unsigned rest = p.tree->valid(p.index); rest; rest &= rest - 1)
                out.radius[__builtin_ctz(rest)] = float(radii[first + __builtin_ctz(rest)]);
        return used_lanes_++;
    }
};

}  // namespace elbowroom
