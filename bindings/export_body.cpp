#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "elbowroom/bodies/rigid_body.hpp"
#include "exports.hpp"
#include "unlocked.hpp"

namespace elbowroom::bindings {

void export_body(nb::module_& m) {
    nb::class_<RigidBody>(m, "RigidBody", "Rounded convex hulls in one frame, under a tree of boxes.")
        .def(
            "__init__",
            [](RigidBody* self, const Doubles& points, const Integers& first, const Doubles& radius, int children) {
                auto p = to_points(points);
                std::vector<int> f(first.data(), first.data() + first.size());
                std::vector<double> r(radius.data(), radius.data() + radius.size());
                const Unlocked without_lock;
                new (self) RigidBody(std::move(p), std::move(f), std::move(r), children);
            },
            nb::arg("points"), nb::arg("first"), nb::arg("radius"), nb::arg("children"))
        .def("__len__", &RigidBody::count)
        .def_prop_ro("_points",
                     [](const RigidBody& b) { return to_numpy<double>(&b.points()[0].x, {b.points().size(), 3}); })
        .def_prop_ro("_first", [](const RigidBody& b) { return to_numpy<int>(b.first().data(), {b.first().size()}); })
        .def_prop_ro("_radius",
                     [](const RigidBody& b) { return to_numpy<double>(b.radius().data(), {b.radius().size()}); })
        .def_prop_ro("children", &RigidBody::children, "Children a node of the tree: 8 or 2.")
        .def_prop_ro("fingerprint", &RigidBody::fingerprint,
                     "A number made from the geometry: equal bodies have equal ones.")
        .def_prop_ro("_low", [](const RigidBody& b) { return to_numpy(b.low()); })
        .def_prop_ro("_high", [](const RigidBody& b) { return to_numpy(b.high()); })
        .def("_fault", &RigidBody::validate, nb::call_guard<Unlocked>())
        .def("_boxes", &RigidBody::boxes, nb::arg("level"))
        .def("_below", &RigidBody::below, nb::arg("record"));
}

}  // namespace elbowroom::bindings
