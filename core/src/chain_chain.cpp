#include "chain_cross.hpp"
#include "elbowroom/pairings/across_frames.hpp"
#include "elbowroom/questions/collide.hpp"
#include "elbowroom/questions/distance.hpp"
#include "elbowroom/questions/within.hpp"

namespace elbowroom {

namespace {

/// Two chains: balls against balls.
class TwoChains {
public:
    TwoChains(const PlacedChain& a, const PlacedChain& b, ChainPlaces& places)
        : a_(a.chain->tree()), b_(b.chain->tree()), leaves_(places, nullptr), to_a_(seen(a, b)) {
        start_ = {places.add_root(a_, {}), places.add_root(b_, to_a_), 0};
    }
    Pair start() const { return start_; }

    template <class Sink>
    bool overlap(const Pair& pair, Counters& counters, Sink& sink) const {
        auto visit = [&](const NearBalls& n) { return sink(n.a, n.b); };
        return leaves_.overlap(pair, counters, visit);
    }
    void nearest(const Pair& pair, Counters& counters, NearestAcross& best) const {
        NearestBalls found;
        found.upper2 = best.upper2;
        leaves_.nearest(pair, counters, found);
        if (found.balls.a >= 0) best.upper2 = found.upper2, best.a = found.balls.a, best.b = found.balls.b;
    }
    template <class Sink>
    void within(const Pair& pair, double reach, Counters& counters, Sink& sink) const {
        auto visit = [&](const NearBalls& n) { sink(n.a, n.b, most(0.0, n.gap)); };
        leaves_.within(pair, reach, counters, visit);
    }
    /// Valid until the next call.
    HullPair hulls(std::int64_t i, std::int64_t j) const {
        at_a_ = a_.local_centre(i), at_b_ = to_a_ * b_.local_centre(j);
        const double ra = a_.radii()[i], rb = b_.radii()[j];
        return {{&at_a_, 1, ra}, {&at_b_, 1, rb}, &here_, nullptr, length(at_a_) + length(at_b_) + ra + rb};
    }

private:
    static Frame seen(const PlacedChain& a, const PlacedChain& b) {
        const Rigid between = relative(at_first_ball(a), at_first_ball(b));
        return frame(between);
    }
    const ChainTree &a_, &b_;
    const ChainLeaves leaves_;
    const Frame to_a_;  // the common frame is about the first ball of a; this leads there from the first ball of b
    Pair start_;
    mutable Vec3 at_a_, at_b_;
    const Rigid here_;
};

/// Which of two chains comes first, whatever the caller's order.
bool comes_before(const PlacedChain& x, const PlacedChain& y) {
    const ChainTree &a = x.chain->tree(), &b = y.chain->tree();
    if (a.balls() != b.balls()) return a.balls() < b.balls();
    auto differ = [&](std::int64_t ball, bool& first) {
        const Vec3 p = x.pose * a.centre(ball), q = y.pose * b.centre(ball);
        for (int k = 0; k < 3; ++k)
            if (p[k] != q[k]) return first = p[k] < q[k], true;
        first = a.radii()[ball] < b.radii()[ball];
        return a.radii()[ball] != b.radii()[ball];
    };
    bool first = false;
    for (std::int64_t ball = a.balls() - 1; ball >= 0; --ball)  // mostly the last ball tells
        if (differ(ball, first)) return first;
    return false;
}

template <class Options>
CutMemory* recalled(const PlacedChain& a, const PlacedChain& b, bool turned, const Options& options) {
    if (!options.memory) return nullptr;
    const Watch &x = a.chain->watch(), &y = b.chain->watch();
    const BallBox all = b.chain->tree().root_bound();
    const Vec3 middle = b.chain->tree().base() * Vec3{all.centre[0], all.centre[1], all.centre[2]};
    CutMemory* const cut = elbowroom::recalled(options, x.id(), y.id(), x.read() + y.read(), relative(a.pose, b.pose),
                                               middle, double(all.radius) * (1 + 1e-6));
    cut->swapped = turned;
    return cut;
}

/// With a memory the order of the chains is theirs by number, which stays when they move.
template <class Options, class Ask>
auto ask(const PlacedChain& a, const PlacedChain& b, const Options& options, Ask&& question) {
    const std::uint64_t first = a.chain->watch().id(), second = b.chain->watch().id();
    const bool turned = options.memory && first != second ? second < first : comes_before(b, a);
    const PlacedChain &x = turned ? b : a, &y = turned ? a : b;
    ChainPlaces places;
    const TwoChains leaves(x, y, places);
    const AcrossFrames pairing(places, true);
    const AcrossRuns runs(pairing, {places, x.chain->tree(), leaves.start().a},
                          {places, y.chain->tree(), leaves.start().b});
    ChainCross pair(pairing, leaves, runs, recalled(x, y, turned, options), turned, at_first_ball(x));
    return question(pair);
}

}  // namespace

CollideAnswer collide(const PlacedChain& a, const PlacedChain& b, const CollideOptions& options) {
    return ask(a, b, options, [&](auto& pair) { return questions::collide(pair, options); });
}
DistanceAnswer distance(const PlacedChain& a, const PlacedChain& b, const DistanceOptions& options) {
    return ask(a, b, options, [&](auto& pair) { return questions::distance(pair, options); });
}
WithinAnswer within(const PlacedChain& a, const PlacedChain& b, const WithinOptions& options) {
    return ask(a, b, options, [&](auto& pair) { return questions::within(pair, options); });
}

}  // namespace elbowroom
