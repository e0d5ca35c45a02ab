// Questions between a chain and another body.
#pragma once
#include "elbowroom/bodies/chain.hpp"
#include "elbowroom/bodies/rigid_queries.hpp"

namespace elbowroom {

/// A chain somewhere in the world. No change may be pending: see Chain::settle.
struct PlacedChain {
    const Chain* chain;
    Rigid pose;
};

/// The frame that a query about a chain is asked in: that of its root, so that nothing is lost far from the origin.
inline Rigid at_first_ball(const PlacedChain& c) { return c.pose * rigid(c.chain->tree().base()); }

CollideAnswer collide(const PlacedChain& a, const PlacedChain& b, const CollideOptions& options);
DistanceAnswer distance(const PlacedChain& a, const PlacedChain& b, const DistanceOptions& options);
WithinAnswer within(const PlacedChain& a, const PlacedChain& b, const WithinOptions& options);

CollideAnswer collide(const PlacedChain& a, const Placed& b, const CollideOptions& options);
DistanceAnswer distance(const PlacedChain& a, const Placed& b, const DistanceOptions& options);
WithinAnswer within(const PlacedChain& a, const Placed& b, const WithinOptions& options);

/// What the memory keeps of a chain and another body that was at `at`, seen from the chain: told how far the chain's
/// balls have gone since, by `reading`, and how far the other body has, a ball about `middle`. Null without a memory.
template <class Options>
CutMemory* recalled(const Options& options, std::uint64_t first, std::uint64_t second, double reading, const Rigid& at,
                    Vec3 middle, double radius) {
    if (!options.memory) return nullptr;
    CutMemory& cut = options.cut ? *options.cut : options.memory->begin(first, second);
    cut.meet(first, second);
    if (cut.placed) cut.move(reading - cut.reading + step_between(cut.at, at, middle, radius), far_away);
    cut.at = at, cut.placed = true, cut.reading = reading;
    return &cut;
}

}  // namespace elbowroom
