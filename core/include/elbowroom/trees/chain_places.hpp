#pragma once
#include <cstring>

#include "elbowroom/trees/chain_tree.hpp"
#include "elbowroom/trees/scratch.hpp"
#include "elbowroom/volumes/ball_lanes.hpp"

namespace elbowroom {

/// A node or leaf of a chain's tree, placed in the common frame of a query.
struct ChainPlace {
    Frame frame;        // common frame from own; if it waits, made when the place is first opened
    FrameFloat turned;  // made when it is first asked for
    bool is_turned, waits;
    Vec3 centre;  // of its bound, in the common frame
    float radius;
    float half[3];
    const ChainTree* tree;
    const BallBoxLanes* lanes;  // its children; those of a part lie in scratch
    const ChainNode* node;      // none for a leaf
    int level;
    std::int32_t index;
    unsigned balls;         // of a leaf: which of its balls belong to it
    std::int32_t expanded;  // of a leaf: its balls in single precision, or -1; of a node: those of its children
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
    void clear(bool frames_wait = false) {
        places_.clear();
        lanes_.clear();
        exact_.clear();
        balls_.clear();
        frames_wait_ = frames_wait;
    }
    ELBOWROOM_INLINE ChainPlace& operator[](std::int32_t i) { return places_[i]; }

    /// A node or leaf in a given frame, with a bound in its own frame.
    std::int32_t add(const ChainTree& tree, int level, std::int64_t index, const Frame& frame, const BallBox& bound) {
        const std::int32_t made = add_unbounded(tree, level, index, frame);
        set_bound(places_[made], bound);
        return made;
    }
    /// Some balls of a leaf, or some children of a node, by their ball alone, which is still to be set.
    ELBOWROOM_INLINE std::int32_t add_unbounded(const ChainTree& tree, int level, std::int64_t index,
                                                const Frame& frame) {
        const std::int32_t made = places_.add();
        ChainPlace& p = places_[made];
        start(p, tree, level, index);
        p.frame = frame;
        p.waits = false;
        return made;
    }
    /// Some children of a node, one of which may itself be a part that has a place: the ball of that is its own.
    std::int32_t add_ball_part(const ChainTree& tree, int level, std::int64_t index, const Frame& frame,
                               unsigned children, int lane, std::int32_t part) {
        const std::int32_t made = add_unbounded(tree, level, index, frame);
        ChainPlace& p = places_[made];
        p.expanded = turn_balls(p);
        BallLanes& balls = balls_[p.expanded];
        balls.valid = children;
        if (part < 0) return made;
        const Vec3 d = places_[part].centre - frame.t;
        const float x = float(d.x), y = float(d.y), z = float(d.z), r = places_[part].radius;
        balls.centre[0][lane] = x;
        balls.centre[1][lane] = y;
        balls.centre[2][lane] = z;
        balls.radius[lane] = r + turn_slack * (std::fabs(x) + std::fabs(y) + std::fabs(z) + r);
        balls.valid |= 1u << lane;
        p.child[lane] = part;
        return made;
    }
    /// The ball of a part, from those of its children.
    ELBOWROOM_INLINE void bound_ball_part(std::int32_t i) {
        ChainPlace& p = places_[i];
        const BallLanes& b = balls_[p.expanded];
        const Float8 centre[1][3] = {{Float8::load(b.centre[0]), Float8::load(b.centre[1]), Float8::load(b.centre[2])}};
        const Float8 radius[1] = {Float8::load(b.radius)}, in[1] = {lanes_where(b.valid)};
        set_ball(p, ball_of(centre, radius, in));
    }
    /// The ball of a leaf, or of a part of it, from its balls.
    ELBOWROOM_INLINE void bound_leaf_side(std::int32_t i) {
        const ChainLeafLanes& b = balls(i);
        ChainPlace& p = places_[i];
        Float8 centre[2][3], radius[2], in[2];
        for (int k = 0; k < 2; ++k) {
            for (int m = 0; m < 3; ++m) centre[k][m] = Float8::load(b.x[m] + 8 * k);
            radius[k] = Float8::load(b.radius + 8 * k);
            in[k] = lanes_where(p.balls >> 8 * k & 255);
        }
        FloatBall ball = ball_of(centre, radius, in);
        const float off = std::fabs(ball.centre[0]) + std::fabs(ball.centre[1]) + std::fabs(ball.centre[2]);
        ball.radius += turn_slack * (off + ball.radius);
        set_ball(p, ball);
    }
    /// A ball seen from the place's own origin, along the common axes.
    static ELBOWROOM_INLINE void set_ball(ChainPlace& p, const FloatBall& ball) {
        p.centre = p.frame.t + Vec3{ball.centre[0], ball.centre[1], ball.centre[2]};
        p.radius = ball.radius;
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
    ELBOWROOM_INLINE std::int32_t child(std::int32_t parent, int lane) {
        if (const std::int32_t there = places_[parent].child[lane]; there >= 0) return there;
        return frames_wait_ ? add_waiting(parent, lane) : add_child(parent, lane);
    }
    /// The same where frames are known to wait.
    ELBOWROOM_INLINE std::int32_t waiting_child(std::int32_t parent, int lane) {
        const std::int32_t there = places_[parent].child[lane];
        return there >= 0 ? there : add_waiting(parent, lane);
    }
    std::int32_t add_child(std::int32_t parent, int lane) {
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
            p.frame = {above.frame.q * own.q, above.frame * own.t};
            p.waits = false;
        }
        return p;
    }
    ELBOWROOM_INLINE const FrameFloat& turned(std::int32_t i) {
        framed(i);
        ChainPlace& p = places_[i];
        if (!p.is_turned) {
            p.turned = FrameFloat(p.frame.q);
            p.is_turned = true;
        }
        return p.turned;
    }
    /// The balls of the children of a place, about its own origin but along the common axes.
    ELBOWROOM_INLINE const BallLanes& child_balls(std::int32_t i) {
        framed(i);
        ChainPlace& p = places_[i];
        if (p.expanded < 0) p.expanded = turn_balls(p);
        return balls_[p.expanded];
    }
    ELBOWROOM_INLINE const ChainLeafLanes& balls(std::int32_t leaf) {
        framed(leaf);
        ChainPlace& p = places_[leaf];
        if (p.expanded < 0) p.expanded = expand(p);
        return lanes_[p.expanded];
    }
    /// The same of a leaf that was asked for them.
    ELBOWROOM_INLINE const ChainLeafLanes& expanded(std::int32_t leaf) const { return lanes_[places_[leaf].expanded]; }

