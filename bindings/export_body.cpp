#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "elbowroom/bodies/rigid_body.hpp"
#include "elbowroom/math/frame_rows.hpp"
#include "exports.hpp"
#include "unlocked.hpp"

namespace elbowroom::bindings {

namespace {

using Marks = nb::ndarray<const std::uint16_t, nb::c_contig, nb::device::cpu>;
using Floats = nb::ndarray<const float, nb::c_contig, nb::device::cpu>;

/// Bodies and their poses (n, 4, 4). `bodies` share what the objects hold.
struct Members {
    std::vector<RigidBody> bodies;
    std::vector<RigidMember> placed;
    Members(const std::vector<nb::object>& given, const Doubles& poses) {
        for (const nb::object& one : given) bodies.push_back(nb::cast<const RigidBody&>(one));
        for (std::size_t i = 0; i < bodies.size(); ++i)
            placed.push_back({&bodies[i], rigid_of_rows(poses.data() + 16 * i)});
    }
};

/// With the parts of a plan, or without.
template <class... Plan>
void make(RigidBody* self, const Doubles& points, const Integers& first, const Doubles& radius, int children,
          const Plan&... parts) {
    auto p = to_points(points);
    auto f = to_vector(first);
    auto r = to_vector(radius);
    if constexpr (sizeof...(parts) == 0) {
        const Unlocked without_lock;
        new (self) RigidBody(std::move(p), std::move(f), std::move(r), children);
    } else {
        const TreePlan plan{to_vector(parts)...};
        const Unlocked without_lock;
        new (self) RigidBody(std::move(p), std::move(f), std::move(r), children, plan);
    }
}

/// The parts of a plan; three empty arrays if there is none.
nb::tuple plan_of(const RigidBody& body) {
    const TreePlan plan = unlocked(true, [&] { return body.plan(); });
    return nb::make_tuple(to_numpy(plan.order), to_numpy(plan.marks), to_numpy(plan.turns));
}

}  // namespace

void export_body(nb::module_& m) {
    nb::class_<RigidBody>(m, "RigidBody", "Rounded convex hulls in one frame, under a tree of boxes.")
        .def("__init__", &make<>, nb::arg("points"), nb::arg("first"), nb::arg("radius"), nb::arg("children"))
        .def("__init__", &make<Integers, Marks, Floats>, nb::arg("points"), nb::arg("first"), nb::arg("radius"),
             nb::arg("children"), nb::arg("order"), nb::arg("marks"), nb::arg("turns"))
        .def(
            "__init__",
            [](RigidBody* self, const std::vector<nb::object>& members, const Doubles& poses) {
                const Members m(members, poses);
                const Unlocked without_lock;
                new (self) RigidBody(m.placed);
            },
            nb::arg("members"), nb::arg("poses"))
        .def_static(
            "_joinable",
            [](const std::vector<nb::object>& members, const Doubles& poses) {
                return RigidBody::joinable(Members(members, poses).placed);
            },
            nb::arg("members"), nb::arg("poses"))
        .def_static("_tree_counts",
                    [] {
                        const RigidBody::TreeCounts c = RigidBody::tree_counts();
                        return nb::make_tuple(c.built, c.planned, c.joined);
                    })
        .def("_plan", &plan_of)
        .def("__len__", &RigidBody::count)
        .def_prop_ro("_point_count", [](const RigidBody& b) { return b.points().size(); })
        .def_prop_ro("_points", [](const RigidBody& b) { return to_numpy(b.points()); })
        .def_prop_ro("_first", [](const RigidBody& b) { return to_numpy(b.first()); })
        .def_prop_ro("_radius", [](const RigidBody& b) { return to_numpy(b.radius()); })
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
