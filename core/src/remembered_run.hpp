// How a query runs with a memory; shared by all bodies.
#pragma once
#include "elbowroom/queries/confidence.hpp"
#include "elbowroom/queries/distance.hpp"
#include "elbowroom/queries/overlap.hpp"
#include "elbowroom/queries/remembered.hpp"
#include "elbowroom/questions/coverage.hpp"
#include "elbowroom/traversal/bvtt_orders.hpp"
#include "elbowroom/traversal/traverse.hpp"

namespace elbowroom {

/// How far any point within `radius` of `middle` (of the second body) is from where it was, at most.
inline double step_between(const Rigid& was, const Rigid& is, Vec3 middle, double radius) {
    double squares = 0;  // a bound of the norm of the difference of the rotations
    for (int i = 0; i < 3; ++i) squares += length2(is.rotation.row[i] - was.rotation.row[i]);
    // The squares of the entries add up to 2 |R - S|^2, since R S^-1 - 1 has two equal singular values and a zero.
    const double turn = std::sqrt(squares / 2), size = length(middle) + radius + length(is.translation);
    const double step = length(is * middle - was * middle) + turn * radius;
    return step == 0 ? 0 : step * (1 + 1e-9) + 1e-15 * size;
}

/// Runs `query` over the pairs below `root`, from the cut of the last runs or from the root, and writes it down.
/// `look(pair, note)` is told of each leaf after the query; `limit()` is how far apart a pair must be not to matter.
template <class Pairing, class Query, class Look, class Limit>
Stop run_remembered(CutMemory& cut, const QueryMemory& how, const Pairing& pairing, const Pair& root, int width,
                    Query& query, Look&& look, Limit&& limit, const Allowance& allowance, Counters& counters) {
    BvttNote note;
    Remembered remembered(query, look, note);
    auto counts = [&](std::int32_t a, std::int32_t b) { return pairing.count(a, b); };
    ++cut.calls;
    if (how.method == MemoryMethod::from_cut) {
        cut.readings.note(cut.calls, cut.odometer);
        FromCut order(cut.now, cut.readings, cut.odometer, cut.calls, limit, note, counts);
        if (cut.now.empty()) cut.now.start(root, width, counts(root.a, root.b)), order.push(root);
        Budget budget(allowance);
        const Stop stop = traverse(pairing, remembered, order, budget, counters);
        order.finish();
        cut.deepest = order.deepest();
        return stop;
    }
    std::swap(cut.now, cut.last);
    cut.now.start(root, width, counts(root.a, root.b)), cut.odometer = 0;
    FromRoot order(cut.now, cut.last, how.method == MemoryMethod::best_first, cut.calls, note, counts);
    order.push(root);
    Budget budget(allowance);
    const Stop stop = traverse(pairing, remembered, order, budget, counters);
    order.finish();
    cut.now.measure_depths();
    cut.deepest = cut.now[0].deepest;
    return stop;
}

/// What such a run has shown; see `reckon`. `whole`: all pairs of primitives.
inline Reckoning reckon_run(CutMemory& cut, const QueryMemory& how, double limit, double whole) {
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
inline Reckoning reckon_proved(CutMemory& cut, double whole) {
    Reckoning out;
    double key = BvttNode::never;
    cut.complete = cut.calls, out.pairs = whole;
    if (cut.now.head(key) >= 0) out.lower = std::max(0.0, key - cut.odometer);
    return out;
}

/// The least gap that a cut still proves for everything on it.
inline double least_gap(CutMemory& cut) {
    double key = BvttNode::never;
    return cut.now.head(key) >= 0 ? std::max(0.0, key - cut.odometer) : far_away;
}

/// The questions with a memory, for any two trees or one and itself. The pairing has `count(a, b)`, the pairs of
/// primitives below; `leaf_gap(leaves, pair)` says how far apart two leaves are, at least.
template <class Pairing, class Leaves>
class RememberedRun {
public:
    RememberedRun(CutMemory& cut, QueryMemory& how, const Pairing& pairing, const Leaves& leaves, const Pair& root,
                  int width)
        : cut_(cut), how_(how), pairing_(pairing), leaves_(leaves), root_(root), width_(width) {}

    /// `found()`: how many pairs the sink has taken. `settled`: a hit is known already, and the cut is only looked at.
    template <class Sink, class Found>
    void collide(Sink& sink, Found&& found, bool settled, const CollideOptions& options, CollideAnswer& answer) {
        Overlap query(leaves_, sink);
        std::size_t before = found();
        auto look = [&](const Pair& pair, BvttNote& note) {
            note.hit = found() > before, before = found();
            note.gap = note.hit || !resumes() ? 0 : leaf_gap(leaves_, pair);
        };
        Allowance rest = options.every || options.depth ? options.allowance.for_many() : options.allowance;
        if (settled) rest.tests = 0;
        answer.stop = run(query, look, [] { return 0.0; }, rest, answer.counters);
        if (settled) answer.stop = Stop::settled;
        judge(options, found() > 0, 0, answer);
    }
    /// `settled()` of the query must be that of `best`; the least bound of what the budget left. To be judged when the
    /// answer is complete.
    template <class Query, class Best>
    double distance(Query& query, Best& best, const DistanceOptions& options, DistanceAnswer& answer) {
        auto look = [&](const Pair& pair, BvttNote& note) {
            note.gap = leaf_gap(leaves_, pair);
            note.hit = note.gap == 0;  // too near to tell
        };
        auto limit = [&] {
            const double found = std::sqrt(best.upper2);
            return options.enough >= 0 ? least(found, options.enough) : found;
        };
        answer.stop = run(query, look, limit, options.allowance, answer.counters);
        answer.reckoning = reckoned(answer.stop, limit(), options);
        if (answer.stop != Stop::out_of_budget) return far_away;
        return resumes() ? least_gap(cut_) : 0;
    }
    /// `slack`: what is so little farther than the reach is looked at too, since the reach itself belongs to it.
    template <class Sink>
    void within(Sink& sink, double slack, const WithinOptions& options, WithinAnswer& answer) {
        WithinReach query(leaves_, options.reach, sink);
        auto look = [&](const Pair& pair, BvttNote& note) {
            note.gap = leaf_gap(leaves_, pair);
            note.hit = note.gap == 0;
        };
        const double limit = options.reach * (1 + 1e-12) + slack;
        answer.stop = run(query, look, [&] { return limit; }, options.allowance.for_many(), answer.counters);
        judge(options, false, limit, answer);
    }

private:
    CutMemory& cut_;
    QueryMemory& how_;
    const Pairing& pairing_;
    const Leaves& leaves_;
    const Pair root_;
    const int width_;
    Budget::Clock::time_point begin_{};
    double given_ = 0;  // seconds

    /// Half of what it was late by, and a little more, is kept back the next time.
    void learn_settling() {
        const double late = std::chrono::duration<double>(Budget::Clock::now() - begin_).count() - given_;
        cut_.settling = most(0.0, least(cut_.settling + 0.5 * (late + 2e-6), 0.8 * given_));
    }
    bool resumes() const { return how_.method == MemoryMethod::from_cut; }
    template <class Query, class Look, class Limit>
    Stop run(Query& query, Look&& look, Limit&& limit, Allowance allowance, Counters& counters) {
        // What comes after the search is within the budget too; it takes about what it took the last times.
        if (allowance.timed()) {
            begin_ = Budget::Clock::now(), given_ = allowance.seconds;
            allowance.seconds -= least(cut_.settling, 0.8 * allowance.seconds);
        }
        return run_remembered(cut_, how_, pairing_, root_, width_, query, look, limit, allowance, counters);
    }
    /// A part of a larger question that is done need not be looked at again. A search that was ended while nothing was
    /// open any more is a proof.
    template <class Options>
    Reckoning reckoned(Stop& stop, double limit, const Options& options) {
        const double whole = pairing_.count(root_.a, root_.b);
        const bool brief = options.cut && resumes() && stop == Stop::exhausted;
        const Reckoning out = brief ? reckon_proved(cut_, whole) : reckon_run(cut_, how_, limit, whole);
        if (stop == Stop::out_of_budget && out.open_nodes == 0) stop = Stop::exhausted;
        if (options.allowance.timed() && stop == Stop::out_of_budget) learn_settling();
        return out;
    }
    template <class Options, class Answer>
    void judge(const Options& options, bool hit, double limit, Answer& answer) {
        answer.reckoning = reckoned(answer.stop, limit, options);
        if (!options.cut) conclude_answer(how_, options, hit, answer);
    }
};

}  // namespace elbowroom
