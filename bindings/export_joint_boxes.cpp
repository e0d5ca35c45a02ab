#include "arrays.hpp"
#include "elbowroom/math/frame_rows.hpp"
#include "elbowroom/motion/joint_boxes.hpp"
#include "exports.hpp"
#include "unlocked.hpp"

namespace elbowroom::bindings {

namespace {

/// The joints between two links, and the links.
struct LinkPair {
    JointPath path;
    LinkBalls a, b;
};

/// `joints`: axis, multiplier and offset of each; `turns` and `values` as in `PathJoint`.
void make(LinkPair* self, const Doubles& between, const Integers& turns, const Integers& values, const Doubles& joints,
          int count, const Doubles& centres_a, const Doubles& radii_a, const Doubles& centres_b,
          const Doubles& radii_b) {
    JointPath path{{}, {}, count};
    for (std::size_t i = 0; i < between.shape(0); ++i) path.between.push_back(rigid_of_rows(between.data() + 16 * i));
    for (std::size_t i = 0; i < joints.shape(0); ++i) {
        const double* j = joints.data() + 5 * i;
        path.joints.push_back({turns.data()[i] != 0, values.data()[i], j[3], j[4], {j[0], j[1], j[2]}});
    }
    new (self) LinkPair{
        std::move(path), {to_points(centres_a), to_vector(radii_a)}, {to_points(centres_b), to_vector(radii_b)}};
}

nb::object poses(const LinkPair& self, const Doubles& values) {
    const JointBoxes boxes(self.path, self.a, self.b);
    const std::size_t n = values.shape(0);
    std::vector<double> out(16 * n);
    for (std::size_t i = 0; i < n; ++i) {
        const FrameRows rows(boxes.pose(values.data() + i * self.path.values));
        std::copy_n(&rows.at[0][0], 12, &out[16 * i]);
        out[16 * i + 15] = 1;
    }
    return to_numpy(out.data(), {n, 4, 4});
}

nb::object slopes(const LinkPair& self, const Doubles& values, const Doubles& normals, const Doubles& points) {
    JointBoxes boxes(self.path, self.a, self.b);
    const std::vector<Vec3> n = to_points(normals), p = to_points(points);
    const std::size_t width = self.path.values;
    std::vector<double> out(n.size() * width);
    for (std::size_t i = 0; i < n.size(); ++i)
        boxes.slope(values.data() + i * width, n[i], p[i], out.data() + i * width);
    return to_numpy(out.data(), {n.size(), width});
}

nb::tuple bounds(const LinkPair& self, const Doubles& centre, const Doubles& half, const Doubles& normals) {
    const std::vector<Vec3> n = to_points(normals);
    std::vector<double> gap(n.size());
    std::vector<std::int32_t> value(n.size());
    unlocked(true, [&] {
        JointBoxes boxes(self.path, self.a, self.b);
        const std::size_t width = self.path.values;
        for (std::size_t i = 0; i < n.size(); ++i) {
            check_interruption();
            const BoxBound b = boxes.bound(centre.data() + i * width, half.data() + i * width, n[i]);
            gap[i] = b.gap, value[i] = b.value;
        }
    });
    return nb::make_tuple(to_numpy(gap), to_numpy(value));
}

nb::object displacements(const LinkPair& self, const Doubles& centre, const Doubles& half) {
    std::vector<double> out(centre.shape(0));
    unlocked(true, [&] {
        JointBoxes boxes(self.path, self.a, self.b);
        const std::size_t width = self.path.values;
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = boxes.displacement(centre.data() + i * width, half.data() + i * width);
    });
    return to_numpy(out);
}

}  // namespace

void export_joint_boxes(nb::module_& m) {
    nb::class_<LinkPair>(m, "JointBoxes", "Two links and the joints between them, over boxes of joint values.")
        .def("__init__", &make, nb::arg("between"), nb::arg("turns"), nb::arg("values"), nb::arg("joints"),
             nb::arg("count"), nb::arg("centres_a"), nb::arg("radii_a"), nb::arg("centres_b"), nb::arg("radii_b"))
        .def("poses", &poses, nb::arg("values"), "The second link in the first (n, 4, 4), for values (n, count).")
        .def("slopes", &slopes, nb::arg("values"), nb::arg("normals"), nb::arg("points"),
             "For each configuration: how the height of a point of the second link changes with the values.")
        .def("bounds", &bounds, nb::arg("centre"), nb::arg("half"), nb::arg("normals"),
             "For each box: a lower bound of the gap of the links, and the value that costs most.")
        .def("displacements", &displacements, nb::arg("centre"), nb::arg("half"),
             "For each box: how far the links move against each other at most.");
}

}  // namespace elbowroom::bindings
