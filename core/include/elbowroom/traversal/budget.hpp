#pragma once
#include <chrono>
#include <cstdint>
#include <limits>

#include "elbowroom/traversal/pair.hpp"

namespace elbowroom {

/// How much a query may spend; nothing set: as much as it needs.
struct Allowance {
    std::uint64_t tests = ~std::uint64_t(0);
    double seconds = std::numeric_limits<double>::infinity();
    bool timed() const { return seconds < 1e9; }
    bool unlimited() const { return tests == ~std::uint64_t(0) && seconds == std::numeric_limits<double>::infinity(); }
    /// The same, with time kept for putting what is found in order.
    Allowance for_many() const { return {tests, timed() ? 0.6 * seconds : seconds}; }
    /// What a first look may spend of it.
    Allowance quarter() const { return {tests == ~std::uint64_t(0) ? tests : tests / 4, seconds / 4}; }
};

/// May a traversal go on? At most so many tests (of volumes and of leaves), or so much time. Reading the clock costs
/// half of what a pair does: it is read at every sixteenth, and more often where pairs take long, about every two
/// microseconds.
class Budget {
public:
    using Clock = std::chrono::steady_clock;
    Budget() = default;
    explicit Budget(const Allowance& allowance)
        : limited_(!allowance.unlimited()), timed_(allowance.timed()), tests_(allowance.tests) {
        if (!timed_) return;
        last_ = Clock::now();
        until_ = last_ + std::chrono::nanoseconds(std::int64_t(allowance.seconds * 1e9));
    }
    bool limited() const { return limited_; }
    bool allows(const Counters& c) {
        if (c.volume_tests + c.leaf_tests >= tests_) return false;
        if (!timed_) return true;
        return c.pairs_visited < next_ || read_clock(c.pairs_visited);
    }

private:
    bool limited_ = false, timed_ = false;
    std::uint64_t tests_ = ~std::uint64_t(0), next_ = 0, every_ = 4;
    Clock::time_point until_{}, last_{};

    bool read_clock(std::uint64_t pairs) {
        const Clock::time_point now = Clock::now();
        every_ = now - last_ > std::chrono::microseconds(2) ? (every_ + 1) / 2 : (every_ < 16 ? every_ + 4 : 16);
        last_ = now;
        next_ = pairs + every_;
        return now < until_;
    }
};

}  // namespace elbowroom
