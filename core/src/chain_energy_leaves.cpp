#include "elbowroom/bodies/chain_energy_leaves.hpp"

#include <algorithm>

namespace elbowroom {

namespace {

constexpr std::size_t most_rows = 1 << 16;  // 25 megabytes; beyond, rows are made when they are needed
constexpr double slack = 1 + 1e-6;          // of radii in single precision

double sum_of(Vec3 v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }

}  // namespace

ChainEnergyLeaves::ChainEnergyLeaves(const ChainTree& tree, const ChainExclusion& exclusion,
                                     const std::vector<ChainPairEnergy>& energies)
    : tree_(tree), exclusion_(exclusion) {
    for (std::int64_t i = 0; i < tree.balls(); ++i) {
        smallest_ = least(smallest_, tree.radii()[i]);
        largest_ = most(largest_, tree.radii()[i]);
    }
    if (energies.empty()) far_ = -1;            // sees no contact, not even of points
    std::vector<const ChainPairEnergy*> first;  // of each part
    for (const ChainPairEnergy& e : energies) {
        const bool clashes = e.form == ChainPairEnergy::Form::clashes;
        reach_ = most(reach_, clashes ? 0 : e.cutoff - 2 * smallest_);
        far_ = most(far_, clashes ? 2 * largest_ * slack : e.cutoff);
        std::size_t k = 0;
        while (k < first.size() && (first[k]->own_pairs != e.own_pairs || first[k]->excluded != e.excluded)) ++k;
        if (k == first.size()) {
            first.push_back(&e);
            Part& made = parts_.emplace_back();
            made.by_chain = !e.own_pairs;
            if (!e.excluded.empty()) made.rule.emplace(-1, e.excluded, std::vector<std::int32_t>(), tree.balls());
        }
        parts_[k].curves.push_back(curve(e));
    }
    for (Part& part : parts_) part.uncut = is_uncut(part);
}

ChainEnergyLeaves::Curve ChainEnergyLeaves::curve(const ChainPairEnergy& energy) const {
    using Form = ChainPairEnergy::Form;
    Curve out{energy};
    if (energy.form == Form::lennard_jones) make_rows(out);
    out.in_fours = energy.is_of_each_ball() || !out.rows.empty();
    const std::size_t lanes = std::size_t(tree_.leaves()) * size;
    if (energy.form == Form::coulomb) out.extent = energy.values;
    if (energy.form == Form::mixed)
        for (std::size_t i = 0; i < energy.sigma.size(); ++i) {
            out.depth.push_back(2 * std::sqrt(energy.epsilon[i]));
            out.extent.push_back(energy.geometric ? std::sqrt(energy.sigma[i]) : energy.sigma[i] / 2);
        }
    if (!out.depth.empty()) out.depth.resize(lanes);
    if (!out.extent.empty()) out.extent.resize(lanes);
    return out;
}

void ChainEnergyLeaves::make_rows(Curve& c) const {
    const std::size_t leaves = std::size_t(tree_.leaves());
    const ChainPairEnergy& e = c.energy;
    if (leaves * e.kinds > most_rows && e.kinds > 1) return;
    for (std::size_t leaf = 0; leaf < (e.kinds == 1 ? 1 : leaves); ++leaf)
        for (int kind = 0; kind < e.kinds; ++kind) c.rows.push_back(row(e, std::int64_t(leaf), kind));
    for (std::int64_t ball = 0; ball < std::int64_t(leaves) * size; ++ball)
        c.row.push_back(ball < tree_.balls() ? e.kind_of(ball) * std::int32_t(sizeof(Row) / sizeof(double)) : 0);
}

ChainEnergyLeaves::Row ChainEnergyLeaves::row(const ChainPairEnergy& e, std::int64_t leaf, int kind) const {
    Row out{};
    for (int i = 0; i < (e.kinds == 1 ? size : tree_.count(leaf)); ++i) {
        const int pair = e.kinds == 1 ? 0 : e.kinds * kind + e.kind_of(leaf * size + i);
        out.square[i] = e.sigma[pair] * e.sigma[pair];
        out.depth[i] = 4 * e.epsilon[pair];
        out.offset[i] = e.offset[pair];
    }
    return out;
}

bool ChainEnergyLeaves::leaves_out(std::int64_t one, std::int64_t other) const {
    const bool by_chain = exclusion_.concerns(one, other);
    return std::any_of(parts_.begin(), parts_.end(), [&](const Part& part) {
        return (part.by_chain && by_chain) || (part.rule && part.rule->concerns(one, other));
    });
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
    // Parts of one leaf have no ball in common, two places of the same balls have all.
    const bool same = p.index == q.index && (p.balls & q.balls);
    // As few rows as possible: a row is one ball against fours of the other leaf.
    auto cost = [](unsigned rows, unsigned others) {
        const unsigned two = others | others >> 1, four = (two | two >> 2) & 0x1111;
        return __builtin_popcount(rows) * __builtin_popcount(four);
    };
    Facing f = cost(near_a, near_b) <= cost(near_b, near_a) || same
                   ? Facing{a, b, p.index, q.index, near_a, near_b, same, doubt}
                   : Facing{b, a, q.index, p.index, near_b, near_a, false, doubt};
    sum = 0;
    bool any = false, seen = false;  // are balls that touch among those that are compared?
    double closest2 = far_away;
    const bool by_chain = exclusion_.concerns(p.index, q.index);
    for (const Part& part : parts_) {
        f.rule = part.rule && part.rule->concerns(p.index, q.index) ? &*part.rule : nullptr;
        f.by_chain = part.by_chain && by_chain;
        any |= sum_part(part, f, sum, lookout ? &closest2 : nullptr);
        seen |= !f.rule;
    }
    const double touching = 2 * largest_ + doubt;
    if (lookout && (!seen || (any && closest2 <= touching * touching * slack))) {
        f.rule = nullptr;
        f.by_chain = by_chain;
        look_for_contact(f, *lookout);
    }
    return any;
}

/// The balls of a against so many fours of b, which stay in registers.
template <int open>
void ChainEnergyLeaves::find(const Facing& f, const int* fours, Found& found) const {
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
            d2.store(found.d2 + 4 * count);
            found.ball[count] = static_cast<unsigned char>(i);
            found.four[count] = static_cast<unsigned char>(fours[n]);
            found.inside[count] = static_cast<unsigned char>(inside);
            count += inside != 0;
        }
    }
    found.count = count;
}

