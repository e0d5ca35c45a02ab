#include <algorithm>
#include <array>
#include <string>

#include "elbowroom/interruption.hpp"
#include "elbowroom/trees/sorted_beads.hpp"

namespace elbowroom {

namespace {

/// Three bits at a time, from the coarsest: where a cell lies along a Hilbert curve, by the rule of Hamilton's "Compact
/// Hilbert indices" (2006). `cell` is the octant, a bit for each axis.
class HilbertCurve {
public:
    struct Step {
        std::uint8_t place, next;
    };
    HilbertCurve() {
        for (int entry = 0; entry < 8; ++entry)
            for (int axis = 0; axis < 3; ++axis)
                for (int cell = 0; cell < 8; ++cell) {
                    const int turned = rotated(cell ^ entry, 2 - axis);  // to the right by axis + 1
                    int place = 0;
                    while (gray(place) != turned) ++place;
                    const int begin = place ? gray(2 * ((place - 1) / 2)) : 0;
                    const int along = place ? ones(place % 2 ? place : place - 1) % 3 : 0;
                    const int next = entry ^ rotated(begin, axis + 1), turn = (axis + along + 1) % 3;
                    steps_[state(entry, axis)][cell] = {std::uint8_t(place), std::uint8_t(state(next, turn))};
                }
    }
    ELBOWROOM_INLINE std::uint32_t place(std::uint32_t x, std::uint32_t y, std::uint32_t z, int levels) const {
        std::uint32_t out = 0;
        int at = 0;
        for (int level = levels - 1; level >= 0; --level) {
            const Step step = steps_[at][(x >> level & 1) | (y >> level & 1) << 1 | (z >> level & 1) << 2];
            out = out << 3 | step.place;
            at = step.next;
        }
        return out;
    }

private:
    std::array<std::array<Step, 8>, 24> steps_;

    static int state(int entry, int axis) { return 3 * entry + axis; }
    static int gray(int i) { return i ^ i >> 1; }
    static int rotated(int bits, int by) { return ((bits << by % 3) | (bits >> (3 - by % 3))) & 7; }
    static int ones(int i) { return __builtin_ctz(~unsigned(i)); }  // at the end
};

}  // namespace

SortedBeads::SortedBeads(const std::vector<Vec3>& centres, const std::vector<double>& radii, const Lattice* lattice)
    : radii_(radii),
      largest_(*std::max_element(radii.begin(), radii.end())),
      tree_(radii, false),
      order_(radii.size()),
      spare_(radii.size()),
      wrapped_(radii.size()),
      centres_(radii.size()) {
    place(centres, lattice);
}

void SortedBeads::place(const std::vector<Vec3>& centres, const Lattice* lattice) {
    check_interruption();
    for (std::size_t i = 0; i < centres.size(); ++i) wrapped_[i] = lattice ? lattice->wrapped(centres[i]) : centres[i];
    sort();
    for (std::size_t i = 0; i < order_.size(); ++i) centres_[i] = wrapped_[order_[i].ball];
    if (!tree_.uniform()) {
        std::vector<double> radii(radii_.size());
        for (std::size_t i = 0; i < radii.size(); ++i) radii[i] = radii_[order_[i].ball];
        tree_.set_radii(std::move(radii));
    }
    tree_.refit(&centres_[0].x, &centres_[0].x);
}

std::string SortedBeads::validate() const {
    std::vector<bool> seen(order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) {
        const std::int32_t ball = order_[i].ball;
        if (ball < 0 || ball >= std::int32_t(seen.size()) || seen[ball])
            return "ball " + std::to_string(ball) + " is not in the order once";
        seen[ball] = true;
        if (!(centres_[i] == wrapped_[ball]) || tree_.radius(std::int64_t(i)) != radii_[ball])
            return "ball " + std::to_string(ball) + " is not at its place";
    }
    return tree_.validate(centres_.data());
}

/// Along the curve through cells that hold about one ball each.
void SortedBeads::sort() {
    static const HilbertCurve curve;
    Vec3 low = wrapped_[0], high = low;
    for (const Vec3& p : wrapped_) low = lower_of(low, p), high = upper_of(high, p);
    const Vec3 sides = high - low;
    const double extent = most(largest(sides), 1e-300), thin = 1e-3 * extent;
    const double volume = most(sides.x, thin) * most(sides.y, thin) * most(sides.z, thin);
    const double cells = extent / std::cbrt(volume / double(wrapped_.size()));
    const int levels = int(least(10.0, most(1.0, std::ceil(std::log2(cells)))));
    const double scale = double(1 << levels) / extent * (1 - 1e-12);
    auto cell = [&](double x, double from) {
        return least(std::uint32_t((x - from) * scale), (std::uint32_t(1) << levels) - 1);
    };
    for (std::size_t i = 0; i < wrapped_.size(); ++i) {
        const Vec3 p = wrapped_[i];
        order_[i] = {curve.place(cell(p.x, low.x), cell(p.y, low.y), cell(p.z, low.z), levels), std::int32_t(i)};
    }
    constexpr int digit = 10;
    for (int shift = 0; shift < 3 * levels; shift += digit) {
        std::array<std::uint32_t, 1 << digit> first{};
        auto of = [&](const Key& k) { return k.key >> shift & ((1u << digit) - 1); };
        for (const Key& k : order_) ++first[of(k)];
        std::uint32_t sum = 0;
        for (std::uint32_t& f : first) sum += std::exchange(f, sum);
        for (const Key& k : order_) spare_[first[of(k)]++] = k;
        order_.swap(spare_);
    }
}

}  // namespace elbowroom
