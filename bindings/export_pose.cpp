#include "exports.hpp"
#include "poses.hpp"

namespace elbowroom::bindings {

namespace {

/// A rotation and a translation; or in place of the rotation a whole pose.
Rigid pose_from(nb::handle rotation, nb::handle translation) {
    const Rigid* whole = nullptr;
    if (translation.is_none() && nb::try_cast<const Rigid*>(rotation, whole) && whole) return *whole;
    return pose_of_pair(rotation, translation);
}

/// What was computed from poses, put right after rounding; what has become too large is refused.
Rigid tidied(const Rigid& computed) {
    const Matrix m = matrix_of(computed);
    return is_pose(m[0].data()) ? pose_of(m[0].data()) : one_pose(to_numpy(m), "matrix");
}

}  // namespace

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
        .def_prop_ro(
            "matrix", [](const Rigid& p) { return to_numpy(matrix_of(p)); }, "The pose as a (4, 4) array.")
        .def_prop_ro("rotation", &array_of<&Rigid::rotation>, "The rotation as a (3, 3) array.")
        .def_prop_ro("translation", &array_of<&Rigid::translation>, "The translation as a (3,) array.");
}

}  // namespace elbowroom::bindings
