// One oriented box in 64 bytes, and two of them compared: the pair kernel of articulated bodies.
#pragma once
#include "elbowroom/math/lanes.hpp"

namespace elbowroom {

/// A box in single precision: row k is (axis 0, axis 1, axis 2, centre) in coordinate k; half sides.
struct alignas(64) BoxRow {
    float row[3][4];
    float half[4];
    ELBOWROOM_INLINE Float4 halves() const { return *reinterpret_cast<const Float4*>(half); }
};

/// Eight boxes, a lane each.
struct BoxLanes {
    Float8 upper[8], lower[8];  // rows 0 and 1, row 2 and half sides
    ELBOWROOM_INLINE explicit BoxLanes(const BoxRow* const* boxes) {
        for (int i = 0; i < 8; ++i) {
            upper[i] = Float8::load(boxes[i]->row[0]);
            lower[i] = Float8::load(boxes[i]->row[2]);
        }
        transpose(upper);
        transpose(lower);
    }
    ELBOWROOM_INLINE Float8 axis(int i, int k) const { return k < 2 ? upper[4 * k + i] : lower[i]; }
    ELBOWROOM_INLINE Float8 centre(int k) const { return axis(3, k); }
    ELBOWROOM_INLINE Float8 half(int i) const { return lower[4 + i]; }
};

/// What eight pairs of boxes in single precision tell, a bit a pair.
struct BoxVerdicts {
    unsigned near;     // not proved apart
    unsigned certain;  // proved to overlap
    Float8 depth;      // the largest signed gap along the six axes of the faces: the less, the deeper
};

/// How far the columns of eight rotations are from orthonormal, or how far they are reflections; `x` holds their rows 0
/// and 1, four registers each, `y` row 2. Sums, because a maximum may pass over what is not a number.
inline Float8 rotation_errors(const Float8* x, const Float8* y) {
    const Float8 one(1.f);
    Float8 sum(0.f);
    for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j) {
            const Float8 product = multiply_add(x[i], x[j], multiply_add(x[4 + i], x[4 + j], y[i] * y[j]));
            sum = sum + absolute(i == j ? product - one : product);
        }
    const Float8 determinant =
        multiply_add(x[0], x[5] * y[2] - x[6] * y[1],
                     multiply_add(x[1], x[6] * y[0] - x[4] * y[2], x[2] * (x[4] * y[1] - x[5] * y[0])));
    return sum + absolute(one - determinant);
}

/// The 15 axes of Gottschalk, Lin and Manocha (1996) for eight pairs at once. `shift` is what to add to the centres of
/// b, `limit` bounds the rounding along any axis that is not longer than 1 (twice that for products of axes).
template <class Boxes, class Others>
ELBOWROOM_INLINE BoxVerdicts compare(const Boxes& a, const Others& b, const Float8* shift, Float8 limit) {
    Float8 offset[3], cosine[3][3], size[3][3], along[3], gap(-1e30f);
    for (int k = 0; k < 3; ++k) offset[k] = b.centre(k) - a.centre(k) + shift[k];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            cosine[i][j] = multiply_add(a.axis(i, 0), b.axis(j, 0),
                                        multiply_add(a.axis(i, 1), b.axis(j, 1), a.axis(i, 2) * b.axis(j, 2)));
            size[i][j] = absolute(cosine[i][j]);
        }
    for (int i = 0; i < 3; ++i) {
        along[i] =
            multiply_add(a.axis(i, 0), offset[0], multiply_add(a.axis(i, 1), offset[1], a.axis(i, 2) * offset[2]));
        const Float8 halves =
            multiply_add(b.half(0), size[i][0], multiply_add(b.half(1), size[i][1], b.half(2) * size[i][2]));
        gap = most(gap, absolute(along[i]) - a.half(i) - halves);
    }
    for (int j = 0; j < 3; ++j) {
        const Float8 other =
            multiply_add(b.axis(j, 0), offset[0], multiply_add(b.axis(j, 1), offset[1], b.axis(j, 2) * offset[2]));
        const Float8 halves =
            multiply_add(a.half(0), size[0][j], multiply_add(a.half(1), size[1][j], a.half(2) * size[2][j]));
        gap = most(gap, absolute(other) - b.half(j) - halves);
    }
    const unsigned faces = where_at_most(gap, limit);
    if (!faces) return {0, 0, gap};
    Float8 across(-1e30f);
    for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            const Float8 apart = absolute(negated_multiply_add(along[i1], cosine[i2][j], along[i2] * cosine[i1][j]));
            const Float8 own = multiply_add(a.half(i1), size[i2][j], a.half(i2) * size[i1][j]);
            across =
                most(across, apart - multiply_add(b.half(j1), size[i][j2], multiply_add(b.half(j2), size[i][j1], own)));
        }
    }
    const unsigned near = faces & where_at_most(across, limit + limit);
    const unsigned certain = near & where_at_most(most(gap, across), Float8(-4.f) * limit);
    return {near, certain, gap};
}

}  // namespace elbowroom
