#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "elbowroom/volumes/obb.hpp"

namespace elbowroom {

/// What a tree over links is made of. Links come after their parents.
struct LinkTreeParts {
    std::vector<std::int32_t> parent;  // of each link; -1: a root
    std::vector<std::int32_t> link;    // of each shape
    std::vector<ObbVolume> box;        // of each shape, in the frame of the shape
};

/// The bounding tree of an articulated body: binary, a shape a leaf, along the joints. It says what lies below what and
/// never changes; where the boxes are is kept by LinkBoxes. [Schmidl2004] bases its tree "on the acyclic articulation
/// hierarchy" and leaves branches open; the rule here is:
///
/// - Links that have no shape, nor any link with a shape below them, add nothing.
/// - A limb is a maximal run of the other links, each the only child of the one before. Its shapes, in the order of the
///   links and those of one link in their own, form a balanced tree: n of them are cut after n / 2.
/// - Where a limb branches, the trees of the branches, in the order of their first links, form a tree that is cut where
///   the shapes on both sides differ least in number (the first such cut), with one branch a side at least. The limb's
///   own tree is joined with that, itself on the left. A limb without shapes is the tree of its branches.
/// - Several roots are joined like branches.
///
/// Where two parts are joined there is a joint: of two parts of a limb that of the link of the right part's first
/// shape; of a limb with its branches that of the first branch; of two groups of branches that of the right group's
/// first branch.
class LinkTree {
public:
    /// Node numbers are in post-order: left part, right part, node.
    struct Node {
        std::int32_t left, right;   // nodes; of a leaf left < 0, and right is the shape
        std::int32_t joint;         // the link whose frame has its origin at the joint; of a leaf the shape's link
        std::int32_t first, count;  // of the leaves below, in tree order
        bool is_leaf() const { return left < 0; }
    };

    /// Throws if the parts contradict each other.
    explicit LinkTree(const LinkTreeParts& parts);

    const std::vector<Node>& nodes() const { return nodes_; }
    const Node& node(int n) const { return nodes_[n]; }
    /// The last node; -1 if there is no shape.
    int root() const { return int(nodes_.size()) - 1; }
    int links() const { return links_; }
    /// The shapes in the order of the leaves.
    const std::vector<std::int32_t>& shapes() const { return shapes_; }
    /// The node of a shape.
    int leaf_of(int shape) const { return leaf_of_[shape]; }
    /// The box of a shape, in the frame of the shape.
    const ObbVolume& leaf_box(int shape) const { return box_[shape]; }
    /// The level of the lowest leaf; that of the root is 0.
    int depth() const { return depth_; }
    /// The nodes at a level, and the leaves above it: together they hold every shape.
    std::vector<std::int32_t> at_level(int level) const;

    /// What is wrong with the structure, or nothing: every shape once, in post-order, with the right counts.
    std::string validate() const;

private:
    std::vector<Node> nodes_;
    std::vector<std::int32_t> shapes_, leaf_of_;
    std::vector<ObbVolume> box_;
    int links_, depth_ = 0;
};

}  // namespace elbowroom
