// Concerted rotation: seven torsions that leave everything beyond them where it was [Dodd1993].
#pragma once
#include <array>
#include <cmath>
#include <utility>

#include "elbowroom/math/quaternion.hpp"

namespace elbowroom {

/// An axis through a point.
struct Hinge {
    Vec3 at, along;
};

/// Seven hinges in a row. The turn of the first is given, the other six close: with f(turns) the map of all that
/// follows, f must be the identity again. Newton's method from where the chain is; if it does not come to rest, there
/// is no proposal.
class Closure {
public:
    static constexpr int hinges = 7;
    using Turns = std::array<double, hinges>;
    using Hinges = std::array<Hinge, hinges>;

    explicit Closure(const Hinges& hinges) : hinges_(hinges) {
        for (const Hinge& h : hinges) scale_ = most(scale_, length(h.at - hinges[0].at));
        scale_ = most(scale_, 1e-300);
    }
    bool close(double first, Turns& turns) const {
        turns = {};
        turns[0] = first;
        bool nearly = false;
        for (int round = 0; round < 40; ++round) {
            const Placed now = placed(turns);
            Six step;
            const double error = residual(now.map, step);
            if (error <= 1e-15 || (nearly && error <= 1e-13)) return true;
            nearly = error <= 1e-11;  // one more round gives the last digits
            if (!solve(now, step)) return false;
            for (int k = 0; k < 6; ++k) turns[k + 1] -= clamped(step[k], -0.5, 0.5);
        }
        return false;
    }
    /// How much the end moves with the last six turns: |det|, by which the density of solutions is divided.
    double volume(const Turns& turns) const {
        Matrix m = jacobian(placed(turns));
        Six nothing{};
        return std::fabs(eliminate(m, nothing));
    }
    /// The hinges once the turns are made.
    Hinges moved(const Turns& turns) const { return placed(turns).hinges; }

private:
    using Six = std::array<double, 6>;
    using Matrix = std::array<Six, 6>;  // rows
    struct Placed {
        Hinges hinges;
        Frame map;  // of all that follows
    };
    Hinges hinges_;
    double scale_ = 0;

    Placed placed(const Turns& turns) const {
        Placed out{hinges_, {}};
        for (int k = 0; k < hinges; ++k) {
            const Hinge& h = hinges_[k];
            out.hinges[k] = {out.map * h.at, out.map.q * h.along};
            const Quat q = turn_about(h.along, turns[k]);
            out.map = out.map * Frame{q, h.at - q * h.at};
        }
        return out;
    }
    /// The twist that the end has made, about the first hinge and in units of the scale.
    double residual(const Frame& map, Six& out) const {
        const Vec3 c = hinges_[0].at, shift = (map * c - c) * (1 / scale_), v = map.q.vector();
        const double s = length(v), angle = 2 * std::atan2(s, map.q.w);
        const double whole = angle > 3.141592653589793 ? angle - 6.283185307179586 : angle;
        const Vec3 turn = s > 1e-150 ? v * (whole / s) : v * 2;
        out = {turn.x, turn.y, turn.z, shift.x, shift.y, shift.z};
        return most(length(turn), length(shift));
    }
    Matrix jacobian(const Placed& now) const {
        Matrix m{};
        for (int k = 0; k < 6; ++k) {
            const Hinge& h = now.hinges[k + 1];
            const Vec3 v = cross(h.along, hinges_[0].at - h.at) * (1 / scale_);
            for (int i = 0; i < 3; ++i) {
                m[i][k] = h.along[i];
                m[i + 3][k] = v[i];
            }
        }
        return m;
    }
    bool solve(const Placed& now, Six& right) const {
        Matrix m = jacobian(now);
        return std::fabs(eliminate(m, right)) > 1e-12;
    }
    /// Gauss with pivots: the determinant, and the solution in place of the right side.
    static double eliminate(Matrix& m, Six& right) {
        double determinant = 1;
        for (int k = 0; k < 6; ++k) {
            int best = k;
            for (int i = k + 1; i < 6; ++i)
                if (std::fabs(m[i][k]) > std::fabs(m[best][k])) best = i;
            if (m[best][k] == 0) return 0;
            if (best != k) {
                std::swap(m[k], m[best]);
                std::swap(right[k], right[best]);
                determinant = -determinant;
            }
            determinant *= m[k][k];
            for (int i = k + 1; i < 6; ++i) {
                const double f = m[i][k] / m[k][k];
                for (int j = k; j < 6; ++j) m[i][j] -= f * m[k][j];
                right[i] -= f * right[k];
            }
        }
        for (int k = 5; k >= 0; --k) {
            for (int j = k + 1; j < 6; ++j) right[k] -= m[k][j] * right[j];
            right[k] /= m[k][k];
        }
        return determinant;
    }
};

}  // namespace elbowroom
