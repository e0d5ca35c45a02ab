#include "poses.hpp"

#include <cmath>

#include "arguments.hpp"
#include "elbowroom/math/quaternion.hpp"
#include "numbers.hpp"

namespace elbowroom::bindings {

namespace {

/// A matrix, or a unit quaternion (w, x, y, z).
bool read_rotation(nb::handle value, Mat3& out) {
    double r[9];
    if (!read_numbers(value, r, 4)) return read_matrix(value, &out.row[0].x, 3, 3);
    const double norm = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
    out = matrix(Quat{r[0] / norm, r[1] / norm, r[2] / norm, r[3] / norm});
    return std::fabs(norm - 1) <= limits.rotation_tolerance;
}

/// A rotation, as a matrix, a quaternion or None, and a translation or None, as a (4, 4) matrix.
bool read_pair(nb::handle rotation, nb::handle translation, double* m) {
    Rigid pose;
    if (!rotation.is_none() && !read_rotation(rotation, pose.rotation)) return false;
    if (!translation.is_none() && !read_numbers(translation, &pose.translation.x, 3)) return false;
    write_matrix(pose, m);
    return true;
}

/// As sixteen numbers: (rotation, translation), or a matrix that is not an array as it should be.
bool read_loosely(nb::handle value, double* m) {
    const Items items(value.ptr());
    return items.size() == 2 ? read_pair(nb::handle(items[0]), nb::handle(items[1]), m) : read_matrix(value, m, 4, 4);
}

}  // namespace

PoseArgument::PoseArgument(nb::handle value, const char* name) {
    given = !value.is_none();
    if (given && !take(value) && !take(checked("poses", value, name)))
        throw nb::value_error("a pose could not be read");
}

bool PoseArgument::take(nb::handle value) {
    const Rigid* pose = nullptr;
    if (nb::try_cast<const Rigid*>(value, pose) && pose) return one = *pose, true;
    return take_array(value) || take_loosely(value);
}

bool PoseArgument::take_array(nb::handle value) {
    const ArrayArgument& array = array_.emplace(value, std::initializer_list<Py_ssize_t>{4, 4});
    if (!array.fits()) return false;
    for (std::ptrdiff_t i = 0; i < array.rows(); ++i)
        if (!is_pose(array.data() + 16 * i)) return false;
    count = array.count();
    data = array.data();
    if (!many()) one = pose_of(data);
    return true;
}

bool PoseArgument::take_loosely(nb::handle value) {
    double m[16];
    if (!read_loosely(value, m) || !is_pose(m)) return false;
    one = pose_of(m);
    return true;
}

Rigid one_pose(nb::handle value, const char* name) {
    const PoseArgument pose(value, name);
    if (value.is_none() || pose.many()) checked("pose", value, name);  // raises
    return pose.one;
}

Rigid pose_of_pair(nb::handle rotation, nb::handle translation) {
    double m[16];
    if (read_pair(rotation, translation, m) && is_pose(m)) return pose_of(m);
    return one_pose(nb::module_::import_("elbowroom._arrays").attr("pose_of")(rotation, translation), "rotation");
}

}  // namespace elbowroom::bindings
