#include "elbowroom/bodies/chain_energy_leaves.hpp"

namespace elbowroom {

namespace {

constexpr std::size_t most_rows = 1 << 16;  // 25 megabytes; beyond, rows are made when they are needed
constexpr double slack = 1 + 1e-6;          // of radii in single precision

double sum_of(Vec3 v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }

}  // namespace

ChainEnergyLeaves::ChainEnergyLeaves(const ChainTree& tree, const ChainExclusion& exclusion, const ChainEnergy& energy)
    : tree_(tree), exclusion_(exclusion), energy_(energy) {
    for (std::int64_t i = 0; i < tree.balls(); ++i)
        smallest_ = least(smallest_, tree.radii()[i]), largest_ = most(largest_, tree.radii()[i]);
    const bool clashes = energy.form == ChainEnergy::Form::clashes;
    reach_ = clashes ? 0 : most(0.0, energy.cutoff - 2 * smallest_);
    far_ = clashes ? 2 * largest_ * slack : energy.cutoff;
    if (energy.form == ChainEnergy::Form::lennard_jones) make_rows();
}

void ChainEnergyLeaves::make_rows() {
    const std::size_t leaves = std::size_t(tree_.leaves());
    if (leaves * energy_.kinds > most_rows && energy_.kinds > 1) return;
    for (std::size_t leaf = 0; leaf < (energy_.kinds == 1 ? 1 : leaves); ++leaf)
        for (int kind = 0; kind < energy_.kinds; ++kind) rows_.push_back(row(std::int64_t(leaf), kind));
    for (std::int64_t ball = 0; ball < std::int64_t(leaves) * size; ++ball)
        row_.push_back(ball < tree_.balls() ? energy_.kind_of(ball) * std::int32_t(sizeof(Row) / sizeof(double)) : 0);
}

ChainEnergyLeaves::Row ChainEnergyLeaves::row(std::int64_t leaf, int kind) const {
    Row out{};
    for (int i = 0; i < (energy_.kinds == 1 ? size : tree_.count(leaf)); ++i) {
        const int pair = energy_.kinds == 1 ? 0 : energy_.kinds * kind + energy_.kind_of(leaf * size + i);
        out.square[i] = energy_.sigma[pair] * energy_.sigma[pair];
        out.depth[i] = 4 * energy_.epsilon[pair], out.offset[i] = energy_.offset[pair];
    }
    return out;
}

/// The balls whose centres can be within the cutoff of the centre of a ball in a ball about `centre`.
unsigned ChainEnergyLeaves::within(const ChainLeafExact& balls, Vec3 centre, double radius) const {
    const double far = radius * slack - smallest_ + far_ * slack;
    const Double4 x(centre.x), y(centre.y), z(centre.z), limit(far * far);
    unsigned out = 0;
    for (int k = 0; k < size; k += 4) {
        const Double4 u = Double4::load(balls.x[0] + k) - x, v = Double4::load(balls.x[1] + k) - y,
                      w = Double4::load(balls.x[2] + k) - z;
        out |= (~lanes_of(greater(multiply_add(u, u, multiply_add(v, v, w * w)), limit)) & 15) << k;
    }
    return out;
}

bool ChainEnergyLeaves::sum(ChainPlaces& places, std::int32_t one, std::int32_t other, double& sum,
                            ChainLookout* lookout) const {
    places.exact(one), places.exact(other);  // either may move the other
    const ChainPlace &p = places[one], &q = places[other];
    const ChainLeafExact &a = places.exact(one), &b = places.exact(other);
    const unsigned near_a = p.balls & within(a, q.centre, q.radius);
    if (!near_a) return false;
    const unsigned near_b = q.balls & within(b, p.centre, p.radius);
    if (!near_b) return false;
    const double doubt = rounding * (sum_of(p.centre) + sum_of(q.centre) + 4.0 * (p.radius + q.radius));
    const bool some = exclusion_.concerns(p.index, q.index);
    // Parts of one leaf have no ball in common, two places of the same balls have all.
    const bool same = p.index == q.index && (p.balls & q.balls);
    // As few rows as possible: a row is one ball against fours of the other leaf.
    auto cost = [](unsigned rows, unsigned others) {
        const unsigned two = others | others >> 1, four = (two | two >> 2) & 0x1111;
        return __builtin_popcount(rows) * __builtin_popcount(four);
    };
    const Facing f = cost(near_a, near_b) <= cost(near_b, near_a) || same
                         ? Facing{a, b, p.index, q.index, near_a, near_b, same, some, doubt}
                         : Facing{b, a, q.index, p.index, near_b, near_a, false, some, doubt};
    double closest2 = 0;
    const bool any = rows_.empty() ? one_by_one(f, sum) : lennard_jones(f, sum, closest2);
    const double touching = 2 * largest_ + doubt;
    if (lookout && any && closest2 <= touching * touching * slack) look_for_contact(f, *lookout);
    return any;
}

/// The balls of b that ball i of a is compared with.
ELBOWROOM_INLINE unsigned ChainEnergyLeaves::compared(const Facing& f, int i) const {
    const unsigned out = f.same ? f.near_b & ~0u << (i + 1) : f.near_b;
    return f.careful ? exclusion_.compared(f.leaf_a * size + i, f.leaf_b * size, out) : out;
}

/// The balls of a against so many fours of b, which stay in registers.
template <int open>
void ChainEnergyLeaves::find(const Facing& f, const int* fours, Found& found) const {
    const double* table = rows_[energy_.kinds == 1 ? 0 : std::size_t(f.leaf_b) * energy_.kinds].square;
    const std::int32_t* row = &row_[f.leaf_a * size];
    const Double4 limit(far_ * far_);
    Vec3x4 b[open];
    for (int n = 0; n < open; ++n) {
        const int k = fours[n];
        b[n] = {Double4::load(f.b.x[0] + k), Double4::load(f.b.x[1] + k), Double4::load(f.b.x[2] + k)};
    }
    int count = 0;
    for (unsigned todo = f.near_a; todo; todo &= todo - 1) {
        const int i = __builtin_ctz(todo);
        const unsigned others = compared(f, i);
        const Vec3x4 at{Double4(f.a.x[0][i]), Double4(f.a.x[1][i]), Double4(f.a.x[2][i])};
        for (int n = 0; n < open; ++n) {
            const Vec3x4 apart = b[n] - at;
            const Double4 d2 = dot(apart, apart);
            const unsigned inside = ~lanes_of(greater(d2, limit)) & others >> fours[n] & 15;
            d2.store(found.d2 + 4 * count), found.row[count] = table + row[i] + fours[n], found.inside[count] = inside;
            count += inside != 0;
        }
    }
    found.count = count;
}

/// First all distances, then the energies of those fours that have a ball within the cutoff: which these are can not be
/// foreseen, and a branch for each would cost more than its energy.
bool ChainEnergyLeaves::lennard_jones(const Facing& f, double& sum, double& closest2) const {
    Found found;
    int fours[size / 4], open = 0;
    for (int k = 0; k < size; k += 4)
        if (f.near_b >> k & 15) fours[open++] = k;
    if (open == 1) find<1>(f, fours, found);
    if (open == 2) find<2>(f, fours, found);
    if (open == 3) find<3>(f, fours, found);
    if (open == 4) find<4>(f, fours, found);
    Double4 total(0.), closest(far_away);
    const Double4 one(1.);
    for (int n = 0; n < found.count; ++n) {
        const double* row = found.row[n];
        const Double4 d2 = Double4::load(found.d2 + 4 * n), inside = four_lanes_where(found.inside[n]);
        const Double4 s2 = Double4::load(row) / d2, s6 = s2 * s2 * s2;
        const Double4 value = Double4::load(row + size) * (s6 * (s6 - one)) - Double4::load(row + 2 * size);
        total = total + (value & inside), closest = least(closest, select(inside, d2, closest));
    }
    double s[4], c[4];
    total.store(s), closest.store(c);
    sum = (s[0] + s[1]) + (s[2] + s[3]), closest2 = least(least(c[0], c[1]), least(c[2], c[3]));
    return found.count > 0;
}

/// Calls visit(balls) for all that are compared, until it returns true.
template <class Visit>
void ChainEnergyLeaves::each_pair(const Facing& f, Visit&& visit) const {
    for (unsigned todo = f.near_a; todo; todo &= todo - 1) {
        const int i = __builtin_ctz(todo);
        const std::int64_t ball = f.leaf_a * size + i;
        for (unsigned others = compared(f, i); others; others &= others - 1) {
            const int j = __builtin_ctz(others);
            const std::int64_t other = f.leaf_b * size + j;
            const double radii = tree_.radii()[ball] + tree_.radii()[other];
            if (visit(NearBalls(ball, other, f.a.at(i), f.b.at(j), radii, f.doubt))) return;
        }
    }
}

bool ChainEnergyLeaves::one_by_one(const Facing& f, double& sum) const {
    bool any = false;
    sum = 0;
    each_pair(f, [&](const NearBalls& n) {
        if (energy_.form == ChainEnergy::Form::clashes) {
            if (n.gap <= 0) sum += 1, any = true;
        } else if (n.apart2 <= far_ * far_) {
            sum += energy_(n.apart2, n.a, n.b), any = true;
        }
        return false;
    });
    return any;
}

void ChainEnergyLeaves::look_for_contact(const Facing& f, ChainLookout& lookout) const {
    each_pair(f, [&](const NearBalls& n) {
        if (n.gap > 0 || n.a == lookout.pivot_ball || n.b == lookout.pivot_ball) return false;
        lookout.a = least(n.a, n.b), lookout.b = most(n.a, n.b);
        return true;
    });
}

}  // namespace elbowroom
