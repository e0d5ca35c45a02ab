#pragma once
#include "elbowroom/portable.hpp"

namespace elbowroom {

/// Which of two ways is cheaper, by measurement. Now and then the other way is tried for a few turns, and the quickest
/// of these decides against the quickest of as many turns before; the longer one way has been the cheaper, the rarer
/// the trials.
class CheaperWay {
public:
    /// The way to take this time: 0 or 1.
    int way() const { return in_trial() ? 1 - kept_ : kept_; }
    /// What it cost.
    void took(double cost) {
        double& quickest = quickest_[in_trial()];
        if (left_ <= 2 * turns) quickest = least(quickest, cost);
        if (--left_ == 0) decide();
    }

private:
    static constexpr int turns = 3, shortest = 32, longest = 4096;
    int kept_ = 0;
    int pause_ = shortest, left_ = 2 * turns;
    double quickest_[2] = {far_away, far_away};

    bool in_trial() const { return left_ <= turns; }
    void decide() {
        const bool other = quickest_[1] < quickest_[0];
        if (other) kept_ = 1 - kept_;
        pause_ = other ? shortest : least(2 * pause_, longest);
        left_ = pause_ + 2 * turns, quickest_[0] = quickest_[1] = far_away;
    }
};

}  // namespace elbowroom
