#pragma once
#include "elbowroom/bodies/necklace_touch.hpp"
#include "elbowroom/narrow/near_balls.hpp"
#include "elbowroom/pairings/bead_leaves.hpp"

namespace elbowroom {

/// What two leaves of a necklace mean: beads that are near in single precision, once more in double.
class NecklaceLeaves {
public:
    NecklaceLeaves(const BeadTree& tree, const Vec3* centres, const NecklaceTouch& touch)
        : tree_(tree), centres_(centres), touch_(touch), near_(tree) {}

    /// Calls sink(near) for beads that touch or overlap.
    template <class Sink>
    bool overlap(const Pair& pair, Counters& counters, Sink& sink) const {
        return near_pairs(
            pair, counters, [] { return 0.f; },
            [&](std::int64_t i, std::int64_t j) {
                const NearBalls n = near(i, j);
                return n.gap <= 0 && sink(n);
            });
    }
    void nearest(const Pair& pair, Counters& counters, NearestBalls& best) const {
        near_pairs(
            pair, counters, [&] { return float(least(std::sqrt(best.upper2), 1e18)); },
            [&](std::int64_t i, std::int64_t j) {
                const NearBalls n = near(i, j);
                const double gap = most(0.0, n.gap);
                if (gap * gap < best.upper2) best = {gap * gap, n};
                return best.upper2 == 0;
            });
    }
    template <class Sink>
    void within(const Pair& pair, double reach, Counters& counters, Sink& sink) const {
        near_pairs(
            pair, counters, [&] { return float(reach); },
            [&](std::int64_t i, std::int64_t j) {
                if (const NearBalls n = near(i, j); n.gap <= reach) sink(n);
                return false;
            });
    }

    /// Calls visit(i, j) for every pair of beads of two leaves that may have surfaces within reach() of each other and
    /// may not touch, until it returns true.
    template <class Reach, class Visit>
    bool near_pairs(const Pair& pair, Counters& counters, Reach&& reach, Visit&& visit) const {
        const std::int32_t a = pair.a,
                           b = pair.b;  // by value: a pair in memory is slow to read so soon after it was made
        if (a == b) return near_.near_in(a, most(1, touch_.gap() + 1), touch_.diagonals(a), counters, reach, visit);
        auto partners = [this, a, b] {
            return [&touch = touch_, rows = touch_.rows(a, b), ahead = std::int64_t(b - a) * BeadTree::leaf_size](
                       int lane) { return touch.partners(rows, lane, ahead); };
        };
        return near_.near_pairs(a, b, counters, reach, partners, visit);
    }

private:
    const BeadTree& tree_;
    const Vec3* centres_;
    const NecklaceTouch& touch_;
    const BeadLeaves<false> near_;

    NearBalls near(std::int64_t i, std::int64_t j) const {
        return {i, j, centres_[i], centres_[j], tree_.radius(i) + tree_.radius(j)};
    }
};

}  // namespace elbowroom
