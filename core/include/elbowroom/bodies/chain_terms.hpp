#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "elbowroom/bodies/chain_energy.hpp"
#include "elbowroom/trees/chain_tree.hpp"

namespace elbowroom {

/// Where balls are once a change is made, in the frame of one leaf.
class ChainTermPlaces {
public:
    ChainTermPlaces(const ChainTree& tree, const ChainChange& change)
        : tree_(tree), first_(change.first), map_(change.map()) {
        leaf_.fill(-1);
    }
    /// From now on in the frame of that leaf, which must be that of the change if there is any.
    void look_from(std::int64_t leaf) {
        if (home_ != leaf) leaf_.fill(-1);
        home_ = leaf;
    }
    Vec3 operator()(std::int64_t ball) {
        const std::int64_t leaf = ball / ChainLeaf::size;
        const std::size_t at = std::size_t(leaf) % leaf_.size();
        if (leaf_[at] != leaf) {
            leaf_[at] = leaf;
            frame_[at] = tree_.seen_from(leaf, home_);
        }
        const Vec3 x = frame_[at] * tree_.leaf(leaf).centre(int(ball % ChainLeaf::size));
        return ball < first_ ? x : map_ * x;
    }

private:
    const ChainTree& tree_;
    const std::int64_t first_;
    const Frame map_;
    std::int64_t home_ = -1;
    std::array<std::int64_t, 8> leaf_;  // whose frames are known
    std::array<Frame, 8> frame_;
};

/// Terms of a few balls each, by the node of the tree, or the leaf, in which all of their balls first meet.
class ChainTerms {
public:
    ChainTerms(const ChainTree& tree, std::vector<ChainTerm> terms);

    bool any() const { return !terms_.empty(); }
    std::int64_t begin(int level, std::int64_t index) const { return first_[first_node_[level] + index]; }
    std::int64_t end(int level, std::int64_t index) const { return first_[first_node_[level] + index + 1]; }
    /// Does a term have balls on both sides of a split?
    bool is_divided(std::int64_t term, std::int64_t first) const {
        return ends_[term][0] < first && first <= ends_[term][1];
    }
    /// Is some ball of it in [begin, end)?
    bool is_in(std::int64_t term, std::int64_t begin, std::int64_t end) const {
        const ChainTerm& t = terms_[term];
        return std::any_of(t.ball.begin(), t.ball.begin() + t.balls(),
                           [&](std::int64_t ball) { return ball >= begin && ball < end; });
    }
    std::int64_t first_leaf(std::int64_t term) const { return ends_[term][0] / ChainLeaf::size; }
    double energy(std::int64_t term, ChainTermPlaces& at) const;

private:
    std::vector<ChainTerm> terms_;
    std::vector<std::array<std::int32_t, 2>> ends_;  // the first and the last ball of each
    std::vector<std::int64_t> first_node_, first_;   // of each level its first node; of each node its first term
};

}  // namespace elbowroom
