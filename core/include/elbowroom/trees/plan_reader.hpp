// Plans of trees, and trees of plans.
#pragma once
#include <cmath>
#include <stdexcept>

#include "elbowroom/interruption.hpp"
#include "elbowroom/math/quaternion.hpp"
#include "elbowroom/trees/measure.hpp"
#include "elbowroom/trees/tree_plan.hpp"

namespace elbowroom {

template <class Tree>
class PlanWriter {
public:
    explicit PlanWriter(const Tree& tree) : tree_(tree) {}
    TreePlan run() {
        plan_.order = tree_.order;
        return add(0, 0) ? std::move(plan_) : TreePlan{};
    }

private:
    const Tree& tree_;
    TreePlan plan_;

    bool add(int record, int depth) {
        const auto& r = tree_.records[record];
        const int items = r.is_leaf() ? tree_.leaves[r.leaf()].count : 0;
        if (depth > TreePlan::deepest || items > TreePlan::most_in_leaf) return false;
        add_turn(ObbVolume::unpack(r.field).axes);
        const std::size_t mark = plan_.marks.size();
        plan_.marks.push_back(std::uint16_t(items << 4));
        for (int k = 0; !r.is_leaf() && k < Tree::width; ++k) {
            if (!(tree_.lanes[r.child].valid >> k & 1)) continue;
            ++plan_.marks[mark];
            if (!add(r.child * Tree::width + k, depth + 1)) return false;
        }
        return true;
    }
    void add_turn(Mat3 axes) {
        if (determinant(axes) < 0) axes.row[2] = -axes.row[2];  // the box is the same
        Quat q = unit(quaternion(axes));
        if (q.w < 0) q = {-q.w, -q.x, -q.y, -q.z};
        for (const double x : {q.x, q.y, q.z}) plan_.turns.push_back(float(x));
    }
};

/// Makes the tree of a plan, which may come from anywhere.
template <class Tree>
class PlanReader {
public:
    PlanReader(const TreePlan& plan, const Items& items, int most_items, const Spread& spread)
        : plan_(plan), items_(items), most_items_(most_items), spread_(spread) {}

    Tree run() {
        check_order();
        if (plan_.turns.size() != 3 * plan_.marks.size()) refuse();
        tree_.set_middle(items_);
        tree_.order = plan_.order;
        add_node();
        tree_.lanes[0].valid = 1;
        make(0, 0);
        if (mark_ != plan_.marks.size() || item_ != items_.count) refuse();
        tree_.below.assign(tree_.records.size(), 0);
        count_below(tree_, 0);
        measure_boxes(tree_, items_, spread_);
        return std::move(tree_);
    }

private:
    const TreePlan& plan_;
    const Items& items_;
    const int most_items_;
    const Spread& spread_;
    Tree tree_;
    std::size_t mark_ = 0;
    int item_ = 0;

    [[noreturn]] static void refuse() { throw std::invalid_argument("plan is not one of a tree over this body"); }

    void check_order() const {
        if (plan_.order.size() != std::size_t(items_.count)) refuse();
        std::vector<unsigned char> seen(std::size_t(items_.count), 0);
        for (const std::int32_t i : plan_.order)
            if (i < 0 || i >= items_.count || seen[std::size_t(i)]++) refuse();
    }
    int add_node() {
        const int node = int(tree_.lanes.size());
        tree_.lanes.emplace_back();
        tree_.records.resize(std::size_t(Tree::width) * (node + 1));
        for (int k = 0; k < Tree::width; ++k) {
            ObbVolume{}.pack(tree_.records[Tree::width * node + k].field, 0);
            tree_.records[Tree::width * node + k].child = 0;
            tree_.copy_to_lane(Tree::width * node + k);
        }
        return node;
    }
    void make(int record, int depth) {
        check_interruption();
        if (depth > TreePlan::deepest || mark_ == plan_.marks.size()) refuse();
        set_axes(tree_.records[record].field, axes_of(mark_));
        const int mark = plan_.marks[mark_++], children = mark & 15;
        std::int32_t child;
        if (children == 0) {
            child = ~std::int32_t(tree_.leaves.size());
            tree_.leaves.push_back(leaf(mark >> 4));
        } else {
            if (children < 2 || children > Tree::width || mark >> 4) refuse();
            const int node = child = add_node();
            for (int k = 0; k < children; ++k) {
                tree_.lanes[node].valid |= 1u << k;
                make(Tree::width * node + k, depth + 1);
            }
        }
        tree_.records[record].child = child;
    }
    TreeLeaf leaf(int count) {
        if (count < 1 || count > items_.count - item_) refuse();
        const TreeLeaf out{item_, count};
        if (count > most_items_ && !items_.are_copies(&tree_.order[item_], count)) refuse();
        item_ += count;
        return out;
    }
    FloatAxes axes_of(std::size_t mark) const {
        const float* t = &plan_.turns[3 * mark];
        const double x = t[0], y = t[1], z = t[2], squares = x * x + y * y + z * z;
        if (!(squares <= 1.0001)) refuse();
        const double w = std::sqrt(most(0.0, 1 - squares)), norm = std::sqrt(w * w + squares);
        const Mat3 m = matrix(Quat{w / norm, x / norm, y / norm, z / norm});
        FloatAxes axes;
        for (int k = 0; k < 3; ++k)
            for (int i = 0; i < 3; ++i) axes.row[k][i] = float(m.row[k][i]);
        return axes;
    }
};

}  // namespace elbowroom
