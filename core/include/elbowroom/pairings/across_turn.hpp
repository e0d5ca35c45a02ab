// Nodes of a chain that stand still against nodes that turn about an axis: what comes near during the turn?
#pragma once
#include "elbowroom/traversal/pair.hpp"
#include "elbowroom/trees/chain_places.hpp"

namespace elbowroom {

/// Coordinates about an axis: z along it.
struct TurnAxes {
    Vec3 at, x, y, z;
    double angle, cosine, sine;  // it turns from 0 to `angle`, at most a full turn

    TurnAxes(Vec3 at, Vec3 axis, double angle)
        : at(at),
          x(perpendicular(axis)),
          y(cross(axis, x)),
          z(axis),
          angle(angle),
          cosine(std::cos(angle)),
          sine(std::sin(angle)) {}
    ELBOWROOM_INLINE Vec3 seen(Vec3 p) const {
        const Vec3 d = p - at;
        return {dot(d, x), dot(d, y), dot(d, z)};
    }
    Vec3 back(Vec3 p) const { return at + x * p.x + y * p.y + z * p.z; }
};

/// Eight balls in these coordinates, with their distances from the axis, and where a turn would end.
struct TurnLanes {
    alignas(32) float x[8], y[8], z[8], away[8], end_x[8], end_y[8], radius[8];
    unsigned valid = 0;

    void set(int lane, Vec3 p, double size, const TurnAxes& axes) {
        const Vec3 end{p.x * axes.cosine - p.y * axes.sine, p.x * axes.sine + p.y * axes.cosine, p.z};
        const double far = std::hypot(p.x, p.y);
        x[lane] = float(p.x), y[lane] = float(p.y), z[lane] = float(p.z), away[lane] = float(far);
        end_x[lane] = float(end.x), end_y[lane] = float(end.y);
        // What single precision takes of these numbers, and of what is computed from them below.
        radius[lane] = float((size + slack * (far + std::fabs(p.z) + size)) * (1 + 1e-6));
        valid |= 1u << lane;
    }
    static constexpr double slack = 2e-6;
};

/// The lanes that come within `more` of one ball, which stands still, while they turn. A point goes round in a circle:
/// it is nearest where it faces the other, or else at an end of the turn.
ELBOWROOM_INLINE unsigned turned_near(const TurnLanes& still, int lane, const TurnLanes& turning, float more,
                                      bool more_than_half) {
    const Float8 x(still.x[lane]), y(still.y[lane]), away(still.away[lane]);
    const Float8 tx = Float8::load(turning.x), ty = Float8::load(turning.y), ta = Float8::load(turning.away);
    const Float8 ex = Float8::load(turning.end_x), ey = Float8::load(turning.end_y);
    const Float8 dz = Float8::load(turning.z) - Float8(still.z[lane]), dz2 = dz * dz;
    const Float8 reach = Float8::load(turning.radius) + Float8(still.radius[lane] + more), reach2 = reach * reach;
    const Float8 da = ta - away, facing2 = multiply_add(da, da, dz2);
    unsigned near = where_at_most(facing2, reach2) & turning.valid;
    if (!near || more_than_half) return near;
    const Float8 sx = tx - x, sy = ty - y, fx = ex - x, fy = ey - y, tiny = ta * (away * Float8(2e-6f)), zero(0.f);
    const unsigned faces = where_at_most(zero, multiply_add(y, tx, tiny) - x * ty) &
                           where_at_most(y * ex - multiply_add(x, ey, tiny), zero);
    const Float8 ends2 = least(multiply_add(sx, sx, sy * sy), multiply_add(fx, fx, fy * fy)) + dz2;
    return near & (faces | where_at_most(ends2, reach2));
}

/// What pairings of one turn share: its axes, which balls take part, and lanes that were made.
struct TurnScratch {
    ChainPlaces places;
    Scratch<TurnLanes> lanes;
    std::vector<std::int32_t> of_place;  // -1: not made

    void clear() {
        lanes.clear();
        of_place.clear();
    }
};

/// All children of a node that stands still against all children of one that turns.
class TurnSquare {
public:
    int width = 0;

