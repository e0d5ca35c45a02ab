// How far two states of a planner are from each other, and at least how far a state is from a box of states.
//
// The coordinates of a state are its plain ones, then its rotations as quaternions of four. A rotation has two
// quaternions, q and -q, and is as near as the nearer of them. The cost of a point is the bound of the box that is that
// point, computed in the same order: rounding is monotone, so no bound is above the cost of a point inside.
#pragma once
#include "elbowroom/math/quaternion.hpp"

namespace elbowroom {

/// How far x is from the interval [low, high].
ELBOWROOM_INLINE double gap_to(double x, double low, double high) { return most(most(low - x, x - high), 0.0); }

/// The square of the distance of `count` coordinates to a box.
ELBOWROOM_INLINE double squared_gap(const double* x, const double* low, const double* high, int count) {
    double sum = 0;
    for (int k = 0; k < count; ++k) {
        const double gap = gap_to(x[k], low[k], high[k]);
        sum += gap * gap;
    }
    return sum;
}

/// The square of the distance of a quaternion, or its opposite, to a box.
ELBOWROOM_INLINE double squared_chord(const double* q, const double* low, const double* high) {
    const double opposite[4] = {-q[0], -q[1], -q[2], -q[3]};
    return least(squared_gap(q, low, high, 4), squared_gap(opposite, low, high, 4));
}

/// Euclidean distance of the coordinates; those of quaternions are chords. `Plain` is the number of plain coordinates
/// where it is known when this is compiled, else 0.
template <int Plain>
struct StraightMetric {
    int plain, turns;

    ELBOWROOM_INLINE double bound(const double* query, const double* low, const double* high) const {
        const int count = Plain ? Plain : plain;
        double sum = squared_gap(query, low, high, count);
        for (int k = 0, at = count; k < turns; ++k, at += 4) sum += squared_chord(query + at, low + at, high + at);
        return sum;
    }
    ELBOWROOM_INLINE double cost(const double* query, const double* point, double) const {
        return bound(query, point, point);
    }
    ELBOWROOM_INLINE double distance(double cost) const { return std::sqrt(cost); }
};

/// Of poses: the distance of the positions plus `weight` times the angle between the rotations. The coordinates are x,
/// y, z and the quaternion times twice the weight: a chord of those is then nearly that part of the distance, and never
/// more, as a chord of unit quaternions spans half of half the angle.
struct PoseMetric {
    double weight;

    /// Lowered a little, for the rounding of the arc sine.
    ELBOWROOM_INLINE double bound(const double* query, const double* low, const double* high) const {
        const double turned = std::sqrt(squared_chord(query + 3, low + 3, high + 3));
        return (std::sqrt(squared_gap(query, low, high, 3)) + turned) * (1 - 4e-15);
    }
    ELBOWROOM_INLINE double cost(const double* query, const double* point, double limit) const {
        const double apart = std::sqrt(squared_gap(query, point, point, 3));
        if (apart > limit) return apart;
        const double turned = std::sqrt(squared_chord(query + 3, point + 3, point + 3));
        if ((apart + turned) * (1 - 4e-15) > limit || !(weight > 0)) return apart + turned;
        return apart + 4 * weight * std::asin(least(0.25 * turned / weight, 1.0));
    }
    ELBOWROOM_INLINE double distance(double cost) const { return cost; }
};

/// Of poses: the volume of the hourglass that all points of a body of that radius stay in, two cones of base radius
/// `radius` times the angle and of the height of the motion along the axis ([He2014], Eq. 15 for tau = 1), plus `area`
/// times the distance of the positions. The volume alone is zero for pure translations and for motions across the axis,
/// whatever their length, so it has no bound but zero: with no area all points are looked at.
struct HourglassMetric {
    double radius, area;

    ELBOWROOM_INLINE double bound(const double* query, const double* low, const double* high) const {
        return area * std::sqrt(squared_gap(query, low, high, 3));
    }
    ELBOWROOM_INLINE double cost(const double* query, const double* point, double limit) const {
        const double swept = bound(query, point, point);
        return swept > limit ? swept : swept + volume(query, point, limit);
    }
    ELBOWROOM_INLINE double distance(double cost) const { return cost; }

private:
    /// v = sin(angle / 2) axis; the half angle is at least its sine, which rules most points out.
    double volume(const double* query, const double* point, double limit) const {
        const Quat from{query[3], query[4], query[5], query[6]}, to{point[3], point[4], point[5], point[6]};
        const Quat turn = to * conjugate(from);
        const Vec3 v = turn.vector(), shift{point[0] - query[0], point[1] - query[1], point[2] - query[2]};
        const double sine2 = length2(v), along = std::fabs(dot(shift, v));
        constexpr double cones = 2.0943951023931953;  // 2 pi / 3
        const double scale = cones * 4 * radius * radius * along;
        if (!(sine2 > 0)) return 0;
        const double sine = std::sqrt(sine2), surely = scale * sine;
        if (surely * (1 - 1e-12) > limit) return surely;
        const double half = std::atan2(sine, std::fabs(turn.w));
        return scale * half * half / sine;
    }
};

}  // namespace elbowroom
