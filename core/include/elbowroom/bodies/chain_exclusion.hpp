// Which balls of a chain are never compared with each other.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "elbowroom/trees/chain_tree.hpp"

namespace elbowroom {

/// The balls of links at most `gap` apart along the chain, and named pairs of balls. Every question, energy and sampler
/// goes by this rule, ball by ball.
class ChainExclusion {
public:
    using Pair = std::array<std::int32_t, 2>;
    ChainExclusion() = default;
    /// `gap`: 0 for the balls of one link, -1 for none. `link`: the link of each ball; empty: ball i is link i. Balls
    /// are in the order of the tree.
    ChainExclusion(int gap, const std::vector<Pair>& named, std::vector<std::int32_t> link, std::int64_t balls);

    /// Of the balls first + k, for every k in `others`, those that are compared with this one.
    ELBOWROOM_INLINE unsigned compared(std::int64_t ball, std::int64_t first, unsigned others) const {
        if (gap_ >= 0) others &= link_.empty() ? ~within_gap(first - ball) : beyond_gap(ball, first, others);
        return near_.empty() ? others : unnamed(ball, first, others);
    }
    bool excludes(std::int64_t a, std::int64_t b) const { return !compared(a, b, 1); }
    /// Can any pair of balls of two leaves be excluded? "No" is certain.
    bool concerns(std::int64_t one, std::int64_t other) const;
    ELBOWROOM_INLINE std::int64_t link(std::int64_t ball) const { return link_.empty() ? ball : link_[ball]; }
    int gap() const { return gap_; }
    std::size_t bytes() const {
        return near_.size() * sizeof(near_[0]) + (far_.size() + far_leaves_.size()) * sizeof(Pair) + link_.size() * 4;
    }

private:
    /// The partners of a ball that lie so near along the tree, and the ball itself, are bits of one word, bit `middle`
    /// + k for ball + k. The lowest bit says that it has others, too.
    static constexpr int middle = 32;
    static constexpr std::uint64_t has_far = 1;

    int gap_ = 1;
    std::vector<std::int32_t> link_;
    std::vector<std::uint64_t> near_;  // of each ball; none if the gap is all there is
    std::int64_t reach_ = 0;           // the farthest of them along the tree
    std::vector<Pair> far_;            // all others, sorted, the smaller first
    std::vector<Pair> far_leaves_;     // and the leaves that they are of

    /// The k for which `from` + k is at most the gap from 0.
    ELBOWROOM_INLINE unsigned within_gap(std::int64_t from) const {
        const std::int64_t low = most<std::int64_t>(0, -gap_ - from), high = least<std::int64_t>(31, gap_ - from);
        return low > high ? 0 : ((2u << high) - 1) & ~0u << low;
    }
    ELBOWROOM_INLINE unsigned beyond_gap(std::int64_t ball, std::int64_t first, unsigned others) const {
        unsigned out = 0;
        for (; others; others &= others - 1) {
            const int k = __builtin_ctz(others), apart = link_[first + k] - link_[ball];
            if (apart > gap_ || -apart > gap_) out |= 1u << k;
        }
        return out;
    }
    ELBOWROOM_INLINE unsigned unnamed(std::int64_t ball, std::int64_t first, unsigned others) const {
        const std::uint64_t word = near_[ball] & ~has_far;
        const std::int64_t shift = first - ball + middle;
        if (shift >= 0 && shift < 64) others &= ~unsigned(word >> shift);
        if (shift < 0 && shift > -32) others &= ~unsigned(word << -shift);
        return others && near_[ball] & has_far ? not_far(ball, first, others) : others;
    }
    unsigned not_far(std::int64_t ball, std::int64_t first, unsigned others) const;
};

}  // namespace elbowroom
