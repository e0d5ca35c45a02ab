#pragma once
#include <type_traits>

#include "elbowroom/bodies/chain_exclusion.hpp"
#include "elbowroom/narrow/near_balls.hpp"
#include "elbowroom/traversal/pair.hpp"
#include "elbowroom/trees/chain_places.hpp"

namespace elbowroom {

/// Settles at the first pair, whichever it is.
struct AnyOverlap {
    bool operator()(const NearBalls&) const { return true; }
};

/// What two leaves of chains mean: sixteen balls against sixteen, eight at a time in single precision, and what is near
/// once more in double.
class ChainLeaves {
public:
    /// `exclusion`: for pairs within one chain; none for two chains.
    ChainLeaves(ChainPlaces& places, const ChainExclusion* exclusion) : places_(places), exclusion_(exclusion) {}

    /// Calls sink(i, j) for balls that touch or overlap.
    template <class Sink>
    bool overlap(const Pair& pair, Counters& counters, Sink& sink) const {
        return near_pairs<std::is_same_v<Sink, AnyOverlap>>(
            pair, counters, [] { return 0.f; }, [&](const NearBalls& n) { return n.gap <= 0 && sink(n); });
    }
    void nearest(const Pair& pair, Counters& counters, NearestBalls& best) const {
        near_pairs<false>(
            pair, counters, [&] { return least(float(std::sqrt(best.upper2)) * 1.000001f, 1e18f); },
            [&](const NearBalls& n) {
                const double gap = most(0.0, n.gap);
                if (gap * gap < best.upper2) best = {gap * gap, n};
                return best.upper2 == 0;
            });
    }
    template <class Sink>
    void within(const Pair& pair, double reach, Counters& counters, Sink& sink) const {
        const float limit = float(reach) * 1.000001f;
        near_pairs<false>(
            pair, counters, [&] { return limit; },
            [&](const NearBalls& n) {
                if (n.gap <= reach) sink(n);
                return false;
            });
    }

private:
    ChainPlaces& places_;
    const ChainExclusion* exclusion_;

