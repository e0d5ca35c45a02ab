#include <array>
#include <cmath>

#include "reference_baseline_chain.hpp"

namespace elbowroom {

namespace {

using Cell = std::array<std::int64_t, 3>;

/// All balls go into cells that are as wide as the largest of them, found by a hash table; each looks at those before
/// it in its own cell, and at those in 13 of the 26 cells around, since the others look from the other side.
class GridChain final : public BaselineChain {
public:
    using BaselineChain::BaselineChain;

private:
    std::vector<std::int32_t> heads_, next_;  // a list for each bucket
    std::vector<Cell> cells_;

    bool find_collision(Counters& counters) override {
        prepare();
        const double side = cell_side();
        for (int i = 0; i < links(); ++i) {
            const Vec3 p = centres()[i];
            cells_[i] = {std::int64_t(std::floor(p.x / side)), std::int64_t(std::floor(p.y / side)),
                         std::int64_t(std::floor(p.z / side))};
            std::int32_t& head = heads_[bucket(cells_[i])];
            next_[i] = head;
            head = i;
        }
        for (int i = 0; i < links(); ++i)
            if (meets_another(i, counters)) return true;
        return false;
    }
    void prepare() {
        std::size_t buckets = 2;
        while (buckets < 2 * centres().size()) buckets *= 2;
        heads_.assign(buckets, -1);
        next_.resize(centres().size());
        cells_.resize(centres().size());
    }
    /// As wide as the largest ball, and a little more for rounding: what touches lies in neighbouring cells.
    double cell_side() const {
        double largest_radius = 0, reach = 0;
        for (const double r : radii()) largest_radius = most(largest_radius, r);
        for (const Vec3& p : centres()) reach = most(reach, largest(absolute(p)));
        const double side = 2 * largest_radius * (1 + 1e-12) + 1e-12 * reach;
        return side > 0 ? side : 1;
    }
    std::size_t bucket(const Cell& c) const {
        std::uint64_t h = 0;
        for (const std::int64_t k : c) {
            h = (h ^ std::uint64_t(k)) * 0x9e3779b97f4a7c15ull;
            h ^= h >> 29;
        }
        return h & (heads_.size() - 1);
    }
    bool meets_another(int i, Counters& counters) const {
        const Cell own = cells_[i];
        if (meets_in(own, i, next_[i], counters)) return true;  // those that were put there before it
        for (int k = 14; k < 27; ++k) {
            const Cell cell{own[0] + k / 9 - 1, own[1] + k / 3 % 3 - 1, own[2] + k % 3 - 1};
            if (meets_in(cell, i, heads_[bucket(cell)], counters)) return true;
        }
        return false;
    }
    bool meets_in(const Cell& cell, int i, std::int32_t list, Counters& counters) const {
        ++counters.pairs_visited;
        for (std::int32_t j = list; j >= 0; j = next_[j]) {
            if (cells_[j] != cell || !counts(i, j)) continue;
            ++counters.leaf_tests;
            if (touches(i, j)) return true;
        }
        return false;
    }
};

}  // namespace

std::unique_ptr<BaselineChain> make_grid_chain(std::vector<Vec3> positions, std::vector<double> radii, int exclude) {
    return std::make_unique<GridChain>(std::move(positions), std::move(radii), exclude);
}

}  // namespace elbowroom
