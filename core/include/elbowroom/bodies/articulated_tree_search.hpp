// Which shapes of articulated bodies are near each other, by the boxes of their trees over links.
#pragma once
#include <cstdint>
#include <vector>

#include "elbowroom/queries/answers.hpp"
#include "elbowroom/reference/link_boxes.hpp"
#include "elbowroom/trees/shape_bits.hpp"

namespace elbowroom {

/// Two shapes whose boxes are near enough to be looked at exactly.
struct ShapePair {
    std::int32_t a, b;
    float bound;  // the squared distance is not below this; 0 if only overlap was asked for
};

/// Pairs of shapes of one body that are never compared.
struct ShapeExclusion {
    const ShapeBits* compared = nullptr;  // null: all are
    ELBOWROOM_INLINE bool operator()(int i, int j) const { return compared && !(*compared)(i, j); }
};

/// All pairs of shapes of one body that are not excluded and whose leaf boxes overlap, or are within `reach` of each
/// other if it is above 0, to `out`, a < b, in the order of the traversal; what `out` held is dropped. With a reach, a
/// box above the leaves may already tell that two shapes are farther apart, though their own boxes do not. The counters
/// get the tests of boxes; tests of leaves are left to who looks at the pairs. When the budget ends, pairs are missing.
template <class Volume>
Stop candidates_within(const LinkTree& tree, const LinkBoxes<Volume>& boxes, const ShapeExclusion& excluded,
                       double reach, const Allowance& allowance, Counters& counters, std::vector<ShapePair>& out);

/// The same for the shapes of one body (a) and another (b), both placed in one world.
template <class Volume>
Stop candidates_across(const LinkTree& a, const LinkBoxes<Volume>& x, const LinkTree& b, const LinkBoxes<Volume>& y,
                       double reach, const Allowance& allowance, Counters& counters, std::vector<ShapePair>& out);

}  // namespace elbowroom
