#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "elbowroom/math/frame_rows.hpp"
#include "elbowroom/volumes/box_row.hpp"

namespace elbowroom {

/// Where a shape is in the frame that carries it.
struct CarriedBox {
    FrameRows local;     // the axes of its box as columns, and the centre
    float half[3];       // half sides, rounded outwards
    std::int32_t frame;  // the frame that carries it
    bool aligned;        // `local` is the identity: the frame is the box's own
};

/// Boxes about sixteen shapes in a row, about an origin of their own: single precision is spent on the sixteen, and not
/// on where they stand.
struct alignas(32) LinkBlock {
    static constexpr int size = 16;
    float centre[3][size], half[3][size];  // along the axes of the world; lanes without a shape have negative sides
    Vec3 origin;                           // where the frame of the first shape is
    float extent;                          // no coordinate is larger, nor is what a frame's rotation turns
};

/// Two levels of boxes along the axes over the shapes of a body that all move, made anew in every frame: for bodies of
/// up to thousands of links nothing deeper pays. The boxes of blocks are about one origin, that of the first.
class LinkBlocks {
public:
    LinkBlocks() = default;
    explicit LinkBlocks(const std::vector<CarriedBox>& shapes);

    /// Makes the boxes anew, from frames that lie `stride` doubles apart as rows; of the shapes whose frames have moved
    /// (null: all). False: a frame is no rotation to six digits, or not finite, and nothing here is of use.
    bool refit(const std::vector<CarriedBox>& shapes, const double* frames, int stride, const unsigned char* moved);

    int shapes() const { return count_; }
    int blocks() const { return int(block_.size()); }
    const LinkBlock& block(int b) const { return block_[b]; }
    const BoxRow& row(int shape) const { return row_[shape]; }
    Vec3 origin() const { return block_.empty() ? Vec3{} : block_[0].origin; }
    /// No coordinate of a block's box is larger than this, nor is what a frame's rotation turns.
    float extent() const { return extent_; }
    /// No coordinate comes near the largest that is allowed.
    bool is_moderate() const { return extent_ < 1e14f && largest(absolute(origin())) < 1e14; }
    /// Field k of the boxes of the blocks, eight at a time: 0 to 2 centres, 3 to 5 half sides.
    const float* field(int k) const { return lanes_[std::size_t(k) * eights_].v; }
    int eights() const { return eights_; }
    /// Blocks made anew by the last refit.
    int refitted() const { return refitted_; }

    std::string validate(const std::vector<CarriedBox>& shapes, const double* frames, int stride) const;

private:
    struct alignas(32) Eight {
        float v[8];
    };
    int count_ = 0, eights_ = 0, refitted_ = 0;
    std::vector<LinkBlock> block_;
    std::vector<BoxRow> row_;
    std::vector<Eight> lanes_;
    float extent_ = 0, arm_ = 0;  // arm: the farthest that a frame carries a box

    bool fit_block(int b);
    static void place(const CarriedBox& shape, const double* frame, Vec3 origin, BoxRow& out);
    float* field(int k) { return lanes_[std::size_t(k) * eights_].v; }
};

}  // namespace elbowroom
