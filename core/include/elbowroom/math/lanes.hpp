// Eight floats and four doubles at once. AVX2 where the compiler is told so; elsewhere two halves of 16 bytes, which
// every SIMD unit has (vectors wider than the instruction set are torn into scalars by the compiler).
#pragma once
#include "elbowroom/portable.hpp"

namespace elbowroom {

typedef float Float4 __attribute__((vector_size(16), may_alias));  // is laid over arrays of floats
typedef int Int4 __attribute__((vector_size(16)));

ELBOWROOM_INLINE Float4 all_four(float a) { return Float4{a, a, a, a}; }
ELBOWROOM_INLINE Float4 most(Float4 a, Float4 b) { return a > b ? a : b; }
ELBOWROOM_INLINE Float4 least(Float4 a, Float4 b) { return a < b ? a : b; }

#if defined(__AVX2__) && defined(__FMA__)

ELBOWROOM_INLINE Float4 multiply_add(Float4 a, Float4 b, Float4 c) {
    return (Float4)_mm_fmadd_ps((__m128)a, (__m128)b, (__m128)c);
}

struct Float8 {
    __m256 v;
    Float8() = default;
    ELBOWROOM_INLINE Float8(__m256 a) : v(a) {}
    ELBOWROOM_INLINE Float8(float a) : v(_mm256_set1_ps(a)) {}
    static ELBOWROOM_INLINE Float8 load(const float* p) { return _mm256_load_ps(p); }
    static ELBOWROOM_INLINE Float8 load_anywhere(const float* p) { return _mm256_loadu_ps(p); }
    static ELBOWROOM_INLINE Float8 load_two(const float* p) { return _mm256_setr_ps(p[0], p[1], 0, 0, 0, 0, 0, 0); }
    ELBOWROOM_INLINE void store(float* p) const { _mm256_storeu_ps(p, v); }
};
ELBOWROOM_INLINE Float8 operator+(Float8 a, Float8 b) { return _mm256_add_ps(a.v, b.v); }
ELBOWROOM_INLINE Float8 operator-(Float8 a, Float8 b) { return _mm256_sub_ps(a.v, b.v); }
ELBOWROOM_INLINE Float8 operator*(Float8 a, Float8 b) { return _mm256_mul_ps(a.v, b.v); }
ELBOWROOM_INLINE Float8 operator/(Float8 a, Float8 b) { return _mm256_div_ps(a.v, b.v); }
ELBOWROOM_INLINE Float8 multiply_add(Float8 a, Float8 b, Float8 c) { return _mm256_fmadd_ps(a.v, b.v, c.v); }
ELBOWROOM_INLINE Float8 negated_multiply_add(Float8 a, Float8 b, Float8 c) { return _mm256_fnmadd_ps(a.v, b.v, c.v); }
ELBOWROOM_INLINE Float8 absolute(Float8 a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.f), a.v); }
ELBOWROOM_INLINE Float8 most(Float8 a, Float8 b) { return _mm256_max_ps(a.v, b.v); }
ELBOWROOM_INLINE Float8 least(Float8 a, Float8 b) { return _mm256_min_ps(a.v, b.v); }
/// One bit for each lane where a <= b (never for NaN).
ELBOWROOM_INLINE unsigned where_at_most(Float8 a, Float8 b) {
    return unsigned(_mm256_movemask_ps(_mm256_cmp_ps(a.v, b.v, _CMP_LE_OQ)));
}
/// All ones in the lanes where a > b.
ELBOWROOM_INLINE Float8 greater(Float8 a, Float8 b) { return _mm256_cmp_ps(a.v, b.v, _CMP_GT_OQ); }
ELBOWROOM_INLINE Float8 square_root(Float8 a) { return _mm256_sqrt_ps(a.v); }
/// 1 / sqrt(a) with a relative error of at most 1.5 / 4096, or less.
ELBOWROOM_INLINE Float8 rough_reciprocal_root(Float8 a) { return _mm256_rsqrt_ps(a.v); }
/// All ones in the lanes whose bits are set.
ELBOWROOM_INLINE Float8 lanes_where(unsigned bits) {
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const __m256i in = _mm256_and_si256(_mm256_set1_epi32(int(bits)), bit);
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(in, bit));
}
ELBOWROOM_INLINE Float8 select(Float8 where, Float8 a, Float8 b) { return _mm256_blendv_ps(b.v, a.v, where.v); }
ELBOWROOM_INLINE float largest(Float8 a) {
    __m128 q = _mm_max_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
    q = _mm_max_ps(q, _mm_movehl_ps(q, q));
    return _mm_cvtss_f32(_mm_max_ss(q, _mm_movehdup_ps(q)));
}
ELBOWROOM_INLINE float smallest(Float8 a) {
    __m128 q = _mm_min_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
    q = _mm_min_ps(q, _mm_movehl_ps(q, q));
    return _mm_cvtss_f32(_mm_min_ss(q, _mm_movehdup_ps(q)));
}
/// The lane of the non-empty set `lanes` with the smallest key; ties and the last three bits go to the lower lane.
ELBOWROOM_INLINE int lane_of_least(Float8 key, unsigned lanes) {
    __m256i k = _mm256_castps_si256(key.v);
    k = _mm256_xor_si256(k, _mm256_srli_epi32(_mm256_srai_epi32(k, 31), 1));  // floats in the order of integers
    const __m256i number = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
                  bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    k = _mm256_or_si256(_mm256_and_si256(k, _mm256_set1_epi32(~7)), number);
    const __m256i in = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(int(lanes)), bit), bit);
    k = _mm256_blendv_epi8(_mm256_set1_epi32(0x7fffffff), k, in);
    __m128i q = _mm_min_epi32(_mm256_castsi256_si128(k), _mm256_extracti128_si256(k, 1));
    q = _mm_min_epi32(q, _mm_shuffle_epi32(q, 0x4e));
    q = _mm_min_epi32(q, _mm_shuffle_epi32(q, 0xb1));
    return _mm_cvtsi128_si32(q) & 7;
}

