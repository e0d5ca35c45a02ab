#include "elbowroom/bodies/necklace_named.hpp"

#include "elbowroom/queries/purse.hpp"

namespace elbowroom {

CollideAnswer NamedBeads::self_collide(const CollideOptions& options) const {
    CollideAnswer answer;
    std::vector<NearBalls> found;
    const Purse purse(options.allowance);
    const bool all = options.every || options.depth;
    for (const auto& [i, j] : pairs_) {
        if (purse.empty(answer.counters)) {
            answer.stop = Stop::out_of_budget;
            break;
        }
        ++answer.counters.leaf_tests;
        if (const NearBalls n = beads_.near(i, j); n.gap <= 0) found.push_back(n);
        if (!found.empty() && !all) {
            answer.stop = Stop::settled;
            break;
        }
    }
    beads_.add_pairs(answer, found, options);
    return answer;
}

DistanceAnswer NamedBeads::self_distance(const DistanceOptions& options) const {
    DistanceAnswer answer;
    NecklaceBoxes::Nearest best;
    if (options.enough >= 0) best.keep = options.enough, best.any = true;
    const Purse purse(options.allowance);
    for (const auto& [i, j] : pairs_) {
        if (purse.empty(answer.counters)) {
            answer.stop = Stop::out_of_budget;
            break;
        }
        ++answer.counters.leaf_tests;
        if (best.take(beads_.near(i, j))) break;
    }
    beads_.finish(answer, best, options, 0.0);
    return answer;
}

}  // namespace elbowroom
