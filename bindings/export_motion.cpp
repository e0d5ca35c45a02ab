#include <nanobind/stl/optional.h>

#include "batches.hpp"
#include "elbowroom/motion/motion_scene.hpp"
#include "elbowroom/reference/hourglass.hpp"
#include "exports.hpp"
#include "motions.hpp"
#include "poses.hpp"

namespace elbowroom::bindings {

namespace {

void make(MotionHandle* self, nb::handle start, nb::handle goal) {
    const PoseArgument a(start, "start"), b(goal, "goal");
    if (a.many() && b.many() && a.count() != b.count())
        throw nb::value_error("start and goal must hold as many poses each");
    MotionHandle out;
    out.many = a.many() || b.many();
    const std::ptrdiff_t count = out.many ? (a.many() ? a.count() : b.count()) : 1;
    for (std::ptrdiff_t i = 0; i < count; ++i) out.all.push_back(LinearMotion::between(a.at(i), b.at(i)));
    new (self) MotionHandle(std::move(out));
}

const LinearMotion& one(const MotionHandle& m) { return m.all[0]; }

nb::object at(const MotionHandle& m, const Doubles& times) {
    std::vector<double> out(16 * times.size());
    for (std::size_t k = 0; k < times.size(); ++k) write_matrix(one(m).at(times.data()[k]), &out[16 * k]);
    return to_numpy<double>(out.data(), {times.size(), 4, 4});
}

/// The poses at one time of all motions.
nb::object at_all(const MotionHandle& m, double t) {
    std::vector<double> out(16 * m.all.size());
    for (std::size_t k = 0; k < m.all.size(); ++k) write_matrix(m.all[k].at(t), &out[16 * k]);
    return to_numpy<double>(out.data(), {m.all.size(), 4, 4});
}

double radius(const MotionHandle& m, const RigidBody& body, bool about_axis) {
    const Vec3 axis = one(m).axis_inside();
    return farthest_reach(body, {}, about_axis ? &axis : nullptr);
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
        .def("_take_part",
             [](MotionHandle& h, const MotionHandle& from, double a, double b) {
                 MotionHandle out{{}, from.many};
                 for (const LinearMotion& x : from.all) out.all.push_back(x.part(a, b));
                 h = std::move(out);
             })
        .def("_set_axis",
             [](MotionHandle& h, const Doubles& axes, const Doubles& angles) {
                 for (std::size_t i = 0; i < h.all.size(); ++i) {
                     const double* a = axes.data() + 3 * i;
                     h.all[i].axis = {a[0], a[1], a[2]}, h.all[i].angle = angles.data()[i];
                 }
             })
        .def("_axes",
             [](const MotionHandle& h) {
                 std::vector<double> out;
                 for (const LinearMotion& x : h.all) out.insert(out.end(), {x.axis.x, x.axis.y, x.axis.z});
                 return to_numpy<double>(out.data(), {h.all.size(), 3});
             })
        .def("_angles",
             [](const MotionHandle& h) {
                 std::vector<double> out;
                 for (const LinearMotion& x : h.all) out.push_back(x.angle);
                 return to_numpy<double>(out.data(), {h.all.size()});
             })
        .def("_radius", &radius, nb::arg("body"), nb::arg("about_axis"))
        .def(
            "_hourglass",
            [](const MotionHandle& h, double r) {
                const Mat3 map = hourglass_map(one(h), r);
                return to_numpy<double>(&map.row[0].x, {3, 3});
            },
            nb::arg("radius"));
}

}  // namespace elbowroom::bindings
