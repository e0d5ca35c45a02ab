// A chain and itself, as the questions see it.
#pragma once
#include <optional>

#include "elbowroom/bodies/chain.hpp"
#include "elbowroom/bodies/chain_search.hpp"
#include "elbowroom/pairings/run_places.hpp"
#include "elbowroom/questions/body_pair.hpp"

namespace elbowroom {

class ChainSelfPair : public PlainBodyPair {
public:
    using Best = NearestBalls;

    /// From the root, by numbers that stay from call to call.
    class Numbered {
    public:
        Numbered(const ChainTree& tree, const ChainExclusion& exclusion, bool boxes)
            : run_(places_, tree, places_.add_root(tree, {})),
              frames_(places_, boxes),
              pairing_(frames_, run_),
              placed_(places_, &exclusion),
              leaves_(placed_, pairing_) {}
        static int width() { return 8; }
        const WithinRun& pairing() const { return pairing_; }
        const RunLeaves<ChainLeaves, WithinRun>& leaves() const { return leaves_; }
        double leaf_gap(const Pair& pair) const {
            NearestBalls nearest;
            Counters nothing;
            leaves_.nearest(pair, nothing, nearest);
            if (nearest.balls.a < 0) return far_away;
            const double reach = length(nearest.balls.at_a) + length(nearest.balls.at_b);
            return most(0.0, std::sqrt(nearest.upper2) - 8 * rounding * reach);
        }

    private:
        ChainPlaces places_;
        const RunPlaces run_;
        const AcrossFrames frames_;
        const WithinRun pairing_;
        const ChainLeaves placed_;
        const RunLeaves<ChainLeaves, WithinRun> leaves_;
    };

    /// `boxes`: not by balls alone.
    template <class Options>
    ChainSelfPair(const Chain& chain, bool boxes, const Options& options)
        : PlainBodyPair(recalled(chain, options), false),
          chain_(chain),
          tree_(chain.tree()),
          boxes_(boxes),
          leaves_(places_, &chain.exclusion()) {}

    const Numbered& numbered() {
        if (!numbered_) numbered_.emplace(tree_, chain_.exclusion(), boxes_);
        return *numbered_;
    }
    const ChainLeaves& leaves() const { return leaves_; }
    template <class Query>
    Stop sweep(Query& query, Budget& budget, Counters& counters, double* left) {
        auto nothing = [](int, std::int64_t) {};
        return sweep_chain(tree_, places_, boxes_, query, budget, counters, nothing, left);
    }
    double total() const {
        const double n = double(tree_.balls());
        return all_may_touch(chain_) ? 0 : n * (n - 1) / 2;
    }
    double slack() const { return 16 * rounding * double(tree_.root_bound().radius); }

    PrimitivePair found(const Best& best) const { return {std::int32_t(best.balls.a), std::int32_t(best.balls.b)}; }
    HullDistance measure(const Best& best) const {
        const NearBalls& b = best.balls;
        HullDistance d{};
        d.upper = std::sqrt(best.upper2);
        d.lower = d.upper - 2 * rounding * (length(b.at_a) + length(b.at_b));
        nearest_points_ball_ball(tree_.centre(b.a), tree_.radii()[b.a], tree_.centre(b.b), tree_.radii()[b.b],
                                 best.upper2 == 0, d.on_a, d.on_b);
        return d;
    }
    HullDistance closest(std::int64_t i, std::int64_t j) const {
        Best best;
        take(i, j, best);
        return measure(best);
    }
    HullContact contact(std::int64_t i, std::int64_t j) const {
        return contact_ball_ball(tree_.centre(i), tree_.radii()[i], tree_.centre(j), tree_.radii()[j]);
    }
    /// The first pair that is not excluded, if there is one.
    void any_pair(Best& best, Counters&) const {
        for (std::int64_t i = 0; i < tree_.balls(); ++i)
            for (std::int64_t j = i + 1; j < tree_.balls(); ++j)
                if (!chain_.exclusion().excludes(i, j)) return take(i, j, best);
    }

private:
    const Chain& chain_;
    const ChainTree& tree_;
    const bool boxes_;
    ChainPlaces places_;
    const ChainLeaves leaves_;
    std::optional<Numbered> numbered_;

    static bool all_may_touch(const Chain& chain) { return chain.exclusion().gap() >= chain.links() - 1; }
    void take(std::int64_t i, std::int64_t j, Best& best) const {
        best.balls = {i, j, tree_.centre(i), tree_.centre(j), tree_.radii()[i] + tree_.radii()[j]};
        const double gap = most(0.0, best.balls.gap);
        best.upper2 = gap * gap;
    }
    /// What a memory keeps of the chain, told how far balls have gone since.
    template <class Options>
    static CutMemory* recalled(const Chain& chain, const Options& options) {
        if (!options.memory || all_may_touch(chain)) return nullptr;
        CutMemory& cut = options.memory->begin(chain.watch().id(), 0);
        const double reading = chain.watch().read();
        if (cut.placed) cut.move(reading - cut.reading, far_away);
        cut.placed = true;
        cut.reading = reading;
        return &cut;
    }
};

}  // namespace elbowroom
