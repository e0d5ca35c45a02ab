// Two crowds, or one and itself, as the questions see them.
#pragma once
#include "elbowroom/bodies/crowd.hpp"
#include "elbowroom/pairings/across_beads.hpp"
#include "elbowroom/pairings/within_beads.hpp"
#include "elbowroom/questions/body_pair.hpp"

namespace elbowroom {

/// What two leaves mean: beads that are near in single precision, once more in double. The second crowd stays where it
/// is, the first is moved to one of its images.
class CrowdLeaves {
public:
    /// `rule`: of one crowd and itself; null for two.
    CrowdLeaves(const Crowd& a, const Crowd& b, const CrowdRule* rule)
        : a_(a.beads()),
          b_(b.beads()),
          rule_(rule),
          compares_all_(!rule || rule->excludes_none()),
          doubt_(a.doubt() + b.doubt()),
          here_(a_.tree()),
          there_(a_.tree(), b_.tree()) {}
    /// Null: one crowd and itself, where they are.
    void look_at(const Vec3* shift, const BeadShift& rounded) {
        itself_ = !shift;
        shift_ = shift ? *shift : Vec3{};
        there_.set_shift(rounded);
    }

    template <class Sink>
    bool overlap(const Pair& pair, Counters& counters, Sink& sink) const {
        return near_pairs(
            pair, counters, [] { return 0.f; },
            [&](const TwoBalls& t) { return gap(t) <= 0 && compares(t) && sink(t.i, t.j); });
    }
    void nearest(const Pair& pair, Counters& counters, NearestBalls& best) const {
        near_pairs(
            pair, counters, [&] { return float(least(std::sqrt(best.upper2), 1e18)) * 1.000001f; },
            [&](const TwoBalls& t) {
                const double near = most(0.0, gap(t));
                if (near * near < best.upper2 && compares(t)) best = {near * near, balls(t)};
                return best.upper2 == 0;
            });
    }
    template <class Sink>
    void within(const Pair& pair, double reach, Counters& counters, Sink& sink) const {
        const float limit = float(reach) * 1.000001f;
        near_pairs(
            pair, counters, [&] { return limit; },
            [&](const TwoBalls& t) {
                if (const double found = gap(t); found <= reach && compares(t)) sink(t.i, t.j, most(0.0, found));
                return false;
            });
    }

    /// Ball i of the first crowd and ball j of the second, each where it is in the box, the second then moved.
    struct TwoBalls {
        std::int32_t i, j;
        Vec3 at_i, at_j;
        double radii;
    };
    ELBOWROOM_INLINE NearBalls balls(const TwoBalls& t) const {
        return {t.i, t.j, t.at_i, t.at_j, t.radii, doubt_ + rounding * t.radii};
    }

private:
    const SortedBeads &a_, &b_;
    const CrowdRule* const rule_;
    const bool compares_all_;
    const double doubt_;
    const BeadLeaves<false> here_;
    BeadLeaves<true> there_;
    bool itself_ = false;
    Vec3 shift_;

    ELBOWROOM_INLINE bool compares(const TwoBalls& t) const { return compares_all_ || !rule_->excludes(t.i, t.j); }
    /// That of `balls`.
    ELBOWROOM_INLINE double gap(const TwoBalls& t) const {
        const double found = std::sqrt(length2(t.at_j - t.at_i)) - t.radii;
        return found >= 0 && found <= doubt_ + rounding * t.radii ? 0 : found;
    }
    template <class Reach, class Visit>
    bool near_pairs(const Pair& pair, Counters& counters, Reach&& reach, Visit&& visit) const {
        auto look = [&](std::int64_t p, std::int64_t q) {
            const std::int32_t i = a_.ball(p), j = b_.ball(q);
            const double radii = a_.radius(p) + b_.radius(q);
            if (!rule_ || i < j) return visit(TwoBalls{i, j, a_.centre(p), b_.centre(q) - shift_, radii});
            // The smaller number first, so that the order in space does not matter.
            return i != j && visit(TwoBalls{j, i, b_.centre(q), a_.centre(p) + shift_, radii});
        };
        auto all = [] { return [](int) { return 0u; }; };
        if (!itself_) return there_.near_pairs(pair.a, pair.b, counters, reach, all, look);
        if (pair.a == pair.b) return here_.near_in(pair.a, 1, nullptr, counters, reach, look);
        return here_.near_pairs(pair.a, pair.b, counters, reach, all, look);
    }
};

/// The sweep goes through the images of the first crowd, one traversal for each. What has no numbers that stay has no
/// memory and no bounds of what a budget left.
class CrowdPair : public PlainBodyPair {
public:
    using Best = NearestBalls;

