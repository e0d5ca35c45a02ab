// The only door to standard headers for math, volumes and narrow, so that a GPU compiler can take them as they are.
#pragma once

#if defined(__CUDACC_RTC__)
#define ELBOWROOM_INLINE __host__ __device__ inline
#else
#include <cmath>
#include <cstdint>
#if defined(__SSE2__)
#include <immintrin.h>
#endif
#define ELBOWROOM_INLINE inline __attribute__((always_inline))
#endif

namespace elbowroom {

/// Larger than any length that a body may have, and still finite when squared.
inline constexpr double far_away = 1e150;

/// The radius of a half-space, and half the sides of a box about one: beyond all sizes of other bodies, and still
/// finite when squared in single precision.
inline constexpr double unbounded = 1e18;

/// Rounding of the exact (double) kernels, relative to the sizes and the translation of the two bodies: transforming a
/// point costs at most about 2e-15 of that, a projection another 1e-15. Closer than this counts as touching.
inline constexpr double rounding = 1e-14;

template <class T>
ELBOWROOM_INLINE T least(T a, T b) {
    return b < a ? b : a;
}
template <class T>
ELBOWROOM_INLINE T most(T a, T b) {
    return a < b ? b : a;
}
template <class T>
ELBOWROOM_INLINE T clamped(T x, T low, T high) {
    return x < low ? low : (high < x ? high : x);
}

}  // namespace elbowroom