/// First all distances, then the energies of those fours that have a ball within the cutoff: which these are can not be
/// foreseen, and a branch for each would cost more than its energy.
void ChainEnergyLeaves::find(const Facing& f, Found& found) const {
    int fours[size / 4], open = 0;
    for (int k = 0; k < size; k += 4)
        if (f.near_b >> k & 15) fours[open++] = k;
    if (open == 1) find<1>(f, fours, found);
    if (open == 2) find<2>(f, fours, found);
    if (open == 3) find<3>(f, fours, found);
    if (open == 4) find<4>(f, fours, found);
}

double ChainEnergyLeaves::closest(const Found& found) const {
    Double4 closest(far_away);
    for (int n = 0; n < found.count; ++n) {
        const Double4 d2 = Double4::load(found.d2 + 4 * n);
        closest = least(closest, select(four_lanes_where(found.inside[n]), d2, closest));
    }
    double c[4];
    closest.store(c);
    return least(least(c[0], c[1]), least(c[2], c[3]));
}

/// The sum of value(n, squared distances) over what was found within the cutoff of one energy.
template <class Value>
ELBOWROOM_INLINE double ChainEnergyLeaves::added(const Found& found, const ChainPairEnergy& energy,
                                                 Value&& value) const {
    Double4 total(0.);
    const Double4 none(0.), one(1.), limit(energy.cutoff * energy.cutoff);
    const bool nearer = energy.cutoff < far_, switches = energy.switches();
    const Double4 begin(energy.switch_from), width(switches ? energy.cutoff - energy.switch_from : 1);
    if (!switches && !nearer) {  // nothing is left to decide for each four
        for (int n = 0; n < found.count; ++n)
            total = total + (value(n, Double4::load(found.d2 + 4 * n)) & four_lanes_where(found.inside[n]));
    } else {
        for (int n = 0; n < found.count; ++n) {
            const Double4 d2 = Double4::load(found.d2 + 4 * n);
            Double4 v = value(n, d2);
            if (switches) {
                const Double4 x = most((square_root(d2) - begin) / width, none);
                v = v * (one - x * x * x * (Double4(10.) - x * (Double4(15.) - Double4(6.) * x)));
            }
            if (nearer) v = select(greater(d2, limit), none, v);
            total = total + (v & four_lanes_where(found.inside[n]));
        }
    }
    double s[4];
    total.store(s);
    return (s[0] + s[1]) + (s[2] + s[3]);
}

