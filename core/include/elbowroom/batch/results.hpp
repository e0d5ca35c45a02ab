// Answers as callers keep them.
#pragma once
#include <functional>
#include <vector>

#include "elbowroom/batch/many.hpp"

namespace elbowroom {

struct Contacts {
    std::vector<HullContact> all;
};

struct Collision {
    CollideAnswer answer;
    bool has_contacts = false;
};

struct Distance {
    DistanceAnswer answer;
};

/// Pairs within reach. Those that a body keeps are read and put in order when they are looked at.
struct Pairs {
    using Fill = std::function<void(WithinAnswer&)>;

    WithinAnswer answer;
    Fill fill;                         // reads the pairs that are kept; null: there are none
    std::size_t kept_count = 0;        // how many these are
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

    std::size_t count() const { return fill ? kept_count : answer.pairs.size(); }
    const WithinAnswer& sorted() {
        if (fill) fill(answer);
        fill = nullptr;
        return answer;
    }
};

}  // namespace elbowroom