ELBOWROOM_INLINE Float8 joined(Float4 low, Float4 high) { return _mm256_set_m128((__m128)high, (__m128)low); }
/// Eight rows of eight become eight columns.
ELBOWROOM_INLINE void transpose(Float8* x) {
    __m256 y[8];
    for (int i = 0; i < 8; i += 2) {
        y[i] = _mm256_unpacklo_ps(x[i].v, x[i + 1].v);
        y[i + 1] = _mm256_unpackhi_ps(x[i].v, x[i + 1].v);
    }
    __m256 q[8];
    for (int i = 0; i < 8; i += 4)
        for (int k = 0; k < 2; ++k) {
            q[i + 2 * k] = _mm256_shuffle_ps(y[i + k], y[i + k + 2], 0x44);
            q[i + 2 * k + 1] = _mm256_shuffle_ps(y[i + k], y[i + k + 2], 0xee);
        }
    for (int i = 0; i < 4; ++i) {
        x[i] = _mm256_permute2f128_ps(q[i], q[i + 4], 0x20);
        x[i + 4] = _mm256_permute2f128_ps(q[i], q[i + 4], 0x31);
    }
}

/// Reduces eight registers to one: lane i is `better` over all lanes of x[i].
template <class Better>
ELBOWROOM_INLINE Float8 reduced_each(const Float8* x, Better&& better) {
    Float8 pairs[4], fours[2];
    for (int i = 0; i < 4; ++i)
        pairs[i] =
            better(_mm256_unpacklo_ps(x[2 * i].v, x[2 * i + 1].v), _mm256_unpackhi_ps(x[2 * i].v, x[2 * i + 1].v));
    for (int i = 0; i < 2; ++i)
        fours[i] = better(_mm256_shuffle_ps(pairs[2 * i].v, pairs[2 * i + 1].v, 0x44),
                          _mm256_shuffle_ps(pairs[2 * i].v, pairs[2 * i + 1].v, 0xee));
    return better(_mm256_permute2f128_ps(fours[0].v, fours[1].v, 0x20),
                  _mm256_permute2f128_ps(fours[0].v, fours[1].v, 0x31));
}

