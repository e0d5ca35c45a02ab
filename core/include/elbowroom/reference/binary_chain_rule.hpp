#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace elbowroom {

/// Pairs of links that may overlap: those near along the chain, and those that are named.
class ChainExclusions {
public:
    ChainExclusions(int near, std::vector<std::array<std::int32_t, 2>> named) : near_(near), named_(std::move(named)) {
        for (auto& pair : named_)
            if (pair[0] > pair[1]) std::swap(pair[0], pair[1]);
        std::sort(named_.begin(), named_.end());
    }
    int near() const { return near_; }
    /// i < j
    bool has(int i, int j) const {
        return j - i <= near_ || std::binary_search(named_.begin(), named_.end(), std::array<std::int32_t, 2>{i, j});
    }
    std::size_t nbytes() const { return named_.capacity() * sizeof(named_[0]); }

private:
    int near_;
    std::vector<std::array<std::int32_t, 2>> named_;
};

/// Which pairs of nodes have to be looked at. Links at most `exclude` apart along the chain never collide; nor do, in a
/// chain that was free, links with no changed joint between them.
class ChainRule {
public:
    /// Everything counts.
    explicit ChainRule(int exclude) : exclude_(exclude), everything_(true) {}
    /// What the changed joints (sorted) may have broken: nodes in which none of them lies are not opened against
    /// themselves [Lotan2002, section 2.3], and with `pieces` two nodes are only looked at if one lies in or between.
    ChainRule(int exclude, const std::vector<int>& changed, bool pieces)
        : exclude_(exclude), everything_(false), pieces_(pieces), changed_(&changed) {}

    bool everything() const { return everything_; }
    /// Does the piece of chain from link `first` to link `last` matter against itself?
    bool within(int first, int last) const { return last - first > exclude_ && (everything_ || bends(first, last)); }
    /// Do two pieces, of which one begins with `first` and the other ends with `last`, matter against each other?
    bool across(int first, int last) const {
        return last - first > exclude_ && (everything_ || !pieces_ || bends(first, last));
    }

private:
    int exclude_;
    bool everything_, pieces_ = false;
    const std::vector<int>* changed_ = nullptr;

    bool bends(int first, int last) const {
        const auto at = std::lower_bound(changed_->begin(), changed_->end(), first);
        return at != changed_->end() && *at < last;
    }
};

}  // namespace elbowroom
