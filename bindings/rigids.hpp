// A rigid body as Python holds it.
#pragma once
#include <nanobind/nanobind.h>

#include "elbowroom/bodies/rigid_body.hpp"
#include "elbowroom/in_use.hpp"

namespace elbowroom::bindings {

/// Of all rigid bodies only meshes change, when they are moved.
struct RigidHandle : RigidBody {
    Usage usage{"the mesh"};
    using RigidBody::RigidBody;
    explicit RigidHandle(const RigidBody& body) : RigidBody(body) {}
};

/// How often any mesh was moved, so that a world of many need not look at each.
inline std::uint64_t mesh_moves = 0;

/// An object with the body as it is now: it stays that way when the caller's is moved.
inline nanobind::object kept_body(nanobind::handle body) {
    RigidHandle& given = nanobind::cast<RigidHandle&>(body);
    const Asking asked(given.usage);
    return nanobind::cast(RigidHandle(static_cast<const RigidBody&>(given)));
}

}  // namespace elbowroom::bindings
