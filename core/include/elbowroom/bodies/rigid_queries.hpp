#pragma once
#include "elbowroom/bodies/rigid_body.hpp"
#include "elbowroom/queries/answers.hpp"

namespace elbowroom {

/// A body somewhere in the world.
struct Placed {
    const RigidBody* body;
    Rigid pose;
};

CollideAnswer collide(const Placed& a, const Placed& b, const CollideOptions& options);
DistanceAnswer distance(const Placed& a, const Placed& b, const DistanceOptions& options);
WithinAnswer within(const Placed& a, const Placed& b, const WithinOptions& options);

}  // namespace elbowroom
