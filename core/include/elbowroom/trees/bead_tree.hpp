// The tree over beads that all move. Sixteen consecutive beads make a leaf, eight leaves a node, and so on. All beads
// share one frame, so boxes along the axes need no turning and are made anew in every frame.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "elbowroom/math/lanes.hpp"
#include "elbowroom/math/vec3.hpp"
#include "elbowroom/trees/large_array.hpp"

namespace elbowroom {

/// Boxes about the centres below each child, rounded outwards, and the largest radius there: from low to high along x,
/// y and z. In the plane, where curves are seldom along an axis, along x, y and the two diagonals between them. A child
/// that is missing has an empty box, which is near nothing.
struct alignas(64) BeadNode {
    float low[4][8], high[4][8], radius[8];
};

/// The centres of sixteen beads about the tree's origin, in single precision: x, then y, then z. A place without a bead
/// holds NaN, which is near nothing.
struct alignas(64) BeadLeaf {
    float x[48];
};

/// Boxes about four beads each of a leaf, in a row; missing beads are taken for copies of the last.
struct alignas(32) BeadFours {
    Float4 low[3], high[3];
};

/// Along the diagonals of the plane.
struct Diagonals {
    Float8 up, down;
    ELBOWROOM_INLINE Diagonals(Float8 x, Float8 y)
        : up((x + y) * Float8(0.70710678f)), down((x - y) * Float8(0.70710678f)) {}
};

class BeadTree {
public:
    static constexpr int leaf_size = 16;
    BeadTree() = default;
    /// `flat`: all beads are in the plane z = 0.
    BeadTree(std::vector<double> radii, bool flat);

    std::int32_t beads() const { return std::int32_t(radii_.size()); }
    std::int32_t leaves() const { return leaves_; }
    int levels() const { return int(levels_.size()); }  // of nodes; leaves are level 0
    std::int32_t count(int level) const { return level == 0 ? leaves_ : std::int32_t(levels_[level - 1].size()); }
    ELBOWROOM_INLINE const BeadNode& node(int level, std::int32_t i) const { return levels_[level - 1][i]; }
    /// The children that a node has, as bits.
    ELBOWROOM_INLINE unsigned children(int level, std::int32_t i) const {
        const std::int32_t below = count(level - 1) - 8 * i;
        return below >= 8 ? 255u : (1u << below) - 1;
    }
    /// One may read on behind it.
    ELBOWROOM_INLINE const float* leaf(std::int32_t i) const { return places_[i].x; }
    ELBOWROOM_INLINE const BeadFours& fours(std::int32_t i) const { return fours_[i]; }
    ELBOWROOM_INLINE bool flat() const { return flat_; }
    ELBOWROOM_INLINE bool uniform() const { return uniform_; }
    ELBOWROOM_INLINE double radius(std::int64_t bead) const { return radii_[bead]; }
    const std::vector<double>& radii() const { return radii_; }
    /// Radii of the beads of a leaf in single precision, rounded up.
    ELBOWROOM_INLINE const float* leaf_radii(std::int32_t i) const {
        return &rounded_radii_[leaf_size * std::size_t(i)];
    }
    /// The distance of two beads in single precision may be off by so much, beside what its own rounding takes.
    ELBOWROOM_INLINE float error() const { return error_; }

    /// What coordinates are about, and the largest of them.
    Vec3 origin() const { return origin_; }
    double extent() const { return extent_; }

    /// Other radii, as many: boxes must be rebuilt.
    void set_radii(std::vector<double> radii);
    /// Copies the centres, three numbers each, and makes the boxes anew. False if a number is not finite or beyond
    /// the limits, or a little more; the boxes are then worth nothing.
    bool refit(const double* from, double* to);
    /// Copies the centres and finds how far the farthest has gone since the last refit, never less; the boxes stay as
    /// they are. False as above.
    bool follow(const double* from, double* to, double& farthest) const;
    /// How far a bead has moved by the last refit, at most.
    double step() const { return step_; }

    /// The sides of the boxes about the leaves together.
    double leaf_sides() const;
    /// What is wrong with the boxes about these centres, or nothing.
    std::string validate(const Vec3* centres) const;
    std::size_t bytes() const;

private:
    std::vector<double> radii_;
    std::vector<float> rounded_radii_;  // empty places hold -1
    std::int32_t leaves_ = 0;
    LargeArray<BeadLeaf> places_;
    LargeArray<BeadFours> fours_;
    std::vector<LargeArray<BeadNode>> levels_;
    bool flat_ = false, uniform_ = true, fitted_ = false;
    Vec3 origin_, middle_;  // of all beads, about the origin
    double extent_ = 0;     // the largest coordinate about the origin
    float error_ = 0;
    double step_ = 0;

    template <class Do>
    bool each_leaf(const double* from, double* to, Do&& work) const;
    void refit_nodes();
    void measure();
};

}  // namespace elbowroom
