// How the parts come together for a chain and another body; shared by the other bodies.
#pragma once
#include <algorithm>

#include "chain_queries.hpp"
#include "elbowroom/narrow/contact_hull_hull.hpp"
#include "elbowroom/pairings/run_places.hpp"
#include "elbowroom/queries/distance.hpp"
#include "elbowroom/queries/overlap.hpp"
#include "remembered_run.hpp"

namespace elbowroom {

/// The nearest primitives of two bodies found so far.
struct NearestAcross {
    double upper2 = far_away * far_away, lower = far_away;
    std::int64_t a = -1, b = -1;
};

/// How far apart the primitives of two leaves are, at least.
template <class Leaves, class Pairing>
double leaf_gap(const RunLeaves<Leaves, Pairing>& leaves, const Pair& pair) {
    NearestAcross nearest;
    Counters nothing;
    leaves.nearest(pair, nothing, nearest);
    if (nearest.a < 0) return most(0.0, nearest.lower);
    const double scale = leaves.inner().hulls(nearest.a, nearest.b).scale;
    return most(0.0, least(std::sqrt(nearest.upper2), nearest.lower) - 8 * rounding * scale);
}

/// The questions about a chain (a) and another body (b). `Leaves` says what two leaves mean, and gives primitives as
/// hulls in the common frame, that of the chain; `Runs` is the pairing by numbers, for memories.
template <class Pairing, class Leaves, class Runs>
class ChainCross {
public:
    ChainCross(const Pairing& pairing, const Leaves& leaves, Pair start, const Runs& runs, CutMemory* cut,
               const Rigid& to_world)
        : pairing_(pairing), leaves_(leaves), start_(start), runs_(runs), cut_(cut), to_world_(to_world) {}

    CollideAnswer collide(const CollideOptions& options) const {
        CollideAnswer answer;
        const bool all = options.every || options.depth;
        auto sink = [&](std::int64_t i, std::int64_t j) {
            check_memory_for(answer.pairs, options.depth ? bytes_of_contact : bytes_of_pair);
            answer.pairs.push_back({std::int32_t(i), std::int32_t(j)});
            return !all;
        };
        if (records(options)) {
            const RunLeaves leaves(leaves_, runs_);
            RememberedRun run(*cut_, *options.memory, runs_, leaves, runs_.root(), 8);
            run.collide(sink, [&] { return answer.pairs.size(); }, false, options, answer);
        } else {
            Overlap query(leaves_, sink);
            run<DepthFirst>(query, options.allowance, far_away, answer);
        }
        answer.hit = !answer.pairs.empty();
        std::sort(answer.pairs.begin(), answer.pairs.end());
        keep_once(answer.pairs, answer.contacts);  // a node that is opened the other way round meets leaves again
        if (options.depth) add_contacts(answer, options.every);
        return answer;
    }
    DistanceAnswer distance(const DistanceOptions& options) const {
        DistanceAnswer answer;
        NearestAcross best;
        const bool enough = options.enough >= 0;
        const double limit2 = enough ? options.enough * options.enough : far_away * far_away;
        double cut;
        if (records(options)) {
            const RunLeaves leaves(leaves_, runs_);
            RememberedRun run(*cut_, *options.memory, runs_, leaves, runs_.root(), 8);
            ShortestDistance query(leaves, best, {}, limit2, enough);
            cut = run.distance(query, best, options, answer);
        } else {
            ShortestDistance query(leaves_, best, {}, limit2, enough);
            cut = options.allowance.unlimited() ? run<DepthFirst>(query, options.allowance, best.upper2, answer)
                                                : run<NearestFirst>(query, options.allowance, best.upper2, answer);
        }
        if (best.a < 0) best.a = best.b = 0;  // all is beyond `enough` or the budget: any pair gives an upper bound
        const HullDistance d = distance_hull_hull(leaves_.hulls(best.a, best.b), far_away);
        answer.upper = d.upper, answer.lower = most(0.0, least(least(d.lower, best.lower), cut));
        const bool farther = enough && answer.upper > options.enough;
        if (farther) answer.lower = least(answer.lower, options.enough);
        if (answer.upper == 0 || (answer.stop == Stop::exhausted && enough)) answer.stop = Stop::settled;
        if (answer.stop == Stop::settled && !farther && answer.upper > 0) answer.lower = 0;
        answer.on_a = to_world_ * d.on_a, answer.on_b = to_world_ * d.on_b;
        answer.pair = {std::int32_t(best.a), std::int32_t(best.b)};
        if (records(options) && !options.cut) conclude_answer(*options.memory, options, answer.upper == 0, answer);
        return answer;
    }
    WithinAnswer within(const WithinOptions& options) const {
        WithinAnswer answer;
        auto sink = [&](std::int64_t i, std::int64_t j, double d) {
            check_memory_for(answer.pairs, bytes_of_distance);
            answer.pairs.push_back({std::int32_t(i), std::int32_t(j)});
            answer.distances.push_back(d);
        };
        if (records(options)) {
            const RunLeaves leaves(leaves_, runs_);
            RememberedRun run(*cut_, *options.memory, runs_, leaves, runs_.root(), 8);
            run.within(sink, 16 * rounding * leaves_.hulls(0, 0).scale, options, answer);
            sort_together(answer.pairs, answer.distances);
            keep_once(answer.pairs, answer.distances);
        } else {
            WithinReach query(leaves_, options.reach, sink);
            run<DepthFirst>(query, options.allowance, far_away, answer);
        }
        return answer;
    }

private:
    const Pairing& pairing_;
    const Leaves& leaves_;
    const Pair start_;
    const Runs& runs_;
    CutMemory* const cut_;
    const Rigid to_world_;

    template <class Options>
    bool records(const Options& options) const {
        return cut_ && options.memory->records(options.allowance.unlimited());
    }
    /// The least bound of what a budget left. `nearest2`: pairs with a greater bound are done with.
    template <class Order, class Query, class Answer>
    double run(Query& query, const Allowance& allowance, const double& nearest2, Answer& answer) const {
        Order order;
        order.push(start_);
        Budget budget(allowance);
        answer.stop = traverse(pairing_, query, order, budget, answer.counters);
        if (allowance.unlimited()) return far_away;
        double cut = far_away, left = 0;
        order.each([&](const Pair& p) {
            if (answer.stop == Stop::out_of_budget) cut = least(cut, std::sqrt(double(p.bound)));
            if (p.bound < nearest2) left += pairing_.count(p.a, p.b);
        });
        state_covered(left, pairing_.count(start_.a, start_.b), answer);
        return cut;
    }
    void add_contacts(CollideAnswer& answer, bool every) const {
        for (const PrimitivePair& p : answer.pairs) {
            const HullContact c = contact_hull_hull(leaves_.hulls(p[0], p[1]));
            answer.contacts.push_back({c.depth, to_world_.rotation * c.normal, to_world_ * c.point});
        }
        if (!every && !answer.contacts.empty()) keep_deepest(answer);
    }
};

}  // namespace elbowroom
