#pragma once
#include "elbowroom/portable.hpp"

namespace elbowroom {

/// The numbers of `numpy.random.Generator(numpy.random.PCG64(seed))`, bit for bit: PCG XSL RR 128/64 [ONeill 2014],
/// seeded as NumPy's SeedSequence does. To make that generator takes NumPy longer than to draw a configuration.
class NumpyRandom {
public:
    explicit NumpyRandom(std::uint64_t seed) {
        std::uint32_t words[8];
        spread(seed, words);
        const auto wide = [&](int k) { return std::uint64_t(words[2 * k + 1]) << 32 | words[2 * k]; };
        increment_ = (Wide(wide(2)) << 64 | wide(3)) << 1 | 1;
        step();
        state_ += Wide(wide(0)) << 64 | wide(1);
        step();
    }
    /// In [0, 1), a multiple of 2^-53.
    double uniform() { return double(next() >> 11) * 0x1p-53; }

private:
    __extension__ using Wide = unsigned __int128;
    static constexpr Wide multiplier = Wide(2549297995355413924u) << 64 | 4865540595714422341u;
    Wide state_ = 0, increment_ = 0;

    void step() { state_ = state_ * multiplier + increment_; }
    std::uint64_t next() {
        step();
        const std::uint64_t x = std::uint64_t(state_ >> 64) ^ std::uint64_t(state_);
        const int turn = int(state_ >> 122);
        return x >> turn | x << (-turn & 63);
    }

    /// Multiplies by a constant that changes from call to call.
    struct Hash {
        std::uint32_t constant, factor;
        std::uint32_t operator()(std::uint32_t value) {
            value ^= constant;
            constant *= factor;
            value *= constant;
            return value ^ value >> 16;
        }
    };
    static void spread(std::uint64_t seed, std::uint32_t (&words)[8]) {
        Hash in{0x43b0d7e5u, 0x931e8875u}, out{0x8b51f9ddu, 0x58f38dedu};
        std::uint32_t pool[4];
        for (int i = 0; i < 4; ++i) pool[i] = in(i < 2 ? std::uint32_t(seed >> 32 * i) : 0);
        for (int from = 0; from < 4; ++from)
            for (int to = 0; to < 4; ++to) {
                if (from == to) continue;
                const std::uint32_t mixed = 0xca01f9ddu * pool[to] - 0x4973f715u * in(pool[from]);
                pool[to] = mixed ^ mixed >> 16;
            }
        for (int i = 0; i < 8; ++i) words[i] = out(pool[i % 4]);
    }
};

}  // namespace elbowroom
