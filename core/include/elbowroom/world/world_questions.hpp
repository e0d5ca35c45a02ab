// Questions about the members of a world: with each other, with those of another, or of one with all others.
#pragma once
#include <vector>

#include "elbowroom/world/world.hpp"

namespace elbowroom {

/// Answers name two primitives, balls or links, and here the members that these belong to.
struct WorldCollideAnswer : CollideAnswer {
    std::vector<PrimitivePair> members;  // of the pairs
};
struct WorldDistanceAnswer : DistanceAnswer {
    PrimitivePair members{-1, -1};
};
struct WorldWithinAnswer : WithinAnswer {
    std::vector<PrimitivePair> members;
};

/// Two worlds, or one and itself; or of one world what has to do with one member. Of one world articulated members,
/// chains and necklaces are compared with themselves, too.
struct WorldPair {
    const World &a, &b;
    std::int32_t only = -1;  // a member of a, which is b: with all others, but not with itself

    bool self() const { return &a == &b; }
};

/// As those about an articulated body: `every` gives each two members (or links of them) once, `every` and `depth`
/// every contact, `depth` alone the deepest.
WorldCollideAnswer collide(const WorldPair& pair, const CollideOptions& options, int threads);
WorldDistanceAnswer distance(const WorldPair& pair, const DistanceOptions& options);
/// Each two members (or links of them) once, with the nearest of their primitives.
WorldWithinAnswer within(const WorldPair& pair, const WithinOptions& options, int threads);

/// Two parts that may be near each other; of a chain and itself the same part twice.
struct PartPair {
    std::int32_t a, b;
};
/// All whose boxes are within reach, and that are compared; the first of one world comes first in answers, too.
std::vector<PartPair> near_parts(const WorldPair& pair, double reach, int threads, Counters& counters);
/// The same of a world and itself, with one of `parts` in each pair; each once.
std::vector<PartPair> near_parts_of(const World& world, const std::vector<std::int32_t>& parts, double reach,
                                    int threads, Counters& counters);

}  // namespace elbowroom
