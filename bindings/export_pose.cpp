#include <cmath>

#include "arguments.hpp"
#include "elbowroom/math/quaternion.hpp"
#include "exports.hpp"
#include "numbers.hpp"
#include "poses.hpp"

namespace elbowroom::bindings {

namespace {

nb::object matrix_of(const Rigid& p) {
    double m[16];
    write_matrix(p, m);
    return to_numpy<double>(m, {4, 4});
}

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

/// One pose, not an array of them.
Rigid one_pose(nb::handle value, const char* name) {
    const PoseArgument pose(value, name);
    if (value.is_none() || pose.many()) checked("pose", value, name);  // raises
    return pose.one;
}

/// A rotation and a translation; or in place of the rotation a whole pose.
Rigid pose_from(nb::handle rotation, nb::handle translation) {
    const Rigid* whole = nullptr;
    if (translation.is_none() && nb::try_cast<const Rigid*>(rotation, whole) && whole) return *whole;
    double m[16];
    if (read_pair(rotation, translation, m) && is_pose(m)) return pose_of(m);
    return one_pose(nb::module_::import_("elbowroom._arrays").attr("pose_of")(rotation, translation), "rotation");
}

/// What was computed from poses, put right after rounding; what has become too large is refused.
Rigid tidied(const Rigid& computed) {
    double m[16];
    write_matrix(computed, m);
    return is_pose(m) ? pose_of(m) : one_pose(to_numpy<double>(m, {4, 4}), "matrix");
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
    if (!PyObject_CheckBuffer(value.ptr())) return take_loosely(value);
    if (PyObject_GetBuffer(value.ptr(), &view_, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0)
        return PyErr_Clear(), take_loosely(value);
    viewed_ = true;
    const int n = view_.ndim;
    bool good = view_.format && view_.format[0] == 'd' && view_.format[1] == 0 && (n == 2 || n == 3) &&
                view_.shape[n - 1] == 4 && view_.shape[n - 2] == 4;
    const double* all = static_cast<const double*>(view_.buf);
    const std::ptrdiff_t poses = good && n == 3 ? view_.shape[0] : 1;
    for (std::ptrdiff_t i = 0; good && i < poses; ++i) good = is_pose(all + 16 * i);
    if (good && n == 3 && poses > 0) return data = all, count = poses, true;
    if (good && n == 2) one = pose_of(all);
    PyBuffer_Release(&view_);
    viewed_ = false;
    return good && n == 2;
}

bool PoseArgument::take_loosely(nb::handle value) {
    double m[16];
    if (!read_loosely(value, m) || !is_pose(m)) return false;
    one = pose_of(m);
    return true;
}

void export_pose(nb::module_& m) {
    nb::class_<Rigid>(m, "Pose", "A rigid transform from body to world.")
        .def(
            "__init__",
            [](Rigid* self, nb::handle rotation, nb::handle translation) {
                new (self) Rigid(pose_from(rotation, translation));
            },
            nb::arg("rotation").none() = nb::none(), nb::arg("translation").none() = nb::none())
        .def_static("_read", &one_pose, nb::arg("value").none(), nb::arg("name"), "A pose from whatever can give one.")
        .def(
            "_compose", [](const Rigid& p, const Rigid& q) { return tidied(p * q); }, nb::arg("other"))
        .def("_inverse", [](const Rigid& p) { return tidied(inverse(p)); })
        .def_prop_ro("matrix", &matrix_of, "The pose as a (4, 4) array.")
        .def_prop_ro(
            "rotation", [](const Rigid& p) { return to_numpy(p.rotation); }, "The rotation as a (3, 3) array.")
        .def_prop_ro(
            "translation", [](const Rigid& p) { return to_numpy(p.translation); }, "The translation as a (3,) array.");
}

}  // namespace elbowroom::bindings
