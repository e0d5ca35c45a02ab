#include "elbowroom/bodies/chain_turn.hpp"

#include <algorithm>

#include "elbowroom/bodies/chain_search.hpp"

namespace elbowroom {

namespace {

constexpr int size = ChainLeaf::size;

/// The parts of a chain on both sides of a joint, compared as they turn.
class TurnParts : public BallParts {
public:
    TurnParts(const ChainTree& tree, const ChainChange& nothing, TurnScratch& scratch, const AcrossTurn& pairing)
        : BallParts(tree, nothing, scratch.places), pairing_(pairing) {}
    AcrossTurn pairing() const { return pairing_; }
    template <class Offer>
    void offer(Offer& offer) const {
        if (left >= 0 && right >= 0 && (before_ || after_)) offer(pairing_.divided(left, right, lane_));
    }

private:
    const AcrossTurn& pairing_;
};

}  // namespace

/// What two leaves mean: the first contact so far, and whether that is enough.
class ChainTurnSearch::Query {
public:
    Query(ChainTurnSearch& search, const ChainTurn& turn, const TurnAxes& axes, double clearance, bool balls)
        : search_(search),
          chain_(search.chain_),
          turn_(turn),
          axes_(axes),
          clearance_(clearance),
          balls_(balls),
          angle_(axes.angle),
          cosine_(axes.cosine),
          sine_(axes.sine) {}

    TurnContact found;

    // A query of the traversal: squares know which of their pairs come near.
    const TurnSquare& offers(const TurnSquare& square) const { return square.offers(); }
    bool admits(const Pair&) const { return true; }
    bool settled() const { return found.proved <= 0 || (!balls_ && found.proved < far_away); }

    void leaf(const Pair& pair, Counters& counters) {
        made(pair.a), made(pair.b);  // either may move the other
        const TurnLeaf &a = made(pair.a), &b = made(pair.b);
        const std::int64_t first_a = std::int64_t(search_.scratch_.places[pair.a].index) * size;
        const std::int64_t first_b = std::int64_t(search_.scratch_.places[pair.b].index) * size;
        compare(a.bonds, b.bonds, clearance_, counters,
                [&](int i, int j) { look_at_bonds(a, b, first_a, first_b, i, j); });
        if (balls_)
            compare(a.balls, b.balls, clearance_, counters,
                    [&](int i, int j) { look_at_balls(a, b, first_a, first_b, i, j); });
    }

private:
    ChainTurnSearch& search_;
    const Chain& chain_;
    const ChainTurn& turn_;
    const TurnAxes& axes_;
    const double clearance_;
    const bool balls_;
    double angle_, cosine_, sine_;  // up to the first contact that is known

    const TurnLeaf& made(std::int32_t place) {
        std::vector<std::int32_t>& known = search_.leaf_of_place_;
        if (std::size_t(place) >= known.size()) known.resize(std::size_t(place) + 64, -1);
        if (known[place] < 0) known[place] = make(place);
        return search_.leaves_[known[place]];
    }

    std::int32_t make(std::int32_t place) {
        const ChainLeafExact& exact = search_.scratch_.places.exact(place);
        const ChainPlace& p = search_.scratch_.places[place];
        const std::int32_t made = search_.leaves_.add();
        TurnLeaf& out = search_.leaves_[made];
        for (TurnLeaf::Kind* kind : {&out.balls, &out.bonds})
            kind->valid = kind->lanes[0].valid = kind->lanes[1].valid = 0;
        auto add = [&](TurnLeaf::Kind& kind, int i, Vec3 middle, double reach) {
            kind.lanes[i / 8].set(i % 8, middle, reach, axes_);
            kind.valid |= 1u << i;
        };
        for (unsigned todo = p.balls; todo; todo &= todo - 1) {
            const int i = __builtin_ctz(todo);
            const std::int64_t ball = std::int64_t(p.index) * size + i;
            if (ball < turn_.begin || ball >= turn_.end) continue;
            out.at[i] = axes_.seen(exact.at(i));
            if (balls_) add(out.balls, i, out.at[i], chain_.tree().radii()[ball]);
            const std::int64_t link = chain_.exclusion().link(ball);
            if (chain_.own_ball(link) != ball || ball == turn_.on_axis || !search_.is_bond(link)) continue;
            const std::int64_t next = chain_.own_ball(link + 1);
            const Vec3 to =
                next / size == p.index ? exact.at(int(next % size)) : p.frame * search_.seen_from(p.index, next);
            out.end[i] = axes_.seen(to);
            add(out.bonds, i, 0.5 * (out.at[i] + out.end[i]), 0.5 * length(out.end[i] - out.at[i]));
        }
        return made;
    }

