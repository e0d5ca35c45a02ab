// How the parts come together for a chain and another body; shared by the other bodies.
#pragma once
#include <algorithm>

#include "chain_queries.hpp"
#include "elbowroom/narrow/contact_hull_hull.hpp"
#include "elbowroom/queries/distance.hpp"
#include "elbowroom/queries/overlap.hpp"
#include "elbowroom/traversal/traverse.hpp"

namespace elbowroom {

/// The nearest primitives of two bodies found so far.
struct NearestAcross {
    double upper2 = far_away * far_away, lower = far_away;
    std::int64_t a = -1, b = -1;
};

/// The questions about a chain (a) and another body (b). `Leaves` says what two leaves mean, and gives primitives as
/// hulls in the common frame, that of the chain.
template <class Pairing, class Leaves>
class ChainCross {
public:
    ChainCross(const Pairing& pairing, const Leaves& leaves, Pair start, const Rigid& to_world)
        : pairing_(pairing), leaves_(leaves), start_(start), to_world_(to_world) {}

    CollideAnswer collide(const CollideOptions& options) const {
        CollideAnswer answer;
        const bool all = options.every || options.depth;
        auto sink = [&](std::int64_t i, std::int64_t j) {
            answer.pairs.push_back({std::int32_t(i), std::int32_t(j)});
            return !all;
        };
        Overlap query(leaves_, sink);
        answer.stop = run(query, options.allowance, answer.counters).stop;
        answer.hit = !answer.pairs.empty();
        std::sort(answer.pairs.begin(), answer.pairs.end());
        if (options.depth) add_contacts(answer, options.every);
        return answer;
    }
    DistanceAnswer distance(const DistanceOptions& options) const {
        DistanceAnswer answer;
        NearestAcross best;
        const bool enough = options.enough >= 0;
        ShortestDistance query(leaves_, best, {}, enough ? options.enough * options.enough : far_away * far_away,
                               enough);
        const Ended ended = run(query, options.allowance, answer.counters);
        answer.stop = ended.stop;
        if (best.a < 0) best.a = best.b = 0;  // all is beyond `enough` or the budget: any pair gives an upper bound
        const HullDistance d = distance_hull_hull(leaves_.hulls(best.a, best.b), far_away);
        answer.upper = d.upper, answer.lower = most(0.0, least(least(d.lower, best.lower), ended.cut));
        const bool farther = enough && answer.upper > options.enough;
        if (farther) answer.lower = least(answer.lower, options.enough);
        if (answer.stop == Stop::exhausted && (answer.upper == 0 || enough)) answer.stop = Stop::settled;
        if (answer.stop == Stop::settled && !farther && answer.upper > 0) answer.lower = 0;
        answer.on_a = to_world_ * d.on_a, answer.on_b = to_world_ * d.on_b;
        answer.pair = {std::int32_t(best.a), std::int32_t(best.b)};
        return answer;
    }
    WithinAnswer within(double reach, const Allowance& allowance) const {
        WithinAnswer answer;
        auto sink = [&](std::int64_t i, std::int64_t j, double d) {
            answer.pairs.push_back({std::int32_t(i), std::int32_t(j)}), answer.distances.push_back(d);
        };
        WithinReach query(leaves_, reach, sink);
        answer.stop = run(query, allowance, answer.counters).stop;
        return answer;
    }

private:
    const Pairing& pairing_;
    const Leaves& leaves_;
    const Pair start_;
    const Rigid to_world_;

    struct Ended {
        Stop stop;
        double cut;  // least bound of what a budget left
    };
    template <class Query>
    Ended run(Query& query, const Allowance& allowance, Counters& counters) const {
        if (allowance.unlimited()) {
            DepthFirst order;
            Unlimited budget;
            order.push(start_);
            return {traverse(pairing_, query, order, budget, counters), far_away};
        }
        NearestFirst order;
        Limited budget(allowance.tests, allowance.seconds);
        order.push(start_);
        const Stop stop = traverse(pairing_, query, order, budget, counters);
        double cut = far_away;
        for (; stop == Stop::out_of_budget && !order.empty();) cut = least(cut, std::sqrt(double(order.pop().bound)));
        return {stop, cut};
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
