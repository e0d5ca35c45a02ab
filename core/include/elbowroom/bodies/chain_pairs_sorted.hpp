#pragma once
#include <cstdint>
#include <vector>

#include "elbowroom/bodies/chain_pairs.hpp"
#include "elbowroom/queries/answers.hpp"

namespace elbowroom {

/// The pairs of a chain's lists, the smaller number first, in order. `number`: what each ball is called; empty: by its
/// own number.
void sort_pairs(const ChainPairs::Snapshot& lists, const std::vector<std::int32_t>& number,
                std::vector<PrimitivePair>& pairs, std::vector<double>& distances);

}  // namespace elbowroom
