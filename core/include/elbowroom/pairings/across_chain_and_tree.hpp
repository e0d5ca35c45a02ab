#pragma once
#include "elbowroom/math/rigid.hpp"
#include "elbowroom/traversal/pair.hpp"
#include "elbowroom/trees/chain_places.hpp"
#include "elbowroom/volumes/obb_lanes.hpp"

namespace elbowroom {

/// A placed node of a chain against the children of a rigid node, or a box of a rigid tree against the children of a
/// chain's node.
template <class Tree>
struct ChainTreeFan {
    ChainPlaces& places;
    std::int32_t opened, other;
    bool opens_chain;
    int width;
    BallBoxProbe box;  // of the rigid tree, if the chain is opened
    ObbProbe node;     // of the chain, if the rigid tree is opened
    const ObbLanes<Tree::width>* lanes;
    float margin;
    std::int32_t base;

    ELBOWROOM_INLINE unsigned overlapping(Float8& gap) const {
        if (!opens_chain) return overlap_lanes(node, *lanes, margin, gap);
        const BallBoxLanes& many = *places[opened].lanes;
        const unsigned near = ball_overlap_lanes(box, many, gap);
        if (!near) return 0;
        const BoxGaps g(box, many);
        gap = g.largest();
        return near & where_at_most(gap, Float8(0.f));
    }
    ELBOWROOM_INLINE Float8 squared_gaps(const LinearMaps&, Float8& gap) const {
        return opens_chain ? squared_gap_lanes(box, *places[opened].lanes, true, gap)
                           : squared_gap_lanes(node, *lanes, margin, gap);
    }
    ELBOWROOM_INLINE unsigned valid() const { return opens_chain ? places[opened].lanes->valid : lanes->valid; }
    ELBOWROOM_INLINE Pair child(int lane, float bound) const {
        if (opens_chain) return {places.child(opened, lane), other, bound};
        return {other, base + lane, bound};
    }
};

/// Pairs of a chain's nodes (a, placed in the common frame) and the boxes of a rigid tree (b): the larger is opened.
template <class Tree>
class AcrossChainAndTree {
public:
    AcrossChainAndTree(ChainPlaces& places, const Tree& tree, const Rigid& tree_to_common)
        : places_(places),
          tree_(tree),
          to_common_({tree_to_common.rotation, tree_to_common * tree.origin}),
          from_common_(inverse(to_common_)),
          turn_(to_common_),
          turn_back_(from_common_) {}

    ELBOWROOM_INLINE bool is_leaf(const Pair& p) const {
        return places_[p.a].level == 0 && tree_.records[p.b].is_leaf();
    }
    /// Pairs of balls and primitives below.
    double count(std::int32_t a, std::int32_t b) const { return balls_below(places_[a]) * tree_.below[b]; }
    ChainTreeFan<Tree> open(const Pair& p) const {
        const ChainPlace& a = places_[p.a];
        const auto& b = tree_.records[p.b];
        const float size = most(b.field[3], most(b.field[4], b.field[5]));
        return b.is_leaf() || (a.level > 0 && a.radius > size) ? open_chain(p, a, b.field, b.is_leaf())
                                                               : open_tree(p, a, b.child);
    }

private:
    ChainPlaces& places_;
    const Tree& tree_;
    const Rigid to_common_, from_common_;  // the tree's volumes are about its origin
    const RigidFloat turn_, turn_back_;

    ChainTreeFan<Tree> open_chain(const Pair& p, const ChainPlace& a, const float* f, bool leaf) const {
        if (is_about_half_space(f, leaf)) return open_at_plane(p, a, f);
        ChainTreeFan<Tree> fan{places_, p.a, p.b, true, __builtin_popcount(a.lanes->valid), {}, {}, nullptr, 0, 0};
        const Vec3 d = to_common_ * Vec3{f[0], f[1], f[2]} - a.frame.t;
        const float ball = std::sqrt(f[3] * f[3] + f[4] * f[4] + f[5] * f[5]) * 1.000001f;
        const FrameFloat& turned = places_.turned(p.a);
        fan.box.place(turned.into(Float4{float(d.x), float(d.y), float(d.z), 0}), ball);
        fan.box.slack += float(tree_.radius) * probe_slack;  // the box's centre was rounded about the tree's origin
        fan.box.orient(turned.into(turn_.turned(f + 6)), turned.into(turn_.turned(f + 9)),
                       turned.into(turn_.turned(f + 12)), f + 3);
        return fan;
    }
    /// A half-space is cut to what matters to the balls below the node.
    ChainTreeFan<Tree> open_at_plane(const Pair& p, const ChainPlace& a, const float* f) const {
        const Vec3 normal = to_common_.rotation * Vec3{f[6], f[7], f[8]};
        const Vec3 away = a.centre - to_common_ * Vec3{f[0], f[1], f[2]};
        const HalfSpaceCut part(dot(normal, away), a.radius);
        const Vec3 centre = from_common_ * (a.centre + normal * part.middle);
        float box[15] = {float(centre.x),      float(centre.y),     float(centre.z), float(part.half * 1.000001),
                         a.radius * 1.000001f, a.radius * 1.000001f};
        for (int k = 6; k < 15; ++k) box[k] = f[k];
        ChainTreeFan<Tree> fan = open_chain(p, a, box, false);
        fan.box.slack += float(length(away)) * probe_slack;  // over which the normal is off
        return fan;
    }
    ChainTreeFan<Tree> open_tree(const Pair& p, const ChainPlace& a, std::int32_t child) const {
        ChainTreeFan<Tree> fan{places_,
                               p.b,
                               p.a,
                               false,
                               __builtin_popcount(tree_.lanes[child].valid),
                               {},
                               {},
                               &tree_.lanes[child],
                               0,
                               child * Tree::width};
        const Vec3 c = from_common_ * a.centre;
        fan.margin = float((length(c) + tree_.radius + a.radius) * 4e-6);
        for (int k = 0; k < 3; ++k) {
            fan.node.centre[k] = float(c[k]);
            fan.node.half[k] = a.half[k];
        }
        for (int k = 0; k < 3; ++k) {
            const Float4 axis = places_.turned(p.a).column[k];
            const float v[3] = {axis[0], axis[1], axis[2]};
            *reinterpret_cast<Float4*>(fan.node.axis[k]) = turn_back_.turned(v);
        }
        return fan;
    }
};

}  // namespace elbowroom
