// Things that stand still against things that turn about the z axis, whose points go round in circles: when do two
// first come within a reach of each other? Turns are from 0 to an angle of at most a full turn.
#pragma once
#include "elbowroom/math/segment.hpp"

namespace elbowroom {

inline constexpr double full_turn = 6.283185307179586;

/// The angle of a first contact; none: a number larger than all angles. All before `proved` is proved free, and with
/// `undecided` nothing is known from there on.
struct FirstTouch {
    double at = far_away, proved = far_away;
    bool undecided = false;
};

ELBOWROOM_INLINE Vec3 turned_about_z(Vec3 p, double cosine, double sine) {
    return {p.x * cosine - p.y * sine, p.x * sine + p.y * cosine, p.z};
}

/// A point that stands still, and one that turns. Their squared distance is least^2 + 4 r s sin^2((angle - facing) /
/// 2), with r and s their distances from the axis, so the first contact has a closed form.
inline FirstTouch first_touch_of_points(Vec3 still, Vec3 turning, double angle, double reach) {
    const double r = std::hypot(still.x, still.y), s = std::hypot(turning.x, turning.y);
    const double along = still.z - turning.z, across = r - s;
    const double square = reach * reach - (along * along + across * across);  // may lose digits only if it is 0
    if (!(reach >= 0 && square >= 0)) return {};
    if (square >= 4 * r * s) return {0, 0};  // near at all times
    const double half = 2 * std::asin(std::sqrt(square / (4 * r * s)));
    double facing = std::atan2(still.y * turning.x - still.x * turning.y, still.x * turning.x + still.y * turning.y);
    if (facing < 0) facing += full_turn;
    if (facing - half <= 0 || facing + half >= full_turn) return {0, 0};
    const double at = facing - half;
    return at <= angle ? FirstTouch{at, at} : FirstTouch{};
}

/// A segment that stands still, p0 p1, and one that turns, q0 q1. The signed volume of the two, a . cos + b . sin + c,
/// is zero where their lines meet. Outside of short intervals about its zeros nothing can touch; there distances
/// decide.
class TurningSegments {
public:
    /// What is nearer than `margin` touches: it must be larger than all that rounding may hide.
    TurningSegments(Vec3 p0, Vec3 p1, Vec3 q0, Vec3 q1, double margin)
        : p0_(p0), p1_(p1), q0_(q0), q1_(q1), margin_(margin) {}

    /// The first time that the two touch, so that one may pass through the other.
    FirstTouch first_touch(double angle, double cosine, double sine) const {
        const Vec3 d = p1_ - p0_, e = q1_ - q0_, m = cross(q0_, e), u = cross(p0_, d);
        const double c = d.z * m.z + u.z * e.z, x = d.x * m.x + d.y * m.y + u.x * e.x + u.y * e.y;
        const double y = d.y * m.x - d.x * m.y + u.y * e.x - u.x * e.y;
        // Where the two touch, their ends are no farther apart than this, and rounding changes the volume by no more
        // than it can change with its corners.
        const double sides = length(d) + length(e), tiny = 5 * margin_ * sides * sides;
        const double size = std::hypot(x, y);
        if (std::fabs(c) > size + tiny) return {};
        if (angle < 3) {
            const double at_0 = c + x, at_1 = c + x * cosine + y * sine, slope_0 = y, slope_1 = y * cosine - x * sine;
            // Within half a turn the volume has one extremum at most, and that only if its slope changes sign.
            const double top = slope_0 >= 0 && slope_1 <= 0 ? c + size : most(at_0, at_1);
            const double bottom = slope_0 <= 0 && slope_1 >= 0 ? c - size : least(at_0, at_1);
            if (bottom > tiny || top < -tiny) return {};
        }
        const double speed = most(std::hypot(q0_.x, q0_.y), std::hypot(q1_.x, q1_.y)) * (1 + 1e-12);
        if (!(size > 2 * tiny)) return approach(0, angle, 0, speed);
        const double middle = std::atan2(y, x);  // where the volume is largest
        const double from = std::acos(clamped((tiny - c) / size, -1.0, 1.0)),
                     to = std::acos(clamped((-tiny - c) / size, -1.0, 1.0)),
                     zero = std::acos(clamped(-c / size, -1.0, 1.0));
        FirstTouch first;
        for (const int side : {-1, 1}) {
            const double low = middle + (side < 0 ? -to : from), high = middle + (side < 0 ? -from : to);
            for (int round = -1; round <= 1; ++round) {
                const double shift = round * full_turn;
                const double begin = most(0.0, low + shift - spare), end = least(angle, high + shift + spare);
                if (begin > end) continue;
                const FirstTouch found = near_zero(begin, middle + side * zero + shift, end, speed);
                if (found.proved < first.proved) first = found;
            }
        }
        return first;
    }

    /// The first time that the two are within a distance of each other, which is larger than 0.
    FirstTouch first_within(double angle, double reach) const {
        const double speed = most(std::hypot(q0_.x, q0_.y), std::hypot(q1_.x, q1_.y)) * (1 + 1e-12);
        return approach(0, angle, reach, speed);
    }

    Closest closest_at(double angle) const {
        const double cosine = std::cos(angle), sine = std::sin(angle);
        return closest_segment_segment(p0_, p1_, turned_about_z(q0_, cosine, sine), turned_about_z(q1_, cosine, sine));
    }

private:
    static constexpr double spare = 1e-14;  // radians: more than rounding of angles
    static constexpr int most_steps = 2000;

    const Vec3 p0_, p1_, q0_, q1_;
    const double margin_;

    double distance_at(double angle) const { return std::sqrt(closest_at(angle).distance2); }

    /// Looks about a zero of the volume: most are short, and one distance decides.
    FirstTouch near_zero(double begin, double zero, double end, double speed) const {
        zero = clamped(zero, begin, end);
        const double apart = distance_at(zero);
        if (apart > speed * most(end - zero, zero - begin) + margin_) return {};
        if (apart <= margin_ && speed * (zero - begin) <= 64 * margin_) return {zero, begin};
        return approach(begin, end, 0, speed);
    }

    /// Goes on by as much as no point can come nearer in the meantime. Where the steps become short, a look ahead may
    /// find them within reach; then the time is halved.
    FirstTouch approach(double begin, double end, double reach, double speed) const {
        double at = begin;
        for (int step = 0; step < most_steps; ++step) {
            const double gap = distance_at(at) - reach;
            if (gap <= margin_) return {at, at};
            if (at >= end || !(speed > 0)) return {};
            const double safe = gap / speed;
            if (safe < shortest && step % 16 == 0)
                for (const double ahead : {2 * shortest, 30 * shortest, 500 * shortest})
                    if (at + ahead <= end && distance_at(at + ahead) - reach <= margin_)
                        return {halved(at, at + ahead, reach), at};
            at = least(end, at + (gap - 0.5 * margin_) / speed);
        }
        return {far_away, at, true};
    }
    static constexpr double shortest = 1e-9;

    double halved(double free, double near, double reach) const {
        for (int k = 0; k < 64; ++k) {
            const double middle = 0.5 * (free + near);
            if (!(middle > free && middle < near)) break;
            (distance_at(middle) - reach <= margin_ ? near : free) = middle;
        }
        return near;
    }
};

}  // namespace elbowroom
