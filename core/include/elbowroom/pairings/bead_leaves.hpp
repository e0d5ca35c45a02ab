#pragma once
#include <array>

#include "elbowroom/pairings/within_beads.hpp"

namespace elbowroom {

/// What leads from the coordinates of one tree to those of another, in single precision.
struct BeadShift {
    float by[3] = {0, 0, 0};
    float error = 0;  // by how much a distance may be off after it, beside what its own rounding takes

    BeadShift() = default;
    /// The beads of `a`, moved by `shift`, as they are seen from `b`. Along an axis a coordinate of either tree is off
    /// by 6e-8 of its extent, the shift by as much of its own, and the sum by that of both; a distance by the root of
    /// three times that, which is less than 2.1e-7 of the extents and the shift together.
    BeadShift(const BeadTree& a, const BeadTree& b, Vec3 shift) {
        const Vec3 between = a.origin() - b.origin() + shift;
        for (int k = 0; k < 3; ++k) by[k] = float(between[k]);
        error = float(3e-7 * (a.extent() + b.extent() + length(between)) + 1e-37);
    }
};

/// Which beads of two leaves are near each other: of two trees, or of one and itself. Sixteen beads against sixteen,
/// eight at a time in single precision. `Shifted`: of two trees, the first tree's beads where they are after a shift;
/// else of one tree and itself.
template <bool Shifted>
class BeadLeaves {
public:
    static constexpr int size = BeadTree::leaf_size;
    /// A row of bits for each bead of a leaf.
    using Rows = std::array<std::uint16_t, size>;

    explicit BeadLeaves(const BeadTree& tree)
        requires(!Shifted)
        : a_(tree), b_(tree) {}
    BeadLeaves(const BeadTree& a, const BeadTree& b)
        requires Shifted
        : a_(a), b_(b) {}
    /// From the frame of the first tree to that of the second.
    void set_shift(const BeadShift& shift) { shift_ = shift; }

    /// The beads of a leaf among themselves: each with that `apart` places behind it, for all `apart` from `first` on
    /// at once. `skipped`: row k has a bit for each bead that is not compared with the one k places behind it; or null.
    template <class Reach, class Visit>
    ELBOWROOM_INLINE bool near_in(std::int32_t l, int first, const Rows* skipped, Counters& counters, Reach& reach,
                                  Visit& visit) const {
        const float* x = a_.leaf(l);
        counters.leaf_tests += size * (size - 1) / 2;
        const float slack = reach() + error();
        unsigned hits[size], any = 0;
        if (a_.uniform())
            any = sweep<true>(x, nullptr, near_squared(Float8(2 * a_.leaf_radii(l)[0] + slack)), slack, first, skipped,
                              hits);
        else
            any = sweep<false>(x, a_.leaf_radii(l), Float8(0.f), slack, first, skipped, hits);
        if (!any) [[likely]]
            return false;
        for (int apart = first; apart < size; ++apart)
            for (unsigned rest = hits[apart]; rest; rest &= rest - 1) {
                const std::int64_t i = std::int64_t(l) * size + __builtin_ctz(rest);
                if (visit(i, i + apart)) return true;
            }
        return false;
    }
    /// Calls visit(i, j) for every bead i of a leaf of the first tree and j of a leaf of the second that may have
    /// surfaces within reach() of each other, until it returns true. partners()(lane): the beads of the second leaf
    /// that are not compared with that bead of the first.
    template <class Reach, class Partners, class Visit>
    ELBOWROOM_INLINE bool near_pairs(std::int32_t la, std::int32_t lb, Counters& counters, Reach& reach,
                                     Partners&& partners, Visit& visit) const {
        return a_.uniform() && other().uniform() ? near_across<true>(la, lb, counters, reach, partners, visit)
                                                 : near_across<false>(la, lb, counters, reach, partners, visit);
    }

private:
    const BeadTree &a_, &b_;
    BeadShift shift_;

