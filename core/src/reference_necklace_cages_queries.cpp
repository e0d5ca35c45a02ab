#include <algorithm>
#include <cmath>

#include "elbowroom/bodies/necklace_touch.hpp"
#include "elbowroom/narrow/near_balls.hpp"
#include "elbowroom/queries/distance.hpp"
#include "elbowroom/queries/overlap.hpp"
#include "elbowroom/reference/necklace_cages.hpp"
#include "elbowroom/reference/within_cages.hpp"
#include "remembered_run.hpp"

namespace elbowroom {

namespace {

using Pairs = WithinCages<NecklaceCages, NecklaceTouch>;

/// What two beads mean.
struct CageLeaves {
    const NecklaceCages& cages;

    template <class Sink>
    bool overlap(const Pair& pair, Counters& counters, Sink& sink) const {
        const NearBalls n = near(pair, counters);
        return n.gap <= 0 && sink(n);
    }
    void nearest(const Pair& pair, Counters& counters, NearestBalls& best) const {
        const NearBalls n = near(pair, counters);
        const double gap = most(0.0, n.gap);
        if (gap * gap < best.upper2) best = {gap * gap, n};
    }
    template <class Sink>
    void within(const Pair& pair, double reach, Counters& counters, Sink& sink) const {
        if (const NearBalls n = near(pair, counters); n.gap <= reach) sink(n);
    }

private:
    NearBalls near(const Pair& pair, Counters& counters) const {
        ++counters.leaf_tests;
        const SphereVolume a = cages.ball(pair.a), b = cages.ball(pair.b);
        return {~pair.a, ~pair.b, a.centre, b.centre, a.radius + b.radius};
    }
};

template <class Query, class Order>
Stop run(const NecklaceCages& cages, const NecklaceTouch& touch, Query& query, Order& order, const Allowance& allowance,
         Counters& counters) {
    if (touch.all_may()) return Stop::exhausted;
    const Pairs pairs(cages.tree(), cages, touch);
    order.push(pairs.root());
    Budget budget(allowance);
    return traverse(pairs, query, order, budget, counters);
}

/// Least bound of what a budget left.
template <class Order>
double cut_of(Order& order) {
    double cut = far_away;
    order.each([&](const Pair& p) { cut = least(cut, std::sqrt(double(p.bound))); });
    return cut;
}

/// Says how much of all pairs a search on a budget has left; of a distance, what can be nearer than the nearest.
template <class Order, class Answer>
void state_left(const NecklaceCages& cages, const Order& order, double nearest2, const Allowance& allowance,
                Answer& answer) {
    if (allowance.unlimited()) return;
    const CageTree& tree = cages.tree();
    auto among = [](double n) { return n * (n - 1) / 2; };
    double left = 0;
    order.each([&](const Pair& p) {
        if (p.bound >= nearest2) return;
        left += p.a == p.b ? among(tree.count(p.a)) : double(tree.count(p.a)) * tree.count(p.b);
    });
    state_covered(left, among(tree.beads()), answer);
}

PrimitivePair beads_of(const NearBalls& n) { return {std::int32_t(n.a), std::int32_t(n.b)}; }

/// The search for the nearest beads: depth first, and on a budget nearest first after a quick look, so that what is
/// left at the end has the largest bound it can have.
template <class Query>
double find_nearest(const NecklaceCages& cages, const NecklaceTouch& touch, Query& query, const NearestBalls& best,
                    const Allowance& allowance, DistanceAnswer& answer) {
    Allowance first = allowance;
    if (!allowance.unlimited()) first.tests = least<std::uint64_t>(allowance.tests / 4, 400);
    DepthFirst quick;
    answer.stop = run(cages, touch, query, quick, first, answer.counters);
    if (answer.stop != Stop::out_of_budget) {
        state_left(cages, DepthFirst(), 0, allowance, answer);
        return far_away;
    }
    NearestFirst order;
    answer.stop = run(cages, touch, query, order, allowance, answer.counters);
    state_left(cages, order, best.upper2, allowance, answer);
    return answer.stop == Stop::out_of_budget ? cut_of(order) : far_away;
}

}  // namespace

CollideAnswer NecklaceCages::self_collide(const NecklaceTouch& touch, const CollideOptions& options) const {
    CollideAnswer answer;
    const bool all = options.every || options.depth;
    auto sink = [&](const NearBalls& n) {
        check_memory_for(answer.pairs, options.depth ? bytes_of_contact : bytes_of_pair);
        answer.pairs.push_back(beads_of(n));
        return !all;
    };
    const CageLeaves leaves{*this};
    Overlap query(leaves, sink);
    DepthFirst order;
    answer.stop = run(*this, touch, query, order, options.allowance, answer.counters);
    state_left(*this, order, far_away, options.allowance, answer);
    answer.hit = !answer.pairs.empty();
    std::sort(answer.pairs.begin(), answer.pairs.end());
    if (!options.depth || !answer.hit) return answer;
    for (const auto& [i, j] : answer.pairs)
        answer.contacts.push_back(contact_ball_ball(centre(i), radius_[i], centre(j), radius_[j]));
    if (!options.every) keep_deepest(answer);
    return answer;
}

DistanceAnswer NecklaceCages::self_distance(const NecklaceTouch& touch, const DistanceOptions& options) const {
    DistanceAnswer answer;
    NearestBalls best;
    const CageLeaves leaves{*this};
    const bool enough = options.enough >= 0;
    ShortestDistance query(leaves, best, {}, enough ? options.enough * options.enough : far_away * far_away, enough);
    const double cut = find_nearest(*this, touch, query, best, options.allowance, answer);
    if (best.balls.a < 0 && answer.stop == Stop::out_of_budget && !enough) {  // any pair gives an upper bound
        const auto [i, j] = touch.compared_pair();
        best.balls = {i, j, centre(i), centre(j), radius_[i] + radius_[j]};
        best.upper2 = most(0.0, best.balls.gap) * most(0.0, best.balls.gap);
    }
    if (best.balls.a < 0) {  // nothing to compare, or nothing within `enough`
        answer.upper = std::numeric_limits<double>::infinity();
        answer.lower = enough ? options.enough : answer.upper;
        if (answer.stop == Stop::out_of_budget) answer.lower = least(answer.lower, cut);
        return answer;
    }
    const auto [i, j] = answer.pair = beads_of(best.balls);
    answer.upper = std::sqrt(best.upper2);
    if (answer.stop != Stop::settled)
        answer.lower = most(0.0, least(answer.upper - 2 * rounding * (answer.upper + radius_[i] + radius_[j]), cut));
    if (enough && answer.upper > options.enough) answer.lower = least(answer.lower, options.enough);
    nearest_points_ball_ball(centre(i), radius_[i], centre(j), radius_[j], answer.upper == 0, answer.on_a, answer.on_b);
    if (answer.upper == 0) answer.stop = Stop::settled;
    return answer;
}

WithinAnswer NecklaceCages::self_within(const NecklaceTouch& touch, const WithinOptions& options) const {
    WithinAnswer answer;
    auto sink = [&](const NearBalls& n) {
        check_memory_for(answer.pairs, bytes_of_distance);
        answer.pairs.push_back(beads_of(n));
        answer.distances.push_back(most(0.0, n.gap));
    };
    const CageLeaves leaves{*this};
    WithinReach query(leaves, options.reach, sink);
    DepthFirst order;
    answer.stop = run(*this, touch, query, order, options.allowance, answer.counters);
    state_left(*this, order, far_away, options.allowance, answer);
    sort_together(answer.pairs, answer.distances);
    return answer;
}

SeparatingFamily NecklaceCages::separate(const NecklaceTouch& touch, const std::vector<PrimitivePair>* start) const {
    SeparatingFamily family;
    const Pairs pairs(tree_, *this, touch);
    const CageLeaves leaves{*this};
    Separating query(pairs, leaves, family);
    DepthFirst order;
    Budget budget;
    if (!start && !touch.all_may()) order.push(pairs.root());
    if (start)
        for (auto p = start->rbegin(); p != start->rend(); ++p) order.push(query.untested((*p)[0], (*p)[1]));
    traverse(pairs, query, order, budget, family.counters);
    std::sort(family.colliding.begin(), family.colliding.end());
    return family;
}

}  // namespace elbowroom
