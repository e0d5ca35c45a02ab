#pragma once
#include <array>

#include "elbowroom/trees/flat_tree.hpp"
#include "elbowroom/trees/split.hpp"

namespace elbowroom {

/// Turns a binary tree into a flat one of Width children a node: dynamic programming picks, for each node, the children
/// whose volumes cost least in all (after the collapse of binary trees by Wald, Benthin and Boulos 2008, made optimal).
template <class Tree>
class Collapse {
public:
    using Volume = typename Tree::Volume;
    static constexpr int width = Tree::width;

    Collapse(const BinaryTree<Volume>& binary, Tree& tree) : binary_(binary), tree_(tree) {
        plans_.resize(binary.nodes.size());
        for (int i = int(binary.nodes.size()); i-- > 0;) plan(i);  // children have larger numbers than their parents
        const int root = add_node();
        put(root * width, 0);
        const std::int32_t child = convert(0);
        tree_.records[root * width].child = child;
    }

private:
    /// cost[k]: least cost of a subtree given as at most k + 1 volumes. left[k]: how many of them go to the left child;
    /// 0: the node itself is one of the volumes; -1: as with one volume fewer.
    struct Plan {
        std::array<double, width> cost;
        std::array<signed char, width> left;
    };
    const BinaryTree<Volume>& binary_;
    Tree& tree_;
    std::vector<Plan> plans_;

    double share(int l, int r, int volumes, int& left) const {
        double best = far_away * far_away;
        for (int k = 1; k < volumes; ++k)
            if (const double c = plans_[l].cost[k - 1] + plans_[r].cost[volumes - k - 1]; c < best) {
                best = c;
                left = k;
            }
        return best;
    }
    void plan(int i) {
        const BinaryNode& node = binary_.nodes[i];
        Plan& p = plans_[i];
        const double own = binary_.volumes[i].cost();
        if (node.is_leaf()) return p.cost.fill(own), p.left.fill(0);
        int left = 0;
        p.cost[0] = own + share(node.left, node.right, width, left);
        p.left[0] = 0;
        for (int n = 2; n <= width; ++n) {
            const double c = share(node.left, node.right, n, left);
            const bool gains = c < p.cost[n - 2];
            p.cost[n - 1] = gains ? c : p.cost[n - 2];
            p.left[n - 1] = gains ? left : -1;
        }
    }
    void collect(int i, int volumes, std::vector<int>& out) const {
        while (volumes > 1 && plans_[i].left[volumes - 1] == -1) --volumes;
        const BinaryNode& node = binary_.nodes[i];
        if (volumes == 1 || node.is_leaf()) return out.push_back(i);
        const int left = plans_[i].left[volumes - 1];
        collect(node.left, left, out);
        collect(node.right, volumes - left, out);
    }
    std::vector<int> children(int i) const {
        const BinaryNode& node = binary_.nodes[i];
        std::vector<int> out;
        int left = 1;
        share(node.left, node.right, width, left);
        collect(node.left, left, out);
        collect(node.right, width - left, out);
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
        binary_.volumes[i].pack(tree_.records[record].field, tree_.slack());
        tree_.copy_to_lane(record);
        tree_.lanes[record / width].valid |= 1u << record % width;
    }
    std::int32_t convert(int i) {
        const BinaryNode& node = binary_.nodes[i];
        if (node.is_leaf()) {
            tree_.leaves.push_back({node.first, node.count});
            return ~std::int32_t(tree_.leaves.size() - 1);
        }
        const std::vector<int> parts = children(i);
        const int me = add_node();
        for (std::size_t k = 0; k < parts.size(); ++k) {
            put(width * me + int(k), parts[k]);
            const std::int32_t child = convert(parts[k]);
            tree_.records[width * me + k].child = child;
        }
        return me;
    }
};

/// Builds a tree over the items: where they lie decides, not their order.
template <class Tree>
Tree build(const Items& items, SplitOptions options) {
    Tree tree;
    tree.set_middle(items);
    const auto binary = Splitter<typename Tree::Volume>(items, tree.origin, options).run();
    tree.order.assign(binary.order.begin(), binary.order.end());
    Collapse<Tree>(binary, tree);
    return tree;
}

}  // namespace elbowroom
