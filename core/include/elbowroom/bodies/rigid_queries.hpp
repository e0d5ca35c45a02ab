#pragma once
#include <cstdint>

#include "elbowroom/bodies/rigid_body.hpp"
#include "elbowroom/queries/answers.hpp"

namespace elbowroom {

/// A body somewhere in the world.
struct Placed {
    const RigidBody* body;
    Rigid pose;
};

/// What one query may tell the next about the same two bodies: the primitives that decided it. Never changes a verdict,
/// nor a distance but for rounding, only the work.
struct QueryMemory {
    std::uint64_t first = 0, second = 0;  // fingerprints of the bodies, in the order of the query
    int a = -1, b = -1;
    double distance = 0;  // that of the last answer
};

struct CollideOptions {
    bool every = false, depth = false;
    Allowance allowance;
    QueryMemory* memory = nullptr;
};

struct DistanceOptions {
    double enough = -1;            // negative: not asked
    const Mat3* linear = nullptr;  // in the world
    Allowance allowance;
    QueryMemory* memory = nullptr;
};

CollideAnswer collide(const Placed& a, const Placed& b, const CollideOptions& options);
DistanceAnswer distance(const Placed& a, const Placed& b, const DistanceOptions& options);
WithinAnswer within(const Placed& a, const Placed& b, double reach, const Allowance& allowance);

/// Have the two bodies trees of the same width?
bool comparable(const RigidBody& a, const RigidBody& b);

}  // namespace elbowroom
