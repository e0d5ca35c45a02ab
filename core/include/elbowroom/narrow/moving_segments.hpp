// Segments whose ends go straight in the time 0 .. 1, each at its own velocity: do they come within reach?
#pragma once
#include "elbowroom/math/segment.hpp"
#include "elbowroom/narrow/moving_points.hpp"

namespace elbowroom {

/// Two segments as seen from the first end of the first, so that nothing is lost where they are far from the origin:
/// from its first end to its second, the same of the other segment, and from the first end to that of the other.
struct MovingSegments {
    MovingPoint along_a, along_b, between;

    double size() const { return along_a.size() + along_b.size() + between.size(); }
    Closest closest(double t) const {
        const Vec3 c = between.at(t);
        return closest_segment_segment({}, along_a.at(t), c, c + along_b.at(t));
    }
};

/// The search for the first time at which two segments are within reach.
///
/// A proof that they are apart in a span of time is a plane that turns: its normal goes straight from n0 to n1, the
/// unit directions of the nearest points at the two ends of the span. Along it, the difference of any two ends of the
/// segments is a polynomial of degree two in the time, so it is never less than the least of three numbers, its
/// Bernstein coefficients; and the normal is never longer than 1. What is lost is of second order in the length of the
/// span, so that few spans are needed, whatever part of the segments is nearest: halving a span makes the loss four
/// times smaller. That holds where segments graze each other, too. Where they pass through each other the spans shrink
/// to the time at which they do.
///
/// Distances are off by a few ulps of the lengths. `margin` is more than that, and what is within it at some time
/// counts as touching.
class SegmentMeeting {
public:
    SegmentMeeting(const MovingSegments& pair, double reach, double doubt)
        : pair_(pair),
          size_(pair.size() + reach),
          reach_(reach),
          limit_(reach + 8e-15 * size_ + doubt + 1e-150),
          touch_(reach + 4e-14 * size_ + 4 * doubt + 1e-150) {}

    /// `narrow`: a contact is bracketed by that much of the time. What happens after `until` does not matter.
    Meeting first(double until, double narrow) {
        if (apart_along(pair_.between.at(0.5 * until) + (pair_.along_b - pair_.along_a).at(0.5 * until) * 0.5, until))
            return {};
        using Verdict = Meeting::Verdict;
        Look left = look(0), ahead[most_depth];  // later looks, the next one last
        int count = 0;
        ahead[count++] = look(until);
        bool met = false;
        double at = until;
        for (int looks = 0; count > 0; ++looks) {
            const Look& right = ahead[count - 1];
            if (proves(left, right)) {
                left = right, --count;
                continue;
            }
            if (left.touches) return {Verdict::meets, left.time, left.time};
            if (right.touches) {
                met = true, at = right.time;
                ahead[0] = right, count = 1;  // what is later does not matter
            }
            const double middle = 0.5 * (left.time + ahead[count - 1].time);
            const bool narrow_enough = ahead[count - 1].time - left.time <= (met && count == 1 ? narrow : shortest);
            if (narrow_enough || looks >= most_looks || count == most_depth)
                return {met ? Verdict::meets : Verdict::unknown, left.time, met ? at : ahead[count - 1].time};
            ahead[count++] = look(middle);
        }
        return {};
    }

private:
    static constexpr int most_depth = 64, most_looks = 1 << 16;
    static constexpr double shortest = 0x1p-52;

    /// The segments at one time.
    struct Look {
        double time;
        Vec3 a, b, between, normal;  // unit, or zero if they cross
        bool apart, touches;
    };

    const MovingSegments pair_;
    const double size_, reach_, limit_, touch_;

    /// What lies between the segments along a direction, negative if they overlap there.
    ELBOWROOM_INLINE static double gap(Vec3 n, Vec3 a, Vec3 b, Vec3 between) {
        return dot(n, between) + least(0.0, dot(n, b)) - most(0.0, dot(n, a));
    }
    Look look(double t) const {
        Look l{t, pair_.along_a.at(t), pair_.along_b.at(t), pair_.between.at(t), {}, false, false};
        const Closest c = closest_segment_segment({}, l.a, l.between, l.between + l.b);
        const double distance = std::sqrt(c.distance2);
        if (distance > 0) l.normal = direction(l, c, distance);
        l.apart = gap(l.normal, l.a, l.b, l.between) > limit_;
        l.touches = !l.apart && distance <= touch_;
        return l;
    }
    /// The direction of the nearest points. Where these are near each other it has lost digits, but it must be across
    /// the segments that they lie within, or nearly within. Of these directions that which shows the largest gap.
    Vec3 direction(const Look& l, const Closest& c, double distance) const {
        const Vec3 raw = (c.on_b - c.on_a) * (1 / distance);
        const double lost = 1e-6 + 4e-15 * size_ / distance;
        const bool in_a = inside(c.on_a, {}, l.a), in_b = inside(c.on_b, l.between, l.between + l.b);
        const bool by_a = in_a || is_across(raw, l.a, lost), by_b = in_b || is_across(raw, l.b, lost);
        Vec3 best = raw;
        double widest = gap(raw, l.a, l.b, l.between);
        auto consider = [&](Vec3 n) {
            const double found = gap(n, l.a, l.b, l.between);
            if (found > widest) widest = found, best = n;
        };
        if (in_a || in_b) consider(across(raw, l, in_a, in_b));
        if (by_a != in_a || by_b != in_b) consider(across(raw, l, by_a, by_b));
        return best;
    }
    static Vec3 across(Vec3 n, const Look& l, bool a, bool b) {
        const Vec3 both = cross(l.a, l.b);
        if (a && b && length2(both) > 1e-12 * length2(l.a) * length2(l.b)) {
            n = normalised(both, n);
            if (dot(n, l.between) < 0) n = -n;
        }
        for (int k = 0; k < 2; ++k) {
            if (a) n = made_across(n, l.a);
            if (b) n = made_across(n, l.b);
        }
        return normalised(n, {});
    }
    static bool inside(Vec3 x, Vec3 from, Vec3 to) { return !(x == from) && !(x == to); }
    static bool is_across(Vec3 n, Vec3 along, double lost) {
        const double d = dot(n, along);
        return d * d <= lost * lost * length2(along);
    }
    static Vec3 made_across(Vec3 n, Vec3 along) {
        const double square = length2(along);
        return square > 0 ? n - along * (dot(n, along) / square) : n;
    }
    /// Are the segments apart from one look to the other?
    bool proves(const Look& x, const Look& y) const {
        if (!x.apart || !y.apart) return false;
        auto middle = [&](Vec3 at_x, Vec3 at_y) { return 0.5 * (dot(x.normal, at_y) + dot(y.normal, at_x)); };
        const double between = middle(x.between, y.between), a = middle(x.a, y.a), b = middle(x.b, y.b);
        return between + least(0.0, b) - most(0.0, a) > limit_;
    }
    /// Does a direction that stays prove it for all times?
    bool apart_along(Vec3 n, double until) const {
        const double start = gap(n, pair_.along_a.from, pair_.along_b.from, pair_.between.from);
        const double end = gap(n, pair_.along_a.at(until), pair_.along_b.at(until), pair_.between.at(until));
        const double g = least(start, end);
        return g > 0 && g * g > limit_ * limit_ * length2(n) * (1 + 1e-14);
    }
};

inline Meeting first_meeting_of_segments(const MovingSegments& pair, double reach, double doubt, double until,
                                         double narrow) {
    return SegmentMeeting(pair, reach, doubt).first(until, narrow);
}

}  // namespace elbowroom
