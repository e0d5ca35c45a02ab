#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "elbowroom/math/rigid.hpp"
#include "elbowroom/narrow/rounded_hull.hpp"
#include "elbowroom/narrow/triangle_quads.hpp"
#include "elbowroom/trees/flat_tree.hpp"
#include "elbowroom/trees/items.hpp"
#include "elbowroom/trees/tree_plan.hpp"
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
    std::int32_t joins = 0;              // how often its boxes were carried over from trees of other bodies
    bool empty() const { return tree.records.empty(); }
};

class RigidBody;

/// Of the tree of a body that is moved.
enum class Rebuild { never, when_worn, always };

/// A body as a part of another.
struct RigidMember {
    const RigidBody* body;
    Rigid pose;
};

/// Sphere, capsule, box, hull, mesh or group: a set of rounded hulls in one frame, under a tree. Copies share
/// everything, and keep what they share when one of them is moved.
class RigidBody {
public:
    /// Primitive i has the points first[i] .. first[i + 1] - 1 and a radius. `children` is 8 or 2 (a body of a single
    /// primitive answers to both).
    RigidBody(std::vector<Vec3> points, std::vector<int> first, std::vector<double> radius, int children);
    /// With a tree that is cut as that of an equal body was. Throws std::invalid_argument if the plan is none for it.
    RigidBody(std::vector<Vec3> points, std::vector<int> first, std::vector<double> radius, int children,
              const TreePlan& plan);
    /// All primitives of the members, one member after the other, under a tree over the trees of the members, which
    /// must be `joinable`.
    explicit RigidBody(const std::vector<RigidMember>& members);
    static bool joinable(const std::vector<RigidMember>& members);

    /// Puts corner k of the triangles that the body consists of to vertices[corners[k]], and refits the boxes along
    /// the axes that they have. The tree is rebuilt if `rebuild` says so; when_worn: if the last move has left boxes
    /// more than `most_wear` times as large as those it was built with. The body is as it was if this throws.
    void move(const std::vector<Vec3>& vertices, const std::int32_t* corners, Rebuild rebuild);
    /// How large the boxes of the tree are, for triangles of these sizes, relative to when it was built.
    double wear() const { return data_->built_size > 0 ? data_->size / data_->built_size : 1; }
    static constexpr double most_wear = 1.5;

    int count() const { return count_; }
    RoundedHull primitive(int i) const { return {&points_[first_[i]], first_[i + 1] - first_[i], radius_[i]}; }
    const RigidHierarchy<8>& wide() const { return data_->wide; }
    const RigidHierarchy<2>& binary() const { return data_->binary; }
    Items items() const { return {points_, first_, radius_, count_}; }

    const std::vector<Vec3>& points() const { return data_->points; }
    const std::vector<int>& first() const { return data_->first; }
    const std::vector<double>& radius() const { return data_->radius; }
    int children() const { return wide().empty() ? 2 : 8; }

    /// The farthest any point lies from the origin of the body's frame: what rounding is relative to.
    double reach() const { return data_->reach; }
    /// Decides which of two bodies comes first in a query, so that the answer does not depend on the caller's order.
    /// Made from the geometry alone.
    std::uint64_t fingerprint() const { return data_->fingerprint; }
    /// The same for bodies with the same geometry under trees of the same form: what is kept about nodes of one holds
    /// for the other.
    std::uint64_t identity() const { return data_->identity; }
    /// How the trees of all bodies came to be, since the program began: tests count what is built twice.
    struct TreeCounts {
        std::uint64_t built, planned, joined;
    };
    static TreeCounts tree_counts();
    /// Of what is bounded, and of the points on the planes of half-spaces.
    Vec3 low() const { return data_->low; }
    Vec3 high() const { return data_->high; }

    /// The primitives that are half-spaces.
    const std::vector<std::int32_t>& half_spaces() const { return data_->half_spaces; }
    bool is_bounded() const { return data_->half_spaces.empty(); }

    std::string validate() const;
    /// How its tree is cut; empty if there is more to it than a plan can say.
    TreePlan plan() const;
    /// The boxes at a depth of the tree (leaves above it included), in the body's frame.
    std::vector<ObbVolume> boxes(int level) const;
    /// The primitives below a record of the tree.
    std::vector<std::int32_t> below(int record) const;

private:
    struct Data {
        std::vector<Vec3> points;
        std::vector<int> first;
        std::vector<double> radius;
        RigidHierarchy<8> wide;
        RigidHierarchy<2> binary;
        double reach = 0;
        std::uint64_t fingerprint = 0, identity = 0;
        Vec3 low, high;
        std::vector<std::int32_t> half_spaces;
        double size = 0, built_size = 0;  // of the boxes, as `wear` compares them
    };
    std::shared_ptr<const Data> data_;
    const Vec3* points_;
    const int* first_;
    const double* radius_;
    int count_;

    std::shared_ptr<Data> begin(std::vector<Vec3> points, std::vector<int> first, std::vector<double> radius);
    void use(const std::shared_ptr<Data>& data);
    void measure(Data& data) const;
    void finish(Data& data);
};

}  // namespace elbowroom
