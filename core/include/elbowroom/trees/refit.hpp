// The boxes of a tree whose items have moved: along the axes that they had.
#pragma once
#include "elbowroom/trees/measure.hpp"

namespace elbowroom {

/// Of a tree of boxes over other points than it was made for; the form stays. Large boxes are measured about small
/// ones.
template <class Tree>
class Refit {
public:
    Refit(Tree& tree, const Items& items) : tree_(tree), items_(items) {}

    void run(const Spread& spread) {
        for_each_record(tree_, spread, [&](int record, std::int32_t first, std::int32_t count) {
            if (count <= exact_items) measure_box(tree_, items_, record, first, count);
        });
        for (int r = int(tree_.records.size()); r-- > 0;)
            if (is_used(tree_, r) && tree_.below[r] > exact_items) measure_about_boxes(r);
    }

private:
    static constexpr int exact_items = 64, small_items = 12;
    Tree& tree_;
    const Items& items_;

    void measure_about_boxes(int record) {
        float* const field = tree_.records[record].field;
        BoxSides sides(field);
        add(record, sides);
        sides.set(field, tree_.slack());
        tree_.copy_to_lane(record);
    }
    void add(int record, BoxSides& sides) const {
        const auto& r = tree_.records[record];
        if (r.is_leaf() || tree_.below[record] <= small_items) return sides.add_box(r.field);
        for (int k = 0; k < Tree::width; ++k)
            if (is_used(tree_, r.child * Tree::width + k)) add(r.child * Tree::width + k, sides);
    }
};

template <class Tree>
void refit(Tree& tree, const Items& items, const Spread& spread) {
    Refit<Tree>(tree, items).run(spread);
}

/// What all boxes cost, as ObbVolume::cost.
template <class Tree>
double sum_of_costs(const Tree& tree) {
    double sum = 0;
    for (int r = 0; r < int(tree.records.size()); ++r) {
        const float* const half = tree.records[r].field + 3;
        if (is_used(tree, r)) sum += half[0] * half[1] + half[1] * half[2] + half[2] * half[0];
    }
    return sum;
}

}  // namespace elbowroom
