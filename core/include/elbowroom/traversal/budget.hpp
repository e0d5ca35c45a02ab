#pragma once
#include <chrono>
#include <cstdint>

#include "elbowroom/traversal/pair.hpp"

namespace elbowroom {

struct Unlimited {
    bool allows(const Counters&) const { return true; }
};

/// At most so many tests (of volumes and of leaves), or so much time. Reading the clock costs half of what a pair does:
/// it is read at every sixteenth, and more often where pairs take long, about every two microseconds.
class Limited {
public:
    using Clock = std::chrono::steady_clock;
    Limited(std::uint64_t tests, double seconds) : tests_(tests), timed_(seconds < 1e9) {
        if (timed_) last_ = Clock::now(), until_ = last_ + std::chrono::nanoseconds(std::int64_t(seconds * 1e9));
    }
    bool allows(const Counters& c) {
        if (c.volume_tests + c.leaf_tests >= tests_) return false;
        if (!timed_) return true;
        return c.pairs_visited < next_ || read_clock(c.pairs_visited);
    }

private:
    std::uint64_t tests_;
    bool timed_;
    std::uint64_t next_ = 0, every_ = 4;
    Clock::time_point until_{}, last_{};

    bool read_clock(std::uint64_t pairs) {
        const Clock::time_point now = Clock::now();
        every_ = now - last_ > std::chrono::microseconds(2) ? (every_ + 1) / 2 : (every_ < 16 ? every_ + 4 : 16);
        last_ = now, next_ = pairs + every_;
        return now < until_;
    }
};

}  // namespace elbowroom
