// How a pose comes in: the fast way for what is usual, the Python way (elbowroom._arrays) for the rest and for errors.
#pragma once
#include <optional>

#include "arrays.hpp"
#include "elbowroom/batch/poses.hpp"

namespace elbowroom::bindings {

/// One pose, or an array of them that is kept alive.
class PoseArgument : public Poses {
public:
    PoseArgument(nb::handle value, const char* name);

private:
    std::optional<ArrayArgument> array_;

    bool take(nb::handle value);
    bool take_array(nb::handle value);
    bool take_loosely(nb::handle value);
};

/// One pose, not an array of them.
Rigid one_pose(nb::handle value, const char* name);

/// A rotation, as a matrix, a quaternion or None, and a translation or None.
Rigid pose_of_pair(nb::handle rotation, nb::handle translation);

using Matrix = std::array<std::array<double, 4>, 4>;

inline Matrix matrix_of(const Rigid& pose) {
    Matrix out;
    write_matrix(pose, out[0].data());
    return out;
}

}  // namespace elbowroom::bindings
