#pragma once
#include <cstdint>

#include "elbowroom/portable.hpp"

namespace elbowroom {

/// A node or leaf of a tree over balls in a row, as a number of a pair: leaves hold sixteen balls, nodes eight
/// children.
struct RunRecord {
    static constexpr int level_at = 27, leaf_size = 16;
    int level;
    std::int32_t index;
    static ELBOWROOM_INLINE RunRecord of(std::int32_t number) {
        return {number >> level_at, number & ((1 << level_at) - 1)};
    }
    ELBOWROOM_INLINE std::int32_t number() const { return std::int32_t(level) << level_at | index; }
    RunRecord child(int lane) const { return {level - 1, 8 * index + lane}; }
    bool is_parent_of(const RunRecord& r) const { return level == r.level + 1 && index == r.index >> 3; }
    /// The first ball below; that of the next record is one behind the last.
    std::int64_t begin() const { return std::int64_t(index) * leaf_size << 3 * level; }
    std::int64_t end(std::int64_t balls) const {
        return least(balls, (std::int64_t(index) + 1) * leaf_size << 3 * level);
    }
};

/// Pairs of balls that a pair within one tree stands for: those of a node with itself; of a child with its parent,
/// those of the child with itself and with what lies behind it; of two nodes, all.
inline double pairs_within_run(std::int32_t a, std::int32_t b, std::int64_t balls) {
    const RunRecord x = RunRecord::of(a), y = RunRecord::of(b);
    const double n = double(x.end(balls) - x.begin());
    if (a == b) return n * (n - 1) / 2;
    if (y.is_parent_of(x)) return n * (n - 1) / 2 + n * double(y.end(balls) - x.end(balls));
    return n * double(y.end(balls) - y.begin());
}

}  // namespace elbowroom
