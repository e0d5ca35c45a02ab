// Points that come one by one, and which of them are nearest: what planners ask of the states they have found.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "elbowroom/portable.hpp"

namespace elbowroom {

/// A point by its number, and how far it is as the metric counts.
struct NearPoint {
    std::int32_t number = -1;
    double distance = std::numeric_limits<double>::infinity();
};

/// A k-d tree (Bentley 1975) that grows: leaves of up to sixteen points, split at the median of the widest side when
/// they are full. Below a node no child has more than 7/10 of the points, or the node is built anew; the cost of that
/// is shared by the insertions since (Galperin and Rivest 1993). What a node holds is known by its box, not by the cuts
/// above it, so any metric that can bound the distance to a box will do (point_metrics.hpp).
///
/// A metric has `bound(query, low, high)`, never above `cost(query, point, limit)` of a point in the box, in the same
/// rounding; and `distance(cost)`, which grows with it. A cost above `limit` may be any value above it.
class PointTree {
public:
    static constexpr int leaf_size = 16;

    /// At least one coordinate.
    explicit PointTree(int dimension);

    int dimension() const { return dimension_; }
    std::int32_t size() const { return std::int32_t(points_.size() / std::size_t(dimension_)); }
    const double* point(std::int32_t number) const { return &points_[std::size_t(number) * std::size_t(dimension_)]; }

    /// Takes a point of finite coordinates; its number is how many there were before.
    std::int32_t insert(const double* point);

    /// The nearest point, of equally near ones the first; number -1 if there is none.
    template <class Metric>
    NearPoint nearest(const Metric& metric, const double* query) const;

    /// All points at most so far away, in order of their numbers.
    template <class Metric>
    std::vector<NearPoint> within(const Metric& metric, const double* query, double reach) const;

    /// Levels of nodes below the root.
    int depth() const { return depth_below(0); }
    /// What is wrong with the tree, or nothing.
    std::string validate() const;
    std::size_t bytes() const;

private:
    /// Two children lie side by side, from `child` on; a leaf has a block instead.
    struct Node {
        std::int32_t child = -1, block = -1, count = 0, side = 0;
        double cut = 0;
        ELBOWROOM_INLINE bool is_leaf() const { return child < 0; }
    };
    struct Pending {
        double bound;
        std::int32_t node;
    };
    static constexpr int deepest = 96;  // 2^31 points lie at most 60 levels down

    int dimension_;
    std::vector<double> points_;         // as they came
    std::vector<Node> nodes_;            // the root first
    std::vector<double> boxes_;          // of each node: low, then high
    std::vector<std::int32_t> members_;  // of each block: sixteen numbers
    std::vector<double> places_;         // and the same points once more, side by side
    std::vector<std::int32_t> free_pairs_, free_blocks_, gathered_;

    double* low(std::int32_t node) { return &boxes_[2 * std::size_t(node) * std::size_t(dimension_)]; }
    ELBOWROOM_INLINE const double* low(std::int32_t node) const {
        return &boxes_[2 * std::size_t(node) * std::size_t(dimension_)];
    }
    const double* place(std::int32_t block, int k) const {
        return &places_[(std::size_t(block) * leaf_size + std::size_t(k)) * std::size_t(dimension_)];
    }
    std::int32_t make_pair();
    std::int32_t make_block();
    void widen(std::int32_t node, const double* point);
    void fit(std::int32_t node, std::int32_t first, std::int32_t last);
    void put(std::int32_t node, std::int32_t number);
    std::int32_t chosen_child(const Node& node, const double* point) const;
    void build(std::int32_t node, std::int32_t first, std::int32_t last);
    void build_anew(std::int32_t node);
    void gather(std::int32_t node);
    int depth_below(std::int32_t node) const;
    std::string fault_of(std::int32_t node, int level, std::vector<int>& seen) const;

    /// The leaf that is nearest from a node on; what is passed by and may still matter is left on the stack.
    template <class Metric>
    std::int32_t descend(const Metric& metric, const double* query, std::int32_t node, double limit, Pending* stack,
                         int& top) const;
};

template <class Metric>
std::int32_t PointTree::descend(const Metric& metric, const double* query, std::int32_t node, double limit,
                                Pending* stack, int& top) const {
    while (!nodes_[node].is_leaf()) {
        const std::int32_t a = nodes_[node].child, b = a + 1;
        const double to_a = metric.bound(query, low(a), low(a) + dimension_);
        const double to_b = metric.bound(query, low(b), low(b) + dimension_);
        const bool a_first = to_a <= to_b;
        if ((a_first ? to_b : to_a) <= limit) stack[top++] = {a_first ? to_b : to_a, a_first ? b : a};
        if (!((a_first ? to_a : to_b) <= limit)) return -1;
        node = a_first ? a : b;
    }
    return node;
}

template <class Metric>
NearPoint PointTree::nearest(const Metric& metric, const double* query) const {
    NearPoint best;
    double least_cost = std::numeric_limits<double>::infinity();
    Pending stack[deepest];
    int top = 0;
    stack[top++] = {0, 0};
    while (top) {
        const Pending next = stack[--top];
        if (next.bound > least_cost) continue;
        const std::int32_t leaf = descend(metric, query, next.node, least_cost, stack, top);
        if (leaf < 0) continue;
        const Node& node = nodes_[leaf];
        for (int k = 0; k < node.count; ++k) {
            const double cost = metric.cost(query, place(node.block, k), least_cost);
            const std::int32_t number = members_[std::size_t(node.block) * leaf_size + std::size_t(k)];
            if (cost < least_cost || (cost == least_cost && number < best.number)) {
                least_cost = cost;
                best.number = number;
            }
        }
    }
    if (best.number >= 0) best.distance = metric.distance(least_cost);
    return best;
}

template <class Metric>
std::vector<NearPoint> PointTree::within(const Metric& metric, const double* query, double reach) const {
    std::vector<NearPoint> found;
    std::vector<std::int32_t> left{0};
    const double no_limit = std::numeric_limits<double>::infinity();
    while (!left.empty()) {
        const std::int32_t at = left.back();
        left.pop_back();
        const Node& node = nodes_[at];
        if (!node.count || metric.distance(metric.bound(query, low(at), low(at) + dimension_)) > reach) continue;
        if (!node.is_leaf()) {
            left.push_back(node.child);
            left.push_back(node.child + 1);
            continue;
        }
        for (int k = 0; k < node.count; ++k) {
            const double distance = metric.distance(metric.cost(query, place(node.block, k), no_limit));
            if (distance <= reach)
                found.push_back({members_[std::size_t(node.block) * leaf_size + std::size_t(k)], distance});
        }
    }
    std::sort(found.begin(), found.end(), [](const NearPoint& a, const NearPoint& b) { return a.number < b.number; });
    return found;
}

}  // namespace elbowroom
