#include "chain_cross.hpp"
#include "elbowroom/pairings/across_frames.hpp"

namespace elbowroom {

namespace {

/// Two chains: balls against balls.
class TwoChains {
public:
    TwoChains(const PlacedChain& a, const PlacedChain& b, ChainPlaces& places)
        : a_(a.chain->tree()), b_(b.chain->tree()), leaves_(places, nullptr), to_a_(frame(relative(a.pose, b.pose))) {
        scale_ = length(to_a_.t);
        const Frame at_a{{}, a_.origin()}, at_b = to_a_ * Frame{{}, b_.origin()};
        start_ = {places.add_root(a_, at_a), places.add_root(b_, at_b), 0};
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
        at_a_ = a_.centre(i), at_b_ = to_a_ * b_.centre(j);
        const double ra = a_.radii()[i], rb = b_.radii()[j];
        return {{&at_a_, 1, ra}, {&at_b_, 1, rb}, &here_, nullptr, scale_ + length(at_a_) + length(at_b_) + ra + rb};
    }

private:
    const ChainTree &a_, &b_;
    const ChainLeaves leaves_;
    const Frame to_a_;
    Pair start_;
    double scale_;
    mutable Vec3 at_a_, at_b_;
    const Rigid here_;
};

/// Which of two chains comes first, whatever the caller's order.
bool comes_before(const PlacedChain& x, const PlacedChain& y) {
    const ChainTree &a = x.chain->tree(), &b = y.chain->tree();
    if (a.balls() != b.balls()) return a.balls() < b.balls();
    for (const std::int64_t ball : {std::int64_t(0), a.balls() / 2, a.balls() - 1}) {
        const Vec3 p = x.pose * a.centre(ball), q = y.pose * b.centre(ball);
        for (int k = 0; k < 3; ++k)
            if (p[k] != q[k]) return p[k] < q[k];
    }
    return false;
}

template <class Ask>
auto ask(const PlacedChain& a, const PlacedChain& b, Ask&& question) {
    auto directly = [&](const PlacedChain& x, const PlacedChain& y) {
        ChainPlaces places;
        const TwoChains leaves(x, y, places);
        const AcrossFrames pairing(places, true);
        return question(ChainCross(pairing, leaves, leaves.start(), x.pose));
    };
    return comes_before(b, a) ? swapped(directly(b, a)) : directly(a, b);
}

}  // namespace

CollideAnswer collide(const PlacedChain& a, const PlacedChain& b, const CollideOptions& options) {
    return ask(a, b, [&](const auto& cross) { return cross.collide(options); });
}
DistanceAnswer distance(const PlacedChain& a, const PlacedChain& b, const DistanceOptions& options) {
    return ask(a, b, [&](const auto& cross) { return cross.distance(options); });
}
WithinAnswer within(const PlacedChain& a, const PlacedChain& b, double reach, const Allowance& allowance) {
    return ask(a, b, [&](const auto& cross) { return cross.within(reach, allowance); });
}

}  // namespace elbowroom
