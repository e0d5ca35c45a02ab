#pragma once
#include "elbowroom/bodies/necklace_touch.hpp"
#include "elbowroom/narrow/near_balls.hpp"
#include "elbowroom/pairings/within_beads.hpp"
#include "elbowroom/traversal/pair.hpp"

namespace elbowroom {

/// What two leaves of a necklace mean: sixteen beads against sixteen, eight at a time in single precision, and what is
/// near once more in double.
class NecklaceLeaves {
public:
    NecklaceLeaves(const BeadTree& tree, const Vec3* centres, const NecklaceTouch& touch)
        : tree_(tree), centres_(centres), touch_(touch) {}

    /// Calls sink(near) for beads that touch or overlap.
    template <class Sink>
    bool overlap(const Pair& pair, Counters& counters, Sink& sink) const {
        return near_pairs(
            pair, counters, [] { return 0.f; },
            [&](std::int64_t i, std::int64_t j) {
                const NearBalls n = near(i, j);
                return n.gap <= 0 && sink(n);
            });
    }
    void nearest(const Pair& pair, Counters& counters, NearestBalls& best) const {
        near_pairs(
            pair, counters, [&] { return float(least(std::sqrt(best.upper2), 1e18)); },
            [&](std::int64_t i, std::int64_t j) {
                const NearBalls n = near(i, j);
                const double gap = most(0.0, n.gap);
                if (gap * gap < best.upper2) best = {gap * gap, n};
                return best.upper2 == 0;
            });
    }
    template <class Sink>
    void within(const Pair& pair, double reach, Counters& counters, Sink& sink) const {
        near_pairs(
            pair, counters, [&] { return float(reach); },
            [&](std::int64_t i, std::int64_t j) {
                if (const NearBalls n = near(i, j); n.gap <= reach) sink(n);
                return false;
            });
    }

    /// Calls visit(i, j) for every pair of beads of two leaves that may have surfaces within reach() of each other and
    /// may not touch, until it returns true.
    template <class Reach, class Visit>
    bool near_pairs(const Pair& pair, Counters& counters, Reach&& reach, Visit&& visit) const {
        if (pair.a == pair.b) return near_in(pair.a, counters, reach, visit);
        return tree_.uniform() ? near_across<true>(pair.a, pair.b, counters, reach, visit)
                               : near_across<false>(pair.a, pair.b, counters, reach, visit);
    }

private:
    static constexpr int size = BeadTree::leaf_size;
    const BeadTree& tree_;
    const Vec3* centres_;
    const NecklaceTouch& touch_;

    NearBalls near(std::int64_t i, std::int64_t j) const {
        return {i, j, centres_[i], centres_[j], tree_.radius(i) + tree_.radius(j)};
    }

    /// The beads of a leaf among themselves: each with that `apart` places behind it, for all `apart` at once.
    template <class Reach, class Visit>
    bool near_in(std::int32_t l, Counters& counters, Reach& reach, Visit& visit) const {
        const float* x = tree_.leaf(l);
        counters.leaf_tests += size * (size - 1) / 2;
        const float slack = reach() + tree_.error();
        unsigned hits[size], any = 0;
        const int first = most(1, touch_.gap() + 1);
        const NecklaceTouch::Rows* may = touch_.diagonals(l);
        if (tree_.uniform())
            any = sweep<true>(x, nullptr, near_squared(Float8(2 * tree_.leaf_radii(l)[0] + slack)), slack, first, may,
                              hits);
        else
            any = sweep<false>(x, tree_.leaf_radii(l), Float8(0.f), slack, first, may, hits);
        if (!any) [[likely]]
            return false;
        for (int apart = first; apart < size; ++apart)
            for (unsigned rest = hits[apart]; rest; rest &= rest - 1) {
                const std::int64_t i = std::int64_t(l) * size + __builtin_ctz(rest);
                if (visit(i, i + apart)) return true;
            }
        return false;
    }
    /// Bits of the beads that are near the one `apart` places behind them.
    template <bool Uniform>
    ELBOWROOM_INLINE static unsigned sweep(const float* x, const float* radius, Float8 limit2, float slack, int first,
                                           const NecklaceTouch::Rows* may, unsigned* hits) {
        const Float8 low[3] = {Float8::load(x), Float8::load(x + size), Float8::load(x + 2 * size)};
        const Float8 high[3] = {Float8::load(x + 8), Float8::load(x + size + 8), Float8::load(x + 2 * size + 8)};
        Float8 radius_low(0.f), radius_high(0.f);
        if constexpr (!Uniform)
            radius_low = Float8::load_anywhere(radius) + Float8(slack),
            radius_high = Float8::load_anywhere(radius + 8) + Float8(slack);
        unsigned any = 0;
        for (int apart = first; apart < size; ++apart) {
            if constexpr (!Uniform) limit2 = near_squared(radius_low + Float8::load_anywhere(radius + apart));
            unsigned near = where_at_most(squared(low, x + apart), limit2);
            if (apart < 8) {
                if constexpr (!Uniform) limit2 = near_squared(radius_high + Float8::load_anywhere(radius + apart + 8));
                near |= where_at_most(squared(high, x + apart + 8), limit2) << 8;
            }
            hits[apart] = near & ((1u << (size - apart)) - 1) & ~unsigned(may ? (*may)[apart] : 0);
            any |= hits[apart];
        }
        return any;
    }
    ELBOWROOM_INLINE static Float8 squared(const Float8* a, const float* b) {
        const Float8 u = a[0] - Float8::load_anywhere(b), v = a[1] - Float8::load_anywhere(b + size),
                     w = a[2] - Float8::load_anywhere(b + 2 * size);
        return multiply_add(u, u, multiply_add(v, v, w * w));
    }

