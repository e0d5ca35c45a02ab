// How a pose comes in: the fast way for what is usual, the Python way (elbowroom._arrays) for the rest and for errors.
#pragma once
#include "arrays.hpp"
#include "elbowroom/batch/poses.hpp"

namespace elbowroom::bindings {

/// One pose, or an array of them that is kept alive.
class PoseArgument : public Poses {
public:
    PoseArgument(nb::handle value, const char* name);
    ~PoseArgument() {
        if (viewed_) PyBuffer_Release(&view_);
    }
    PoseArgument(const PoseArgument&) = delete;
    PoseArgument& operator=(const PoseArgument&) = delete;

private:
    Py_buffer view_{};
    bool viewed_ = false;

    bool take(nb::handle value);
    bool take_loosely(nb::handle value);
};

}  // namespace elbowroom::bindings
