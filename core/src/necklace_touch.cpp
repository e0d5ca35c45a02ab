#include "elbowroom/bodies/necklace_touch.hpp"

namespace elbowroom {

NecklaceTouch::NecklaceTouch(std::int32_t beads, int gap, std::vector<BeadPair> named)
    : beads_(beads), gap_(gap), named_(std::move(named)) {
    for (BeadPair& p : named_)
        if (p[0] > p[1]) std::swap(p[0], p[1]);
    std::erase_if(named_, [&](const BeadPair& p) { return p[0] == p[1] || p[1] - p[0] <= gap_; });
    std::sort(named_.begin(), named_.end());
    named_.erase(std::unique(named_.begin(), named_.end()), named_.end());
    const std::int64_t n = beads, near = least<std::int64_t>(most(gap, 0), n - 1);
    const std::int64_t by_gap = near * n - near * (near + 1) / 2;
    every_ = by_gap + std::int64_t(named_.size()) == n * (n - 1) / 2;
    if (!named_.empty()) index_by_leaves();
}

void NecklaceTouch::index_by_leaves() {
    constexpr std::int32_t size = BeadTree::leaf_size;
    std::vector<BeadPair> in_order = named_;
    auto leaves = [](const BeadPair& p) { return BeadPair{p[0] / size, p[1] / size}; };
    std::sort(in_order.begin(), in_order.end(),
              [&](const BeadPair& x, const BeadPair& y) { return leaves(x) < leaves(y); });
    first_.assign(std::size_t((beads_ + size - 1) / size) + 1, 0);
    diagonals_.assign(first_.size() - 1, {});
    BeadPair last{-1, -1};
    for (const BeadPair& p : in_order) {
        if (const BeadPair here = leaves(p); here != last) {
            leaf_.push_back(here[1]), rows_.push_back({}), ++first_[here[0] + 1];
            last = here;
        }
        rows_.back()[p[0] % size] |= std::uint16_t(1u << p[1] % size);
        if (last[0] == last[1]) diagonals_[last[0]][p[1] - p[0]] |= std::uint16_t(1u << p[0] % size);
    }
    for (std::size_t l = 1; l < first_.size(); ++l) first_[l] += first_[l - 1];
}

std::vector<NecklaceTouch::BeadPair> NecklaceTouch::pairs() const {
    std::vector<BeadPair> out = named_;
    for (std::int32_t i = 0; i < beads_; ++i)
        for (std::int32_t j = i + 1; j < beads_ && j - i <= gap_; ++j) out.push_back({i, j});
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace elbowroom
