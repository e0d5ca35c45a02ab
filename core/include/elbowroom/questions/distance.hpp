// How far apart are two bodies?
#pragma once
#include "elbowroom/queries/distance.hpp"
#include "elbowroom/queries/overlap.hpp"
#include "elbowroom/queries/remaining_budget.hpp"
#include "elbowroom/questions/body_pair.hpp"
#include "elbowroom/questions/coverage.hpp"
#include "elbowroom/questions/erased_search.hpp"

namespace elbowroom::questions {

template <BodyPair Bodies>
class Distance {
public:
    Distance(Bodies& bodies, const DistanceOptions& options, DistanceAnswer& answer)
        : bodies_(bodies),
          options_(options),
          answer_(answer),
          cut_(bodies.memory()),
          enough_(options.enough >= 0),
          limit2_(enough_ ? options.enough * options.enough : far_away * far_away),
          recorded_(!options.linear && records(cut_, options)) {}  // the cut of a memory is of plain distances

    void run() {
        best_.upper2 = least(best_.upper2, options_.above * options_.above);
        const double whole = bodies_.total();
        if (whole > 0) search();
        const bool named = whole > 0 && (bodies_.found(best_)[0] >= 0 || name_any_pair());
        named ? state_found() : state_nothing(whole > 0);
        const double left = answer_.stop == Stop::out_of_budget ? left_ : 0;
        state_worth(cut_, recorded_, options_, answer_.upper == 0, left, most(whole, 1.0), answer_);
    }

private:
    using Best = typename Bodies::Best;
    Bodies& bodies_;
    const DistanceOptions& options_;
    DistanceAnswer& answer_;
    CutMemory* const cut_;
    const bool enough_;
    const double limit2_;
    const bool recorded_;
    Best best_;
    double rest_ = far_away;  // least bound of what the budget left
    double left_ = 0;         // pairs of primitives that may be nearer than the nearest found

    bool known() const { return best_.upper2 == 0 || (enough_ && best_.upper2 <= limit2_); }

