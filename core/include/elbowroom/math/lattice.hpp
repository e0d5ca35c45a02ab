#pragma once
#include "elbowroom/math/mat3.hpp"

namespace elbowroom {

/// What a periodic box repeats: a point p is also at p plus whole numbers times three edges. Any edges are replaced by
/// a Minkowski-reduced basis of the same lattice, which is as near to a cuboid as there is one.
///
/// Two facts make images easy. First, a vector of the lattice that is not zero is at least `width()` long, because
/// along some normal it is a whole number of widths of the cell. So of all images of a point at most one is nearer than
/// width() / 2 to another point, and the difference to that one is at most half a cell along each edge, because along a
/// normal it is at most half a width. Second, a point that is nearer to the origin than to any other point of the
/// lattice is at most one cell from the origin along each reduced edge [Nguyen2009]. So of two points in the same cell,
/// whose difference is less than one cell along each edge, the nearest images differ by less than two cells: the 27
/// images below are enough.
class Lattice {
public:
    static constexpr int images = 27, half = 13;

    Lattice() = default;
    explicit Lattice(const Mat3& edges) : given_(edges), edges_(edges) {
        reduce();
        across_ = inverse_transposed(edges_);
        for (int k = 0; k < 3; ++k) {
            width_ = least(width_, 1 / length(across_.row[k]));
            reach_ += length(edges_.row[k]);
        }
    }
    /// As given, and reduced, by rows.
    const Mat3& given() const { return given_; }
    const Mat3& edges() const { return edges_; }
    /// The least distance of two opposite faces of the reduced cell.
    double width() const { return width_; }
    /// The lengths of the reduced edges together.
    double size() const { return reach_; }

    /// The image of a point in the reduced cell at the origin.
    ELBOWROOM_INLINE Vec3 wrapped(Vec3 p) const {
        const Vec3 cell = across_ * p;
        return p - transposed_times(edges_, {std::floor(cell.x), std::floor(cell.y), std::floor(cell.z)});
    }
    /// Vectors to the images of the cell: 0 is none; of the 13 that follow no two are opposite, and those from 14 on
    /// are their opposites, in the same order.
    Vec3 image(int number) const {
        if (number > half) return -image(number - half);
        const int code = 13 + number;  // (0, 0, 0) is 13, and what follows is positive in its first place that is not 0
        return transposed_times(edges_, {double(code / 9 - 1), double(code / 3 % 3 - 1), double(code % 3 - 1)});
    }

private:
    Mat3 given_ = Mat3::identity(), edges_ = Mat3::identity(), across_ = Mat3::identity();
    double width_ = far_away, reach_ = 0;

    /// The greedy algorithm for three dimensions [Nguyen2009]: the longest edge is replaced by the shortest vector that
    /// leads to the same plane of the lattice, until none is shorter. Edges are whole combinations of those given, so
    /// that rounding does not add up.
    void reduce() {
        Mat3 parts = Mat3::identity();
        auto make = [&] { edges_ = parts * given_; };
        for (int round = 0; round < 1000; ++round) {
            for (int k = 0; k < 3; ++k)
                if (const int a = k % 2; length2(edges_.row[a + 1]) < length2(edges_.row[a])) {
                    const Vec3 part = parts.row[a];
                    parts.row[a] = parts.row[a + 1], parts.row[a + 1] = part;
                    make();
                }
            if (shortens(parts, 1, 0, 0) || shortens(parts, 2, 0, 1)) {
                make();
                continue;
            }
            return;
        }
    }
    /// Takes whole multiples of the edges a and b (or of a alone if they are the same) away from edge c where that
    /// makes it shorter.
    bool shortens(Mat3& parts, int c, int a, int b) const {
        const Vec3 x = edges_.row[a], y = edges_.row[b], z = edges_.row[c];
        const double xx = length2(x), xy = dot(x, y), yy = length2(y), flat = xx * yy - xy * xy;
        const double along = a == b ? 0 : std::floor((dot(y, z) * xx - dot(x, z) * xy) / flat);
        double best = length2(z) * (1 - 1e-12);
        Vec3 taken;
        bool found = false;
        for (int more = a == b ? 0 : -1; more <= (a == b ? 0 : 2); ++more) {
            const double n = along + more, m = std::floor(dot(x, z - y * n) / xx + 0.5);
            const double left = length2(z - y * n - x * m);
            if (left < best) best = left, taken = parts.row[a] * m + parts.row[b] * n, found = true;
        }
        if (found) parts.row[c] = parts.row[c] - taken;
        return found;
    }
};

}  // namespace elbowroom
