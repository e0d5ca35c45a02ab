// Vectors, boxes and symmetries of the cubic lattice, for saw_tree.cpp.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace lattice {

using Vec = std::array<int, 3>;

inline Vec operator+(const Vec& a, const Vec& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vec operator-(const Vec& a, const Vec& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

struct Box {
    Vec low, high;
};

inline Box operator+(const Vec& shift, const Box& b) { return {shift + b.low, shift + b.high}; }

inline Box around(const Box& a, const Box& b) {
    Box out;
    for (int k = 0; k < 3; ++k) {
        out.low[k] = std::min(a.low[k], b.low[k]);
        out.high[k] = std::max(a.high[k], b.high[k]);
    }
    return out;
}

inline bool apart(const Box& a, const Box& b) {
    return (a.low[0] > b.high[0]) | (b.low[0] > a.high[0]) | (a.low[1] > b.high[1]) | (b.low[1] > a.high[1]) |
           (a.low[2] > b.high[2]) | (b.low[2] > a.high[2]);
}

/// A symmetry of the cube: coordinate k of the image is sign[k] times coordinate axis[k].
struct Symmetry {
    std::array<int, 3> axis, sign;
};

/// The 48 symmetries, with their products and inverses. Number 0 changes nothing.
struct Cube {
    std::array<Symmetry, 48> all;
    std::array<std::array<std::uint8_t, 48>, 48> product;  // [a][b]: b first, then a
    std::array<std::uint8_t, 48> inverse;

    Cube() {
        std::array<int, 3> axis{0, 1, 2};
        int count = 0;
        do {
            for (int bits = 0; bits < 8; ++bits)
                all[count++] = {axis, {1 - 2 * (bits & 1), 1 - (bits & 2), 1 - (bits & 4) / 2}};
        } while (std::next_permutation(axis.begin(), axis.end()));
        for (int a = 0; a < 48; ++a)
            for (int b = 0; b < 48; ++b) {
                product[a][b] = std::uint8_t(find(a, b));
                if (product[a][b] == 0) inverse[a] = std::uint8_t(b);
            }
    }

    int find(int a, int b) const {
        Symmetry both;
        for (int k = 0; k < 3; ++k) {
            both.axis[k] = all[b].axis[all[a].axis[k]];
            both.sign[k] = all[a].sign[k] * all[b].sign[all[a].axis[k]];
        }
        int i = 0;
        while (all[i].axis != both.axis || all[i].sign != both.sign) ++i;
        return i;
    }
};

inline const Cube cube;

inline Vec turned(int symmetry, const Vec& v) {
    const Symmetry& s = cube.all[symmetry];
    return {s.sign[0] * v[s.axis[0]], s.sign[1] * v[s.axis[1]], s.sign[2] * v[s.axis[2]]};
}

inline Box turned(int symmetry, const Box& b) {
    const Vec p = turned(symmetry, b.low), q = turned(symmetry, b.high);
    Box out;
    for (int k = 0; k < 3; ++k) {
        out.low[k] = std::min(p[k], q[k]);
        out.high[k] = std::max(p[k], q[k]);
    }
    return out;
}

/// A frame seen from another.
struct Place {
    Vec shift{0, 0, 0};
    int symmetry = 0;

    Vec operator*(const Vec& v) const { return shift + turned(symmetry, v); }
    Place operator*(const Place& p) const { return {*this * p.shift, cube.product[symmetry][p.symmetry]}; }
};

struct Random {
    std::uint64_t state;

    std::uint64_t next() {  // splitmix64
        std::uint64_t z = (state += 0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
    std::int64_t below(std::int64_t n) { return std::int64_t((unsigned __int128)next() * std::uint64_t(n) >> 64); }
};

}  // namespace lattice
