#include "elbowroom/trees/link_blocks.hpp"

namespace elbowroom {

namespace {

/// Half sides of what is not there: nothing overlaps it.
constexpr float nothing = -1e30f;

}  // namespace

LinkBlocks::LinkBlocks(const std::vector<CarriedBox>& shapes) : count_(int(shapes.size())) {
    const int blocks = (count_ + LinkBlock::size - 1) / LinkBlock::size;
    block_.resize(blocks);
    eights_ = (blocks + 7) / 8;
    lanes_.resize(6 * std::size_t(eights_));
    for (int k = 0; k < 6; ++k)
        for (int b = 0; b < 8 * eights_; ++b) field(k)[b] = k < 3 ? 0.f : nothing;
    for (const CarriedBox& s : shapes)
        for (int k = 0; k < 3; ++k) arm_ = most(arm_, float(std::fabs(s.local.at[k][3])));
    row_.resize(std::size_t(blocks) * LinkBlock::size);
    for (std::size_t i = 0; i < row_.size(); ++i) {
        for (int k = 0; k < 3; ++k)
            for (int j = 0; j < 4; ++j) row_[i].row[k][j] = j == k ? 1.f : 0.f;
        for (int j = 0; j < 4; ++j) row_[i].half[j] = i < shapes.size() && j < 3 ? shapes[i].half[j] : 0.f;
    }
}

/// Half a box at a time: what is stored in one piece can be loaded in one piece at once.
ELBOWROOM_INLINE void LinkBlocks::place(const CarriedBox& shape, const double* frame, Vec3 origin, BoxRow& out) {
    Double4 row[3];
    for (int k = 0; k < 3; ++k) {
        row[k] = shape.aligned ? Double4::load(frame + 4 * k) : product_row(frame, k, shape.local);
        row[k] = row[k] - Double4(0, 0, 0, origin[k]);
    }
    to_floats(row[0], row[1]).store(out.row[0]);
    joined(to_floats(row[2]), out.halves()).store(out.row[2]);
}

bool LinkBlocks::refit(const std::vector<CarriedBox>& shapes, const double* frames, int stride,
                       const unsigned char* moved) {
    refitted_ = 0;
    if (!count_) return true;
    const unsigned char* others_moved = moved;
    if (moved && moved[shapes[0].frame]) others_moved = nullptr;  // the boxes of all blocks are about the first
    float extent = 0;
    for (int b = 0; b < blocks(); ++b) {
        const int begin = b * LinkBlock::size, end = least(begin + LinkBlock::size, count_);
        const double* first = frames + std::ptrdiff_t(stride) * shapes[begin].frame;
        const bool all = !moved || moved[shapes[begin].frame];
        if (all) block_[b].origin = {first[3], first[7], first[11]};
        bool fresh = !others_moved;
        for (int i = begin; i < end; ++i) {
            const CarriedBox& shape = shapes[i];
            if (!all && !moved[shape.frame]) continue;
            place(shape, frames + std::ptrdiff_t(stride) * shape.frame, block_[b].origin, row_[i]);
            fresh = true;
        }
        if (fresh && !fit_block(b)) return false;
        for (int k = 0; k < 3; ++k) extent = most(extent, std::fabs(field(k)[b]) + field(3 + k)[b]);
    }
    extent_ = extent + 2 * arm_;
    return extent < 1e18f;
}

bool LinkBlocks::fit_block(int b) {
    ++refitted_;
    LinkBlock& block = block_[b];
    const BoxRow* rows = &row_[std::size_t(b) * LinkBlock::size];
    Float8 low[3] = {Float8(1e30f), Float8(1e30f), Float8(1e30f)},
           high[3] = {Float8(-1e30f), Float8(-1e30f), Float8(-1e30f)};
    for (int h = 0; h < LinkBlock::size; h += 8) {
        const int there = least(8, count_ - b * LinkBlock::size - h);
        if (there <= 0) {
            for (int k = 0; k < 3; ++k) {
                Float8(0.f).store(block.centre[k] + h);
                Float8(nothing).store(block.half[k] + h);
            }
            continue;
        }
        Float8 x[8], y[8];
        for (int i = 0; i < 8; ++i) {
            x[i] = Float8::load(rows[h + i].row[0]);
            y[i] = Float8::load(rows[h + i].row[2]);
        }
        transpose(x);
        transpose(y);
        const Float8 farthest = absolute(x[3]) + absolute(x[7]) + absolute(y[3]);
        if (where_at_most(rotation_errors(x, y), Float8(2e-6f)) != 255u) return false;
        if (where_at_most(farthest, Float8(1e18f)) != 255u) return false;  // nor if one is not a number
        const Float8 absent = lanes_where(255u & ~((1u << there) - 1));
        for (int k = 0; k < 3; ++k) {
            const Float8* r = k < 2 ? x + 4 * k : y;
            const Float8 half =
                select(absent, Float8(nothing),
                       multiply_add(y[4], absolute(r[0]), multiply_add(y[5], absolute(r[1]), y[6] * absolute(r[2]))));
            r[3].store(block.centre[k] + h);
            half.store(block.half[k] + h);
            low[k] = least(low[k], r[3] - half);
            high[k] = most(high[k], r[3] + half);
        }
    }
    const Vec3 shift = block.origin - origin();
    block.extent = 2 * arm_;
    for (int k = 0; k < 3; ++k) {
        const float l = smallest(low[k]), g = largest(high[k]), at = 0.5f * (l + g);
        field(k)[b] = at + float(shift[k]);
        field(3 + k)[b] = 0.5f * (g - l);
        block.extent = most(block.extent, std::fabs(at) + field(3 + k)[b] + 2 * arm_);
    }
    return true;
}

std::string LinkBlocks::validate(const std::vector<CarriedBox>& shapes, const double* frames, int stride) const {
    for (int i = 0; i < count_; ++i) {
        const int b = i / LinkBlock::size, lane = i % LinkBlock::size;
        FrameRows box;
        multiply(frames + std::ptrdiff_t(stride) * shapes[i].frame, shapes[i].local, box);
        for (int k = 0; k < 3; ++k) {
            double half = 0;
            for (int j = 0; j < 3; ++j) half += std::fabs(box.at[k][j]) * shapes[i].half[j];
            const double at = box.at[k][3] - block_[b].origin[k], whole_at = box.at[k][3] - origin()[k];
            const double own = std::fabs(at - block_[b].centre[k][lane]) + half - block_[b].half[k][lane];
            const double whole = std::fabs(whole_at - field(k)[b]) + half - field(3 + k)[b];
            if (!(own <= 4e-6 * block_[b].extent)) return "shape " + std::to_string(i) + " sticks out of its box";
            if (!(whole <= 4e-6 * extent_))
                return "shape " + std::to_string(i) + " sticks out of the box of block " + std::to_string(b);
        }
    }
    return "";
}

}  // namespace elbowroom
