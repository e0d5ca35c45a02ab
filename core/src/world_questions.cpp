#include "elbowroom/world/world_questions.hpp"

#include <algorithm>

#include "elbowroom/batch/parallel.hpp"
#include "elbowroom/queries/remaining_budget.hpp"
#include "elbowroom/questions/coverage.hpp"
#include "world_parts.hpp"
#include "world_recall.hpp"

namespace elbowroom {

namespace {

/// Pairs of parts that one thread asks about before it takes the next.
constexpr std::ptrdiff_t chunk = 32;

/// What was found, with contacts or points if these were asked for.
struct FoundList {
    std::vector<FoundPair> all;
    std::vector<HullContact> contacts;
    std::vector<NearestPoints> points;

    void take(FoundList& other) {
        for (FoundPair& f : other.all)
            if (f.detail >= 0) f.detail += std::int32_t(contacts.size() + points.size());
        all.insert(all.end(), other.all.begin(), other.all.end());
        contacts.insert(contacts.end(), other.contacts.begin(), other.contacts.end());
        points.insert(points.end(), other.points.begin(), other.points.end());
    }
    void sort() {
        std::stable_sort(all.begin(), all.end(),
                         [](const FoundPair& a, const FoundPair& b) { return a.order() < b.order(); });
    }
    /// Of two members, or links of them, the nearest alone.
    void keep_once() {
        auto same = [](const FoundPair& a, const FoundPair& b) { return a.same_links(b); };
        all.erase(std::unique(all.begin(), all.end(), same), all.end());
    }
};

/// What is the same for all questions that are asked of every two parts that are near. `Derived` has `ask(parts,
/// allowance, list, counters)`, which adds what two parts gave, and gives false if its budget ended.
template <class Derived, class Answer>
class EachPair {
protected:
    const WorldPair& pair_;
    const int threads_;
    const double reach_;
    Answer answer_;
    FoundList found_;

    EachPair(const WorldPair& pair, int threads, double reach) : pair_(pair), threads_(threads), reach_(reach) {}

    void add(FoundList& list, const PartPair& parts, const PrimitivePair& names, double distance,
             std::int32_t detail) const {
        check_memory_for(list.all, sizeof(FoundPair));
        const AskedParts two(pair_, parts);
        const PrimitivePair members = two.members();
        const WorldMember &x = pair_.a.member(members[0]), &y = pair_.b.member(members[1]);
        const PrimitivePair links{x.model ? names[0] : 0, y.model ? names[1] : 0};
        list.all.push_back({x.serial, y.serial, links, members, names, parts, distance, detail});
    }
    /// On several threads where there are many.
    void ask_all(const std::vector<PartPair>& parts, FoundList& out) {
        const std::ptrdiff_t count = std::ptrdiff_t(parts.size());
        std::vector<FoundList> lists(std::size_t((count + chunk - 1) / chunk));
        std::vector<Counters> work(lists.size());
        in_parallel(
            count, count < 8 * chunk ? 1 : threads_,
            [&] {
                return [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
                    for (std::ptrdiff_t i = begin; i < end; ++i)
                        derived().ask(parts[i], {}, lists[begin / chunk], work[begin / chunk]);
                };
            },
            chunk);
        for (std::size_t k = 0; k < lists.size(); ++k) out.take(lists[k]), answer_.counters += work[k];
    }
    /// One pair after the other while the budget lasts, or until that is enough.
    void ask_limited(bool first) {
        const RemainingBudget remaining(options().allowance);
        double left = 0;
        Poll poll(64);
        for (const PartPair& p : near_parts(pair_, reach_, threads_, answer_.counters)) {
            poll();
            if (first && !found_.all.empty()) break;
            const bool ended = !remaining.spent(answer_.counters) &&
                               derived().ask(p, remaining.after(answer_.counters), found_, answer_.counters);
            if (!ended) left += AskedParts(pair_, p).weight();
        }
        const bool settled = first && !found_.all.empty();
        if (settled) left = 0, answer_.stop = Stop::settled;
        if (left > 0) answer_.stop = Stop::out_of_budget;
        state_covered(left, most(1.0, all_primitives(pair_)), answer_);
    }
    /// All members of a world with each other: only what has changed since the last such question, if it is known.
    void ask_recalling(const WorldRecall::Kind& kind) {
        WorldRecall& recall = pair_.a.recall();
        const std::unique_lock<std::mutex> turn = recall.turn();
        if (!turn.owns_lock()) return ask_anew(found_), derived().answer_with(found_.all);
        try {
            if (recall.helps(kind))
                ask_about_changes(recall);
            else
                ask_anew(found_), recall.all().swap(found_.all);
        } catch (...) {
            recall.forget();
            throw;
        }
        recall.complete(kind, std::size_t(pair_.a.part_numbers()));
        derived().answer_with(recall.all());
    }
    void ask_anew(FoundList& out) {
        ask_all(near_parts(pair_, reach_, threads_, answer_.counters), out);
        out.sort();
        out.keep_once();
    }
    void ask_about_changes(WorldRecall& recall) {
        FoundList fresh;
        if (!recall.touched().empty()) {
            ask_all(near_parts_of(pair_.a, recall.touched(), reach_, threads_, answer_.counters), fresh);
            fresh.sort();
            fresh.keep_once();
            recall.drop_touched();
        }
        recall.add(fresh.all);
    }

private:
    Derived& derived() { return static_cast<Derived&>(*this); }
    const auto& options() const { return static_cast<const Derived&>(*this).options_; }
};

class WorldCollide : EachPair<WorldCollide, WorldCollideAnswer> {
public:
    WorldCollide(const WorldPair& pair, const CollideOptions& options, int threads)
        : EachPair(pair, threads, 0), options_(options) {}

