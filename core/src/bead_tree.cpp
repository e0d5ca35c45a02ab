#include "elbowroom/trees/bead_tree.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "elbowroom/limits.hpp"

namespace elbowroom {

namespace {

constexpr int size = BeadTree::leaf_size;
constexpr float nowhere = 1e30f;
// Times this, coordinates that are 1.0001 times too large are infinite, and coordinates within the limits are not.
constexpr double to_infinity = 1.7976e293;
static_assert(to_infinity < std::numeric_limits<double>::max() / limits.largest_number);
static_assert(to_infinity > std::numeric_limits<double>::max() / limits.largest_number / 1.0001);

/// A float is off by half an ulp at most, 6e-8 of it; tiny ones by less than 1e-37.
ELBOWROOM_INLINE Float8 slack(Float8 x) { return multiply_add(Float8(1.2e-7f), absolute(x), Float8(1e-37f)); }

/// Sixteen beads: their coordinates about the origin in single precision.
struct LeafLanes {
    Float4 four[3][4];
    ELBOWROOM_INLINE Float8 half(int k, int i) const { return joined(four[k][2 * i], four[k][2 * i + 1]); }
};

/// The origin, as it lies under twelve coordinates in a row.
struct Origin {
    Double4 under[3];
    explicit Origin(Vec3 o) : under{{o.x, o.y, o.z, o.x}, {o.y, o.z, o.x, o.y}, {o.z, o.x, o.y, o.z}} {}
};

/// Reads 48 numbers, copies them, and adds to `doubt` what is zero for numbers within the limits and NaN for others.
ELBOWROOM_INLINE LeafLanes read_leaf(const double* from, double* to, const Origin& origin, Double4& doubt) {
    LeafLanes out;
    for (int g = 0; g < 4; ++g) {
        Float4 part[3];
        for (int k = 0; k < 3; ++k) {
            const Double4 v = Double4::load(from + 12 * g + 4 * k);
            v.store(to + 12 * g + 4 * k);
            doubt = multiply_add(v * Double4(to_infinity), Double4(0.), doubt);
            part[k] = to_floats(v - origin.under[k]);
        }
        sort_coordinates(part[0], part[1], part[2], out.four[0][g], out.four[1][g], out.four[2][g]);
    }
    return out;
}

/// The squared distance to where the beads were; NaN where there is none.
ELBOWROOM_INLINE Float8 squared_shift(const LeafLanes& now, const float* was, int half) {
    Float8 sum(0.f);
    for (int k = 0; k < 3; ++k) {
        const Float8 d = now.half(k, half) - Float8::load(was + size * k + 8 * half);
        sum = multiply_add(d, d, sum);
    }
    return sum;
}

ELBOWROOM_INLINE void set_fours(BeadFours& out, const LeafLanes& lanes) {
    for (int k = 0; k < 3; ++k) {
        Float4 x[4] = {lanes.four[k][0], lanes.four[k][1], lanes.four[k][2], lanes.four[k][3]};
        transpose(x);
        out.low[k] = least(least(x[0], x[1]), least(x[2], x[3]));
        out.high[k] = most(most(x[0], x[1]), most(x[2], x[3]));
    }
}

/// The least and largest lanes of eight leaves, along the axes of the boxes.
struct EightLeaves {
    Float8 low[4][8], high[4][8];
    EightLeaves() {
        for (int k = 0; k < 4; ++k)
            for (int q = 0; q < 8; ++q) {
                low[k][q] = Float8(nowhere);
                high[k][q] = Float8(-nowhere);
            }
    }
    ELBOWROOM_INLINE void set(int axis, int leaf, Float8 a, Float8 b) {
        low[axis][leaf] = least(a, b);
        high[axis][leaf] = most(a, b);
    }
};

/// Boxes of the first `count` children; the others stay empty.
void set_boxes(BeadNode& n, const EightLeaves& leaves, int count, bool flat) {
    const Float8 there = lanes_where((1u << count) - 1);
    Float8 off(0.f);
    for (int k = 0; k < (flat ? 4 : 3); ++k) {
        const Float8 low = smallest_of_each(leaves.low[k]), high = largest_of_each(leaves.high[k]);
        if (flat && k < 2) off = off + slack(most(absolute(low), absolute(high)));
        const bool diagonal = flat && k > 1;  // rounded as much as x and y together, and once more
        const Float8 down = diagonal ? off + off : slack(low), up = diagonal ? off + off : slack(high);
        select(there, low - down, Float8(nowhere)).store(n.low[k]);
        select(there, high + up, Float8(-nowhere)).store(n.high[k]);
    }
}

/// A length from the largest square found, never too small: coordinates are off by 6e-8 of the extent each, and squares
/// below 1e-37 may be lost.
double shift_of(Float8 most_squared, double extent) {
    return std::sqrt(double(largest(most_squared)) + 1e-37) * (1 + 1e-6) + 3e-7 * extent;
}

}  // namespace

BeadTree::BeadTree(std::vector<double> radii, bool flat)
    : radii_(std::move(radii)), leaves_(std::int32_t((radii_.size() + size - 1) / size)), flat_(flat) {
    places_ = LargeArray<BeadLeaf>(std::size_t(leaves_) + 1);
    fours_ = LargeArray<BeadFours>(leaves_);
    for (std::size_t i = 0; i < places_.size(); ++i)
        for (float& x : places_[i].x) x = std::numeric_limits<float>::quiet_NaN();
    for (std::int32_t n = leaves_; levels_.empty() || n > 1;) {
        n = (n + 7) / 8;
        levels_.emplace_back(n);
        for (std::int32_t i = 0; i < n; ++i)
            for (int q = 0; q < 8; ++q) {
                for (int k = 0; k < 4; ++k) {
                    levels_.back()[i].low[k][q] = nowhere;
                    levels_.back()[i].high[k][q] = -nowhere;
                }
                levels_.back()[i].radius[q] = -1;
            }
    }
    set_radii(std::move(radii_));
}

void BeadTree::set_radii(std::vector<double> radii) {
    radii_ = std::move(radii);
    uniform_ = std::all_of(radii_.begin(), radii_.end(), [&](double r) { return r == radii_[0]; });
    for (std::size_t i = 0; i < levels_[0].size(); ++i)
        for (float& r : levels_[0][i].radius) r = -1;
    rounded_radii_.assign(std::size_t(leaves_ + 1) * size, -1.f);  // one may read on behind the last leaf
    for (std::size_t i = 0; i < radii_.size(); ++i) {
        rounded_radii_[i] = float(radii_[i]) * 1.0000002f + 1e-37f;
        float& of_leaf = levels_[0][i / size >> 3].radius[i / size & 7];
        of_leaf = most(of_leaf, rounded_radii_[i]);
    }
    for (int level = 2; level <= levels(); ++level)
        for (std::int32_t i = 0; i < count(level - 1); ++i)
            levels_[level - 1][i >> 3].radius[i & 7] = largest(Float8::load(levels_[level - 2][i].radius));
}

/// Calls work(leaf, lanes) for every leaf; missing beads are copies of the last one.
template <class Do>
bool BeadTree::each_leaf(const double* from, double* to, Do&& work) const {
    const Origin origin(origin_);
    Double4 doubt(0.);
    const std::int32_t full = beads() / size;
    for (std::int32_t l = 0; l < full; ++l)
        work(l, read_leaf(from + std::size_t(l) * 3 * size, to + std::size_t(l) * 3 * size, origin, doubt));
    if (const int rest = beads() % size) {
        double padded[3 * size], copied[3 * size];
        const double* first = from + std::size_t(full) * 3 * size;
        for (int i = 0; i < size; ++i) std::memcpy(padded + 3 * i, first + 3 * least(i, rest - 1), 3 * sizeof(double));
        work(full, read_leaf(padded, copied, origin, doubt));
        std::memcpy(to + std::size_t(full) * 3 * size, padded, 3 * rest * sizeof(double));
    }
    double sum[4];
    doubt.store(sum);
    return sum[0] + sum[1] + sum[2] + sum[3] == 0;
}

bool BeadTree::refit(const double* from, double* to) {
    const bool moves_origin = !fitted_ || largest(absolute(middle_)) > 0.75 * extent_;
    if (!fitted_)
        origin_ = {from[0], from[1], from[2]};
    else if (moves_origin)
        origin_ = origin_ + middle_;
    Float8 shift(0.f);
    EightLeaves leaves;
    const bool finite = each_leaf(from, to, [&](std::int32_t l, const LeafLanes& lanes) {
        float* place = places_[l].x;
        const int q = l & 7;
        for (int half = 0; half < 2; ++half) shift = most(squared_shift(lanes, place, half), shift);
        for (int k = 0; k < 3; ++k) {
            const Float8 a = lanes.half(k, 0), b = lanes.half(k, 1);
            a.store(place + size * k);
            b.store(place + size * k + 8);
            leaves.set(k, q, a, b);
        }
        if (flat_) {
            const Diagonals a(lanes.half(0, 0), lanes.half(1, 0)), b(lanes.half(0, 1), lanes.half(1, 1));
            leaves.set(2, q, a.up, b.up);
            leaves.set(3, q, a.down, b.down);
        }
        set_fours(fours_[l], lanes);
        if (q == 7 || l == leaves_ - 1) set_boxes(levels_[0][l >> 3], leaves, q + 1, flat_);
    });
    for (int i = beads() % size; i > 0 && i < size; ++i)
        for (int k = 0; k < 3; ++k) places_[leaves_ - 1].x[size * k + i] = std::numeric_limits<float>::quiet_NaN();
    if (!finite) return fitted_ = false;
    refit_nodes();
    const double was = extent_;
    measure();
    step_ = moves_origin ? far_away : shift_of(shift, most(was, extent_));
    return fitted_ = true;
}

void BeadTree::refit_nodes() {
    for (int level = 2; level <= levels(); ++level)
        for (std::int32_t i = 0; i < count(level - 1); ++i) {
            const BeadNode& below = levels_[level - 2][i];
            BeadNode& n = levels_[level - 1][i >> 3];
            for (int k = 0; k < (flat_ ? 4 : 3); ++k) {
                n.low[k][i & 7] = smallest(Float8::load(below.low[k]));
                n.high[k][i & 7] = largest(Float8::load(below.high[k]));
            }
        }
}

void BeadTree::measure() {
    const BeadNode& root = levels_.back()[0];
    extent_ = 0;
    for (int k = 0; k < (flat_ ? 2 : 3); ++k) {
        const double low = smallest(Float8::load(root.low[k])), high = largest(Float8::load(root.high[k]));
        middle_[k] = 0.5 * (low + high);
        extent_ = most(extent_, most(-low, high));
    }
    // two roundings of 6e-8 of the extent along each of three axes, and some room
    error_ = float(3e-7 * extent_ + 1e-37);
}

bool BeadTree::follow(const double* from, double* to, double& farthest) const {
    Float8 shift(0.f), outer(0.f);
    const bool finite = each_leaf(from, to, [&](std::int32_t l, const LeafLanes& lanes) {
        const float* place = leaf(l);
        for (int half = 0; half < 2; ++half) {
            shift = most(squared_shift(lanes, place, half), shift);
            for (int k = 0; k < 3; ++k) outer = most(absolute(lanes.half(k, half)), outer);
        }
    });
    farthest = shift_of(shift, most(extent_, double(largest(outer))));
    return finite;
}

double BeadTree::leaf_sides() const {
    double sum = 0;
    for (std::int32_t l = 0; l < leaves_; ++l)
        for (int k = 0; k < 3; ++k) sum += double(node(1, l >> 3).high[k][l & 7]) - node(1, l >> 3).low[k][l & 7];
    return sum;
}

std::string BeadTree::validate(const Vec3* centres) const {
    for (std::int32_t i = 0; i < beads(); ++i) {
        const Vec3 p = centres[i] - origin_;
        const double along[4] = {p.x, p.y, flat_ ? (p.x + p.y) * std::sqrt(0.5) : p.z, (p.x - p.y) * std::sqrt(0.5)};
        std::int32_t index = i / size;
        for (int level = 1; level <= levels(); ++level, index >>= 3) {
            const BeadNode& n = node(level, index >> 3);
            for (int k = 0; k < (flat_ ? 4 : 3); ++k)
                if (!(n.low[k][index & 7] <= along[k] && along[k] <= n.high[k][index & 7]))
                    return "bead " + std::to_string(i) + " is outside its box at level " + std::to_string(level);
            if (!(radii_[i] <= n.radius[index & 7]))
                return "bead " + std::to_string(i) + " is larger than its box at level " + std::to_string(level) +
                       " says";
        }
        for (int k = 0; k < 3; ++k)
            if (!(std::fabs(leaf(i / size)[size * k + i % size] - p[k]) <= 1.2e-7 * std::fabs(p[k]) + 1e-44))
                return "bead " + std::to_string(i) + " is elsewhere in single precision";
    }
    return {};
}

std::size_t BeadTree::bytes() const {
    std::size_t sum = radii_.size() * 8 + rounded_radii_.size() * 4 + places_.size() * sizeof(BeadLeaf) +
                      fours_.size() * sizeof(BeadFours);
    for (const auto& level : levels_) sum += level.size() * sizeof(BeadNode);
    return sum;
}

}  // namespace elbowroom
