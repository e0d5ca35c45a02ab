#include <cmath>

#include "elbowroom/limits.hpp"
#include "exports.hpp"
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
    if (PyObject_GetBuffer(value.ptr(), &view_, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0) return PyErr_Clear(), false;
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

bool PoseArgument::acceptable(const double* p) {
    double size = 0, sum = 0;
    for (int i = 0; i < 12; ++i) sum += p[i];
    if (!std::isfinite(sum)) return false;  // comparisons below would not see a NaN
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
            "__init__", [](Rigid* self, nb::handle matrix) { new (self) Rigid(PoseArgument(matrix, "matrix").at(0)); },
            nb::arg("matrix"))
        .def(
            "_compose", [](const Rigid& p, const Rigid& q) { return matrix_of(p * q); }, nb::arg("other"))
        .def("_inverse", [](const Rigid& p) { return matrix_of(inverse(p)); })
        .def_prop_ro("matrix", &matrix_of, "The pose as a (4, 4) array.")
        .def_prop_ro(
            "rotation", [](const Rigid& p) { return to_numpy<double>(&p.rotation.row[0].x, {3, 3}); },
            "The rotation as a (3, 3) array.")
        .def_prop_ro(
            "translation", [](const Rigid& p) { return to_numpy(p.translation); }, "The translation as a (3,) array.");
}

}  // namespace elbowroom::bindings
