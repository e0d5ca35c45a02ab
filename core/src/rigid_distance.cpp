#include "elbowroom/narrow/distance_triangle_triangle.hpp"
#include "elbowroom/queries/distance.hpp"
#include "elbowroom/queries/overlap.hpp"
#include "elbowroom/queries/remaining_budget.hpp"
#include "rigid_queries.hpp"

namespace elbowroom {

namespace {

/// How far apart the bounds of a distance may stay, relative to the sizes, before the answer says so.
constexpr double stated_tolerance = 1e-9;

template <int Width>
class Measure {
public:
    Measure(const Ordered& o, const RigidHierarchy<Width>& a, const RigidHierarchy<Width>& b,
            const DistanceOptions& options, CutMemory* cut)
        : o_(o),
          options_(options),
          memory_(cut),
          remaining_(options.allowance),
          a_(a),
          b_(b),
          map_(options.linear ? *options.linear * o.first.pose.rotation : Mat3::identity()),
          leaves_(*o.first.body, *o.second.body, a, b, o.second_to_first, options.linear ? &map_ : nullptr) {}

    DistanceAnswer run() {
        best_.upper2 = least(best_.upper2, options_.above * options_.above);
        if (recalls(memory_) && options_.allowance.tests > 0) look_at(memory_->a, memory_->b);
        if (worth_an_overlap_test()) look_for_overlap();
        if (best_.upper2 > 0 || recorded()) search();
        if (best_.a < 0 && options_.above < far_away) return beyond();
        if (best_.a < 0) look_at(0, 0);  // everything is beyond `enough` or the budget: any pair gives an upper bound
        finish();
        return answer_;
    }

private:
    const Ordered& o_;
    const DistanceOptions& options_;
    CutMemory* const memory_;
    const RemainingBudget remaining_;
    const RigidHierarchy<Width>&a_, &b_;
    const Mat3 map_;  // the linear map, from the frame of the first body
    RigidLeaves<Width> leaves_;
    NearestPrimitives best_;
    double cut_ = far_away;  // least bound of what the budget left
    double left_ = 0;        // pairs of primitives that may be nearer than the nearest found
    DistanceAnswer answer_;

