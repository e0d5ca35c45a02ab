#include "elbowroom/world/world_questions.hpp"

#include <algorithm>
#include <tuple>

#include "elbowroom/batch/parallel.hpp"
#include "elbowroom/queries/remaining_budget.hpp"
#include "elbowroom/questions/coverage.hpp"
#include "world_parts.hpp"

namespace elbowroom {

namespace {

constexpr std::ptrdiff_t chunk = 32;

/// What two parts gave, in the order of answers.
struct Found {
    std::uint64_t first, second;         // serial numbers of the members
    PrimitivePair links, members, pair;  // links: 0 where there are none
    double distance;
    HullContact contact;
    NearestPoints points;

    auto order() const { return std::tie(first, second, links, distance, pair); }
    bool same_links(const Found& o) const { return members == o.members && links == o.links; }
};

/// What was found, in the order of the members. `once`: of two members, or links of them, the nearest alone.
class FoundList {
public:
    FoundList(const WorldPair& pair, bool once) : pair_(pair), once_(once) {}
    void add(const PrimitivePair& members, const PrimitivePair& names, double distance, const HullContact& contact,
             const NearestPoints& points) {
        check_memory_for(all_, sizeof(Found));
        const WorldMember &x = pair_.a.member(members[0]), &y = pair_.b.member(members[1]);
        const PrimitivePair links{x.model ? names[0] : 0, y.model ? names[1] : 0};
        all_.push_back({x.serial, y.serial, links, members, names, distance, contact, points});
    }
    void take(FoundList& other) { all_.insert(all_.end(), other.all_.begin(), other.all_.end()); }
    bool empty() const { return all_.empty(); }
    const std::vector<Found>& sorted() {
        std::stable_sort(all_.begin(), all_.end(),
                         [](const Found& a, const Found& b) { return a.order() < b.order(); });
        auto same = [](const Found& a, const Found& b) { return a.same_links(b); };
        if (once_) all_.erase(std::unique(all_.begin(), all_.end(), same), all_.end());
        return all_;
    }

private:
    const WorldPair& pair_;
    const bool once_;
    std::vector<Found> all_;
};

/// Asks `ask(parts, list, counters)` of all, on several threads where there are many.
template <class Ask>
void ask_each(const WorldPair& pair, const std::vector<PartPair>& parts, bool once, int threads, FoundList& out,
              Counters& counters, Ask&& ask) {
    const std::ptrdiff_t count = std::ptrdiff_t(parts.size());
    std::vector<FoundList> lists(std::size_t((count + chunk - 1) / chunk), FoundList(pair, once));
    std::vector<Counters> work(lists.size());
    in_parallel(
        count, count < 8 * chunk ? 1 : threads,
        [&] {
            return [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                for (std::ptrdiff_t i = begin; i < end; ++i) ask(parts[i], lists[begin / chunk], work[begin / chunk]);
            };
        },
        chunk);
    for (std::size_t k = 0; k < lists.size(); ++k) out.take(lists[k]), counters += work[k];
}

/// One pair after the other while the budget lasts.
template <class Ask>
double ask_within(const RemainingBudget& remaining, const WorldPair& pair, const std::vector<PartPair>& parts,
                  Counters& counters, Ask&& ask) {
    double left = 0;
    Poll poll(64);
    for (const PartPair& p : parts) {
        poll();
        const AskedParts two(pair, p);
        if (remaining.spent(counters) || !ask(p, remaining.after(counters))) left += two.weight();
    }
    return left;
}

class WorldCollide {
public:
    WorldCollide(const WorldPair& pair, const CollideOptions& options, int threads)
        : pair_(pair), options_(options), threads_(threads), found_(pair, !options.depth) {}

    WorldCollideAnswer run() {
        const RemainingBudget remaining(options_.allowance);
        const std::vector<PartPair> parts = near_parts(pair_, 0, threads_, answer_.counters);
        if (remaining.limited())
            ask_limited(remaining, parts);
        else
            options_.every || options_.depth ? ask_all(parts) : ask_blocks(parts);
        finish();
        return std::move(answer_);
    }

private:
    const WorldPair& pair_;
    const CollideOptions& options_;
    const int threads_;
    WorldCollideAnswer answer_;
    FoundList found_;

