// How a pose comes in: the fast way for what is usual, the Python way (elbowroom._arrays) for the rest and for errors.
#pragma once
#include <optional>

#include "arrays.hpp"

namespace elbowroom::bindings {

/// A pose as sixteen numbers of a 4x4 matrix.
inline void write_matrix(const Rigid& p, double* to) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) to[4 * i + j] = p.rotation.row[i][j];
        to[4 * i + 3] = p.translation[i];
    }
    to[12] = to[13] = to[14] = 0;
    to[15] = 1;
}

/// One pose, or an array of them that is kept alive.
class PoseArgument {
public:
    PoseArgument(nb::handle value, const char* name);
    ~PoseArgument();
    PoseArgument(const PoseArgument&) = delete;
    PoseArgument& operator=(const PoseArgument&) = delete;

    bool many() const { return count_ >= 0; }
    /// False: none was given, and the body stands at the origin.
    bool given() const { return given_; }
    std::ptrdiff_t count() const { return count_; }
    /// Pose i of the array, or the one pose. Needs no interpreter.
    Rigid at(std::ptrdiff_t i) const { return many() ? read(data_ + 16 * i) : one_; }
    /// The pose of sixteen numbers, made exact where it was rounded; none if they are no pose.
    static std::optional<Rigid> rounded(const double* p);

private:
    Rigid one_;
    std::ptrdiff_t count_ = -1;
    const double* data_ = nullptr;
    Py_buffer view_{};
    bool viewed_ = false, given_ = true;

    bool take(nb::handle value);
    bool take_loosely(nb::handle value);
    static bool acceptable(const double* p);
    static Rigid read(const double* p);
};

}  // namespace elbowroom::bindings
