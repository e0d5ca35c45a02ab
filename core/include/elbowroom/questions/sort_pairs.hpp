// Many pairs of primitives in order.
#pragma once
#include <vector>

#include "elbowroom/queries/answers.hpp"

namespace elbowroom {

/// Sorts pairs and their distances; by counting where there are many, which takes a tenth of the time of comparisons.
void sort_pairs(std::vector<PrimitivePair>& pairs, std::vector<double>& distances);

}  // namespace elbowroom
