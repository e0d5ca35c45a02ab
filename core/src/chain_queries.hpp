// Questions between a chain and another body.
#pragma once
#include "elbowroom/bodies/chain.hpp"
#include "elbowroom/bodies/rigid_queries.hpp"

namespace elbowroom {

/// A chain somewhere in the world. Nothing may be noted: see Chain::settle.
struct PlacedChain {
    const Chain* chain;
    Rigid pose;
};

/// The frame that a query about a chain is asked in: about its first ball, so that nothing is lost far from the origin.
inline Rigid at_first_ball(const PlacedChain& c) { return {c.pose.rotation, c.pose * c.chain->tree().origin()}; }

CollideAnswer collide(const PlacedChain& a, const PlacedChain& b, const CollideOptions& options);
DistanceAnswer distance(const PlacedChain& a, const PlacedChain& b, const DistanceOptions& options);
WithinAnswer within(const PlacedChain& a, const PlacedChain& b, double reach, const Allowance& allowance);

CollideAnswer collide(const PlacedChain& a, const Placed& b, const CollideOptions& options);
DistanceAnswer distance(const PlacedChain& a, const Placed& b, const DistanceOptions& options);
WithinAnswer within(const PlacedChain& a, const Placed& b, double reach, const Allowance& allowance);

}  // namespace elbowroom
