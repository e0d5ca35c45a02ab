// What a query may spend and what it answers, whatever body it was asked of.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "elbowroom/narrow/rounded_hull.hpp"
#include "elbowroom/traversal/pair.hpp"

namespace elbowroom {

using PrimitivePair = std::array<std::int32_t, 2>;

/// How much a query may spend; nothing set: as much as it needs.
struct Allowance {
    std::uint64_t tests = ~std::uint64_t(0);
    double seconds = std::numeric_limits<double>::infinity();
    bool unlimited() const { return tests == ~std::uint64_t(0) && seconds == std::numeric_limits<double>::infinity(); }
};

struct CollideAnswer {
    bool hit = false;
    Stop stop = Stop::exhausted;
    Counters counters;
    std::vector<PrimitivePair> pairs;
    std::vector<HullContact> contacts;  // in the world, for the pairs; empty unless asked for
};

struct DistanceAnswer {
    double lower = 0, upper = 0;
    Vec3 on_a, on_b;  // in the world
    PrimitivePair pair{-1, -1};
    Stop stop = Stop::exhausted;
    bool loose = false;  // the bounds did not close to the stated tolerance
    Counters counters;
};

struct WithinAnswer {
    Stop stop = Stop::exhausted;
    Counters counters;
    std::vector<PrimitivePair> pairs;
    std::vector<double> distances;
};

/// Sorts the pairs by their indices, and the distances with them.
inline void sort_pairs(WithinAnswer& answer) {
    std::vector<std::size_t> order(answer.pairs.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::sort(order.begin(), order.end(),
              [&](std::size_t x, std::size_t y) { return answer.pairs[x] < answer.pairs[y]; });
    WithinAnswer sorted = answer;
    for (std::size_t k = 0; k < order.size(); ++k) {
        sorted.pairs[k] = answer.pairs[order[k]];
        sorted.distances[k] = answer.distances[order[k]];
    }
    answer = std::move(sorted);
}

}  // namespace elbowroom
