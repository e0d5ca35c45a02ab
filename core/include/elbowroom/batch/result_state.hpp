// Answers as numbers, to be kept in files and read again.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "elbowroom/batch/results.hpp"

namespace elbowroom {

/// All numbers of an answer: whole ones and real ones.
struct ResultState {
    std::vector<std::int64_t> whole;
    std::vector<double> real;
};

/// Counters, Contacts, Collision, Distance, Pairs, Collisions or Distances.
template <class Result>
ResultState state_of(Result& result);

/// Numbers may come from anywhere: throws std::invalid_argument if `state_of` did not write them.
template <class Result>
Result result_of(std::span<const std::int64_t> whole, std::span<const double> real);

}  // namespace elbowroom
