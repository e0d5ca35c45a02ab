// Whether a chain collides with itself: after a change, where it is in doubt, or as a whole.
#include "elbowroom/bodies/chain.hpp"
#include "elbowroom/bodies/chain_search.hpp"
#include "elbowroom/queries/overlap.hpp"

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

EnergyBounds Chain::energy_bounds() {
    if (has_energy_bounds()) return energy_->bounds_after(*pending_);
    const double exactly = energy();
    return {exactly, exactly};
}

}  // namespace elbowroom
