#include <algorithm>

#include "articulated_queries.hpp"
#include "elbowroom/questions/coverage.hpp"

namespace elbowroom {

/// The shapes one after the other: what they may spend, what a memory keeps of each, and what comes of all.
class ArticulatedAndChain::Parts {
public:
    template <class Options>
    Parts(const ArticulatedAndChain& pair, const Options& options)
        : pair_(pair),
          remaining_(options.allowance),
          memory_(options.memory && options.memory->records(!remaining_.limited()) ? options.memory : nullptr) {
        if (options.memory) options.memory->begin(pair.a_.model().fingerprint(), pair.b_.chain->watch().id());
    }
    /// Are the shapes that are left to be looked at although the answer is known?
    bool needed() const { return memory_ || remaining_.limited(); }
    Allowance rest(const Counters& spent, bool known) const {
        Allowance left = remaining_.after(spent);
        if (known) left.tests = 0;
        return left;
    }
    CutMemory* cut(int shape) { return memory_ ? &memory_->parts[std::uint64_t(shape)] : &spare_; }
    template <class Answer>
    void note(int shape, const Answer& found, Counters& counters) {
        counters += found.counters, sum_ += found.reckoning;
        unfinished_ = unfinished_ || found.stop == Stop::out_of_budget;
        const double all = double(pair_.placed(shape).body->count()) * double(pair_.b_.chain->balls());
        whole_ += all, left_ += (1 - found.worth.covered) * all;
    }
    Stop stop() const { return unfinished_ ? Stop::out_of_budget : Stop::exhausted; }
    template <class Answer>
    void conclude(bool hit, Answer& answer) {
        answer.reckoning = sum_;
        const bool finished = answer.stop != Stop::out_of_budget;
        if (memory_)
            answer.worth = elbowroom::conclude(*memory_, sum_, hit, finished, remaining_.limited());
        else if (remaining_.limited())
            state_covered(left_, whole_, answer);
    }

private:
    const ArticulatedAndChain& pair_;
    const RemainingBudget remaining_;
    QueryMemory* const memory_;
    CutMemory spare_;  // without a memory that records
    Reckoning sum_;
    double whole_ = 0, left_ = 0;
    bool unfinished_ = false;
};

CollideAnswer ArticulatedAndChain::collide(const CollideOptions& options) const {
    CollideAnswer answer;
    Parts parts(*this, options);
    const bool all = options.every || options.depth;
    for (int i = 0; i < a_.model().shapes(); ++i) {
        check_interruption();
        CollideOptions one = options;
        one.allowance = parts.rest(answer.counters, answer.hit && !all), one.cut = parts.cut(i);
        CollideAnswer found = swapped(elbowroom::collide(b_, placed(i), one));
        parts.note(i, found, answer.counters);
        refuse_too_many(answer.pairs.size() + found.pairs.size(), options.depth ? bytes_of_contact : bytes_of_pair);
        for (const PrimitivePair& p : found.pairs) answer.pairs.push_back({link(i), p[1]});
        answer.contacts.insert(answer.contacts.end(), found.contacts.begin(), found.contacts.end());
        answer.hit = answer.hit || found.hit;
        if (answer.hit && !all && !parts.needed()) break;
    }
    answer.stop = answer.hit && !all ? Stop::settled : parts.stop();
    parts.conclude(answer.hit, answer);
    if (options.depth && !options.every && answer.hit) keep_deepest(answer);
    if (options.depth) return answer;
    std::sort(answer.pairs.begin(), answer.pairs.end());
    answer.pairs.erase(std::unique(answer.pairs.begin(), answer.pairs.end()), answer.pairs.end());
    return answer;
}

DistanceAnswer ArticulatedAndChain::distance(const DistanceOptions& options) const {
    DistanceAnswer best;
    best.upper = best.lower = std::numeric_limits<double>::infinity();
    Counters counters;
    Parts parts(*this, options);
    for (int i = 0; i < a_.model().shapes(); ++i) {
        check_interruption();
        const bool known = best.upper == 0 || (options.enough >= 0 && best.upper <= options.enough);
        if (known && !parts.needed()) break;
        DistanceOptions one = options;
        one.allowance = parts.rest(counters, known), one.cut = parts.cut(i);
        const DistanceAnswer d = swapped(elbowroom::distance(b_, placed(i), one));
        parts.note(i, d, counters);
        if (known) continue;
        const double lower = least(best.lower, d.lower);
        if (d.upper < best.upper) best = d, best.pair[0] = link(i);
        best.lower = lower;
    }
    best.counters = counters;
    const bool known = best.upper == 0 || (options.enough >= 0 && best.upper <= options.enough);
    const bool unfinished = !known && parts.stop() == Stop::out_of_budget;
    best.stop =
        unfinished ? Stop::out_of_budget : (best.upper == 0 || options.enough >= 0 ? Stop::settled : Stop::exhausted);
    if (options.enough >= 0 && best.upper > 0 && best.upper <= options.enough) best.lower = 0;
    parts.conclude(best.upper == 0, best);
    return best;
}

WithinAnswer ArticulatedAndChain::within(const WithinOptions& options) const {
    WithinAnswer answer;
    Parts parts(*this, options);
    NearestOfPairs nearest;
    for (int i = 0; i < a_.model().shapes(); ++i) {
        check_interruption();
        WithinOptions one = options;
        one.allowance = parts.rest(answer.counters, false), one.cut = parts.cut(i);
        const WithinAnswer w = swapped(elbowroom::within(b_, placed(i), one));
        parts.note(i, w, answer.counters);
        for (std::size_t k = 0; k < w.pairs.size(); ++k)
            nearest.note({link(i), w.pairs[k][1]}, w.distances[k], points_of(w, k));
    }
    nearest.give(options.points, answer);
    answer.stop = parts.stop();
    parts.conclude(false, answer);
    return answer;
}

}  // namespace elbowroom
