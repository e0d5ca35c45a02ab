#include <cmath>

#include "arguments.hpp"
#include "elbowroom/limits.hpp"
#include "exports.hpp"
#include "numbers.hpp"
#include "poses.hpp"

namespace elbowroom::bindings {

namespace {

/// Rotations up to this far from orthonormal are taken for rounded ones and made orthonormal; beyond, refused.
constexpr double exact_rotation = 4e-15;

nb::object matrix_of(const Rigid& p) {
    double m[16];
    write_matrix(p, m);
    return to_numpy<double>(m, {4, 4});
}

bool all_finite(const double* x, int count) {
    double sum = 0;
    for (int k = 0; k < count; ++k) sum += x[k];
    return std::isfinite(sum);
}

/// The rotation of a unit quaternion (w, x, y, z), to the upper left of a (4, 4) matrix. False: it is none.
bool write_rotation(const double* q, double* m) {
    const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(std::fabs(norm - 1) <= limits.rotation_tolerance)) return false;
    const double w = q[0] / norm, x = q[1] / norm, y = q[2] / norm, z = q[3] / norm;
    m[0] = 1 - 2 * (y * y + z * z), m[1] = 2 * (x * y - w * z), m[2] = 2 * (x * z + w * y);
    m[4] = 2 * (x * y + w * z), m[5] = 1 - 2 * (x * x + z * z), m[6] = 2 * (y * z - w * x);
    m[8] = 2 * (x * z - w * y), m[9] = 2 * (y * z + w * x), m[10] = 1 - 2 * (x * x + y * y);
    return true;
}

/// A rotation, as a matrix, a quaternion or None, and a translation or None, as a (4, 4) matrix.
bool read_pair(nb::handle rotation, nb::handle translation, double* m) {
    write_matrix({}, m);
    double r[9], t[3];
    if (!rotation.is_none()) {
        if (read_numbers(rotation, r, 4)) {
            if (!write_rotation(r, m)) return false;
        } else if (read_matrix(rotation, r, 3, 3)) {
            for (int i = 0; i < 9; ++i) m[4 * (i / 3) + i % 3] = r[i];
        } else {
            return false;
        }
    }
    if (translation.is_none()) return true;
    if (!read_numbers(translation, t, 3)) return false;
    for (int i = 0; i < 3; ++i) m[4 * i + 3] = t[i];
    return true;
}

/// As sixteen numbers: (rotation, translation), or a matrix that is not an array as it should be.
bool read_loosely(nb::handle value, double* m) {
    const bool tuple = PyTuple_CheckExact(value.ptr()), list = !tuple && PyList_CheckExact(value.ptr());
    if ((tuple ? PyTuple_Size(value.ptr()) : list ? PyList_Size(value.ptr()) : 0) != 2)
        return read_matrix(value, m, 4, 4);
    return read_pair(nb::handle(tuple ? PyTuple_GetItem(value.ptr(), 0) : PyList_GetItem(value.ptr(), 0)),
                     nb::handle(tuple ? PyTuple_GetItem(value.ptr(), 1) : PyList_GetItem(value.ptr(), 1)), m);
}

/// One pose, not an array of them.
Rigid one_pose(nb::handle value, const char* name) {
    const PoseArgument pose(value, name);
    if (value.is_none() || pose.many()) checked("pose", value, name);  // raises
    return pose.at(0);
}

/// A rotation and a translation; or in place of the rotation a whole pose.
Rigid pose_of(nb::handle rotation, nb::handle translation) {
    double m[16];
    if (read_pair(rotation, translation, m))
        if (const std::optional<Rigid> pose = PoseArgument::rounded(m)) return *pose;
    return one_pose(nb::module_::import_("elbowroom._arrays").attr("pose_of")(rotation, translation), "rotation");
}

/// What was computed from poses, put right after rounding; what has become too large is refused.
Rigid tidied(const Rigid& computed) {
    double m[16];
    write_matrix(computed, m);
    if (const std::optional<Rigid> pose = PoseArgument::rounded(m)) return *pose;
    return one_pose(to_numpy<double>(m, {4, 4}), "matrix");
}

}  // namespace

