#pragma once
#include <chrono>

#include "elbowroom/queries/answers.hpp"

namespace elbowroom {

/// What is left of a budget that several queries share.
class RemainingBudget {
public:
    using Clock = std::chrono::steady_clock;
    explicit RemainingBudget(const Allowance& allowance) : allowance_(allowance) {
        if (timed()) until_ = Clock::now() + std::chrono::nanoseconds(std::int64_t(allowance.seconds * 1e9));
    }
    bool limited() const { return !allowance_.unlimited(); }
    bool spent(const Counters& c) const { return !allowance_.unlimited() && nothing(after(c)); }
    Allowance after(const Counters& c) const {
        Allowance left = allowance_;
        if (const std::uint64_t spent = c.volume_tests + c.leaf_tests; left.tests != ~std::uint64_t(0))
            left.tests -= least(left.tests, spent);
        if (timed()) left.seconds = most(0.0, std::chrono::duration<double>(until_ - Clock::now()).count());
        return left;
    }

private:
    Allowance allowance_;
    Clock::time_point until_{};
    bool timed() const { return allowance_.seconds < 1e9; }
    static bool nothing(const Allowance& a) { return a.tests == 0 || a.seconds == 0; }
};

}  // namespace elbowroom