    bool all() const { return options_.every || options_.depth; }
    /// Of two parts: every contact if all are wanted, else one pair.
    Stop ask(const PartPair& p, const Allowance& allowance, FoundList& list, Counters& counters) const {
        CollideOptions one;
        one.every = options_.every && options_.depth;
        one.depth = options_.depth;
        one.allowance = allowance;
        const AskedParts two(pair_, p);
        const CollideAnswer a = two.collide(one);
        counters += a.counters;
        ++counters.pairs_visited;
        for (std::size_t k = 0; k < a.pairs.size(); ++k)
            list.add(two.members(), a.pairs[k], 0, options_.depth ? a.contacts[k] : HullContact{}, {});
        return a.hit && !all() ? Stop::settled : a.stop;
    }
    void ask_all(const std::vector<PartPair>& parts) {
        ask_each(pair_, parts, !options_.depth, threads_, found_, answer_.counters,
                 [&](const PartPair& p, FoundList& list, Counters& counters) { ask(p, {}, list, counters); });
    }
    /// Until one hits: more and more at once.
    void ask_blocks(const std::vector<PartPair>& parts) {
        std::size_t size = 4;
        for (std::size_t begin = 0; begin < parts.size() && found_.empty(); begin += size, size *= 2) {
            const std::size_t end = least(begin + size, parts.size());
            if (size < 8 * chunk) {
                for (std::size_t i = begin; i < end && found_.empty(); ++i) ask(parts[i], {}, found_, answer_.counters);
                continue;
            }
            ask_all({parts.begin() + std::ptrdiff_t(begin), parts.begin() + std::ptrdiff_t(end)});
        }
        if (!found_.empty()) answer_.stop = Stop::settled;
    }
    void ask_limited(const RemainingBudget& remaining, const std::vector<PartPair>& parts) {
        const double left =
            ask_within(remaining, pair_, parts, answer_.counters, [&](const PartPair& p, const Allowance& allowance) {
                if (answer_.stop == Stop::settled) return true;
                const Stop stop = ask(p, allowance, found_, answer_.counters);
                if (!all() && !found_.empty()) answer_.stop = Stop::settled;
                return stop != Stop::out_of_budget;
            });
        if (left > 0 && answer_.stop != Stop::settled) answer_.stop = Stop::out_of_budget;
        state_covered(left, most(1.0, all_primitives(pair_)), answer_);
    }
    void finish() {
        answer_.hit = !found_.empty();
        for (const Found& f : found_.sorted()) {
            if (!all() && !answer_.pairs.empty()) break;
            answer_.pairs.push_back(f.pair);
            answer_.members.push_back(f.members);
            if (options_.depth) answer_.contacts.push_back(f.contact);
        }
        if (options_.depth && !options_.every && answer_.hit) keep_deepest_member();
    }
    void keep_deepest_member() {
        std::size_t deepest = 0;
        for (std::size_t k = 1; k < answer_.contacts.size(); ++k)
            if (answer_.contacts[k].depth > answer_.contacts[deepest].depth) deepest = k;
        answer_.members = {answer_.members[deepest]};
        keep_deepest(answer_);
    }
};

class WorldWithin {
public:
    WorldWithin(const WorldPair& pair, const WithinOptions& options, int threads)
        : pair_(pair), options_(options), threads_(threads), found_(pair, true) {}

    WorldWithinAnswer run() {
        const RemainingBudget remaining(options_.allowance);
        const std::vector<PartPair> parts = near_parts(pair_, options_.reach, threads_, answer_.counters);
        if (remaining.limited())
            ask_limited(remaining, parts);
        else
            ask_each(pair_, parts, true, threads_, found_, answer_.counters,
                     [&](const PartPair& p, FoundList& list, Counters& counters) { ask(p, {}, list, counters); });
        for (const Found& f : found_.sorted()) {
            answer_.pairs.push_back(f.pair);
            answer_.members.push_back(f.members);
            answer_.distances.push_back(f.distance);
            if (options_.points) answer_.points.push_back(f.points);
        }
        return std::move(answer_);
    }

private:
    const WorldPair& pair_;
    const WithinOptions& options_;
    const int threads_;
    WorldWithinAnswer answer_;
    FoundList found_;

    Stop ask(const PartPair& p, const Allowance& allowance, FoundList& list, Counters& counters) const {
        DistanceOptions one;
        one.above = options_.reach * (1 + 1e-12) + 1e-140;  // found if not above, and 0 is not below 0
        one.allowance = allowance;
        const AskedParts two(pair_, p);
        const DistanceAnswer d = two.distance(one);
        counters += d.counters;
        ++counters.pairs_visited;
        if (d.pair[0] < 0 || d.upper > options_.reach) return d.stop;
        NearestPoints points;
        if (options_.points) points = {d.on_a, d.on_b, two.normal(d)};
        list.add(two.members(), d.pair, d.upper, {}, points);
        return d.stop;
    }
    void ask_limited(const RemainingBudget& remaining, const std::vector<PartPair>& parts) {
        const double left =
            ask_within(remaining, pair_, parts, answer_.counters, [&](const PartPair& p, const Allowance& allowance) {
                return ask(p, allowance, found_, answer_.counters) != Stop::out_of_budget;
            });
        if (left > 0) answer_.stop = Stop::out_of_budget;
        state_covered(left, most(1.0, all_primitives(pair_)), answer_);
    }
};

}  // namespace

WorldCollideAnswer collide(const WorldPair& pair, const CollideOptions& options, int threads) {
    return WorldCollide(pair, options, threads).run();
}

WorldWithinAnswer within(const WorldPair& pair, const WithinOptions& options, int threads) {
    return WorldWithin(pair, options, threads).run();
}

}  // namespace elbowroom
