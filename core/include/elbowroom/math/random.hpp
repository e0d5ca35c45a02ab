#pragma once
#include "elbowroom/math/quaternion.hpp"

namespace elbowroom {

/// xoshiro256++ (Blackman and Vigna 2021), seeded by splitmix64. Its whole state is four numbers, which can be saved.
struct Random {
    std::uint64_t s[4] = {};

    Random() : Random(0, 0) {}
    /// Streams of one seed are independent of each other.
    Random(std::uint64_t seed, std::uint64_t stream) {
        std::uint64_t x = seed;
        for (std::uint64_t& word : s) word = mixed(x += 0x9e3779b97f4a7c15u);
        x = mixed(stream ^ 0xd1b54a32d192ed03u);
        for (std::uint64_t& word : s) word = mixed(word ^ (x += 0x9e3779b97f4a7c15u));
        if (is_stuck()) s[0] = 1;
    }
    /// The one state from which it never moves.
    bool is_stuck() const { return !(s[0] | s[1] | s[2] | s[3]); }
    ELBOWROOM_INLINE std::uint64_t next() {
        const std::uint64_t out = turned(s[0] + s[3], 23) + s[0], t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = turned(s[3], 45);
        return out;
    }
    /// In [0, 1), a multiple of 2^-53.
    ELBOWROOM_INLINE double uniform() { return double(next() >> 11) * 0x1p-53; }
    /// In (-1, 1), symmetric about 0.
    ELBOWROOM_INLINE double symmetric() { return (double(next() >> 11) + 0.5) * 0x1p-52 - 1; }
    /// A whole number below `n`, each equally likely [Lemire 2019].
    ELBOWROOM_INLINE std::uint64_t below(std::uint64_t n) {
        unsigned __int128 m = (unsigned __int128)(next()) * n;
        if (std::uint64_t(m) < n) [[unlikely]]
            for (const std::uint64_t floor = -n % n; std::uint64_t(m) < floor;) m = (unsigned __int128)(next()) * n;
        return std::uint64_t(m >> 64);
    }
    /// A direction, uniform on the sphere [Marsaglia 1972].
    Vec3 direction() {
        double a, b, s2;
        do a = symmetric(), b = symmetric(), s2 = a * a + b * b;
        while (s2 >= 1);
        const double f = 2 * std::sqrt(1 - s2);
        return {a * f, b * f, 1 - 2 * s2};
    }
    /// A rotation, uniform over all [Marsaglia 1972].
    Quat rotation() {
        double a, b, c, d, s2, t2;
        do a = symmetric(), b = symmetric(), s2 = a * a + b * b;
        while (s2 >= 1);
        do c = symmetric(), d = symmetric(), t2 = c * c + d * d;
        while (t2 >= 1);
        const double f = std::sqrt((1 - s2) / t2);
        return unit(Quat{a, b, c * f, d * f});
    }

private:
    static ELBOWROOM_INLINE std::uint64_t turned(std::uint64_t x, int k) { return x << k | x >> (64 - k); }
    static std::uint64_t mixed(std::uint64_t z) {
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        return z ^ z >> 31;
    }
};

}  // namespace elbowroom
