#pragma once
#include <algorithm>
#include <vector>

#include "elbowroom/volumes/balls.hpp"

namespace elbowroom {

/// What a tree is built over: each item is a run of points with one radius (a primitive, or a bead).
struct Items {
    const Vec3* points;
    const int* first;      // item i has the points first[i] .. first[i + 1] - 1
    const double* radius;  // null: none has a radius
    int count;

    double radius_of(int i) const { return radius ? radius[i] : 0.0; }
    /// A half-space: a point on its plane and the normal, which is no place.
    bool is_unbounded(int i) const { return radius_of(i) == unbounded; }
    int last_place(int i) const { return is_unbounded(i) ? first[i] + 1 : first[i + 1]; }
    /// Have all of these the same points, in any order, and the same radius?
    bool are_copies(const int* which, int n) const {
        const int size = first[which[0] + 1] - first[which[0]];
        if (is_unbounded(which[0])) return n == 1;  // two points in another order are another half-space
        const Vec3* points_of_one = points + first[which[0]];
        for (int k = 1; k < n; ++k) {
            const int other = which[k];
            if (first[other + 1] - first[other] != size || radius_of(other) != radius_of(which[0])) return false;
            if (!std::is_permutation(points_of_one, points_of_one + size, points + first[other])) return false;
        }
        return true;
    }
};

/// The balls of several items, gathered so that a volume can be fitted to them; the memory is reused.
class GatheredBalls {
public:
    Balls of(const Items& items, const int* which, int count, Vec3 shift) {
        centre_.clear();
        radius_.clear();
        for (int k = 0; k < count; ++k)
            for (int i = items.first[which[k]]; i < items.first[which[k] + 1]; ++i) {
                centre_.push_back(items.points[i] - shift);
                radius_.push_back(items.radius_of(which[k]));
            }
        return {centre_.data(), radius_.data(), int(centre_.size())};
    }

private:
    std::vector<Vec3> centre_;
    std::vector<double> radius_;
};

}  // namespace elbowroom
