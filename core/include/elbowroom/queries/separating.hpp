#pragma once
#include <vector>

#include "elbowroom/queries/answers.hpp"
#include "elbowroom/queries/offers.hpp"
#include "elbowroom/traversal/pair.hpp"

namespace elbowroom {

/// Pairs of volumes that are apart and together cover every pair of primitives: a proof that none of these collide
/// [Guibas2002]. `pairs` are slots of the tree, `colliding` are primitives, for which there is no proof.
struct SeparatingFamily {
    std::vector<PrimitivePair> pairs, colliding;
    Counters counters;
};

/// Collects a separating family. `Tests::apart(pair)` says whether two volumes are proved apart, and so does what a fan
/// does not count as overlapping; `Leaves::overlap(pair, counters, sink)` calls sink for the two primitives of a leaf
/// if they touch.
template <class Tests, class Leaves>
class Separating {
public:
    Separating(const Tests& tests, const Leaves& leaves, SeparatingFamily& family)
        : tests_(tests), leaves_(leaves), family_(family) {}

    /// A pair to begin with, which is tested when it comes up; others were when they were offered.
    static Pair untested(std::int32_t a, std::int32_t b) { return {a, b, -1.f}; }

    template <class Fan>
    Offers offers(const Fan& fan) {
        Float8 gap;
        const unsigned lanes = fan.overlapping(gap);
        for (unsigned apart = fan.valid() & ~lanes; apart; apart &= apart - 1)
            keep(fan.child(__builtin_ctz(apart), 0.f));
        return {lanes, __builtin_ctz(lanes | 256u)};
    }
    bool admits(const Pair& pair) {
        if (pair.bound >= 0) return true;
        ++family_.counters.volume_tests;
        if (!tests_.apart(pair)) return true;
        keep(pair);
        return false;
    }
    /// Primitives too close for a test of volumes.
    void leaf(const Pair& pair, Counters& counters) {
        bool touch = false;
        auto sink = [&](const auto& n) {
            family_.colliding.push_back({std::int32_t(n.a), std::int32_t(n.b)});
            return touch = true;
        };
        leaves_.overlap(pair, counters, sink);
        if (!touch) keep(pair);
    }
    bool settled() const { return false; }

private:
    const Tests& tests_;
    const Leaves& leaves_;
    SeparatingFamily& family_;

    void keep(const Pair& pair) { family_.pairs.push_back({pair.a, pair.b}); }
};

}  // namespace elbowroom
