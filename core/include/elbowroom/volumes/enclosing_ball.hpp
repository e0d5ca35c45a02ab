// The smallest ball about balls, of equal or unequal radii, in space or in the plane z = 0. It is held in place by a
// basis of a few balls, and found by pivoting: the ball that sticks out farthest enters the basis until none does. A
// basis that was right for other places of the same balls is a good one to begin with.
#pragma once
#include "elbowroom/math/lanes.hpp"
#include "elbowroom/volumes/few_balls.hpp"
#include "elbowroom/volumes/sphere.hpp"

namespace elbowroom {

/// Balls by coordinates, for lanes.
struct BallRows {
    const double *x, *y, *z, *radius;
    bool equal;  // are all radii the same?
    ELBOWROOM_INLINE Vec3 centre(std::int32_t i) const { return {x[i], y[i], z[i]}; }
    ELBOWROOM_INLINE SphereVolume ball(std::int32_t i) const { return {centre(i), radius[i]}; }
};

/// The balls that hold the smallest ball in place: it is the smallest about them alone. In order.
struct BallBasis {
    std::int32_t count = 0, item[4] = {};
    bool has(std::int32_t i) const {
        bool found = false;
        for (int k = 0; k < count; ++k) found |= item[k] == i;
        return found;
    }
    void add(std::int32_t i) {
        int k = count++;
        for (; k > 0 && item[k - 1] > i; --k) item[k] = item[k - 1];
        item[k] = i;
    }
    bool operator==(const BallBasis& o) const {
        bool same = count == o.count;
        for (int k = 0; k < count && same; ++k) same = item[k] == o.item[k];
        return same;
    }
};

/// A radius that surely is not below the largest |c - b| + r of some balls, when `reach` is what was computed for it:
/// the three squares, their sum, the root and the last sum are off by 5 units of rounding at most, the product here by
/// another. The second form is for lengths whose squares leave the range of doubles; what is below 1e-160 is none.
ELBOWROOM_INLINE double rounded_outwards(double reach) {
    return reach < 1e-140 && reach > 0 ? reach + 1e-150 : reach * (1 + 8e-16);
}

/// What a smallest ball may be too large by: the rounding of the solution, and that of the centre.
ELBOWROOM_INLINE double ball_slack(const SphereVolume& b) {
    const Vec3 c = absolute(b.centre);
    return 1e-13 * b.radius + 2.5e-16 * (c.x + c.y + c.z);
}

/// The ball whose farthest point is farthest from a point, and how far that is.
struct FarthestBall {
    std::int32_t item;
    double reach;
};

namespace enclosing {

template <bool Equal>
ELBOWROOM_INLINE Double4 reach_at(const BallRows& b, std::int32_t i, const Vec3x4& from) {
    const Vec3x4 d = Vec3x4{Double4::load(b.x + i), Double4::load(b.y + i), Double4::load(b.z + i)} - from;
    const Double4 d2 = dot(d, d);
    return Equal ? d2 : square_root(d2) + Double4::load(b.radius + i);  // of equal radii, only the order counts
}

/// Of at least four balls. The last four are taken together, whether or not some of them were before.
template <bool Equal>
inline FarthestBall farthest_in_lanes(const BallRows& b, std::int32_t first, std::int32_t last, Vec3 c) {
    const Vec3x4 from{c.x, c.y, c.z};
    Double4 best(-1.), at(0.);
    for (std::int32_t i = first; i < last; i += 4) {
        const std::int32_t k = least(i, last - 4);
        const Double4 reach = reach_at<Equal>(b, k, from), farther = greater(reach, best);
        best = select(farther, reach, best);
        at = select(farther, Double4(double(k)), at);
    }
    double reach[4], begin[4];
    best.store(reach);
    at.store(begin);
    int lane = 0;
    for (int k = 1; k < 4; ++k)
        if (reach[k] > reach[lane]) lane = k;
    return {std::int32_t(begin[lane]) + lane, Equal ? std::sqrt(reach[lane]) + b.radius[first] : reach[lane]};
}

}  // namespace enclosing

/// Of the balls [first, last), which are not none.
inline FarthestBall farthest_ball(const BallRows& b, std::int32_t first, std::int32_t last, Vec3 from) {
    if (last - first >= 4)
        return b.equal ? enclosing::farthest_in_lanes<true>(b, first, last, from)
                       : enclosing::farthest_in_lanes<false>(b, first, last, from);
    FarthestBall best{first, -1};
    for (std::int32_t i = first; i < last; ++i)
        if (const double reach = length(b.centre(i) - from) + b.radius[i]; reach > best.reach) best = {i, reach};
    return best;
}

/// The smallest ball about the basis, which may lose balls by that. The radius is as computed.
inline void settle_on(const BallRows& rows, int dimension, BallBasis& basis, SphereVolume& ball) {
    const SphereVolume origin = rows.ball(basis.item[0]);
    FewBalls few(origin);
    for (int k = 1; k < basis.count; ++k) few.add(rows.ball(basis.item[k]));
    FewBalls::Enclosing found;
    if (!few.held_by_all(found)) {
        found = few.smallest(false, dimension + 1);
        BallBasis rest;
        for (int k = 0; k < basis.count; ++k)
            if (found.basis >> k & 1) rest.add(basis.item[k]);
        basis = rest;
    }
    ball = {origin.centre + found.centre, origin.radius + found.radius};
}

/// The ball and basis with one more ball, which sticks out.
inline void pivot(const BallRows& rows, int dimension, std::int32_t item, BallBasis& basis, SphereVolume& ball) {
    const SphereVolume origin = rows.ball(item);
    FewBalls few(origin);
    for (int k = 0; k < basis.count; ++k) few.add(rows.ball(basis.item[k]));
    const FewBalls::Enclosing found = few.smallest(true, dimension + 1);
    BallBasis next;
    for (int k = 0; k < basis.count; ++k)
        if (found.basis >> (k + 1) & 1) next.add(basis.item[k]);
    next.add(item);
    basis = next;
    ball = {origin.centre + found.centre, origin.radius + found.radius};
}

/// Makes a ball and its basis those of the balls [first, last). It surely contains them; true if it is the smallest but
/// for the slack, false if rounding did not let the last steps come out. The radius may begin with too little, but not
/// with more than the smallest has (and the slack).
inline bool enclose(const BallRows& rows, std::int32_t first, std::int32_t last, int dimension, BallBasis& basis,
                    SphereVolume& ball) {
    SphereVolume best{{}, far_away};
    BallBasis best_basis;
    bool done = false;
    for (int turn = 0, stalled = 0; turn < 200 && stalled < 12; ++turn) {
        const FarthestBall out = farthest_ball(rows, first, last, ball.centre);
        const double slack = ball_slack(ball), before = ball.radius;
        done = out.reach <= before + slack;
        if (done || out.reach < best.radius) {
            best = {ball.centre, out.reach};
            best_basis = basis;
        }
        if (done || basis.has(out.item)) break;
        pivot(rows, dimension, out.item, basis, ball);
        // A step sideways can be too small to show in the radius. It must not become less.
        if (ball.radius < before - 2 * slack) break;
        stalled += ball.radius <= before;
    }
    ball = {best.centre, rounded_outwards(best.radius)};
    basis = best_basis;
    return done;
}

/// The smallest ball about the balls [first, last), from nothing.
inline bool enclose_anew(const BallRows& rows, std::int32_t first, std::int32_t last, int dimension, BallBasis& basis,
                         SphereVolume& ball) {
    basis = {};
    basis.add(first);
    ball = rows.ball(first);
    if (last - first == 1) return true;
    if (last - first > 3) return enclose(rows, first, last, dimension, basis, ball);
    for (std::int32_t i = first + 1; i < last; ++i) basis.add(i);
    settle_on(rows, dimension, basis, ball);
    return enclose(rows, first, last, dimension, basis, ball);
}

/// The smallest ball about two, surely about both.
inline SphereVolume enclosing_two(const SphereVolume& a, const SphereVolume& b) {
    const double d = length(b.centre - a.centre);
    if (rounded_outwards(d + b.radius) <= a.radius) return a;
    if (rounded_outwards(d + a.radius) <= b.radius) return b;
    const SphereVolume both = a.merged(b);
    const double reach = most(length(a.centre - both.centre) + a.radius, length(b.centre - both.centre) + b.radius);
    return {both.centre, rounded_outwards(reach)};
}

}  // namespace elbowroom
