#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>

#include "arguments.hpp"
#include "arrays.hpp"
#include "elbowroom/limits.hpp"
#include "elbowroom/trees/metric_tree.hpp"
#include "exports.hpp"
#include "fastcall.hpp"
#include "numbers.hpp"

namespace elbowroom::bindings {

namespace {

struct PointTreeHandle {
    MetricTree tree;
    std::vector<double> room;  // for the point of a call

    explicit PointTreeHandle(MetricTree t) : tree(std::move(t)), room(std::size_t(tree.dimension())) {}

    bool read(nb::handle value) {
        return read_numbers(value, room.data(), tree.dimension()) &&
               std::all_of(room.begin(), room.end(), [](double x) { return std::isfinite(x); });
    }
    /// A point: numbers at once, anything else by way of the checks in Python.
    const double* point(nb::handle value) {
        if (!read(value) && !read(checked("numbers", value, "point")))
            throw nb::value_error(("point must have shape (" + std::to_string(tree.dimension()) + ",)").c_str());
        return room.data();
    }
    NearPoint nearest(nb::handle value) {
        const double* query = point(value);
        if (!tree.points().size()) throw nb::value_error("the tree is empty");
        return tree.nearest(query);
    }
};

PyObject* nearest(PyObject* self, PyObject* point) {
    return guarded([&] { return nb::int_(handle_in<PointTreeHandle>(self).nearest(point).number); });
}

PyObject* insert(PyObject* self, PyObject* point) {
    return guarded([&] {
        PointTreeHandle& h = handle_in<PointTreeHandle>(self);
        return nb::int_(h.tree.insert(h.point(point)));
    });
}

nb::tuple nearest_and_distance(PointTreeHandle& h, nb::handle point) {
    const NearPoint found = h.nearest(point);
    return nb::make_tuple(found.number, found.distance);
}

nb::tuple within(PointTreeHandle& h, nb::handle point, double reach) {
    const std::vector<NearPoint> found = h.tree.within(h.point(point), reach);
    return nb::make_tuple(column(found, &NearPoint::number), column(found, &NearPoint::distance));
}

/// From one point to another, both of coordinates that are still to be weighted; None if they are not plainly numbers.
nb::object weighted_distance(const PointTreeHandle& h, nb::handle a, nb::handle b, const Doubles& weights) {
    const int count = h.tree.dimension();
    std::vector<double> points(std::size_t(2 * count));
    if (!read_numbers(a, points.data(), count) || !read_numbers(b, points.data() + count, count)) return nb::none();
    for (int k = 0; k < 2 * count; ++k) {
        if (!(std::fabs(points[std::size_t(k)]) <= limits.largest_number)) return nb::none();
        points[std::size_t(k)] *= weights.data()[k % count];
    }
    return nb::float_(h.tree.distance(points.data(), points.data() + count));
}

nb::object points_of(const PointTreeHandle& h) {
    const std::size_t count = std::size_t(h.tree.points().size());
    return to_numpy<double>(count ? h.tree.points().point(0) : nullptr, {count, std::size_t(h.tree.dimension())});
}

}  // namespace

void export_point_tree(nb::module_& m) {
    auto type = nb::class_<PointTreeHandle>(
        m, "PointTree", "Points that come one by one, of plain coordinates and then quaternions, and who is nearest.");
    type.def(
            "__init__",
            [](PointTreeHandle* self, int plain, int turns) {
                if (plain < 0 || turns < 0 || plain + turns == 0)
                    throw nb::value_error("plain and turns must not be negative, nor both 0");
                new (self) PointTreeHandle(MetricTree::straight(plain, turns));
            },
            nb::arg("plain"), nb::arg("turns") = 0, "Euclidean; quaternions q and -q are the same.")
        .def_static(
            "of_poses", [](double weight) { return PointTreeHandle(MetricTree::of_poses(weight)); }, nb::arg("weight"),
            "Poses by the distance of their positions plus weight times the angle; their quaternions come times 2 "
            "weight.")
        .def_static(
            "of_hourglasses",
            [](double radius, double area) { return PointTreeHandle(MetricTree::of_hourglasses(radius, area)); },
            nb::arg("radius"), nb::arg("area"),
            "Poses by the volume of the hourglass between them, plus area times the distance of their positions.")
        .def("__len__", [](const PointTreeHandle& h) { return h.tree.points().size(); })
        .def("nearest_and_distance", &nearest_and_distance, nb::arg("point").none())
        .def("within", &within, nb::arg("point").none(), nb::arg("reach"), "Numbers and distances of all that near.")
        .def(
            "distances",
            [](const PointTreeHandle& h, const Doubles& a, const Doubles& b) {
                return to_numpy(h.tree.distances(a.data(), b.data(), a.size() / std::size_t(h.tree.dimension())));
            },
            nb::arg("a"), nb::arg("b"), "From each row of a to that of b.")
        .def("weighted_distance", &weighted_distance, nb::arg("a").none(), nb::arg("b").none(), nb::arg("weights"),
             "Of two points without quaternions before they are weighted; None if they must be checked first.")
        .def("points", &points_of)
        .def(
            "fault", [](const PointTreeHandle& h) { return h.tree.points().validate(); }, "Empty if nothing is wrong.")
        .def_prop_ro("dimension", [](const PointTreeHandle& h) { return h.tree.dimension(); })
        .def_prop_ro("depth", [](const PointTreeHandle& h) { return h.tree.points().depth(); })
        .def_prop_ro("nbytes", [](const PointTreeHandle& h) { return h.tree.points().bytes(); });
    // In the inner loop of a planner: by the shortest way there is.
    static PyMethodDef methods[] = {
        {"nearest", &nearest, METH_O, "The number of the nearest point, of equally near ones the first."},
        {"insert", &insert, METH_O, "Takes a point; its number is how many there were before."}};
    add_methods(type, methods);
    m.def(
        "pose_keys",
        [](const Doubles& poses, double scale) {
            return column(to_rows<std::array<double, 16>>(poses),
                          [&](const auto& p) { return pose_key(p.data(), scale); });
        },
        nb::arg("poses"), nb::arg("scale"), "Positions and quaternions, these times scale, (n, 7) of poses (n, 4, 4).");
}

}  // namespace elbowroom::bindings