    template <class Look>
    void compare(const TurnLeaf::Kind& a, const TurnLeaf::Kind& b, double more, Counters& counters, Look&& look) {
        counters.leaf_tests += std::uint64_t(__builtin_popcount(a.valid)) * __builtin_popcount(b.valid);
        for (unsigned todo = a.valid; todo;) {
            const int i = 31 - __builtin_clz(todo);
            todo ^= 1u << i;
            unsigned near = 0;
            for (int k = 0; k < 2; ++k)
                if (b.lanes[k].valid)
                    near |= turned_near(a.lanes[i / 8], i % 8, b.lanes[k], float(more * (1 + 1e-6)), axes_.angle > 3.14)
                            << 8 * k;
            for (; near; near &= near - 1) look(i, __builtin_ctz(near));
        }
    }

    double margin(Vec3 a, Vec3 b) const { return rounding * (length(a) + length(b)) + search_.noise_; }

    void look_at_balls(const TurnLeaf& a, const TurnLeaf& b, std::int64_t first_a, std::int64_t first_b, int i, int j) {
        const std::int64_t one = first_a + i, other = first_b + j;
        if (chain_.exclusion().excludes(one, other)) return;
        const double reach = chain_.tree().radii()[one] + chain_.tree().radii()[other] + clearance_;
        const double near = reach + margin(a.at[i], b.at[j]);
        if (!note(first_touch_of_points(a.at[i], b.at[j], angle_, near), one, other, false)) return;
        const Vec3 turned = turned_about_z(b.at[j], std::cos(found.at), std::sin(found.at));
        const Vec3 way = normalised(turned - a.at[i], {0, 0, 1});
        found.on_still = axes_.back(a.at[i] + way * chain_.tree().radii()[one]);
        found.on_turning = axes_.back(turned - way * chain_.tree().radii()[other]);
    }

    void look_at_bonds(const TurnLeaf& a, const TurnLeaf& b, std::int64_t first_a, std::int64_t first_b, int i, int j) {
        const std::int64_t one = first_a + i, other = first_b + j;
        const ChainExclusion& rule = chain_.exclusion();
        const std::int64_t l = rule.link(one), m = rule.link(other);
        if (std::abs(l - m) < 2) return;
        const TurningSegments both(a.at[i], a.end[i], b.at[j], b.end[j], margin(a.at[i], b.at[j]));
        const bool wide = clearance_ > 0 && search_.keep_clear(l, m);
        const FirstTouch touch =
            wide ? both.first_within(angle_, clearance_) : both.first_touch(angle_, cosine_, sine_);
        if (!note(touch, one, other, true)) return;
        const Closest nearest = both.closest_at(touch.undecided ? touch.proved : touch.at);
        found.on_still = axes_.back(nearest.on_a), found.on_turning = axes_.back(nearest.on_b);
    }

