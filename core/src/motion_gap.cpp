// How far apart two pieces are at least, as exactly as the adaptive method needs it.
//
// An exact distance to a surface of many triangles about equally far away looks at all of them. A bound a little below
// it proves nearly as much of an interval, and drops whole nodes as soon as they are that far away.
#include "elbowroom/queries/distance.hpp"
#include "elbowroom/queries/overlap.hpp"
#include "motion_run.hpp"
#include "rigid_queries.hpp"

namespace elbowroom {

namespace {

/// Of what the nearest primitives are apart beyond the base, so much is proved of the others.
constexpr double keep_share = 0.75;

/// What has to be proved: farther apart than `base`, and no more than `above`.
struct Wanted {
    double base, above, enough;  // enough: so near is a contact
};

/// Like ShortestDistance, but gives up what is nearly as far away as the nearest.
template <class Leaves>
class RoughDistance {
public:
    RoughDistance(const Leaves& leaves, NearestPrimitives& best, const LinearMaps& linear, const Wanted& wanted)
        : leaves_(leaves), best_(best), linear_(linear), wanted_(wanted) {
        update();
    }
    template <class Fan>
    ELBOWROOM_INLINE SortedOffers offers(const Fan& fan) const {
        Float8 gap;
        const Float8 bound = fan.squared_gaps(linear_, gap);
        return {where_at_most(bound, Float8(keep_)) & fan.valid(), gap, bound};
    }
    ELBOWROOM_INLINE bool admits(const Pair& pair) const { return pair.bound <= keep_; }
    void leaf(const Pair& pair, Counters& counters) {
        leaves_.nearest(pair, counters, best_);
        update();
    }
    ELBOWROOM_INLINE bool settled() const { return best_.a >= 0 && best_.upper2 <= wanted_.enough * wanted_.enough; }
    /// All that was dropped is farther apart.
    double proved() const { return proved_; }

private:
    const Leaves& leaves_;
    NearestPrimitives& best_;
    const LinearMaps linear_;
    const Wanted wanted_;
    double proved_ = 0;
    float keep_ = 0;

    void update() {
        const double found = std::sqrt(best_.upper2), more = found - wanted_.base;
        proved_ = wanted_.above;
        if (best_.a >= 0) proved_ = least(proved_, more > 0 ? wanted_.base + keep_share * more : found);
        keep_ = rounded_up(proved_ * proved_);
    }
};

template <int Width, class Query, class Order>
Stop descend(const RigidHierarchy<Width>& a, const RigidHierarchy<Width>& b, const Rigid& b_to_a, Query& query,
             Order& order, const Allowance& allowance, Counters& counters) {
    const AcrossTwo<typename RigidHierarchy<Width>::Tree> pairing(a.tree, b.tree, b_to_a);
    const auto roots = pairing.roots();
    ++counters.volume_tests;
    order.push(roots, query.offers(roots));
    Budget budget(allowance);
    return traverse(pairing, query, order, budget, counters);
}

}  // namespace

/// At the time at which the frames are; `half`: more of the time before and after is not needed.
MotionWorker::Run::Gap MotionWorker::Run::gap_of(int pair, const std::vector<Rigid>& frames, bool mapped, double half,
                                                 const GapLimits& limits) {
    const MotionPair& p = scene_.pairs()[pair];
    const MotionPiece &a = scene_.pieces()[p.a], &b = scene_.pieces()[p.b];
    const double speed = half == 0 ? 0 : mapped ? map_speed_ : speed_of(pair), nearer = mapped ? 0 : options_.clearance;
    const double stretch = mapped ? length(Vec3{length(map_.row[0]), length(map_.row[1]), length(map_.row[2])}) : 1;
    const double base = nearer + noise_of(pair) * stretch;
    const Wanted wanted{base, least((speed * half + base) * (1 + 4e-9) + 1e-140, far_away), nearer};
    PairWork& work = memory_.work[pair];
    const Rigid pose = scene_.pose_of(a, frames), b_to_a = relative(pose, scene_.pose_of(b, frames));
    const Mat3 map = mapped ? map_ * pose.rotation : Mat3::identity();
    Gap out;
    with_common_width(*a.body, *b.body, [&]<int W>(const RigidHierarchy<W>& x, const RigidHierarchy<W>& y) {
        const RigidLeaves<W> leaves(*a.body, *b.body, x, y, b_to_a, mapped ? &map : nullptr);
        const auto within = [&](std::uint64_t tests) {
            Allowance allowance = remaining_.after(answer_.counters);
            allowance.tests = least(allowance.tests, tests);
            return allowance;
        };
        const bool meshes = !x.triangles.empty() && !y.triangles.empty();
        const Counters before = answer_.counters;
        const auto conclude = [&] {
            const Counters& now = answer_.counters;
            out.volume_tests = now.volume_tests - before.volume_tests;
            out.cost = cost_of_volumes * double(out.volume_tests) +
                       (meshes ? cost_of_triangles : cost_of_hulls) * double(now.leaf_tests - before.leaf_tests) +
                       cost_of_distance;
        };
        NearestPrimitives best;
        best.upper2 = wanted.above * wanted.above;
        if (limits.overlap > 0) {
            auto sink = [&](int i, int j) {
                work.i = i, work.j = j;
                return out.touches = true;
            };
            Overlap query(leaves, sink);
            DepthFirst order;
            Counters counters;
            out.stopped = descend(x, y, b_to_a, query, order, within(limits.overlap), counters) == Stop::out_of_budget;
            answer_.counters += counters;
            if (out.touches) {
                out.upper = 0;
                return conclude();
            }
            if (out.stopped || counters.volume_tests + counters.leaf_tests > limits.far_after) {
                out.stopped = true;
                return conclude();
            }
        }
        if (limits.tests == 0) return conclude();
        Counters counters;
        if (work.i >= 0) {
            ++counters.leaf_tests;
            leaves.nearest_of(work.i, work.j, best);
            if (best.a < 0) best.lower = least(best.lower, wanted.above);
        }
        LinearFloat in_a, in_b;
        if (mapped) in_a = LinearFloat(map), in_b = LinearFloat(map * b_to_a.rotation);
        const LinearMaps maps = mapped ? LinearMaps{&in_a, &in_b} : LinearMaps{};
        RoughDistance query(leaves, best, maps, wanted);
        DepthFirst order;
        Stop stop = Stop::settled;
        if (!query.settled()) stop = descend(x, y, b_to_a, query, order, within(limits.tests), counters);
        answer_.counters += counters;
        out.stopped = stop == Stop::out_of_budget;
        out.lower = stop == Stop::settled ? 0 : least(query.proved(), best.lower);
        if (best.a >= 0) out.lower = least(out.lower, std::sqrt(best.upper2) - 2 * leaves.margin());
        if (out.stopped) order.each([&](const Pair& q) { out.lower = least(out.lower, std::sqrt(double(q.bound))); });
        if (best.a >= 0) {
            out.upper = std::sqrt(best.upper2);
            work.i = best.a, work.j = best.b;
            if (out.upper <= nearer + 2 * leaves.margin()) {
                const HullPair near = leaves.hulls(best.a, best.b);
                out.touches = !mapped &&
                              (leaves.overlap_of(best.a, best.b) || distance_hull_hull(near, far_away).upper <= nearer);
                out.lower = 0;
            }
        }
        conclude();
    });
    const double gap = most(0.0, out.lower - base);
    out.covered = speed > 0 ? gap / speed * (1 - 1e-9) : (gap > 0 ? 2 : 0);
    return out;
}

}  // namespace elbowroom
