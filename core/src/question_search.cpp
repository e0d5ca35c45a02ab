// The orders that are not hot, compiled once for all bodies and questions.
#include "elbowroom/questions/search.hpp"

#include "elbowroom/math/lanes.hpp"
#include "elbowroom/queries/confidence.hpp"
#include "elbowroom/traversal/bvtt_orders.hpp"

namespace elbowroom {

namespace {

Stop run_from_cut(Search& search, CutMemory& cut, Budget& budget, Counters& counters) {
    auto counts = [&](std::int32_t a, std::int32_t b) { return search.count(a, b); };
    auto limit = [&] { return search.limit(); };
    const Pair root = search.root();
    cut.readings.note(cut.calls, cut.odometer);
    FromCut order(cut.now, cut.readings, cut.odometer, cut.calls, limit, *search.note, counts);
    if (cut.now.empty()) {
        cut.now.start(root, search.width(), counts(root.a, root.b));
        order.push(root);
    }
    const Stop stop = traverse(search, search, order, budget, counters);
    order.finish();
    cut.deepest = order.deepest();
    return stop;
}

Stop run_from_root(Search& search, CutMemory& cut, bool best_first, Budget& budget, Counters& counters) {
    auto counts = [&](std::int32_t a, std::int32_t b) { return search.count(a, b); };
    const Pair root = search.root();
    std::swap(cut.now, cut.last);
    cut.now.start(root, search.width(), counts(root.a, root.b));
    cut.odometer = 0;
    FromRoot order(cut.now, cut.last, best_first, cut.calls, *search.note, counts);
    order.push(root);
    const Stop stop = traverse(search, search, order, budget, counters);
    order.finish();
    cut.now.measure_depths();
    cut.deepest = cut.now[0].deepest;
    return stop;
}

/// What such a run has shown; see `reckon`. `whole`: all pairs of primitives.
Reckoning reckon_run(CutMemory& cut, const QueryMemory& how, double limit, double whole) {
    Reckoning out = Reckoner(cut, limit).all();
    out.pairs = whole;
    if (how.method != MemoryMethod::from_cut) {
        const auto [dangerous, checked] = CheckedNodes(cut.now, cut.last, how.group, how.threshold).count();
        out.dangerous = dangerous, out.checked = checked;
        out.age = cut.complete > 0 ? std::int64_t(cut.calls - cut.complete) : -1;
    }
    if (out.open_nodes == 0) cut.complete = cut.calls, out.age = 0;
    return out;
}

/// Everything was proved, and what is on the cut need not be looked at one by one.
Reckoning reckon_proved(CutMemory& cut, double whole) {
    Reckoning out;
    double key = BvttNode::never;
    cut.complete = cut.calls, out.pairs = whole;
    if (cut.now.head(key) >= 0) out.lower = std::max(0.0, key - cut.odometer);
    return out;
}

/// What comes after a search is within the budget too; it takes about what it took the last times.
class Settling {
public:
    Settling(CutMemory& cut, Allowance& allowance) : cut_(cut), timed_(allowance.timed()) {
        if (!timed_) return;
        begin_ = Budget::Clock::now();
        given_ = allowance.seconds;
        allowance.seconds -= least(cut_.settling, 0.8 * given_);
    }
    /// Half of what it was late by, and a little more, is kept back the next time.
    void learn() {
        if (!timed_) return;
        const double late = std::chrono::duration<double>(Budget::Clock::now() - begin_).count() - given_;
        cut_.settling = most(0.0, least(cut_.settling + 0.5 * (late + 2e-6), 0.8 * given_));
    }

private:
    CutMemory& cut_;
    const bool timed_;
    Budget::Clock::time_point begin_{};
    double given_ = 0;  // seconds
};

}  // namespace

Stop run(Search& search, DepthFirst& order, Budget budget, Counters& counters) {
    return traverse(search, search, order, budget, counters);
}
Stop run(Search& search, NearestFirst& order, Budget budget, Counters& counters) {
    return traverse(search, search, order, budget, counters);
}

RecordedRun run_recorded(Search& search, QueryMemory& memory, CutMemory& cut, bool part, Allowance allowance,
                         Counters& counters) {
    const bool resumes = memory.method == MemoryMethod::from_cut;
    Settling settling(cut, allowance);
    BvttNote note;
    search.note = &note;
    ++cut.calls;
    Budget budget(allowance);
    Stop stop = resumes ? run_from_cut(search, cut, budget, counters)
                        : run_from_root(search, cut, memory.method == MemoryMethod::best_first, budget, counters);
    const double whole = search.count(search.root().a, search.root().b);
    // A part of a larger question that is done need not be looked at again.
    const bool brief = part && resumes && stop == Stop::exhausted;
    const Reckoning shown = brief ? reckon_proved(cut, whole) : reckon_run(cut, memory, search.limit(), whole);
    // A search that was ended while nothing was open any more is a proof.
    if (stop == Stop::out_of_budget && shown.open_nodes == 0) stop = Stop::exhausted;
    if (stop != Stop::out_of_budget) return {stop, shown, far_away};
    settling.learn();
    return {stop, shown, resumes ? least_gap(cut) : 0};
}

}  // namespace elbowroom
