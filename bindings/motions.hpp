// Motions as Python holds them: one, or many that are asked about together.
#pragma once
#include <vector>

#include "elbowroom/math/linear_motion.hpp"

namespace elbowroom::bindings {

struct MotionHandle {
    std::vector<LinearMotion> all;
    bool many = false;
};

}  // namespace elbowroom::bindings
