// Lennard-Jones and charges without a cutoff: all pairs count, so both are summed in one pass.
#include "elbowroom/bodies/chain_energy_leaves.hpp"

namespace elbowroom {

bool ChainEnergyLeaves::is_uncut(const Part& part) {
    int charges = 0;
    for (const Curve& c : part.curves) {
        if (!c.in_fours || !c.energy.is_plain_and_uncut()) return false;
        charges += c.energy.form == ChainPairEnergy::Form::coulomb;
    }
    return charges <= 1 && part.curves.size() - std::size_t(charges) <= 1;
}

/// `lennard_jones(ball of a, its four of b, the inverse of the squared distances)`.
template <bool charged, class LennardJones>
ELBOWROOM_INLINE double ChainEnergyLeaves::sum_uncut(const Facing& f, const Curve* charges,
                                                     LennardJones&& lennard_jones) const {
    const Double4 none(0.), one(1.);
    Double4 total(0.);
    for (unsigned todo = f.near_a; todo; todo &= todo - 1) {
        const int i = __builtin_ctz(todo);
        const unsigned others = compared(f, i);
        const Vec3x4 at{Double4(f.a.x[0][i]), Double4(f.a.x[1][i]), Double4(f.a.x[2][i])};
        for (int k = 0; k < size; k += 4) {
            const unsigned inside = others >> k & 15;
            if (!inside) continue;
            const Vec3x4 b{Double4::load(f.b.x[0] + k), Double4::load(f.b.x[1] + k), Double4::load(f.b.x[2] + k)};
            const Vec3x4 apart = b - at;
            const Double4 inverse = one / square_root(dot(apart, apart));
            Double4 v = lennard_jones(i, k, inverse * inverse);
            if (charged) {
                const double* q = charges->extent.data();
                const Double4 both = Double4(q[f.leaf_a * size + i]) * Double4::load(q + f.leaf_b * size + k);
                v = v +
                    (both * inverse & different(both, none));  // without a charge there is no energy at any distance
            }
            total = total + (inside == 15 ? v : v & four_lanes_where(inside));
        }
    }
    double s[4];
    total.store(s);
    return (s[0] + s[1]) + (s[2] + s[3]);
}

double ChainEnergyLeaves::sum_uncut(const Part& part, const Facing& f) const {
    const Curve *charges = nullptr, *lj = nullptr;
    for (const Curve& c : part.curves) (c.energy.form == ChainPairEnergy::Form::coulomb ? charges : lj) = &c;
    const Double4 one(1.), none(0.);
    auto sum = [&](auto&& lennard_jones) {
        return charges ? sum_uncut<true>(f, charges, lennard_jones) : sum_uncut<false>(f, charges, lennard_jones);
    };
    if (!lj) return sum([&](int, int, Double4) { return none; });
    if (lj->energy.form == ChainPairEnergy::Form::lennard_jones) {
        const double* table = lj->rows[lj->energy.kinds == 1 ? 0 : std::size_t(f.leaf_b) * lj->energy.kinds].square;
        const std::int32_t* rows = &lj->row[f.leaf_a * size];
        return sum([&](int i, int k, Double4 inverse2) {
            const double* row = table + rows[i] + k;
            const Double4 s2 = Double4::load(row) * inverse2, s6 = s2 * s2 * s2;
            return Double4::load(row + size) * (s6 * (s6 - one));
        });
    }
    const double *extent_a = &lj->extent[f.leaf_a * size], *extent_b = &lj->extent[f.leaf_b * size];
    const double *depth_a = &lj->depth[f.leaf_a * size], *depth_b = &lj->depth[f.leaf_b * size];
    const bool geometric = lj->energy.geometric;
    return sum([&](int i, int k, Double4 inverse2) {
        const Double4 x(extent_a[i]), y = Double4::load(extent_b + k), sigma = geometric ? x * y : x + y;
        const Double4 depth = Double4(depth_a[i]) * Double4::load(depth_b + k), square = sigma * sigma;
        const Double4 s2 = square * inverse2, s6 = s2 * s2 * s2;
        return depth * (s6 * (s6 - one)) & different(depth * square, none);
    });
}

}  // namespace elbowroom
