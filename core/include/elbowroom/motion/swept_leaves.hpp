#pragma once
#include <vector>

#include "elbowroom/math/lanes.hpp"
#include "elbowroom/motion/motion_scene.hpp"
#include "elbowroom/narrow/distance_hull_hull.hpp"
#include "elbowroom/narrow/quick_hulls.hpp"
#include "elbowroom/pairings/across_swept.hpp"

namespace elbowroom {

/// The point farthest along a direction; x, y and z of four points after the other.
inline Vec3 farthest_of_lanes(const double* lanes, int fours, Vec3 direction) {
    const Double4 dx(direction.x), dy(direction.y), dz(direction.z);
    Double4 best(-far_away), where(0.);
    for (int k = 0; k < fours; ++k) {
        const double* p = lanes + 12 * k;
        const Double4 d =
            multiply_add(dx, Double4::load(p), multiply_add(dy, Double4::load(p + 4), dz * Double4::load(p + 8)));
        where = select(greater(d, best), Double4(double(k)), where);
        best = most(d, best);
    }
    double value[4], four[4];
    best.store(value);
    where.store(four);
    int lane = value[1] > value[0] ? 1 : 0;
    const int other = value[3] > value[2] ? 3 : 2;
    if (value[other] > value[lane]) lane = other;
    const double* p = lanes + 12 * int(four[lane]) + lane;
    return {p[0], p[4], p[8]};
}

/// Over an interval a rounded hull lies within the hull of its points at a few times, rounded a little more: between
/// two of these times, d apart, a point whose acceleration is at most k leaves the chord by no more than k d^2 / 8: for
/// every direction n, n . x(t) + k t^2 / 2 is convex, hence below its chord, and t^2 is below its own by at most d^2
/// / 4. Two hulls that do not meet then prove the two primitives apart for the whole interval.
class SweptHulls {
public:
    /// The hulls of the first piece of a pair, seen from the second.
    void begin(const MotionPiece& a, const MotionPiece& b, const SweptPoses& swept, double clearance) {
        a_ = &a;
        b_ = &b;
        swept_ = &swept;
        clearance_ = clearance;
        scale_ = 0;
        for (int k = 0; k < swept.count; ++k) scale_ = most(scale_, length(swept.poses[k].translation));
        scale_ += a.body->reach() + b.body->reach();
        ++stamp_;
        points_.clear();
        lanes_.clear();
        tests_left = most_tests;
    }
    /// How many pairs of primitives a search may still test.
    static constexpr std::int64_t most_tests = std::int64_t(1) << 60;
    std::int64_t tests_left = most_tests;

    /// Are the primitives proved apart, for the whole interval?
    bool apart(int i, int j) {
        const Hull& h = hull(i);
        const RoundedHull b = b_->body->primitive(j);
        const int fours = (h.count * swept_->count + 3) / 4;
        if (b.is_half_space()) {
            const Vec3 deepest = farthest_of_lanes(&lanes_[h.lanes], fours, -b.points[1]);
            return dot(b.points[1], deepest - b.points[0]) > h.radius + h.bulge + rounding * scale_;
        }
        const double limit = h.radius + h.bulge + b.radius + rounding * scale_;
        const HullVerdict quick = compare(h.middle - middle(b), scale_, limit, 0, [&](Vec3 towards) {
            return farthest_of_lanes(&lanes_[h.lanes], fours, -towards) - b.points[extreme_point(b, towards)];
        });
        if (quick != HullVerdict::unsure) return quick == HullVerdict::apart;
        const RoundedHull all{&points_[h.first], h.count * swept_->count, h.radius + h.bulge};
        const HullPair p{all, b, &nowhere_, nullptr, scale_};
        return gjk(p, hulls::start_direction(p), {limit, limit}).lower > limit;
    }
    /// Are they in contact at one of the times? What is not clear from the points as they were carried over, is asked
    /// of the points as they are, which have more digits.
    bool touch(int i, int j, int time) {
        const Hull& h = hull(i);
        const RoundedHull a{&points_[h.first + std::size_t(time) * h.count], h.count, h.radius};
        const RoundedHull b = b_->body->primitive(j);
        const Rigid& pose = swept_->poses[time];
        const double scale = a_->body->reach() + b_->body->reach() + length(pose.translation);
        const auto touch_as_they_are = [&] {
            const Rigid b_to_a = inverse(pose);
            RoundedHull as_it_is = a_->body->primitive(i);
            as_it_is.radius = h.radius;
            return overlaps_hull_hull({as_it_is, b, &b_to_a, nullptr, scale});
        };
        if (b.is_half_space()) return touch_as_they_are();
        const HullVerdict quick = compare(
            middle(a) - middle(b), scale, a.radius + b.radius + rounding * scale, 0,
            [&](Vec3 towards) { return a.points[extreme_point(a, -towards)] - b.points[extreme_point(b, towards)]; });
        return quick != HullVerdict::unsure ? quick == HullVerdict::overlap : touch_as_they_are();
    }

private:
    struct Hull {
        std::uint64_t stamp = 0;
        std::size_t first = 0, lanes = 0;
        int count = 0;
        double radius = 0, bulge = 0;
        Vec3 middle;
    };
    const MotionPiece *a_ = nullptr, *b_ = nullptr;
    const SweptPoses* swept_ = nullptr;
    double clearance_ = 0, scale_ = 0;
    std::uint64_t stamp_ = 0;
    std::vector<Hull> of_primitive_;
    std::vector<Vec3> points_;
    std::vector<double> lanes_;
    const Rigid nowhere_{};

