// Two rigid bodies as the questions see them.
#pragma once
#include <optional>

#include "elbowroom/narrow/contact_hull_hull.hpp"
#include "elbowroom/narrow/distance_triangle_triangle.hpp"
#include "elbowroom/questions/body_pair.hpp"
#include "rigid_queries.hpp"

namespace elbowroom {

/// In the frame of the first body. With a linear map of the world, distances are those of the mapped bodies.
template <int Width>
class RigidPair : public PlainBodyPair {
public:
    using Best = NearestPrimitives;
    using Tree = typename RigidHierarchy<Width>::Tree;
    static int width() { return Width; }

    RigidPair(const Ordered& o, const RigidHierarchy<Width>& a, const RigidHierarchy<Width>& b, CutMemory* memory,
              const Mat3* linear)
        : PlainBodyPair(memory, o.swapped),
          o_(o),
          a_(a),
          b_(b),
          map_(mapped(linear, o.first.pose.rotation)),
          leaves_(*o.first.body, *o.second.body, a, b, o.second_to_first, map_ ? &*map_ : nullptr) {}

    // Records of the trees are numbers that stay: the sweep and the numbered source are the same.
    const RigidPair& numbered() const { return *this; }
    const RigidLeaves<Width>& leaves() const { return leaves_; }
    /// Made when a numbered search first needs it.
    const AcrossTwo<Tree>& pairing() const {
        if (!pairing_) pairing_.emplace(a_.tree, b_.tree, o_.second_to_first);
        return *pairing_;
    }
    /// One leaf each.
    bool single() const { return a_.tree.root().is_leaf() && b_.tree.root().is_leaf(); }
    template <class Query>
    Stop sweep(Query& query, Budget& budget, Counters& counters, double* left) const {
        const AcrossTwo<Tree> own(a_.tree, b_.tree, o_.second_to_first);  // a local one stays in registers
        return sweep_pairs(own, query, budget, counters, left);
    }
    double leaf_gap(const Pair& pair) const {
        NearestPrimitives nearest;
        Counters nothing;
        leaves_.nearest(pair, nothing, nearest);
        return most(0.0, least(std::sqrt(nearest.upper2) - slack(), nearest.lower));
    }

    double total() const { return double(a_.tree.below[0]) * b_.tree.below[0]; }
    double slack() const { return 2 * leaves_.margin(); }
    double tolerance() const { return stated_tolerance * leaves_.scale(); }
    LinearMaps maps() {
        if (!map_) return {};
        in_a_ = LinearFloat(*map_);
        in_b_ = LinearFloat(*map_ * o_.second_to_first.rotation);
        return {&in_a_, &in_b_};
    }

    PrimitivePair found(const Best& best) const { return {best.a, best.b}; }
    HullDistance measure(const Best& best) const {
        HullDistance d = best.measured ? best.measure : measure_again(best, leaves_.hulls(best.a, best.b));
        d.on_a = o_.first.pose * d.on_a;
        d.on_b = o_.first.pose * d.on_b;
        return d;
    }
    HullDistance closest(std::int64_t i, std::int64_t j) const {
        Best best;
        leaves_.nearest_of(int(i), int(j), best);
        return measure(best);
    }
    HullContact contact(std::int64_t i, std::int64_t j) const {
        const HullContact c = contact_hull_hull(leaves_.hulls(int(i), int(j)));
        return {c.depth, o_.first.pose.rotation * c.normal, o_.first.pose * c.point};
    }
    void any_pair(Best& best, Counters& counters) const { look_at(0, 0, best, counters); }

    // What decided the last question.
    void recall_nearest(Best& best, Counters& counters) const {
        if (recalls(memory_)) look_at(memory_->a, memory_->b, best, counters);
    }
    bool recalls_overlap(Counters& counters) const {
        ++counters.leaf_tests;
        return leaves_.overlap_of(memory_->a, memory_->b);
    }
    void remember_nearest(const Best& best, double distance) const { remember(memory_, best.a, best.b, distance); }
    void remember_overlap(const PrimitivePair& p) const { remember(memory_, p[0], p[1], 0); }

    /// Of solids few pairs are near enough to need a leaf test at all, and a second traversal does not pay; nor where
    /// the recalled primitives are about as near as they were: the bodies have moved little since, and still do not
    /// overlap.
    bool overlap_is_likely(const Best& best) const {
        if (a_.triangles.empty() || b_.triangles.empty()) return false;
        if (best.a < 0) return true;
        const double last = memory_->distance;
        return !(last > 0 && best.upper2 < 2.25 * last * last);
    }
    void take_overlap(Best& best, const PrimitivePair& p) const {
        best.upper2 = 0;
        best.a = p[0];
        best.b = p[1];
        best.measured = false;
    }

private:
    /// How far apart the bounds of a distance may stay, relative to the sizes, before the answer says so.
    static constexpr double stated_tolerance = 1e-9;

    const Ordered& o_;
    const RigidHierarchy<Width>&a_, &b_;
    const std::optional<Mat3> map_;  // the linear map, if there is one, from the frame of the first body
    const RigidLeaves<Width> leaves_;
    mutable std::optional<AcrossTwo<Tree>> pairing_;
    LinearFloat in_a_, in_b_;

    static std::optional<Mat3> mapped(const Mat3* linear, const Mat3& rotation) {
        if (!linear) return {};
        return *linear * rotation;
    }
    void look_at(int i, int j, Best& best, Counters& counters) const {
        ++counters.leaf_tests;
        leaves_.nearest_of(i, j, best);
    }
    /// The nearest primitives once more, with their witness points.
    HullDistance measure_again(const Best& best, const HullPair& p) const {
        if (!leaves_.are_plain(p)) return distance_hull_hull(p, far_away);
        const Closest c = closest_triangles(p);
        const double d = std::sqrt(c.distance2);
        if (best.upper2 == 0 && d > tolerance()) return distance_hull_hull(p, far_away);  // they graze
        if (best.upper2 == 0 || d <= leaves_.margin()) return {0, 0, c.on_a, c.on_b};
        return {most(0.0, d - slack()), d, c.on_a, c.on_b};
    }
    Closest closest_triangles(const HullPair& p) const {
        Vec3 x[3], y[3];
        for (int k = 0; k < 3; ++k) x[k] = p.a.points[k], y[k] = *p.b_to_a * p.b.points[k];
        if (!map_) return closest_triangle_triangle(x, y);
        for (int k = 0; k < 3; ++k) x[k] = *map_ * x[k], y[k] = *map_ * y[k];
        Closest c = closest_triangle_triangle(x, y);
        const Mat3 back = transposed(inverse_transposed(*map_));
        c.on_a = back * c.on_a, c.on_b = back * c.on_b;
        return c;
    }
};

/// Calls ask(pair) with two placed bodies as a question sees them.
template <class Options, class Ask>
auto with_rigid_pair(const Placed& a, const Placed& b, const Options& options, Ask&& ask) {
    Ordered o(a, b);
    CutMemory* const memory = recalled(options, o);
    const Mat3* linear = nullptr;
    if constexpr (requires { options.linear; }) linear = options.linear;
    return with_common_width(*o.first.body, *o.second.body,
                             [&]<int W>(const RigidHierarchy<W>& x, const RigidHierarchy<W>& y) {
                                 RigidPair<W> pair(o, x, y, memory, linear);
                                 return ask(pair);
                             });
}

}  // namespace elbowroom
