// What became of a motion as numbers, to be kept in files and read again.
#pragma once
#include "elbowroom/batch/result_state.hpp"
#include "elbowroom/motion/motion_check.hpp"

namespace elbowroom {

/// Lengths and times are the real numbers.
ResultState state_of(const MotionAnswer& answer);

/// Throws std::invalid_argument if `state_of` did not write the numbers.
MotionAnswer motion_answer_of(const ResultState& state);

}  // namespace elbowroom
