// What a chain knows of itself: after a change, or as a whole.
#include <algorithm>

#include "elbowroom/bodies/chain.hpp"
#include "elbowroom/bodies/chain_search.hpp"
#include "elbowroom/narrow/contact_hull_hull.hpp"
#include "elbowroom/pairings/run_places.hpp"
#include "elbowroom/queries/distance.hpp"
#include "elbowroom/queries/overlap.hpp"
#include "remembered_run.hpp"

namespace elbowroom {

bool Chain::collides() {
    if (verdict_ != Verdict::unknown) return verdict_ == Verdict::colliding;
    bool hit;
    // Nothing is known yet: a look at the chain before the change makes this test and all later ones cheap.
    if (pending_ && before_pending_ == Verdict::unknown && !proved_) {
        proved_ = holds_in_full();
        before_pending_ = proved_ ? Verdict::free : Verdict::colliding;
    }
    if (proved_ && doubts_.empty() && pending_) {
        hit = touches(*pending_);
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
        hit = d->end > d->begin ? touches_around(d->begin, d->end) : touches(nothing);
        all += counters_;
    }
    counters_ = all;
    return !hit;
}

bool Chain::holds_in_full() {
    AnyOverlap sink;
    ChainLeaves leaves(places_, &exclusion_);
    Overlap query(leaves, sink);
    Budget budget;
    counters_ = {};
    if (all_may_touch()) return true;
    const bool boxes = volume_ != ChainVolume::balls;
    return sweep_chain(tree_, places_, boxes, query, budget, counters_, [](int, std::int64_t) {}) != Stop::settled;
}

Stop Chain::search(const ChainChange& change, bool boxes, Budget budget, bool looked) {
    AnyOverlap sink;
    ChainLeaves leaves(places_, &exclusion_);
    Overlap query(leaves, sink);
    auto nothing = [](int, std::int64_t) {};
    counters_ = {};
    if (boxes) {
        const FramedParts parts(tree_, change, places_, parts_, true);
        return search_across(parts, query, budget, counters_, nothing, looked);
    }
    return search_across(BallParts(tree_, change, places_), query, budget, counters_, nothing, looked);
}

bool Chain::touches_around(std::int64_t begin, std::int64_t end) {
    AnyOverlap sink;
    ChainLeaves leaves(places_, &exclusion_);
    Overlap query(leaves, sink);
    Budget budget;
    counters_ = {};
    return search_around(tree_, begin, end, places_, by_boxes(), query, budget, counters_) == Stop::settled;
}

template <class Query, class Answer>
void Chain::sweep_within(Query& query, ChainPlaces& places, const Allowance& allowance, Answer& answer) const {
    const bool boxes = volume_ != ChainVolume::balls;
    auto nothing = [](int, std::int64_t) {};
    if (allowance.unlimited()) {
        Budget budget;
        if (!all_may_touch()) answer.stop = sweep_chain(tree_, places, boxes, query, budget, answer.counters, nothing);
        return;
    }
    double left = 0;
    if (!all_may_touch()) {
        Budget budget(allowance);
        answer.stop = sweep_chain(tree_, places, boxes, query, budget, answer.counters, nothing, &left);
    }
    const double n = double(tree_.balls());
    state_covered(left, n * (n - 1) / 2, answer);
}

/// What the last test cost, in visits. It is counted, not timed, so that the same changes take the same course on every
/// run; the weights were measured.
double Chain::cost(bool boxes) const {
    return 6 + double(counters_.pairs_visited) * (boxes ? 1.5 : 1.0) + 0.05 * double(counters_.leaf_tests);
}

/// Balls alone, or balls and boxes? Now and then the other way is tried, for four tests and no longer than eight times
/// what they take this way, and the cheaper is kept; the longer one has been the cheaper, the rarer the trials.
bool Chain::touches(const ChainChange& change) {
    if (pending_ && energy_ && energy_->is_asked()) {
        const bool hit = energy_->touches_after(change);
        return counters_ = energy_->counters(), hit;
    }
    const ChainFirstLook::Verdict near = ChainFirstLook(tree_, change, exclusion_).verdict();
    if (near == ChainFirstLook::Verdict::collides) return counters_ = {.leaf_tests = 1}, true;
    const bool looked = near == ChainFirstLook::Verdict::free;
    Choice& c = choice_;
    if (volume_ == ChainVolume::automatic && c.until_trial-- <= 4) {
        bool hit;
        if (try_the_other_way(change, looked, hit)) return hit;
    }
    const bool hit = search(change, by_boxes(), Budget(), looked) == Stop::settled;
    c.cost += (cost(by_boxes()) - c.cost) * (c.cost == 0 ? 1.0 : 0.05);
    return hit;
}

bool Chain::try_the_other_way(const ChainChange& change, bool looked, bool& hit) {
    Choice& c = choice_;
    const Budget budget(Allowance{.tests = std::uint64_t(64 + 64 * c.cost)});
    const Stop stop = search(change, !c.boxes, budget, looked);
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

namespace {

bool records(const QueryMemory* memory, const Allowance& allowance) {
    return memory && memory->records(allowance.unlimited());
}

}  // namespace

/// How far apart the balls of two leaves are, at least.
static double leaf_gap(const RunLeaves<ChainLeaves, WithinRun>& leaves, const Pair& pair) {
    NearestBalls nearest;
    Counters nothing;
    leaves.nearest(pair, nothing, nearest);
    if (nearest.balls.a < 0) return far_away;
    const double reach = length(nearest.balls.at_a) + length(nearest.balls.at_b);
    return most(0.0, std::sqrt(nearest.upper2) - 8 * rounding * reach);
}

/// Calls ask(run) with the cut of the questions before, told how far balls have gone since.
template <class Ask>
void Chain::ask_remembered(QueryMemory& memory, Ask&& ask) const {
    CutMemory& cut = memory.begin(watch_.id(), 0);
    const double reading = watch_.read();
    if (cut.placed) cut.move(reading - cut.reading, far_away);
    cut.placed = true, cut.reading = reading;
    ChainPlaces places;
    const RunPlaces run(places, tree_, places.add_root(tree_, {}));
    const AcrossFrames frames(places, volume_ != ChainVolume::balls);
    const WithinRun pairing(frames, run);
    const ChainLeaves placed(places, &exclusion_);
    const RunLeaves leaves(placed, pairing);
    ask(RememberedRun(cut, memory, pairing, leaves, pairing.root(), 8), leaves);
}

CollideAnswer Chain::self_collide(const CollideOptions& options) const {
    CollideAnswer answer;
    ChainPlaces places;
    std::vector<NearBalls> found;
    auto sink = [&](const NearBalls& n) {
        check_memory_for(found, bytes_of_contact);
        found.push_back(n);
        return !options.every && !options.depth;
    };
    if (records(options.memory, options.allowance) && !all_may_touch()) {
        ask_remembered(*options.memory, [&](auto run, const auto&) {
            run.collide(sink, [&] { return found.size(); }, false, options, answer);
        });
        auto place = [](const NearBalls& n) { return std::pair(n.a, n.b); };  // leaves may be met twice
        std::sort(found.begin(), found.end(), [&](const auto& x, const auto& y) { return place(x) < place(y); });
        const auto same = [&](const auto& x, const auto& y) { return place(x) == place(y); };
        found.erase(std::unique(found.begin(), found.end(), same), found.end());
    } else {
        ChainLeaves leaves(places, &exclusion_);
        Overlap query(leaves, sink);
        sweep_within(query, places, options.allowance, answer);
    }
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
    const double limit2 = enough ? options.enough * options.enough : far_away * far_away;
    ShortestDistance query(leaves, best, {}, limit2, enough);
    const bool recorded = records(options.memory, options.allowance) && !all_may_touch();
    double cut = 0;
    if (recorded) {
        ask_remembered(*options.memory, [&](auto run, const auto& numbered) {
            ShortestDistance by_number(numbered, best, {}, limit2, enough);
            cut = run.distance(by_number, best, options, answer);
        });
    } else {
        sweep_within(query, places, options.allowance, answer);
    }
    answer.upper = std::sqrt(best.upper2);
    answer.lower = answer.stop == Stop::exhausted ? answer.upper : least(answer.upper, cut);
    if (answer.stop == Stop::settled) answer.lower = 0;
    if (best.balls.a < 0) {  // nothing to compare, or nothing within `enough`
        answer.upper = std::numeric_limits<double>::infinity();
        answer.lower = answer.stop == Stop::out_of_budget ? cut : (enough ? options.enough : answer.upper);
        if (recorded) conclude_answer(*options.memory, options, false, answer);
        return answer;
    }
    if (recorded) conclude_answer(*options.memory, options, answer.upper == 0, answer);
    answer.lower = most(0.0, answer.lower - 2 * rounding * (length(best.balls.at_a) + length(best.balls.at_b)));
    if (enough && answer.upper > options.enough) answer.lower = least(answer.lower, options.enough);
    nearest_points_ball_ball(tree_.centre(best.balls.a), tree_.radii()[best.balls.a], tree_.centre(best.balls.b),
                             tree_.radii()[best.balls.b], answer.upper == 0, answer.on_a, answer.on_b);
    if (answer.upper == 0) answer.stop = Stop::settled;
    answer.pair = {std::int32_t(best.balls.a), std::int32_t(best.balls.b)};
    return answer;
}

WithinAnswer Chain::self_within(const WithinOptions& options) const {
    WithinAnswer answer;
    ChainPlaces places;
    auto sink = [&](const NearBalls& n) {
        check_memory_for(answer.pairs, bytes_of_distance);
        answer.pairs.push_back({std::int32_t(n.a), std::int32_t(n.b)});
        answer.distances.push_back(most(0.0, n.gap));
    };
    if (records(options.memory, options.allowance) && !all_may_touch()) {
        const double slack = 16 * rounding * double(tree_.root_bound().radius);
        ask_remembered(*options.memory, [&](auto run, const auto&) { run.within(sink, slack, options, answer); });
        sort_together(answer.pairs, answer.distances);
        keep_once(answer.pairs, answer.distances);
        return answer;
    }
    ChainLeaves leaves(places, &exclusion_);
    WithinReach query(leaves, options.reach, sink);
    sweep_within(query, places, options.allowance, answer);
    return answer;
}

ChainPairs& Chain::pairs_within(double reach) {
    settle();
    if (!near_ || near_->reach() != reach) {
        near_ = std::make_unique<ChainPairs>(tree_, exclusion_, volume_ != ChainVolume::balls, reach);
    }
    near_->refresh();
    return *near_;
}

void Chain::set_energy(const ChainEnergy& energy) {
    settle();
    energy_ = std::make_unique<ChainSums>(tree_, exclusion_, volume_ != ChainVolume::balls, energy);
}

double Chain::energy() {
    if (pending_) return energy_->sum_after(*pending_);
    energy_->refresh();
    return energy_->sum();
}

}  // namespace elbowroom
