#pragma once
#include <cstdint>
#include <vector>

#include "elbowroom/trees/items.hpp"

namespace elbowroom {

/// One volume in single precision, rounded outwards, and what lies below: a node (>= 0) or a leaf (~leaf, < 0).
template <class Volume>
struct alignas(Volume::fields == 15 ? 64 : 32) TreeRecord {
    float field[Volume::fields];
    std::int32_t child;
    bool is_leaf() const { return child < 0; }
    int leaf() const { return ~child; }
};

/// A run of the items in tree order.
struct TreeLeaf {
    std::int32_t first, count;
};

/// The volumes of one node, field by field, a lane a child.
template <class Volume, int Width>
struct TreeLanes {
    alignas(32) float field[Volume::fields][Width];
    unsigned valid = 0;  // one bit for each child that is there
};

/// A flat tree with Width children a node. Record Width * n + k is child k of node n; node 0 holds the root alone, as
/// its child 0. `lanes` holds the same volumes field by field, a lane a child, for the kernels that test one against
/// all. Volumes are about `origin`, so that single precision is spent on the body and not on where it stands.
template <class VolumeType, class Lanes, int Width>
struct FlatTree {
    using Volume = VolumeType;
    static constexpr int width = Width;
    std::vector<TreeRecord<Volume>> records;
    std::vector<Lanes> lanes;
    std::vector<TreeLeaf> leaves;
    std::vector<std::int32_t> order;  // items in tree order
    std::vector<std::int32_t> below;  // items below each record
    Vec3 origin;
    double radius = 0;  // of a ball about the origin that holds everything

    /// What rounding to single precision can take from a box, at most.
    double slack() const { return 3e-7 * radius; }
    void copy_to_lane(int record) {
        for (int f = 0; f < Volume::fields; ++f)
            lanes[record / width].field[f][record % width] = records[record].field[f];
    }
    /// Sets origin and radius. Of a half-space the point on its plane counts.
    void set_middle(const Items& items) {
        Vec3 low{far_away, far_away, far_away}, high = -low;
        for (int k = 0; k < items.count; ++k)
            for (int i = items.first[k]; i < items.last_place(k); ++i)
                low = lower_of(low, items.points[i]), high = upper_of(high, items.points[i]);
        origin = (low + high) * 0.5;
        radius = 0;
        double radius2 = 0;  // of the points alone
        for (int k = 0; k < items.count; ++k) {
            const double r = items.is_unbounded(k) ? 0.0 : items.radius_of(k);
            double farthest2 = 0;
            for (int i = items.first[k]; i < items.last_place(k); ++i)
                farthest2 = most(farthest2, length2(items.points[i] - origin));
            radius2 = most(radius2, farthest2);
            if (r > 0) radius = most(radius, std::sqrt(farthest2) + r);
        }
        radius = most(radius, std::sqrt(radius2));
    }

    const TreeRecord<Volume>& root() const { return records[0]; }
    int nodes() const { return int(lanes.size()); }
};

}  // namespace elbowroom
