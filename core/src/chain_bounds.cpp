#include "elbowroom/bodies/chain_bounds.hpp"

#include <array>
#include <cmath>
#include <map>

namespace elbowroom {

namespace {

constexpr double single = 0x1p-24;          // what rounding to single precision changes, relatively
constexpr std::size_t most_rows = 1 << 17;  // 16 megabytes; beyond, there are no bounds
constexpr double tiny = 1e-35;              // what may be lost below the smallest numbers

double size_of(Vec3 v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }

double sum_of(Float8 lanes) {
    float f[8];
    lanes.store(f);
    double x[8];
    for (int i = 0; i < 8; ++i) x[i] = double(f[i]);
    return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
}

}  // namespace

ChainBounds::ChainBounds(const ChainTree& tree, const ChainEnergyLeaves& leaves,
                         const std::vector<ChainPairEnergy>& energies)
    : tree_(tree), leaves_(leaves) {
    int charged = 0, attracting = 0;
    for (const ChainPairEnergy& e : energies) {
        if (!e.is_plain_and_uncut()) return;
        ++(e.form == ChainPairEnergy::Form::coulomb ? charged : attracting);
    }
    if (charged > 1 || attracting > 1 || energies.empty()) return;
    for (const ChainPairEnergy& e : energies) {
        if (e.form == ChainPairEnergy::Form::coulomb) {
            charges_.resize(std::size_t(tree.leaves()));
            for (std::int64_t i = 0; i < tree.balls(); ++i) {
                Charges& c = charges_[std::size_t(i / size)];
                c.q[i % size] = float(e.values[i]), c.sizes[i % size] = std::fabs(c.q[i % size]);
            }
        } else if (!make_rows(e)) {
            return;
        }
    }
    offered_ = true;
}

/// False if there would be too many rows.
bool ChainBounds::make_rows(const ChainPairEnergy& energy) {
    const bool mixed = energy.form == ChainPairEnergy::Form::mixed;
    std::map<std::array<double, 2>, std::int32_t> number;
    std::vector<std::array<double, 2>> values;  // epsilon and sigma of each kind
    for (std::int64_t i = 0; i < tree_.balls(); ++i) {
        if (!mixed) {
            kind_.push_back(energy.kind_of(i));
            continue;
        }
        const std::array<double, 2> own{energy.epsilon[i], energy.sigma[i]};
        const auto [at, is_new] = number.try_emplace(own, std::int32_t(values.size()));
        if (is_new) values.push_back(own);
        kind_.push_back(at->second);
        if (values.size() * std::size_t(tree_.leaves()) > most_rows) return false;
    }
    kinds_ = mixed ? values.size() : std::size_t(energy.kinds);
    if (kinds_ * std::size_t(tree_.leaves()) > most_rows) return false;
    rows_.resize(kinds_ * std::size_t(tree_.leaves()));
    for (std::int64_t ball = 0; ball < tree_.balls(); ++ball)
        for (std::size_t k = 0; k < kinds_; ++k) {
            double sigma, depth;
            if (mixed) {
                const auto &x = values[k], &y = values[std::size_t(kind_[ball])];
                sigma = energy.geometric ? std::sqrt(x[1]) * std::sqrt(y[1]) : (x[1] + y[1]) / 2;
                depth = 4 * std::sqrt(x[0]) * std::sqrt(y[0]);
            } else {
                const std::size_t pair = k * kinds_ + std::size_t(kind_[ball]);
                sigma = energy.sigma[pair], depth = 4 * energy.epsilon[pair];
            }
            if (!(depth >= 0)) return false;  // the size of a sum would not be the sum of sizes
            Row& row = rows_[std::size_t(ball / size) * kinds_ + k];
            row.square[ball % size] = float(sigma * sigma / 4), row.depth[ball % size] = float(depth);
        }
    return true;
}

/// `gap`: no two balls of the places have centres that are nearer.
bool ChainBounds::are_apart(const ChainPlace& p, const ChainPlace& q, double gap) const {
    return q.balls == tree_.valid(q.index) && gap > 0.1 * (double(p.radius) + q.radius) && gap > 1e-15 && gap < 1e15 &&
           gap > 1e-6 * (size_of(p.centre) + size_of(q.centre)) && !leaves_.leaves_out(p.index, q.index);
}

void ChainBounds::add(ChainPlaces& places, std::int32_t one, std::int32_t other, DoubtfulSum& out) const {
    places.exact(one), places.exact(other);
    if (places[other].balls != tree_.valid(places[other].index)) std::swap(one, other);
    const ChainPlace &p = places[one], &q = places[other];
    const double radii = double(p.radius) + q.radius;
    const double gap = length(q.centre - p.centre) * (1 - 1e-6) - radii * (1 + 1e-6);
    if (one != other && are_apart(p, q, gap)) {
        const ChainLeafExact &a = places.exact(one), &b = places.exact(other);
        if (charges_.empty()) return add_apart<false, true>(p, q, a, b, gap, out);
        if (rows_.empty()) return add_apart<true, false>(p, q, a, b, gap, out);
        return add_apart<true, true>(p, q, a, b, gap, out);
    }
    double sum = 0;
    if (leaves_.sum(places, one, other, sum, nullptr)) out.sum += sum, out.sizes += std::fabs(sum);
}

/// docs/theory/chaintree.md derives the doubts.
template <bool charged, bool attracting>
void ChainBounds::add_apart(const ChainPlace& p, const ChainPlace& q, const ChainLeafExact& a, const ChainLeafExact& b,
                            double gap, DoubtfulSum& out) const {
    alignas(32) float x[3][size], y[3][size];  // about the centre of p
    const double centre[3] = {p.centre.x, p.centre.y, p.centre.z};
    for (int m = 0; m < 3; ++m)
        for (int k = 0; k < size; k += 8) {
            const Double4 c(centre[m]);
            to_floats(Double4::load(a.x[m] + k) - c, Double4::load(a.x[m] + k + 4) - c).store(x[m] + k);
            to_floats(Double4::load(b.x[m] + k) - c, Double4::load(b.x[m] + k + 4) - c).store(y[m] + k);
        }
    for (int i = tree_.count(q.index); i < size; ++i) y[0][i] = float(p.radius + gap);  // no ball, but apart from all
    const Float8 three(3.f), none(0.f);
    Float8 some[4] = {none, none, none, none}, sizes = none, sixth = none, twelfth = none;
    const float* own = charged ? charges_[p.index].q : nullptr;
    const Charges* others = charged ? &charges_[q.index] : nullptr;
    const Row* rows = attracting ? &rows_[std::size_t(q.index) * kinds_] : nullptr;
    for (unsigned todo = p.balls; todo; todo &= todo - 1) {
        const int i = __builtin_ctz(todo);
        const Float8 at[3] = {x[0][i], x[1][i], x[2][i]};
        const Row* row = attracting ? &rows[kind_[std::size_t(p.index) * size + i]] : nullptr;
        Float8 in_row = none, size_of_row = none;
        for (int k = 0; k < size; k += 8) {
            const Float8 u = Float8::load(y[0] + k) - at[0], v = Float8::load(y[1] + k) - at[1],
                         w = Float8::load(y[2] + k) - at[2];
            const Float8 d2 = multiply_add(u, u, multiply_add(v, v, w * w));
            const Float8 rough = rough_reciprocal_root(d2);
            const Float8 twice = rough * negated_multiply_add(d2 * rough, rough, three);  // 2 / d, by Newton's method
            if (charged) {
                in_row = multiply_add(Float8::load(others->q + k), twice, in_row);
                size_of_row = multiply_add(Float8::load(others->sizes + k), twice, size_of_row);
            }
            if (attracting) {
                const Float8 s2 = Float8::load(row->square + k) * (twice * twice), s6 = s2 * s2 * s2;
                const Float8 m = Float8::load(row->depth + k) * s6;
                sixth = sixth + m;
                twelfth = multiply_add(m, s6, twelfth);
            }
        }
        if (charged) {  // four sums in turn, so that no number takes part in more than six additions
            const Float8 half(0.5f * own[i]), next = multiply_add(half, in_row, some[0]);
            some[0] = some[1], some[1] = some[2], some[2] = some[3], some[3] = next;
            sizes = multiply_add(absolute(half), size_of_row, sizes);
        }
    }
    const double skew = 2 * double(p.radius) / gap;
    double sum = 0, doubt = tiny, all = 0;
    if (charged) {
        sum += sum_of((some[0] + some[1]) + (some[2] + some[3]));
        all = sum_of(sizes), doubt += single * (24 + skew) * all;
    }
    if (attracting) {
        const double low = sum_of(sixth), high = sum_of(twelfth);
        sum += high - low, doubt += single * (220 + 12 * skew) * (high + low), all += high + low;
    }
    doubt *= 1.0001;
    if (!std::isfinite(doubt) || !std::isfinite(sum)) sum = 0, doubt = HUGE_VAL;
    out.sum += sum, out.doubt += doubt, out.sizes += all;
}

}  // namespace elbowroom
