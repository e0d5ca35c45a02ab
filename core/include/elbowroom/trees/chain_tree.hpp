// The tree over a chain of balls. Sixteen consecutive balls make a leaf, eight leaves a node, and so on; every leaf and
// node has a frame of its own, that of its first leaf, and a node knows the frames of its children: these are the
// shortcuts of Lotan, Schwarzer, Halperin and Latombe (2002), eight to a level instead of two. A change of one joint
// touches one leaf and one node a level.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "elbowroom/math/quaternion.hpp"
#include "elbowroom/trees/large_array.hpp"
#include "elbowroom/trees/saved.hpp"
#include "elbowroom/volumes/ball_box_lanes.hpp"

namespace elbowroom {

struct alignas(64) ChainLeaf {
    static constexpr int size = 16;
    double x[3][size];     // centres, in the leaf's frame
    double spin[3][size];  // how each ball's own frame is turned against the leaf's, packed
    Frame next;            // the frame of the next leaf, seen from here

    ELBOWROOM_INLINE Vec3 centre(int i) const { return {x[0][i], x[1][i], x[2][i]}; }
    void set_centre(int i, Vec3 v) {
        x[0][i] = v.x;
        x[1][i] = v.y;
        x[2][i] = v.z;
    }
    ELBOWROOM_INLINE Quat turned(int i) const { return unpacked({spin[0][i], spin[1][i], spin[2][i]}); }
    void set_turned(int i, const Quat& q) {
        const Vec3 v = packed(q);
        spin[0][i] = v.x;
        spin[1][i] = v.y;
        spin[2][i] = v.z;
    }
};

struct alignas(64) ChainNode {
    BallBoxLanes lanes;                      // bounds of the children, in this node's frame
    double q[4][8], t[3][8];                 // frames of the children, in this node's frame
    float own_centre[3][8], own_half[3][8];  // bounds of the children, each in its own frame

    ELBOWROOM_INLINE Frame child(int i) const {
        return {{q[0][i], q[1][i], q[2][i], q[3][i]}, {t[0][i], t[1][i], t[2][i]}};
    }
    void set_child(int i, const Frame& f) {
        q[0][i] = f.q.w;
        q[1][i] = f.q.x;
        q[2][i] = f.q.y;
        q[3][i] = f.q.z;
        t[0][i] = f.t.x;
        t[1][i] = f.t.y;
        t[2][i] = f.t.z;
    }
    ELBOWROOM_INLINE BallBox bound(int i) const {
        return {{own_centre[0][i], own_centre[1][i], own_centre[2][i]},
                lanes.radius[i],
                {own_half[0][i], own_half[1][i], own_half[2][i]}};
    }
};

/// The radii of the balls: one for all, or one of a few, or each its own; two bytes a ball are enough for most chains.
class Radii {
public:
    Radii() = default;
    explicit Radii(const std::vector<double>& radii);
    ELBOWROOM_INLINE double operator[](std::int64_t ball) const {
        if (kind_.empty()) return distinct_.size() == 1 ? distinct_[0] : distinct_[ball];
        return distinct_[kind_[ball]];
    }
    bool uniform() const { return distinct_.size() == 1; }
    /// The radii of up to sixteen balls from `first` on, of which `count` are there.
    ELBOWROOM_INLINE void copy(std::int64_t first, int count, float* out) const {
        if (uniform()) {
            const Float8 all = float(distinct_[0]);
            all.store(out);
            all.store(out + 8);
        } else {
            for (int i = 0; i < 16; ++i) out[i] = i < count ? float((*this)[first + i]) : 0.f;
        }
    }
    std::size_t bytes() const { return distinct_.size() * 8 + kind_.size() * 2; }

private:
    std::vector<double> distinct_;
    std::vector<std::uint16_t> kind_;
};

/// A rigid change at one place of the chain: all balls from `first` on are moved by x -> turn (x - pivot) + pivot +
/// shift, in the frame of the leaf that holds ball `first` - 1.
struct ChainChange {
    std::int64_t first = 0;
    Quat turn;
    Vec3 pivot, shift;
    std::int64_t pivot_ball = -1;  // on the left; if it is the pivot of a pure turn nothing can reach it anew

