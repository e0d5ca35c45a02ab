// The answers as Python sees them.
#pragma once
#include <vector>

#include "elbowroom/bodies/chain_pairs.hpp"
#include "elbowroom/bodies/rigid_queries.hpp"

namespace elbowroom::bindings {

struct Contacts {
    std::vector<HullContact> all;
};
struct Collision {
    CollideAnswer answer;
    bool has_contacts;
};
struct Distance {
    DistanceAnswer answer;
};
/// Pairs within reach. Those that a chain keeps are put in order when they are looked at.
struct Pairs {
    WithinAnswer answer;
    std::shared_ptr<const ChainPairs::Epoch> kept;
    std::vector<std::int32_t> number;  // of the balls that are kept; empty: the same
    std::size_t kept_count = 0;

    std::size_t count() const { return kept ? kept_count : answer.pairs.size(); }
    const WithinAnswer& sorted();
};
struct Collisions {
    std::vector<unsigned char> hits, finished;
    bool has_pairs = false, has_contacts = false;
    std::vector<std::int32_t> frames;  // of each pair: the number of the pose or configuration
    std::vector<PrimitivePair> pairs;
    std::vector<HullContact> contacts;
    Counters counters;
    Stop stop = Stop::exhausted;
};
struct Distances {
    std::vector<double> lower, upper;
    std::vector<unsigned char> finished;
    std::vector<Vec3> points;
    std::vector<PrimitivePair> pairs;
    Counters counters;
    Stop stop = Stop::exhausted;
    bool loose = false;
};

}  // namespace elbowroom::bindings
