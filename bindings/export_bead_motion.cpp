#include "arguments.hpp"
#include "arrays.hpp"
#include "elbowroom/motion/bead_motion.hpp"
#include "exports.hpp"
#include "unlocked.hpp"

namespace elbowroom::bindings {

namespace {

void make(BeadMotion* self, const Doubles& radii, int gap, const Integers& named, const Integers& bonds,
          double bond_radius, double clearance) {
    new (self) BeadMotion(to_vector<double>(radii), NecklaceTouch(std::int32_t(radii.size()), gap, to_pairs(named)),
                          to_pairs(bonds), bond_radius, clearance);
}

/// `boxes`: none, or the edges (2, 3, 3) of those of both frames. `wanted`: the first contact, any, or all.
BeadStep step(const BeadMotion& motion, const Doubles& from, const Doubles& to, nb::handle boxes, int wanted,
              double narrow, nb::handle budget) {
    const BeadStepOptions options{BeadStepOptions::Wanted(wanted), narrow, allowance_argument(budget)};
    std::vector<Lattice> lattices;
    if (!boxes.is_none()) {
        const Doubles edges = nb::cast<Doubles>(boxes);
        for (int k = 0; k < 2; ++k) lattices.emplace_back(to_matrix(edges.data() + 9 * k, 3));
    }
    const std::vector<Vec3> starts = to_points(from), ends = to_points(to);
    BeadFrames frames{starts.data(), ends.data()};
    if (!lattices.empty()) frames.box_from = &lattices[0], frames.box_to = &lattices[1];
    return unlocked(motion.beads() > 64, [&] { return motion.step(frames, options); });
}

}  // namespace

void export_bead_motion(nb::module_& m) {
    nb::class_<BeadStep>(m, "BeadStep", "What beads and bonds meet between two frames.")
        .def_ro("before", &BeadStep::before)
        .def_ro("compared", &BeadStep::compared)
        .def_ro("counters", &BeadStep::counters)
        .def_prop_ro("out_of_budget", [](const BeadStep& s) { return s.stop == Stop::out_of_budget; })
        .def_prop_ro(
            "parts",
            [](const BeadStep& s) {
                return column(s.meetings, [](const BeadMeeting& x) {
                    return std::array<std::int32_t, 4>{x.bonds, x.a, x.b, x.decided};
                });
            },
            "(k, 4): whether they are bonds, their numbers, whether it is decided.")
        .def_prop_ro(
            "times",
            [](const BeadStep& s) {
                return column(s.meetings, [](const BeadMeeting& x) { return std::array{x.before, x.at, x.apart}; });
            },
            "(k, 3): free before, in contact at, and what is between them then.")
        .def_prop_ro(
            "points",
            [](const BeadStep& s) {
                return column(s.meetings, [](const BeadMeeting& x) { return std::array{x.on_a, x.on_b}; });
            },
            "(k, 2, 3)");
    nb::class_<BeadMotion>(m, "BeadMotion", "Beads that move straight from one frame to the next, and their bonds.")
        .def("__init__", &make, nb::arg("radii"), nb::arg("gap"), nb::arg("named"), nb::arg("bonds"),
             nb::arg("bond_radius"), nb::arg("clearance"))
        .def("step", &step, nb::arg("from_"), nb::arg("to"), nb::arg("boxes").none(), nb::arg("wanted"),
             nb::arg("narrow"), nb::arg("budget").none());
}

}  // namespace elbowroom::bindings
