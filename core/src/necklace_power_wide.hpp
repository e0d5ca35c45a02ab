// Whole numbers of 384 bits, for signs that double precision cannot tell.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>

namespace elbowroom {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Unsigned128;

/// Two's complement, the lowest limb first. What does not fit is lost: the callers know the sizes.
class Wide {
public:
    Wide() : limb_{} {}
    Wide(Int128 x) {
        limb_.fill(x < 0 ? ~std::uint64_t(0) : 0);
        limb_[0] = std::uint64_t(x), limb_[1] = std::uint64_t(Unsigned128(x) >> 64);
    }
    /// x 2^exponent, rounded towards zero.
    static Wide scaled(double x, int exponent) {
        int power = 0;
        const auto digits = std::uint64_t(std::ldexp(std::frexp(std::fabs(x), &power), 53));
        const int shift = power - 53 + exponent;
        Wide out;
        if (shift > -64 && shift < 0) out.limb_[0] = digits >> -shift;
        if (shift >= 0) {
            const Unsigned128 moved = Unsigned128(digits) << shift % 64;
            out.limb_[shift / 64] = std::uint64_t(moved);
            out.limb_[shift / 64 + 1] = std::uint64_t(moved >> 64);
        }
        return x < 0 ? -out : out;
    }
    /// This, times 2^exponent, rounded.
    double to_double(int exponent) const {
        if (sign() < 0) return -(-*this).to_double(exponent);
        double out = 0;
        for (int i = size; i-- > 0;) out += std::ldexp(double(limb_[i]), 64 * i + exponent);
        return out;
    }
    int sign() const {
        if (limb_[size - 1] >> 63) return -1;
        for (const std::uint64_t x : limb_)
            if (x) return 1;
        return 0;
    }
    Wide operator-() const { return Wide() - *this; }
    Wide operator+(const Wide& o) const { return added(o, 0, 0); }
    Wide operator-(const Wide& o) const { return added(o, ~std::uint64_t(0), 1); }
    Wide operator*(const Wide& o) const {
        Wide out;
        for (int i = 0; i < size; ++i) {
            Unsigned128 carry = 0;
            for (int j = 0; i + j < size; ++j) {
                carry += Unsigned128(limb_[i]) * o.limb_[j] + out.limb_[i + j];
                out.limb_[i + j] = std::uint64_t(carry), carry >>= 64;
            }
        }
        return out;
    }
    /// Rounded towards zero.
    Wide operator/(std::uint32_t divisor) const {
        if (sign() < 0) return -(-*this / divisor);
        Wide out;
        Unsigned128 rest = 0;
        for (int i = size; i-- > 0;) {
            rest = rest << 64 | limb_[i];
            out.limb_[i] = std::uint64_t(rest / divisor), rest %= divisor;
        }
        return out;
    }

private:
    static constexpr int size = 6;
    std::array<std::uint64_t, size> limb_;

    Wide added(const Wide& o, std::uint64_t flipped, unsigned carry_in) const {
        Wide out;
        Unsigned128 carry = carry_in;
        for (int i = 0; i < size; ++i) {
            carry += Unsigned128(limb_[i]) + (o.limb_[i] ^ flipped);
            out.limb_[i] = std::uint64_t(carry), carry >>= 64;
        }
        return out;
    }
};

}  // namespace elbowroom