PoseArgument::PoseArgument(nb::handle value, const char* name) {
    given_ = !value.is_none();
    if (!given_ || take(value)) return;
    nb::object checked = nb::module_::import_("elbowroom._arrays").attr("poses")(value, name);
    if (!take(checked)) throw nb::value_error("a pose could not be read");
}

PoseArgument::~PoseArgument() {
    if (viewed_) PyBuffer_Release(&view_);
}

bool PoseArgument::take(nb::handle value) {
    const Rigid* pose = nullptr;
    if (nb::try_cast<const Rigid*>(value, pose) && pose) return one_ = *pose, true;
    if (!PyObject_CheckBuffer(value.ptr())) return take_loosely(value);
    if (PyObject_GetBuffer(value.ptr(), &view_, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0)
        return PyErr_Clear(), take_loosely(value);
    viewed_ = true;
    const int n = view_.ndim;
    bool good = view_.format && view_.format[0] == 'd' && view_.format[1] == 0 && (n == 2 || n == 3) &&
                view_.shape[n - 1] == 4 && view_.shape[n - 2] == 4;
    const double* data = static_cast<const double*>(view_.buf);
    const std::ptrdiff_t poses = good && n == 3 ? view_.shape[0] : 1;
    for (std::ptrdiff_t i = 0; good && i < poses; ++i) good = acceptable(data + 16 * i);
    if (good && n == 3 && poses > 0) return data_ = data, count_ = poses, true;
    if (good && n == 2) one_ = read(data);
    PyBuffer_Release(&view_);
    viewed_ = false;
    return good && n == 2;
}

bool PoseArgument::take_loosely(nb::handle value) {
    double m[16];
    if (!read_loosely(value, m) || !acceptable(m)) return false;
    one_ = read(m);
    return true;
}

std::optional<Rigid> PoseArgument::rounded(const double* p) {
    if (!acceptable(p)) return {};
    return read(p);
}

bool PoseArgument::acceptable(const double* p) {
    double size = 0;
    if (!all_finite(p, 12)) return false;  // comparisons below would not see a NaN
    for (int i = 0; i < 3; ++i) size = most(size, std::fabs(p[4 * i + 3]));
    const Mat3 r = to_matrix(p, 4);
    return size <= limits.largest_number && rotation_error(r) <= limits.rotation_tolerance && determinant(r) > 0 &&
           p[12] == 0 && p[13] == 0 && p[14] == 0 && p[15] == 1;
}

Rigid PoseArgument::read(const double* p) {
    Rigid out{to_matrix(p, 4), {p[3], p[7], p[11]}};
    for (int k = 0; k < 4 && rotation_error(out.rotation) > exact_rotation; ++k)
        out.rotation = closer_to_rotation(out.rotation);
    return out;
}

void export_pose(nb::module_& m) {
    nb::class_<Rigid>(m, "Pose", "A rigid transform from body to world.")
        .def(
            "__init__",
            [](Rigid* self, nb::handle rotation, nb::handle translation) {
                const Rigid* whole = nullptr;
                if (translation.is_none() && nb::try_cast<const Rigid*>(rotation, whole) && whole)
                    new (self) Rigid(*whole);
                else
                    new (self) Rigid(pose_of(rotation, translation));
            },
            nb::arg("rotation").none() = nb::none(), nb::arg("translation").none() = nb::none())
        .def_static("_read", &one_pose, nb::arg("value").none(), nb::arg("name"), "A pose from whatever can give one.")
        .def(
            "_compose", [](const Rigid& p, const Rigid& q) { return tidied(p * q); }, nb::arg("other"))
        .def("_inverse", [](const Rigid& p) { return tidied(inverse(p)); })
        .def_prop_ro("matrix", &matrix_of, "The pose as a (4, 4) array.")
        .def_prop_ro(
            "rotation", [](const Rigid& p) { return to_numpy<double>(&p.rotation.row[0].x, {3, 3}); },
            "The rotation as a (3, 3) array.")
        .def_prop_ro(
            "translation", [](const Rigid& p) { return to_numpy(p.translation); }, "The translation as a (3,) array.");
}

}  // namespace elbowroom::bindings
