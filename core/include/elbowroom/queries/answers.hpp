// What is asked and what comes back, the same for every body.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "elbowroom/math/mat3.hpp"
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

/// What one query may tell the next about the same two bodies: the primitives that decided it. Never changes a verdict,
/// nor a distance but for rounding, only the work.
struct QueryMemory {
    std::uint64_t first = 0, second = 0;  // fingerprints of the bodies, in the order of the query
    int a = -1, b = -1;
    double distance = 0;  // that of the last answer
};

struct CollideAnswer {
    bool hit = false;
    Stop stop = Stop::exhausted;
    Counters counters;
    std::vector<PrimitivePair> pairs;
    std::vector<HullContact> contacts;  // in the world, for the pairs; empty unless asked for
};

struct CollideOptions {
    bool every = false, depth = false;
    Allowance allowance;
    QueryMemory* memory = nullptr;
};

struct DistanceAnswer {
    double lower = 0, upper = 0;
    Vec3 on_a, on_b;  // in the world
    PrimitivePair pair{-1, -1};
    Stop stop = Stop::exhausted;
    bool loose = false;  // the bounds did not close to the stated tolerance
    Counters counters;
};

struct DistanceOptions {
    double enough = -1;            // negative: not asked
    const Mat3* linear = nullptr;  // in the world
    Allowance allowance;
    QueryMemory* memory = nullptr;
};

struct WithinAnswer {
    Stop stop = Stop::exhausted;
    Counters counters;
    std::vector<PrimitivePair> pairs;
    std::vector<double> distances;
};

}  // namespace elbowroom
