#pragma once
#include "elbowroom/math/linear_motion.hpp"

namespace elbowroom {

/// What a linear motion means for the points of a body of some radius: in the time s they shift by s D and turn by at
/// most |s| rho about the axis (Eq. 13).
struct HourglassShape {
    Vec3 axis, across;     // across: the shift without its part along the axis
    double along, turned;  // the part along the axis; rho = radius * angle

    HourglassShape(const LinearMotion& m, double radius)
        : axis(m.axis), along(dot(m.shift, m.axis)), turned(radius * m.angle) {
        across = m.shift - axis * along;
    }
    /// No point moves faster (Eq. 17).
    double speed() const {
        const double sideways = length(across) + turned;
        return std::sqrt(sideways * sideways + along * along);
    }
};

namespace hourglass_detail {

inline Mat3 outer(Vec3 a, Vec3 b) { return {{b * a.x, b * a.y, b * a.z}}; }

/// The ellipse of least area about the discs of radius rho with centres up to a from the middle: half axes {A, B}, A
/// along the line of the centres, with A^2 = B^2 + a^2 / (1 - rho^2 / B^2), which holds the discs because
/// (a c + rho)^2 <= B^2 + (A^2 - B^2) c^2 for all cosines c.
inline void stadium(double a, double rho, double& along, double& beside) {
    auto half_axis = [&](double b) { return std::sqrt(b * b + a * a / (1 - rho * rho / (b * b))); };
    double low = 1 + 1e-6, high = 3 + 2 * a / rho;  // B / rho
    auto area = [&](double b) { return half_axis(b * rho) * b; };
    for (int k = 0; k < 60; ++k) {
        const double x = low + 0.382 * (high - low), y = low + 0.618 * (high - low);
        if (area(x) < area(y))
            high = y;
        else
            low = x;
    }
    beside = 0.5 * (low + high) * rho;
    along = half_axis(beside);
}

}  // namespace hourglass_detail

/// How thin an ellipsoid may be across a direction in which nothing moves, relative to its length.
constexpr double hourglass_thinnest = 1e-3;

/// The linear map T under which no point of the body moves farther than |s| in the time s: what takes the hourglass of
/// Eq. 15 into a ball. Where the motion has parts along and about the axis it is the paper's T2 T1 T0 (Eqs. 20 to 23,
/// without first turning the axis to z); where it has next to none along the axis, that map would be of no use, or
/// with "a small value" false, and the ellipse about a stadium takes its place. The motion must move something.
inline Mat3 hourglass_map(const LinearMotion& m, double radius) {
    using namespace hourglass_detail;
    const HourglassShape h(m, radius);
    const double shift = length(m.shift), sideways = length(h.across);
    const Mat3 one = Mat3::identity();
    if (!(h.turned > 0.1 * hourglass_thinnest * shift)) {  // a line, or nearly
        const Vec3 d = m.shift * (1 / shift);
        const double slack = 1 + 2 * h.turned / (hourglass_thinnest * shift);
        return (outer(d, d) * (1 - 1 / hourglass_thinnest) + one * (1 / hourglass_thinnest)) * (1 / (shift * slack));
    }
    const Vec3 z = h.axis;
    const Mat3 level = one + outer(z, z) * -1;
    if (std::fabs(h.along) > 0.02 * (sideways + h.turned)) {
        // x across the axis -> sqrt(2/3) (x - across * height) / rho, height = (z . x) / along -> sqrt(1/3) height z
        const Mat3 sheared = level + outer(h.across, z) * (-1 / h.along);
        const double turned = most(h.turned, hourglass_thinnest * shift);
        return sheared * (std::sqrt(2.0 / 3) / turned) + outer(z, z) * (std::sqrt(1.0 / 3) / h.along);
    }
    // |T u|^2 = (1 - k) (in the plane) + k (along the axis) <= s^2
    constexpr double k = 0.01;
    double a = h.turned, b = h.turned;
    Vec3 d = perpendicular(z);
    if (sideways > 1e-9 * h.turned) {
        d = h.across * (1 / sideways);
        stadium(sideways, h.turned, a, b);
    } else
        a = b = h.turned + sideways;
    const double up = most(std::fabs(h.along), hourglass_thinnest * b);
    const Mat3 plane = outer(d, d) * (1 / a) + (level + outer(d, d) * -1) * (1 / b);
    return plane * std::sqrt(1 - k) + outer(z, z) * (std::sqrt(k) / up);
}

}  // namespace elbowroom
