#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "elbowroom/bodies/necklace_power.hpp"
#include "exports.hpp"
#include "unlocked.hpp"

namespace elbowroom::bindings {

namespace {

nb::object rows_to_numpy(const std::vector<std::int32_t>& numbers, int width) {
    return to_numpy<std::int32_t>(numbers.data(), {width > 0 ? numbers.size() / width : 0, std::size_t(width)});
}

void make_from(PowerTriangulation* self, const Doubles& positions, const Doubles& radii, const PowerComplex& given) {
    const std::vector<double> at = to_vector<double>(positions);
    std::vector<double> sizes = to_vector<double>(radii);
    const int dimension = int(positions.shape(1));
    const Unlocked without_lock;
    new (self) PowerTriangulation(dimension, at, std::move(sizes), given);
}

/// Under the interpreter lock, which keeps threads apart.
bool move(PowerTriangulation& self, const Doubles& positions) { return self.move(to_vector<double>(positions)); }

nb::object hull(const PowerTriangulation& self) {
    const PowerComplex complex = self.complex();
    const int width = self.dimension() + 1;
    return nb::make_tuple(rows_to_numpy(complex.vertex, width), rows_to_numpy(complex.next, width));
}

nb::object closest_to_tuple(const ClosestBeads& found) {
    return nb::make_tuple(found.gap, nb::make_tuple(found.a, found.b));
}

/// Defines one of the questions about pairs to a diagram of which only the edges and the hidden beads are left.
template <class Ask>
void define_question(nb::module_& m, const char* name, const char* doc, Ask ask) {
    m.def(
        name,
        [ask](const Doubles& positions, const Doubles& radii, const Integers& edges, const Integers& hidden,
              const Integers& may_touch) {
            const std::vector<double> sizes = to_vector(radii);
            const PowerCells cells{to_pairs(edges), {}, 1, to_vector(hidden)};
            return ask(PowerPairs({int(positions.shape(1)), positions.data(), sizes}, cells, to_pairs(may_touch)));
        },
        nb::arg("positions"), nb::arg("radii"), nb::arg("edges"), nb::arg("hidden"), nb::arg("may_touch"), doc);
}

}  // namespace

void export_power(nb::module_& m) {
    nb::class_<PowerTriangulation>(m, "PowerTriangulation", "The regular triangulation of beads, kept by flips.")
        .def(
            "__init__",
            [](PowerTriangulation* self, const Doubles& positions, const Doubles& radii) {
                make_from(self, positions, radii, {});
            },
            nb::arg("positions"), nb::arg("radii"), "Made bead by bead.")
        .def(
            "__init__",
            [](PowerTriangulation* self, const Doubles& positions, const Doubles& radii, const Integers& vertices,
               const Integers& neighbours) {
                make_from(self, positions, radii,
                          {to_vector<std::int32_t>(vertices), to_vector<std::int32_t>(neighbours)});
            },
            nb::arg("positions"), nb::arg("radii"), nb::arg("vertices"), nb::arg("neighbours"),
            "Begun with the hull of the lifted beads as another program found it.")
        .def("__len__", &PowerTriangulation::size)
        .def("move", &move, nb::arg("positions"), "False: it could not be repaired and must be made anew.")
        .def("fault", &PowerTriangulation::validate, "What is wrong with it; empty if nothing is.")
        .def("hull", &hull, "All facets of the lifted hull, lower and upper: vertices and neighbours.")
        .def("edges", [](const PowerTriangulation& self) { return to_numpy(self.cells().edges); })
        .def("simplices",
             [](const PowerTriangulation& self) { return rows_to_numpy(self.cells().simplices, self.cells().corners); })
        .def("hidden", [](const PowerTriangulation& self) { return to_numpy(self.cells().hidden); })
        .def_prop_ro("flips", &PowerTriangulation::flips)
        .def_prop_ro("events", &PowerTriangulation::events)
        .def_prop_ro("inserted", &PowerTriangulation::inserted);
    define_question(m, "power_candidates", "Pairs to look at, sorted.",
                    [](const PowerPairs& pairs) { return to_numpy(pairs.candidates()); });
    define_question(m, "power_closest", "The least gap among the candidates, and where.",
                    [](const PowerPairs& pairs) { return closest_to_tuple(pairs.closest()); });
    define_question(m, "power_colliding", "Two beads that collide; (-1, -1) if none do.",
                    [](const PowerPairs& pairs) { return closest_to_tuple(pairs.colliding()); });
    m.def(
        "changed_edges",
        [](const Integers& before, const Integers& after) { return changed_edges(to_pairs(before), to_pairs(after)); },
        nb::arg("before"), nb::arg("after"), "How many edges came or went.");
}

}  // namespace elbowroom::bindings
