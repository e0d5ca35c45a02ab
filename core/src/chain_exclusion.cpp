#include "elbowroom/bodies/chain_exclusion.hpp"

#include <algorithm>

namespace elbowroom {

namespace {

constexpr int size = ChainLeaf::size;

using Pair = ChainExclusion::Pair;

Pair in_order(std::int64_t a, std::int64_t b) { return {std::int32_t(least(a, b)), std::int32_t(most(a, b))}; }

void sort_once(std::vector<Pair>& pairs) {
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

}  // namespace

ChainExclusion::ChainExclusion(int gap, const std::vector<Pair>& named, std::vector<std::int32_t> link,
                               std::int64_t balls)
    : gap_(gap), link_(std::move(link)) {
    if (named.empty() && gap >= 0) return;
    near_.assign(std::size_t(balls), std::uint64_t(1) << middle);
    for (const Pair& p : named) {
        const auto [a, b] = in_order(p[0], p[1]);
        if (b - a < middle) {
            near_[a] |= std::uint64_t(1) << (middle + (b - a)), near_[b] |= std::uint64_t(1) << (middle - (b - a));
            reach_ = most<std::int64_t>(reach_, b - a);
        } else {
            far_.push_back({a, b}), far_leaves_.push_back({a / size, b / size});
        }
    }
    for (const Pair& p : far_)
        for (const std::int32_t ball : p) near_[ball] |= has_far;
    sort_once(far_), sort_once(far_leaves_);
}

bool ChainExclusion::concerns(std::int64_t one, std::int64_t other) const {
    const std::int64_t first = least(one, other), last = most(one, other), apart = (last - first) * size;
    if (gap_ >= 0) {
        const std::int64_t end = link_.empty() ? 0 : least<std::int64_t>((first + 1) * size, link_.size());
        if (link_.empty() ? apart < gap_ + size : link_[last * size] - link_[end - 1] <= gap_) return true;
    }
    if (near_.empty()) return false;
    return apart < reach_ + size || std::binary_search(far_leaves_.begin(), far_leaves_.end(), in_order(first, last));
}

unsigned ChainExclusion::not_far(std::int64_t ball, std::int64_t first, unsigned others) const {
    unsigned out = 0;
    for (; others; others &= others - 1) {
        const int k = __builtin_ctz(others);
        if (!std::binary_search(far_.begin(), far_.end(), in_order(ball, first + k))) out |= 1u << k;
    }
    return out;
}

}  // namespace elbowroom
