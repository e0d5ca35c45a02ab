#include "reference_binary_chain_of.hpp"

namespace elbowroom {

namespace {

/// The search for the nearest links: depth first, and on a budget nearest first after a quick look, so that what is
/// left at the end has the largest lower bound it can have.
template <class Run, class Left>
struct Search {
    const DistanceOptions& options;
    DistanceAnswer& answer;
    Run run;
    Left left;              // told of the order when a search has ended
    double cut = far_away;  // least bound of what the budget left

    void all() {
        if (options.allowance.unlimited()) return by<DepthFirst>(options.allowance);
        Allowance first = options.allowance;
        first.tests = least<std::uint64_t>(first.tests / 4, 400);
        by<DepthFirst>(first);
        if (answer.stop == Stop::out_of_budget) by<NearestFirst>(options.allowance);
    }

private:
    template <class Order>
    void by(const Allowance& allowance) {
        Order order;
        answer.stop = run(order, allowance);
        cut = far_away;
        left(order);
        if (answer.stop != Stop::out_of_budget) return;
        order.each([&](const Pair& p) { cut = least(cut, std::sqrt(double(p.bound))); });
    }
};

/// The first pair of links that counts, or (-1, -1).
PrimitivePair any_pair(int links, const ChainExclusions& exclusions) {
    for (int i = 0; i < links; ++i)
        for (int j = i + 1 + exclusions.near(); j < links; ++j)
            if (!exclusions.has(i, j)) return {i, j};
    return {-1, -1};
}

}  // namespace

template <class Volume>
DistanceAnswer BinaryChainOf<Volume>::self_distance(const DistanceOptions& options) const {
    DistanceAnswer answer;
    Placed placed;
    placed.start(volumes_);
    const Leaves leaves(placed, volumes_, joints_, exclusions_);
    const bool enough = options.enough >= 0;
    NearestLinks best;
    ShortestDistance query(leaves, best, {}, enough ? options.enough * options.enough : far_away * far_away, enough);
    Search search{options, answer,
                  [&](auto& order, const Allowance& allowance) {
                      return run(placed, leaves, query, order, allowance, answer.counters);
                  },
                  [&](const auto& order) {
                      const bool ended = answer.stop != Stop::out_of_budget;
                      state_left(placed, order, ended ? 0 : best.upper2, options.allowance, answer);
                  }};
    search.all();
    answer.pair = best.a < 0 ? any_pair(links(), exclusions_) : PrimitivePair{best.a, best.b};
    finish(answer, options, leaves, search.cut);
    return answer;
}

/// Measures the pair that was found, with witness points, and draws the bounds.
template <class Volume>
void BinaryChainOf<Volume>::finish(DistanceAnswer& answer, const DistanceOptions& options, const Leaves& leaves,
                                   double cut) const {
    if (answer.pair[0] < 0) {
        answer.lower = answer.upper = std::numeric_limits<double>::infinity();
        return;
    }
    const BallGap g = leaves.measured(answer.pair[0], answer.pair[1]);
    const bool touch = Leaves::touches(g);
    answer.upper = touch ? 0 : g.gap;
    answer.lower = touch ? 0 : most(0.0, least(g.gap - 2 * leaves.doubt(), cut));
    const bool farther = options.enough >= 0 && answer.upper > options.enough;
    if (farther) answer.lower = least(answer.lower, options.enough);
    if (answer.stop != Stop::out_of_budget && (touch || options.enough >= 0)) answer.stop = Stop::settled;
    if (answer.stop == Stop::settled && !farther && !touch) answer.lower = 0;
    const Vec3 p = centre(answer.pair[0]), q = centre(answer.pair[1]), n = normalised(q - p, {0, 0, 1});
    answer.on_a = p + n * radii_[answer.pair[0]];
    answer.on_b = q - n * radii_[answer.pair[1]];
    if (touch) answer.on_a = answer.on_b = (answer.on_a + answer.on_b) * 0.5;
}

template DistanceAnswer BinaryChainOf<ObbVolume>::self_distance(const DistanceOptions&) const;
template DistanceAnswer BinaryChainOf<RssVolume>::self_distance(const DistanceOptions&) const;
template DistanceAnswer BinaryChainOf<CapsuleVolume>::self_distance(const DistanceOptions&) const;
template DistanceAnswer BinaryChainOf<SphereVolume>::self_distance(const DistanceOptions&) const;

}  // namespace elbowroom