struct Double4 {
    __m256d v;
    Double4() = default;
    ELBOWROOM_INLINE Double4(__m256d a) : v(a) {}
    ELBOWROOM_INLINE Double4(double a) : v(_mm256_set1_pd(a)) {}
    ELBOWROOM_INLINE Double4(double a, double b, double c, double d) : v(_mm256_setr_pd(a, b, c, d)) {}
    static ELBOWROOM_INLINE Double4 load(const double* p) { return _mm256_loadu_pd(p); }
    /// (p0, p0, p1, p1) and (p0, p1, p0, p1): all pairs of two and two.
    static ELBOWROOM_INLINE Double4 each_twice(const double* p) {
        return _mm256_permute4x64_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p)), 0x50);
    }
    static ELBOWROOM_INLINE Double4 alternating(const double* p) {
        return _mm256_broadcast_pd(reinterpret_cast<const __m128d*>(p));
    }
    ELBOWROOM_INLINE void store(double* p) const { _mm256_storeu_pd(p, v); }
};
ELBOWROOM_INLINE Double4 operator+(Double4 a, Double4 b) { return _mm256_add_pd(a.v, b.v); }
ELBOWROOM_INLINE Double4 operator-(Double4 a, Double4 b) { return _mm256_sub_pd(a.v, b.v); }
ELBOWROOM_INLINE Double4 operator*(Double4 a, Double4 b) { return _mm256_mul_pd(a.v, b.v); }
ELBOWROOM_INLINE Double4 operator/(Double4 a, Double4 b) { return _mm256_div_pd(a.v, b.v); }
ELBOWROOM_INLINE Double4 operator&(Double4 a, Double4 b) { return _mm256_and_pd(a.v, b.v); }
ELBOWROOM_INLINE Double4 operator|(Double4 a, Double4 b) { return _mm256_or_pd(a.v, b.v); }
ELBOWROOM_INLINE Double4 multiply_add(Double4 a, Double4 b, Double4 c) { return _mm256_fmadd_pd(a.v, b.v, c.v); }
ELBOWROOM_INLINE Double4 multiply_subtract(Double4 a, Double4 b, Double4 c) { return _mm256_fmsub_pd(a.v, b.v, c.v); }
ELBOWROOM_INLINE Double4 least(Double4 a, Double4 b) { return _mm256_min_pd(a.v, b.v); }
ELBOWROOM_INLINE Double4 most(Double4 a, Double4 b) { return _mm256_max_pd(a.v, b.v); }
ELBOWROOM_INLINE Double4 absolute(Double4 a) { return _mm256_andnot_pd(_mm256_set1_pd(-0.), a.v); }
ELBOWROOM_INLINE Double4 greater(Double4 a, Double4 b) { return _mm256_cmp_pd(a.v, b.v, _CMP_GT_OQ); }
ELBOWROOM_INLINE Double4 different(Double4 a, Double4 b) { return _mm256_cmp_pd(a.v, b.v, _CMP_NEQ_UQ); }
ELBOWROOM_INLINE Double4 select(Double4 where, Double4 a, Double4 b) { return _mm256_blendv_pd(b.v, a.v, where.v); }
ELBOWROOM_INLINE unsigned lanes_of(Double4 mask) { return unsigned(_mm256_movemask_pd(mask.v)); }
ELBOWROOM_INLINE Double4 four_lanes_where(unsigned bits) {
    const __m256i bit = _mm256_setr_epi64x(1, 2, 4, 8);
    return _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(bits), bit), bit));
}
ELBOWROOM_INLINE Double4 square_root(Double4 a) { return _mm256_sqrt_pd(a.v); }
ELBOWROOM_INLINE Float4 to_floats(Double4 a) { return (Float4)_mm256_cvtpd_ps(a.v); }
/// Eight doubles rounded to floats.
ELBOWROOM_INLINE Float8 to_floats(Double4 low, Double4 high) {
    return _mm256_set_m128(_mm256_cvtpd_ps(high.v), _mm256_cvtpd_ps(low.v));
}

#else

typedef double Double2 __attribute__((vector_size(16)));
typedef long long Long2 __attribute__((vector_size(16)));

