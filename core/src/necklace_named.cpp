#include "elbowroom/bodies/necklace_named.hpp"

#include "elbowroom/questions/collide.hpp"
#include "elbowroom/questions/distance.hpp"

namespace elbowroom {

namespace {

/// The nearest beads of those that were compared, and a bound of all that are in the diagram.
struct NearestNamed {
    double upper2 = far_away * far_away, lower = far_away;
    NearBalls balls;
};

/// The beads of a necklace by a list of pairs, each of which is a pair of leaves.
class NamedPair : public PlainBodyPair {
public:
    using Best = NearestNamed;
    NamedPair(const NecklaceBoxes& beads, const std::vector<NecklaceTouch::BeadPair>& pairs)
        : PlainBodyPair(nullptr, false), beads_(beads), pairs_(pairs), aside_(aside(beads)) {}

    const NamedPair& leaves() const { return *this; }
    template <class Query>
    Stop sweep(Query& query, Budget& budget, Counters& counters, double* left) const {
        Stop stop = Stop::exhausted;
        for (const auto& [i, j] : pairs_) {
            if (budget.limited() && !budget.allows(counters)) stop = Stop::out_of_budget;
            if (stop != Stop::exhausted) break;
            ++counters.pairs_visited;
            query.leaf(Pair{i, j, 0}, counters);
            if (query.settled()) stop = Stop::settled;
        }
        // Until all of the pairs were looked at, they prove nothing but themselves apart.
        if (left && stop != Stop::exhausted) *left = total() - double(counters.leaf_tests);
        return stop;
    }
    template <class Sink>
    bool overlap(const Pair& pair, Counters& counters, Sink& sink) const {
        ++counters.leaf_tests;
        const NearBalls n = beads_.near(pair.a, pair.b);
        return n.gap <= 0 && sink(n);
    }
    void nearest(const Pair& pair, Counters& counters, Best& best) const {
        ++counters.leaf_tests;
        take(pair.a, pair.b, best);
    }
    double total() const {
        const double n = double(beads_.radii().size());
        return beads_.touch().all_may() ? 0 : n * (n - 1) / 2;
    }
    double slack() const { return 0; }

    PrimitivePair found(const Best& best) const { return {std::int32_t(best.balls.a), std::int32_t(best.balls.b)}; }
    HullDistance measure(const Best& best) const {
        HullDistance d = distance_ball_ball(best.balls, beads_.radii()[best.balls.a], beads_.radii()[best.balls.b]);
        d.lower -= aside_;
        return d;
    }
    HullDistance closest(std::int64_t i, std::int64_t j) const {
        return distance_ball_ball(beads_.near(i, j), beads_.radii()[i], beads_.radii()[j]);
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
    const std::vector<NecklaceTouch::BeadPair>& pairs_;
    const double aside_;

    void take(std::int64_t i, std::int64_t j, Best& best) const {
        const NearBalls n = beads_.near(i, j);
        const double gap = most(0.0, n.gap);
        best.lower = least(best.lower, gap - aside_);
        if (gap * gap >= best.upper2) return;
        best.upper2 = gap * gap;
        best.balls = n;
    }
    /// The diagram that named the pairs is that of beads this far aside, at most: see PowerPairs.
    static double aside(const NecklaceBoxes& beads) {
        Vec3 low = beads.centres()[0], high = low;
        for (const Vec3& c : beads.centres()) low = lower_of(low, c), high = upper_of(high, c);
        return 5e-13 * largest(high - low);
    }
};

}  // namespace

/// One of the pairs collides if any beads do, which is a proof if none does. But not all that collide are among them,
/// nor is the deepest: these are asked of the boxes.
CollideAnswer NamedBeads::self_collide(const CollideOptions& options) const {
    CollideOptions any = options;
    any.every = any.depth = false;
    NamedPair pair(beads_, pairs_);
    CollideAnswer answer = questions::collide(pair, any);
    if (!answer.hit || (!options.every && !options.depth)) return answer;
    CollideAnswer all = beads_.self_collide(options);
    all.counters += answer.counters;
    return all;
}

DistanceAnswer NamedBeads::self_distance(const DistanceOptions& options) const {
    NamedPair pair(beads_, pairs_);
    return questions::distance(pair, options);
}

}  // namespace elbowroom
