// What a necklace under boxes knows of itself.
#include <algorithm>

#include "elbowroom/bodies/necklace_boxes.hpp"
#include "elbowroom/queries/distance.hpp"
#include "elbowroom/queries/near.hpp"
#include "elbowroom/queries/overlap.hpp"
#include "traverse_allowed.hpp"

namespace elbowroom {

/// The leaves one after the other among themselves, which soon finds what is near, then pairs of leaves by the tree.
template <class Reach, class Visit>
Stop NecklaceBoxes::sweep(Reach&& reach, Visit&& visit, Counters& counters) const {
    const NecklaceLeaves leaves(tree_, centres_.data(), touch_);
    for (std::int32_t l = 0; l < tree_.leaves(); ++l)
        if (leaves.near_pairs({l, l, 0.f}, counters, reach, visit)) return Stop::settled;
    const WithinBeads pairing(tree_, false);
    NearPairs query(leaves, reach, visit);
    DepthFirst order;
    Unlimited budget;
    order.push(pairing.root());
    return traverse(pairing, query, order, budget, counters);
}

/// All pairs by the tree, on a budget the most promising first; the least squared bound of what that left.
template <class Query>
double NecklaceBoxes::sweep_allowed(Query& query, const Allowance& allowance, Counters& counters, Stop& stop) const {
    const WithinBeads pairing(tree_, true);
    if (allowance.unlimited()) {
        DepthFirst order;
        order.push(pairing.root());
        stop = traverse_allowed(pairing, query, order, allowance, counters);
        return far_away * far_away;
    }
    NearestFirst order;
    order.push(pairing.root());
    stop = traverse_allowed(pairing, query, order, allowance, counters);
    return order.empty() ? far_away * far_away : double(order.pop().bound);
}

/// The pair that was nearest last time, if it still matters; true if it settles the question.
bool NecklaceBoxes::recall(Nearest& best) const {
    const std::uint64_t hint = hint_.load(std::memory_order_relaxed);
    if (hint == ~std::uint64_t(0)) return false;
    const NearBalls n = near(std::int64_t(hint >> 32), std::int64_t(hint & 0xffffffffu));
    return n.gap <= best.keep && best.take(n);
}

void NecklaceBoxes::note(const Nearest& best) const {
    if (best.a >= 0) hint_.store(std::uint64_t(best.a) << 32 | std::uint64_t(best.b), std::memory_order_relaxed);
}

/// Takes two beads if they are nearer than what is known; most are not, which needs no root to see.
ELBOWROOM_INLINE bool NecklaceBoxes::improves(Nearest& best, std::int64_t i, std::int64_t j) const {
    const double radii = tree_.radius(i) + tree_.radius(j);
    const double limit = radii + most(best.reach(), 2 * rounding * radii), limit2 = limit * limit;  // touching is 0
    const double apart2 = length2(centres_[j] - centres_[i]);
    if (best.gap > best.keep ? apart2 > limit2 * (1 + 4 * rounding) : apart2 >= limit2) return false;
    const NearBalls n = near(i, j);
    return n.gap <= best.keep && best.take(n);
}

bool NecklaceBoxes::search_list(Nearest& best, Counters& counters) const {
    const double sure = list_.cut() - 2 * gone_;
    if (!(sure > 0)) return false;
    bool enough = false;
    const std::size_t pairs = list_.scan(
        gone_, [&] { return best.reach(); },
        [&](std::int32_t i, std::int32_t j) { return enough = improves(best, i, j); });
    counters.leaf_tests += pairs;
    const bool answered = enough || best.reach() <= sure;
    policy_.scanned_list(pairs, answered);
    return answered;
}

void NecklaceBoxes::search_tree(Nearest& best, Counters& counters) const {
    sweep([&] { return float(least(best.reach(), 1e18)); },
          [&](std::int64_t i, std::int64_t j) { return improves(best, i, j); }, counters);
}

/// A search that also keeps what is a little farther than the nearest, for the frames to come.
void NecklaceBoxes::make_list(Nearest& best, Counters& counters) const {
    const std::size_t enough = 64 + 6 * std::size_t(tree_.beads());
    const double skin = policy_.skin() * spacing_;
    bool lists = true;
    list_.start();
    auto reach = [&] { return float(least(best.reach() + (lists ? skin : 0.0), 1e18)); };
    sweep(
        reach,
        [&](std::int64_t i, std::int64_t j) {
            const NearBalls n = near(i, j);
            if (n.gap <= best.keep) best.take(n);
            if (lists) list_.add(std::int32_t(n.a), std::int32_t(n.b), n.gap), lists = list_.found() <= enough;
            return !lists && (best.gap == 0 || (best.any && best.gap <= best.keep));
        },
        counters);
    if (!lists) return policy_.failed_list();
    const double cut = best.reach() + skin;
    list_.finish(best.gap <= cut ? best.gap : 0.0, cut);
    gone_ = 0, ++work_.list_builds;
    policy_.made_list(counters, list_.pairs());
}

void NecklaceBoxes::search(Nearest& best, Counters& counters) const {
    if (touch_.all_may()) return;
    if (recall(best)) return;
    std::unique_lock<std::mutex> lock(guard_);
    if (list_.alive() && search_list(best, counters)) {
        ++work_.list_frames;
        return note(best);
    }
    bool again = false;
    if (list_.alive()) again = policy_.was_worth_it(), list_.clear();
    need_tree();
    if (spacing_ > 0 && (again || policy_.wants_list(tree_.step(), policy_.skin() * spacing_))) {
        make_list(best, counters);
        return note(best);
    }
    ++work_.tree_frames;
    lock.unlock();
    Counters mine;
    search_tree(best, mine);
    note(best);
    counters += mine;
    lock.lock();
    if (best.gap > 0) policy_.searched_tree(mine);
}

void NecklaceBoxes::add_pairs(CollideAnswer& answer, std::vector<NearBalls>& found,
                              const CollideOptions& options) const {
    answer.hit = !found.empty();
    for (const NearBalls& n : found) {
        answer.pairs.push_back({std::int32_t(n.a), std::int32_t(n.b)});
        if (options.depth)
            answer.contacts.push_back(contact_ball_ball(n.at_a, tree_.radius(n.a), n.at_b, tree_.radius(n.b)));
    }
    answer = sorted(std::move(answer));
    if (options.depth && !options.every && answer.hit) keep_deepest(answer);
}

CollideAnswer NecklaceBoxes::self_collide(const CollideOptions& options) const {
    CollideAnswer answer;
    std::vector<NearBalls> found;
    const bool all = options.every || options.depth;
    if (!all && options.allowance.unlimited()) {
        Nearest best;
        best.keep = 0, best.any = true;
        search(best, answer.counters);
        if (best.a >= 0) found.push_back(near(best.a, best.b)), answer.stop = Stop::settled;
    } else if (!touch_.all_may()) {
        {
            const std::lock_guard<std::mutex> lock(guard_);
            need_tree();
        }
        auto sink = [&](const NearBalls& n) { return found.push_back(n), !all; };
        const NecklaceLeaves leaves(tree_, centres_.data(), touch_);
        Overlap query(leaves, sink);
        sweep_allowed(query, options.allowance, answer.counters, answer.stop);
    }
    add_pairs(answer, found, options);
    return answer;
}

DistanceAnswer NecklaceBoxes::self_distance(const DistanceOptions& options) const {
    DistanceAnswer answer;
    const bool enough = options.enough >= 0;
    double left = far_away;
    Nearest best;
    if (options.allowance.unlimited()) {
        if (enough) best.keep = options.enough, best.any = true;
        search(best, answer.counters);
    } else if (!touch_.all_may()) {
        {
            const std::lock_guard<std::mutex> lock(guard_);
            need_tree();
        }
        NearestBalls nearest;
        const NecklaceLeaves leaves(tree_, centres_.data(), touch_);
        ShortestDistance query(leaves, nearest, {}, enough ? options.enough * options.enough : far_away * far_away,
                               enough);
        left = std::sqrt(sweep_allowed(query, options.allowance, answer.counters, answer.stop));
        if (nearest.balls.a < 0 && answer.stop == Stop::out_of_budget && !enough) {  // any pair gives an upper bound
            const auto [i, j] = touch_.stranger();
            nearest.balls = near(i, j), nearest.upper2 = most(0.0, nearest.balls.gap) * most(0.0, nearest.balls.gap);
        }
        if (nearest.balls.a >= 0)
            best.gap = std::sqrt(nearest.upper2), best.a = nearest.balls.a, best.b = nearest.balls.b;
    }
    finish(answer, best, options, left);
    return answer;
}

/// `left`: a bound of what the budget left.
void NecklaceBoxes::finish(DistanceAnswer& answer, const Nearest& best, const DistanceOptions& options,
                           double left) const {
    const bool enough = options.enough >= 0;
    answer.upper = best.a < 0 ? std::numeric_limits<double>::infinity() : best.gap;
    answer.lower = answer.stop == Stop::out_of_budget ? least(answer.upper, left) : answer.upper;
    if (best.a >= 0) {
        const double ra = tree_.radius(best.a), rb = tree_.radius(best.b);
        answer.lower = most(0.0, answer.lower - rounding * (ra + rb + answer.upper));
        nearest_points_ball_ball(centres_[best.a], ra, centres_[best.b], rb, answer.upper == 0, answer.on_a,
                                 answer.on_b);
        answer.pair = {std::int32_t(best.a), std::int32_t(best.b)};
    }
    if (answer.upper == 0) answer.stop = Stop::settled;
    if (!enough || answer.stop == Stop::out_of_budget) return;
    answer.stop = Stop::settled;
    answer.lower = answer.upper > options.enough ? least(answer.lower, options.enough) : 0;
}

WithinAnswer NecklaceBoxes::self_within(double reach, const Allowance& allowance) const {
    WithinAnswer answer;
    if (touch_.all_may()) return answer;
    {
        const std::lock_guard<std::mutex> lock(guard_);
        need_tree();
    }
    auto sink = [&](const NearBalls& n) {
        answer.pairs.push_back({std::int32_t(n.a), std::int32_t(n.b)}), answer.distances.push_back(most(0.0, n.gap));
    };
    const NecklaceLeaves leaves(tree_, centres_.data(), touch_);
    WithinReach query(leaves, reach, sink);
    sweep_allowed(query, allowance, answer.counters, answer.stop);
    return sorted(std::move(answer));
}

}  // namespace elbowroom
