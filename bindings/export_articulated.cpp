#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>

#include "arrays.hpp"
#include "batches.hpp"
#include "docs.hpp"
#include "elbowroom/math/numpy_random.hpp"
#include "exports.hpp"
#include "fastcall.hpp"
#include "numbers.hpp"
#include "scene.hpp"

namespace elbowroom::bindings {

namespace {

Rigid pose_at(const double* p) { return rigid_of_rows(p); }

/// Of each link: parent, kind, first value, and (origin, axis, multiplier, offset).
std::vector<ArticulatedJoint> joints_of(const Integers& numbers, const Doubles& origins, const Doubles& reals) {
    std::vector<ArticulatedJoint> out(numbers.size() / 3);
    for (std::size_t l = 0; l < out.size(); ++l) {
        const std::int32_t* n = numbers.data() + 3 * l;
        const double* r = reals.data() + 5 * l;
        out[l] = {n[0], JointKind(n[1]), pose_at(origins.data() + 16 * l), {r[0], r[1], r[2]}, n[2], r[3], r[4]};
    }
    return out;
}

void make(ArticulatedHandle* self, const Integers& joints, const Doubles& origins, const Doubles& reals,
          const std::vector<nb::object>& bodies, const Integers& links, const Doubles& poses,
          const std::vector<Doubles>& hulls, const Doubles& radii, const Integers& excluded, const Doubles& start,
          int refit) {
    ArticulatedParts parts;
    parts.joints = joints_of(joints, origins, reals);
    for (std::size_t i = 0; i < bodies.size(); ++i)
        parts.shapes.push_back({nb::cast<const RigidBody*>(bodies[i]), links.data()[i], pose_at(poses.data() + 16 * i),
                                to_points(hulls[i]), radii.data()[i]});
    parts.excluded = to_pairs(excluded);
    parts.values = std::int32_t(start.size());
    parts.refit = ArticulatedRefit(refit);
    unlocked(true, [&] {
        const auto model = std::make_shared<ArticulatedModel>(std::move(parts));
        if (!model->widths())
            throw std::invalid_argument(
                "links have bodies with trees of different widths: make all with the same `children`");
        new (self) ArticulatedHandle(model, start.data());
    });
    self->bodies = bodies;
}

/// Another body with the same links, joints and shapes, which both share, in a configuration of its own.
void make_alike(ArticulatedHandle* self, const ArticulatedHandle& other, const Doubles& start) {
    new (self) ArticulatedHandle(other.model, start.data());
    self->bodies = other.bodies;
}

ArticulatedHandle& handle_of(PyObject* self) { return handle_in<ArticulatedHandle>(self); }

/// A list of numbers, or an array that is not contiguous.
bool take_numbers(ArticulatedHandle& h, nb::handle value) {
    const Changing change(h.usage);
    const int size = h.model->parts().values;
    std::vector<double>& numbers = h.room;
    numbers.resize(std::size_t(size));
    if (!read_numbers(value, numbers.data(), size) || !h.model->is_configuration(numbers.data())) return false;
    h.move(numbers.data());
    h.array = nb::none();
    return true;
}

bool take_configurations(ArticulatedHandle& h, nb::handle value) {
    const ArrayArgument array(value, {h.model->parts().values});
    if (!array.fits()) return take_numbers(h, value);
    const Changing change(h.usage);
    const std::ptrdiff_t n = most<std::ptrdiff_t>(1, array.count()), size = h.model->parts().values;
    Poll poll;
    for (std::ptrdiff_t i = 0; i < n; ++i) {
        poll();
        if (!h.model->is_configuration(array.data() + i * size)) return false;
    }
    array.count() < 0 ? h.move(array.data()) : h.move_many(array.data(), n);
    h.array = nb::none();
    return true;
}

constexpr Signature<1> move_signature{"move", {"configuration"}, 1, 1};

PyObject* move(PyObject* self, PyObject* const* args, Py_ssize_t positional, PyObject* keywords) {
    return guarded([&] {
        const Arguments<1> given(move_signature, args, positional, keywords);
        ArticulatedHandle& h = handle_of(self);
        if (!take_configurations(h, given[0])) {
            const nb::object checked_value = nb::handle(self).attr("_checked_configuration")(given[0]);
            if (!take_configurations(h, checked_value)) throw nb::value_error("configuration could not be read");
        }
        return nb::none();
    });
}

bool take_poses(ArticulatedHandle& h, nb::handle value) {
    const ArrayArgument array(value, {h.model->links(), 4, 4});
    if (!array.fits()) return false;
    const Changing change(h.usage);
    if (array.count() < 0) {
        const bool good = h.place(array.data());
        if (good) h.array = nb::none();
        return good;
    }
    h.place_many(array.data(), array.count());
    h.array = nb::borrow(value);
    return true;
}

constexpr Signature<1> place_signature{"place", {"poses"}, 1, 1};

PyObject* place(PyObject* self, PyObject* const* args, Py_ssize_t positional, PyObject* keywords) {
    return guarded([&] {
        const Arguments<1> given(place_signature, args, positional, keywords);
        ArticulatedHandle& h = handle_of(self);
        if (!take_poses(h, given[0]) && !take_poses(h, checked("link_poses", given[0], "poses", h.model->links())))
            throw nb::value_error("poses could not be read");
        return nb::none();
    });
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

void exclude(ArticulatedHandle& h, const Integers& pairs) {
    const Changing change(h.usage);
    h.exclude(to_pairs(pairs));
}

/// Visits the pairs of every configuration of a body: with another articulated one, a rigid one that stays where it is,
/// or itself.
template <class Visit>
void each_configuration(ArticulatedHandle& h, const AnyBody* other, bool refits, Visit&& visit) {
    ArticulatedPlaces places(h);
    std::optional<ArticulatedPlaces> others;
    std::optional<RigidShape> fixed;
    if (other && other->articulated) others.emplace(*other->articulated);
    if (other && other->rigid) fixed.emplace(Placed{other->rigid, {}}, h.model->refit());
    const std::ptrdiff_t n = h.many() ? h.count : 1;
    Poll poll(64);
    for (std::ptrdiff_t i = 0; i < n; ++i) {
        poll();
        const ArticulatedSide side(places.at(i, {}, refits));
        if (others) {
            const ArticulatedSide there(others->at(i, {}, refits));
            visit(i, ArticulatedPairs(side, there, false));
        } else if (fixed) {
            visit(i, ArticulatedPairs(side, ArticulatedSide(*fixed), false));
        } else {
            visit(i, ArticulatedPairs(side, side, true));
        }
    }
}

std::unique_ptr<AnyBody> partner_of(const ArticulatedHandle& h, nb::handle other) {
    if (other.is_none()) return nullptr;
    auto body = std::make_unique<AnyBody>(other, "other");
    if (body->chain) throw nb::type_error("other must be an articulated or a rigid body, not a chain");
    const std::ptrdiff_t mine = h.many() ? h.count : 1;
    const std::ptrdiff_t theirs = body->many() ? body->articulated->count : 1;
    if (body->articulated && mine != theirs)
        throw nb::value_error(
            ("other must have as many configurations, " + std::to_string(mine) + ", got " + std::to_string(theirs))
                .c_str());
    return body;
}

nb::object candidates(ArticulatedHandle& h, nb::handle other) {
    const Asking asked(h.usage);
    const std::unique_ptr<AnyBody> body = partner_of(h, other);
    std::vector<std::int32_t> out;
    Counters counters;
    const std::size_t width = h.many() ? 3 : 2;
    each_configuration(h, body.get(), true, [&](std::ptrdiff_t i, ArticulatedPairs&& pairs) {
        for (const ShapeCandidate& c : pairs.candidates({}, counters)) {
            if (h.many()) out.push_back(std::int32_t(i));
            out.push_back(c.a);
            out.push_back(c.b);
        }
    });
    return to_numpy<std::int32_t>(out.data(), {out.size() / width, width});
}

/// Seconds that the parts of a question take over all configurations, one after the other in one thread: kinematics
/// alone, with the refit, with the search, with the exact queries; what each adds is what it takes.
nb::dict measure(ArticulatedHandle& h, nb::handle other, bool depth) {
    const Asking asked(h.usage);
    const std::unique_ptr<AnyBody> partner = partner_of(h, other);
    using Clock = std::chrono::steady_clock;
    double seconds[4];
    std::int64_t exact = 0, hits = 0;
    Counters counters;
    const CollideOptions options{true, depth, {}, nullptr};
    auto timed = [&](int stage, bool refits, auto&& visit) {
        const auto begin = Clock::now();
        each_configuration(h, partner.get(), refits, visit);
        seconds[stage] = std::chrono::duration<double>(Clock::now() - begin).count();
    };
    unlocked(true, [&] {
        timed(0, false, [](std::ptrdiff_t, ArticulatedPairs&&) {});
        timed(1, true, [](std::ptrdiff_t, ArticulatedPairs&&) {});
        timed(2, true,
              [&](std::ptrdiff_t, ArticulatedPairs&& p) { exact += std::int64_t(p.candidates({}, counters).size()); });
        timed(3, true, [&](std::ptrdiff_t, ArticulatedPairs&& p) { hits += p.exact_queries(options); });
    });
    nb::dict out;
    out["kinematics"] = seconds[0];
    out["update"] = seconds[1] - seconds[0];
    out["test"] = seconds[2] - seconds[1];
    out["query"] = seconds[3] - seconds[2];
    out["exact"] = exact;
    out["hits"] = hits;
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
    return to_numpy<double>(out.data(), {count});
}

/// Methods that are called once a frame: by the shortest way there is.
void add_fast_methods(nb::handle type) {
    static PyMethodDef methods[] = {fast_method("move", &move, move_doc), fast_method("place", &place, place_doc)};
    for (PyMethodDef& definition : methods) {
        PyObject* made = PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type.ptr()), &definition);
        nb::setattr(type, definition.ml_name, nb::steal(made));
    }
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
        .def("_exclude", &exclude, nb::arg("pairs"))
        .def("_candidates", &candidates, nb::arg("other").none())
        .def("_measure", &measure, nb::arg("other").none(), nb::arg("depth"))
        .def("_boxes", &boxes, nb::arg("level"))
        .def("_fault", [](const ArticulatedHandle& h) { return h.many() ? std::string() : h.state->validate(); });
    add_fast_methods(type);
    m.def("uniform_numbers", &uniform_numbers, nb::arg("seed"), nb::arg("count"),
          "As numpy.random.Generator(numpy.random.PCG64(seed)).random(count).");
}

}  // namespace elbowroom::bindings
