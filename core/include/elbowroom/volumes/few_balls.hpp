#pragma once
#include "elbowroom/volumes/sphere.hpp"

namespace elbowroom {

/// Up to three vectors made orthogonal one by one, and what follows from their products with a vector of their span.
class OrthonormalBasis {
public:
    /// False if the vector lies in the span of those before, but for rounding.
    bool add(Vec3 v) {
        const double least_rest = 1e-13 * length(v);
        Vec3 rest = v;
        if (count_ == 2) {
            axis_[2] = cross(axis_[0], axis_[1]);
        } else {
            for (int turn = 0; turn < count_ + 1; ++turn)  // once more: of a sliver, the first leaves a part along
                for (int k = 0; k < count_; ++k) rest = rest - axis_[k] * dot(axis_[k], rest);
            const double size = length(rest);
            if (!(size > least_rest)) return false;
            axis_[count_] = rest * (1 / size);
        }
        for (int k = 0; k <= count_; ++k) along_[k][count_] = dot(axis_[k], v);
        return std::fabs(along_[count_][count_]) > least_rest && (++count_, true);
    }
    /// The components of the vector of the span that has these products with the vectors.
    void components(const double* products, double* out) const {
        for (int k = 0; k < count_; ++k) {
            out[k] = products[k];
            for (int i = 0; i < k; ++i) out[k] -= along_[i][k] * out[i];
            out[k] /= along_[k][k];
        }
    }
    Vec3 vector(const double* components) const {
        Vec3 v;
        for (int k = 0; k < count_; ++k) v = v + axis_[k] * components[k];
        return v;
    }
    Vec3 shadow(Vec3 v) const {
        Vec3 out;
        for (int k = 0; k < count_; ++k) out = out + axis_[k] * dot(axis_[k], v);
        return out;
    }
    /// The vector as a sum of the vectors, each so many times.
    void weights(Vec3 v, double* out) const {
        for (int k = count_ - 1; k >= 0; --k) {
            out[k] = dot(axis_[k], v);
            for (int i = k + 1; i < count_; ++i) out[k] -= along_[k][i] * out[i];
            out[k] /= along_[k][k];
        }
    }

private:
    int count_ = 0;
    Vec3 axis_[3];
    double along_[3][3];  // of axis k and vector i
};

/// Up to five balls and the smallest ball about them, all relative to the first: lengths are then of the size of the
/// whole, wherever it is.
class FewBalls {
public:
    /// The centre, and the radius less that of the first ball. Bit k: ball k is in the basis.
    struct Enclosing {
        Vec3 centre;
        double radius = far_away;
        unsigned basis = 0;
    };
    explicit FewBalls(const SphereVolume& first) : first_(first) {}
    void add(const SphereVolume& b) {
        centre_[count_] = b.centre - first_.centre;
        radius_[count_] = b.radius - first_.radius;
        scale_ = most(scale_, largest(absolute(centre_[count_])) + std::fabs(radius_[count_]));
        ++count_;
    }
    /// The ball that touches all of them from inside, if that is the smallest about them.
    bool held_by_all(Enclosing& out) const {
        const unsigned all = (1u << count_) - 1;
        Touching t;
        if (!touch(all, nullptr, t) || !t.holds) return false;
        out = {t.centre, reach_from(t.centre), all};
        return out.radius <= t.radius + 1e-14 * scale_;
    }
    /// The smallest ball is the only one that touches a few balls from inside, contains the others, and has its centre
    /// between those of the few. `with_first`: the first ball is one of them. Where rounding hides which they are, they
    /// are looked for again near the centre that needed the least radius, and at last that one is taken.
    Enclosing smallest(bool with_first, int most_in_basis) const {
        Enclosing best;
        Vec3 near;
        for (int turn = 0; turn < 5; ++turn, near = best.centre)
            if (look(with_first, most_in_basis, turn ? &near : nullptr, best)) break;
        return best;
    }

private:
    static constexpr unsigned char by_count[16] = {0, 1, 2, 4, 8, 3, 5, 6, 9, 10, 12, 7, 11, 13, 14, 15};
    struct Touching {
        Vec3 centre;
        double radius;
        bool holds;  // it touches them for sure, and its centre lies between theirs
    };
    /// Balls relative to one of them.
    struct Around {
        int count = 0;
        Vec3 at[3];
        double radius[3];
    };
    SphereVolume first_;
    int count_ = 1;
    double scale_ = 0;
    Vec3 centre_[5];
    double radius_[5] = {};

