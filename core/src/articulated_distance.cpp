#include <algorithm>

#include "articulated_queries.hpp"
#include "elbowroom/questions/coverage.hpp"

namespace elbowroom {

struct ArticulatedPairs::Nearest {
    double upper = far_away, lower = far_away;  // lower: of all pairs that were measured
    ShapeCandidate at{};
    DistanceAnswer found;
    bool measured = false, unfinished = false;
    Counters counters;
};

/// Measures the candidates, as far as they can be nearer than the nearest and than `above`.
void ArticulatedPairs::measure(const RemainingBudget& remaining, double above, const DistanceOptions& options,
                               Nearest& best) {
    const bool recorded = options.memory && options.memory->records(options.allowance.unlimited());
    Poll poll(64);
    for (const ShapeCandidate& c : list_) {
        poll();
        const bool spent = remaining.spent(best.counters);
        if (spent) best.unfinished = true;
        if (spent && !recorded) return;
        DistanceOptions one;
        one.above = least(best.upper, above), one.allowance = remaining.after(best.counters);
        one.above = least(one.above * (1 + 1e-15), far_away);
        if (recorded) one.memory = options.memory, one.cut = &options.memory->parts[key_of(c)];
        if (spent) one.allowance.tests = 0;  // its cut is told where the shapes are, and still proves what it can
        best.counters.leaf_tests += !spent;
        const DistanceAnswer d = elbowroom::distance(a_.placed(c.a), b_.placed(c.b), one);
        best.counters += d.counters;
        if (d.stop == Stop::out_of_budget) best.unfinished = true;
        best.lower = least(best.lower, d.lower);
        if (d.pair[0] >= 0 && (!best.measured || d.upper < best.upper))
            best.upper = d.upper, best.at = c, best.found = d, best.measured = true;
        if (best.upper == 0 || (options.enough >= 0 && best.upper <= options.enough)) return;
    }
}

/// Candidates within a reach that grows until one is found; then all that could be nearer.
DistanceAnswer ArticulatedPairs::distance(const DistanceOptions& options) {
    const RemainingBudget remaining(options.allowance);
    DistanceAnswer answer;
    Nearest best;
    if (options.memory) options.memory->begin(a_.identity(), self_ ? 0 : b_.identity());
    const double farthest = 2 * (a_.extent() + b_.extent()) + 1e-30;  // of points in one place as well
    const bool enough = options.enough >= 0;
    auto settled = [&] { return best.upper == 0 || (enough && best.upper <= options.enough) || best.unfinished; };
    double reach = 0, searched = 0;  // searched: what is not on the list is farther
    for (double next = farthest / 1024;; next *= 4) {
        find(reach, remaining.after(best.counters), best.counters);
        searched = reach;
        if (stop_ == Stop::out_of_budget) best.unfinished = true;
        measure(remaining, far_away, options, best);
        if (best.measured || best.unfinished || reach > farthest) break;
        reach = next;
    }
    if (best.measured && !settled() && reach < best.upper) {
        searched = best.upper;
        find(searched, remaining.after(best.counters), best.counters);
        if (stop_ == Stop::out_of_budget) best.unfinished = true;
        measure(remaining, best.upper, options, best);
    }
    answer.counters = best.counters;
    finish(best, options, answer);
    if (remaining.limited() || options.memory) judge_distance(options, searched, answer);
    return answer;
}

void ArticulatedPairs::finish(const Nearest& best, const DistanceOptions& options, DistanceAnswer& answer) const {
    const Counters work = answer.counters;
    const bool enough = options.enough >= 0;
    if (!best.measured) {  // nothing to compare, or no time to
        answer.upper = std::numeric_limits<double>::infinity(), answer.lower = best.unfinished ? 0 : answer.upper;
        answer.stop = best.unfinished ? Stop::out_of_budget : Stop::exhausted;
        return;
    }
    answer = best.found, answer.counters = work;
    answer.pair = {a_.name(best.at.a, answer.pair[0]), b_.name(best.at.b, answer.pair[1])};
    if (self_ && answer.pair[0] > answer.pair[1]) answer = swapped(answer);
    answer.upper = best.upper, answer.lower = least(best.lower, best.upper);
    const bool farther = enough && answer.upper > options.enough;
    answer.stop = best.unfinished ? Stop::out_of_budget : Stop::exhausted;
    if (best.unfinished) answer.lower = 0;
    if (best.upper == 0) answer.stop = Stop::settled;
    if (enough && !best.unfinished) answer.stop = Stop::settled;
    if (enough && !farther) answer.stop = Stop::settled, answer.lower = answer.upper > 0 ? 0 : answer.lower;
    if (farther) answer.lower = least(answer.lower, options.enough);
}

void ArticulatedPairs::NearestNames::note(const ShapeCandidate& c, PrimitivePair primitives, double distance,
                                          NearestPoints points) {
    PrimitivePair names{pairs_.a_.name(c.a, primitives[0]), pairs_.b_.name(c.b, primitives[1])};
    if (pairs_.self_ && names[0] > names[1]) {
        std::swap(names[0], names[1]);
        points.swap();
    }
    nearest_.note(names, distance, points);
}

void ArticulatedPairs::NearestNames::note_all(const ShapeCandidate& c, const WithinAnswer& found) {
    for (std::size_t k = 0; k < found.pairs.size(); ++k)
        note(c, found.pairs[k], found.distances[k], points_of(found, k));
}

/// Of two shapes at a distance that was measured; where they overlap, the normal is that of their deepest contact.
NearestPoints ArticulatedPairs::points(const ShapeCandidate& c, const DistanceAnswer& d,
                                       const WithinOptions& options) const {
    if (!options.points) return {};
    if (d.upper > 0) return {d.on_a, d.on_b, normalised(d.on_b - d.on_a, {0, 0, 1})};
    CollideOptions deepest;
    deepest.depth = true;
    const CollideAnswer contact = elbowroom::collide(a_.placed(c.a), b_.placed(c.b), deepest);
    return {d.on_a, d.on_b, contact.hit ? contact.contacts[0].normal : Vec3{0, 0, 1}};
}

WithinAnswer ArticulatedPairs::within(const WithinOptions& options) {
    if (options.memory && options.memory->records(options.allowance.unlimited())) return within_remembered(options);
    WithinAnswer answer;
    const RemainingBudget remaining(options.allowance);
    const double reach = options.reach;
    find(reach, options.allowance, answer.counters);
    answer.stop = stop_;
    NearestNames nearest(*this);
    double left = 0;
    Poll poll(64);
    for (const ShapeCandidate& c : list_) {
        poll();
        if (remaining.spent(answer.counters)) {
            answer.stop = Stop::out_of_budget, left += weight(c);
            continue;
        }
        ++answer.counters.leaf_tests;
        Stop stop;
        if (a_.names_links() && b_.names_links()) {
            DistanceOptions one;
            one.above = reach * (1 + 1e-12) + 1e-140,  // found if not above, and 0 is not below 0
                one.allowance = remaining.after(answer.counters);
            const DistanceAnswer d = elbowroom::distance(a_.placed(c.a), b_.placed(c.b), one);
            answer.counters += d.counters, stop = d.stop;
            if (d.pair[0] >= 0 && d.upper <= reach) nearest.note(c, d.pair, d.upper, points(c, d, options));
        } else {
            WithinOptions one;
            one.reach = reach;
            one.points = options.points;
            one.allowance = remaining.after(answer.counters);
            const WithinAnswer w = elbowroom::within(a_.placed(c.a), b_.placed(c.b), one);
            answer.counters += w.counters;
            stop = w.stop;
            nearest.note_all(c, w);
        }
        if (stop == Stop::out_of_budget) answer.stop = stop, left += weight(c);
    }
    nearest.give(options.points, answer);
    if (remaining.limited()) state_covered(stop_ == Stop::out_of_budget ? whole() : left, whole(), answer);
    return answer;
}

DistanceAnswer carried(const Rigid& to, DistanceAnswer answer) {
    answer.on_a = to * answer.on_a, answer.on_b = to * answer.on_b;
    return answer;
}

WithinAnswer carried(const Rigid& to, WithinAnswer answer) {
    for (NearestPoints& p : answer.points) p = {to * p.on_a, to * p.on_b, to.rotation * p.normal};
    return answer;
}

}  // namespace elbowroom
