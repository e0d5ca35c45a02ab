#include <algorithm>

#include "articulated_queries.hpp"
#include "elbowroom/narrow/distance_hull_hull.hpp"
#include "elbowroom/questions/coverage.hpp"
#include "rigid_queries.hpp"

namespace elbowroom {

namespace {

double scale_of(const Ordered& o) {
    return o.first.body->reach() + o.second.body->reach() + length(o.second_to_first.translation);
}

}  // namespace

/// From what is cheap to what is exact: boxes that are the shapes themselves, hulls in single precision, hulls in
/// double, and the trees of bodies with several primitives.
bool ArticulatedPairs::overlap(const ShapeCandidate& c, const RemainingBudget& remaining, Counters& counters,
                               PrimitivePair& primitives, Stop& stop) const {
    ++counters.leaf_tests;
    primitives = {0, 0};
    if (c.certain) return true;
    const Ordered o(a_.placed(c.a), b_.placed(c.b));
    const RigidBody &first = *o.first.body, &second = *o.second.body;
    const bool single = first.count() == 1 && second.count() == 1;
    const QuickHull *p = a_.quick(c.a), *q = b_.quick(c.b);
    if (p && q) {
        if (o.swapped) std::swap(p, q);
        const double limit = p->radius + q->radius + rounding * scale_of(o);
        const HullVerdict verdict = compare(*p, *q, o.second_to_first, limit);
        if (verdict == HullVerdict::apart) return false;
        if (verdict == HullVerdict::overlap && single) return true;
    }
    if (single)
        return overlaps_hull_hull({first.primitive(0), second.primitive(0), &o.second_to_first, nullptr, scale_of(o)});
    CollideOptions options;
    options.allowance = remaining.after(counters);
    const CollideAnswer found = elbowroom::collide(o.first, o.second, options);
    if (found.stop == Stop::out_of_budget) stop = found.stop;
    counters.volume_tests += found.counters.volume_tests, counters.leaf_tests += found.counters.leaf_tests;
    if (found.hit) primitives = o.as_asked(found.pairs[0][0], found.pairs[0][1]);
    return found.hit;
}

CollideAnswer ArticulatedPairs::collide(const CollideOptions& options) {
    if (options.memory && options.memory->records(options.allowance.unlimited())) return collide_remembered(options);
    CollideAnswer answer;
    const RemainingBudget remaining(options.allowance);
    find(0, options.allowance, answer.counters);
    answer.stop = stop_;
    if (!options.every && !options.depth) return first_hit(remaining, answer), answer;
    if (options.depth)  // contacts of one pair of links come in the order of their shapes, however they were found
        std::sort(list_.begin(), list_.end(),
                  [](const ShapeCandidate& p, const ShapeCandidate& q) { return p.a != q.a ? p.a < q.a : p.b < q.b; });
    all_hits(remaining, options, answer);
    answer.hit = !answer.pairs.empty();
    if (options.depth && !options.every && answer.hit) keep_deepest(answer);
    if (options.depth) return sorted(std::move(answer));
    if (!std::is_sorted(answer.pairs.begin(), answer.pairs.end())) std::sort(answer.pairs.begin(), answer.pairs.end());
    answer.pairs.erase(std::unique(answer.pairs.begin(), answer.pairs.end()), answer.pairs.end());
    return answer;
}

/// The deepest boxes first: they are the likeliest to hit.
void ArticulatedPairs::first_hit(const RemainingBudget& remaining, CollideAnswer& answer) {
    double left = 0;
    std::size_t i = 0;
    Poll poll(64);
    for (; i < list_.size() && !remaining.spent(answer.counters); ++i) {
        poll();
        std::size_t next = i;
        for (std::size_t k = i + 1; k < list_.size() && k < i + 64; ++k)
            if (list_[k].depth < list_[next].depth) next = k;
        std::swap(list_[i], list_[next]);
        PrimitivePair primitives;
        Stop stop = Stop::exhausted;
        if (overlap(list_[i], remaining, answer.counters, primitives, stop)) {
            answer.hit = true, answer.stop = Stop::settled;
            add(list_[i], primitives, answer);
            break;
        }
        if (stop != Stop::out_of_budget) continue;
        answer.stop = stop, left += weight(list_[i]);
    }
    if (i < list_.size() && !answer.hit) answer.stop = Stop::out_of_budget;
    state_left(remaining, i, left, answer);
}

/// What is left on a budget: candidates from the `first` on, and `left` pairs of primitives of those before.
void ArticulatedPairs::state_left(const RemainingBudget& remaining, std::size_t first, double left,
                                  CollideAnswer& answer) const {
    if (!remaining.limited()) return;
    for (std::size_t i = first; i < list_.size(); ++i) left += weight(list_[i]);
    state_covered(stop_ == Stop::out_of_budget ? whole() : left, whole(), answer);
}

void ArticulatedPairs::all_hits(const RemainingBudget& remaining, const CollideOptions& options,
                                CollideAnswer& answer) const {
    const bool links_alone = !options.depth && a_.names_links() && b_.names_links();
    refuse_too_many(list_.size(), options.depth ? bytes_of_contact : bytes_of_pair);
    answer.pairs.reserve(list_.size());
    double left = 0;
    std::size_t i = 0;
    Poll poll(64);
    for (; i < list_.size() && !remaining.spent(answer.counters); ++i) {
        poll();
        const ShapeCandidate& c = list_[i];
        Stop stop = Stop::exhausted;
        PrimitivePair primitives;
        if (links_alone) {
            if (overlap(c, remaining, answer.counters, primitives, stop)) add(c, primitives, answer);
        } else {
            CollideOptions all = options;
            all.every = true, all.memory = nullptr, all.allowance = remaining.after(answer.counters);
            ++answer.counters.leaf_tests;
            const CollideAnswer found = elbowroom::collide(a_.placed(c.a), b_.placed(c.b), all);
            answer.counters += found.counters, stop = found.stop;
            add_all(c, found, options, answer);
        }
        if (stop == Stop::out_of_budget) answer.stop = stop, left += weight(c);
    }
    if (i < list_.size()) answer.stop = Stop::out_of_budget;
    state_left(remaining, i, left, answer);
}

/// Everything that was found between two shapes.
void ArticulatedPairs::add_all(const ShapeCandidate& c, const CollideAnswer& found, const CollideOptions& options,
                               CollideAnswer& answer) const {
    for (std::size_t k = 0; k < found.pairs.size(); ++k) {
        add(c, found.pairs[k], answer);
        if (!options.depth) continue;
        answer.contacts.push_back(found.contacts[k]);
        if (self_ && a_.name(c.a, 0) > b_.name(c.b, 0)) answer.contacts.back().normal = -found.contacts[k].normal;
    }
}

std::int64_t ArticulatedPairs::exact_queries(const CollideOptions& options) {
    Counters counters;
    std::int64_t hits = 0;
    for (const ShapeCandidate& c : candidates(options.allowance, counters))
        hits += elbowroom::collide(a_.placed(c.a), b_.placed(c.b), options).hit;
    return hits;
}

void ArticulatedPairs::add(const ShapeCandidate& c, const PrimitivePair& primitives, CollideAnswer& answer) const {
    PrimitivePair names{a_.name(c.a, primitives[0]), b_.name(c.b, primitives[1])};
    if (self_ && names[0] > names[1]) std::swap(names[0], names[1]);
    check_memory_for(answer.pairs, bytes_of_contact);
    answer.pairs.push_back(names);
}

CollideAnswer carried(const Rigid& to, CollideAnswer answer) {
    for (HullContact& c : answer.contacts) c.normal = to.rotation * c.normal, c.point = to * c.point;
    return answer;
}

}  // namespace elbowroom
