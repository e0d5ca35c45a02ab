#pragma once
#include <type_traits>

#include "elbowroom/trees/flat_tree.hpp"
#include "elbowroom/trees/measure.hpp"
#include "elbowroom/trees/split.hpp"

namespace elbowroom {

/// Turns a binary tree into a flat one of Width children a node: dynamic programming picks, for each node, the children
/// whose boxes cost least in all (after the collapse of binary trees by Wald, Benthin and Boulos 2008, made optimal).
/// The volumes are left to be fitted; of boxes, the records have the axes.
template <class Tree>
class Collapse {
public:
    using Volume = typename Tree::Volume;
    static constexpr int width = Tree::width;

    Collapse(const BinaryTree& binary, Tree& tree) : binary_(binary), tree_(tree) {
        plans_.resize(binary.nodes.size());
        Poll poll;
        for (int i = int(binary.nodes.size()); i-- > 0;) poll(), plan(i);  // children are behind their parents
        reserve();
        const int root = add_node();
        put(root * width, 0);
        const std::int32_t child = convert(0);
        tree_.records[root * width].child = child;
    }

private:
    /// cost[k]: least cost of a subtree given as at most k + 1 volumes. left[k]: how many of them go to the left child;
    /// 0: the node itself is one of the volumes; -1: as with one volume fewer. `below`: the best choice for the
    /// children of the node.
    struct Plan {
        float cost[width];
        signed char left[width], below;
    };
    struct Parts {
        int count = 0, node[width];
    };
    const BinaryTree& binary_;
    Tree& tree_;
    std::vector<Plan> plans_;

    float share(int l, int r, int volumes, signed char& left) const {
        float best = 1e37f;
        left = 1;
        for (int k = 1; k < volumes; ++k)
            if (const float c = plans_[l].cost[k - 1] + plans_[r].cost[volumes - k - 1]; c < best) {
                best = c;
                left = (signed char)(k);
            }
        return best;
    }
    void plan(int i) {
        const BinaryNode& node = binary_.nodes[i];
        Plan& p = plans_[i];
        p.cost[0] = node.cost;
        p.left[0] = 0;
        if (node.is_leaf()) {
            for (int n = 1; n < width; ++n) p.cost[n] = node.cost, p.left[n] = 0;
            return;
        }
        float shared[width + 1];
        signed char left[width + 1];
        for (int n = 2; n <= width; ++n) shared[n] = share(node.left, node.right, n, left[n]);
        p.below = left[width];
        p.cost[0] += shared[width];
        for (int n = 2; n <= width; ++n) {
            const bool gains = shared[n] < p.cost[n - 2];
            p.cost[n - 1] = gains ? shared[n] : p.cost[n - 2];
            p.left[n - 1] = gains ? left[n] : (signed char)(-1);
        }
    }
    void collect(int i, int volumes, Parts& out) const {
        while (volumes > 1 && plans_[i].left[volumes - 1] == -1) --volumes;
        const BinaryNode& node = binary_.nodes[i];
        if (volumes == 1 || node.is_leaf()) {
            out.node[out.count++] = i;
            return;
        }
        const int left = plans_[i].left[volumes - 1];
        collect(node.left, left, out);
        collect(node.right, volumes - left, out);
    }
    /// Room for all at once: arrays that grow would end up twice as large.
    void reserve() {
        std::size_t nodes = 1, leaves = 0;
        std::vector<int> rest{0};
        while (!rest.empty()) {
            const int i = rest.back();
            rest.pop_back();
            if (binary_.nodes[i].is_leaf()) {
                ++leaves;
                continue;
            }
            ++nodes;
            const Parts parts = children(i);
            rest.insert(rest.end(), parts.node, parts.node + parts.count);
        }
        tree_.lanes.reserve(tree_.lanes.size() + nodes);
        tree_.records.reserve(tree_.records.size() + width * nodes);
        tree_.leaves.reserve(tree_.leaves.size() + leaves);
    }
    Parts children(int i) const {
        Parts out;
        collect(binary_.nodes[i].left, plans_[i].below, out);
        collect(binary_.nodes[i].right, width - plans_[i].below, out);
        return out;
    }
    int add_node() {
        const int node = int(tree_.lanes.size());
        tree_.lanes.emplace_back();
        tree_.records.resize(width * (node + 1));
        for (int k = 0; k < width; ++k) {
            Volume{}.pack(tree_.records[width * node + k].field, 0);
            tree_.records[width * node + k].child = 0;
            tree_.copy_to_lane(width * node + k);
        }
        return node;
    }
    void put(int record, int i) {
        if constexpr (std::is_same_v<Volume, ObbVolume>) {
            FloatAxes axes;
            for (int k = 0; k < 2; ++k)
                for (int j = 0; j < 3; ++j) axes.row[k][j] = binary_.nodes[i].axes[k][j];
            axes.complete();
            set_axes(tree_.records[record].field, axes);
        }
        tree_.lanes[record / width].valid |= 1u << record % width;
    }
    std::int32_t convert(int i) {
        const BinaryNode& node = binary_.nodes[i];
        if (node.is_leaf()) {
            tree_.leaves.push_back({node.first, node.count});
            return ~std::int32_t(tree_.leaves.size() - 1);
        }
        const Parts parts = children(i);
        const int me = add_node();
        for (int k = 0; k < parts.count; ++k) {
            put(width * me + k, parts.node[k]);
            const std::int32_t child = convert(parts.node[k]);
            tree_.records[width * me + k].child = child;
        }
        return me;
    }
};

/// The tree over the items, and how many are below each record.
template <class Tree>
void build(Tree& tree, const Items& items, Vec3 middle, double size, const SplitOptions& options) {
    BinaryTree binary = split(items, middle, size, options);
    tree.order = std::move(binary.order);
    Collapse<Tree>(binary, tree);
    tree.below.assign(tree.records.size(), 0);
    count_below(tree, 0);
}

/// Builds a tree over the items: where they lie decides, not their order.
template <class Tree>
Tree build(const Items& items, const SplitOptions& options) {
    Tree tree;
    tree.set_middle(items);
    build(tree, items, tree.origin, tree.radius, options);
    for_each_record(tree, options.spread, FitRecord<Tree>(tree, items, options.rough));
    return tree;
}

}  // namespace elbowroom
