#include "arrays.hpp"
#include "elbowroom/motion/motion_scene.hpp"
#include "elbowroom/reference/hourglass.hpp"
#include "exports.hpp"
#include "motions.hpp"
#include "poses.hpp"

namespace elbowroom::bindings {

namespace {

void make(MotionHandle* self, nb::handle start, nb::handle goal) {
    const PoseArgument a(start, "start"), b(goal, "goal");
    if (a.many() && b.many() && a.count != b.count)
        throw nb::value_error("start and goal must hold as many poses each");
    MotionHandle out;
    out.many = a.many() || b.many();
    const std::ptrdiff_t count = out.many ? most(a.count, b.count) : 1;
    for (std::ptrdiff_t i = 0; i < count; ++i) out.all.push_back(LinearMotion::between(a.at(i), b.at(i)));
    new (self) MotionHandle(std::move(out));
}

const LinearMotion& one(const MotionHandle& m) { return m.all[0]; }

using Matrix = std::array<std::array<double, 4>, 4>;

Matrix matrix_of(const Rigid& pose) {
    Matrix out;
    write_matrix(pose, out[0].data());
    return out;
}

nb::object at(const MotionHandle& m, const Doubles& times) {
    return column(to_vector(times), [&](double t) { return matrix_of(one(m).at(t)); });
}

/// The poses at one time of all motions.
nb::object at_all(const MotionHandle& m, double t) {
    return column(m.all, [&](const LinearMotion& x) { return matrix_of(x.at(t)); });
}

double radius(const MotionHandle& m, const RigidBody& body, bool about_axis) {
    const Vec3 axis = one(m).axis_inside();
    return farthest_reach(body, {}, about_axis ? &axis : nullptr);
}

void take_part(MotionHandle& h, const MotionHandle& from, double a, double b) {
    MotionHandle out{{}, from.many};
    for (const LinearMotion& x : from.all) out.all.push_back(x.part(a, b));
    h = std::move(out);
}

void set_axis(MotionHandle& h, const Doubles& axes, const Doubles& angles) {
    const std::vector<Vec3> all = to_points(axes);
    for (std::size_t i = 0; i < h.all.size(); ++i) {
        h.all[i].axis = all[i];
        h.all[i].angle = angles.data()[i];
    }
}

}  // namespace

void export_motion(nb::module_& m) {
    nb::class_<MotionHandle>(m, "Motion", "From one pose to another: linear, and about a fixed axis.")
        .def("__init__", &make, nb::arg("start").none(), nb::arg("goal").none())
        .def_prop_ro("_many", [](const MotionHandle& h) { return h.many; })
        .def_prop_ro("_count", [](const MotionHandle& h) { return h.all.size(); })
        .def_prop_ro("_translation", [](const MotionHandle& h) { return to_numpy(one(h).shift); })
        .def_prop_ro("_axis", [](const MotionHandle& h) { return to_numpy(one(h).axis); })
        .def_prop_ro("_angle", [](const MotionHandle& h) { return one(h).angle; })
        .def("_at", &at, nb::arg("times"))
        .def("_at_all", &at_all, nb::arg("time"))
        .def("_take", [](MotionHandle& h, const MotionHandle& from, std::size_t i) { h = {{from.all.at(i)}, false}; })
        .def("_take_part", &take_part)
        .def("_set_axis", &set_axis)
        .def("_axes", [](const MotionHandle& h) { return column(h.all, &LinearMotion::axis); })
        .def("_angles", [](const MotionHandle& h) { return column(h.all, &LinearMotion::angle); })
        .def("_radius", &radius, nb::arg("body"), nb::arg("about_axis"))
        .def(
            "_hourglass", [](const MotionHandle& h, double r) { return to_numpy(hourglass_map(one(h), r)); },
            nb::arg("radius"));
}

}  // namespace elbowroom::bindings
