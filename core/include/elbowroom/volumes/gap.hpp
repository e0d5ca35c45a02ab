// Are two volumes apart? Signed gaps: a value above `enough` proves that the volumes are farther apart than `enough`;
// otherwise they may overlap, and the less the value the deeper, roughly. Unlike `separation` these stop early.
#pragma once
#include "elbowroom/volumes/volumes.hpp"

namespace elbowroom {

inline double gap_of(const SphereVolume& a, const SphereVolume& b, double /*enough*/) {
    return length(b.centre - a.centre) - a.radius - b.radius;
}

inline double gap_of(const CapsuleVolume& a, const CapsuleVolume& b, double /*enough*/) {
    return std::sqrt(closest_segment_segment(a.start, a.end, b.start, b.end).distance2) - a.radius - b.radius;
}
inline double gap_of(const CapsuleVolume& a, const SphereVolume& ball, double /*enough*/) {
    return a.excess(ball.centre, -ball.radius);
}

/// The nearest points of the rectangles by turns (alternating projections); the plane across the line between them
/// bounds the distance from below. Grazing rectangles converge slowly, and are then measured.
inline double gap_of(const RssVolume& a, const RssVolume& b, double enough) {
    const double radii = a.radius + b.radius;
    Vec3 on_a = a.nearest(b.centre);
    for (int turn = 0; turn < 8; ++turn) {
        const Vec3 on_b = b.nearest(on_a), across = on_b - on_a;
        const double distance = length(across);
        if (distance <= radii + enough) return distance - radii;
        const Vec3 normal = across * (1 / distance);
        const double lower = dot(normal, b.centre - a.centre) - a.half_shadow(normal) - b.half_shadow(normal) - radii;
        if (lower > enough) return lower;
        on_a = a.nearest(on_b);
    }
    return a.separation(b);
}
inline double gap_of(const RssVolume& a, const SphereVolume& ball, double /*enough*/) {
    return a.excess(ball.centre, -ball.radius);
}

inline double gap_of(const AabbVolume& a, const AabbVolume& b, double /*enough*/) {
    return largest(upper_of(b.low - a.high, a.low - b.high));
}

/// The 15 axes of Gottschalk, Lin and Manocha (1996), those of the faces first. Products of axes are not normalised:
/// they are not longer than 1, so a gap along one is at least what is computed.
inline double gap_of(const ObbVolume& a, const ObbVolume& b, double enough) {
    const Vec3 d = b.centre - a.centre;
    Vec3 cosine[3], size[3];
    double s[3], gap = -far_away;
    for (int i = 0; i < 3; ++i) {
        cosine[i] = b.axes * a.axes.row[i];
        size[i] = absolute(cosine[i]);
        s[i] = dot(a.axes.row[i], d);
        gap = most(gap, std::fabs(s[i]) - a.half[i] - dot(size[i], b.half));
        if (gap > enough) return gap;
    }
    for (int j = 0; j < 3; ++j) {
        const double own = a.half.x * size[0][j] + a.half.y * size[1][j] + a.half.z * size[2][j];
        gap = most(gap, std::fabs(dot(b.axes.row[j], d)) - b.half[j] - own);
        if (gap > enough) return gap;
    }
    for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            const double across = std::fabs(s[i2] * cosine[i1][j] - s[i1] * cosine[i2][j]) -
                                  (a.half[i1] * size[i2][j] + a.half[i2] * size[i1][j]) -
                                  (b.half[j1] * size[i][j2] + b.half[j2] * size[i][j1]);
            if (across > enough) return across;
        }
    }
    return gap;
}
inline double gap_of(const ObbVolume& a, const SphereVolume& ball, double /*enough*/) {
    const Vec3 out = absolute(a.axes * (ball.centre - a.centre)) - a.half;
    const double inside = largest(out);
    return (inside > 0 ? length(upper_of({0, 0, 0}, out)) : inside) - ball.radius;
}

/// A lower bound of the distance, zero or above.
inline double separation_of(const SphereVolume& a, const SphereVolume& b) { return a.separation(b); }
template <class Volume>
double separation_of(const Volume& a, const Volume& b) {
    return a.separation(b);
}
template <class Volume>
double separation_of(const Volume& a, const SphereVolume& ball) {
    return most(0.0, gap_of(a, ball, 0.0));
}

}  // namespace elbowroom
