#include "arrays.hpp"
#include "elbowroom/motion/motion_scene.hpp"
#include "elbowroom/motion/motions.hpp"
#include "elbowroom/reference/hourglass.hpp"
#include "exports.hpp"
#include "poses.hpp"
#include "rigids.hpp"

namespace elbowroom::bindings {

namespace {

double radius(const Motions& m, RigidHandle& body, bool about_axis) {
    const Asking asked(body.usage);
    const Vec3 axis = m.one().axis_inside();
    return farthest_reach(body, {}, about_axis ? &axis : nullptr);
}

}  // namespace

void export_motion(nb::module_& m) {
    nb::class_<Motions>(m, "Motion", "From one pose to another: linear, and about a fixed axis.")
        .def(
            "__init__",
            [](Motions* self, nb::handle start, nb::handle goal) {
                new (self) Motions(Motions::between(PoseArgument(start, "start"), PoseArgument(goal, "goal")));
            },
            nb::arg("start").none(), nb::arg("goal").none())
        .def_prop_ro("_many", [](const Motions& h) { return h.many; })
        .def_prop_ro("_count", [](const Motions& h) { return h.all.size(); })
        .def_prop_ro("_translation", [](const Motions& h) { return to_numpy(h.one().shift); })
        .def_prop_ro("_axis", [](const Motions& h) { return to_numpy(h.one().axis); })
        .def_prop_ro("_angle", [](const Motions& h) { return h.one().angle; })
        .def(
            "_at",
            [](const Motions& h, const Doubles& times) {
                return column(to_vector(times), [&](double t) { return matrix_of(h.one().at(t)); });
            },
            nb::arg("times"))
        .def(
            "_at_all",
            [](const Motions& h, double t) {
                return column(h.all, [&](const LinearMotion& one) { return matrix_of(one.at(t)); });
            },
            nb::arg("time"))
        .def("_take", [](Motions& h, const Motions& from, std::size_t i) { h = {{from.all.at(i)}, false}; })
        .def("_take_part", [](Motions& h, const Motions& from, double a, double b) { h = from.part(a, b); })
        .def("_set_axis", [](Motions& h, const Doubles& axes,
                             const Doubles& angles) { h.set_turns(to_points(axes), to_vector(angles)); })
        .def("_axes", [](const Motions& h) { return column(h.all, &LinearMotion::axis); })
        .def("_angles", [](const Motions& h) { return column(h.all, &LinearMotion::angle); })
        .def("_radius", &radius, nb::arg("body"), nb::arg("about_axis"))
        .def(
            "_hourglass", [](const Motions& h, double r) { return to_numpy(hourglass_map(h.one(), r)); },
            nb::arg("radius"));
}

}  // namespace elbowroom::bindings
