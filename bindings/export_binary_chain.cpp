#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <mutex>
#include <shared_mutex>

#include "arrays.hpp"
#include "elbowroom/bodies/binary_chain.hpp"
#include "exports.hpp"
#include "results.hpp"

namespace elbowroom::bindings {

namespace {

/// A chain as Python holds it. Questions run without the interpreter lock; this lock keeps changes away meanwhile.
struct BoundBinaryChain {
    std::unique_ptr<BinaryChain> chain;
    mutable std::shared_mutex lock;

    int links() const { return chain->links(); }
    int checked(int joint) const {
        if (joint >= 0 && joint < links() - 1) return joint;
        throw nb::value_error(
            ("joint must be at least 0 and at most " + std::to_string(links() - 2) + ", got " + std::to_string(joint))
                .c_str());
    }
    int checked_link(int link, const char* name) const {
        if (link >= 0 && link < links()) return link;
        throw nb::value_error((std::string(name) + " must be at least 0 and at most " + std::to_string(links() - 1) +
                               ", got " + std::to_string(link))
                                  .c_str());
    }
    /// Asks f(chain) while nobody changes it.
    template <class F>
    auto ask(F&& f) const {
        nb::gil_scoped_release release;
        const std::shared_lock guard(lock);
        return f(const_cast<const BinaryChain&>(*chain));
    }
    template <class F>
    auto change(F&& f) {
        const std::unique_lock guard(lock);
        return f(*chain);
    }
};

std::vector<PrimitivePair> to_pairs(const Integers& array) {
    std::vector<PrimitivePair> out(array.size() / 2);
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = {array.data()[2 * k], array.data()[2 * k + 1]};
    return out;
}

void make(BoundBinaryChain* self, const Doubles& positions, const Doubles& radii, int exclude, const Integers& allowed,
          const std::string& volume, bool shrink, const std::string& skip) {
    if (skip != "pieces" && skip != "paper") throw nb::value_error("skip must be \"pieces\" or \"paper\"");
    if (positions.size() < 6 || radii.size() != positions.size() / 3)
        throw nb::value_error("a chain needs two positions or more, and as many radii");
    std::vector<Vec3> points = to_points(positions);
    std::vector<double> sizes(radii.data(), radii.data() + radii.size());
    const BinaryChainOptions options{exclude, to_pairs(allowed), shrink, skip == "pieces"};
    std::unique_ptr<BinaryChain> chain;
    {
        nb::gil_scoped_release release;
        chain = make_binary_chain(volume, points, std::move(sizes), options);
    }
    if (!chain) throw nb::value_error("volume must be \"obb\", \"rss\", \"capsule\" or \"sphere\"");
    new (self) BoundBinaryChain{std::move(chain), {}};
}

void change(BoundBinaryChain& self, const Integers& joints, const Doubles& angles) {
    if (joints.size() != angles.size()) throw nb::value_error("joints and angles must have the same length");
    const std::vector<int> which(joints.data(), joints.data() + joints.size());
    const std::vector<double> by(angles.data(), angles.data() + angles.size());
    for (const int joint : which) self.checked(joint);
    self.change([&](BinaryChain& chain) { chain.change(which, by); });
}

/// Each joint as a (3, 4) matrix: rotation and translation.
nb::object joints_array(const BoundBinaryChain& self) {
    std::vector<double> out;
    for (const Rigid& joint : self.chain->joints())
        for (int i = 0; i < 3; ++i) {
            const Vec3 row = joint.rotation.row[i];
            for (const double x : {row.x, row.y, row.z, joint.translation[i]}) out.push_back(x);
        }
    return to_numpy<double>(out.data(), {out.size() / 12, 3, 4});
}

void bend(BoundBinaryChain& self, const Doubles& joints) {
    if (joints.size() != 12 * std::size_t(self.links() - 1))
        throw nb::value_error("joints must have shape (n - 1, 3, 4)");
    std::vector<Rigid> to(self.links() - 1);
    for (std::size_t k = 0; k < to.size(); ++k) {
        const double* p = joints.data() + 12 * k;
        to[k] = {to_matrix(p, 4), {p[3], p[7], p[11]}};
    }
    self.change([&](BinaryChain& chain) { chain.bend(to); });
}

void export_changes(nb::class_<BoundBinaryChain>& c) {
    c.def(
         "rotate",
         [](BoundBinaryChain& self, int joint, double angle) {
             self.change([&](BinaryChain& chain) { chain.rotate(self.checked(joint), angle); });
         },
         nb::arg("joint"), nb::arg("angle"), "Turns the links beyond the joint about its axis.")
        .def(
            "turn",
            [](BoundBinaryChain& self, int joint, const Doubles& rotation) {
                const Mat3 matrix = to_matrix(rotation.data(), 3);
                self.change([&](BinaryChain& chain) { chain.turn(self.checked(joint), matrix); });
            },
            nb::arg("joint"), nb::arg("rotation"), "Turns the links beyond the joint about its first link.")
        .def(
            "move",
            [](BoundBinaryChain& self, int joint, const Rigid& pose) {
                self.change([&](BinaryChain& chain) { chain.move(self.checked(joint), pose); });
            },
            nb::arg("joint"), nb::arg("pose"), "Moves the links beyond the joint.")
        .def("change", &change, nb::arg("joints"), nb::arg("angles"), "Several turns about axes at once.")
        .def(
            "undo", [](BoundBinaryChain& self) { return self.change([](BinaryChain& chain) { return chain.undo(); }); },
            "Back to before the last change; False if there is none.")
        .def("bend", &bend, nb::arg("joints"), "Takes over the joints of a chain like this one.");
}

void export_questions(nb::class_<BoundBinaryChain>& c) {
    c.def(
         "collides",
         [](BoundBinaryChain& self) {
             nb::gil_scoped_release release;
             return self.change([](BinaryChain& chain) { return chain.collides(); });
         },
         "Does the chain touch itself?")
        .def(
            "self_collide",
            [](const BoundBinaryChain& self, bool every, bool depth, const Allowance& allowance) {
                const CollideOptions options{every, depth, allowance, nullptr};
                return Collision{self.ask([&](const BinaryChain& chain) { return chain.self_collide(options); }),
                                 depth};
            },
            nb::arg("every"), nb::arg("depth"), nb::arg("allowance"), "Which links touch.")
        .def(
            "self_distance",
            [](const BoundBinaryChain& self, double enough, const Allowance& allowance) {
                const DistanceOptions options{enough, nullptr, allowance, nullptr};
                return Distance{self.ask([&](const BinaryChain& chain) { return chain.self_distance(options); })};
            },
            nb::arg("enough"), nb::arg("allowance"), "The two nearest links; a negative `enough` is none.")
        .def(
            "self_within",
            [](const BoundBinaryChain& self, double reach, const Allowance& allowance) {
                return Pairs{self.ask([&](const BinaryChain& chain) { return chain.self_within(reach, allowance); })};
            },
            nb::arg("reach"), nb::arg("allowance"), "All links within reach of each other.")
        .def(
            "positions",
            [](const BoundBinaryChain& self) {
                const std::vector<Vec3> p = self.ask([](const BinaryChain& chain) { return chain.positions(); });
                return to_numpy<double>(&p[0].x, {p.size(), 3});
            },
            "(n, 3): where the links are.")
        .def(
            "pose",
            [](const BoundBinaryChain& self, int i, int j) {
                return self.chain->pose(self.checked_link(i, "i"), self.checked_link(j, "j"));
            },
            nb::arg("i"), nb::arg("j"), "The pose of link j seen from link i.")
        .def(
            "boxes", [](const BoundBinaryChain& self, int level) { return self.chain->boxes(most(0, level)); },
            nb::arg("level"), "The volumes at a level of the tree, in the world.")
        .def(
            "fault",
            [](const BoundBinaryChain& self) {
                return self.ask([](const BinaryChain& chain) { return chain.fault(); });
            },
            "What is wrong with the tree, or nothing.");
}

}  // namespace

void export_binary_chain(nb::module_& m) {
    nb::class_<BoundBinaryChain> c(m, "BinaryChain", "A chain of balls under a binary tree that follows it.");
    c.def("__init__", &make, nb::arg("positions"), nb::arg("radii"), nb::arg("exclude"), nb::arg("allowed"),
          nb::arg("volume"), nb::arg("shrink"), nb::arg("skip"))
        .def("__len__", &BoundBinaryChain::links)
        .def_prop_ro(
            "counters", [](const BoundBinaryChain& self) { return self.chain->counters(); },
            "The work of the last collides().")
        .def_prop_ro(
            "nbytes", [](const BoundBinaryChain& self) { return self.chain->nbytes(); }, "Memory in use.")
        .def_prop_ro(
            "radii",
            [](const BoundBinaryChain& self) {
                return to_numpy<double>(self.chain->radii().data(), {self.chain->radii().size()});
            },
            "(n,): the radii of the links.")
        .def_prop_ro("joints", &joints_array, "(n - 1, 3, 4): link i + 1 seen from link i.")
        .def_prop_rw(
            "nearest_first", [](const BoundBinaryChain& self) { return self.chain->nearest_first; },
            [](BoundBinaryChain& self, bool value) { self.chain->nearest_first = value; },
            "Look next to the changed joints first, not at the root.");
    export_changes(c);
    export_questions(c);
}

}  // namespace elbowroom::bindings
