// The binary tree from which the flat one is made: top down, each set of items cut where the two halves get the
// smallest boxes.
#pragma once
#include <functional>
#include <vector>

#include "elbowroom/trees/items.hpp"

namespace elbowroom {

/// Runs f(0), f(1), ... f(count - 1), in any order, perhaps on several threads.
using Spread = std::function<void(int count, const std::function<void(int)>& f)>;
inline void one_by_one(int count, const std::function<void(int)>& f) {
    for (int i = 0; i < count; ++i) f(i);
}

/// Settings of the builder. The tree does not depend on `spread`.
struct SplitOptions {
    int leaf_items = 2;
    int judged_items = 3000;   // sets up to this size have their candidate cuts judged by fitted boxes
    bool rough = false;        // boxes fitted with less care, for trees that do not live long
    bool keep_copies = false;  // items that are all the same share a leaf, however many they are
    Spread spread = one_by_one;
};

struct BinaryNode {
    int left = -1, right = -1, first = 0, count = 0;
    float axes[2][3];  // two of the principal axes
    float cost = 0;    // of a box that is fitted to the items
    bool is_leaf() const { return left < 0; }
};

struct BinaryTree {
    std::vector<BinaryNode> nodes;    // children behind their parents
    std::vector<std::int32_t> order;  // the items in tree order
};

/// Where the items lie decides, not their order. `middle` and `size`: of a ball that holds all of their points.
BinaryTree split(const Items& items, Vec3 middle, double size, const SplitOptions& options);

}  // namespace elbowroom