double ChainEnergyLeaves::sum_curve(const Curve& c, const Facing& f, const Found& found) const {
    const ChainPairEnergy& e = c.energy;
    const Double4 one(1.), none(0.);
    if (e.form == ChainPairEnergy::Form::lennard_jones) {
        const double* table = c.rows[e.kinds == 1 ? 0 : std::size_t(f.leaf_b) * e.kinds].square;
        const std::int32_t* rows = &c.row[f.leaf_a * size];
        return added(found, e, [&](int n, Double4 d2) {
            const double* row = table + rows[found.ball[n]] + found.four[n];
            const Double4 s2 = Double4::load(row) / d2, s6 = s2 * s2 * s2;
            return Double4::load(row + size) * (s6 * (s6 - one)) - Double4::load(row + 2 * size);
        });
    }
    const double *own = &c.extent[f.leaf_a * size], *others = &c.extent[f.leaf_b * size];
    if (e.form == ChainPairEnergy::Form::coulomb) {
        const Double4 field(e.field), offset(e.offset_at_cutoff);
        auto charges = [&](int n) { return Double4(own[found.ball[n]]) * Double4::load(others + found.four[n]); };
        // Balls without a charge have no energy at any distance.
        auto in = [&](Double4 q, Double4 v) { return q * v & different(q, none); };
        if (e.by_square) return added(found, e, [&](int n, Double4 d2) { return in(charges(n), one / d2 - offset); });
        return added(found, e,
                     [&](int n, Double4 d2) { return in(charges(n), one / square_root(d2) + field * d2 - offset); });
    }
    const double *own_depth = &c.depth[f.leaf_a * size], *depths = &c.depth[f.leaf_b * size];
    const Double4 limit(e.cutoff * e.cutoff);
    const bool geometric = e.geometric, shifted = e.shifted;
    return added(found, e, [&](int n, Double4 d2) {
        const Double4 x(own[found.ball[n]]), y = Double4::load(others + found.four[n]);
        const Double4 sigma = geometric ? x * y : x + y, square = sigma * sigma;
        const Double4 depth = Double4(own_depth[found.ball[n]]) * Double4::load(depths + found.four[n]);
        const Double4 s2 = square / d2, s6 = s2 * s2 * s2;
        Double4 v = s6 * (s6 - one);
        if (shifted) {
            const Double4 c2 = square / limit, c6 = c2 * c2 * c2;
            v = v - c6 * (c6 - one);
        }
        return depth * v & different(depth * square, none);
    });
}

/// Adds the energies of a part; false if no pair is within the cutoff. `closest2`: what is as near or nearer is kept.
bool ChainEnergyLeaves::sum_part(const Part& part, const Facing& f, double& sum, double* closest2) const {
    if (part.uncut && !closest2) return sum += sum_uncut(part, f), true;
    Found found;
    bool searched = false, any = false;
    for (const Curve& c : part.curves) {
        if (!c.in_fours) {
            any |= one_by_one(c.energy, f, sum);
            if (closest2) *closest2 = 0;  // was not measured
            continue;
        }
        if (!std::exchange(searched, true)) find(f, found);
        if (found.count > 0) sum += sum_curve(c, f, found);
    }
    if (searched && closest2) *closest2 = least(*closest2, closest(found));
    return any || found.count > 0;
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

bool ChainEnergyLeaves::one_by_one(const ChainPairEnergy& energy, const Facing& f, double& sum) const {
    bool any = false;
    const double far2 = energy.cutoff * energy.cutoff;
    double own = 0;
    each_pair(f, [&](const NearBalls& n) {
        if (energy.form == ChainPairEnergy::Form::clashes) {
            if (n.gap <= 0) own += 1, any = true;
        } else if (n.apart2 <= far2) {
            own += energy(n.apart2, n.a, n.b), any = true;
        }
        return false;
    });
    sum += own;
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