    WorldCollideAnswer run() {
        const bool whole = pair_.self() && pair_.only < 0;
        if (!options_.allowance.unlimited())
            ask_limited(!all());
        else if (whole && !options_.depth && (options_.every || knows_all()))
            return ask_recalling({}), std::move(answer_);
        else
            all() ? ask_all(near_parts(pair_, 0, threads_, answer_.counters), found_) : ask_until_hit(whole);
        found_.sort();
        if (!options_.depth) found_.keep_once();
        answer_with(found_.all);
        if (options_.depth) add_contacts();
        return std::move(answer_);
    }

private:
    friend EachPair;
    const CollideOptions& options_;

    bool all() const { return options_.every || options_.depth; }
    bool knows_all() const {
        WorldRecall& recall = pair_.a.recall();
        const std::unique_lock<std::mutex> turn = recall.turn();
        return turn.owns_lock() && recall.helps({});
    }
    /// Of two parts: every contact if all are wanted, else one pair.
    bool ask(const PartPair& p, const Allowance& allowance, FoundList& list, Counters& counters) const {
        CollideOptions one;
        one.every = options_.every && options_.depth;
        one.depth = options_.depth;
        one.allowance = allowance;
        const AskedParts two(pair_, p);
        const CollideAnswer a = two.collide(one);
        counters += a.counters;
        ++counters.pairs_visited;
        for (std::size_t k = 0; k < a.pairs.size(); ++k) {
            add(list, p, a.pairs[k], 0, options_.depth ? std::int32_t(list.contacts.size()) : -1);
            if (options_.depth) list.contacts.push_back(a.contacts[k]);
        }
        return a.stop != Stop::out_of_budget;
    }
    /// More and more at once, until one hits. That none does is worth remembering.
    void ask_until_hit(bool whole) {
        const std::vector<PartPair> parts = near_parts(pair_, 0, threads_, answer_.counters);
        std::size_t size = 4;
        for (std::size_t begin = 0; begin < parts.size() && found_.all.empty(); begin += size, size *= 2) {
            const std::size_t end = least(begin + size, parts.size());
            ask_all({parts.begin() + std::ptrdiff_t(begin), parts.begin() + std::ptrdiff_t(end)}, found_);
        }
        if (!whole || !found_.all.empty()) return;
        WorldRecall& recall = pair_.a.recall();
        if (const std::unique_lock<std::mutex> turn = recall.turn(); turn.owns_lock()) {
            recall.all().clear();
            recall.complete({}, std::size_t(pair_.a.part_numbers()));
        }
    }
    void answer_with(const std::vector<FoundPair>& found) {
        answer_.hit = !found.empty();
        if (answer_.hit && !all()) answer_.stop = Stop::settled;
        const std::size_t count = all() ? found.size() : least<std::size_t>(found.size(), 1);
        answer_.pairs.reserve(count), answer_.members.reserve(count);
        for (std::size_t k = 0; k < count; ++k) {
            answer_.pairs.push_back(found[k].pair);
            answer_.members.push_back(found[k].members);
        }
    }
    void add_contacts() {
        for (const FoundPair& f : found_.all) answer_.contacts.push_back(found_.contacts[f.detail]);
        if (!options_.every && answer_.hit) keep_deepest_member();
    }
    void keep_deepest_member() {
        std::size_t deepest = 0;
        for (std::size_t k = 1; k < answer_.contacts.size(); ++k)
            if (answer_.contacts[k].depth > answer_.contacts[deepest].depth) deepest = k;
        answer_.members = {answer_.members[deepest]};
        keep_deepest(answer_);
    }
};

class WorldWithin : EachPair<WorldWithin, WorldWithinAnswer> {
public:
    WorldWithin(const WorldPair& pair, const WithinOptions& options, int threads)
        : EachPair(pair, threads, options.reach), options_(options) {}

    WorldWithinAnswer run() {
        if (!options_.allowance.unlimited())
            ask_limited(false), found_.sort(), found_.keep_once();
        else if (pair_.self() && pair_.only < 0 && !options_.points)
            return ask_recalling({false, options_.reach}), std::move(answer_);
        else
            ask_anew(found_);
        answer_with(found_.all);
        if (options_.points)
            for (const FoundPair& f : found_.all) answer_.points.push_back(found_.points[f.detail]);
        return std::move(answer_);
    }

private:
    friend EachPair;
    const WithinOptions& options_;

    void answer_with(const std::vector<FoundPair>& found) {
        answer_.pairs.reserve(found.size()), answer_.members.reserve(found.size());
        answer_.distances.reserve(found.size());
        for (const FoundPair& f : found) {
            answer_.pairs.push_back(f.pair);
            answer_.members.push_back(f.members);
            answer_.distances.push_back(f.distance);
        }
    }

    bool ask(const PartPair& p, const Allowance& allowance, FoundList& list, Counters& counters) const {
        DistanceOptions one;
        one.above = options_.reach * (1 + 1e-12) + 1e-140;  // found if not above, and 0 is not below 0
        one.allowance = allowance;
        const AskedParts two(pair_, p);
        const DistanceAnswer d = two.distance(one);
        counters += d.counters;
        ++counters.pairs_visited;
        const bool ended = d.stop != Stop::out_of_budget;
        if (d.pair[0] < 0 || d.upper > options_.reach) return ended;
        add(list, p, d.pair, d.upper, options_.points ? std::int32_t(list.points.size()) : -1);
        if (options_.points) list.points.push_back({d.on_a, d.on_b, two.normal(d)});
        return ended;
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
