#pragma once
#include <chrono>
#include <cstdint>

#include "elbowroom/traversal/pair.hpp"

namespace elbowroom {

struct Unlimited {
    bool allows(const Counters&) const { return true; }
};

/// At most so many tests (of volumes and of leaves), or so much time; the clock is read at every eighth pair.
class Limited {
public:
    using Clock = std::chrono::steady_clock;
    Limited(std::uint64_t tests, double seconds) : tests_(tests), timed_(seconds < 1e9) {
        if (timed_) until_ = Clock::now() + std::chrono::nanoseconds(std::int64_t(seconds * 1e9));
    }
    bool allows(const Counters& c) {
        if (c.volume_tests + c.leaf_tests >= tests_) return false;
        return !timed_ || (c.pairs_visited & 7) != 0 || Clock::now() < until_;
    }

private:
    std::uint64_t tests_;
    bool timed_;
    Clock::time_point until_{};
};

}  // namespace elbowroom
