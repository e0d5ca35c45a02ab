#pragma once
#include <cmath>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "elbowroom/trees/point_metrics.hpp"
#include "elbowroom/trees/point_tree.hpp"

namespace elbowroom {

/// States of a planner under one metric: plain coordinates, then rotations as quaternions.
class MetricTree {
public:
    /// Euclidean; quaternions q and -q are the same. At least one coordinate.
    static MetricTree straight(int plain, int turns) {
        if (plain == 3 && turns == 0) return {3, 0, StraightMetric<3>{3, 0}};
        return {plain, turns, StraightMetric<0>{plain, turns}};
    }
    /// Poses; see PoseMetric and HourglassMetric.
    static MetricTree of_poses(double weight) { return {3, 1, PoseMetric{weight}}; }
    static MetricTree of_hourglasses(double radius, double area) { return {3, 1, HourglassMetric{radius, area}}; }

    const PointTree& points() const { return tree_; }
    int dimension() const { return tree_.dimension(); }
    std::int32_t insert(const double* point) { return tree_.insert(point); }
    NearPoint nearest(const double* query) const {
        return std::visit([&](const auto& metric) { return tree_.nearest(metric, query); }, metric_);
    }
    std::vector<NearPoint> within(const double* query, double reach) const {
        return std::visit([&](const auto& metric) { return tree_.within(metric, query, reach); }, metric_);
    }
    /// From a to b, which need not be in the tree.
    double distance(const double* a, const double* b) const {
        return std::visit(
            [&](const auto& metric) {
                return metric.distance(metric.cost(a, b, std::numeric_limits<double>::infinity()));
            },
            metric_);
    }

private:
    using Metric = std::variant<StraightMetric<3>, StraightMetric<0>, PoseMetric, HourglassMetric>;
    PointTree tree_;
    Metric metric_;

    MetricTree(int plain, int turns, Metric metric) : tree_(plain + 4 * turns), metric_(std::move(metric)) {}
};

}  // namespace elbowroom