ELBOWROOM_INLINE Float4 multiply_add(Float4 a, Float4 b, Float4 c) { return a * b + c; }
ELBOWROOM_INLINE unsigned bits_of(Int4 mask) {
#if defined(__SSE2__)
    return unsigned(_mm_movemask_ps((__m128)mask));
#else
    return unsigned((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
#endif
}
ELBOWROOM_INLINE unsigned bits_of(Long2 mask) {
#if defined(__SSE2__)
    return unsigned(_mm_movemask_pd((__m128d)mask));
#else
    return unsigned((mask[0] & 1) | (mask[1] & 2));
#endif
}

struct Float8 {
    Float4 low, high;
    Float8() = default;
    ELBOWROOM_INLINE Float8(Float4 a, Float4 b) : low(a), high(b) {}
    ELBOWROOM_INLINE Float8(float a) : low{a, a, a, a}, high{a, a, a, a} {}
    static ELBOWROOM_INLINE Float8 load(const float* p) {
        return {*reinterpret_cast<const Float4*>(p), *reinterpret_cast<const Float4*>(p + 4)};
    }
    static ELBOWROOM_INLINE Float8 load_anywhere(const float* p) {
        return {Float4{p[0], p[1], p[2], p[3]}, Float4{p[4], p[5], p[6], p[7]}};
    }
    static ELBOWROOM_INLINE Float8 load_two(const float* p) { return {Float4{p[0], p[1], 0, 0}, Float4{0, 0, 0, 0}}; }
    ELBOWROOM_INLINE void store(float* p) const {
        for (int i = 0; i < 4; ++i) {
            p[i] = low[i];
            p[i + 4] = high[i];
        }
    }
};
ELBOWROOM_INLINE Float8 operator+(Float8 a, Float8 b) { return {a.low + b.low, a.high + b.high}; }
ELBOWROOM_INLINE Float8 operator-(Float8 a, Float8 b) { return {a.low - b.low, a.high - b.high}; }
ELBOWROOM_INLINE Float8 operator*(Float8 a, Float8 b) { return {a.low * b.low, a.high * b.high}; }
ELBOWROOM_INLINE Float8 operator/(Float8 a, Float8 b) { return {a.low / b.low, a.high / b.high}; }
ELBOWROOM_INLINE Float8 multiply_add(Float8 a, Float8 b, Float8 c) { return a * b + c; }
ELBOWROOM_INLINE Float8 negated_multiply_add(Float8 a, Float8 b, Float8 c) { return c - a * b; }
ELBOWROOM_INLINE Float8 most(Float8 a, Float8 b) { return {most(a.low, b.low), most(a.high, b.high)}; }
ELBOWROOM_INLINE Float8 least(Float8 a, Float8 b) { return {least(a.low, b.low), least(a.high, b.high)}; }
ELBOWROOM_INLINE Float4 absolute(Float4 a) {
    return (Float4)((Int4)a & Int4{0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff});
}
ELBOWROOM_INLINE Float8 absolute(Float8 a) { return {absolute(a.low), absolute(a.high)}; }
/// One bit for each lane where a <= b (never for NaN).
ELBOWROOM_INLINE unsigned where_at_most(Float8 a, Float8 b) {
    return bits_of((Int4)(a.low <= b.low)) | bits_of((Int4)(a.high <= b.high)) << 4;
}
/// All ones in the lanes where a > b.
ELBOWROOM_INLINE Float8 greater(Float8 a, Float8 b) { return {(Float4)(a.low > b.low), (Float4)(a.high > b.high)}; }
ELBOWROOM_INLINE Float4 square_root(Float4 a) {
    return Float4{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
}
ELBOWROOM_INLINE Float8 square_root(Float8 a) { return {square_root(a.low), square_root(a.high)}; }
/// 1 / sqrt(a) with a relative error of at most 1.5 / 4096, or less.
ELBOWROOM_INLINE Float8 rough_reciprocal_root(Float8 a) { return Float8(1.f) / square_root(a); }
/// All ones in the lanes whose bits are set.
ELBOWROOM_INLINE Float8 lanes_where(unsigned bits) {
    const int b = int(bits);
    const Int4 all{b, b, b, b}, low{1, 2, 4, 8}, high{16, 32, 64, 128};
    return {(Float4)((all & low) == low), (Float4)((all & high) == high)};
}
ELBOWROOM_INLINE Float8 select(Float8 where, Float8 a, Float8 b) {
    return {(Int4)where.low < 0 ? a.low : b.low, (Int4)where.high < 0 ? a.high : b.high};
}
ELBOWROOM_INLINE float largest(Float8 a) {
    const Float4 q = most(a.low, a.high);
    return most(most(q[0], q[1]), most(q[2], q[3]));
}
ELBOWROOM_INLINE float smallest(Float8 a) {
    const Float4 q = least(a.low, a.high);
    return least(least(q[0], q[1]), least(q[2], q[3]));
}
/// The lane of the non-empty set `lanes` with the smallest key; ties go to the lower lane.
ELBOWROOM_INLINE int lane_of_least(Float8 key, unsigned lanes) {
    float k[8];
    key.store(k);
    int best = __builtin_ctz(lanes);
    for (unsigned rest = lanes & (lanes - 1); rest; rest &= rest - 1)
        if (const int i = __builtin_ctz(rest); k[i] < k[best]) best = i;
    return best;
}

ELBOWROOM_INLINE Float8 joined(Float4 low, Float4 high) { return {low, high}; }
/// Eight rows of eight become eight columns.
ELBOWROOM_INLINE void transpose(Float8* x) {
    float rows[8][8], columns[8][8];
    for (int i = 0; i < 8; ++i) x[i].store(rows[i]);
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) columns[j][i] = rows[i][j];
    for (int i = 0; i < 8; ++i)
        x[i] = {Float4{columns[i][0], columns[i][1], columns[i][2], columns[i][3]},
                Float4{columns[i][4], columns[i][5], columns[i][6], columns[i][7]}};
}

/// Reduces eight registers to one: lane i is `better` over all lanes of x[i].
template <class Better>
ELBOWROOM_INLINE Float8 reduced_each(const Float8* x, Better&& better) {
    Float8 columns[8];
    for (int i = 0; i < 8; ++i) columns[i] = x[i];
    transpose(columns);
    Float8 out = columns[0];
    for (int i = 1; i < 8; ++i) out = better(out, columns[i]);
    return out;
}

struct Double4 {
    Double2 low, high;
    Double4() = default;
    ELBOWROOM_INLINE Double4(Double2 a, Double2 b) : low(a), high(b) {}
    ELBOWROOM_INLINE Double4(double a) : low{a, a}, high{a, a} {}
    ELBOWROOM_INLINE Double4(double a, double b, double c, double d) : low{a, b}, high{c, d} {}
    static ELBOWROOM_INLINE Double4 load(const double* p) { return {p[0], p[1], p[2], p[3]}; }
    static ELBOWROOM_INLINE Double4 each_twice(const double* p) { return {Double2{p[0], p[0]}, Double2{p[1], p[1]}}; }
    static ELBOWROOM_INLINE Double4 alternating(const double* p) { return {Double2{p[0], p[1]}, Double2{p[0], p[1]}}; }
    ELBOWROOM_INLINE void store(double* p) const {
        p[0] = low[0];
        p[1] = low[1];
        p[2] = high[0];
        p[3] = high[1];
    }
};
ELBOWROOM_INLINE Double4 operator+(Double4 a, Double4 b) { return {a.low + b.low, a.high + b.high}; }
ELBOWROOM_INLINE Double4 operator-(Double4 a, Double4 b) { return {a.low - b.low, a.high - b.high}; }
ELBOWROOM_INLINE Double4 operator*(Double4 a, Double4 b) { return {a.low * b.low, a.high * b.high}; }
ELBOWROOM_INLINE Double4 operator/(Double4 a, Double4 b) { return {a.low / b.low, a.high / b.high}; }
ELBOWROOM_INLINE Double4 operator&(Double4 a, Double4 b) {
    return {(Double2)((Long2)a.low & (Long2)b.low), (Double2)((Long2)a.high & (Long2)b.high)};
}
ELBOWROOM_INLINE Double4 operator|(Double4 a, Double4 b) {
    return {(Double2)((Long2)a.low | (Long2)b.low), (Double2)((Long2)a.high | (Long2)b.high)};
}
ELBOWROOM_INLINE Double4 multiply_add(Double4 a, Double4 b, Double4 c) { return a * b + c; }
ELBOWROOM_INLINE Double4 multiply_subtract(Double4 a, Double4 b, Double4 c) { return a * b - c; }
ELBOWROOM_INLINE Double4 least(Double4 a, Double4 b) {
    return {a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}
ELBOWROOM_INLINE Double4 most(Double4 a, Double4 b) {
    return {a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}
ELBOWROOM_INLINE Double4 absolute(Double4 a) { return most(a, Double4(0.) - a); }
ELBOWROOM_INLINE Double4 greater(Double4 a, Double4 b) {
    return {(Double2)(a.low > b.low), (Double2)(a.high > b.high)};
}
ELBOWROOM_INLINE Double4 different(Double4 a, Double4 b) {
    return {(Double2)(a.low != b.low), (Double2)(a.high != b.high)};
}
ELBOWROOM_INLINE Double4 select(Double4 where, Double4 a, Double4 b) {
    return {(Long2)where.low < 0 ? a.low : b.low, (Long2)where.high < 0 ? a.high : b.high};
}
ELBOWROOM_INLINE unsigned lanes_of(Double4 mask) { return bits_of((Long2)mask.low) | bits_of((Long2)mask.high) << 2; }
ELBOWROOM_INLINE Double4 four_lanes_where(unsigned bits) {
    const long long b = bits;
    const Long2 all{b, b}, low{1, 2}, high{4, 8};
    return {(Double2)((all & low) == low), (Double2)((all & high) == high)};
}
ELBOWROOM_INLINE Double4 square_root(Double4 a) {
    return {std::sqrt(a.low[0]), std::sqrt(a.low[1]), std::sqrt(a.high[0]), std::sqrt(a.high[1])};
}
ELBOWROOM_INLINE Float4 to_floats(Double4 a) {
    return Float4{float(a.low[0]), float(a.low[1]), float(a.high[0]), float(a.high[1])};
}
/// Eight doubles rounded to floats.
ELBOWROOM_INLINE Float8 to_floats(Double4 low, Double4 high) {
    return {Float4{float(low.low[0]), float(low.low[1]), float(low.high[0]), float(low.high[1])},
            Float4{float(high.low[0]), float(high.low[1]), float(high.high[0]), float(high.high[1])}};
}

#endif

/// The smallest, or the largest, lane of each of eight registers.
ELBOWROOM_INLINE Float8 smallest_of_each(const Float8* x) {
    return reduced_each(x, [](Float8 a, Float8 b) { return least(a, b); });
}
ELBOWROOM_INLINE Float8 largest_of_each(const Float8* x) {
    return reduced_each(x, [](Float8 a, Float8 b) { return most(a, b); });
}

/// The twelve coordinates of four points become four of each kind.
ELBOWROOM_INLINE void sort_coordinates(Float4 a, Float4 b, Float4 c, Float4& x, Float4& y, Float4& z) {
#if defined(__SSE2__)
    const __m128 xyxy = _mm_shuffle_ps((__m128)b, (__m128)c, _MM_SHUFFLE(2, 1, 3, 2));
    const __m128 yzyz = _mm_shuffle_ps((__m128)a, (__m128)b, _MM_SHUFFLE(1, 0, 2, 1));
    x = (Float4)_mm_shuffle_ps((__m128)a, xyxy, _MM_SHUFFLE(2, 0, 3, 0));
    y = (Float4)_mm_shuffle_ps(yzyz, xyxy, _MM_SHUFFLE(3, 1, 2, 0));
    z = (Float4)_mm_shuffle_ps(yzyz, (__m128)c, _MM_SHUFFLE(3, 0, 3, 1));
#else
    x = Float4{a[0], a[3], b[2], c[1]};
    y = Float4{a[1], b[0], b[3], c[2]};
    z = Float4{a[2], b[1], c[0], c[3]};
#endif
}
/// Four rows of four become four columns.
ELBOWROOM_INLINE void transpose(Float4* x) {
#if defined(__SSE2__)
    __m128 a = (__m128)x[0], b = (__m128)x[1], c = (__m128)x[2], d = (__m128)x[3];
    _MM_TRANSPOSE4_PS(a, b, c, d);
    x[0] = (Float4)a;
    x[1] = (Float4)b;
    x[2] = (Float4)c;
    x[3] = (Float4)d;
#else
    Float4 y[4];
    for (int i = 0; i < 4; ++i) y[i] = Float4{x[0][i], x[1][i], x[2][i], x[3][i]};
    for (int i = 0; i < 4; ++i) x[i] = y[i];
#endif
}
ELBOWROOM_INLINE Float8 twice(Float4 a) { return joined(a, a); }

/// Four vectors at once.
struct Vec3x4 {
    Double4 x, y, z;
};
ELBOWROOM_INLINE Vec3x4 operator+(const Vec3x4& a, const Vec3x4& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
ELBOWROOM_INLINE Vec3x4 operator-(const Vec3x4& a, const Vec3x4& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
ELBOWROOM_INLINE Double4 dot(const Vec3x4& a, const Vec3x4& b) {
    return multiply_add(a.x, b.x, multiply_add(a.y, b.y, a.z * b.z));
}
ELBOWROOM_INLINE Vec3x4 cross(const Vec3x4& a, const Vec3x4& b) {
    return {multiply_subtract(a.y, b.z, a.z * b.y), multiply_subtract(a.z, b.x, a.x * b.z),
            multiply_subtract(a.x, b.y, a.y * b.x)};
}
ELBOWROOM_INLINE Double4 sum_of_sizes(const Vec3x4& a) { return absolute(a.x) + absolute(a.y) + absolute(a.z); }
ELBOWROOM_INLINE Double4 clamped_to_unit(Double4 a) { return most(Double4(0.), least(Double4(1.), a)); }
ELBOWROOM_INLINE Vec3x4 select(Double4 where, const Vec3x4& a, const Vec3x4& b) {
    return {select(where, a.x, b.x), select(where, a.y, b.y), select(where, a.z, b.z)};
}

}  // namespace elbowroom