    std::int64_t leaf() const { return (first - 1) / ChainLeaf::size; }
    int lane() const { return int((first - 1) % ChainLeaf::size); }  // of the last ball that stays
    Frame map() const { return {turn, pivot + shift - turn * pivot}; }
    ChainChange inverse() const { return {first, conjugate(turn), pivot + shift, -shift, pivot_ball}; }
};

class ChainTree {
public:
    ChainTree() = default;
    ChainTree(const std::vector<Vec3>& centres, const std::vector<Quat>& turned, const std::vector<double>& radii);

    std::int64_t balls() const { return balls_; }
    std::int64_t leaves() const { return std::int64_t(leaves_.size()); }
    int levels() const { return int(levels_.size()); }  // of nodes; node level k is levels_[k - 1], leaves are level 0
    std::int64_t nodes(int level) const { return std::int64_t(levels_[level - 1].size()); }
    ELBOWROOM_INLINE const ChainNode& node(int level, std::int64_t i) const { return levels_[level - 1][i]; }
    ELBOWROOM_INLINE const ChainLeaf& leaf(std::int64_t i) const { return leaves_[i]; }
    int count(std::int64_t leaf) const {
        return int(least<std::int64_t>(ChainLeaf::size, balls_ - leaf * ChainLeaf::size));
    }
    unsigned valid(std::int64_t leaf) const { return (1u << count(leaf)) - 1; }
    const Radii& radii() const { return radii_; }
    /// Where the first ball is, and the root's frame: the whole chain moves with it.
    Vec3 origin() const { return base_.t; }
    const Frame& base() const { return base_; }
    void set_base(const Frame& base) { base_ = base; }
    std::size_t bytes() const;

    /// The frame of a leaf in the world, and of one leaf seen from another: O(log N).
    Frame frame(std::int64_t leaf) const;
    /// The same seen from the root's frame, so that nothing is lost far from the world's origin.
    Frame local_frame(std::int64_t leaf) const;
    Vec3 local_centre(std::int64_t ball) const;
    Frame seen_from(std::int64_t leaf, std::int64_t other) const;
    /// The frame of the child on the way down to a leaf: from a node of level k to its child of level k - 1.
    ELBOWROOM_INLINE Frame step(int level, std::int64_t leaf) const {
        return node(level, leaf >> 3 * level).child(int(leaf >> 3 * (level - 1)) & 7);
    }
    Vec3 centre(std::int64_t ball) const;
    std::vector<Vec3> centres() const;

    /// The bound of some balls of a leaf, in its frame; of some children of a node, in its frame; of everything.
    BallBox bound(std::int64_t leaf, unsigned balls) const;
    static BallBox bound(const BallBoxLanes& lanes);
    BallBox root_bound() const;

    void apply(const ChainChange& change);
    void apply(const std::vector<ChainChange>& changes);
    /// New centres for some balls of one leaf, in its frame; no frame changes.
    void reshape(std::int64_t leaf, unsigned balls, const Vec3* centres);

    /// Asks for the memory that a change in this leaf will need; the upper levels are there anyway.
    ELBOWROOM_INLINE void fetch(std::int64_t leaf) const {
        auto lines = [](const void* from, std::size_t bytes) {
            for (std::size_t b = 0; b < bytes; b += 64) __builtin_prefetch(static_cast<const char*>(from) + b);
        };
        lines(&leaves_[leaf], sizeof(ChainLeaf));
        for (int k = 1; k <= levels() && k <= 3; ++k) lines(&node(k, leaf >> 3 * k), sizeof(ChainNode));
    }

    void save(SavedOut& out) const;
    void restore(SavedIn& in);

    /// What is wrong with the tree, or nothing.
    std::string validate() const;

private:
    std::int64_t balls_ = 0;
    LargeArray<ChainLeaf> leaves_;
    std::vector<LargeArray<ChainNode>> levels_;
    Radii radii_;
    Frame base_;

    ELBOWROOM_INLINE ChainNode& at(int level, std::int64_t i) { return levels_[level - 1][i]; }
    void move_balls(const ChainChange& change);
    void set_bound(ChainNode& n, int lane, const BallBox& own);
    void derive_lanes(ChainNode& n, unsigned lanes);
    void derive_frames(int level, std::int64_t index);
    Frame span(int level, std::int64_t index) const;
    void rebound(int level, std::int64_t index, int lane);
    std::string validate_shape() const;
    std::string validate_node(int level, std::int64_t index) const;
};

}  // namespace elbowroom
