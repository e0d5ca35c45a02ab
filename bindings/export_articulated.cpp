#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "any_body.hpp"
#include "arrays.hpp"
#include "docs.hpp"
#include "elbowroom/math/numpy_random.hpp"
#include "exports.hpp"
#include "fastcall.hpp"
#include "numbers.hpp"
#include "rigids.hpp"

namespace elbowroom::bindings {

namespace {

/// Of each link: parent, kind, first value, and (origin, axis, multiplier, offset).
std::vector<ArticulatedJoint> joints_of(const Integers& numbers, const Doubles& origins, const Doubles& reals) {
    std::vector<ArticulatedJoint> out(numbers.size() / 3);
    for (std::size_t l = 0; l < out.size(); ++l) {
        const std::int32_t* n = numbers.data() + 3 * l;
        const double* r = reals.data() + 5 * l;
        out[l] = {n[0], JointKind(n[1]), rigid_of_rows(origins.data() + 16 * l), {r[0], r[1], r[2]}, n[2], r[3], r[4]};
    }
    return out;
}

void make(ArticulatedHandle* self, const Integers& joints, const Doubles& origins, const Doubles& reals,
          const std::vector<nb::object>& bodies, const Integers& links, const Doubles& poses,
          const std::vector<Doubles>& hulls, const Doubles& radii, const Integers& excluded, const Doubles& start,
          int refit) {
    ArticulatedParts parts;
    std::vector<nb::object> kept;
    for (const nb::object& body : bodies) kept.push_back(kept_body(body));
    parts.joints = joints_of(joints, origins, reals);
    for (std::size_t i = 0; i < bodies.size(); ++i)
        parts.shapes.push_back({nb::cast<const RigidHandle*>(kept[i]), links.data()[i],
                                rigid_of_rows(poses.data() + 16 * i), to_points(hulls[i]), radii.data()[i]});
    parts.excluded = to_pairs(excluded);
    parts.values = std::int32_t(start.size());
    parts.refit = ArticulatedRefit(refit);
    unlocked(true,
             [&] { new (self) ArticulatedHandle(std::make_shared<ArticulatedModel>(std::move(parts)), start.data()); });
    self->bodies = std::move(kept);
}

/// Another body with the same links, joints and shapes, which both share, in a configuration of its own.
void make_alike(ArticulatedHandle* self, const ArticulatedHandle& other, const Doubles& start) {
    new (self) ArticulatedHandle(other.model, start.data());
    self->bodies = other.bodies;
}

/// A list of numbers, or an array that is not contiguous.
bool take_numbers(ArticulatedHandle& h, nb::handle value) {
    const Changing change(h.usage);
    const int size = h.model->parts().values;
    h.room.resize(std::size_t(size));
    if (!read_numbers(value, h.room.data(), size) || !h.model->is_configuration(h.room.data())) return false;
    h.move(h.room.data());
    h.array = nb::none();
    return true;
}

bool take_configurations(ArticulatedHandle& h, nb::handle value) {
    const ArrayArgument array(value, {h.model->parts().values});
    if (!array.fits()) return take_numbers(h, value);
    const Changing change(h.usage);
    if (!are_configurations(*h.model, array.data(), array.rows())) return false;
    array.many() ? h.move_many(array.data(), array.rows()) : h.move(array.data());
    h.array = nb::none();
    return true;
}

constexpr Signature<1> move_signature{"move", {"configuration"}, 1, 1};

nb::object move(PyObject* self, const Arguments<1>& given) {
    ArticulatedHandle& h = handle_in<ArticulatedHandle>(self);
    if (!take_configurations(h, given[0]) &&
        !take_configurations(h, nb::handle(self).attr("_checked_configuration")(given[0])))
        throw nb::value_error("configuration could not be read");
    return nb::none();
}

bool take_poses(ArticulatedHandle& h, nb::handle value) {
    const ArrayArgument array(value, {h.model->links(), 4, 4});
    if (!array.fits()) return false;
    const Changing change(h.usage);
    if (!array.many()) {
        const bool good = h.place(array.data());
        if (good) h.array = nb::none();
        return good;
    }
    h.place_many(array.data(), array.rows());
    h.array = nb::borrow(value);
    return true;
}

constexpr Signature<1> place_signature{"place", {"poses"}, 1, 1};

nb::object place(PyObject* self, const Arguments<1>& given) {
    ArticulatedHandle& h = handle_in<ArticulatedHandle>(self);
    if (!take_poses(h, given[0]) && !take_poses(h, checked("link_poses", given[0], "poses", h.model->links())))
        throw nb::value_error("poses could not be read");
    return nb::none();
}

nb::object link_poses(ArticulatedHandle& h) {
    const Asking asked(h.usage);
    const std::vector<double> out = h.link_poses();
    const std::size_t links = std::size_t(h.model->links());
    if (h.many()) return to_numpy<double>(out.data(), {std::size_t(h.count), links, 4, 4});
    return to_numpy<double>(out.data(), {links, 4, 4});
}

nb::object values_of(const ArticulatedHandle& h) {
    const std::size_t n = h.many() ? h.count : 1, size = h.size_of_one();
    return h.many() ? to_numpy<double>(h.at(0), {n, size}) : to_numpy<double>(h.at(0), {size});
}

/// Runs f on what there is between the body and another, or itself.
template <class F>
auto with_stages(ArticulatedHandle& h, nb::handle other, F&& f) {
    const Asking asked(h.usage);
    std::optional<AnyBody> body;
    if (!other.is_none()) body.emplace(other, "other");
    if (body && body->chain) throw nb::type_error("other must be an articulated or a rigid body, not a chain");
    return f(ArticulatedStages(h, body ? &*body : nullptr));
}

nb::object candidates(ArticulatedHandle& h, nb::handle other) {
    const auto found = with_stages(h, other, [](const ArticulatedStages& stages) { return stages.candidates(); });
    return h.many() ? to_numpy(found) : column(found, [](const auto& c) { return std::array{c[1], c[2]}; });
}

nb::dict measure(ArticulatedHandle& h, nb::handle other, bool depth) {
    const ArticulatedStages::Seconds seconds = with_stages(h, other, [&](const ArticulatedStages& stages) {
        return unlocked(true, [&] { return stages.measure(depth); });
    });
    nb::dict out;
    out["kinematics"] = seconds.kinematics;
    out["update"] = seconds.update;
    out["test"] = seconds.test;
    out["query"] = seconds.query;
    out["exact"] = seconds.exact;
    out["hits"] = seconds.hits;
    return out;
}

/// The boxes of a level of the hierarchy, in the body's frame.
nb::list boxes(const ArticulatedHandle& h, int level) {
    nb::list out;
    const ArticulatedState::Boxes all = h.state->boxes(level);
    for (const ObbVolume& box : all.oriented) out.append(box);
    for (const AabbVolume& box : all.aligned) out.append(box);
    return out;
}

/// Numbers in [0, 1): those of NumPy's PCG64.
nb::object uniform_numbers(std::uint64_t seed, std::size_t count) {
    NumpyRandom random(seed);
    std::vector<double> out(count);
    for (double& x : out) x = random.uniform();
    return to_numpy(out);
}

}  // namespace

void export_articulated(nb::module_& m) {
    auto type = nb::class_<ArticulatedHandle>(m, "Articulated", "A tree of rigid links with joints.");
    type.def("__init__", &make, nb::arg("joints"), nb::arg("origins"), nb::arg("reals"), nb::arg("bodies"),
             nb::arg("links"), nb::arg("poses"), nb::arg("hulls"), nb::arg("radii"), nb::arg("excluded"),
             nb::arg("start"), nb::arg("refit"))
        .def("__init__", &make_alike, nb::arg("other"), nb::arg("start"))
        .def("__len__", [](const ArticulatedHandle& h) { return h.model->links(); })
        .def_prop_ro(
            "many", [](const ArticulatedHandle& h) { return h.many(); },
            "Whether many configurations are held, to be asked together.")
        .def_prop_ro("_placed", [](const ArticulatedHandle& h) { return h.placed(); })
        .def_prop_ro("_count", [](const ArticulatedHandle& h) { return h.count; })
        .def_prop_ro(
            "refitted", [](const ArticulatedHandle& h) { return h.state->refitted(); },
            "How many boxes the last move made anew: blocks of sixteen, or nodes of the tree.")
        .def("_values", &values_of)
        .def("_link_poses", &link_poses)
        .def(
            "_exclude",
            [](ArticulatedHandle& h, const Integers& pairs) {
                const Changing change(h.usage);
                h.exclude(to_pairs(pairs));
            },
            nb::arg("pairs"))
        .def("_candidates", &candidates, nb::arg("other").none())
        .def("_measure", &measure, nb::arg("other").none(), nb::arg("depth"))
        .def("_boxes", &boxes, nb::arg("level"))
        .def("_fault", [](const ArticulatedHandle& h) { return h.many() ? std::string() : h.state->validate(); });
    static PyMethodDef methods[] = {fast_method<move_signature, move>(move_doc),
                                    fast_method<place_signature, place>(place_doc)};
    add_methods(type, methods);
    m.def("uniform_numbers", &uniform_numbers, nb::arg("seed"), nb::arg("count"),
          "As numpy.random.Generator(numpy.random.PCG64(seed)).random(count).");
}

}  // namespace elbowroom::bindings
