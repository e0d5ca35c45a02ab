// What an answer on a budget, or with a memory, is worth.
#pragma once
#include <type_traits>

#include "elbowroom/queries/answers.hpp"
#include "elbowroom/queries/confidence.hpp"

namespace elbowroom {

/// Does a memory record a question with these options?
template <class Options>
bool records(const CutMemory* cut, const Options& options) {
    return cut && options.memory->records(options.allowance.unlimited());
}

/// Without a memory; `left`: pairs of primitives that were not looked at.
template <class Answer>
void state_covered(double left, double whole, Answer& answer) {
    const bool finished = answer.stop != Stop::out_of_budget;
    answer.worth.given = true;
    answer.worth.confidence = finished;
    answer.worth.covered = left > 0 ? 1 - left / whole : 1;
}

/// Of a whole question with a memory.
template <class Options, class Answer>
void conclude_answer(QueryMemory& memory, const Options& options, bool hit, Answer& answer) {
    answer.worth =
        conclude(memory, answer.reckoning, hit, answer.stop != Stop::out_of_budget, !options.allowance.unlimited());
    // Nothing is nearer than a distance of zero.
    if constexpr (std::is_same_v<Answer, DistanceAnswer>)
        if (hit) answer.worth.covered = 1;
}

/// The last step of every question: what its answer is worth, and what the memory keeps of it.
template <class Options, class Answer>
void state_worth(const CutMemory* cut, bool recorded, const Options& options, bool hit, double left, double whole,
                 Answer& answer) {
    if (recorded && !options.cut) conclude_answer(*options.memory, options, hit, answer);
    if (recorded) return;
    if (cut && !options.cut) options.memory->age = hit ? -1 : 0;
    if (!options.allowance.unlimited()) state_covered(left, whole, answer);
}

}  // namespace elbowroom