    /// `apart`: children of both that are compared elsewhere; 8: none.
    template <class Lanes, class Counts>
    TurnSquare(TurnScratch& scratch, const Lanes& lanes_of, const Counts& takes_part, float more, bool more_than_half,
               std::int32_t a, std::int32_t b, int apart)
        : places_(scratch.places), a_(a), b_(b) {
        lanes_of(a), lanes_of(b);  // either may move the other
        const TurnLanes &x = lanes_of(a), &y = lanes_of(b);
        for (unsigned todo = takes_part(a, x.valid); todo; todo &= todo - 1) {
            const int i = __builtin_ctz(todo);
            unsigned near = turned_near(x, i, y, more, more_than_half);
            if (i == apart) near &= ~(1u << apart);
            if (near) near = takes_part(b, near);
            if (near) rows_[count_++] = {std::uint8_t(i), std::uint8_t(near)};
            width += 8;
        }
    }
    const TurnSquare& offers() const { return *this; }
    template <class F>
    void each(F&& f) const {
        for (const Row* row = rows_; row != rows_ + count_; ++row)
            for (unsigned near = row->near; near;) {
                const int j = 31 - __builtin_clz(near);
                near ^= 1u << j;
                f(8 * row->lane + j, 0.f);
            }
    }
    Pair child(int both, float bound) const {
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

/// Pairs of a node that stands still and one of the same level, further along the chain, that turns. Balls from `begin`
/// to before `end` take part.
class AcrossTurn {
public:
    AcrossTurn(TurnScratch& scratch, const TurnAxes& axes, float more, std::int64_t begin, std::int64_t end)
        : scratch_(scratch), axes_(axes), more_(more), begin_(begin), end_(end) {}
    bool is_leaf(const Pair& p) const { return scratch_.places[p.a].level == 0; }
    TurnSquare open(const Pair& p) const { return square(p.a, p.b, 8); }
    TurnSquare divided(std::int32_t left, std::int32_t right, int lane) const { return square(left, right, lane); }

private:
    TurnScratch& scratch_;
    const TurnAxes& axes_;
    const float more_;
    const std::int64_t begin_, end_;

    TurnSquare square(std::int32_t a, std::int32_t b, int apart) const {
        return {scratch_,
                [&](std::int32_t i) -> const TurnLanes& { return lanes_of(i); },
                [&](std::int32_t i, unsigned lanes) { return taking_part(i, lanes); },
                more_,
                axes_.angle > 3.14,
                a,
                b,
                apart};
    }
    const TurnLanes& lanes_of(std::int32_t place) const {
        std::vector<std::int32_t>& known = scratch_.of_place;
        if (std::size_t(place) >= known.size()) known.resize(std::size_t(place) + 64, -1);
        if (known[place] < 0) known[place] = made(place);
        return scratch_.lanes[known[place]];
    }
    std::int32_t made(std::int32_t place) const {
        const BallLanes& balls = scratch_.places.child_balls(place);
        const Vec3 from = scratch_.places[place].frame.t;
        const std::int32_t made = scratch_.lanes.add();
        TurnLanes& out = scratch_.lanes[made];
        out.valid = 0;
        for (unsigned todo = balls.valid; todo; todo &= todo - 1) {
            const int i = __builtin_ctz(todo);
            const Vec3 p = from + Vec3{balls.centre[0][i], balls.centre[1][i], balls.centre[2][i]};
            out.set(i, axes_.seen(p), balls.radius[i], axes_);
        }
        return made;
    }
    /// Of the children of a place those with balls that take part.
    unsigned taking_part(std::int32_t place, unsigned lanes) const {
        const ChainPlace& p = scratch_.places[place];
        const int level = p.level - 1;
        const std::int64_t each = std::int64_t(ChainLeaf::size) << 3 * level, first = 8 * std::int64_t(p.index) * each;
        if (first >= begin_ && first + 8 * each <= end_) return lanes;
        for (unsigned todo = lanes; todo; todo &= todo - 1) {
            const int i = __builtin_ctz(todo);
            if (first + (i + 1) * each <= begin_ || first + i * each >= end_) lanes &= ~(1u << i);
        }
        return lanes;
    }
};

}  // namespace elbowroom
