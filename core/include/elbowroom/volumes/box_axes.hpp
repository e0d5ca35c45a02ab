// Which way a box about points should lie, in single precision and many ways at once. This only chooses: boxes are
// measured in double afterwards.
#pragma once
#include "elbowroom/math/lanes.hpp"
#include "elbowroom/volumes/obb.hpp"

namespace elbowroom {

/// A ball for the choice of axes.
struct alignas(16) RoughBall {
    float x, y, z, radius;
    ELBOWROOM_INLINE Float4 lanes() const { return *reinterpret_cast<const Float4*>(this); }
};
/// In parts of a size, where nothing is larger than a few but half-spaces: these are longer than all else, which is
/// enough.
inline float rough(double x) { return float(clamped(x, -16.0, 16.0)); }
struct RoughBalls {
    const RoughBall* ball;
    int count;
    bool points;  // no ball has a radius
};

struct FloatAxes {
    float row[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    void complete() {  // the third axis from the other two
        for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            row[2][i] = row[0][j] * row[1][k] - row[0][k] * row[1][j];
        }
    }
    /// Turned about axis k.
    FloatAxes turned(int k, float c, float s) const {
        FloatAxes out = *this;
        const int p = (k + 1) % 3, q = (k + 2) % 3;
        for (int i = 0; i < 3; ++i) {
            out.row[p][i] = row[p][i] * c + row[q][i] * s;
            out.row[q][i] = row[q][i] * c - row[p][i] * s;
        }
        return out;
    }
};

/// Sums over points: of the coordinates and 1, of their squares, and of xy, yz, zx.
struct Moments {
    Float4 sum = all_four(0), squares = all_four(0), products = all_four(0);
    ELBOWROOM_INLINE void add(Float4 d) {
        d[3] = 1;
        sum = sum + d;
        squares = squares + d * d;
        products = products + d * Float4{d[1], d[2], d[0], 0};
    }
    ELBOWROOM_INLINE void add(const Moments& o) {
        sum = sum + o.sum;
        squares = squares + o.squares;
        products = products + o.products;
    }
    Moments without(const Moments& o) const {
        Moments m;
        m.sum = sum - o.sum, m.squares = squares - o.squares, m.products = products - o.products;
        return m;
    }
};

/// Principal axes of eight sets at once, by Jacobi rotations.
inline void principal_axes(const Moments* sets, FloatAxes* out) {
    float in[6][8];
    for (int l = 0; l < 8; ++l) {
        const Moments& m = sets[l];
        const float n = most(m.sum[3], 1.f);
        float c[6];
        for (int k = 0; k < 3; ++k) {
            c[k] = most(m.squares[k] - m.sum[k] * m.sum[k] / n, 0.f);
            c[3 + k] = m.products[k] - m.sum[k] * m.sum[(k + 1) % 3] / n;
        }
        const float size = c[0] + c[1] + c[2], scale = size > 1e-37f ? 1 / size : 0.f;
        for (int k = 0; k < 6; ++k) in[k][l] = c[k] * scale;
    }
    const Float8 zero(0.f), one(1.f), minus(-1.f);
    Float8 a[3][3], q[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) q[i][j] = i == j ? one : zero;
    for (int k = 0; k < 3; ++k) {
        a[k][k] = Float8::load_anywhere(in[k]);
        a[k][(k + 1) % 3] = a[(k + 1) % 3][k] = Float8::load_anywhere(in[3 + k]);
    }
    for (int sweep = 0; sweep < 4; ++sweep)
        for (int p = 0; p < 2; ++p)
            for (int r = p + 1; r < 3; ++r) {
                const int o = 3 - p - r;
                const Float8 twice = a[p][r] + a[p][r], d = a[r][r] - a[p][p];
                const Float8 bottom = absolute(d) + square_root(multiply_add(d, d, twice * twice));
                const Float8 t = select(greater(zero, d), minus, one) * twice / (bottom + Float8(1e-30f));
                const Float8 c = one / square_root(multiply_add(t, t, one)), s = t * c;
                a[p][p] = negated_multiply_add(t, a[p][r], a[p][p]);
                a[r][r] = multiply_add(t, a[p][r], a[r][r]);
                a[p][r] = a[r][p] = zero;
                const Float8 u = a[p][o], v = a[r][o];
                a[p][o] = a[o][p] = c * u - s * v;
                a[r][o] = a[o][r] = multiply_add(s, u, c * v);
                for (int k = 0; k < 3; ++k) {
                    const Float8 x = q[k][p], y = q[k][r];
                    q[k][p] = c * x - s * y;
                    q[k][r] = multiply_add(s, x, c * y);
                }
            }
    float rows[3][3][8];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) q[j][i].store(rows[i][j]);
    for (int l = 0; l < 8; ++l)
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) out[l].row[i][j] = rows[i][j][l];
}
inline FloatAxes principal_axes(const Moments& of) {
    const Moments eight[8] = {of, of, of, of, of, of, of, of};
    FloatAxes out[8];
    principal_axes(eight, out);
    return out[0];
}

