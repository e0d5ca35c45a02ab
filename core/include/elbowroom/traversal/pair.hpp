// What the traversal handles: it knows no geometry.
#pragma once
#include <cstdint>

namespace elbowroom {

/// Two nodes (records of two trees, or of one) and the optimistic bound under which the pair was offered.
struct Pair {
    std::int32_t a, b;
    float bound;
};

/// How a traversal ended.
enum class Stop { exhausted, settled, out_of_budget };

/// The work of one query; it comes back with the answer.
struct Counters {
    std::uint64_t volume_tests = 0, leaf_tests = 0, pairs_visited = 0;
    Counters& operator+=(const Counters& o) {
        volume_tests += o.volume_tests, leaf_tests += o.leaf_tests, pairs_visited += o.pairs_visited;
        return *this;
    }
    bool operator==(const Counters&) const = default;
};

}  // namespace elbowroom
