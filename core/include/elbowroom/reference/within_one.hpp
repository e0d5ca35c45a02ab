#pragma once
#include <vector>

#include "elbowroom/pairings/pair_fan.hpp"
#include "elbowroom/volumes/carried.hpp"

namespace elbowroom {

/// Where the nodes of a binary tree of moving frames are, in the frame of the root. A node is placed when it is first
/// looked at, and once: its pose is that of its parent times the step between the two. Slots from 0 up are inner nodes,
/// ~slot is a leaf, which is a ball.
///
/// `Tree` has a Node; root(), left(node), right(node) (the two children, whatever lies on the way to them), step(node)
/// (the pose of the right child in the frame of the node; the left one shares it), is_leaf(node), first(node) and
/// last(node) (the leaves below, in order), volume(node) and radius(leaf).
template <class Tree>
class PlacedNodes {
public:
    using Volume = typename Tree::Volume;
    using Node = typename Tree::Node;
    struct Inner {
        Rigid pose;
        Volume volume;  // in the frame of the root
        Node node;
        std::int32_t left, right;  // slots; `nowhere` until they are placed
    };
    struct Leaf {
        SphereVolume ball;  // in the frame of the root
        std::int32_t item;
    };

    /// Forgets all but the root, which has slot 0.
    void start(const Tree& tree) {
        tree_ = &tree;
        inner_.clear();
        leaves_.clear();
        place(tree.root(), {});
    }
    void place_children(std::int32_t slot) {
        if (inner_[slot].left != nowhere) return;
        const Node node = inner_[slot].node;
        const Rigid pose = inner_[slot].pose;
        const std::int32_t left = place(tree_->left(node), pose), right = place_right(node, pose);
        inner_[slot].left = left;
        inner_[slot].right = right;
    }
    const Inner& inner(std::int32_t slot) const { return inner_[slot]; }
    const Leaf& leaf(std::int32_t slot) const { return leaves_[~slot]; }
    int first(std::int32_t slot) const { return slot < 0 ? leaf(slot).item : tree_->first(inner_[slot].node); }
    int last(std::int32_t slot) const { return slot < 0 ? leaf(slot).item : tree_->last(inner_[slot].node); }

    /// Calls f with the two volumes, a ball second.
    template <class F>
    auto with_volumes(std::int32_t a, std::int32_t b, F&& f) const {
        if (a < 0) return b < 0 ? f(leaf(a).ball, leaf(b).ball) : f(inner_[b].volume, leaf(a).ball);
        return b < 0 ? f(inner_[a].volume, leaf(b).ball) : f(inner_[a].volume, inner_[b].volume);
    }

    std::size_t nbytes() const { return inner_.capacity() * sizeof(Inner) + leaves_.capacity() * sizeof(Leaf); }

private:
    static constexpr std::int32_t nowhere = 0x7fffffff;
    const Tree* tree_ = nullptr;
    std::vector<Inner> inner_;
    std::vector<Leaf> leaves_;

    std::int32_t place_leaf(Node node, Vec3 where) {
        const int item = tree_->first(node);
        leaves_.push_back({{where, tree_->radius(item)}, item});
        return ~std::int32_t(leaves_.size() - 1);
    }
    std::int32_t place(Node node, const Rigid& pose) {
        if (tree_->is_leaf(node)) return place_leaf(node, pose.translation);
        inner_.push_back({pose, carried(pose, tree_->volume(node)), node, nowhere, nowhere});
        return std::int32_t(inner_.size() - 1);
    }
    std::int32_t place_right(Node parent, const Rigid& pose) {
        const Node node = tree_->right(parent);
        const Rigid& step = tree_->step(parent);
        return tree_->is_leaf(node) ? place_leaf(node, pose * step.translation) : place(node, pose * step);
    }
};

/// The volumes that a pair of slots names.
template <class Tree>
struct PlacedVolumes {
    static constexpr bool one_tree = true;
    const PlacedNodes<Tree>& placed;
    double off;  // what the gap of two volumes may be off by, whichever they are

    double margin(std::int32_t, std::int32_t) const { return off; }
    template <class F>
    auto with_volumes(std::int32_t a, std::int32_t b, F&& f) const {
        return placed.with_volumes(a, b, f);
    }
};

/// Pairs within one tree. A node with itself opens into its children with themselves and with each other; of two nodes
/// the larger is opened. In a pair, a comes before b. `Rule` says which pairs matter: within(first, last) for a node
/// with itself, across(first, last) for two nodes from the first leaf of one to the last leaf of the other.
template <class Tree, class Rule>
class WithinOne {
public:
    using Placed = PlacedNodes<Tree>;
    using Fan = PairFan<PlacedVolumes<Tree>>;

    WithinOne(Placed& placed, const Rule& rule, double margin)
        : placed_(placed), rule_(rule), volumes_{placed, margin} {}

    Pair root() const { return {0, 0, 0.f}; }
    bool is_leaf(const Pair& p) const { return (p.a & p.b) < 0; }
    Fan open(const Pair& p) const {
        if (p.a == p.b) return open_self(p.a);
        return opens_a(p) ? open_side(p.a, p.b, true) : open_side(p.b, p.a, false);
    }
    /// Pairs of leaves below.
    double count(std::int32_t a, std::int32_t b) const {
        const double n = placed_.last(a) - placed_.first(a) + 1, m = placed_.last(b) - placed_.first(b) + 1;
        return a == b ? n * (n - 1) / 2 : n * m;
    }
    /// Does the tree below the slot matter at all, against itself?
    bool matters(std::int32_t slot) const { return slot >= 0 && rule_.within(placed_.first(slot), placed_.last(slot)); }
    /// The two children of a node, as a pair that has not been tested.
    Pair siblings(std::int32_t slot) const {
        placed_.place_children(slot);
        return {placed_.inner(slot).left, placed_.inner(slot).right, 0.f};
    }

private:
    Placed& placed_;
    const Rule& rule_;
    const PlacedVolumes<Tree> volumes_;

    bool opens_a(const Pair& p) const {
        if (p.a < 0 || p.b < 0) return p.b < 0;
        return half_length(placed_.inner(p.a).volume) > half_length(placed_.inner(p.b).volume);
    }
    Fan open_self(std::int32_t slot) const {
        const Pair p = siblings(slot);
        Fan fan{volumes_};
        for (const std::int32_t child : {p.b, p.a})
            if (matters(child)) fan.add(child, child);
        add_if_it_matters(fan, p.a, p.b);
        return fan;
    }
    Fan open_side(std::int32_t opened, std::int32_t other, bool is_a) const {
        const Pair children = siblings(opened);
        Fan fan{volumes_};
        for (const std::int32_t child : {children.a, children.b})
            is_a ? add_if_it_matters(fan, child, other) : add_if_it_matters(fan, other, child);
        return fan;
    }
    void add_if_it_matters(Fan& fan, std::int32_t a, std::int32_t b) const {
        if (rule_.across(placed_.first(a), placed_.last(b))) fan.add(a, b);
    }
};

}  // namespace elbowroom
