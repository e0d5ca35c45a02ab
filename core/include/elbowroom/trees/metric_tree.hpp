#pragma once
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "elbowroom/math/frame_rows.hpp"
#include "elbowroom/math/quaternion.hpp"
#include "elbowroom/trees/point_metrics.hpp"
#include "elbowroom/trees/point_tree.hpp"

namespace elbowroom {

/// The position and the quaternion, times `scale`, of a pose given by its rows.
inline std::array<double, 7> pose_key(const double* rows, double scale) {
    const Rigid pose = rigid_of_rows(rows);
    const Quat q = quaternion(pose.rotation);
    const Vec3 t = pose.translation;
    return {t.x, t.y, t.z, scale * q.w, scale * q.x, scale * q.y, scale * q.z};
}

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

    /// Of so many points to as many others, one after the other in memory.
    std::vector<double> distances(const double* a, const double* b, std::size_t count) const {
        std::vector<double> out(count);
        const std::size_t width = std::size_t(dimension());
        for (std::size_t i = 0; i < count; ++i) out[i] = distance(a + width * i, b + width * i);
        return out;
    }

private:
    using Metric = std::variant<StraightMetric<3>, StraightMetric<0>, PoseMetric, HourglassMetric>;
    PointTree tree_;
    Metric metric_;

    MetricTree(int plain, int turns, Metric metric) : tree_(plain + 4 * turns), metric_(std::move(metric)) {}
};

}  // namespace elbowroom
