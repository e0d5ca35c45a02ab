// How a tree of oriented boxes is cut, without the boxes: small, and enough to have the tree again without searching
// for good cuts and axes. The boxes are measured anew, so that no plan can make a box that is too small.
#pragma once
#include <cstdint>
#include <vector>

namespace elbowroom {

struct TreePlan {
    std::vector<std::int32_t> order;   // the items in tree order
    std::vector<std::uint16_t> marks;  // of each record, parents first: how many children, and of a leaf 16 * items
    std::vector<float> turns;          // of each record: the vector part of the quaternion of its axes
    bool empty() const { return marks.empty(); }
    static constexpr int deepest = 500, most_in_leaf = 4095;
};

}  // namespace elbowroom
