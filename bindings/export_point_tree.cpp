#include <nanobind/stl/string.h>

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
};

PointTreeHandle& handle_of(PyObject* self) { return handle_in<PointTreeHandle>(self); }

bool all_finite(const double* x, int count) {
    for (int k = 0; k < count; ++k)
        if (!std::isfinite(x[k])) return false;
    return true;
}

/// Reads a list of numbers; false if it is none.
bool read_list(nb::handle value, double* out, int count) {
    if (!PyList_CheckExact(value.ptr()) || PyList_Size(value.ptr()) != count) return false;
    for (int k = 0; k < count; ++k) {
        PyObject* number = PyList_GetItem(value.ptr(), k);
        if (!PyFloat_CheckExact(number)) return false;
        out[k] = PyFloat_AsDouble(number);
    }
    return all_finite(out, count);
}

bool read_array(nb::handle value, double* out, int count) {
    const ArrayArgument array(value, {count});
    if (!array.fits() || array.count() >= 0) return false;
    std::copy_n(array.data(), count, out);
    return all_finite(out, count);
}

/// A point: a list of floats or an array of doubles at once, anything else by way of the checks in Python.
const double* point_argument(PointTreeHandle& h, nb::handle value) {
    const int count = h.tree.dimension();
    double* out = h.room.data();
    if (read_list(value, out, count) || read_array(value, out, count)) return out;
    if (!read_array(checked("numbers", value, "point"), out, count))
        throw nb::value_error(("point must have shape (" + std::to_string(count) + ",)").c_str());
    return out;
}

NearPoint nearest_to(const PointTreeHandle& h, const double* query) {
    if (!h.tree.points().size()) throw nb::value_error("the tree is empty");
    return h.tree.nearest(query);
}

PyObject* nearest(PyObject* self, PyObject* point) {
    return guarded([&] {
        PointTreeHandle& h = handle_of(self);
        return nb::int_(nearest_to(h, point_argument(h, point)).number);
    });
}

PyObject* insert(PyObject* self, PyObject* point) {
    return guarded([&] {
        PointTreeHandle& h = handle_of(self);
        return nb::int_(h.tree.insert(point_argument(h, point)));
    });
}

nb::tuple nearest_and_distance(PointTreeHandle& h, nb::handle point) {
    const NearPoint found = nearest_to(h, point_argument(h, point));
    return nb::make_tuple(found.number, found.distance);
}

nb::tuple within(PointTreeHandle& h, nb::handle point, double reach) {
    const double* query = point_argument(h, point);
    const std::vector<NearPoint> found = h.tree.within(query, reach);
    std::vector<std::int32_t> numbers;
    std::vector<double> distances;
    for (const NearPoint& p : found) {
        numbers.push_back(p.number);
        distances.push_back(p.distance);
    }
    return nb::make_tuple(to_numpy<std::int32_t>(numbers.data(), {numbers.size()}),
                          to_numpy<double>(distances.data(), {distances.size()}));
}

/// From each of n points to another, one a row.
nb::object distances(const PointTreeHandle& h, const Doubles& a, const Doubles& b) {
    const std::size_t width = std::size_t(h.tree.dimension()), count = a.size() / width;
    std::vector<double> out(count);
    for (std::size_t i = 0; i < count; ++i) out[i] = h.tree.distance(a.data() + width * i, b.data() + width * i);
    return to_numpy<double>(out.data(), {count});
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

/// Positions and quaternions (n, 7) of poses (n, 4, 4).
nb::object pose_keys(const Doubles& poses, double scale) {
    std::vector<double> out;
    for (std::size_t i = 0; i < poses.size(); i += 16) {
        const double* p = poses.data() + i;
        const Quat q = quaternion(to_matrix(p, 4));
        out.insert(out.end(), {p[3], p[7], p[11], scale * q.w, scale * q.x, scale * q.y, scale * q.z});
    }
    return to_numpy<double>(out.data(), {out.size() / 7, 7});
}

nb::object points_of(const PointTreeHandle& h) {
    const std::size_t count = std::size_t(h.tree.points().size());
    return to_numpy<double>(count ? h.tree.points().point(0) : nullptr, {count, std::size_t(h.tree.dimension())});
}

/// Methods that are called in the inner loop of a planner: by the shortest way there is.
void add_fast_methods(nb::handle type) {
    static PyMethodDef methods[] = {
        {"nearest", &nearest, METH_O, "The number of the nearest point, of equally near ones the first."},
        {"insert", &insert, METH_O, "Takes a point; its number is how many there were before."}};
    add_methods(type, methods);
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
        .def("distances", &distances, nb::arg("a"), nb::arg("b"), "From each row of a to that of b.")
        .def("weighted_distance", &weighted_distance, nb::arg("a").none(), nb::arg("b").none(), nb::arg("weights"),
             "Of two points without quaternions before they are weighted; None if they must be checked first.")
        .def("points", &points_of)
        .def(
            "fault", [](const PointTreeHandle& h) { return h.tree.points().validate(); }, "Empty if nothing is wrong.")
        .def_prop_ro("dimension", [](const PointTreeHandle& h) { return h.tree.dimension(); })
        .def_prop_ro("depth", [](const PointTreeHandle& h) { return h.tree.points().depth(); })
        .def_prop_ro("nbytes", [](const PointTreeHandle& h) { return h.tree.points().bytes(); });
    add_fast_methods(type);
    m.def("pose_keys", &pose_keys, nb::arg("poses"), nb::arg("scale"),
          "Positions and quaternions, these times scale, (n, 7) of poses (n, 4, 4).");
}

}  // namespace elbowroom::bindings
