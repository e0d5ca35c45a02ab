#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "elbowroom/math/frame_rows.hpp"
#include "elbowroom/trees/link_blocks.hpp"
#include "elbowroom/volumes/box_row.hpp"

namespace elbowroom {

/// The box of one shape in eight configurations, a lane each.
struct alignas(32) ShapeEight {
    float at[3][8];         // centre, about the origin of the lane
    float reach[3][8];      // half sides of the box along the axes
    float direction[9][8];  // axis i in coordinate k: 3 i + k
    float sides[3];         // half sides of the box

    ELBOWROOM_INLINE Float8 centre(int k) const { return Float8::load(at[k]); }
    ELBOWROOM_INLINE Float8 axis(int i, int k) const { return Float8::load(direction[3 * i + k]); }
    ELBOWROOM_INLINE Float8 half(int i) const { return Float8(sides[i]); }
};

/// The shapes of a body in eight configurations at once. Where many configurations are asked about, what is done for
/// one shape, or one pair, is done for eight of them by the same instructions, and nothing need be sorted into lanes
/// later.
class LinkEights {
public:
    LinkEights() = default;
    explicit LinkEights(const std::vector<CarriedBox>& shapes);

    /// From the frames of eight configurations, as rows `stride` doubles apart. The lanes that are good: of the others
    /// a frame is not finite, or, if that is `doubtful`, no rotation to six digits or without the last row (0, 0, 0,
    /// 1).
    /// What lies `ahead` doubles farther on is fetched meanwhile: the next eight.
    unsigned refit(const std::vector<CarriedBox>& shapes, const double* const* frames, int stride, bool doubtful,
                   std::ptrdiff_t ahead = 0);

    int shapes() const { return int(shape_.size()); }
    const ShapeEight& shape(int i) const { return shape_[i]; }
    Vec3 origin(int lane) const { return origin_[lane]; }
    /// No coordinate is larger, in each lane, nor is what a frame's rotation turns.
    Float8 extent() const { return Float8::load(extent_); }

private:
    struct Local {
        float row[3][4];  // of the box in its frame: axes and centre
    };
    std::vector<ShapeEight> shape_;
    std::vector<Local> local_;
    Vec3 origin_[8];
    alignas(32) float extent_[8];
    float arm_ = 0;
    const CarriedBox* taken_ = nullptr;  // what the local boxes were made from

    void take(const std::vector<CarriedBox>& shapes);
    void put(const CarriedBox& carried, const Local& local, const Float8* x, const Float8* y, ShapeEight& out) const;
};

}  // namespace elbowroom
