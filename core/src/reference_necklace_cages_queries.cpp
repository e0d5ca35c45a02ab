#include <algorithm>

#include "elbowroom/bodies/necklace_touch.hpp"
#include "elbowroom/questions/collide.hpp"
#include "elbowroom/questions/distance.hpp"
#include "elbowroom/questions/within.hpp"
#include "elbowroom/reference/necklace_cages.hpp"
#include "elbowroom/reference/within_cages.hpp"

namespace elbowroom {

namespace {

using Pairs = WithinCages<NecklaceCages, NecklaceTouch>;

/// What two beads mean.
struct CageLeaves {
    const NecklaceCages& cages;

    template <class Sink>
    bool overlap(const Pair& pair, Counters& counters, Sink& sink) const {
        const NearBalls n = near(pair, counters);
        return n.gap <= 0 && sink(n);
    }
    void nearest(const Pair& pair, Counters& counters, NearestBalls& best) const {
        const NearBalls n = near(pair, counters);
        const double gap = most(0.0, n.gap);
        if (gap * gap < best.upper2) best = {gap * gap, n};
    }
    template <class Sink>
    void within(const Pair& pair, double reach, Counters& counters, Sink& sink) const {
        if (const NearBalls n = near(pair, counters); n.gap <= reach) sink(n);
    }

private:
    NearBalls near(const Pair& pair, Counters& counters) const {
        ++counters.leaf_tests;
        const SphereVolume a = cages.ball(pair.a), b = cages.ball(pair.b);
        return {~pair.a, ~pair.b, a.centre, b.centre, a.radius + b.radius};
    }
};

/// The beads of a necklace under cages, as the questions see them.
class CagePair : public PlainBodyPair {
public:
    using Best = NearestBalls;
    CagePair(const NecklaceCages& cages, const NecklaceTouch& touch)
        : PlainBodyPair(nullptr, false),
          cages_(cages),
          touch_(touch),
          pairing_(cages.tree(), cages, touch),
          leaves_{cages} {}

    static int width() { return 3; }
    const CagePair& numbered() const { return *this; }
    const Pairs& pairing() const { return pairing_; }
    const CageLeaves& leaves() const { return leaves_; }
    template <class Query>
    Stop sweep(Query& query, Budget& budget, Counters& counters, double* left) const {
        return sweep_pairs(pairing_, query, budget, counters, left);
    }
    double leaf_gap(const Pair& pair) const {
        NearestBalls nearest;
        Counters nothing;
        leaves_.nearest(pair, nothing, nearest);
        return nearest.balls.a < 0 ? far_away : most(0.0, measure(nearest).lower);
    }
    double total() const { return touch_.all_may() ? 0 : pairing_.count(0, 0); }
    double slack() const { return 0; }

    PrimitivePair found(const Best& best) const { return {std::int32_t(best.balls.a), std::int32_t(best.balls.b)}; }
    HullDistance measure(const Best& best) const {
        return distance_ball_ball(best.balls, cages_.radii()[best.balls.a], cages_.radii()[best.balls.b]);
    }
    HullDistance closest(std::int64_t i, std::int64_t j) const {
        Best best;
        Counters nothing;
        leaves_.nearest(Pair{~std::int32_t(i), ~std::int32_t(j), 0}, nothing, best);
        return measure(best);
    }
    HullContact contact(std::int64_t i, std::int64_t j) const {
        const std::int32_t a = std::int32_t(i), b = std::int32_t(j);
        return contact_ball_ball(cages_.centre(a), cages_.radii()[a], cages_.centre(b), cages_.radii()[b]);
    }
    void any_pair(Best& best, Counters& counters) const {
        const auto [i, j] = touch_.compared_pair();
        leaves_.nearest(Pair{~i, ~j, 0}, counters, best);
    }

private:
    const NecklaceCages& cages_;
    const NecklaceTouch& touch_;
    const Pairs pairing_;
    const CageLeaves leaves_;
};

}  // namespace

CollideAnswer NecklaceCages::self_collide(const NecklaceTouch& touch, const CollideOptions& options) const {
    CagePair pair(*this, touch);
    return questions::collide(pair, options);
}
DistanceAnswer NecklaceCages::self_distance(const NecklaceTouch& touch, const DistanceOptions& options) const {
    CagePair pair(*this, touch);
    return questions::distance(pair, options);
}
WithinAnswer NecklaceCages::self_within(const NecklaceTouch& touch, const WithinOptions& options) const {
    CagePair pair(*this, touch);
    return questions::within(pair, options);
}

SeparatingFamily NecklaceCages::separate(const NecklaceTouch& touch, const std::vector<PrimitivePair>* start) const {
    SeparatingFamily family;
    const Pairs pairs(tree_, *this, touch);
    const CageLeaves leaves{*this};
    Separating query(pairs, leaves, family);
    DepthFirst order;
    Budget budget;
    if (!start && !touch.all_may()) order.push(pairs.root());
    if (start)
        for (auto p = start->rbegin(); p != start->rend(); ++p) order.push(query.untested((*p)[0], (*p)[1]));
    traverse(pairs, query, order, budget, family.counters);
    std::sort(family.colliding.begin(), family.colliding.end());
    return family;
}

}  // namespace elbowroom