    const ChainLeafExact& exact(std::int32_t leaf) {
        framed(leaf);
        ChainPlace& p = places_[leaf];
        if (p.exact < 0) p.exact = carry(p);
        return exact_[p.exact];
    }

private:
    Scratch<ChainPlace> places_;
    Scratch<ChainLeafLanes> lanes_;
    Scratch<ChainLeafExact> exact_;
    Scratch<BallLanes> balls_;
    bool frames_wait_ = false;

    /// All of a place that does not depend on where it is.
    static ELBOWROOM_INLINE void start(ChainPlace& p, const ChainTree& tree, int level, std::int64_t index) {
        p.is_turned = false;
        p.tree = &tree;
        p.level = level;
        p.index = std::int32_t(index);
        p.expanded = -1;
        if (level > 0) {
            p.node = &tree.node(level, index);
            p.lanes = &p.node->lanes;
            fetch(p.lanes, 4 * sizeof(p.lanes->radius));  // of a million links it is rarely at hand
            std::memset(p.child, 0xff, sizeof(p.child));
        } else {
            p.node = nullptr;
            p.balls = tree.valid(index);
            p.exact = -1;
            fetch(&tree.leaf(index), sizeof(ChainLeaf::x));
        }
    }
    /// What lanes may be off by and turning them adds, of the lengths.
    static constexpr float turn_slack = 2e-6f;

    std::int32_t turn_balls(const ChainPlace& p) {
        const std::int32_t made = balls_.add();
        BallLanes& out = balls_[made];
        const BallBoxLanes& lanes = *p.lanes;
        fetch(p.node->q,
              sizeof(p.node->q) + sizeof(p.node->t));  // for the frames of the children, should they be opened
        const TurnFloat turn(p.frame.q);
        const Float8 x = Float8::load(lanes.centre[0]), y = Float8::load(lanes.centre[1]),
                     z = Float8::load(lanes.centre[2]), r = Float8::load(lanes.radius);
        for (int m = 0; m < 3; ++m) dot(turn.row[m], x, y, z).store(out.centre[m]);
        multiply_add(absolute(x) + absolute(y) + absolute(z) + r, Float8(turn_slack), r).store(out.radius);
        out.valid = lanes.valid;
        return made;
    }
    /// A child by its ball, whose frame can wait.
    __attribute__((noinline)) std::int32_t add_waiting(std::int32_t parent, int lane) {
        if (places_[parent].expanded < 0) child_balls(parent);
        const std::int32_t made = places_.add();
        ChainPlace &p = places_[made], &above = places_[parent];
        const BallLanes& balls = balls_[above.expanded];
        start(p, *above.tree, above.level - 1, 8 * std::int64_t(above.index) + lane);
        p.centre = {above.frame.t.x + balls.centre[0][lane], above.frame.t.y + balls.centre[1][lane],
                    above.frame.t.z + balls.centre[2][lane]};
        p.radius = balls.radius[lane];
        p.waits = true;
        p.parent = parent;
        p.lane = lane;
        return above.child[lane] = made;
    }

    static ELBOWROOM_INLINE void fetch(const void* from, std::size_t bytes) {
        for (std::size_t b = 0; b < bytes; b += 64) __builtin_prefetch(static_cast<const char*>(from) + b);
    }
    std::int32_t carry(const ChainPlace& p) {
        const std::int32_t made = exact_.add();
        ChainLeafExact& out = exact_[made];
        const ChainLeaf& leaf = p.tree->leaf(p.index);
        const Mat3 turn = matrix(p.frame.q);
        const Vec3x4 shift = four_times(p.frame.t);
        for (int k = 0; k < ChainLeaf::size; k += 4) {
            const Vec3x4 x{Double4::load(leaf.x[0] + k), Double4::load(leaf.x[1] + k), Double4::load(leaf.x[2] + k)};
            const Vec3x4 y = turn * x + shift;
            y.x.store(out.x[0] + k);
            y.y.store(out.x[1] + k);
            y.z.store(out.x[2] + k);
        }
        return made;
    }

    std::int32_t expand(const ChainPlace& p) {
        const std::int32_t made = lanes_.add();
        ChainLeafLanes& out = lanes_[made];
        const ChainLeaf& leaf = p.tree->leaf(p.index);
        const TurnFloat turn(p.frame.q);
        const std::int64_t first = std::int64_t(p.index) * ChainLeaf::size;
        for (int k = 0; k < ChainLeaf::size; k += 8) {
            Float8 x[3];
            for (int m = 0; m < 3; ++m)
                x[m] = to_floats(Double4::load(leaf.x[m] + k), Double4::load(leaf.x[m] + k + 4));
            for (int m = 0; m < 3; ++m) dot(turn.row[m], x[0], x[1], x[2]).store(out.x[m] + k);
        }
        p.tree->radii().copy(first, p.tree->count(p.index), out.radius);
        return made;
    }
};

}  // namespace elbowroom
