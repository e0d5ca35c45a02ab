#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "elbowroom/narrow/rounded_hull.hpp"
#include "elbowroom/narrow/triangle_quads.hpp"
#include "elbowroom/trees/flat_tree.hpp"
#include "elbowroom/trees/items.hpp"
#include "elbowroom/volumes/obb_lanes.hpp"

namespace elbowroom {

/// A tree of boxes over the primitives of a body, and its leaves as the kernels want them.
template <int Width>
struct RigidHierarchy {
    using Tree = FlatTree<ObbVolume, ObbLanes<Width>, Width>;
    Tree tree;
    std::vector<TriangleTwo> triangles;  // one for each leaf when the body has triangles; of no meaning unless plain
    std::vector<std::uint8_t> plain;     // one for each leaf: nothing but well-shaped triangles
    std::int32_t most_items = 1;         // of a leaf; one with more holds copies of one primitive
    bool empty() const { return tree.records.empty(); }
};

/// Sphere, capsule, box, hull, mesh or group: a set of rounded hulls in one frame, under a tree. Never changes once
/// made.
class RigidBody {
public:
    /// Primitive i has the points first[i] .. first[i + 1] - 1 and a radius. `children` is 8 or 2 (a body of a single
    /// primitive answers to both).
    RigidBody(std::vector<Vec3> points, std::vector<int> first, std::vector<double> radius, int children);

    int count() const { return int(radius_.size()); }
    RoundedHull primitive(int i) const { return {&points_[first_[i]], first_[i + 1] - first_[i], radius_[i]}; }
    const RigidHierarchy<8>& wide() const { return wide_; }
    const RigidHierarchy<2>& binary() const { return binary_; }
    Items items() const { return {points_.data(), first_.data(), radius_.data(), count()}; }

    const std::vector<Vec3>& points() const { return points_; }
    const std::vector<int>& first() const { return first_; }
    const std::vector<double>& radius() const { return radius_; }
    int children() const { return wide_.empty() ? 2 : 8; }

    /// The farthest any point lies from the origin of the body's frame: what rounding is relative to.
    double reach() const { return reach_; }
    /// Decides which of two bodies comes first in a query, so that the answer does not depend on the caller's order.
    std::uint64_t fingerprint() const { return fingerprint_; }
    Vec3 low() const { return low_; }
    Vec3 high() const { return high_; }

    std::string validate() const;
    /// The boxes at a depth of the tree (leaves above it included), in the body's frame.
    std::vector<ObbVolume> boxes(int level) const;
    /// The primitives below a record of the tree.
    std::vector<std::int32_t> below(int record) const;

private:
    std::vector<Vec3> points_;
    std::vector<int> first_;
    std::vector<double> radius_;
    RigidHierarchy<8> wide_;
    RigidHierarchy<2> binary_;
    double reach_ = 0;
    std::uint64_t fingerprint_ = 0;
    Vec3 low_, high_;
};

}  // namespace elbowroom
