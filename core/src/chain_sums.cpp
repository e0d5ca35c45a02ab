#include "elbowroom/bodies/chain_sums.hpp"

#include <cmath>

#include "elbowroom/queries/distance.hpp"

namespace elbowroom {

namespace {

constexpr int size = ChainLeaf::size;
constexpr double rounding_of_sums = 1e-10;  // relative to the sizes of what is added, and much more than it can be

bool same(const ChainChange& a, const ChainChange& b) {
    auto equal = [](Vec3 x, Vec3 y) { return x.x == y.x && x.y == y.y && x.z == y.z; };
    return a.first == b.first && a.turn.w == b.turn.w && equal(a.turn.vector(), b.turn.vector()) &&
           equal(a.pivot, b.pivot) && equal(a.shift, b.shift);
}

/// Calls sink(a, b, energy) for every two leaves with balls within the cutoff, a the first of them along the chain.
/// Ends when a lookout sees two balls that touch.
template <class Sink>
class SummedLeaves {
public:
    SummedLeaves(const ChainEnergyLeaves& leaves, ChainPlaces& places, Sink& sink, ChainLookout* lookout = nullptr)
        : leaves_(leaves),
          places_(places),
          reach_(rounded_up(leaves.reach())),
          keep_(rounded_up(leaves.reach() * leaves.reach())),
          sink_(sink),
          lookout_(lookout) {}
    template <class Fan>
    ELBOWROOM_INLINE Offers offers(const Fan& fan) const {
        Float8 gap;
        BallBoxProbe ball = fan.one;  // balls are cheap, and mostly enough
        ball.radius += reach_;
        unsigned lanes = ball_overlap_lanes(ball, fan.many, gap) & fan.valid();
        if (lanes) lanes &= where_at_most(fan.squared_gaps({}, gap), Float8(keep_));
        return {lanes, __builtin_ctz(lanes | 256u)};
    }
    ELBOWROOM_INLINE bool admits(const Pair&) const { return true; }
    ELBOWROOM_INLINE bool settled() const { return lookout_ && lookout_->a >= 0; }
    void leaf(const Pair& pair, Counters& counters) {
        ++counters.leaf_tests;
        const std::int32_t a = places_[pair.a].index, b = places_[pair.b].index;
        if (double sum; leaves_.sum(places_, pair.a, pair.b, sum, lookout_)) sink_(least(a, b), most(a, b), sum);
    }

private:
    const ChainEnergyLeaves& leaves_;
    ChainPlaces& places_;
    const float reach_, keep_;
    Sink& sink_;
    ChainLookout* lookout_;
};

/// Adds up bounds of all pairs of leaves.
class BoundedLeaves {
public:
    BoundedLeaves(const ChainBounds& bounds, ChainPlaces& places, DoubtfulSum& sum)
        : bounds_(bounds), places_(places), sum_(sum) {}
    template <class Fan>
    ELBOWROOM_INLINE Offers offers(const Fan& fan) const {
        return {fan.valid(), __builtin_ctz(fan.valid() | 256u)};
    }
    ELBOWROOM_INLINE bool admits(const Pair&) const { return true; }
    ELBOWROOM_INLINE bool settled() const { return false; }
    void leaf(const Pair& pair, Counters& counters) {
        ++counters.leaf_tests;
        bounds_.add(places_, pair.a, pair.b, sum_);
    }

private:
    const ChainBounds& bounds_;
    ChainPlaces& places_;
    DoubtfulSum& sum_;
};

}  // namespace

double ChainSums::sum_after(const ChainChange& change) {
    asked_ = true;
    if (ahead_ && same(*ahead_, change)) return sum();
    refresh();
    forget_saved(), saved_for_ = 0;
    whole_or_stale([&] { update_split(change, nullptr); });
    ahead_ = change;
    return sum();
}

bool ChainSums::touches_after(const ChainChange& change) {
    refresh();
    if (witnesses_.any(change.first, [&](auto a, auto b) { return proves(change, a, b); })) return true;
    asked_ = false;
    forget_saved(), saved_for_ = 0;
    ChainLookout lookout;
    if (length2(change.shift) == 0) lookout.pivot_ball = change.pivot_ball;
    bool untouched = false;
    whole_or_stale([&] { untouched = update_split(change, &lookout); });
    if (untouched) {
        ahead_ = change;
        return false;
    }
    forget_fresh(), put_back_saved();
    witnesses_.add(lookout.a, lookout.b);
    asked_ = true;
    return true;
}

/// Do two balls overlap after that change by so much that whoever looks must find it?
bool ChainSums::proves(const ChainChange& change, std::int64_t a, std::int64_t b) const {
    auto centre = [&](std::int64_t ball) {
        return tree_.seen_from(ball / size, change.leaf()) * tree_.leaf(ball / size).centre(int(ball % size));
    };
    const double radii = (tree_.radii()[a] + tree_.radii()[b]) * (1 - 1e-9);
    return length2(change.map() * centre(b) - centre(a)) < radii * radii;
}

void ChainSums::note(const Note& n) {
    if (ahead_ && n.change && same(*ahead_, *n.change)) {
        ahead_.reset(), saved_for_ = n.step;
        return;
    }
    fall_back();
    ChainLists::note({n.begin, n.end, n.step});  // the change itself is gone by the time this is read
}

void ChainSums::build() {
    int level = 0;
    std::int64_t index = -1;
    auto sink = [&](std::int32_t a, std::int32_t b, double sum) { fresh(slot(level, a, b)).push_back({a, b, sum}); };
    auto keep_all = [&] {
        if (index >= 0) keep(level, index, level == 0 ? 1 : all_slots);
        forget_saved();
    };
    SummedLeaves query(leaves_, places_, sink);
    Budget budget;
    if (leaves_.any())
        sweep_chain(tree_, places_, boxes_, query, budget, counters_, [&](int l, std::int64_t i) {
            keep_all();
            level = l, index = i;
        });
    keep_all();
    update_terms(0, tree_.leaves() - 1, {}, [](std::int64_t) { return true; });
    forget_saved();
}

void ChainSums::update(const Note& n) {
    if (n.end >= 0) return update_balls(n.begin, n.end);
    ChainChange nothing;
    nothing.first = n.begin;
    update_split(nothing, nullptr);
}

/// The terms that are affected, of those of which all balls lie above some leaves, and the sums of their nodes.
template <class Affected>
void ChainSums::update_terms(std::int64_t first, std::int64_t last, const ChainChange& change, Affected&& affected) {
    if (!terms_.any()) return;
    ChainTermPlaces places(tree_, change);
    if (change.first > 0) places.look_from(change.leaf());
    for (int level = 0; level <= tree_.levels(); ++level)
        for (std::int64_t index = first >> 3 * level; index <= last >> 3 * level; ++index) {
            const std::int64_t begin = terms_.begin(level, index), end = terms_.end(level, index);
            bool any = false;
            for (std::int64_t t = begin; t < end && !any; ++t) any = affected(t);
            if (!any) continue;
            const List* old = extra(level, index).get();
            List& list = fresh_extra();
            for (std::int64_t t = begin; t < end; ++t) {
                if (change.first == 0) places.look_from(terms_.first_leaf(t));
                const double value = affected(t) ? terms_.energy(t, places) : (*old)[std::size_t(t - begin)].value;
                list.push_back({std::int32_t(t), 0, value});
            }
            keep_extra(level, index);
        }
}

/// What a split does not divide is taken over; pairs across it are summed anew, and so are all of the leaf in which it
/// lies. False, and unfinished, if the lookout saw something.
bool ChainSums::update_split(const ChainChange& change, ChainLookout* lookout) {
    if (leaves_.any()) look_beside(change);
    const std::int64_t leaf = change.leaf();
    int level = 0;
    std::int64_t index = -1;
    unsigned which = 0;
    auto sink = [&](std::int32_t a, std::int32_t b, double sum) { fresh(slot(level, a, b)).push_back({a, b, sum}); };
    SummedLeaves query(leaves_, places_, sink, lookout);
    Budget budget;
    ChainChange everything = change;
    everything.pivot_ball = -1;  // it does not come nearer, but has an energy
    auto meeting = [&](int l, std::int64_t i) {
        if (index >= 0) keep(level, index, which);
        level = l, index = i, which = divided_slots(l, leaf);
        take_over(l, i, leaf, which);
    };
    if (leaves_.any()) {
        const FramedParts parts(tree_, everything, places_, parts_, boxes_);
        if (search_across(parts, query, budget, counters_, meeting) == Stop::settled) return false;
        keep(level, index, which);
    } else {
        keep(0, leaf, 1);
    }
    update_terms(leaf, leaf, change, [&](std::int64_t term) { return terms_.is_divided(term, change.first); });
    add_up_above(leaf);
    return true;
}

/// Puts the pairs that a split in `leaf` leaves as they are into fresh lists.
void ChainSums::take_over(int level, std::int64_t index, std::int64_t leaf, unsigned which) {
    for (unsigned rest = which; rest; rest &= rest - 1) {
        const int k = __builtin_ctz(rest);
        const auto& old = kept(level, index, k).list;
        if (!old) continue;
        List& list = fresh(k);
        for (const ValuedPair& p : *old)
            if (p.b < leaf || p.a > leaf) list.push_back(p);
    }
    for (const Beside& b : beside_)
        if (b.level == level) fresh(slot(level, b.pair.a, b.pair.b)).push_back(b.pair);
}

/// The leaf in which a split lies falls into two parts. Each is searched with what lies on its own side.
/// `meeting(level)` is told in which level the pairs that follow first meet.
template <class Query, class Meeting>
void ChainSums::search_beside(const ChainChange& change, Query& query, Meeting&& meeting) {
    const std::int64_t leaf = change.leaf();
    const unsigned stays = (2u << change.lane()) - 1, valid = tree_.valid(leaf);
    const unsigned parts[2] = {valid & stays, valid & ~stays};
    places_.clear();
    const AcrossFrames pairing(places_, boxes_);
    DepthFirst order;
    Budget budget;
    std::int32_t part[2] = {-1, -1};
    for (int s = 0; s < 2; ++s) {
        if (!parts[s]) continue;
        part[s] = places_.add(tree_, 0, leaf, {}, tree_.bound(leaf, parts[s])), places_[part[s]].balls = parts[s];
        query.leaf(Pair{part[s], part[s], 0}, counters_);
    }
    Frame here;
    for (int level = 1; level <= tree_.levels(); ++level) {
        meeting(level);
        const std::int64_t index = leaf >> 3 * level;
        const ChainNode& n = tree_.node(level, index);
        const int c = int(leaf >> 3 * (level - 1)) & 7;
        here = here * inverse(n.child(c));
        const std::int32_t all = places_.add(tree_, level, index, here, {});
        const unsigned sides[2] = {n.lanes.valid & ((1u << c) - 1), n.lanes.valid & (~1u << c)};
        for (int s = 0; s < 2; ++s) {
            if (part[s] < 0 || !sides[s]) continue;
            const ChainFan fan = pairing.fan(all, part[s], true, sides[s]);
            order.push(fan, query.offers(fan));
        }
        traverse(pairing, query, order, budget, counters_);
    }
}

void ChainSums::look_beside(const ChainChange& change) {
    beside_.clear();
    int level = 0;
    auto sink = [&](std::int32_t a, std::int32_t b, double sum) { beside_.push_back({level, {a, b, sum}}); };
    SummedLeaves query(leaves_, places_, sink);
    search_beside(change, query, [&](int l) { level = l; });
}

/// By how much the terms that it divides grow.
double ChainSums::gain_of_terms(const ChainChange& change) const {
    if (!terms_.any()) return 0;
    double gain = 0;
    const std::int64_t leaf = change.leaf();
    ChainTermPlaces places(tree_, change);
    places.look_from(leaf);
    for (int level = 0; level <= tree_.levels(); ++level) {
        const std::int64_t index = leaf >> 3 * level, begin = terms_.begin(level, index);
        for (std::int64_t t = begin; t < terms_.end(level, index); ++t)
            if (terms_.is_divided(t, change.first))
                gain += terms_.energy(t, places) - (*extra(level, index))[std::size_t(t - begin)].value;
    }
    return gain;
}

/// The pairs that the change divides are summed again, by bounds where there are any, and what they were is known.
EnergyBounds ChainSums::bounds_after(const ChainChange& change) {
    if (ahead_ && same(*ahead_, change)) return {sum(), sum()};
    refresh();
    const std::int64_t leaf = change.leaf();
    DoubtfulSum after, before;
    for (int level = 0; level <= tree_.levels(); ++level)
        for (unsigned rest = divided_slots(level, leaf); rest; rest &= rest - 1) {
            const auto& list = kept(level, leaf >> 3 * level, __builtin_ctz(rest)).list;
            if (!list) continue;
            for (const ValuedPair& p : *list)
                if (p.a <= leaf && leaf <= p.b) before.sum += p.value, before.sizes += std::fabs(p.value);
        }
    BoundedLeaves query(bounds_, places_, after);
    search_beside(change, query, [](int) {});
    ChainChange everything = change;
    everything.pivot_ball = -1;  // it does not come nearer, but has an energy
    Budget budget;
    const FramedParts parts(tree_, everything, places_, parts_, boxes_);
    search_across(parts, query, budget, counters_, [](int, std::int64_t) {});
    const double terms = gain_of_terms(change), all = sum() + (after.sum - before.sum) + terms;
    const double sizes = std::fabs(sum()) + std::fabs(terms) + after.sizes + before.sizes;
    const double doubt = after.doubt + rounding_of_sums * sizes;
    return {all - doubt, all + doubt};
}

/// Some balls moved among the others: all of their leaves is summed anew.
void ChainSums::update_balls(std::int64_t begin, std::int64_t end) {
    const std::int64_t first = begin / size, last = (end - 1) / size;
    auto moved = [&](std::int64_t leaf) { return leaf >= first && leaf <= last; };
    List found;
    std::int64_t around = first;
    // Two leaves that both moved are found from either side.
    auto sink = [&](std::int32_t a, std::int32_t b, double sum) {
        if (!(moved(a) && moved(b)) || a == around) found.push_back({a, b, sum});
    };
    SummedLeaves query(leaves_, places_, sink);
    Budget budget;
    for (; leaves_.any() && around <= last; ++around) {
        const std::int64_t to = least((around + 1) * size, tree_.balls());
        search_around(tree_, around * size, to, places_, boxes_, query, budget, counters_);
    }
    update_terms(first, last, {}, [&](std::int64_t term) { return terms_.is_in(term, begin, end); });
    replace_moved(first, last, found, moved, [](std::int64_t leaf) { return leaf; });
}

}  // namespace elbowroom
