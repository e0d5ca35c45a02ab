#include <nanobind/stl/shared_ptr.h>

#include "arrays.hpp"
#include "articulateds.hpp"
#include "elbowroom/motion/motion_checker.hpp"
#include "elbowroom/motion/motions.hpp"
#include "exports.hpp"
#include "poses.hpp"
#include "rigids.hpp"
#include "unlocked.hpp"

namespace elbowroom::bindings {

namespace {

using Scene = MotionChecker;  // a checker is complete when its scene is

int add_links(Scene& s, const ArticulatedHandle& body, const Doubles& from, const Doubles& to) {
    return s.scene().add_links(body.model, -1, from.data(), to.data());
}

void compare_all(Scene& s, const Integers& pieces, const Integers& excluded, int first) {
    unlocked(true, [&] { s.scene().compare_all(to_vector(pieces), to_pairs(excluded), first); });
}

/// Of each primitive the first and the last link, of both pieces; `excluded`: a primitive of the one and of the other.
int add_filter(Scene& s, const Integers& links_a, const Integers& links_b, int gap, const Integers& excluded) {
    return s.scene().add_filter({to_pairs(links_a), to_pairs(links_b), gap, to_pairs(excluded)});
}

}  // namespace

void export_motion_scene(nb::module_& m) {
    nb::class_<Scene>(m, "MotionScene", "Pieces that move, and obstacles: prepared once, and shared by checkers.")
        .def(nb::init<>())
        .def(
            "add_frame",
            [](Scene& s, int parent, const Motions& motion) { return s.scene().add_frame(parent, motion.one()); },
            nb::arg("parent"), nb::arg("motion"))
        .def("add_links", &add_links, nb::arg("body"), nb::arg("start"), nb::arg("goal"))
        .def(
            "set_mover", [](Scene& s, int frame) { s.scene().set_mover(frame); }, nb::arg("frame"))
        .def(
            "add_piece",
            [](Scene& s, RigidHandle& body, int frame, nb::handle pose) {
                const Asking asked(body.usage);
                return s.scene().add_piece(body, frame, PoseArgument(pose, "pose").one);
            },
            nb::arg("body"), nb::arg("frame"), nb::arg("pose").none())
        .def("add_filter", &add_filter, nb::arg("links_a"), nb::arg("links_b"), nb::arg("gap"), nb::arg("excluded"))
        .def(
            "compare", [](Scene& s, int a, int b, int filter, bool width) { s.scene().compare(a, b, filter, width); },
            nb::arg("a"), nb::arg("b"), nb::arg("filter") = -1, nb::arg("has_width") = true)
        .def("compare_all", &compare_all, nb::arg("pieces"), nb::arg("excluded"), nb::arg("first"));
}

}  // namespace elbowroom::bindings
