#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "elbowroom/reference/link_tree.hpp"
#include "elbowroom/volumes/carried.hpp"

namespace elbowroom {

/// How the boxes above the shapes are made, each from the two below it unless it says otherwise; the names that
/// [Schmidl2004] has for them are CAB, OBB, AABB* and AABB+.
enum class LinkRefit {
    cab,       // oriented, by the rule of the paper
    cab_sum,   // the same with the variant of its reviewer
    obb,       // oriented, along the principal axes of the corners
    aabb,      // along the axes of the world, about the eight corners of the shapes' boxes
    aabb_all,  // along the axes of the world, each about all points of all shapes below it
};

/// The points of a shape, in the frame of the shape, with a radius about each.
struct LinkPoints {
    const Vec3* points;
    int count;
    const double* radius;  // null: none
};

/// What rounding may do to the gap of two boxes, relative to their sizes and to how far they are from the origin of the
/// world, in which they are placed: carrying a box costs 1e-15 of that and a projection as much; the axes of the last
/// link of a long chain are a product of rotations and may be off by 1e-13. Boxes nearer than that count as touching,
/// so that no pair is lost; at worst one more is looked at.
inline constexpr double link_margin = 1e-12;

/// Where the boxes of a LinkTree are: one for each node, in the world. `Volume` is ObbVolume for cab, cab_sum and obb,
/// AabbVolume for aabb and aabb_all. An object belongs to one tree; it keeps its memory from one refit to the next.
///
/// The box of a leaf is that of the shape, carried along, and the same for every oriented refit. Oriented boxes above
/// it are grown by 1e-14 of their size and 1e-15 of their distance from the origin of the world, which is more than
/// rounding takes away, so each holds the two below it as they stand, however deep the tree is. Least and greatest
/// coordinates do not round.
template <class Volume>
class LinkBoxes {
public:
    /// Makes the boxes anew: all, or those with a moved shape below if `moved` has a flag for each shape. These must
    /// cover all that has moved since the last refit; the first one, and one of another kind, makes all. The result is
    /// the same to the bit. Poses are those in the world, of each shape and of each link (whose origin is its joint);
    /// `points`, one for each shape, are for aabb_all.
    void refit(const LinkTree& tree, LinkRefit kind, const Rigid* shape_poses, const Rigid* link_poses,
               const unsigned char* moved = nullptr, const LinkPoints* points = nullptr);

    ELBOWROOM_INLINE const Volume& operator[](int node) const { return boxes_[node]; }
    /// The share of a box in what the gap of two may be off by.
    ELBOWROOM_INLINE double margin(int node) const { return margins_[node]; }
    const std::vector<Volume>& all() const { return boxes_; }
    /// How many boxes the last refit made, those of leaves included.
    std::int64_t refitted() const { return refitted_; }

    /// What is wrong, or nothing: every leaf is that of its shape where it stands now, every box is finite, its axes
    /// are orthonormal to 1e-12, and it holds the two boxes below it, and so all leaves below it, with no allowance for
    /// rounding. `points` as in the refit.
    std::string validate(const LinkTree& tree, const Rigid* shape_poses, const LinkPoints* points = nullptr) const;

private:
    std::vector<Volume> boxes_;
    std::vector<double> margins_;
    std::vector<Vec3> joints_;          // where the joint of each node was; links without shapes move unseen
    std::vector<unsigned char> stale_;  // nodes made anew
    LinkRefit kind_{};
    std::int64_t refitted_ = 0;

    /// Makes room; true if the boxes of before are of the same kind.
    bool start(const LinkTree& tree, LinkRefit kind, const LinkPoints* points);
    template <class Leaf, class Inner>
    void from_below(const LinkTree& tree, const Rigid* link_poses, const unsigned char* moved, Leaf&& leaf,
                    Inner&& inner);
    bool is_stale(const LinkTree::Node& node, int n, const Rigid* link_poses, const unsigned char* moved);
    Volume leaf_of(const LinkTree& tree, int shape, const Rigid& pose, const LinkPoints* points) const;
};

}  // namespace elbowroom
