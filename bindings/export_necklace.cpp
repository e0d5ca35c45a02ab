#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arguments.hpp"
#include "arrays.hpp"
#include "docs.hpp"
#include "exports.hpp"
#include "fastcall.hpp"
#include "necklaces.hpp"

namespace elbowroom::bindings {

namespace {

void make(NecklaceHandle* self, const Doubles& positions, const Doubles& radii, int gap, const Integers& named,
          int kind, int verify) {
    NecklaceHandle h;
    const std::size_t n = radii.size();
    h.kind = NecklaceKind(kind);
    h.verify = CageVerify(verify);
    h.dimension = int(positions.size() / n);
    h.boxes = std::make_shared<NecklaceBoxes>(to_vector<double>(radii),
                                              NecklaceTouch(std::int32_t(n), gap, to_pairs(named)), h.dimension == 2);
    if (!h.move(positions.data())) throw nb::value_error("positions must be finite");
    if (h.keeps_cages()) h.need_cages();
    new (self) NecklaceHandle(std::move(h));
}

/// Takes positions where they lie; false if they cannot be.
bool take(NecklaceHandle& h, nb::handle value) {
    const ArrayArgument array(value, {Py_ssize_t(h.beads()), h.dimension});
    if (!array.fits() || array.count() >= 0) return false;
    {
        const Changing change(h.usage);
        if (!h.move(array.data())) return false;
        h.chain.reset();
    }
    if (h.keeps_cages()) h.need_cages();
    return true;
}

constexpr Signature<2> move_signature{"move", {"positions", "box"}, 1, 1};

/// A box in place of the one that the necklace has.
std::optional<Lattice> box_of(const NecklaceHandle& h, nb::handle value) {
    if (!h.box) throw nb::value_error("box is for a necklace that was made with one");
    return Lattice(to_matrix(nb::cast<Doubles>(checked("box", value, "box")).data(), 3));
}

nb::object move(PyObject* self, const Arguments<2>& given) {
    NecklaceHandle& h = handle_in<NecklaceHandle>(self);
    const std::optional<Lattice> box = given[1].is_none() ? h.box : box_of(h, given[1]);
    if (!take(h, given[0]) && !take(h, checked("beads", given[0], "positions", h.beads(), h.dimension)))
        throw nb::value_error("positions could not be read");
    if (!given[1].is_none()) h.set_box(box);
    return nb::none();
}

nb::object positions_of(const NecklaceHandle& h) {
    return to_numpy<double>(h.positions().data(), {h.beads(), std::size_t(h.dimension)});
}

/// Centre and radius of some cages.
nb::object balls_of(NecklaceHandle& h, const std::vector<std::int32_t>& which) {
    const std::size_t width = std::size_t(h.dimension) + 1;
    std::vector<double> out;
    for (const std::int32_t c : which) {
        const SphereVolume ball = h.cages->ball(c);
        for (int k = 0; k < h.dimension; ++k) out.push_back(ball.centre[k]);
        out.push_back(ball.radius);
    }
    return to_numpy<double>(out.data(), {out.size() / width, width});
}

nb::object cage_balls(NecklaceHandle& h, int level) {
    h.need_cages();
    return balls_of(h, h.cages_at(level));
}

nb::object cage_ranges(NecklaceHandle& h) {
    std::vector<std::array<std::int32_t, 2>> out;
    for (const CageTree::Node& n : h.need_cages().tree().nodes()) out.push_back({n.first, n.last});
    return to_numpy(out);
}

nb::list cage_bases(NecklaceHandle& h) {
    nb::list out;
    const NecklaceCages& cages = h.need_cages();
    for (std::int32_t c = 0; c < cages.tree().cages(); ++c) {
        const BallBasis& b = cages.basis(c);
        out.append(to_numpy<std::int32_t>(b.item, {std::size_t(b.count)}));
    }
    return out;
}

/// Pairs proved apart and pairs that collide, cages by number and bead i as cages + i, and the work.
nb::tuple separate(NecklaceHandle& h, const Integers& start, bool has_start) {
    h.need_cages();
    const Asking asked(h.usage);
    const std::vector<PrimitivePair> from = to_pairs(start);
    const SeparatingFamily family = unlocked(true, [&] { return h.separate(has_start ? &from : nullptr); });
    return nb::make_tuple(to_numpy(family.pairs), to_numpy(family.colliding), family.counters);
}

/// What was done so far, by name.
nb::dict work_of(const NecklaceHandle& h) {
    nb::dict out;
    const NecklaceBoxes::Work& w = h.boxes->work();
    out["moves"] = w.moves - 1;
    out["tree_frames"] = w.tree_frames;
    out["list_frames"] = w.list_frames;
    out["list_builds"] = w.list_builds;
    const CageCounters c = h.cages ? h.cages->counters() : CageCounters{};
    out["cages"] = h.cages ? h.cages->tree().cages() : 0;
    out["naive_tests"] = c.naive_tests;
    out["cascade_tests"] = c.cascade_tests;
    out["frontier"] = c.frontier;
    out["basis_changes"] = c.basis_changes;
    out["escaped"] = c.escaped;
    out["cages_rebuilt"] = c.rebuilt;
    out["naive_moves"] = c.naive_moves;
    out["cascade_moves"] = c.cascade_moves;
    return out;
}

std::string fault_of(NecklaceHandle& h) {
    if (h.cages) h.need_cages();
    const Asking asked(h.usage);
    return h.validate();
}

}  // namespace

void export_necklace(nb::module_& m) {
    auto type = nb::class_<NecklaceHandle>(m, "Necklace", "A sequence of beads, all of which move.");
    type.def("__init__", &make, nb::arg("positions"), nb::arg("radii"), nb::arg("gap"), nb::arg("named"),
             nb::arg("kind"), nb::arg("verify"))
        .def("__len__", &NecklaceHandle::beads)
        .def_prop_ro(
            "dimension", [](const NecklaceHandle& h) { return h.dimension; }, "2 or 3.")
        .def_prop_ro(
            "nbytes", [](const NecklaceHandle& h) { return h.bytes(); },
            "Memory that the beads and their hierarchies take.")
        .def_prop_rw(
            "_verify", [](const NecklaceHandle& h) { return int(h.verify); },
            [](NecklaceHandle& h, int verify) {
                h.usage.refuse_change();
                h.verify = CageVerify(verify);
            })
        .def_prop_ro("_cage_seconds", [](const NecklaceHandle& h) { return h.cage_seconds; })
        .def("_positions", &positions_of)
        .def("_become", &NecklaceHandle::become, nb::arg("other"))
        .def(
            "_set_box",
            [](NecklaceHandle& h, const Doubles& box) {
                h.usage.refuse_change();
                h.set_box(Lattice(to_matrix(box.data(), 3)));
            },
            nb::arg("box"))
        .def("_box", [](const NecklaceHandle& h) { return h.box ? to_numpy(h.box->given()) : nb::none(); })
        .def("_excluded_pairs", [](const NecklaceHandle& h) { return to_numpy(h.boxes->touch().pairs()); })
        .def("_cage_balls", &cage_balls, nb::arg("level"))
        .def("_cage_ranges", &cage_ranges)
        .def("_cage_bases", &cage_bases)
        .def("_separate", &separate, nb::arg("start"), nb::arg("has_start"))
        .def("_begin_question", [](NecklaceHandle& h) { h.questions.emplace_front(h.usage); })
        .def("_end_question", [](NecklaceHandle& h) { h.questions.pop_front(); })
        .def("_work", &work_of)
        .def("_fault", &fault_of);
    static PyMethodDef methods[] = {fast_method<move_signature, move>(necklace_move_doc)};
    add_methods(type, methods);
}

}  // namespace elbowroom::bindings
