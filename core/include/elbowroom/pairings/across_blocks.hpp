// Which shapes of articulated bodies are near each other, by two levels of boxes: block against blocks, the shapes of
// one block against the box of the other, then shape against shapes. The near ones go to a list, because a kernel that
// is called from within these loops makes them slower.
#pragma once
#include "elbowroom/traversal/pair.hpp"
#include "elbowroom/trees/link_blocks.hpp"

namespace elbowroom {

/// A box along the axes, to be compared with eight: its centre as the others see it, its sides made longer by a slack.
struct AxisProbe {
    Float8 centre[3], half[3];
    ELBOWROOM_INLINE AxisProbe(const float* c, const float* h, int stride, const float* shift, float slack) {
        for (int k = 0; k < 3; ++k) centre[k] = Float8(c[k * stride] - shift[k]), half[k] = Float8(h[k * stride] + slack);
    }
    /// The lanes of boxes (centre k and half side k `stride` floats apart) that it overlaps.
    ELBOWROOM_INLINE unsigned near(const float* c, const float* h, int stride) const {
        unsigned lanes = 255u;
        for (int k = 0; k < 3; ++k)
            lanes &= where_at_most(absolute(Float8::load(c + k * stride) - centre[k]), Float8::load(h + k * stride) + half[k]);
        return lanes;
    }
    ELBOWROOM_INLINE unsigned near(const LinkBlock& block) const {
        return near(block.centre[0], block.half[0], LinkBlock::size) |
               near(block.centre[0] + 8, block.half[0] + 8, LinkBlock::size) << 8;
    }
};

/// Pairs of shapes of two bodies, or of one and itself.
class AcrossBlocks {
public:
    /// `shift`: what to add to the coordinates of b to see them from a. `reach`: pairs farther apart along an axis are
    /// left out.
    AcrossBlocks(const LinkBlocks& a, const LinkBlocks& b, Vec3 shift, double reach) : a_(a), b_(b) {
        float size = a.extent() + b.extent();
        for (int k = 0; k < 3; ++k) shift_[k] = float(shift[k]), size += 2 * std::fabs(shift_[k]);
        margin_ = 4e-6f * size, slack_ = float(reach) * 1.000001f + margin_;
    }
    const float* shift() const { return shift_; }
    /// What rounding can add to a gap along an axis: coordinates and half sides are right to a few ulps, rotations to
    /// 2e-6 of the lengths that they turn.
    float margin() const { return margin_; }

    /// Calls found(i, j) for each pair of shapes whose boxes overlap, where `allows(i, block)` has the bit of j. `self`:
    /// a and b are one body, and i < j.
    template <bool self, class Allows, class Found>
    ELBOWROOM_INLINE void each(const Allows& allows, Counters& counters, Found&& found) const {
        const int stride = 8 * b_.eights();
        for (int p = 0; p < a_.blocks(); ++p) {
            const AxisProbe block(a_.field(0) + p, a_.field(3) + p, 8 * a_.eights(), shift_, slack_);
            for (int g = self ? p / 8 : 0; g < b_.eights(); ++g) {
                unsigned near = block.near(b_.field(0) + 8 * g, b_.field(3) + 8 * g, stride);
                counters.volume_tests += 8;
                if (self && g == p / 8) near &= 255u << (p % 8);
                for (; near; near &= near - 1) blocks<self>(p, 8 * g + __builtin_ctz(near), allows, counters, found);
            }
        }
    }

private:
    const LinkBlocks &a_, &b_;
    float shift_[3], margin_, slack_;

    template <bool self, class Allows, class Found>
    ELBOWROOM_INLINE void blocks(int p, int q, const Allows& allows, Counters& counters, Found&& found) const {
        const LinkBlock &x = a_.block(p), &y = b_.block(q);
        const float back[3] = {-shift_[0], -shift_[1], -shift_[2]};
        unsigned rows = 0xffffu;
        if (!self || p != q) {
            rows = AxisProbe(b_.field(0) + q, b_.field(3) + q, 8 * b_.eights(), back, slack_).near(x);
            counters.volume_tests += LinkBlock::size;
        }
        for (; rows; rows &= rows - 1) {
            const int lane = __builtin_ctz(rows), i = p * LinkBlock::size + lane;
            unsigned allowed = allows(i, q);
            if (self && p == q) allowed &= 0xfffeu << lane;
            if (!allowed) continue;
            counters.volume_tests += LinkBlock::size;
            unsigned near = AxisProbe(x.centre[0] + lane, x.half[0] + lane, LinkBlock::size, shift_, slack_).near(y);
            for (near &= allowed; near; near &= near - 1) found(i, q * LinkBlock::size + __builtin_ctz(near));
        }
    }
};

}  // namespace elbowroom