/// Lows and negated highs along three axes: lanes 0 to 2, and 4 to 6.
struct AxisShadows {
    Float8 column[3];
    explicit AxisShadows(const FloatAxes& axes) {
        for (int i = 0; i < 3; ++i) {
            const Float4 c{axes.row[0][i], axes.row[1][i], axes.row[2][i], 0};
            column[i] = joined(c, -c);
        }
    }
    ELBOWROOM_INLINE Float8 of(const RoughBall& ball) const {
        return multiply_add(column[0], Float8(ball.x),
                            multiply_add(column[1], Float8(ball.y), column[2] * Float8(ball.z))) -
               Float8(ball.radius);
    }
    static Float8 nothing() { return Float8(1e30f); }
    /// What a box with these shadows costs, as ObbVolume::cost.
    static ELBOWROOM_INLINE float cost(Float8 shadows) {
        float s[8];
        shadows.store(s);
        const float x = -(s[0] + s[4]), y = -(s[1] + s[5]), z = -(s[2] + s[6]);
        return 0.25f * (x * y + y * z + z * x);
    }
    float cost_of(const RoughBalls& balls) const {
        Float8 even = nothing(), odd = nothing();
        int i = 0;
        for (; i + 1 < balls.count; i += 2) {
            even = least(even, of(balls.ball[i]));
            odd = least(odd, of(balls.ball[i + 1]));
        }
        if (i < balls.count) even = least(even, of(balls.ball[i]));
        return cost(least(even, odd));
    }
};

/// The best of the given axes, the coordinate axes, and the given ones turned about each in `8 * eights` steps of a
/// quarter turn.
class AxesSearch {
public:
    float cost;
    FloatAxes axes;

    AxesSearch(const RoughBalls& balls, const FloatAxes& principal) : cost(AxisShadows(FloatAxes{}).cost_of(balls)) {
        if (const float c = AxisShadows(principal).cost_of(balls); c < cost) cost = c, axes = principal;
    }
    AxesSearch(const RoughBalls& balls, const FloatAxes& principal, int eights)
        : cost(AxisShadows(FloatAxes{}).cost_of(balls)) {
        for (int e = 0; e < eights; ++e)
            balls.points ? turn<true>(balls, principal, e) : turn<false>(balls, principal, e);
    }

private:
    struct Turns {
        alignas(32) float c[2][8], s[2][8];
        Turns() {
            for (int e = 0; e < 2; ++e)
                for (int i = 0; i < 8; ++i) {
                    const double angle = 1.5707963267948966 * (2 * i + e) / 16;
                    c[e][i] = float(std::cos(angle)), s[e][i] = float(std::sin(angle));
                }
        }
    };
    static const Turns& turns() {
        static const Turns t;
        return t;
    }
    template <bool Points>
    void turn(const RoughBalls& balls, const FloatAxes& a, int e) {
        const Float8 c = Float8::load(turns().c[e]), s = Float8::load(turns().s[e]);
        Float8 low[3][2], high[3][2];
        for (int k = 0; k < 3; ++k)
            for (int j = 0; j < 2; ++j) low[k][j] = Float8(1e30f), high[k][j] = Float8(-1e30f);
        float least_w[3] = {1e30f, 1e30f, 1e30f}, most_w[3] = {-1e30f, -1e30f, -1e30f};
        for (int i = 0; i < balls.count; ++i) {
            const RoughBall& x = balls.ball[i];
            const float r = Points ? 0.f : x.radius;
            float w[3];
            for (int k = 0; k < 3; ++k) {
                w[k] = a.row[k][0] * x.x + a.row[k][1] * x.y + a.row[k][2] * x.z;
                least_w[k] = least(least_w[k], w[k] - r), most_w[k] = most(most_w[k], w[k] + r);
            }
#pragma GCC unroll 3
            for (int k = 0; k < 3; ++k) {
                const Float8 u(w[(k + 1) % 3]), v(w[(k + 2) % 3]);
                const Float8 p = multiply_add(c, u, s * v), q = negated_multiply_add(s, u, c * v);
                if constexpr (Points) {
                    low[k][0] = least(low[k][0], p), high[k][0] = most(high[k][0], p);
                    low[k][1] = least(low[k][1], q), high[k][1] = most(high[k][1], q);
                } else {
                    const Float8 radius(r);
                    low[k][0] = least(low[k][0], p - radius), high[k][0] = most(high[k][0], p + radius);
                    low[k][1] = least(low[k][1], q - radius), high[k][1] = most(high[k][1], q + radius);
                }
            }
        }
        for (int k = 0; k < 3; ++k) {
            const Float8 x = high[k][0] - low[k][0], y = high[k][1] - low[k][1];
            const Float8 costs = Float8(0.25f) * multiply_add(x, y, Float8(most_w[k] - least_w[k]) * (x + y));
            const float best = smallest(costs);
            if (!(best < cost)) continue;
            const int lane = __builtin_ctz(where_at_most(costs, Float8(best)));
            cost = best, axes = a.turned(k, turns().c[e][lane], turns().s[e][lane]);
        }
    }
};

}  // namespace elbowroom
