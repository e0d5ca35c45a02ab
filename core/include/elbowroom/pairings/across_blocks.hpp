// Which shapes of articulated bodies are near each other, by two levels of boxes: block against blocks, the shapes of
// one block against the box of the other, then shape against shapes. The near ones go to a list, because a kernel that
// is called from within these loops makes them slower.
#pragma once
#include <cstdint>
#include <vector>

#include "elbowroom/interruption.hpp"
#include "elbowroom/traversal/pair.hpp"
#include "elbowroom/trees/link_blocks.hpp"

namespace elbowroom {

/// A box along the axes, to be compared with eight: its centre as the others see it, its sides made longer by a slack.
struct AxisProbe {
    Float8 centre[3], half[3];
    ELBOWROOM_INLINE AxisProbe(const float* c, const float* h, int stride, const float* shift, float slack) {
        for (int k = 0; k < 3; ++k) {
            centre[k] = Float8(c[k * stride] - shift[k]);
            half[k] = Float8(h[k * stride] + slack);
        }
    }
    /// The lanes of boxes (centre k and half side k `stride` floats apart) that it overlaps.
    ELBOWROOM_INLINE unsigned near(const float* c, const float* h, int stride) const {
        unsigned lanes = 255u;
        for (int k = 0; k < 3; ++k)
            lanes &= where_at_most(absolute(Float8::load(c + k * stride) - centre[k]),
                                   Float8::load(h + k * stride) + half[k]);
        return lanes;
    }
    ELBOWROOM_INLINE unsigned near(const LinkBlock& block) const {
        return near(block.centre[0], block.half[0], LinkBlock::size) |
               near(block.centre[0] + 8, block.half[0] + 8, LinkBlock::size) << 8;
    }
};

/// How two blocks see each other.
struct BlockPassage {
    float shift[3];  // what to add to the coordinates of the second to see them from the first
    float margin;    // what rounding can add to a gap along an axis

    /// Coordinates and half sides are right to a few ulps, rotations to 2e-6 of the lengths that they turn. Far from
    /// the origin of the world the frames themselves are rounded, and what is nearer than 1e-14 of that counts as
    /// touching.
    ELBOWROOM_INLINE BlockPassage(Vec3 from, Vec3 to, float extents) {
        float size = extents;
        for (int k = 0; k < 3; ++k) {
            shift[k] = float(to[k] - from[k]);
            size += std::fabs(shift[k]);
        }
        const double away = largest(absolute(from)) + largest(absolute(to));
        margin = 4e-6f * size + float(1e-13 * away);
    }
};

/// Pairs of shapes whose boxes overlap: a list that is written to without asking for room each time.
class NearShapePairs {
public:
    struct Pair {
        std::int32_t a, b, passage;
    };
    void clear() {
        count_ = 0;
        passages_.clear();
    }
    /// Where up to `more` pairs may be written to; `end` says where they ended.
    Pair* room(std::size_t more) {
        if (pairs_.size() < count_ + more) pairs_.resize(2 * (count_ + more));
        return pairs_.data() + count_;
    }
    void end(const Pair* last) { count_ = std::size_t(last - pairs_.data()); }
    std::int32_t add(const BlockPassage& p) { return passages_.push_back(p), std::int32_t(passages_.size()) - 1; }
    std::size_t size() const { return count_; }
    const Pair& operator[](std::size_t i) const { return pairs_[i]; }
    const BlockPassage& passage(const Pair& p) const { return passages_[p.passage]; }

private:
    std::vector<Pair> pairs_;
    std::vector<BlockPassage> passages_;
    std::size_t count_ = 0;
};

/// Pairs of shapes of two bodies in one world, or of one and itself.
class AcrossBlocks {
public:
    /// `reach`: pairs farther apart along an axis are left out.
    AcrossBlocks(const LinkBlocks& a, const LinkBlocks& b, double reach)
        : a_(a), b_(b), whole_(a.origin(), b.origin(), a.extent() + b.extent()), reach_(float(reach) * 1.000001f) {}

    /// Adds to `near_pairs` each pair of shapes whose boxes overlap, where `allows(i, block)` has the bit of j. `self`:
    /// a and b are one body, and i < j.
    template <bool self, class Allows>
    void find(const Allows& allows, Counters& counters, NearShapePairs& near_pairs) const {
        const int stride = 8 * b_.eights();
        Poll poll(64);
        for (int p = 0; p < a_.blocks(); ++p) {
            poll();
            const AxisProbe block(a_.field(0) + p, a_.field(3) + p, 8 * a_.eights(), whole_.shift,
                                  reach_ + whole_.margin);
            for (int g = self ? p / 8 : 0; g < b_.eights(); ++g) {
                unsigned near = block.near(b_.field(0) + 8 * g, b_.field(3) + 8 * g, stride);
                counters.volume_tests += 8;
                if (self && g == p / 8) near &= 255u << (p % 8);
                for (; near; near &= near - 1)
                    blocks<self>(p, 8 * g + __builtin_ctz(near), allows, counters, near_pairs);
            }
        }
    }

private:
    const LinkBlocks &a_, &b_;
    const BlockPassage whole_;
    const float reach_;

    template <bool self, class Allows>
    ELBOWROOM_INLINE void blocks(int p, int q, const Allows& allows, Counters& counters,
                                 NearShapePairs& near_pairs) const {
        const LinkBlock &x = a_.block(p), &y = b_.block(q);
        const BlockPassage passage(x.origin, y.origin, x.extent + y.extent);
        const std::int32_t number = near_pairs.add(passage);
        const float slack = reach_ + passage.margin;
        NearShapePairs::Pair* out = near_pairs.room(LinkBlock::size * LinkBlock::size);
        unsigned rows = 0xffffu;
        if (!self || p != q) rows = rows_near(x, q, counters);
        for (; rows; rows &= rows - 1) {
            const int lane = __builtin_ctz(rows), i = p * LinkBlock::size + lane;
            unsigned allowed = allows(i, q);
            if (self && p == q) allowed &= 0xfffeu << lane;
            if (!allowed) continue;
            counters.volume_tests += LinkBlock::size;
            unsigned near =
                AxisProbe(x.centre[0] + lane, x.half[0] + lane, LinkBlock::size, passage.shift, slack).near(y);
            for (near &= allowed; near; near &= near - 1)
                *out++ = {i, q * LinkBlock::size + __builtin_ctz(near), number};
        }
        near_pairs.end(out);
    }
    /// The shapes of a block of a that are near the box of block q of b.
    ELBOWROOM_INLINE unsigned rows_near(const LinkBlock& x, int q, Counters& counters) const {
        const Vec3 away = x.origin - b_.origin();
        const float back[3] = {float(away.x), float(away.y), float(away.z)};
        counters.volume_tests += LinkBlock::size;
        const float slack = reach_ + BlockPassage(x.origin, b_.origin(), x.extent + b_.extent()).margin;
        return AxisProbe(b_.field(0) + q, b_.field(3) + q, 8 * b_.eights(), back, slack).near(x);
    }
};

}  // namespace elbowroom
