// One oriented box in 64 bytes, and two of them compared: the pair kernel of articulated bodies.
#pragma once
#include "elbowroom/math/lanes.hpp"

namespace elbowroom {

ELBOWROOM_INLINE Float4 absolute_four(Float4 a) {
    return (Float4)((Int4)a & Int4{0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff});
}
ELBOWROOM_INLINE Float4 most_four(Float4 a, Float4 b) { return a > b ? a : b; }
/// Is one of the first three lanes of a larger than that of b?
ELBOWROOM_INLINE bool any_of_three_exceeds(Float4 a, Float4 b) {
#if defined(__SSE2__)
    return (_mm_movemask_ps((__m128)(a > b)) & 7) != 0;
#else
    return a[0] > b[0] || a[1] > b[1] || a[2] > b[2];
#endif
}
ELBOWROOM_INLINE Float4 yzx(Float4 a) { return __builtin_shufflevector(a, a, 1, 2, 0, 3); }
ELBOWROOM_INLINE Float4 zxy(Float4 a) { return __builtin_shufflevector(a, a, 2, 0, 1, 3); }

/// A box in single precision: row k is (axis 0, axis 1, axis 2, centre) in coordinate k; half sides.
struct alignas(64) BoxRow {
    float row[3][4];
    float half[4];
    ELBOWROOM_INLINE Float4 get(int k) const { return *reinterpret_cast<const Float4*>(row[k]); }
    ELBOWROOM_INLINE Float4 halves() const { return *reinterpret_cast<const Float4*>(half); }
};

/// What two boxes in single precision tell.
enum class BoxVerdict { apart, unsure, overlap };

/// The 15 axes of Gottschalk, Lin and Manocha (1996), three at a time. `shift` is what to add to the centre of b,
/// `margin` bounds the rounding along any axis that is not longer than 1 (twice that for products of axes). `depth`
/// is the largest signed gap along the six axes of the faces: the less, the deeper.
ELBOWROOM_INLINE BoxVerdict compare(const BoxRow& a, const BoxRow& b, const float* shift, float margin, float& depth) {
    const Float4 a0 = a.get(0), a1 = a.get(1), a2 = a.get(2), b0 = b.get(0), b1 = b.get(1), b2 = b.get(2);
    const Float4 x = all_four(b.row[0][3] - a.row[0][3] + shift[0]), y = all_four(b.row[1][3] - a.row[1][3] + shift[1]),
                 z = all_four(b.row[2][3] - a.row[2][3] + shift[2]);
    const Float4 limit = all_four(margin);
    const Float4 along_a = multiply_add(x, a0, multiply_add(y, a1, z * a2));
    Float4 sum = a.halves();
    for (int j = 0; j < 3; ++j) {
        const Float4 cosines = multiply_add(all_four(b.row[0][j]), a0,
                                            multiply_add(all_four(b.row[1][j]), a1, all_four(b.row[2][j]) * a2));
        sum = multiply_add(all_four(b.half[j]), absolute_four(cosines), sum);
    }
    Float4 gap = absolute_four(along_a) - sum;
    if (any_of_three_exceeds(gap, limit)) return BoxVerdict::apart;
    Float4 cosine[3], size[3];
    sum = b.halves();
    for (int i = 0; i < 3; ++i) {
        cosine[i] = multiply_add(all_four(a.row[0][i]), b0,
                                 multiply_add(all_four(a.row[1][i]), b1, all_four(a.row[2][i]) * b2));
        size[i] = absolute_four(cosine[i]);
        sum = multiply_add(all_four(a.half[i]), size[i], sum);
    }
    const Float4 along_b = multiply_add(x, b0, multiply_add(y, b1, z * b2));
    gap = most_four(gap, absolute_four(along_b) - sum);
    if (any_of_three_exceeds(gap, limit)) return BoxVerdict::apart;
    const Float4 along[3] = {__builtin_shufflevector(along_a, along_a, 0, 0, 0, 0),
                             __builtin_shufflevector(along_a, along_a, 1, 1, 1, 1),
                             __builtin_shufflevector(along_a, along_a, 2, 2, 2, 2)};
    const Float4 half_1 = yzx(b.halves()), half_2 = zxy(b.halves());
    Float4 across = all_four(-1e30f);
    for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        const Float4 apart = absolute_four(along[i2] * cosine[i1] - along[i1] * cosine[i2]);
        const Float4 own = multiply_add(all_four(a.half[i1]), size[i2], all_four(a.half[i2]) * size[i1]);
        across = most_four(across, apart - multiply_add(half_1, zxy(size[i]), multiply_add(half_2, yzx(size[i]), own)));
    }
    if (any_of_three_exceeds(across, limit + limit)) return BoxVerdict::apart;
    depth = gap[0] > gap[1] ? (gap[0] > gap[2] ? gap[0] : gap[2]) : (gap[1] > gap[2] ? gap[1] : gap[2]);
    return any_of_three_exceeds(most_four(gap + limit, across), -(limit + limit)) ? BoxVerdict::unsure
                                                                                 : BoxVerdict::overlap;
}

}  // namespace elbowroom
