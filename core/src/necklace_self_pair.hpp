// A necklace under boxes and itself, as the questions see it.
#pragma once
#include "elbowroom/bodies/necklace_boxes.hpp"
#include "elbowroom/questions/body_pair.hpp"

namespace elbowroom {

/// Numbers of the tree stay from frame to frame: the sweep and the numbered source are the same.
class NecklaceSelfPair : public PlainBodyPair {
public:
    using Best = NearestBalls;

    template <class Options>
    NecklaceSelfPair(const NecklaceBoxes& beads, const BeadTree& tree, const Options& options)
        : PlainBodyPair(recalled(beads, options), false),
          beads_(beads),
          pairing_(tree, true),
          leaves_(tree, beads.centres().data(), beads.touch()) {}

    static int width() { return 8; }
    const NecklaceSelfPair& numbered() const {
        beads_.fit_boxes();
        return *this;
    }
    const WithinBeads& pairing() const { return pairing_; }
    const NecklaceLeaves& leaves() const { return leaves_; }
    template <class Query>
    Stop sweep(Query& query, Budget& budget, Counters& counters, double* left) const {
        beads_.fit_boxes();
        return sweep_pairs(pairing_, query, budget, counters, left);
    }
    double leaf_gap(const Pair& pair) const {
        NearestBalls nearest;
        Counters nothing;
        leaves_.nearest(pair, nothing, nearest);
        if (nearest.balls.a < 0) return far_away;
        const double d = std::sqrt(nearest.upper2);
        return most(0.0, d - 4 * rounding * (d + std::sqrt(nearest.balls.apart2)));
    }
    double total() const {
        const double n = double(beads_.radii().size());
        return beads_.touch().all_may() ? 0 : n * (n - 1) / 2;
    }
    double slack() const { return 0; }

    // Without a budget, by the list of near pairs or the tree, whichever pays.
    void first_overlap(CollideAnswer& answer) const {
        NecklaceBoxes::Nearest nearest;
        nearest.keep = 0;
        nearest.any = true;
        beads_.search(nearest, answer.counters);
        if (nearest.a < 0) return;
        answer.pairs.push_back({std::int32_t(nearest.a), std::int32_t(nearest.b)});
        answer.stop = Stop::settled;
    }
    Stop nearest(Best& best, const DistanceOptions& options, Counters& counters) const {
        NecklaceBoxes::Nearest nearest;
        nearest.any = options.enough >= 0;
        if (nearest.any) nearest.keep = options.enough;
        beads_.search(nearest, counters);
        if (nearest.a >= 0) take(nearest.a, nearest.b, best);
        return Stop::exhausted;
    }

    PrimitivePair found(const Best& best) const { return {std::int32_t(best.balls.a), std::int32_t(best.balls.b)}; }
    HullDistance measure(const Best& best) const {
        return distance_ball_ball(best.balls, beads_.radii()[best.balls.a], beads_.radii()[best.balls.b]);
    }
    HullDistance closest(std::int64_t i, std::int64_t j) const {
        Best best;
        take(i, j, best);
        return measure(best);
    }
    HullContact contact(std::int64_t i, std::int64_t j) const {
        return contact_ball_ball(beads_.centres()[i], beads_.radii()[i], beads_.centres()[j], beads_.radii()[j]);
    }
    void any_pair(Best& best, Counters&) const {
        const auto [i, j] = beads_.touch().compared_pair();
        take(i, j, best);
    }

private:
    const NecklaceBoxes& beads_;
    const WithinBeads pairing_;
    const NecklaceLeaves leaves_;

    void take(std::int64_t i, std::int64_t j, Best& best) const {
        best.balls = beads_.near(i, j);
        const double gap = most(0.0, best.balls.gap);
        best.upper2 = gap * gap;
    }
    /// What a memory keeps of the necklace, told how far beads have gone since: two of them can come nearer from both
    /// sides.
    template <class Options>
    static CutMemory* recalled(const NecklaceBoxes& beads, const Options& options) {
        if (!options.memory || beads.touch().all_may()) return nullptr;
        CutMemory& cut = options.memory->begin(beads.watch().id(), 0);
        const double reading = beads.watch().read();
        if (cut.placed) cut.move(2 * (reading - cut.reading), far_away);
        cut.placed = true;
        cut.reading = reading;
        return &cut;
    }
};

}  // namespace elbowroom
