#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "arguments.hpp"
#include "chains.hpp"
#include "docs.hpp"
#include "elbowroom/batch/results.hpp"
#include "elbowroom/bodies/crowd.hpp"
#include "elbowroom/limits.hpp"
#include "exports.hpp"
#include "fastcall.hpp"
#include "poses.hpp"

namespace elbowroom::bindings {

namespace {

using Longs = nb::ndarray<const std::int64_t, nb::c_contig, nb::device::cpu>;

/// The chain, which no other thread may use now: for changes that are made at once.
ChainHandle& alone(ChainHandle& h) {
    h.usage.refuse_change();
    return h;
}
/// One that may be asked, and is not being changed.
ChainHandle& at_rest(ChainHandle& h) {
    h.usage.refuse_question();
    return h;
}
ChainHandle& handle_of(PyObject* self) { return handle_in<ChainHandle>(self); }

/// A joint: a whole number in range at once, anything else by way of the checks in Python.
std::int64_t joint_argument(nb::handle value, std::int64_t links) {
    if (PyLong_CheckExact(value.ptr()) || (PyIndex_Check(value.ptr()) && !PyBool_Check(value.ptr()))) {
        const Py_ssize_t joint = PyNumber_AsSsize_t(value.ptr(), nullptr);
        if (joint >= 0 && joint <= links - 2) return joint;
        PyErr_Clear();
    }
    return nb::cast<std::int64_t>(checked("joint", value, "joint", links));
}

double angle_argument(nb::handle value) {
    if (PyFloat_Check(value.ptr())) {
        const double angle = PyFloat_AsDouble(value.ptr());
        if (std::isfinite(angle)) return angle;
    }
    return nb::cast<double>(checked("number", value, "angle"));
}

/// Reads a (3, 3) array of doubles, or a quaternion (4,), if it is a rotation.
bool read_rotation(const Py_buffer& view, Mat3& out) {
    if (!view.format || view.format[0] != 'd' || view.format[1] != 0) return false;
    const double* p = static_cast<const double*>(view.buf);
    if (view.ndim == 1 && view.shape[0] == 4) {
        const double norm = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
        if (!(std::fabs(norm - 1) <= limits.rotation_tolerance)) return false;
        return out = matrix(Quat{p[0] / norm, p[1] / norm, p[2] / norm, p[3] / norm}), true;
    }
    if (view.ndim != 2 || view.shape[0] != 3 || view.shape[1] != 3) return false;
    out = to_matrix(p, 3);
    return rotation_error(out) <= limits.rotation_tolerance && determinant(out) > 0;
}

/// A rotation: an array of doubles in place, anything else by way of the checks in Python.
Mat3 rotation_argument(nb::handle value) {
    Py_buffer view;
    Mat3 out;
    bool good = false;
    if (PyObject_GetBuffer(value.ptr(), &view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) == 0) {
        good = read_rotation(view, out);
        PyBuffer_Release(&view);
    } else {
        PyErr_Clear();
    }
    if (!good) out = to_matrix(nb::cast<Doubles>(checked("rotation", value, "rotation")).data(), 3);
    for (int k = 0; k < 4 && rotation_error(out) > 4e-15; ++k) out = closer_to_rotation(out);
    return out;
}

constexpr Signature<2> rotate_signature{"rotate", {"joint", "angle"}, 2, 2};
constexpr Signature<2> turn_signature{"turn", {"joint", "rotation"}, 2, 2};

nb::object rotate(PyObject* self, const Arguments<2>& given) {
    ChainHandle& h = handle_of(self);
    const std::int64_t joint = joint_argument(given[0], h.links());
    const double angle = angle_argument(given[1]);
    alone(h).rotate(joint, angle);
    return nb::none();
}

nb::object turn(PyObject* self, const Arguments<2>& given) {
    ChainHandle& h = handle_of(self);
    const std::int64_t joint = joint_argument(given[0], h.links());
    const Mat3 rotation = rotation_argument(given[1]);
    alone(h).turn(joint, rotation);
    return nb::none();
}

PyObject* collides(PyObject* self, PyObject*) {
    return guarded([&] {
        ChainHandle& h = handle_of(self);
        if (h.has_pending()) alone(h);
        const Reviewing review(h.usage);
        return nb::bool_(h.collides());
    });
}

PyObject* undo(PyObject* self, PyObject*) {
    return guarded([&] {
        ChainHandle& h = alone(handle_of(self));
        if (!h.undo()) throw std::runtime_error("there is nothing to undo, or nothing that is still remembered");
        return nb::none();
    });
}

/// Methods that are called millions of times: by the shortest way there is.
void add_fast_methods(nb::handle type) {
    static PyMethodDef methods[] = {fast_method<rotate_signature, rotate>(rotate_doc),
                                    fast_method<turn_signature, turn>(turn_doc),
                                    {"collides", &collides, METH_NOARGS, collides_doc},
                                    {"undo", &undo, METH_NOARGS, undo_doc}};
    add_methods(type, methods);
}

/// `centres`, `radii`, `turned`, `link` are in the order of the tree, `excluded` are pairs of balls as numbered
/// outside.
void make(ChainHandle* self, const Doubles& centres, const Doubles& radii, const Doubles& turned, const Integers& first,
          const Integers& link, const Integers& number, int exclude, const Integers& excluded, int volume) {
    ChainParts parts;
    parts.centres = to_points(centres), parts.radii = to_vector<double>(radii);
    parts.first = to_vector<std::int32_t>(first), parts.link = to_vector<std::int32_t>(link);
    parts.exclude = exclude, parts.excluded = to_pairs(excluded), parts.volume = ChainVolume(volume);
    for (std::size_t i = 0; i < turned.size(); i += 4)
        parts.turned.push_back({turned.data()[i], turned.data()[i + 1], turned.data()[i + 2], turned.data()[i + 3]});
    std::vector<std::int32_t> numbers = to_vector<std::int32_t>(number), places(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) places[numbers[i]] = std::int32_t(i);
    if (!places.empty())
        for (auto& pair : parts.excluded) pair = {places[pair[0]], places[pair[1]]};
    auto made = unlocked(true, [&] { return std::make_shared<Chain>(std::move(parts)); });
    new (self) ChainHandle({std::move(made), std::move(numbers), std::move(places), nullptr, exclude, {}, {}});
}

/// The paper's tree; `joints` (n - 1, 3, 4) as they were when the chain was saved, or empty.
void make_binary(ChainHandle* self, const Doubles& centres, const Doubles& radii, int exclude, const Integers& excluded,
                 const std::string& volume, bool shrink, bool pieces, const Doubles& joints) {
    const BinaryChainOptions options{exclude, to_pairs(excluded), shrink, pieces};
    std::unique_ptr<BinaryChain> made;
    {
        const std::vector<Vec3> points = to_points(centres);
        std::vector<double> sizes = to_vector<double>(radii);
        made = unlocked(true, [&] { return make_binary_chain(volume, points, std::move(sizes), options); });
    }
    std::vector<Rigid> bent;
    for (std::size_t i = 0; i < joints.size(); i += 12) {
        const double* p = joints.data() + i;
        bent.push_back({to_matrix(p, 4), {p[3], p[7], p[11]}});
    }
    if (!bent.empty()) made->bend(bent);
    new (self) ChainHandle({nullptr, {}, {}, std::move(made), exclude, to_pairs(excluded), {}});
}

/// Each joint of the paper's tree as a (3, 4) matrix.
nb::object joints_of(ChainHandle& h) {
    std::vector<double> out;
    for (const Rigid& joint : at_rest(h).binary->joints())
        for (int i = 0; i < 3; ++i)
            for (const double x :
                 {joint.rotation.row[i].x, joint.rotation.row[i].y, joint.rotation.row[i].z, joint.translation[i]})
                out.push_back(x);
    return to_numpy<double>(out.data(), {out.size() / 12, 3, 4});
}

void change(ChainHandle& h, const Longs& joints, const Doubles& angles) {
    const Changing change(h.usage);
    h.change(to_vector<std::int64_t>(joints), to_vector<double>(angles));
}

/// Adds an energy of pairs; arrays by ball are of the balls as numbered outside. `settings`: where it is switched from,
/// the mean of sigma is geometric, it is shifted, by the squared distance, the field, and the value at the cutoff.
void add_pairs(ChainEnergy& all, int form, double cutoff, int kinds, const Integers& kind, const Doubles& epsilon,
               const Doubles& sigma, const Doubles& offset, const Doubles& values, std::uintptr_t address,
               const std::array<double, 6>& settings, bool own_pairs, const Integers& excluded) {
    ChainPairEnergy& energy = all.pairs.emplace_back();
    if (kinds < 1 || kinds > 65536) throw nb::value_error("energy must be as elbowroom.energies makes it");
    energy.form = ChainPairEnergy::Form(form);
    energy.cutoff = cutoff;
    energy.kinds = kinds;
    energy.kind = to_vector<std::int32_t>(kind);
    energy.epsilon = to_vector<double>(epsilon);
    energy.sigma = to_vector<double>(sigma);
    energy.offset = to_vector<double>(offset);
    energy.values = to_vector<double>(values);
    energy.bins = int(values.size() / (std::size_t(kinds) * kinds));
    energy.callback = reinterpret_cast<ChainPairEnergy::Callback>(address);
    energy.switch_from = settings[0];
    energy.geometric = settings[1] != 0;
    energy.shifted = settings[2] != 0;
    energy.by_square = settings[3] != 0;
    energy.field = settings[4];
    energy.offset_at_cutoff = settings[5];
    energy.own_pairs = own_pairs;
    energy.excluded = to_pairs(excluded);
}

/// Adds terms of one form, each of 2 or 4 balls, with four numbers each: the strength; of a pair the square of sigma,
/// of a torsion how many folds, and the cosine and sine of the phase.
void add_terms(ChainEnergy& all, int form, const Integers& balls, const Doubles& values) {
    const std::size_t of = form == int(ChainTerm::Form::torsion) ? 4 : 2;
    for (std::size_t i = 0; i < balls.size() / of; ++i) {
        const double* v = values.data() + 4 * i;
        ChainTerm t{ChainTerm::Form(form), {}, v[0]};
        for (std::size_t k = 0; k < of; ++k) t.ball[k] = balls.data()[of * i + k];
        if (of == 2)
            t.square = v[1];
        else
            t.folds = int(v[1]);
        t.cosine = v[2];
        t.sine = v[3];
        all.terms.push_back(t);
    }
}

void set_energy(ChainHandle& h, const ChainEnergy& energy) {
    const Changing change(h.usage);
    h.set_energy(energy);
}

nb::object positions(ChainHandle& h) {
    if (!at_rest(h).binary) h.settled();
    const std::vector<Vec3> out = h.positions();
    return to_numpy<double>(&out[0].x, {out.size(), 3});
}

double energy(ChainHandle& h) {
    const std::shared_ptr<Chain> chain = h.settled();
    const Reviewing review(h.usage);
    if (!chain->has_energy()) throw std::runtime_error("the chain has no energy: give it one by set_energy");
    return chain->energy();
}

/// A pending change stays so: it will be undone if bounds decide against it.
nb::tuple energy_bounds(ChainHandle& h) {
    const std::shared_ptr<Chain> chain = alone(h).binary ? h.settled() : h.chain;
    const Changing change(h.usage);
    if (!chain->has_energy()) throw std::runtime_error("the chain has no energy: give it one by set_energy");
    const EnergyBounds bounds = chain->energy_bounds();
    return nb::make_tuple(bounds.low, bounds.high);
}

std::string fault_of(ChainHandle& h) {
    const std::shared_ptr<Chain> chain = at_rest(h).binary ? nullptr : h.settled();
    const Reviewing review(h.usage);
    const std::string fault = chain ? chain->validate() : h.binary->fault();
    return fault.empty() && h.box ? h.need_crowd().beads().validate() : fault;
}

nb::object turned_of(ChainHandle& h) {
    const std::vector<Quat> q = h.settled()->turned();
    return to_numpy<double>(&q[0].w, {q.size(), 4});
}

}  // namespace

void export_chain(nb::module_& m) {
    nb::class_<ChainEnergy>(m, "ChainEnergy", "An energy as the core takes it.")
        .def(nb::init<>())
        .def("_add_pairs", &add_pairs, nb::arg("form"), nb::arg("cutoff"), nb::arg("kinds"), nb::arg("kind"),
             nb::arg("epsilon"), nb::arg("sigma"), nb::arg("offset"), nb::arg("values"), nb::arg("address"),
             nb::arg("settings"), nb::arg("own_pairs"), nb::arg("excluded"))
        .def("_add_terms", &add_terms, nb::arg("form"), nb::arg("balls"), nb::arg("values"));
    auto type = nb::class_<ChainHandle>(m, "Chain", "A kinematic chain of balls, under a tree with frames of its own.");
    type.def("__init__", &make, nb::arg("centres"), nb::arg("radii"), nb::arg("turned"), nb::arg("first"),
             nb::arg("link"), nb::arg("number"), nb::arg("exclude"), nb::arg("excluded"), nb::arg("volume"))
        .def("__init__", &make_binary, nb::arg("centres"), nb::arg("radii"), nb::arg("exclude"), nb::arg("excluded"),
             nb::arg("volume"), nb::arg("shrink"), nb::arg("pieces"), nb::arg("joints"))
        .def("__len__", &ChainHandle::links)
        .def("_joints", &joints_of)
        .def("_become", &ChainHandle::become, nb::arg("other"))
        .def(
            "_set_box", [](ChainHandle& h, const Doubles& box) { alone(h).set_box(Lattice(to_matrix(box.data(), 3))); },
            nb::arg("box"))
        .def("_box", [](const ChainHandle& h) { return h.box ? to_numpy(h.box->given()) : nb::none(); })
        .def(
            "_move", [](ChainHandle& h, std::int64_t joint, const Rigid& pose) { alone(h).move(joint, pose); },
            nb::arg("joint"), nb::arg("pose"))
        .def("_change", &change, nb::arg("joints"), nb::arg("angles"))
        .def(
            "_rotate_side",
            [](ChainHandle& h, const Longs& axes, const Longs& moving, const Longs& ends, const Doubles& angles) {
                alone(h).rotate_side(axes.data(), moving.data(), ends.data(), angles.data(), angles.size());
            },
            nb::arg("axes"), nb::arg("moving"), nb::arg("ends"), nb::arg("angles"))
        .def(
            "_try_torsions",
            [](ChainHandle& h, const Longs& joints, const Doubles& angles, bool stay) {
                const Changing change(h.usage);
                const std::vector<unsigned char> free =
                    unlocked(true, [&] { return h.try_torsions(joints.data(), angles.data(), joints.size(), stay); });
                return to_numpy<bool>(reinterpret_cast<const bool*>(free.data()), {free.size()});
            },
            nb::arg("joints"), nb::arg("angles"), nb::arg("stay"))
        .def("_set_energy", &set_energy, nb::arg("energy"))
        .def("_forget_energy", [](ChainHandle& h) { alone(h).forget_energy(); })
        .def("_energy", &energy)
        .def("_energy_bounds", &energy_bounds)
        .def("_positions", &positions)
        .def("_turned", &turned_of)
        .def(
            "_pose",
            [](ChainHandle& h, std::int64_t i, std::int64_t j) {
                if (!at_rest(h).binary) h.settled();
                return h.pose(i, j);
            },
            nb::arg("i"), nb::arg("j"))
        .def(
            "_boxes",
            [](ChainHandle& h, int level) {
                if (!at_rest(h).binary) h.settled();
                return h.boxes(level);
            },
            nb::arg("level"))
        .def_prop_ro("_state", [](ChainHandle& h) { return at_rest(h).state(); })
        .def("_fault", &fault_of)
        .def_prop_ro(
            "counters", [](ChainHandle& h) { return at_rest(h).counters(); }, "The work of the last collides().")
        .def_prop_ro(
            "by_boxes", [](ChainHandle& h) { return at_rest(h).by_boxes(); },
            "Whether balls and boxes are tested now, or balls alone.")
        .def_prop_rw(
            "nearest_first", [](const ChainHandle& h) { return h.nearest_first(); },
            [](ChainHandle& h, bool first) {
                if (!alone(h).binary && !first) throw nb::value_error("nearest_first is always so in the fast tree");
                if (h.binary) h.binary->nearest_first = first;
            },
            "Whether the search begins next to the changed joints; in the binary tree it may begin at the root.")
        .def_prop_ro(
            "nbytes", [](const ChainHandle& h) { return h.bytes(); }, "Memory that the chain and its tree take.");
    add_fast_methods(type);
}

}  // namespace elbowroom::bindings
