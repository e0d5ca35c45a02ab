// The parts into which a change of one joint divides the nodes above it: what stays, and what moves.
#pragma once
#include <vector>

#include "elbowroom/bodies/chain_first_look.hpp"
#include "elbowroom/pairings/across_balls.hpp"
#include "elbowroom/pairings/across_frames.hpp"

namespace elbowroom {

/// Scratch for parts with boxes, a level each.
struct ChainParting {
    std::vector<BallBoxLanes> left, right;
    explicit ChainParting(const ChainTree& tree) : left(tree.levels() + 1), right(tree.levels() + 1) {}
};

/// The way up from the joint's leaf, with the places of the two parts so far, or -1; the common frame is that leaf's.
class ChainClimb {
public:
    std::int32_t left = -1, right = -1;

    ChainClimb(const ChainTree& tree, const ChainChange& change, ChainPlaces& places)
        : tree_(tree), places_(places), leaf_(change.leaf()), map_(change.map()), sides_(tree, change) {}
    std::int64_t leaf() const { return leaf_; }
    int levels() const { return tree_.levels(); }

protected:
    const ChainTree& tree_;
    ChainPlaces& places_;
    const std::int64_t leaf_;
    const Frame map_;
    const JointSides sides_;
    Frame here_;   // of the node, in the common frame
    Frame child_;  // of the child that the way comes from, in the node's
    int lane_ = 0;
    unsigned before_ = 0, after_ = 0;  // the node's other children

    ELBOWROOM_INLINE void climb(const ChainNode& n, int k) {
        lane_ = int(leaf_ >> 3 * (k - 1)) & 7;
        child_ = n.child(lane_);
        here_.q = unit(here_.q * conjugate(child_.q)), here_.t = here_.t - here_.q * child_.t;
        before_ = n.lanes.valid & ((1u << lane_) - 1), after_ = n.lanes.valid & (~1u << lane_);
    }
};

/// Parts by balls and, if asked for, boxes.
class FramedParts : public ChainClimb {
public:
    FramedParts(const ChainTree& tree, const ChainChange& change, ChainPlaces& places, ChainParting& scratch,
                bool boxes)
        : ChainClimb(tree, change, places), scratch_(scratch), boxes_(boxes) {
        places.clear(!boxes);
    }
    AcrossFrames pairing() const { return {places_, boxes_}; }
    /// If much will be decided in the leaf, tighter bounds than that of the whole leaf can wait.
    void place_leaf(bool tight_bounds_wait) {
        const BallBox whole = leaf_bound(tree_, leaf_);
        if (sides_.stay) left = places_.add(tree_, 0, leaf_, here_, whole), places_[left].balls = sides_.stay;
        if (sides_.move) right = places_.add(tree_, 0, leaf_, map_ * here_, whole), places_[right].balls = sides_.move;
        if (!tight_bounds_wait || left < 0 || right < 0) bound_leaf();
    }
    void bound_leaf() {
        if (left >= 0) bound(left, left_bound_ = tree_.bound(leaf_, sides_.stay));
        if (right >= 0) bound(right, right_bound_ = tree_.bound(leaf_, sides_.move));
    }
    void divide(int k) {
        const std::int64_t index = leaf_ >> 3 * k;
        const ChainNode& n = tree_.node(k, index);
        climb(n, k);
        BallBoxLanes &lower = scratch_.left[k], &upper = scratch_.right[k];
        left_below_ = left;
        const std::int32_t r = right;
        left = right = -1;
        if (before_ || left_below_ >= 0) {
            replace(lower, n, before_, left_below_, left_bound_);
            left = places_.add_part(tree_, k, index, here_, lower, {});
            places_[left].child[lane_] = left_below_;
        }
        if (after_ || r >= 0) {
            replace(upper, n, after_, r, right_bound_);
            right_bound_ = ChainTree::bound(upper);
            right = places_.add_part(tree_, k, index, map_ * here_, upper, right_bound_);
            places_[right].child[lane_] = r;
        }
    }
    /// What meets in the divided node and did not below.
    template <class Offer>
    void offer(Offer& offer) const {
        const AcrossFrames across = pairing();
        if (before_ && right >= 0) offer(across.fan(left, right, true, before_));
        if (left_below_ >= 0 && after_) offer(across.fan(right, left_below_, false, after_));
    }
    void bound(int k) {
        if (left >= 0) bound(left, left_bound_ = ChainTree::bound(scratch_.left[k]));
    }

private:
    ChainParting& scratch_;
    const bool boxes_;
    BallBox left_bound_{}, right_bound_{};
    std::int32_t left_below_ = -1;

    void bound(std::int32_t place, const BallBox& b) { ChainPlaces::set_bound(places_[place], b); }
    void replace(BallBoxLanes& lanes, const ChainNode& n, unsigned children, std::int32_t part, const BallBox& bound) {
        lanes = n.lanes, lanes.valid = children | unsigned(part >= 0) << lane_;
        if (part >= 0) set_lane(lanes, lane_, child_, bound);
    }
};

/// Parts by balls alone, which are kept along the common axes.
class BallParts : public ChainClimb {
public:
    BallParts(const ChainTree& tree, const ChainChange& change, ChainPlaces& places)
        : ChainClimb(tree, change, places) {
        places.clear(true);
    }
    AcrossBalls pairing() const { return AcrossBalls(places_); }
    void place_leaf(bool) {
        if (sides_.stay) left = add_side(here_, sides_.stay);
        if (sides_.move) right = add_side(map_, sides_.move);
    }
    void bound_leaf() {}
    void divide(int k) {
        const std::int64_t index = leaf_ >> 3 * k;
        climb(tree_.node(k, index), k);
        if (before_ || left >= 0) left = places_.add_ball_part(tree_, k, index, here_, before_, lane_, left);
        if (after_ || right >= 0) right = places_.add_ball_part(tree_, k, index, map_ * here_, after_, lane_, right);
    }
    template <class Offer>
    void offer(Offer& offer) const {
        if (left >= 0 && right >= 0 && (before_ || after_)) offer(pairing().divided(left, right, lane_));
    }
    void bound(int) {
        if (left >= 0) places_.bound_ball_part(left);
        if (right >= 0) places_.bound_ball_part(right);
    }

private:
    std::int32_t add_side(const Frame& frame, unsigned balls) {
        const std::int32_t made = places_.add_unbounded(tree_, 0, leaf_, frame);
        places_[made].balls = balls;
        places_.bound_leaf_side(made);
        return made;
    }
};

}  // namespace elbowroom
