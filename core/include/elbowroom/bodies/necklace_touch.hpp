#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "elbowroom/trees/bead_tree.hpp"

namespace elbowroom {

/// Which beads of a necklace may overlap: those at most `gap` apart along it, and pairs by name.
class NecklaceTouch {
public:
    using BeadPair = std::array<std::int32_t, 2>;
    /// A row of bits for each bead of a leaf: the beads of another leaf that it may touch.
    using Rows = std::array<std::uint16_t, BeadTree::leaf_size>;

    NecklaceTouch() = default;
    /// `gap`: -1 for none. A pair may come more than once, and in either order.
    NecklaceTouch(std::int32_t beads, int gap, std::vector<BeadPair> named);

    ELBOWROOM_INLINE bool may(std::int32_t i, std::int32_t j) const {
        if ((i < j ? j - i : i - j) <= gap_) return true;
        return !named_.empty() && is_named(i, j);
    }
    int gap() const { return gap_; }
    const std::vector<BeadPair>& named() const { return named_; }  // i < j, sorted, none within the gap
    /// Every pair that may touch, i < j, sorted.
    std::vector<BeadPair> pairs() const;
    /// May any two?
    bool all_may() const { return beads_ - 1 <= gap_ || every_; }

    /// A pair that is compared, that is, may not touch; there must be one.
    BeadPair compared_pair() const {
        for (std::int32_t i = 0; i < beads_; ++i)
            for (std::int32_t j = i + 1 + most(gap_, 0); j < beads_; ++j)
                if (!may(i, j)) return {i, j};
        return {-1, -1};
    }

    /// What the pairs by name mean for two leaves, a <= b; null if nothing.
    ELBOWROOM_INLINE const Rows* rows(std::int32_t a, std::int32_t b) const {
        if (named_.empty()) return nullptr;
        for (std::int32_t k = first_[a]; k < first_[a + 1]; ++k)
            if (leaf_[k] == b) return &rows_[k];
        return nullptr;
    }
    /// The same for a leaf with itself: row k has a bit for each bead that may touch the one k places behind it.
    ELBOWROOM_INLINE const Rows* diagonals(std::int32_t leaf) const {
        return named_.empty() ? nullptr : &diagonals_[leaf];
    }
    /// The beads of a leaf that bead `lane` of another may touch, by either rule. `ahead`: how many beads the leaf's
    /// first is ahead of the other's.
    ELBOWROOM_INLINE unsigned partners(const Rows* rows, int lane, std::int64_t ahead) const {
        const unsigned named = rows ? (*rows)[lane] : 0u;
        const std::int64_t last = gap_ + lane - ahead;  // in the leaf; those before it are nearer, or on this side
        if (last < 0) return named;
        return named | (last >= BeadTree::leaf_size - 1 ? 0xffffu : (2u << last) - 1);
    }

private:
    std::int32_t beads_ = 0;
    int gap_ = 1;
    bool every_ = false;
    std::vector<BeadPair> named_;
    std::vector<std::int32_t> first_;  // of each leaf: its places in leaf_ and rows_
    std::vector<std::int32_t> leaf_;
    std::vector<Rows> rows_, diagonals_;

    bool is_named(std::int32_t i, std::int32_t j) const {
        return std::binary_search(named_.begin(), named_.end(), i < j ? BeadPair{i, j} : BeadPair{j, i});
    }
    void index_by_leaves();
};

}  // namespace elbowroom
