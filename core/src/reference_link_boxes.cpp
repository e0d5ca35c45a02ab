#include "elbowroom/reference/link_boxes.hpp"

#include <stdexcept>

#include "elbowroom/volumes/cab.hpp"

namespace elbowroom {

namespace {

template <class Volume>
constexpr bool is_oriented = false;
template <>
constexpr bool is_oriented<ObbVolume> = true;

void hold(AabbVolume& box, Vec3 low, Vec3 high) { box = {lower_of(box.low, low), upper_of(box.high, high)}; }

constexpr Vec3 nowhere{far_away, far_away, far_away};

/// About the eight corners, one by one, as the paper does it.
AabbVolume about_corners(const ObbVolume& box) {
    const Vec3 x = box.axes.row[0] * box.half.x, y = box.axes.row[1] * box.half.y, z = box.axes.row[2] * box.half.z;
    AabbVolume out{nowhere, -nowhere};
    for (const Vec3 end : {box.centre - x, box.centre + x})
        for (const Vec3 edge : {end - y, end + y})
            for (const Vec3 corner : {edge - z, edge + z}) hold(out, corner, corner);
    return out;
}

void hold_points(AabbVolume& box, const LinkPoints& shape, const Rigid& pose) {
    for (int i = 0; i < shape.count; ++i) {
        const Vec3 p = pose * shape.points[i];
        const double r = shape.radius ? shape.radius[i] : 0;
        hold(box, p - Vec3{r, r, r}, p + Vec3{r, r, r});
    }
}

AabbVolume about_all_points(const LinkTree& tree, const LinkTree::Node& node, const Rigid* shape_poses,
                            const LinkPoints* points) {
    AabbVolume out{nowhere, -nowhere};
    for (int k = node.first; k < node.first + node.count; ++k)
        hold_points(out, points[tree.shapes()[k]], shape_poses[tree.shapes()[k]]);
    return out;
}

/// Not less than any coordinate of the box, nor than its sides.
double extent(const AabbVolume& box) { return largest(absolute(box.low)) + largest(absolute(box.high)); }
double extent(const ObbVolume& box) { return largest(absolute(box.centre)) + box.half.x + box.half.y + box.half.z; }

bool is_finite(const AabbVolume& box) { return extent(box) <= 4 * far_away; }
bool is_finite(const ObbVolume& box) {
    return extent(box) <= 4 * far_away && rotation_error(box.axes) <= 1e-12 && largest(-box.half) <= 0;
}

template <class Volume>
bool holds(const Volume& outer, const Volume& inner) {
    Vec3 corner[8];
    double radius[8];
    const int count = inner.balls(corner, radius);
    for (int k = 0; k < count; ++k)
        if (!(outer.excess(corner[k], 0) <= 0)) return false;
    return true;
}

bool same(const ObbVolume& a, const ObbVolume& b) {
    bool axes = true;
    for (int k = 0; k < 3; ++k) axes &= a.axes.row[k] == b.axes.row[k];
    return axes && a.centre == b.centre && a.half == b.half;
}
bool same(const AabbVolume& a, const AabbVolume& b) { return a.low == b.low && a.high == b.high; }

}  // namespace

template <class Volume>
Volume LinkBoxes<Volume>::leaf_of(const LinkTree& tree, int shape, const Rigid& pose, const LinkPoints* points) const {
    const ObbVolume placed = carried(pose, tree.leaf_box(shape));
    if constexpr (is_oriented<Volume>) {
        return placed;
    } else {
        if (kind_ == LinkRefit::aabb) return about_corners(placed);
        AabbVolume out{nowhere, -nowhere};
        hold_points(out, points[shape], pose);
        return out;
    }
}

template <class Volume>
bool LinkBoxes<Volume>::is_stale(const LinkTree::Node& node, int n, const Rigid* link_poses,
                                 const unsigned char* moved) {
    if (node.is_leaf()) return moved[node.right];
    return (stale_[node.left] | stale_[node.right]) || !(joints_[n] == link_poses[node.joint].translation);
}

template <class Volume>
template <class Leaf, class Inner>
void LinkBoxes<Volume>::from_below(const LinkTree& tree, const Rigid* link_poses, const unsigned char* moved,
                                   Leaf&& leaf, Inner&& inner) {
    refitted_ = 0;
    for (int n = 0; n <= tree.root(); ++n) {
        const LinkTree::Node& node = tree.node(n);
        if (moved && !(stale_[n] = is_stale(node, n, link_poses, moved))) continue;
        ++refitted_;
        if (node.is_leaf()) {
            boxes_[n] = leaf(node.right);
        } else {
            joints_[n] = link_poses[node.joint].translation;
            boxes_[n] = inner(node, boxes_[node.left], boxes_[node.right], joints_[n]);
        }
        margins_[n] = link_margin * extent(boxes_[n]);
    }
}

template <class Volume>
bool LinkBoxes<Volume>::start(const LinkTree& tree, LinkRefit kind, const LinkPoints* points) {
    const bool about_points = kind == LinkRefit::aabb_all, oriented = kind != LinkRefit::aabb && !about_points;
    if (oriented != is_oriented<Volume> || (about_points && !points && tree.root() >= 0))
        throw std::invalid_argument("these boxes cannot be refitted in this way");
    const bool is_known = boxes_.size() == tree.nodes().size() && kind_ == kind;
    boxes_.resize(tree.nodes().size());
    margins_.resize(boxes_.size());
    joints_.resize(boxes_.size());
    stale_.resize(boxes_.size());
    kind_ = kind;
    return is_known;
}

template <class Volume>
void LinkBoxes<Volume>::refit(const LinkTree& tree, LinkRefit kind, const Rigid* shape_poses, const Rigid* link_poses,
                              const unsigned char* moved, const LinkPoints* points) {
    if (!start(tree, kind, points)) moved = nullptr;
    using Node = const LinkTree::Node&;
    using Box = const Volume&;
    auto by = [&](auto&& inner) {
        from_below(tree, link_poses, moved, [&](int s) { return leaf_of(tree, s, shape_poses[s], points); }, inner);
    };
    if constexpr (is_oriented<Volume>) {
        if (kind == LinkRefit::cab) by([](Node, Box a, Box b, Vec3 joint) { return cab(a, b, joint, false); });
        if (kind == LinkRefit::cab_sum) by([](Node, Box a, Box b, Vec3 joint) { return cab(a, b, joint, true); });
        if (kind == LinkRefit::obb) by([](Node, Box a, Box b, Vec3) { return covariance_box(a, b); });
    } else {
        if (kind == LinkRefit::aabb) by([](Node, Box a, Box b, Vec3) { return a.merged(b); });
        if (kind == LinkRefit::aabb_all)
            by([&](Node node, Box, Box, Vec3) { return about_all_points(tree, node, shape_poses, points); });
    }
}

template <class Volume>
std::string LinkBoxes<Volume>::validate(const LinkTree& tree, const Rigid* shape_poses,
                                        const LinkPoints* points) const {
    if (boxes_.size() != tree.nodes().size()) return "the boxes are not as many as the nodes";
    if (kind_ == LinkRefit::aabb_all && !points && tree.root() >= 0)
        return "boxes about points cannot be checked without the points";
    for (int n = 0; n <= tree.root(); ++n) {
        const LinkTree::Node& node = tree.node(n);
        const std::string name = "the box of node " + std::to_string(n);
        if (!is_finite(boxes_[n])) return name + " is not a finite box with orthonormal axes";
        if (node.is_leaf()) {
            if (!same(boxes_[n], leaf_of(tree, node.right, shape_poses[node.right], points)))
                return name + " is not that of shape " + std::to_string(node.right) + " where it stands";
        } else if (!holds(boxes_[n], boxes_[node.left]) || !holds(boxes_[n], boxes_[node.right])) {
            return name + " does not hold those below it";
        }
    }
    return "";
}

template class LinkBoxes<ObbVolume>;
template class LinkBoxes<AabbVolume>;

}  // namespace elbowroom
