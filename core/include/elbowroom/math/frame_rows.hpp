#pragma once
#include "elbowroom/math/lanes.hpp"
#include "elbowroom/math/rigid.hpp"

namespace elbowroom {

/// A rigid transform as the upper three rows (r0, r1, r2, t) of its matrix: a product takes nine fused operations.
struct alignas(32) FrameRows {
    double at[3][4];

    FrameRows() = default;
    explicit FrameRows(const Rigid& r) {
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) at[i][j] = r.rotation.row[i][j];
            at[i][3] = r.translation[i];
        }
    }
    ELBOWROOM_INLINE Double4 row(int i) const { return Double4::load(at[i]); }
};

/// From twelve doubles in a row, wherever they lie.
ELBOWROOM_INLINE Rigid rigid_of_rows(const double* p) {
    return {{{{p[0], p[1], p[2]}, {p[4], p[5], p[6]}, {p[8], p[9], p[10]}}}, {p[3], p[7], p[11]}};
}

/// Row i of the product a b, where a is given by its rows in memory.
ELBOWROOM_INLINE Double4 product_row(const double* a, int i, const Double4* b) {
    const double* p = a + 4 * i;
    const Double4 shift = Double4::load(p) & four_lanes_where(8);
    return multiply_add(Double4(p[0]), b[0],
                        multiply_add(Double4(p[1]), b[1], multiply_add(Double4(p[2]), b[2], shift)));
}
ELBOWROOM_INLINE Double4 product_row(const double* a, int i, const FrameRows& b) {
    const Double4 rows[3] = {b.row(0), b.row(1), b.row(2)};
    return product_row(a, i, rows);
}
ELBOWROOM_INLINE void multiply(const double* a, const Double4* b, FrameRows& out) {
    for (int i = 0; i < 3; ++i) product_row(a, i, b).store(out.at[i]);
}
ELBOWROOM_INLINE void multiply(const double* a, const FrameRows& b, FrameRows& out) {
    const Double4 rows[3] = {b.row(0), b.row(1), b.row(2)};
    multiply(a, rows, out);
}

}  // namespace elbowroom
