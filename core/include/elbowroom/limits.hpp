// The limits of input, for the core and for Python, which reads them as elbowroom._core.limits. docs/limits.md states
// them. No other file repeats these numbers.
#pragma once

namespace elbowroom {

struct Limits {
    /// Coordinates, lengths and values of joints may be so large: squares then stay in the range of floats.
    double largest_number = 1e15;
    /// Bodies may be so small, or points.
    double smallest_size = 1e-35;
    /// By so much an entry of R R^T may differ from the identity, and the length of a quaternion from 1. Rotations
    /// within are taken as rounded, and are replaced by the nearest rotation.
    double rotation_tolerance = 1e-3;
    /// The same for the joints of a saved chain, which was saved without rounding.
    double saved_rotation_tolerance = 1e-6;
    /// The smallest singular value of a linear map over its largest.
    double smallest_singular_ratio = 1e-12;
    /// The tolerance of a motion check, as a share of the motion; smaller ones are replaced by it.
    double smallest_motion_tolerance = 1e-15;
    /// Numbers that are ints in the core: exclude, may_touch, links, nodes, neighbours.
    long long largest_int = 2'147'483'647;
    /// Seeds, steps, tests and all other counts.
    long long largest_count = 9'223'372'036'854'775'807;
    /// Nodes of a cut list that are judged together.
    long long largest_group = 1 << 30;
    /// The level of a tree that is asked for.
    long long largest_level = 1'000'000;
};

inline constexpr Limits limits;

}  // namespace elbowroom
