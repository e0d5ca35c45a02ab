#include "elbowroom/bodies/necklace_power.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "necklace_power_hull.hpp"

namespace elbowroom {

namespace {

/// Beads on a line: the lower hull of the lifted beads in the order along it.
class PowerLine final : public PowerShape {
public:
    PowerLine(const double* positions, std::vector<double> radii) : radii_(std::move(radii)) { move(positions); }

    bool move(const double* positions) override {
        const std::vector<unsigned char> barred = barred_beads(1, positions, radii_);
        std::vector<std::int32_t> order;
        for (std::size_t i = 0; i < radii_.size(); ++i)
            if (!barred[i]) order.push_back(std::int32_t(i));
        std::sort(order.begin(), order.end(), [&](auto a, auto b) { return positions[a] < positions[b]; });
        chain_.clear();
        for (const std::int32_t i : order) {
            while (chain_.size() > 1 && is_covered(positions, chain_.end()[-2], chain_.back(), i)) chain_.pop_back();
            chain_.push_back(i);
        }
        return true;
    }
    PowerCells cells() const override {
        PowerCells out;
        out.corners = 2;
        std::vector<unsigned char> seen(radii_.size());
        for (const std::int32_t i : chain_) seen[i] = 1;
        for (std::size_t k = 0; k + 1 < chain_.size(); ++k) {
            const auto [a, b] = std::minmax(chain_[k], chain_[k + 1]);
            out.edges.push_back({a, b}), out.simplices.insert(out.simplices.end(), {a, b});
        }
        std::sort(out.edges.begin(), out.edges.end());
        for (std::size_t i = 0; i < seen.size(); ++i)
            if (!seen[i]) out.hidden.push_back(std::int32_t(i));
        return out;
    }

private:
    std::vector<double> radii_;
    std::vector<std::int32_t> chain_;  // beads with a cell, in order

    /// Where the cells of a and c meet is before the place where those of b and c do, so nothing is left to b.
    bool is_covered(const double* x, std::int32_t a, std::int32_t b, std::int32_t c) const {
        auto lift = [&](std::int32_t i) {  // seen from b
            return (x[i] - x[b]) * (x[i] - x[b]) - (radii_[i] - radii_[b]) * (radii_[i] + radii_[b]);
        };
        return lift(a) * (x[c] - x[b]) <= lift(c) * (x[a] - x[b]);
    }
};

/// So few beads that they are one simplex, or one of them is all there is.
class PowerFew final : public PowerShape {
public:
    PowerFew(int dimension, const double* positions, const std::vector<double>& radii)
        : barred_(barred_beads(dimension, positions, radii)) {}

    bool move(const double*) override { return false; }
    PowerCells cells() const override {
        PowerCells out;
        for (std::int32_t i = 0; i < std::int32_t(barred_.size()); ++i)
            (barred_[i] ? out.hidden : out.simplices).push_back(i);
        out.corners = int(out.simplices.size());
        for (const std::int32_t a : out.simplices)
            for (const std::int32_t b : out.simplices)
                if (a < b) out.edges.push_back({a, b});
        return out;
    }

private:
    std::vector<unsigned char> barred_;
};

std::unique_ptr<PowerShape> shape_for(int dimension, const double* positions, std::vector<double> radii,
                                      const PowerComplex& given) {
    const std::vector<unsigned char> barred = barred_beads(dimension, positions, radii);
    const auto apart = std::count(barred.begin(), barred.end(), 0);
    if (apart <= dimension + 1) return std::make_unique<PowerFew>(dimension, positions, radii);
    if (dimension == 1) return std::make_unique<PowerLine>(positions, std::move(radii));
    if (dimension == 2) return std::make_unique<PowerHull<2>>(positions, std::move(radii), given);
    return std::make_unique<PowerHull<3>>(positions, std::move(radii), given);
}

}  // namespace

PowerTriangulation::PowerTriangulation(int dimension, const std::vector<double>& positions, std::vector<double> radii,
                                       const PowerComplex& given)
    : dimension_(dimension), beads_(std::int64_t(radii.size())) {
    shape_ = shape_for(dimension, positions.data(), std::move(radii), given);
    cells_ = shape_->cells();
}

bool PowerTriangulation::move(const std::vector<double>& positions) {
    if (!shape_->move(positions.data())) return false;
    const std::vector<PrimitivePair> before = std::move(cells_.edges);
    cells_ = shape_->cells();
    events_ += changed_edges(before, cells_.edges);
    return true;
}

std::uint64_t changed_edges(const std::vector<PrimitivePair>& before, const std::vector<PrimitivePair>& after) {
    std::uint64_t common = 0;
    for (auto a = before.begin(), b = after.begin(); a != before.end() && b != after.end();) {
        common += *a == *b;
        const bool first = *a <= *b, second = *b <= *a;
        a += first, b += second;
    }
    return before.size() + after.size() - 2 * common;
}

std::vector<unsigned char> barred_beads(int dimension, const double* positions, const std::vector<double>& radii) {
    const std::size_t beads = radii.size(), buckets = std::bit_ceil(2 * beads + 1);
    std::vector<unsigned char> out(beads);
    std::vector<std::int32_t> owner(buckets, -1);
    auto at = [&](std::size_t i, int k) { return positions[dimension * i + k] + 0.0; };  // one zero, not two
    for (std::size_t i = 0; i < beads; ++i) {
        std::uint64_t key = 0;
        for (int k = 0; k < dimension; ++k)
            key = (key ^ std::bit_cast<std::uint64_t>(at(i, k))) * 0x9e3779b97f4a7c15ull, key ^= key >> 29;
        auto is_at = [&](std::int32_t j) {
            for (int k = 0; k < dimension; ++k)
                if (at(i, k) != at(j, k)) return false;
            return true;
        };
        std::size_t b = key & (buckets - 1);
        while (owner[b] >= 0 && !is_at(owner[b])) b = (b + 1) & (buckets - 1);
        if (owner[b] >= 0) out[radii[i] > radii[owner[b]] ? owner[b] : i] = 1;
        if (owner[b] < 0 || radii[i] > radii[owner[b]]) owner[b] = std::int32_t(i);
    }
    return out;
}

}  // namespace elbowroom
