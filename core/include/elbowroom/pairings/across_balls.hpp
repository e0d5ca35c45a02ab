#pragma once
#include "elbowroom/traversal/pair.hpp"
#include "elbowroom/trees/chain_places.hpp"

namespace elbowroom {

/// The children of one placed node against those of another of the same level, which comes later along the chain: all
/// by their balls, along the common axes. Which of them meet is found at once, so that only these get places.
class BallSquare {
public:
    int width;  // how many balls were tested

    /// `lanes`: the children of a that take part; children `apart` of both are compared elsewhere (8: none).
    BallSquare(ChainPlaces& places, std::int32_t a, std::int32_t b, unsigned lanes, int apart)
        : width(0), places_(places), a_(a), b_(b) {
        places.child_balls(a);
        places.child_balls(b);  // either may move the other
        const BallLanes &x = places.child_balls(a), &y = places.child_balls(b);
        const Vec3 between = places[b].frame.t - places[a].frame.t;
        const float dx = float(between.x), dy = float(between.y), dz = float(between.z);
        const Float8 slack(probe_slack * (std::fabs(dx) + std::fabs(dy) + std::fabs(dz)) + 1e-18f),
            more(1 + probe_slack);
        const Float8 yx = Float8::load(y.centre[0]) + Float8(dx), yy = Float8::load(y.centre[1]) + Float8(dy);
        const Float8 yz = Float8::load(y.centre[2]) + Float8(dz),
                     yr = multiply_add(Float8::load(y.radius), more, slack);
        for (unsigned todo = lanes & x.valid; todo; todo &= todo - 1) {
            const int i = __builtin_ctz(todo);
            const Float8 u = yx - Float8(x.centre[0][i]), v = yy - Float8(x.centre[1][i]);
            const Float8 w = yz - Float8(x.centre[2][i]), reach = multiply_add(Float8(x.radius[i]), more, yr);
            unsigned near = where_at_most(multiply_add(u, u, multiply_add(v, v, w * w)), reach * reach) & y.valid;
            if (i == apart) near &= ~(1u << apart);
            if (near) rows_[count_++] = {std::uint8_t(i), std::uint8_t(near)};
            width += 8;
        }
    }
    /// The pairs that meet; the last is the nearest along the chain, which is visited first.
    const BallSquare& offers() const { return *this; }
    template <class F>
    ELBOWROOM_INLINE void each(F&& f) const {
        for (const Row* row = rows_; row != rows_ + count_; ++row)
            for (unsigned near = row->near; near;) {
                const int j = 31 - __builtin_clz(near);
                near ^= 1u << j;
                f(8 * row->lane + j, 0.f);
            }
    }
    ELBOWROOM_INLINE Pair child(int both, float bound) const {
        const std::int32_t a = places_.waiting_child(a_, both >> 3), b = places_.waiting_child(b_, both & 7);
        return {a, b, bound};
    }

private:
    struct Row {
        std::uint8_t lane, near;
    };
    ChainPlaces& places_;
    const std::int32_t a_, b_;
    int count_ = 0;
    Row rows_[8];
};

/// Pairs of nodes of one chain that have frames of their own, by their balls alone: of coils these are the tightest for
/// their price. Both are opened.
class AcrossBalls {
public:
    explicit AcrossBalls(ChainPlaces& places) : places_(places) {}
    ELBOWROOM_INLINE bool is_leaf(const Pair& p) const { return places_[p.a].level == 0; }
    ELBOWROOM_INLINE BallSquare open(const Pair& p) const {
        const BallLanes& many = places_.child_balls(p.a);
        const ChainPlace &a = places_[p.a], &b = places_[p.b];
        const Vec3 d = b.centre - a.frame.t;
        const float at[3] = {float(d.x), float(d.y), float(d.z)};
        const float slack = probe_slack * (std::fabs(at[0]) + std::fabs(at[1]) + std::fabs(at[2]) + b.radius) + 1e-18f;
        return {places_, p.a, p.b, overlapping_balls(at, b.radius + slack, many), 8};
    }
    /// What first meets where a change divides a node: all children of its parts but those that are parts themselves.
    ELBOWROOM_INLINE BallSquare divided(std::int32_t left, std::int32_t right, int lane) const {
        return {places_, left, right, ~0u, lane};
    }

private:
    ChainPlaces& places_;
};

}  // namespace elbowroom