    /// The squares that distances are compared with: of two radii and what may be between them.
    template <bool Uniform>
    struct Limit {
        Float8 both, radius[2];
        ELBOWROOM_INLINE Float8 squared(float other, int half) const {
            if constexpr (Uniform) return both;
            return near_squared(radius[half] + Float8(other));
        }
    };
    template <bool Uniform>
    ELBOWROOM_INLINE static Limit<Uniform> limit(const float* radii, float slack) {
        Limit<Uniform> out;
        if constexpr (Uniform)
            out.both = near_squared(Float8(2 * radii[0] + slack));
        else
            for (int half = 0; half < 2; ++half)
                out.radius[half] = Float8::load_anywhere(radii + 8 * half) + Float8(slack);
        return out;
    }

    template <bool Uniform, class Reach, class Visit>
    bool near_across(std::int32_t la, std::int32_t lb, Counters& counters, Reach& reach, Visit& visit) const {
        const float slack = reach() + tree_.error();
        unsigned todo = near_box<Uniform>(la, lb, slack);
        if (!todo) return false;
        if (todo & (todo - 1)) {
            todo &= near_fours(la, lb, slack);
            if (!todo) return false;
        }
        const float *x = tree_.leaf(la), *y = tree_.leaf(lb), *radii = tree_.leaf_radii(la);
        const Limit<Uniform> near = limit<Uniform>(tree_.leaf_radii(lb), slack);
        Float8 at[2][3];
        for (int half = 0; half < 2; ++half)
            for (int k = 0; k < 3; ++k) at[half][k] = Float8::load(y + size * k + 8 * half);
        counters.leaf_tests += std::uint64_t(__builtin_popcount(todo)) * size;
        const NecklaceTouch::Rows* rows = touch_.rows(la, lb);
        const std::int64_t ahead = std::int64_t(lb - la) * size;
        for (; todo; todo &= todo - 1) {
            const int i = __builtin_ctz(todo);
            unsigned hits = 0;
            for (int half = 0; half < 2; ++half) {
                const Float8 u = at[half][0] - Float8(x[i]), v = at[half][1] - Float8(x[size + i]),
                             w = at[half][2] - Float8(x[2 * size + i]);
                hits |= where_at_most(multiply_add(u, u, multiply_add(v, v, w * w)), near.squared(radii[i], half))
                        << 8 * half;
            }
            hits &= ~touch_.partners(rows, i, ahead);
            if (hits) [[unlikely]]
                if (look_all(la, i, lb, hits, visit)) return true;
        }
        return false;
    }
    /// The beads of a leaf that are in a box of four near one of the other leaf's boxes of four. Boxes of sixteen beads
    /// on a curve that is not along an axis are mostly empty; these are not.
    ELBOWROOM_INLINE unsigned near_fours(std::int32_t la, std::int32_t lb, float slack) const {
        const BeadFours &a = tree_.fours(la), &b = tree_.fours(lb);
        const float radii = tree_.node(1, la >> 3).radius[la & 7] + tree_.node(1, lb >> 3).radius[lb & 7];
        const Float8 limit2 = near_squared(Float8(radii + slack));
        unsigned near = 0;
        for (int g = 0; g < 4; g += 2) {
            Float8 sum(0.f);
            for (int k = 0; k < 3; ++k) {
                const Float8 low = joined(all_four(a.low[k][g]), all_four(a.low[k][g + 1])),
                             high = joined(all_four(a.high[k][g]), all_four(a.high[k][g + 1]));
                const Float8 apart = most(most(twice(b.low[k]) - high, low - twice(b.high[k])), Float8(0.f));
                sum = multiply_add(apart, apart, sum);
            }
            const unsigned bits = where_at_most(sum, limit2);
            near |= unsigned((bits & 15u) != 0) * 15u << 4 * g | unsigned(bits > 15u) * 15u << 4 * (g + 1);
        }
        return near;
    }
    /// Bead i of a leaf with some of another.
    template <class Visit>
    bool look_all(std::int32_t la, int i, std::int32_t lb, unsigned others, Visit& visit) const {
        for (; others; others &= others - 1)
            if (visit(std::int64_t(la) * size + i, std::int64_t(lb) * size + __builtin_ctz(others))) return true;
        return false;
    }
    /// The beads of a leaf that are near the box of another.
    template <bool Uniform>
    ELBOWROOM_INLINE unsigned near_box(std::int32_t la, std::int32_t lb, float slack) const {
        const BeadNode& n = tree_.node(1, lb >> 3);
        const int q = lb & 7;
        const float* at = tree_.leaf(la);
        const Limit<Uniform> limits = limit<Uniform>(tree_.leaf_radii(la), slack);
        auto along = [&](Float8 at, int k) { return most(Float8(n.low[k][q]) - at, at - Float8(n.high[k][q])); };
        unsigned near = 0;
        for (int half = 0; half < 2; ++half) {
            const Float8 x = Float8::load(at + 8 * half), y = Float8::load(at + size + 8 * half);
            const Float8 u = most(along(x, 0), Float8(0.f)), v = most(along(y, 1), Float8(0.f));
            Float8 gap2 = multiply_add(u, u, v * v);
            if (tree_.flat()) {
                const Diagonals d(x, y);
                const Float8 w = most(most(along(d.up, 2), along(d.down, 3)), Float8(0.f));
                gap2 = most(gap2, w * w);
            } else {
                const Float8 w = most(along(Float8::load(at + 2 * size + 8 * half), 2), Float8(0.f));
                gap2 = multiply_add(w, w, gap2);
            }
            near |= where_at_most(gap2, limits.squared(n.radius[q], half)) << 8 * half;
        }
        const std::int32_t count = tree_.beads() - la * size;
        return count >= size ? near : near & ((1u << count) - 1);
    }
};

}  // namespace elbowroom