    /// Everything that was looked at is farther away than was asked for.
    DistanceAnswer beyond() {
        answer_.upper = far_away;
        answer_.lower = least(least(options_.above, best_.lower), cut_);
        judge();
        return answer_;
    }
    void look_at(int i, int j) {
        ++answer_.counters.leaf_tests;
        leaves_.nearest_of(i, j, best_);
    }
    /// Meshes that overlap are at distance 0, and an overlap is found several times faster than a distance. (Of solids
    /// few pairs are near enough to need a leaf test at all, and the second traversal does not pay.)
    bool worth_an_overlap_test() const {
        const bool meshes = !a_.triangles.empty() && !b_.triangles.empty();
        return meshes && !options_.linear && options_.enough < 0 && !recorded() && options_.allowance.tests > 0 &&
               best_.upper2 > 0 && !follows_a_path();
    }
    /// The recalled primitives are about as near as they were: the bodies have moved little since, and still do not
    /// overlap.
    bool follows_a_path() const {
        if (best_.a < 0) return false;
        const double last = memory_->distance;
        return last > 0 && best_.upper2 < 2.25 * last * last;
    }
    void look_for_overlap() {
        auto sink = [&](int i, int j) {
            best_.upper2 = 0, best_.a = i, best_.b = j, best_.measured = false;
            return true;
        };
        Overlap query(leaves_, sink);
        DepthFirst order;
        answer_.stop = elbowroom::run(a_, b_, o_.second_to_first, query, order, a_quarter(), answer_.counters);
    }
    /// Of the budget, if there is one.
    Allowance a_quarter() const {
        Allowance part = options_.allowance;
        if (part.tests != ~std::uint64_t(0)) part.tests /= 4;
        part.seconds /= 4;
        return part;
    }
    void search() {
        const bool single = a_.tree.root().is_leaf() && b_.tree.root().is_leaf();
        if (single && options_.allowance.unlimited() && !recorded())
            return leaves_.nearest(Pair{0, 0, 0}, answer_.counters, best_);
        LinearFloat in_a, in_b;
        if (options_.linear) in_a = LinearFloat(map_), in_b = LinearFloat(map_ * o_.second_to_first.rotation);
        const bool enough = options_.enough >= 0;
        const double limit2 = enough ? options_.enough * options_.enough : far_away * far_away;
        const LinearMaps maps = options_.linear ? LinearMaps{&in_a, &in_b} : LinearMaps{};
        ShortestDistance query(leaves_, best_, maps, limit2, enough);
        const bool known = best_.upper2 == 0 || (enough && best_.upper2 <= limit2);
        if (recorded()) return search_recorded(query, known);
        if (known) return void(answer_.stop = Stop::settled);
        if (options_.allowance.unlimited()) return search_by<DepthFirst>(query, options_.allowance);
        // On a budget: a quarter of it for a good upper bound, the rest nearest first, so that what is left at the end
        // has the largest lower bound it can have.
        Allowance first = a_quarter(), rest = options_.allowance;
        first.tests += least(answer_.counters.volume_tests + answer_.counters.leaf_tests, ~first.tests);
        search_by<DepthFirst>(query, first);
        rest.seconds = remaining_.after({}).seconds;
        if (answer_.stop == Stop::out_of_budget) search_by<NearestFirst>(query, rest);
    }
    template <class Order, class Query>
    void search_by(Query& query, const Allowance& allowance) {
        Order order;
        answer_.stop = elbowroom::run(a_, b_, o_.second_to_first, query, order, allowance, answer_.counters);
        cut_ = far_away, left_ = 0;
        if (answer_.stop != Stop::out_of_budget) return;
        order.each([&](const Pair& p) {
            cut_ = least(cut_, std::sqrt(double(p.bound)));
            if (p.bound < best_.upper2) left_ += double(a_.tree.below[p.a]) * b_.tree.below[p.b];
        });
    }
    /// The cut of a memory is of plain distances.
    bool recorded() const {
        return memory_ && !options_.linear && options_.memory->records(options_.allowance.unlimited());
    }
    template <class Query>
    void search_recorded(Query& query, bool known) {
        const AcrossTwo<typename RigidHierarchy<Width>::Tree> pairing(a_.tree, b_.tree, o_.second_to_first);
        RememberedRun run(*memory_, *options_.memory, pairing, leaves_, Pair{0, 0, 0}, Width);
        DistanceOptions how = options_;
        if (known) how.allowance.tests = 0;  // it is settled; the cut is only looked at
        cut_ = run.distance(query, best_, how, answer_);
        if (known) answer_.stop = Stop::settled, cut_ = far_away;
    }
    /// What an answer on a budget is worth.
    void judge() {
        if (recorded() && options_.cut) return;
        if (recorded()) return conclude_answer(*options_.memory, options_, answer_.upper == 0, answer_);
        if (memory_ && !options_.cut) options_.memory->age = answer_.upper == 0 ? -1 : 0;
        if (options_.allowance.unlimited()) return;
        const bool finished = answer_.stop != Stop::out_of_budget;
        state_covered(finished ? 0 : left_, double(a_.tree.below[0]) * b_.tree.below[0], answer_);
    }
    void finish() {
        const HullDistance d = best_.measured ? best_.measure : measure(leaves_.hulls(best_.a, best_.b));
        answer_.upper = d.upper;
        answer_.lower = most(0.0, least(least(d.lower, best_.lower), cut_));
        answer_.pair = o_.as_asked(best_.a, best_.b);
        const bool farther = options_.enough >= 0 && answer_.upper > options_.enough;
        if (farther) answer_.lower = least(answer_.lower, options_.enough);
        if (answer_.upper == 0 || (answer_.stop != Stop::out_of_budget && options_.enough >= 0))
            answer_.stop = Stop::settled;
        if (answer_.stop == Stop::settled && !farther && answer_.upper > 0) answer_.lower = 0;
        answer_.loose =
            answer_.stop == Stop::exhausted && answer_.upper - answer_.lower > stated_tolerance * leaves_.scale();
        const Vec3 p = o_.first.pose * d.on_a, q = o_.first.pose * d.on_b;
        answer_.on_a = o_.swapped ? q : p, answer_.on_b = o_.swapped ? p : q;
        remember(memory_, best_.a, best_.b, answer_.upper);
        judge();
    }
    /// The nearest primitives once more, with their witness points.
    HullDistance measure(const HullPair& p) const {
        return leaves_.are_plain(p) ? closest_triangles(p) : distance_hull_hull(p, far_away);
    }
    HullDistance closest_triangles(const HullPair& p) const {
        Vec3 x[3], y[3], mapped_x[3], mapped_y[3];
        for (int k = 0; k < 3; ++k) {
            x[k] = p.a.points[k], y[k] = *p.b_to_a * p.b.points[k];
            mapped_x[k] = map_ * x[k], mapped_y[k] = map_ * y[k];
        }
        Closest c = options_.linear ? closest_triangle_triangle(mapped_x, mapped_y) : closest_triangle_triangle(x, y);
        const double d = std::sqrt(c.distance2), slack = 2 * leaves_.margin();
        if (options_.linear) {
            const Mat3 back = transposed(inverse_transposed(map_));
            c.on_a = back * c.on_a, c.on_b = back * c.on_b;
        }
        if (best_.upper2 == 0 && d > stated_tolerance * leaves_.scale())
            return distance_hull_hull(p, far_away);  // they graze
        if (best_.upper2 == 0 || d <= leaves_.margin()) return {0, 0, c.on_a, c.on_b};
        return {most(0.0, d - slack), d, c.on_a, c.on_b};
    }
};

}  // namespace

DistanceAnswer distance(const Placed& a, const Placed& b, const DistanceOptions& options) {
    Ordered o(a, b);
    CutMemory* const cut = recalled(options, o);
    return with_common_width(*o.first.body, *o.second.body,
                             [&]<int W>(const RigidHierarchy<W>& x, const RigidHierarchy<W>& y) {
                                 return Measure<W>(o, x, y, options, cut).run();
                             });
}

}  // namespace elbowroom