    CrowdPair(const Crowd& a, const Crowd& b, const CrowdRule* rule, bool swapped)
        : PlainBodyPair(nullptr, swapped), a_(a), b_(b), rule_(rule), leaves_(a, b, rule) {}

    const CrowdLeaves& leaves() const { return leaves_; }
    template <class Query>
    Stop sweep(Query& query, Budget& budget, Counters& counters, double* left) {
        Stop stop = Stop::exhausted;
        int number = 0;
        if (rule_) {
            leaves_.look_at(nullptr, {});
            stop = sweep_pairs(WithinBeads(a_.beads().tree(), true), query, budget, counters, left);
            number = 1;
        }
        AcrossBeads pairing(a_.beads().tree(), b_.beads().tree());
        for (; stop == Stop::exhausted && number < images(); ++number) {
            const Vec3 shift = a_.box() ? a_.box()->image(number) : Vec3{};
            const BeadShift rounded(a_.beads().tree(), b_.beads().tree(), shift);
            pairing.set_shift(rounded), leaves_.look_at(&shift, rounded);
            stop = sweep_pairs(pairing, query, budget, counters, left);
        }
        if (left && stop == Stop::out_of_budget) *left += double(images() - number) * each_image();
        return stop;
    }
    /// Pairs of balls of all images.
    double total() const {
        if (!rule_) return images() * each_image();
        const double n = double(a_.count());
        return rule_->excludes_all() ? 0 : n * (n - 1) / 2 + (images() - 1) * each_image();
    }
    double slack() const { return 0; }

    PrimitivePair found(const Best& best) const { return {std::int32_t(best.balls.a), std::int32_t(best.balls.b)}; }
    /// The first ball is where it was put, the second at the nearest of its images.
    HullDistance measure(const Best& best) const {
        const NearBalls& n = best.balls;
        HullDistance d = distance_ball_ball(n, radius_a(n.a), radius_b(n.b));
        d.lower = most(0.0, d.lower - a_.doubt() - b_.doubt());
        const Vec3 home = a_.given(n.a) - n.at_a;
        d.on_a = d.on_a + home, d.on_b = d.on_b + home;
        return d;
    }
    HullDistance closest(std::int64_t i, std::int64_t j) const { return measure(near(i, j)); }
    HullContact contact(std::int64_t i, std::int64_t j) const {
        const NearBalls n = near(i, j).balls;
        return contact_ball_ball(a_.given(i), radius_a(i), n.at_b + (a_.given(i) - n.at_a), radius_b(j));
    }
    void any_pair(Best& best, Counters&) const {
        if (!rule_) return void(best = near(0, 0));
        for (std::int64_t i = 0; i < a_.count(); ++i)
            for (std::int64_t j = i + 1; j < a_.count(); ++j)
                if (!rule_->excludes(i, j)) return void(best = near(i, j));
    }

private:
    const Crowd &a_, &b_;
    const CrowdRule* const rule_;
    CrowdLeaves leaves_;

    /// Of a crowd and itself two opposite images give the same pairs.
    int images() const { return !a_.box() ? 1 : (rule_ ? Lattice::half + 1 : Lattice::images); }
    double each_image() const { return double(a_.count()) * double(b_.count()); }
    double radius_a(std::int64_t i) const { return a_.beads().radius_of(i); }
    double radius_b(std::int64_t j) const { return b_.beads().radius_of(j); }
    /// Two balls at their nearest images.
    Best near(std::int64_t i, std::int64_t j) const {
        const Vec3 at_a = a_.wrapped(i), at_b = b_.wrapped(j);
        Vec3 nearest = at_b;
        for (int k = 1; a_.box() && k < Lattice::images; ++k)
            if (const Vec3 at = at_b - a_.box()->image(k); length2(at - at_a) < length2(nearest - at_a)) nearest = at;
        Best best;
        best.balls = leaves_.balls({std::int32_t(i), std::int32_t(j), at_a, nearest, radius_a(i) + radius_b(j)});
        const double gap = most(0.0, best.balls.gap);
        best.upper2 = gap * gap;
        return best;
    }
};

/// Refuses what could be near two images of one ball: see Lattice. `reach` is negative if there is none.
void refuse_narrow_box(const Crowd& a, const Crowd& b, double reach);

}  // namespace elbowroom
