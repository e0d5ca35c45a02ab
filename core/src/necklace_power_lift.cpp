#include "necklace_power_lift.hpp"

#include <algorithm>
#include <cmath>

namespace elbowroom {

namespace {

constexpr int grid = 61;
constexpr int nudge_bits = grid - 46;
constexpr double unit = 0x1p-53;
constexpr double off = 0x1p-45 + 2 * unit;  // of a difference of two coordinates: two nudges and rounding
constexpr double lightest = -0x1p64;        // a determinant, 3 coordinates and a lift, has 3 * 62 + 64 + 122 + 5 bits
constexpr std::size_t most_seen = 64;       // beads in a mean

/// Bits that look random.
std::uint64_t scrambled(std::uint64_t key) {
    key += 0x9e3779b97f4a7c15ull;
    key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9ull;
    key = (key ^ (key >> 27)) * 0x94d049bb133111ebull;
    return key ^ (key >> 31);
}

// n with n . y = (-1)^D det(rows, y): it points away from the inner point if the rows are of a tuple that faces it.
std::array<double, 3> normal_of(const std::array<double, 3>& a, const std::array<double, 3>& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
std::array<double, 4> normal_of(const std::array<double, 4>& a, const std::array<double, 4>& b,
                                const std::array<double, 4>& c) {
    auto minor = [&](int i, int j) { return a[i] * b[j] - a[j] * b[i]; };
    const double m01 = minor(0, 1), m02 = minor(0, 2), m03 = minor(0, 3), m12 = minor(1, 2), m13 = minor(1, 3),
                 m23 = minor(2, 3);
    return {c[1] * m23 - c[2] * m13 + c[3] * m12, c[2] * m03 - c[0] * m23 - c[3] * m02,
            c[0] * m13 - c[1] * m03 + c[3] * m01, c[1] * m02 - c[0] * m12 - c[2] * m01};
}
template <std::size_t N>
double dot(const std::array<double, N>& a, const std::array<double, N>& b) {
    double sum = a[0] * b[0];
    for (std::size_t k = 1; k < N; ++k) sum += a[k] * b[k];
    return sum;
}

using Flat2 = std::array<std::int64_t, 2>;
using Flat3 = std::array<std::int64_t, 3>;

// (-1)^D times the determinant of D flat rows.
Wide flat_determinant(const Flat2& a, const Flat2& b) { return Int128(a[0]) * b[1] - Int128(a[1]) * b[0]; }
Wide flat_determinant(const Flat3& a, const Flat3& b, const Flat3& c) {
    auto term = [&](int i, int j, int k) { return Wide(Int128(a[j]) * b[i] - Int128(a[i]) * b[j]) * Wide(c[k]); };
    return term(1, 2, 0) + term(2, 0, 1) + term(0, 1, 2);
}

}  // namespace

template <int D>
LiftedBeads<D>::LiftedBeads(std::vector<double> radii)
    : at_(radii.size()), nudges_(radii.size()), radii_(std::move(radii)), inner_{} {
    nudge(0);
}

template <int D>
void LiftedBeads<D>::nudge(std::uint64_t salt) {
    for (std::size_t i = 0; i < nudges_.size(); ++i)
        for (int k = 0; k < D; ++k)
            nudges_[i][k] = std::int32_t(scrambled(D * i + k + (salt << 40)) >> (63 - nudge_bits)) - (1 << nudge_bits);
}

template <int D>
void LiftedBeads<D>::place(const double* positions) {
    double half = 0;
    std::array<double, D> middle;
    for (int k = 0; k < D; ++k) {
        double low = positions[k], high = low;
        for (std::size_t i = 0; i < at_.size(); ++i)
            low = std::min(low, positions[D * i + k]), high = std::max(high, positions[D * i + k]);
        middle[k] = low + (high - low) / 2, half = std::max(half, (high - low) / 2);
    }
    int exponent = 0;
    if (half > 0) std::frexp(half, &exponent);
    const double scale = std::ldexp(1.0, -exponent), largest = scale * *std::max_element(radii_.begin(), radii_.end());
    for (std::size_t i = 0; i < at_.size(); ++i) {
        for (int k = 0; k < D; ++k) at_[i].x[k] = (positions[D * i + k] - middle[k]) * scale;
        const double radius = radii_[i] * scale;
        at_[i].weight = std::max((radius - largest) * (radius + largest), lightest);
    }
}

template <int D>
void LiftedBeads<D>::look_from(const std::vector<std::int32_t>& beads) {
    std::uint32_t total = 0;
    std::array<Int128, D> sum{};
    wide_inner_.lift = Wide();
    for (std::size_t n = 0; n < beads.size(); n += beads.size() / most_seen + 1) {
        const std::int32_t i = beads[n];
        const std::uint32_t share = 1 + scrambled(~std::uint64_t(i)) % 4;  // unequal: the middle is a place of symmetry
        Wide lift = Wide::scaled(-at_[i].weight, 2 * grid);
        for (int k = 0; k < D; ++k) {
            const std::int64_t x = on_grid(i, k);
            sum[k] += Int128(x) * share, lift = lift + Wide(Int128(x) * x);
        }
        total += share, wide_inner_.lift = wide_inner_.lift + lift * Wide(share);
    }
    for (int k = 0; k < D; ++k) {
        wide_inner_.x[k] = std::int64_t(sum[k] / total);
        inner_[k] = double(wide_inner_.x[k]) * 0x1p-61;
    }
    wide_inner_.lift = wide_inner_.lift / total;
    inner_[D] = wide_inner_.lift.to_double(-2 * grid);
}

template <int D>
std::array<double, D + 1> LiftedBeads<D>::lifted(std::int32_t bead) const {
    std::array<double, D + 1> out{};
    out[D] = -at_[bead].weight;
    for (int k = 0; k < D; ++k) out[k] = double(on_grid(bead, k)) * 0x1p-61, out[D] += out[k] * out[k];
    return out;
}

template <int D>
typename LiftedBeads<D>::Row LiftedBeads<D>::row(const Bead& base, const Bead& bead) const {
    Row out;
    double squares = 0;
    out.size = 0;
    for (int k = 0; k < D; ++k) {
        const double d = bead.x[k] - base.x[k];
        out.x[k] = d, squares += d * d, out.size = std::max(out.size, std::fabs(d));
    }
    const double weights = base.weight - bead.weight;
    out.x[D] = squares + weights;
    out.doubt = 2 * D * off * (out.size + off) + 8 * unit * (squares + std::fabs(weights));
    return out;
}

template <int D>
typename LiftedBeads<D>::Row LiftedBeads<D>::inner_row(const Bead& base) const {
    Row out;
    double lift = inner_[D] + base.weight, sizes = std::fabs(inner_[D]) + std::fabs(base.weight);
    out.size = 0;
    for (int k = 0; k < D; ++k) {
        const double term = (base.x[k] - 2 * inner_[k]) * base.x[k];
        out.x[k] = inner_[k] - base.x[k], lift += term, sizes += std::fabs(term);
        out.size = std::max(out.size, std::fabs(out.x[k]));
    }
    out.x[D] = lift, out.doubt = 4 * D * off + 16 * unit * sizes;
    return out;
}

/// The bound: each entry of the rows may be off by `off`, each lift by its row's doubt, which the other rows multiply;
/// and the operations round, relative to the permanents. Terms of second order are covered by the factor 2 of `sign`.
template <int D>
typename LiftedBeads<D>::Plane LiftedBeads<D>::plane(const Tuple& of) const {
    Plane out;
    out.of = of;
    const Bead& base = at_[of[0]];
    if constexpr (D == 2) {
        const Row a = row(base, at_[of[1]]), b = row(base, at_[of[2]]);
        out.normal = normal_of(a.x, b.x);
        const double la = std::fabs(a.x[2]), lb = std::fabs(b.x[2]);
        out.doubt_flat = a.doubt * b.size + b.doubt * a.size + off * (la + lb) + 4 * unit * (la * b.size + lb * a.size);
        out.doubt_lifted = 2 * off * (a.size + b.size) + 8 * unit * a.size * b.size;
    } else {
        const Row a = row(base, at_[of[1]]), b = row(base, at_[of[2]]), c = row(base, at_[of[3]]);
        out.normal = normal_of(a.x, b.x, c.x);
        const double ab = a.size * b.size, bc = b.size * c.size, ca = c.size * a.size;
        const double la = std::fabs(a.x[3]), lb = std::fabs(b.x[3]), lc = std::fabs(c.x[3]);
        out.doubt_flat = 2 * (a.doubt * bc + b.doubt * ca + c.doubt * ab) +
                         2 * off * (la * (b.size + c.size) + lb * (c.size + a.size) + lc * (a.size + b.size)) +
                         16 * unit * (la * bc + lb * ca + lc * ab);
        out.doubt_lifted = 6 * off * (ab + bc + ca) + 48 * unit * ab * c.size;
    }
    out.flat = 0;
    for (int k = 0; k < D; ++k) out.flat += std::fabs(out.normal[k]);
    return out;
}

template <int D>
int LiftedBeads<D>::sign(const Plane& p, const Row& r) const {
    const double value = dot(p.normal, r.x), lift = std::fabs(r.x[D]), along = std::fabs(p.normal[D]);
    const double doubt = D * p.doubt_flat * r.size + p.doubt_lifted * lift + off * p.flat + r.doubt * along +
                         8 * unit * (p.flat * r.size + along * lift);
    return value > 2 * doubt ? 1 : value < -2 * doubt ? -1 : 0;
}

template <int D>
int LiftedBeads<D>::side(const Plane& p, std::int32_t bead) const {
    if (const int found = sign(p, row(at_[p.of[0]], at_[bead]))) return found;
    return wide_sign(p.of, wide_row(p.of[0], bead));
}

template <int D>
int LiftedBeads<D>::facing(const Plane& p) const {
    if (const int found = sign(p, inner_row(at_[p.of[0]]))) return -found;
    return -wide_sign(p.of, wide_inner_row(p.of[0]));
}

template <int D>
double LiftedBeads<D>::sinking(const Plane& p, std::int32_t bead) const {
    const Bead& base = at_[p.of[0]];
    const double beyond = dot(p.normal, row(base, at_[bead]).x), inside = dot(p.normal, inner_row(base).x);
    return beyond / (beyond - inside);
}

template <int D>
bool LiftedBeads<D>::is_lower(const Plane& p) const {
    if (std::fabs(p.normal[D]) > 2 * p.doubt_lifted) return p.normal[D] < 0;
    const WideRow a = wide_row(p.of[0], p.of[1]), b = wide_row(p.of[0], p.of[2]);
    if constexpr (D == 2)
        return flat_determinant(a.x, b.x).sign() < 0;
    else
        return flat_determinant(a.x, b.x, wide_row(p.of[0], p.of[3]).x).sign() < 0;
}

template <int D>
bool LiftedBeads<D>::is_under_inner(const Tuple& of) const {
    std::array<std::array<std::int64_t, D>, D + 1> at;
    for (int k = 0; k < D; ++k) {
        bool left = false, right = false;
        for (int i = 0; i <= D; ++i) {
            at[i][k] = on_grid(of[i], k) - wide_inner_.x[k];
            left |= at[i][k] <= 0, right |= at[i][k] >= 0;
        }
        if (!left || !right) return false;
    }
    bool plus = false, minus = false;
    for (int i = 0; i <= D; ++i) {  // without i, in cyclic order, which is even for three and alternates for four
        auto other = [&](int j) { return at[(i + j) % (D + 1)]; };
        int turn;
        if constexpr (D == 2)
            turn = flat_determinant(other(1), other(2)).sign();
        else
            turn = flat_determinant(other(1), other(2), other(3)).sign() * (i % 2 ? -1 : 1);
        plus |= turn > 0, minus |= turn < 0;
    }
    return !(plus && minus);
}

template <int D>
typename LiftedBeads<D>::WideRow LiftedBeads<D>::wide_row(std::int32_t base, std::int32_t bead) const {
    WideRow out;
    Int128 squares = 0;
    for (int k = 0; k < D; ++k) {
        out.x[k] = on_grid(bead, k) - on_grid(base, k);
        squares += Int128(out.x[k]) * out.x[k];
    }
    out.lift = Wide(squares);
    if (at_[base].weight != at_[bead].weight)
        out.lift = out.lift + Wide::scaled(at_[base].weight, 2 * grid) - Wide::scaled(at_[bead].weight, 2 * grid);
    return out;
}

template <int D>
typename LiftedBeads<D>::WideRow LiftedBeads<D>::wide_inner_row(std::int32_t base) const {
    WideRow out;
    out.lift = wide_inner_.lift + Wide::scaled(at_[base].weight, 2 * grid);
    for (int k = 0; k < D; ++k) {
        const std::int64_t x = on_grid(base, k), o = wide_inner_.x[k];
        out.x[k] = o - x;
        out.lift = out.lift + Wide(Int128(x - 2 * o) * x);
    }
    return out;
}

/// The sign of n . last for the normal n of a tuple: by cofactors of the lifts.
template <int D>
int LiftedBeads<D>::wide_sign(const Tuple& of, const WideRow& last) const {
    const WideRow a = wide_row(of[0], of[1]), b = wide_row(of[0], of[2]);
    if constexpr (D == 2) {
        return (a.lift * flat_determinant(b.x, last.x) - b.lift * flat_determinant(a.x, last.x) +
                last.lift * flat_determinant(a.x, b.x))
            .sign();
    } else {
        const WideRow c = wide_row(of[0], of[3]);
        return (b.lift * flat_determinant(a.x, c.x, last.x) - a.lift * flat_determinant(b.x, c.x, last.x) -
                c.lift * flat_determinant(a.x, b.x, last.x) + last.lift * flat_determinant(a.x, b.x, c.x))
            .sign();
    }
}

template class LiftedBeads<2>;
template class LiftedBeads<3>;

}  // namespace elbowroom