    /// Of several the one whose time before is proved the shortest; what is undecided is kept beside a contact later
    /// on.
    bool note(const FirstTouch& touch, std::int64_t one, std::int64_t other, bool bonds) {
        found.proved = least(found.proved, touch.proved);
        const bool better = touch.undecided ? found.at == far_away && !found.undecided : touch.at < found.at;
        found.undecided |= touch.undecided;
        if (!better) return false;
        if (!touch.undecided) {
            found.at = touch.at;
            angle_ = touch.at, cosine_ = std::cos(angle_), sine_ = std::sin(angle_);  // later ones do not matter
        }
        found.still = one, found.turning = other, found.bonds = bonds;
        return true;
    }
};

ChainTurnSearch::ChainTurnSearch(const Chain& chain, std::vector<std::int32_t> breaks)
    : chain_(chain), breaks_(std::move(breaks)) {
    for (std::int64_t link = 0; link + 1 < chain.links(); ++link) {
        if (!is_bond(link)) continue;
        const std::int64_t ball = chain.own_ball(link);
        longest_ = most(longest_, length(seen_from(ball / size, chain.own_ball(link + 1)) -
                                         chain.tree().leaf(ball / size).centre(int(ball % size))));
    }
    smallest_radius_ = far_away;
    for (std::int64_t ball = 0; ball < chain.balls(); ++ball)
        smallest_radius_ = least(smallest_radius_, chain.tree().radii()[ball]);
}

bool ChainTurnSearch::is_bond(std::int64_t link) const {
    return link + 1 < chain_.links() && !std::binary_search(breaks_.begin(), breaks_.end(), link);
}

bool ChainTurnSearch::keep_clear(std::int64_t l, std::int64_t m) const {
    for (const std::int64_t x : {l, l + 1})
        for (const std::int64_t y : {m, m + 1})
            if (chain_.exclusion().excludes(chain_.own_ball(x), chain_.own_ball(y))) return false;
    return true;
}

bool ChainTurnSearch::crosses(const ChainTurn& turn) {
    return turn.first > 0 && search(turn, 0, false).proved < far_away;
}

TurnContact ChainTurnSearch::first_contact(const ChainTurn& turn, double clearance) {
    return search(turn, clearance, true);
}

TurnContact ChainTurnSearch::search(const ChainTurn& turn, double clearance, bool balls) {
    const ChainTree& tree = chain_.tree();
    const double sign = turn.angle < 0 ? -1 : 1;
    const TurnAxes axes(turn.centre, turn.axis * sign, least(sign * turn.angle, full_turn));
    // Where the whole chain lies far from the origin of the world, that is where positions are rounded.
    noise_ = 0.1 * rounding * (length(tree.origin()) + double(tree.root_bound().radius));
    const double beyond = most(0.0, longest_ * (1 + 1e-6) - smallest_radius_);
    scratch_.clear();
    leaves_.clear();
    leaf_of_place_.clear();
    const AcrossTurn pairing(scratch_, axes, float((2 * beyond + clearance) * (1 + 1e-6)), turn.begin, turn.end);
    ChainChange nothing;
    nothing.first = turn.first;
    Query query(*this, turn, axes, clearance, balls);
    Budget budget;
    Counters counters;
    search_across(TurnParts(tree, nothing, scratch_, pairing), query, budget, counters, [](int, std::int64_t) {});
    query.found.counters = counters;
    return query.found;
}

ChainTurn ChainTurnSearch::torsion(std::int64_t joint, double angle) const {
    ChainTurn turn{chain_.own_ball(joint + 1), 0, chain_.balls(), {}, {}, angle};
    const std::int64_t leaf = (turn.first - 1) / size;
    turn.on_axis = chain_.own_ball(joint);
    turn.centre = seen_from(leaf, turn.first);
    turn.axis = normalised(turn.centre - seen_from(leaf, turn.on_axis), {1, 0, 0});
    return turn;
}

ChainTurn ChainTurnSearch::pivot(std::int64_t joint, Quat q) const {
    if (q.w < 0) q = {-q.w, -q.x, -q.y, -q.z};
    ChainTurn turn{chain_.own_ball(joint), 0, chain_.balls(), {}, {}, 2 * std::atan2(length(q.vector()), q.w)};
    if (turn.first == 0) return turn;  // everything turns
    const std::int64_t leaf = (turn.first - 1) / size, home = chain_.leaf_of_joint(joint);
    turn.centre = seen_from(leaf, turn.first);
    turn.axis = normalised(q.vector(), {1, 0, 0});
    if (leaf != home) turn.axis = chain_.tree().seen_from(home, leaf).q * turn.axis;
    return turn;
}

std::array<ChainTurn, 2> ChainTurnSearch::crankshaft(std::int64_t i, std::int64_t k, double angle) const {
    const std::int64_t from = chain_.own_ball(i), to = chain_.own_ball(k);
    auto about = [&](std::int64_t first, std::int64_t begin, std::int64_t end, double by) {
        ChainTurn turn{first, begin, end, {}, {}, by};
        if (first == 0) return turn;
        const std::int64_t leaf = (first - 1) / size;
        turn.centre = seen_from(leaf, first);
        turn.axis = normalised(seen_from(leaf, to) - seen_from(leaf, from), {1, 0, 0});
        return turn;
    };
    // Seen from the stretch, what lies behind it turns the other way.
    return {about(from, 0, to, angle), about(to, from, chain_.balls(), -angle)};
}

}  // namespace elbowroom
