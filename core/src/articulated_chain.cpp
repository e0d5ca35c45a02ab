#include <algorithm>
#include <map>

#include "articulated_queries.hpp"

namespace elbowroom {

CollideAnswer ArticulatedAndChain::collide(const CollideOptions& options) const {
    CollideAnswer answer;
    const Purse purse(options.allowance);
    for (int i = 0; i < a_.model().shapes(); ++i) {
        if (purse.empty(answer.counters)) {
            answer.stop = Stop::out_of_budget;
            break;
        }
        CollideOptions one = options;
        one.allowance = purse.rest(answer.counters);
        CollideAnswer found = swapped(elbowroom::collide(b_, placed(i), one));
        answer.counters += found.counters;
        if (found.stop == Stop::out_of_budget) answer.stop = Stop::out_of_budget;
        for (const PrimitivePair& p : found.pairs) answer.pairs.push_back({link(i), p[1]});
        answer.contacts.insert(answer.contacts.end(), found.contacts.begin(), found.contacts.end());
        answer.hit = answer.hit || found.hit;
        if (answer.hit && !options.every && !options.depth) return answer.stop = Stop::settled, answer;
    }
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
    const Purse purse(options.allowance);
    bool unfinished = false;
    for (int i = 0; i < a_.model().shapes() && best.upper > 0; ++i) {
        if (options.enough >= 0 && best.upper <= options.enough) break;
        DistanceOptions one = options;
        one.allowance = purse.rest(counters);
        if (purse.empty(counters)) unfinished = true;
        const DistanceAnswer d = swapped(elbowroom::distance(b_, placed(i), one));
        counters += d.counters, unfinished = unfinished || d.stop == Stop::out_of_budget;
        const double lower = least(best.lower, d.lower);
        if (d.upper < best.upper) best = d, best.pair[0] = link(i);
        best.lower = lower;
    }
    best.counters = counters;
    best.stop =
        unfinished ? Stop::out_of_budget : (best.upper == 0 || options.enough >= 0 ? Stop::settled : Stop::exhausted);
    if (options.enough >= 0 && best.upper > 0 && best.upper <= options.enough) best.lower = 0;
    return best;
}

WithinAnswer ArticulatedAndChain::within(double reach, const Allowance& allowance) const {
    WithinAnswer answer;
    const Purse purse(allowance);
    std::map<PrimitivePair, double> nearest;
    for (int i = 0; i < a_.model().shapes(); ++i) {
        const WithinAnswer w = elbowroom::within(b_, placed(i), reach, purse.rest(answer.counters));
        answer.counters += w.counters;
        if (w.stop == Stop::out_of_budget) answer.stop = Stop::out_of_budget;
        for (std::size_t k = 0; k < w.pairs.size(); ++k) {
            const auto [at, fresh] = nearest.try_emplace({link(i), w.pairs[k][0]}, w.distances[k]);
            if (!fresh) at->second = least(at->second, w.distances[k]);
        }
    }
    for (const auto& [names, distance] : nearest) answer.pairs.push_back(names), answer.distances.push_back(distance);
    return answer;
}

}  // namespace elbowroom
