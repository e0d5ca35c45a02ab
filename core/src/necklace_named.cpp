#include "elbowroom/bodies/necklace_named.hpp"

#include "elbowroom/queries/remaining_budget.hpp"
#include "remembered_run.hpp"

namespace elbowroom {

/// The diagram that named the pairs is that of beads this far aside, at most: see PowerPairs.
double NamedBeads::aside() const {
    Vec3 low = beads_.centres()[0], high = low;
    for (const Vec3& c : beads_.centres()) low = lower_of(low, c), high = upper_of(high, c);
    return 5e-13 * largest(high - low);
}

/// One of the pairs collides if any beads do, which is a proof if none does. But not all that collide are among them,
/// nor is the deepest: these are asked of the boxes.
CollideAnswer NamedBeads::self_collide(const CollideOptions& options) const {
    CollideAnswer answer = any_collides(options);
    if (!answer.hit || (!options.every && !options.depth)) return answer;
    CollideAnswer all = beads_.self_collide(options);
    all.counters += answer.counters;
    return all;
}

/// Until all of the pairs were looked at, they prove nothing but themselves apart.
template <class Answer>
void NamedBeads::state_looked_at(const Allowance& allowance, Answer& answer) const {
    const double n = double(beads_.centres().size()), all = n * (n - 1) / 2;
    const double left = answer.stop == Stop::exhausted ? 0 : all - double(answer.counters.leaf_tests);
    if (!allowance.unlimited()) state_covered(left, all, answer);
}

CollideAnswer NamedBeads::any_collides(const CollideOptions& options) const {
    CollideAnswer answer = look_for_hit(options);
    state_looked_at(options.allowance, answer);
    return answer;
}

CollideAnswer NamedBeads::look_for_hit(const CollideOptions& options) const {
    CollideAnswer answer;
    const RemainingBudget remaining(options.allowance);
    for (const auto& [i, j] : pairs_) {
        if (remaining.spent(answer.counters)) {
            answer.stop = Stop::out_of_budget;
            return answer;
        }
        ++answer.counters.leaf_tests;
        if (beads_.near(i, j).gap > 0) continue;
        answer.hit = true, answer.stop = Stop::settled, answer.pairs = {{i, j}};
        return answer;
    }
    return answer;
}

DistanceAnswer NamedBeads::self_distance(const DistanceOptions& options) const {
    DistanceAnswer answer;
    NecklaceBoxes::Nearest best;
    if (options.enough >= 0) best.keep = options.enough, best.any = true;
    const RemainingBudget remaining(options.allowance);
    for (const auto& [i, j] : pairs_) {
        if (remaining.spent(answer.counters)) {
            answer.stop = Stop::out_of_budget;
            break;
        }
        ++answer.counters.leaf_tests;
        if (best.take(beads_.near(i, j))) break;
    }
    state_looked_at(options.allowance, answer);
    beads_.finish(answer, best, options, 0.0);
    answer.lower = most(0.0, answer.lower - aside());
    return answer;
}

}  // namespace elbowroom