    /// Calls visit for every pair of balls that may have surfaces within reach() of each other, until it returns true.
    /// With `any`, an overlap that single precision is sure of is enough.
    template <bool any, class Reach, class Visit>
    bool near_pairs(const Pair& pair, Counters& counters, Reach&& reach, Visit&& visit) const {
        constexpr std::int64_t size = ChainLeaf::size;
        const ChainPlace &a = places_.framed(pair.a), &b = places_.framed(pair.b);
        const Vec3 d = b.frame.t - a.frame.t;
        const float dx = float(d.x), dy = float(d.y), dz = float(d.z);
        // Coordinates are about the leaves' origins, which need not lie near their balls: side balls may have turned
        // away. The rest is what rounding in double may hide, and keeps squares from vanishing.
        const Vec3 cb = b.centre - a.frame.t;
        const Vec3 off = absolute(d) + absolute(a.centre - a.frame.t) + absolute(b.centre - b.frame.t);
        const Vec3 all = absolute(a.centre) + absolute(b.centre);
        const float error = 1e-6f * (float(off.x + off.y + off.z) + 2 * (a.radius + b.radius)) +
                            float(2 * rounding * (all.x + all.y + all.z)) + 1e-18f;
        const ChainLeafLanes* x = &places_.balls(pair.a);
        unsigned todo = a.balls & in_reach(*x, cb, b.radius + reach() + error);
        if (!todo) return false;
        const ChainLeafLanes* y = &places_.balls(pair.b);
        x = &places_.expanded(pair.a);  // has moved if that was made just now
        Float8 bx[2][3], br[2];
        for (int k = 0; k < 2; ++k) {
            bx[k][0] = Float8::load(y->x[0] + 8 * k) + Float8(dx),
            bx[k][1] = Float8::load(y->x[1] + 8 * k) + Float8(dy);
            bx[k][2] = Float8::load(y->x[2] + 8 * k) + Float8(dz), br[k] = Float8::load(y->radius + 8 * k);
        }
        const bool same = pair.a == pair.b;
        Exactly exactly;
        counters.leaf_tests += std::uint64_t(__builtin_popcount(todo)) * __builtin_popcount(b.balls);
        for (int i; todo; todo ^= 1u << i) {
            i = 31 - __builtin_clz(todo);  // next to a joint that changed the last is the nearest
            const Float8 px(x->x[0][i]), py(x->x[1][i]), pz(x->x[2][i]), r(x->radius[i] + reach() + error);
            Float8 apart2[2];
            unsigned hits = 0;
            for (int k = 0; k < 2; ++k) {
                const Float8 u = bx[k][0] - px, v = bx[k][1] - py, w = bx[k][2] - pz, limit = br[k] + r;
                apart2[k] = multiply_add(u, u, multiply_add(v, v, w * w));
                hits |= where_at_most(apart2[k], limit * limit) << 8 * k;
            }
            hits &= b.balls;
            if (same) hits &= ~0u << (i + 1);
            if (hits && exclusion_) hits = exclusion_->compared(a.index * size + i, b.index * size, hits);
            if (!hits) continue;
            if (any) {
                const Float8 less(x->radius[i] - error), low = br[0] + less, high = br[1] + less;
                const unsigned sure = where_at_most(apart2[0], low * absolute(low)) |
                                      where_at_most(apart2[1], high * absolute(high)) << 8;
                if (hits & sure) return true;
            }
            if (!exactly.x) exactly = in_double(pair);
            if (look(exactly, i, hits, visit)) return true;
        }
        return false;
    }
    ELBOWROOM_INLINE static double sum_of(Vec3 v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }
    ELBOWROOM_INLINE static unsigned in_reach(const ChainLeafLanes& x, Vec3 centre, float reach) {
        const Float8 cx(float(centre.x)), cy(float(centre.y)), cz(float(centre.z));
        unsigned in = 0;
        for (int k = 0; k < 2; ++k) {
            const Float8 u = Float8::load(x.x[0] + 8 * k) - cx, v = Float8::load(x.x[1] + 8 * k) - cy,
                         w = Float8::load(x.x[2] + 8 * k) - cz, r = Float8::load(x.radius + 8 * k) + Float8(reach);
            in |= where_at_most(multiply_add(u, u, multiply_add(v, v, w * w)), r * r) << 8 * k;
        }
        return in;
    }
    /// Two leaves in double, and what holds for all of their pairs.
    struct Exactly {
        const ChainLeafExact *x = nullptr, *y = nullptr;
        std::int64_t first_a = 0, first_b = 0;
        const Radii *radii_a = nullptr, *radii_b = nullptr;
        double doubt = 0;
    };
    __attribute__((noinline)) Exactly in_double(const Pair& pair) const {
        places_.exact(pair.b);  // may move those of the other leaf
        const ChainPlace &a = places_[pair.a], &b = places_[pair.b];
        Exactly e{&places_.exact(pair.a),
                  &places_.exact(pair.b),
                  std::int64_t(a.index) * ChainLeaf::size,
                  std::int64_t(b.index) * ChainLeaf::size,
                  &a.tree->radii(),
                  &b.tree->radii()};
        e.doubt = rounding * (sum_of(a.centre) + sum_of(b.centre) + 4.0 * (a.radius + b.radius));
        return e;
    }
    /// Ball i of one leaf against some balls of the other.
    template <class Visit>
    ELBOWROOM_INLINE bool look(const Exactly& e, int i, unsigned others, Visit& visit) const {
        const Vec3 at = e.x->at(i);
        const double radius = (*e.radii_a)[e.first_a + i];
        for (; others; others &= others - 1) {
            const int j = __builtin_ctz(others);
            const double radii = radius + (*e.radii_b)[e.first_b + j];
            if (visit(NearBalls(e.first_a + i, e.first_b + j, at, e.y->at(j), radii, e.doubt))) return true;
        }
        return false;
    }
};

}  // namespace elbowroom