    void search() {
        if constexpr (requires { bodies_.recall_nearest(best_, answer_.counters); })
            if (options_.allowance.tests > 0) bodies_.recall_nearest(best_, answer_.counters);
        if constexpr (requires { bodies_.overlap_is_likely(best_); })
            if (!recorded_ && !enough_ && !options_.linear && options_.allowance.tests > 0 && best_.upper2 > 0 &&
                bodies_.overlap_is_likely(best_))
                look_for_overlap();
        if constexpr (requires { bodies_.numbered(); })
            if (recorded_) return search_recorded();
        if (known()) return void(answer_.stop = Stop::settled);
        options_.allowance.unlimited() ? search_all() : search_limited();
    }
    void search_all() {
        if constexpr (requires { bodies_.nearest(best_, options_, answer_.counters); })
            return void(answer_.stop = bodies_.nearest(best_, options_, answer_.counters));
        if constexpr (requires { bodies_.single(); })
            if (bodies_.single()) return bodies_.leaves().nearest(Pair{0, 0, 0}, answer_.counters, best_);
        ShortestDistance query(bodies_.leaves(), best_, bodies_.maps(), limit2_, enough_);
        Budget budget;
        answer_.stop = bodies_.sweep(query, budget, answer_.counters, nullptr);
    }
    /// An overlap is found several times faster than a distance.
    void look_for_overlap() {
        std::vector<PrimitivePair> found;
        OverlapSink sink(found, false, bytes_of_pair);
        Overlap query(bodies_.leaves(), sink);
        Budget budget(options_.allowance.quarter());
        answer_.stop = bodies_.sweep(query, budget, answer_.counters, nullptr);
        if (!found.empty()) bodies_.take_overlap(best_, found[0]);
    }
    /// With what was found already, the cut is only looked at if that settles the question.
    [[gnu::noinline]] void search_recorded() {
        const auto& source = bodies_.numbered();
        ShortestDistance query(source.leaves(), best_, {}, limit2_, enough_);
        auto look = [&](const Pair& pair, BvttNote& note) {
            note.gap = source.leaf_gap(pair);
            note.hit = note.gap == 0;  // too near to tell
        };
        ErasedSearch search(source, query, look, [&] { return std::sqrt(least(best_.upper2, limit2_)); });
        const bool settled = known();
        Allowance rest = options_.allowance;
        if (settled) rest.tests = 0;
        const RecordedRun run =
            run_recorded(search, *options_.memory, *cut_, options_.cut != nullptr, rest, answer_.counters);
        answer_.stop = settled ? Stop::settled : run.stop;
        answer_.reckoning = run.reckoning;
        if (!settled) rest_ = run.rest;
    }
    [[gnu::noinline]] void search_limited() {
        if constexpr (requires { bodies_.numbered(); })
            search_numbered();
        else
            search_in_order();
    }
    /// What has no numbers has no bounds either: nothing is known of what the budget left.
    void search_in_order() {
        ShortestDistance query(bodies_.leaves(), best_, {}, limit2_, enough_);
        Budget budget(options_.allowance);
        answer_.stop = bodies_.sweep(query, budget, answer_.counters, &left_);
        if (answer_.stop == Stop::out_of_budget) rest_ = 0;
    }
    /// A quarter of the budget depth first, for a good upper bound; the rest nearest first, from what that has left, so
    /// that what is left at the end has the largest lower bound that it can have.
    void search_numbered() {
        const RemainingBudget remaining(options_.allowance);
        const auto& source = bodies_.numbered();
        ShortestDistance query(source.leaves(), best_, bodies_.maps(), limit2_, enough_);
        ErasedSearch search(source, query, [](const Pair&, BvttNote&) {}, [] { return far_away; });
        Allowance first = options_.allowance.quarter(), all = options_.allowance;
        first.tests += least(answer_.counters.volume_tests + answer_.counters.leaf_tests, ~first.tests);
        DepthFirst quick;
        start(source.pairing(), query, quick, answer_.counters);
        answer_.stop = elbowroom::run(search, quick, Budget(first), answer_.counters);
        if (answer_.stop != Stop::out_of_budget) return;
        all.seconds = remaining.after({}).seconds;
        NearestFirst order(search);
        quick.each([&](const Pair& p) {
            if (query.admits(p)) order.push(p);
        });
        answer_.stop = elbowroom::run(search, order, Budget(all), answer_.counters);
        if (answer_.stop != Stop::out_of_budget) return;
        order.each([&](const Pair& p) {
            rest_ = least(rest_, std::sqrt(double(p.bound)));
            if (p.bound < best_.upper2) left_ += source.pairing().count(p.a, p.b);
        });
    }
    /// All is beyond `enough` or the budget: any pair gives an upper bound, unless what is beyond `above` need not be
    /// named.
    bool name_any_pair() {
        if (options_.above < far_away) return false;
        bodies_.any_pair(best_, answer_.counters);
        return bodies_.found(best_)[0] >= 0;
    }
    void state_found() {
        const HullDistance d = bodies_.measure(best_);
        const PrimitivePair p = bodies_.found(best_);
        const bool swapped = bodies_.swapped();
        answer_.upper = d.upper;
        answer_.lower = most(0.0, least(least(d.lower, proved_lower()), rest_));
        answer_.on_a = swapped ? d.on_b : d.on_a;
        answer_.on_b = swapped ? d.on_a : d.on_b;
        answer_.pair = {p[swapped], p[!swapped]};
        apply_enough();
        answer_.loose = answer_.stop == Stop::exhausted && answer_.upper - answer_.lower > bodies_.tolerance();
        if constexpr (requires { bodies_.remember_nearest(best_, answer_.upper); })
            bodies_.remember_nearest(best_, answer_.upper);
    }
    /// Everything that was looked at is farther away than was asked for, or nothing is ever compared.
    void state_nothing(bool compares) {
        const double infinity = std::numeric_limits<double>::infinity();
        answer_.upper = compares ? far_away : infinity;
        answer_.lower = compares ? least(least(options_.above, proved_lower()), rest_) : infinity;
    }
    /// Of all pairs of primitives that were looked at by a kernel that gives bounds.
    double proved_lower() const {
        if constexpr (requires { best_.lower; }) return best_.lower;
        return far_away;
    }
    /// Within `enough`, that much is known and no more; beyond, that the bodies are at least `enough` apart.
    void apply_enough() {
        const bool farther = enough_ && answer_.upper > options_.enough;
        if (farther) answer_.lower = least(answer_.lower, options_.enough);
        if (answer_.upper == 0 || (enough_ && answer_.stop != Stop::out_of_budget)) answer_.stop = Stop::settled;
        if (answer_.stop == Stop::settled && !farther && answer_.upper > 0) answer_.lower = 0;
    }
};

template <BodyPair Bodies>
DistanceAnswer distance(Bodies& bodies, const DistanceOptions& options) {
    DistanceAnswer answer;
    Distance<Bodies>(bodies, options, answer).run();
    return answer;
}

}  // namespace elbowroom::questions
