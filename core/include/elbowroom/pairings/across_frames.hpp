#pragma once
#include "elbowroom/traversal/pair.hpp"
#include "elbowroom/trees/chain_places.hpp"

namespace elbowroom {

/// One placed node against the children of another.
struct ChainFan {
    ChainPlaces& places;
    const BallBoxLanes& many;
    std::int32_t opened, other;
    bool opens_a, boxes;
    unsigned open;  // the lanes that take part
    int width;
    BallBoxProbe one;

    ChainFan(ChainPlaces& places, std::int32_t opened, std::int32_t other, bool opens_a, bool boxes, unsigned open)
        : places(places),
          many(*places[opened].lanes),
          opened(opened),
          other(other),
          opens_a(opens_a),
          boxes(boxes),
          open(open & many.valid),
          width(__builtin_popcount(this->open)) {
        const ChainPlace &z = places.framed(opened), &a = places[other];
        const Vec3 d = a.centre - z.frame.t;
        one.place(places.turned(opened).into(Float4{float(d.x), float(d.y), float(d.z), 0}), a.radius);
    }
    /// The probe's axes are needed only if its ball meets one of the lanes.
    ELBOWROOM_INLINE void orient(BallBoxProbe& probe) const {
        const FrameFloat &z = places.turned(opened), &a = places.turned(other);
        probe.orient(z.into(a.column[0]), z.into(a.column[1]), z.into(a.column[2]), places[other].half);
    }
    ELBOWROOM_INLINE unsigned overlapping(Float8& gap) const {
        unsigned lanes = ball_overlap_lanes(one, many, gap) & open;
        if (!lanes || !boxes) return lanes;
        BallBoxProbe probe = one;
        orient(probe);
        const BoxGaps g(probe, many);
        gap = g.largest();
        return lanes & where_at_most(gap, Float8(0.f));
    }
    ELBOWROOM_INLINE Float8 squared_gaps(const LinearMaps&, Float8& gap) const {
        BallBoxProbe probe = one;
        if (boxes) orient(probe);
        return squared_gap_lanes(probe, many, boxes, gap);
    }
    ELBOWROOM_INLINE unsigned valid() const { return open; }
    ELBOWROOM_INLINE Pair child(int lane, float bound) const {
        const std::int32_t made = places.child(opened, lane);
        return opens_a ? Pair{made, other, bound} : Pair{other, made, bound};
    }
};

/// Pairs of nodes that have frames of their own, of one chain or of two: all placed in one common frame, each once. The
/// larger is opened.
class AcrossFrames {
public:
    AcrossFrames(ChainPlaces& places, bool boxes) : places_(places), boxes_(boxes) {}
    ELBOWROOM_INLINE bool is_leaf(const Pair& p) const { return (places_[p.a].level | places_[p.b].level) == 0; }
    /// Pairs of balls below.
    double count(std::int32_t a, std::int32_t b) const { return balls_below(places_[a]) * balls_below(places_[b]); }
    ELBOWROOM_INLINE ChainFan open(const Pair& p) const {
        const ChainPlace &a = places_[p.a], &b = places_[p.b];
        if (b.level == 0 || (a.level > 0 && a.radius > b.radius)) return fan(p.a, p.b, true, ~0u);
        return fan(p.b, p.a, false, ~0u);
    }
    ELBOWROOM_INLINE ChainFan fan(std::int32_t opened, std::int32_t other, bool opens_a, unsigned lanes) const {
        return {places_, opened, other, opens_a, boxes_, lanes};
    }

private:
    ChainPlaces& places_;
    const bool boxes_;
};

}  // namespace elbowroom