    /// True if the smallest ball was found for sure.
    bool look(bool with_first, int most_in_basis, const Vec3* near, Enclosing& best) const {
        for (const unsigned char set : by_count) {
            const unsigned subset = with_first ? 2u * set + 1 : set;
            if (subset == 0 || subset >> count_ || __builtin_popcount(subset) > most_in_basis) continue;
            Touching t;
            if (!touch(subset, near, t)) continue;
            const double reach = reach_from(t.centre);
            const bool sure = t.holds && reach <= t.radius + 1e-14 * scale_;
            if (sure || reach < best.radius) best = {t.centre, reach, subset};
            if (sure) return true;
        }
        return false;
    }
    /// Of a centre that is no number, none either: it is then less than no other.
    double reach_from(Vec3 c) const {
        double reach = -far_away;
        for (int k = 0; k < count_; ++k)
            if (const double r = length(centre_[k] - c) + radius_[k]; !(r <= reach)) reach = r;
        return reach;
    }
    /// The smallest ball that touches the balls of a subset from inside, with its centre in the flat through theirs.
    /// Seen from the largest ball of the subset the lengths are the smallest, and the digits the most. `near`: a centre
    /// to begin with, instead of solving equations for it.
    bool touch(unsigned subset, const Vec3* near, Touching& out) const {
        int p = __builtin_ctz(subset);
        for (unsigned rest = subset & (subset - 1); rest; rest &= rest - 1)
            if (const int k = __builtin_ctz(rest); radius_[k] > radius_[p]) p = k;
        Around others;
        for (unsigned rest = subset & ~(1u << p); rest; rest &= rest - 1, ++others.count) {
            const int k = __builtin_ctz(rest);
            others.at[others.count] = centre_[k] - centre_[p];
            others.radius[others.count] = radius_[k] - radius_[p];
        }
        out = {{}, 0, true};
        if (others.count == 1 && !touch_two(others, out)) return false;
        const Vec3 from = near ? *near - centre_[p] : Vec3{};
        if (others.count > 1 && !touch_more(others, near ? &from : nullptr, out)) return false;
        out.centre = centre_[p] + out.centre;
        out.radius += radius_[p];
        return true;
    }
    /// None if one lies in the other.
    static bool touch_two(const Around& o, Touching& out) {
        const double d = length(o.at[0]);
        if (!(d > std::fabs(o.radius[0]))) return false;
        out.radius = 0.5 * (d + o.radius[0]);
        out.centre = o.at[0] * (out.radius / d);
        return true;
    }
    /// |c| = R and |c - q| = R - s for each of the others, so q.c = (q.q - s s) / 2 + s R: c follows from R, and R from
    /// a quadratic equation.
    bool touch_more(const Around& o, const Vec3* near, Touching& out) const {
        OrthonormalBasis span;
        double constant[3], fixed[3], growing[3];
        for (int k = 0; k < o.count; ++k) {
            if (!span.add(o.at[k])) return false;
            constant[k] = 0.5 * (length2(o.at[k]) - o.radius[k] * o.radius[k]);
        }
        if (near) {
            out.centre = span.shadow(*near);
            out.radius = length(out.centre);
        } else {
            span.components(constant, fixed);
            span.components(o.radius, growing);
            double aa = 0, ab = 0, bb = 0;
            for (int k = 0; k < o.count; ++k) {
                aa += fixed[k] * fixed[k];
                ab += fixed[k] * growing[k];
                bb += growing[k] * growing[k];
            }
            if (!smallest_root(bb - 1, ab, aa, out.radius)) return false;
            out.centre = span.vector(fixed) + span.vector(growing) * out.radius;
        }
        out.holds = polish(o, out);
        double weight[3], left = 1;
        span.weights(out.centre, weight);
        for (int k = 0; k < o.count; ++k) {
            out.holds &= weight[k] >= -1e-10;
            left -= weight[k];
        }
        out.holds &= left >= -1e-10;
        return true;
    }
    /// The smallest root of a x x + 2 b x + c that is not negative.
    static bool smallest_root(double a, double b, double c, double& root) {
        const double d = b * b - a * c;
        if (!(d >= -1e-6 * b * b)) return false;  // a little below zero: rounding
        const double h = -(b + std::copysign(std::sqrt(most(d, 0.0)), b)), x = h / a, y = c / h;
        const bool take_x = x >= 0 && x < far_away, take_y = y >= 0 && y < far_away;
        if (!take_x && !take_y) return false;
        root = take_x && take_y ? least(x, y) : (take_x ? x : y);
        return true;
    }
    /// Of slivers the equations lose digits, which Newton steps on the distances themselves bring back, mostly.
    bool polish(const Around& o, Touching& out) const {
        for (int turn = 0;; ++turn) {
            const double d = length(out.centre);
            double off[3], worst = std::fabs(d - out.radius), step[3];
            for (int k = 0; k < o.count; ++k) {
                off[k] = d - length(out.centre - o.at[k]) - o.radius[k];
                worst = most(worst, std::fabs(off[k]));
            }
            if (worst <= 2e-15 * scale_) return true;
            if (turn == 6) return worst <= 1e-14 * scale_;
            OrthonormalBasis span;
            for (int k = 0; k < o.count; ++k)
                if (!span.add(normalised(out.centre - o.at[k], {}) - normalised(out.centre, {}))) return false;
            span.components(off, step);
            out.centre = out.centre + span.vector(step);
            out.radius = length(out.centre);
        }
    }
};

}  // namespace elbowroom
