// What a necklace under boxes knows of itself.
#include <algorithm>

#include "elbowroom/bodies/necklace_boxes.hpp"
#include "elbowroom/queries/distance.hpp"
#include "elbowroom/queries/near.hpp"
#include "elbowroom/queries/overlap.hpp"
#include "elbowroom/queries/remaining_budget.hpp"
#include "remembered_run.hpp"

namespace elbowroom {

/// The leaves one after the other among themselves, which soon finds what is near, then pairs of leaves by the tree.
template <class Reach, class Visit>
Stop NecklaceBoxes::sweep(Reach&& reach, Visit&& visit, Counters& counters) const {
    const NecklaceLeaves leaves(tree_, centres_.data(), touch_);
    Poll poll;
    for (std::int32_t l = 0; l < tree_.leaves(); ++l) {
        poll();
        if (leaves.near_pairs({l, l, 0.f}, counters, reach, visit)) return Stop::settled;
    }
    const WithinBeads pairing(tree_, false);
    NearPairs query(leaves, reach, visit);
    DepthFirst order;
    Budget budget;
    order.push(pairing.root());
    return traverse(pairing, query, order, budget, counters);
}

/// How far apart the beads of two leaves are, at least.
static double leaf_gap(const NecklaceLeaves& leaves, const Pair& pair) {
    NearestBalls nearest;
    Counters nothing;
    leaves.nearest(pair, nothing, nearest);
    if (nearest.balls.a < 0) return far_away;
    const double d = std::sqrt(nearest.upper2);
    return most(0.0, d - 4 * rounding * (d + std::sqrt(nearest.balls.apart2)));
}

/// All pairs by the tree.
template <class Query, class Answer>
void NecklaceBoxes::sweep_allowed(Query& query, const Allowance& allowance, Answer& answer) const {
    DepthFirst order;
    sweep_by(order, query, allowance, far_away, answer);
}

/// `nearest2`: what has a greater bound is done with.
template <class Order, class Query, class Answer>
void NecklaceBoxes::sweep_by(Order& order, Query& query, const Allowance& allowance, const double& nearest2,
                             Answer& answer) const {
    const WithinBeads pairing(tree_, true);
    order.push(pairing.root());
    Budget budget(allowance);
    answer.stop = traverse(pairing, query, order, budget, answer.counters);
    if (allowance.unlimited()) return;
    double left = 0;
    order.each([&](const Pair& p) { left += p.bound < nearest2 ? pairing.count(p.a, p.b) : 0; });
    const double whole = pairing.count(pairing.root().a, pairing.root().b);
    state_covered(answer.stop == Stop::exhausted ? 0 : left, whole, answer);
}

/// A distance on a budget: a quarter of it for a good upper bound, the rest nearest first; the least bound of what that
/// left.
template <class Query>
double NecklaceBoxes::sweep_nearest(Query& query, const NearestBalls& best, const Allowance& allowance,
                                    DistanceAnswer& answer) const {
    const RemainingBudget remaining(allowance);
    Allowance first = allowance;
    if (first.tests != ~std::uint64_t(0)) first.tests /= 4;
    first.seconds /= 4;
    DepthFirst quick;
    sweep_by(quick, query, first, best.upper2, answer);
    if (answer.stop != Stop::out_of_budget) return far_away;
    NearestFirst order;
    Allowance rest = allowance;
    rest.seconds = remaining.after({}).seconds;
    sweep_by(order, query, rest, best.upper2, answer);
    return order.empty() ? far_away : std::sqrt(double(order.first().bound));
}

/// The cut of the questions before, told how far beads have gone since: two of them can come nearer from both sides.
CutMemory& NecklaceBoxes::begin(QueryMemory& memory) const {
    CutMemory& cut = memory.begin(watch_.id(), 0);
    const double reading = watch_.read();
    if (cut.placed) cut.move(2 * (reading - cut.reading), far_away);
    cut.placed = true, cut.reading = reading;
    const std::lock_guard<std::mutex> lock(guard_);
    need_tree();
    return cut;
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

/// A search that also keeps what is a little farther than the nearest, for the frames to come. The lock is not held
/// during the search, which may be interrupted.
void NecklaceBoxes::make_list(Nearest& best, Counters& counters, std::unique_lock<std::mutex>& lock) const {
    const std::size_t enough = 64 + 6 * std::size_t(tree_.beads());
    const double skin = policy_.skin() * spacing_;
    NecklaceList list = std::move(list_);  // which is not alive: for its memory
    lock.unlock();
    bool lists = true;
    list.start();
    auto reach = [&] { return float(least(best.reach() + (lists ? skin : 0.0), 1e18)); };
    sweep(
        reach,
        [&](std::int64_t i, std::int64_t j) {
            const NearBalls n = near(i, j);
            if (n.gap <= best.keep) best.take(n);
            if (lists) list.add(std::int32_t(n.a), std::int32_t(n.b), n.gap), lists = list.found() <= enough;
            return !lists && (best.gap == 0 || (best.any && best.gap <= best.keep));
        },
        counters);
    const double cut = best.reach() + skin;
    if (lists) list.finish(best.gap <= cut ? best.gap : 0.0, cut);
    lock.lock();
    if (!lists) return policy_.failed_list();
    list_ = std::move(list);
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
        make_list(best, counters, lock);
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
    auto sink = [&](const NearBalls& n) {
        check_memory_for(found, bytes_of_contact);
        found.push_back(n);
        return !all;
    };
    const NecklaceLeaves leaves(tree_, centres_.data(), touch_);
    if (options.memory && options.memory->records(options.allowance.unlimited()) && !touch_.all_may()) {
        CutMemory& cut = begin(*options.memory);
        const WithinBeads pairing(tree_, true);
        RememberedRun run(cut, *options.memory, pairing, leaves, pairing.root(), 8);
        run.collide(sink, [&] { return found.size(); }, false, options, answer);
    } else if (!all && options.allowance.unlimited()) {
        Nearest best;
        best.keep = 0, best.any = true;
        search(best, answer.counters);
        if (best.a >= 0) found.push_back(near(best.a, best.b)), answer.stop = Stop::settled;
    } else if (!touch_.all_may()) {
        {
            const std::lock_guard<std::mutex> lock(guard_);
            need_tree();
        }
        Overlap query(leaves, sink);
        sweep_allowed(query, options.allowance, answer);
    }
    if (touch_.all_may() && !options.allowance.unlimited()) state_covered(0, 1, answer);
    add_pairs(answer, found, options);
    return answer;
}

DistanceAnswer NecklaceBoxes::self_distance(const DistanceOptions& options) const {
    DistanceAnswer answer;
    const bool enough = options.enough >= 0;
    double left = far_away;
    Nearest best;
    const bool recorded = options.memory && options.memory->records(options.allowance.unlimited());
    if (options.allowance.unlimited() && !recorded) {
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
        if (recorded) {
            CutMemory& cut = begin(*options.memory);
            const WithinBeads pairing(tree_, true);
            RememberedRun run(cut, *options.memory, pairing, leaves, pairing.root(), 8);
            left = run.distance(query, nearest, options, answer);
        } else {
            left = sweep_nearest(query, nearest, options.allowance, answer);
        }
        if (nearest.balls.a < 0 && answer.stop == Stop::out_of_budget && !enough) {  // any pair gives an upper bound
            const auto [i, j] = touch_.compared_pair();
            nearest.balls = near(i, j), nearest.upper2 = most(0.0, nearest.balls.gap) * most(0.0, nearest.balls.gap);
        }
        if (nearest.balls.a >= 0)
            best.gap = std::sqrt(nearest.upper2), best.a = nearest.balls.a, best.b = nearest.balls.b;
    }
    if (touch_.all_may() && !options.allowance.unlimited()) state_covered(0, 1, answer);
    finish(answer, best, options, left);
    if (recorded) conclude_answer(*options.memory, options, answer.upper == 0, answer);
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

WithinAnswer NecklaceBoxes::self_within(const WithinOptions& options) const {
    WithinAnswer answer;
    if (touch_.all_may() && !options.allowance.unlimited()) state_covered(0, 1, answer);
    if (touch_.all_may()) return answer;
    {
        const std::lock_guard<std::mutex> lock(guard_);
        need_tree();
    }
    auto sink = [&](const NearBalls& n) {
        check_memory_for(answer.pairs, bytes_of_distance);
        answer.pairs.push_back({std::int32_t(n.a), std::int32_t(n.b)});
        answer.distances.push_back(most(0.0, n.gap));
    };
    const NecklaceLeaves leaves(tree_, centres_.data(), touch_);
    if (options.memory && options.memory->records(options.allowance.unlimited())) {
        CutMemory& cut = begin(*options.memory);
        const WithinBeads pairing(tree_, true);
        RememberedRun run(cut, *options.memory, pairing, leaves, pairing.root(), 8);
        run.within(sink, 0, options, answer);
        return sorted(std::move(answer));
    }
    WithinReach query(leaves, options.reach, sink);
    sweep_allowed(query, options.allowance, answer);
    return sorted(std::move(answer));
}

}  // namespace elbowroom
