// What is asked and what comes back, the same for every body.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "elbowroom/interruption.hpp"
#include "elbowroom/math/mat3.hpp"
#include "elbowroom/narrow/rounded_hull.hpp"
#include "elbowroom/queries/memory.hpp"
#include "elbowroom/queries/memory_limit.hpp"
#include "elbowroom/traversal/budget.hpp"
#include "elbowroom/traversal/pair.hpp"

namespace elbowroom {

using PrimitivePair = std::array<std::int32_t, 2>;

struct CollideAnswer {
    bool hit = false;
    Stop stop = Stop::exhausted;
    Counters counters;
    std::vector<PrimitivePair> pairs;
    std::vector<HullContact> contacts;  // in the world, for the pairs; empty unless asked for
    Worth worth;                        // on a budget, or with a memory that records
    Reckoning reckoning;                // with a memory that records
};

struct CollideOptions {
    bool every = false, depth = false;
    Allowance allowance;
    QueryMemory* memory = nullptr;
    CutMemory* cut = nullptr;  // of the memory, to be used for this pair of bodies; null: the memory's own
};

struct DistanceAnswer {
    double lower = 0, upper = 0;
    Vec3 on_a, on_b;  // in the world
    PrimitivePair pair{-1, -1};
    Stop stop = Stop::exhausted;
    bool loose = false;  // the bounds did not close to the stated tolerance
    Counters counters;
    Worth worth;
    Reckoning reckoning;
};

struct DistanceOptions {
    double enough = -1;            // negative: not asked
    double above = far_away;       // what is farther apart need not be measured: the answer then names no pair
    const Mat3* linear = nullptr;  // in the world
    Allowance allowance;
    QueryMemory* memory = nullptr;
    CutMemory* cut = nullptr;
};

struct WithinOptions {
    double reach = 0;
    bool points = false;
    Allowance allowance;
    QueryMemory* memory = nullptr;
    CutMemory* cut = nullptr;
};

/// A point of one primitive and one of the other, as near to each other as the primitives are, and the direction from
/// the first primitive to the second; of two that overlap, that of their contact. In the world.
struct NearestPoints {
    Vec3 on_a, on_b, normal;
    void swap() {
        std::swap(on_a, on_b);
        normal = -normal;
    }
};

struct WithinAnswer {
    Stop stop = Stop::exhausted;
    Counters counters;
    std::vector<PrimitivePair> pairs;
    std::vector<double> distances;
    std::vector<NearestPoints> points;  // for the pairs; empty unless asked for
    Worth worth;
    Reckoning reckoning;
};

/// Of several contacts, the deepest and its pair.
inline void keep_deepest(CollideAnswer& answer) {
    std::size_t deepest = 0;
    for (std::size_t k = 1; k < answer.contacts.size(); ++k)
        if (answer.contacts[k].depth > answer.contacts[deepest].depth) deepest = k;
    answer.pairs = {answer.pairs[deepest]}, answer.contacts = {answer.contacts[deepest]};
}

/// The answers of a query with its bodies the other way round.
inline void swap_pairs(std::vector<PrimitivePair>& pairs) {
    for (PrimitivePair& p : pairs) std::swap(p[0], p[1]);
}
inline CollideAnswer swapped(CollideAnswer answer) {
    swap_pairs(answer.pairs);
    for (HullContact& c : answer.contacts) c.normal = -c.normal;
    return answer;
}
inline DistanceAnswer swapped(DistanceAnswer answer) {
    std::swap(answer.on_a, answer.on_b), std::swap(answer.pair[0], answer.pair[1]);
    return answer;
}
inline WithinAnswer swapped(WithinAnswer answer) {
    swap_pairs(answer.pairs);
    for (NearestPoints& p : answer.points) p.swap();
    return answer;
}

/// Sorts what may be many millions.
template <class T>
void sort_polled(std::vector<T>& values) {
    Poll poll(1 << 14);
    std::sort(values.begin(), values.end(), [&](const T& x, const T& y) {
        poll();
        return x < y;
    });
}

/// The same answers with their pairs in order, and what belongs to the pairs with them, if there is any.
template <class... Companions>
void sort_together(std::vector<PrimitivePair>& pairs, std::vector<Companions>&... companions) {
    if (std::is_sorted(pairs.begin(), pairs.end())) return;
    if ((companions.empty() && ...)) return sort_polled(pairs);
    std::vector<std::pair<PrimitivePair, std::size_t>> order;
    for (std::size_t i = 0; i < pairs.size(); ++i) order.push_back({pairs[i], i});
    sort_polled(order);
    for (std::size_t i = 0; i < order.size(); ++i) pairs[i] = order[i].first;
    auto arrange = [&](auto& values) {
        if (values.empty()) return;
        std::remove_reference_t<decltype(values)> moved;
        moved.reserve(values.size());
        for (const auto& place : order) moved.push_back(values[place.second]);
        values = std::move(moved);
    };
    (arrange(companions), ...);
}
/// Without pairs that are there twice; they must be in order.
template <class Companion>
void keep_once(std::vector<PrimitivePair>& pairs, std::vector<Companion>& companions) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (kept > 0 && pairs[i] == pairs[kept - 1]) continue;
        pairs[kept] = pairs[i];
        if (!companions.empty()) companions[kept] = companions[i];
        ++kept;
    }
    pairs.resize(kept);
    if (!companions.empty()) companions.resize(kept);
}
inline CollideAnswer sorted(CollideAnswer answer) {
    sort_together(answer.pairs, answer.contacts);
    return answer;
}
inline DistanceAnswer sorted(DistanceAnswer answer) { return answer; }
inline WithinAnswer sorted(WithinAnswer answer) {
    sort_together(answer.pairs, answer.distances, answer.points);
    return answer;
}

}  // namespace elbowroom
