// What a chain knows of itself: after a change, or as a whole.
#include <algorithm>

#include "elbowroom/bodies/chain.hpp"
#include "elbowroom/bodies/chain_search.hpp"
#include "elbowroom/narrow/contact_hull_hull.hpp"
#include "elbowroom/queries/distance.hpp"
#include "elbowroom/queries/overlap.hpp"
#include "elbowroom/traversal/traverse.hpp"

namespace elbowroom {

namespace {

constexpr int size = ChainLeaf::size;

/// Settles at the first pair.
struct FirstHit {
    bool operator()(const NearBalls&) const { return true; }
};

}  // namespace

bool Chain::collides() {
    if (verdict_ != Verdict::unknown) return verdict_ == Verdict::colliding;
    bool hit;
    // Nothing is known yet: a look at the chain before the change makes this test and all later ones cheap.
    if (noted_ && before_noted_ == Verdict::unknown && !proved_) {
        proved_ = holds_in_full();
        before_noted_ = proved_ ? Verdict::free : Verdict::colliding;
    }
    if (proved_ && doubts_.empty() && noted_) {
        hit = touches(*noted_);
    } else {
        settle();
        hit = proved_ && doubts_.size() <= most_doubts ? !holds_where_in_doubt() : !holds_in_full();
        if (!hit) proved_ = true, doubts_.clear();
    }
    verdict_ = hit ? Verdict::colliding : Verdict::free;
    return hit;
}

bool Chain::holds_where_in_doubt() {
    Counters all;
    bool hit = false;
    for (auto d = doubts_.begin(); d != doubts_.end() && !hit; ++d) {
        ChainChange nothing;
        nothing.first = d->split;
        hit = d->side >= 0 ? touches_side(d->side) : touches(nothing);
        all += counters_;
    }
    counters_ = all;
    return !hit;
}

bool Chain::holds_in_full() {
    FirstHit sink;
    ChainLeaves leaves(places_, &exclusion_);
    Overlap query(leaves, sink);
    Unlimited budget;
    counters_ = {};
    if (all_may_touch()) return true;
    const bool boxes = volume_ != ChainVolume::balls;
    return sweep_chain(tree_, places_, boxes, query, budget, counters_, [](int, std::int64_t) {}) != Stop::settled;
}

Stop Chain::search(const ChainChange& change, bool boxes, std::uint64_t tests) {
    FirstHit sink;
    ChainLeaves leaves(places_, &exclusion_);
    Overlap query(leaves, sink);
    Limited budget(tests, std::numeric_limits<double>::infinity());
    counters_ = {};
    return search_across(tree_, change, places_, parts_, boxes, query, budget, counters_, [](int, std::int64_t) {});
}

bool Chain::touches_side(std::int64_t link) {
    FirstHit sink;
    ChainLeaves leaves(places_, &exclusion_);
    Overlap query(leaves, sink);
    Unlimited budget;
    counters_ = {};
    const auto [begin, end] = balls_of(link);
    return search_around(tree_, begin, end, places_, by_boxes(), query, budget, counters_) == Stop::settled;
}

template <class Query>
Stop Chain::sweep_within(Query& query, ChainPlaces& places, const Allowance& allowance, Counters& counters) const {
    if (all_may_touch()) return Stop::exhausted;
    if (allowance.unlimited()) {
        Unlimited budget;
        return sweep_chain(tree_, places, volume_ != ChainVolume::balls, query, budget, counters,
                           [](int, std::int64_t) {});
    }
    Limited budget(allowance.tests, allowance.seconds);
    return sweep_chain(tree_, places, volume_ != ChainVolume::balls, query, budget, counters, [](int, std::int64_t) {});
}

/// What the last test cost, in visits. It is counted, not timed, so that the same changes take the same course on every
/// run; the weights were measured.
double Chain::cost(bool boxes) const {
    return 6 + double(counters_.pairs_visited) * (boxes ? 1.5 : 1.0) + 0.05 * double(counters_.leaf_tests);
}

/// Balls alone, or balls and boxes? Now and then the other way is tried, for four tests and no longer than eight times
/// what they take this way, and the cheaper is kept; the longer one has been the cheaper, the rarer the trials.
bool Chain::touches(const ChainChange& change) {
    Choice& c = choice_;
    if (volume_ == ChainVolume::automatic && c.until_trial-- <= 4) {
        bool hit;
        if (try_the_other_way(change, hit)) return hit;
    }
    const bool hit = search(change, by_boxes(), ~std::uint64_t(0)) == Stop::settled;
    c.cost += (cost(by_boxes()) - c.cost) * (c.cost == 0 ? 1.0 : 0.05);
    return hit;
}

bool Chain::try_the_other_way(const ChainChange& change, bool& hit) {
    Choice& c = choice_;
    const Stop stop = search(change, !c.boxes, std::uint64_t(64 + 64 * c.cost));
    c.other_cost += (stop == Stop::out_of_budget ? 8 * c.cost + 64 : cost(!c.boxes)) / 4;
    if (c.until_trial == 0) {
        const bool better = c.other_cost < c.cost;
        if (better) c.boxes = !c.boxes, c.cost = 0;
        c.interval = better ? 64 : least(2 * c.interval, 1u << 16);
        c.until_trial = c.interval, c.other_cost = 0;
    }
    hit = stop == Stop::settled;
    return stop != Stop::out_of_budget;
}

CollideAnswer Chain::self_collide(const CollideOptions& options) const {
    CollideAnswer answer;
    ChainPlaces places;
    std::vector<NearBalls> found;
    auto sink = [&](const NearBalls& n) {
        found.push_back(n);
        return !options.every && !options.depth;
    };
    ChainLeaves leaves(places, &exclusion_);
    Overlap query(leaves, sink);
    answer.stop = sweep_within(query, places, options.allowance, answer.counters);
    answer.hit = !found.empty();
    if (options.depth && !options.every && !found.empty()) {
        auto deeper = [](const NearBalls& x, const NearBalls& y) { return x.gap < y.gap; };
        found = {*std::min_element(found.begin(), found.end(), deeper)};
    }
    for (const NearBalls& n : found) {
        answer.pairs.push_back({std::int32_t(n.a), std::int32_t(n.b)});
        if (!options.depth) continue;
        answer.contacts.push_back(
            contact_ball_ball(tree_.centre(n.a), tree_.radii()[n.a], tree_.centre(n.b), tree_.radii()[n.b]));
    }
    return answer;
}

DistanceAnswer Chain::self_distance(const DistanceOptions& options) const {
    DistanceAnswer answer;
    ChainPlaces places;
    NearestBalls best;
    ChainLeaves leaves(places, &exclusion_);
    const bool enough = options.enough >= 0;
    ShortestDistance query(leaves, best, {}, enough ? options.enough * options.enough : far_away * far_away, enough);
    answer.stop = sweep_within(query, places, options.allowance, answer.counters);
    answer.upper = std::sqrt(best.upper2);
    answer.lower = answer.stop == Stop::exhausted ? answer.upper : 0;
    if (best.balls.a < 0) {  // nothing to compare, or nothing within `enough`
        answer.upper = std::numeric_limits<double>::infinity();
        answer.lower = answer.stop == Stop::out_of_budget ? 0 : (enough ? options.enough : answer.upper);
        return answer;
    }
    answer.lower = most(0.0, answer.lower - 2 * rounding * (length(best.balls.at_a) + length(best.balls.at_b)));
    if (enough && answer.upper > options.enough) answer.lower = least(answer.lower, options.enough);
    nearest_points_ball_ball(tree_.centre(best.balls.a), tree_.radii()[best.balls.a], tree_.centre(best.balls.b),
                             tree_.radii()[best.balls.b], answer.upper == 0, answer.on_a, answer.on_b);
    if (answer.upper == 0) answer.stop = Stop::settled;
    answer.pair = {std::int32_t(best.balls.a), std::int32_t(best.balls.b)};
    return answer;
}

WithinAnswer Chain::self_within(double reach, const Allowance& allowance) const {
    WithinAnswer answer;
    ChainPlaces places;
    auto sink = [&](const NearBalls& n) {
        answer.pairs.push_back({std::int32_t(n.a), std::int32_t(n.b)}), answer.distances.push_back(most(0.0, n.gap));
    };
    ChainLeaves leaves(places, &exclusion_);
    WithinReach query(leaves, reach, sink);
    answer.stop = sweep_within(query, places, allowance, answer.counters);
    return answer;
}

ChainPairs& Chain::pairs_within(double reach) {
    settle();
    if (!near_ || near_->reach() != reach) {
        near_ = std::make_unique<ChainPairs>(tree_, exclusion_, volume_ != ChainVolume::balls, PairRule{reach, {}});
    }
    near_->refresh();
    return *near_;
}

void Chain::set_energy(const ChainEnergy& energy) {
    settle();
    double smallest = far_away;
    for (std::int64_t i = 0; i < balls(); ++i) smallest = least(smallest, tree_.radii()[i]);
    energy_ = std::make_unique<ChainPairs>(tree_, exclusion_, volume_ != ChainVolume::balls, energy.rule(smallest));
}

double Chain::energy() {
    settle();
    energy_->refresh();
    return energy_->sum();
}

}  // namespace elbowroom
