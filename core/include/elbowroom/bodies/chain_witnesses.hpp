#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

namespace elbowroom {

/// The pairs of balls that touched in the last changes that were refused, the latest first. A compact chain mostly
/// collides where it did before, so these are worth a look before it is searched.
class ChainWitnesses {
public:
    struct Balls {
        std::int32_t a, b;
    };
    void clear() { count_ = 0; }
    void add(std::int64_t a, std::int64_t b) {
        count_ = std::min(count_ + 1, most);
        std::move_backward(balls_.begin(), balls_.begin() + count_ - 1, balls_.begin() + count_);
        balls_[0] = {std::int32_t(a), std::int32_t(b)};
    }
    /// Is there a pair, of a ball before `first` and one from there on, for which touch(a, b) is true? It then comes
    /// to the front.
    template <class Touch>
    bool any(std::int64_t first, Touch&& touch) {
        for (int k = 0; k < count_; ++k) {
            const Balls balls = balls_[k];
            if (balls.a >= first || balls.b < first || !touch(balls.a, balls.b)) continue;
            std::move_backward(balls_.begin(), balls_.begin() + k, balls_.begin() + k + 1);
            balls_[0] = balls;
            return true;
        }
        return false;
    }

private:
    static constexpr int most = 32;  // of 1LOX these find nine of ten collisions, after five looks on average
    std::array<Balls, most> balls_;
    int count_ = 0;
};

}  // namespace elbowroom