    ELBOWROOM_INLINE Float8 shifted(Float8 x, int k) const {
        if constexpr (Shifted) return x + Float8(shift_.by[k]);
        return x;
    }
    ELBOWROOM_INLINE const BeadTree& other() const { return Shifted ? b_ : a_; }
    /// By how much a distance in single precision may be off, beside what its own rounding takes.
    ELBOWROOM_INLINE float error() const { return Shifted ? shift_.error : a_.error(); }
    /// Bits of the beads that are near the one `apart` places behind them.
    template <bool Uniform>
    ELBOWROOM_INLINE static unsigned sweep(const float* x, const float* radius, Float8 limit2, float slack, int first,
                                           const Rows* skipped, unsigned* hits) {
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
            hits[apart] = near & ((1u << (size - apart)) - 1) & ~unsigned(skipped ? (*skipped)[apart] : 0);
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
    /// `radii`: of one leaf; `others`: of the other, from which that of a bead or the largest will be given.
    template <bool Uniform>
    ELBOWROOM_INLINE static Limit<Uniform> limit(const float* radii, const float* others, float slack) {
        Limit<Uniform> out;
        if constexpr (Uniform)
            out.both =
                near_squared(Float8(radii[0] + (Shifted ? others : radii)[0] + slack));  // reads no more than it must
        else
            for (int half = 0; half < 2; ++half)
                out.radius[half] = Float8::load_anywhere(radii + 8 * half) + Float8(slack);
        return out;
    }

    template <bool Uniform, class Reach, class Partners, class Visit>
    ELBOWROOM_INLINE bool near_across(std::int32_t la, std::int32_t lb, Counters& counters, Reach& reach,
                                      Partners& partners, Visit& visit) const {
        const float slack = reach() + error();
        unsigned todo = near_box<Uniform>(la, lb, slack);
        if (!todo) return false;
        if (todo & (todo - 1)) {
            todo &= near_fours(la, lb, slack);
            if (!todo) return false;
        }
        const float *x = a_.leaf(la), *y = other().leaf(lb), *radii = a_.leaf_radii(la);
        const Limit<Uniform> near = limit<Uniform>(other().leaf_radii(lb), radii, slack);
        Float8 at[2][3];
        for (int half = 0; half < 2; ++half)
            for (int k = 0; k < 3; ++k) at[half][k] = Float8::load(y + size * k + 8 * half);
        counters.leaf_tests += std::uint64_t(__builtin_popcount(todo)) * size;
        const auto skipped = partners();
        for (; todo; todo &= todo - 1) {
            const int i = __builtin_ctz(todo);
            const Float8 u0 = shifted(Float8(x[i]), 0), v0 = shifted(Float8(x[size + i]), 1),
                         w0 = shifted(Float8(x[2 * size + i]), 2);
            unsigned hits = 0;
            for (int half = 0; half < 2; ++half) {
                const Float8 u = at[half][0] - u0, v = at[half][1] - v0, w = at[half][2] - w0;
                hits |= where_at_most(multiply_add(u, u, multiply_add(v, v, w * w)), near.squared(radii[i], half))
                        << 8 * half;
            }
            hits &= ~skipped(i);
            if (hits) [[unlikely]]
                if (look_all(la, i, lb, hits, visit)) return true;
        }
        return false;
    }
    /// The beads of a leaf that are in a box of four near one of the other leaf's boxes of four. Boxes of sixteen beads
    /// on a curve that is not along an axis are mostly empty; these are not.
    ELBOWROOM_INLINE unsigned near_fours(std::int32_t la, std::int32_t lb, float slack) const {
        const BeadFours &a = a_.fours(la), &b = other().fours(lb);
        const float radii = a_.node(1, la >> 3).radius[la & 7] + other().node(1, lb >> 3).radius[lb & 7];
        const Float8 limit2 = near_squared(Float8(radii + slack));
        unsigned near = 0;
        for (int g = 0; g < 4; g += 2) {
            Float8 sum(0.f);
            for (int k = 0; k < 3; ++k) {
                const Float8 low = shifted(joined(all_four(a.low[k][g]), all_four(a.low[k][g + 1])), k),
                             high = shifted(joined(all_four(a.high[k][g]), all_four(a.high[k][g + 1])), k);
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
        const BeadNode& n = other().node(1, lb >> 3);
        const int q = lb & 7;
        const float* at = a_.leaf(la);
        const Limit<Uniform> limits = limit<Uniform>(a_.leaf_radii(la), other().leaf_radii(lb), slack);
        auto along = [&](Float8 at, int k) { return most(Float8(n.low[k][q]) - at, at - Float8(n.high[k][q])); };
        unsigned near = 0;
        for (int half = 0; half < 2; ++half) {
            const Float8 x = shifted(Float8::load(at + 8 * half), 0),
                         y = shifted(Float8::load(at + size + 8 * half), 1);
            const Float8 u = most(along(x, 0), Float8(0.f)), v = most(along(y, 1), Float8(0.f));
            Float8 gap2 = multiply_add(u, u, v * v);
            if (a_.flat()) {
                const Diagonals d(x, y);
                const Float8 w = most(most(along(d.up, 2), along(d.down, 3)), Float8(0.f));
                gap2 = most(gap2, w * w);
            } else {
                const Float8 w = most(along(shifted(Float8::load(at + 2 * size + 8 * half), 2), 2), Float8(0.f));
                gap2 = multiply_add(w, w, gap2);
            }
            near |= where_at_most(gap2, limits.squared(n.radius[q], half)) << 8 * half;
        }
        const std::int32_t count = a_.beads() - la * size;
        return count >= size ? near : near & ((1u << count) - 1);
    }
};

}  // namespace elbowroom
