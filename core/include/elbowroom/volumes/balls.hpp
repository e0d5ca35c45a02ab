// Volumes are fitted to balls (points with radii): primitives and other volumes both come as such.
#pragma once
#include "elbowroom/math/symmetric_eigen.hpp"

namespace elbowroom {

struct Balls {
    const Vec3* centre;
    const double* radius;  // null: points
    int count;
    ELBOWROOM_INLINE double radius_of(int i) const { return radius ? radius[i] : 0.0; }
};

struct Interval {
    double low, high;
    ELBOWROOM_INLINE double middle() const { return 0.5 * (low + high); }
    ELBOWROOM_INLINE double half() const { return 0.5 * (high - low); }
};

/// The shadow of the balls on the line along the unit vector `axis`.
inline Interval shadow(const Balls& balls, Vec3 axis) {
    Interval even{far_away, -far_away}, odd = even;  // two at a time: the comparisons wait for each other
    auto cast = [&](int i, Interval& s) {
        const double x = dot(axis, balls.centre[i]), r = balls.radius_of(i);
        s.low = least(s.low, x - r);
        s.high = most(s.high, x + r);
    };
    for (int i = 0; i + 1 < balls.count; i += 2) {
        cast(i, even);
        cast(i + 1, odd);
    }
    if (balls.count & 1) cast(balls.count - 1, even);
    return {least(even.low, odd.low), most(even.high, odd.high)};
}

/// Principal axes of the centres, as rows, the longest first; coincident centres give the coordinate axes.
inline Mat3 principal_axes(const Balls& balls) {
    Vec3 mean;
    for (int i = 0; i < balls.count; ++i) mean = mean + balls.centre[i] * (1.0 / balls.count);
    Mat3 covariance{};
    for (int i = 0; i < balls.count; ++i) {
        const Vec3 d = balls.centre[i] - mean;
        for (int k = 0; k < 3; ++k) covariance.row[k] = covariance.row[k] + d * d[k];
    }
    double values[3];
    return eigenvectors(covariance, values);
}

}  // namespace elbowroom
