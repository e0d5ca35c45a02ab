#pragma once
#include <string>

#include "elbowroom/interruption.hpp"
#include "elbowroom/trees/flat_tree.hpp"
#include "elbowroom/trees/items.hpp"

namespace elbowroom {

/// Checks all that a flat tree promises; returns what is wrong, or nothing.
template <class Tree>
class TreeCheck {
public:
    using Volume = typename Tree::Volume;
    TreeCheck(const Tree& tree, const Items& items)
        : tree_(tree), items_(items), seen_(items.count, 0), node_seen_(tree.lanes.size(), 0) {}

    std::string run() {
        if (tree_.records.size() != std::size_t(Tree::width) * tree_.lanes.size())
            return "records and lanes differ in number";
        if (tree_.order.size() != std::size_t(items_.count)) return "the order does not list every item";
        node_seen_[0] = 1;
        visit(0);
        for (int i = 0; i < items_.count && fault_.empty(); ++i)
            if (seen_[i] != 1)
                fault_ = "item " + std::to_string(i) + " lies in " + std::to_string(seen_[i]) + " leaves";
        for (std::size_t n = 0; n < node_seen_.size() && fault_.empty(); ++n)
            if (node_seen_[n] != 1)
                fault_ = "node " + std::to_string(n) + " has " + std::to_string(node_seen_[n]) + " parents";
        return fault_;
    }

private:
    const Tree& tree_;
    const Items& items_;
    std::vector<int> seen_, node_seen_, path_;
    std::string fault_;

    void visit(int record) {
        check_interruption();
        const auto& r = tree_.records[record];
        for (int f = 0; f < Volume::fields; ++f)
            if (tree_.lanes[record / Tree::width].field[f][record % Tree::width] != r.field[f])
                fault_ = "lane and record " + std::to_string(record) + " differ";
        path_.push_back(record);
        if (r.is_leaf())
            visit_leaf(r.leaf());
        else
            visit_node(r.child);
        path_.pop_back();
    }
    void visit_node(int node) {
        if (node <= 0 || node >= tree_.nodes()) {
            fault_ = "a child points outside the tree";
            return;
        }
        if (++node_seen_[node] > 1) {
            fault_ = "node " + std::to_string(node) + " has several parents";
            return;
        }
        for (int k = 0; k < Tree::width && fault_.empty(); ++k)
            if (tree_.lanes[node].valid >> k & 1) visit(Tree::width * node + k);
    }
    void visit_leaf(int leaf) {
        if (leaf >= int(tree_.leaves.size())) {
            fault_ = "a leaf is missing";
            return;
        }
        const TreeLeaf& l = tree_.leaves[leaf];
        for (int k = l.first; k < l.first + l.count && fault_.empty(); ++k) {
            const int item = tree_.order[k];
            ++seen_[item];
            for (int i = items_.first[item]; i < items_.last_place(item); ++i)
                for (const int record : path_)
                    if (Volume::unpack(tree_.records[record].field)
                            .excess(items_.points[i] - tree_.origin, items_.radius_of(item)) > 0)
                        fault_ = "item " + std::to_string(item) + " sticks out of volume " + std::to_string(record);
        }
    }
};

template <class Tree>
std::string validate(const Tree& tree, const Items& items) {
    return TreeCheck<Tree>(tree, items).run();
}

}  // namespace elbowroom
