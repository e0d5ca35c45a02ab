#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "exports.hpp"
#include "reference_baseline_chain.hpp"

namespace elbowroom::bindings {

namespace {

/// A chain as Python holds it; the interpreter lock keeps threads apart.
struct BoundBaseline {
    std::unique_ptr<BaselineChain> chain;
};

void make(BoundBaseline* self, const Doubles& positions, const Doubles& radii, int exclude, const std::string& method) {
    auto chain = make_baseline_chain(method, to_points(positions), to_vector(radii), exclude);
    if (!chain) throw nb::value_error("method must be \"grid\", \"one tree\" or \"k trees\"");
    new (self) BoundBaseline{std::move(chain)};
}

}  // namespace

void export_baselines(nb::module_& m) {
    nb::class_<BoundBaseline>(m, "BaselineChain", "A chain tested for self-collision by a method without a ChainTree.")
        .def("__init__", &make, nb::arg("positions"), nb::arg("radii"), nb::arg("exclude"), nb::arg("method"))
        .def("__len__", [](const BoundBaseline& self) { return self.chain->links(); })
        .def(
            "_rotate", [](BoundBaseline& self, int joint, double angle) { self.chain->rotate(joint, angle); },
            nb::arg("joint"), nb::arg("angle"))
        .def(
            "_turn",
            [](BoundBaseline& self, int joint, const Doubles& rotation) {
                self.chain->turn(joint, to_matrix(rotation.data(), 3));
            },
            nb::arg("joint"), nb::arg("rotation"))
        .def(
            "_change",
            [](BoundBaseline& self, const Integers& joints, const Doubles& angles) {
                self.chain->change(to_vector(joints), to_vector(angles));
            },
            nb::arg("joints"), nb::arg("angles"))
        .def("_undo", [](BoundBaseline& self) { return self.chain->undo(); })
        .def(
            "collides", [](BoundBaseline& self) { return self.chain->collides(); },
            "Does any pair of links overlap or touch?")
        .def(
            "positions", [](const BoundBaseline& self) { return to_numpy(self.chain->positions()); },
            "(n, 3): where the links are in the world.")
        .def_prop_ro(
            "counters", [](const BoundBaseline& self) { return self.chain->counters(); },
            "The work of the last collides().");
}

}  // namespace elbowroom::bindings
