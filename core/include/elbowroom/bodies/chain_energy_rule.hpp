#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "elbowroom/trees/chain_tree.hpp"

namespace elbowroom {

/// Pairs of balls that an energy leaves out, by ball and by leaf.
class ChainEnergyRule {
public:
    using BallPair = std::array<std::int32_t, 2>;

    ChainEnergyRule(const ChainTree& tree, const std::vector<BallPair>& pairs)
        : first_(std::size_t(tree.balls()) + 1), first_leaf_(std::size_t(tree.leaves()) + 1) {
        std::vector<BallPair> both, leaves;
        for (const BallPair& p : pairs)
            for (const BallPair q : {p, BallPair{p[1], p[0]}}) {
                both.push_back(q);
                leaves.push_back({q[0] / ChainLeaf::size, q[1] / ChainLeaf::size});
            }
        sort_out(both, first_, other_);
        sort_out(leaves, first_leaf_, other_leaf_);
    }
    /// Is any ball of one leaf not compared with some of the other?
    bool concerns(std::int64_t one, std::int64_t other) const {
        for (std::int32_t k = first_leaf_[one]; k < first_leaf_[one + 1]; ++k)
            if (other_leaf_[k] == other) return true;
        return false;
    }
    /// The balls of a leaf that are not compared with that ball.
    unsigned excluded(std::int64_t ball, std::int64_t leaf) const {
        unsigned out = 0;
        for (std::int32_t k = first_[ball]; k < first_[ball + 1]; ++k)
            if (other_[k] / ChainLeaf::size == leaf) out |= 1u << other_[k] % ChainLeaf::size;
        return out;
    }

private:
    std::vector<std::int32_t> first_, other_;            // of each ball: where its partners begin; these
    std::vector<std::int32_t> first_leaf_, other_leaf_;  // the same of the leaves

    static void sort_out(std::vector<BallPair>& pairs, std::vector<std::int32_t>& first,
                         std::vector<std::int32_t>& other) {
        std::sort(pairs.begin(), pairs.end());
        pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
        for (const BallPair& p : pairs) {
            ++first[std::size_t(p[0]) + 1];
            other.push_back(p[1]);
        }
        for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    }
};

}  // namespace elbowroom