    /// The middle of the first and the last point and one between: of a sweep, about its middle.
    static Vec3 middle(const RoundedHull& h) {
        return (h.points[0] + h.points[h.count / 2] + h.points[h.count - 1]) * (1.0 / 3);
    }
    /// The last four are filled up with the last point.
    void put_into_lanes(const Hull& h) {
        const int count = h.count * swept_->count, fours = (count + 3) / 4;
        lanes_.resize(h.lanes + 12 * std::size_t(fours));
        double* to = &lanes_[h.lanes];
        for (int k = 0; k < 4 * fours; ++k) {
            const Vec3 p = points_[h.first + std::size_t(least(k, count - 1))];
            double* lane = to + 12 * (k / 4) + k % 4;
            lane[0] = p.x;
            lane[4] = p.y;
            lane[8] = p.z;
        }
    }
    const Hull& hull(int i) {
        if (of_primitive_.size() <= std::size_t(i)) of_primitive_.resize(a_->body->count());
        Hull& h = of_primitive_[i];
        if (h.stamp == stamp_) return h;
        const RoundedHull p = a_->body->primitive(i);
        h = {stamp_, points_.size(), lanes_.size(), p.count, p.radius + clearance_, 0, {}};
        for (int k = 0; k < p.count; ++k) h.bulge = most(h.bulge, swept_->bulge(swept_->to_frame * p.points[k], 0));
        for (int t = 0; t < swept_->count; ++t)
            for (int k = 0; k < p.count; ++k) points_.push_back(swept_->poses[t] * p.points[k]);
        h.middle = middle({&points_[h.first], p.count * swept_->count, 0});
        put_into_lanes(h);
        return h;
    }
};

/// What two leaves mean when the first piece is swept.
template <int Width>
class SweptLeaves {
public:
    SweptLeaves(const MotionScene& scene, const MotionPair& pair, const RigidHierarchy<Width>& a,
                const RigidHierarchy<Width>& b, SweptHulls& hulls)
        : scene_(scene), pair_(pair), a_(a), b_(b), hulls_(hulls) {}

    /// Calls sink(i, j) for primitives that are not proved apart.
    template <class Sink>
    bool overlap(const Pair& pair, Counters& counters, Sink& sink) const {
        const TreeLeaf &x = a_.tree.leaves[a_.tree.records[pair.a].leaf()],
                       &y = b_.tree.leaves[b_.tree.records[pair.b].leaf()];
        // Copies of one primitive go the same way; which of them are compared may differ.
        const bool all = pair_.filter >= 0;
        const int items_x = all || x.count <= a_.most_items ? x.count : 1;
        const int items_y = all || y.count <= b_.most_items ? y.count : 1;
        for (int k = x.first; k < x.first + items_x; ++k)
            for (int l = y.first; l < y.first + items_y; ++l) {
                const int i = a_.tree.order[k], j = b_.tree.order[l];
                if (scene_.skips(pair_, i, j)) continue;
                if (hulls_.tests_left-- == 0 && sink(-1, -1)) return true;
                ++counters.leaf_tests;
                if (!hulls_.apart(i, j) && sink(i, j)) return true;
            }
        return false;
    }

private:
    const MotionScene& scene_;
    const MotionPair& pair_;
    const RigidHierarchy<Width>&a_, &b_;
    SweptHulls& hulls_;
};

}  // namespace elbowroom
