#pragma once
#include "elbowroom/math/vec3.hpp"

namespace elbowroom {

/// The points origin + t * direction for t from 0 to `length`; `direction` has unit length. `radius` is that of a ball
/// whose centre moves along the ray.
struct Ray {
    Vec3 origin, direction;
    double length = far_away, radius = 0;
};

}  // namespace elbowroom
