// Questions about articulated bodies with a memory: every pair of shapes whose boxes are near has a cut of its own.
#include <algorithm>

#include "articulated_queries.hpp"
#include "elbowroom/questions/coverage.hpp"

namespace elbowroom {

namespace {

/// Calls since everything of a part was proved; those that never were come first.
std::uint32_t age_of(const CutMemory& part) { return part.complete ? part.calls - part.complete : ~0u; }

/// How soon a part is looked at, the less the sooner: what hit last time, then what has waited longest; from the root,
/// where the last run went deepest, or as they come.
double rank_of(const CutMemory& part, MemoryMethod method) {
    if (method == MemoryMethod::depth_first) return 0;
    if (method == MemoryMethod::best_first) return part.now.empty() ? 0 : -double(part.now[0].deepest);
    return part.hit ? -1e12 : -double(age_of(part));
}

}  // namespace

double ArticulatedPairs::weight(const ShapeCandidate& c) const {
    return double(a_.placed(c.a).body->count()) * b_.placed(c.b).body->count();
}

double ArticulatedPairs::whole() const { return self_ ? a_.compared_pairs() : a_.primitives() * b_.primitives(); }

/// Parts of pairs that are not candidates any more are forgotten; the candidates in the order to look at them.
void ArticulatedPairs::sort_by_memory(QueryMemory& memory) {
    std::vector<std::uint64_t> keys;
    for (const ShapeCandidate& c : list_) keys.push_back(key_of(c));
    std::sort(keys.begin(), keys.end());
    std::erase_if(memory.parts, [&](const auto& p) { return !std::binary_search(keys.begin(), keys.end(), p.first); });
    for (ShapeCandidate& c : list_) c.depth = float(rank_of(memory.parts[key_of(c)], memory.method));
    std::sort(list_.begin(), list_.end(), [](const ShapeCandidate& p, const ShapeCandidate& q) {
        return p.depth != q.depth ? p.depth < q.depth : key_of(p) < key_of(q);
    });
}

/// Looks at every candidate with what is left of the budget, the last ones with nothing: what their cuts still prove is
/// proved. `look(candidate, part, rest)` gives the answer of one; `enough()` ends the search.
template <class Answer, class Look, class Enough>
void ArticulatedPairs::each_part(QueryMemory& memory, const RemainingBudget& remaining, Answer& answer, Look&& look,
                                 Enough&& enough) {
    bool unfinished = stop_ == Stop::out_of_budget;
    sort_by_memory(memory);
    Counters
        looked;  // the boxes are looked at in every call, and are not charged: else small budgets would get nowhere
    Poll poll(64);
    for (const ShapeCandidate& c : list_) {
        poll();
        Allowance rest = remaining.after(looked);
        if (enough()) rest.tests = 0;
        CutMemory& part = memory.parts[key_of(c)];
        const auto found = look(c, part, rest);
        looked += found.counters, answer.counters += found.counters, answer.reckoning += found.reckoning;
        unfinished = unfinished || found.stop == Stop::out_of_budget;
    }
    answer.reckoning.pairs = whole(), answer.reckoning.lower = 0;  // how far apart other boxes are is not known
    if (stop_ == Stop::out_of_budget) answer.reckoning.open_pairs = answer.reckoning.pairs, answer.reckoning.age = -1;
    answer.stop = enough() ? Stop::settled : (unfinished ? Stop::out_of_budget : Stop::exhausted);
}

CollideAnswer ArticulatedPairs::collide_remembered(const CollideOptions& options) {
    CollideAnswer answer;
    const RemainingBudget remaining(options.allowance);
    const bool all = options.every || options.depth;
    const bool links_alone = !options.depth && a_.names_links() && b_.names_links();
    find_for(*options.memory, 0, options.allowance, answer.counters);
    auto look = [&](const ShapeCandidate& c, CutMemory& part, const Allowance& rest) {
        CollideOptions one = options;
        one.cut = &part, one.allowance = rest, one.every = all && !links_alone;
        const CollideAnswer found = elbowroom::collide(a_.placed(c.a), b_.placed(c.b), one);
        part.hit = found.hit;
        add_all(c, found, options, answer);
        return found;
    };
    each_part(*options.memory, remaining, answer, look, [&] { return !all && !answer.pairs.empty(); });
    answer.hit = !answer.pairs.empty();
    if (options.depth && !options.every && answer.hit) keep_deepest(answer);
    answer = sorted(std::move(answer));
    if (!options.depth) answer.pairs.erase(std::unique(answer.pairs.begin(), answer.pairs.end()), answer.pairs.end());
    conclude_answer(*options.memory, options, answer.hit, answer);
    return answer;
}

/// What a distance on a budget is worth: of the candidates that can be nearer than the nearest, how much is left.
void ArticulatedPairs::judge_distance(const DistanceOptions& options, double reach, DistanceAnswer& answer) {
    const bool finished = answer.stop != Stop::out_of_budget;
    QueryMemory* const memory = options.memory;
    const bool recorded = memory && memory->records(options.allowance.unlimited());
    Reckoning& sum = answer.reckoning = {};
    if (!finished && (stop_ == Stop::out_of_budget || reach < answer.upper)) {
        sum.open_pairs = whole(), sum.age = -1;
    } else if (!finished) {
        double lower = reach;
        for (const ShapeCandidate& c : list_) {
            const auto part = recorded ? memory->parts.find(key_of(c)) : decltype(memory->parts)::iterator{};
            if (!recorded || part == memory->parts.end() || part->second.now.empty()) {
                sum.open_pairs += weight(c), sum.age = -1, lower = 0;
                continue;
            }
            CutMemory& cut = part->second;
            sum += Reckoner(cut, answer.upper).all();
            lower = least(lower, memory->method == MemoryMethod::from_cut ? least_gap(cut) : 0.0);
        }
        answer.lower = most(answer.lower, least(lower, answer.upper));
    }
    sum.pairs = whole();
    if (recorded) return conclude_answer(*memory, options, answer.upper == 0, answer);
    if (!options.allowance.unlimited()) state_covered(sum.open_pairs, sum.pairs, answer);
}

WithinAnswer ArticulatedPairs::within_remembered(const WithinOptions& options) {
    WithinAnswer answer;
    const RemainingBudget remaining(options.allowance);
    find_for(*options.memory, options.reach, options.allowance, answer.counters);
    NearestNames nearest(*this);
    auto look = [&](const ShapeCandidate& c, CutMemory& part, const Allowance& rest) {
        WithinOptions one = options;
        one.cut = &part, one.allowance = rest;
        const WithinAnswer found = elbowroom::within(a_.placed(c.a), b_.placed(c.b), one);
        nearest.note_all(c, found);
        return found;
    };
    each_part(*options.memory, remaining, answer, look, [] { return false; });
    nearest.give(options.points, answer);
    conclude_answer(*options.memory, options, false, answer);
    return answer;
}

/// The candidates, for a memory that has met these bodies. Without any budget even boxes are not looked at.
void ArticulatedPairs::find_for(QueryMemory& memory, double reach, const Allowance& allowance, Counters& counters) {
    memory.begin(a_.identity(), self_ ? 0 : b_.identity());
    list_.clear(), stop_ = Stop::out_of_budget;
    if (whole() == 0) stop_ = Stop::exhausted;
    Allowance boxes = allowance;
    boxes.tests = ~std::uint64_t(0);
    if (allowance.tests > 0) find(reach, boxes, counters);
}

}  // namespace elbowroom
