#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "elbowroom/math/frame_rows.hpp"
#include "exports.hpp"
#include "rigids.hpp"
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
        for (const nb::object& one : given) {
            RigidHandle& body = nb::cast<RigidHandle&>(one);
            const Asking asked(body.usage);
            bodies.push_back(body);
        }
        for (std::size_t i = 0; i < bodies.size(); ++i)
            placed.push_back({&bodies[i], rigid_of_rows(poses.data() + 16 * i)});
    }
};

/// With the parts of a plan, or without.
template <class... Plan>
void make(RigidHandle* self, const Doubles& points, const Integers& first, const Doubles& radius, int children,
          const Plan&... parts) {
    auto p = to_points(points);
    auto f = to_vector(first);
    auto r = to_vector(radius);
    if constexpr (sizeof...(parts) == 0) {
        const Unlocked without_lock;
        new (self) RigidHandle(std::move(p), std::move(f), std::move(r), children);
    } else {
        const TreePlan plan{to_vector(parts)...};
        const Unlocked without_lock;
        new (self) RigidHandle(std::move(p), std::move(f), std::move(r), children, plan);
    }
}

/// Shares everything until either is moved.
void make_alike(RigidHandle* self, RigidHandle& other) {
    const Asking asked(other.usage);
    new (self) RigidHandle(static_cast<const RigidBody&>(other));
}

/// `rebuild`: none, when it is worn.
void move(nb::handle_t<RigidHandle> mesh, const nb::object& vertices, const Integers& faces,
          std::optional<bool> rebuild) {
    RigidHandle& self = nb::cast<RigidHandle&>(mesh);
    const Rebuild when = !rebuild ? Rebuild::when_worn : *rebuild ? Rebuild::always : Rebuild::never;
    const std::vector<Vec3> points = to_points(nb::cast<Doubles>(vertices));
    const Changing change(self.usage);
    ++mesh_moves;
    unlocked(true, [&] { self.move(points, faces.data(), when); });
    // Here, so that no signal comes between the body and what Python knows of it.
    nb::setattr(mesh, "vertices", vertices);
    for (const char* made : {"_kept", "_hull"}) mesh.attr("__dict__").attr("pop")(made, nb::none());
}

/// Reads a body, which must not be moved meanwhile.
template <class F>
auto reading(F f) {
    return [f](RigidHandle& body) {
        const Asking asked(body.usage);
        return f(static_cast<const RigidBody&>(body));
    };
}
std::vector<ObbVolume> boxes_of(RigidHandle& body, int level) {
    const Asking asked(body.usage);
    return body.boxes(level);
}
std::vector<std::int32_t> below(RigidHandle& body, int record) {
    const Asking asked(body.usage);
    return body.below(record);
}

/// The parts of a plan; three empty arrays if there is none.
nb::tuple plan_of(const RigidBody& body) {
    const TreePlan plan = unlocked(true, [&] { return body.plan(); });
    return nb::make_tuple(to_numpy(plan.order), to_numpy(plan.marks), to_numpy(plan.turns));
}

}  // namespace

void export_body(nb::module_& m) {
    nb::class_<RigidHandle>(m, "RigidBody", "Rounded convex hulls in one frame, under a tree of boxes.")
        .def("__init__", &make<>, nb::arg("points"), nb::arg("first"), nb::arg("radius"), nb::arg("children"))
        .def("__init__", &make<Integers, Marks, Floats>, nb::arg("points"), nb::arg("first"), nb::arg("radius"),
             nb::arg("children"), nb::arg("order"), nb::arg("marks"), nb::arg("turns"))
        .def(
            "__init__",
            [](RigidHandle* self, const std::vector<nb::object>& members, const Doubles& poses) {
                const Members m(members, poses);
                const Unlocked without_lock;
                new (self) RigidHandle(m.placed);
            },
            nb::arg("members"), nb::arg("poses"))
        .def("__init__", &make_alike, nb::arg("body"))
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
        .def("_move", &move, nb::arg("vertices"), nb::arg("faces"), nb::arg("rebuild").none())
        .def_prop_ro("_wear", reading([](const RigidBody& b) { return b.wear(); }))
        .def("_plan", reading(plan_of))
        .def("__len__", &RigidBody::count)
        .def_prop_ro("_point_count", reading([](const RigidBody& b) { return b.points().size(); }))
        .def_prop_ro("_points", reading([](const RigidBody& b) { return to_numpy(b.points()); }))
        .def_prop_ro("_first", reading([](const RigidBody& b) { return to_numpy(b.first()); }))
        .def_prop_ro("_radius", reading([](const RigidBody& b) { return to_numpy(b.radius()); }))
        .def_prop_ro("children", reading([](const RigidBody& b) { return b.children(); }),
                     "Children a node of the tree: 8 or 2.")
        .def_prop_ro("fingerprint", reading([](const RigidBody& b) { return b.fingerprint(); }),
                     "A number made from the geometry: equal bodies have equal ones.")
        .def_prop_ro("_low", reading([](const RigidBody& b) { return to_numpy(b.low()); }))
        .def_prop_ro("_high", reading([](const RigidBody& b) { return to_numpy(b.high()); }))
        .def("_fault", reading([](const RigidBody& b) { return unlocked(true, [&] { return b.validate(); }); }))
        .def("_boxes", &boxes_of, nb::arg("level"))
        .def("_below", &below, nb::arg("record"));
}

}  // namespace elbowroom::bindings
