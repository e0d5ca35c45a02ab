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

/// A body of triangles and itself. Triangles that share a corner or an edge (by where corners are) count only if they
/// overlap beyond it; distances are those of all others.
CollideAnswer self_collide(const RigidBody& body, const CollideOptions& options);
DistanceAnswer self_distance(const RigidBody& body, const DistanceOptions& options);
WithinAnswer self_within(const RigidBody& body, const WithinOptions& options);

}  // namespace elbowroom
