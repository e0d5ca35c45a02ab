// The answers as Python sees them.
#pragma once
#include <vector>

#include "elbowroom/batch/many.hpp"
#include "elbowroom/bodies/chain_pairs_sorted.hpp"
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
    bool has_points = false;           // were points asked for
    bool many = false;                 // over poses or configurations
    std::vector<std::int32_t> frames;  // then of each pair: the number of its pose or configuration
    std::vector<unsigned char> finished;

    Pairs() = default;
    explicit Pairs(WithinAnswer one, bool points) : answer(std::move(one)), has_points(points) {}
    explicit Pairs(ManyPairs all, bool points)
        : has_points(points), many(true), frames(std::move(all.frames)), finished(std::move(all.finished)) {
        answer.pairs = std::move(all.pairs);
        answer.distances = std::move(all.distances);
        answer.points = std::move(all.points);
        answer.counters = all.counters;
        answer.stop = all.stop;
    }

    std::size_t count() const { return kept ? kept_count : answer.pairs.size(); }
    const WithinAnswer& sorted();
};
}  // namespace elbowroom::bindings
