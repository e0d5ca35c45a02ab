#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "elbowroom/trees/build.hpp"
#include "elbowroom/trees/validate.hpp"
#include "elbowroom/volumes/volumes.hpp"
#include "exports.hpp"

namespace elbowroom::bindings {

namespace {

Balls to_balls(const Doubles& points, const Doubles& radii) {
    return {reinterpret_cast<const Vec3*>(points.data()), radii.data(), int(points.shape(0))};
}

template <class V>
nb::class_<V> export_volume(nb::module_& m, const char* name, const char* doc) {
    return nb::class_<V>(m, name, doc)
        .def_static(
            "_fit", [](const Doubles& points, const Doubles& radii) { return V::fit(to_balls(points, radii)); },
            nb::arg("points"), nb::arg("radii"))
        .def(
            "merge", [](const V& a, const V& b) { return a.merged(b); }, nb::arg("other"),
            "A volume of this kind that holds both.")
        .def(
            "separation", [](const V& a, const V& b) { return a.separation(b); }, nb::arg("other"),
            "A lower bound of the distance; 0 when they may overlap.")
        .def(
            "_excess",
            [](const V& v, const Doubles& points, const Doubles& radii) {
                std::vector<double> out(points.shape(0));
                const Balls balls = to_balls(points, radii);
                for (int i = 0; i < balls.count; ++i) out[i] = v.excess(balls.centre[i], balls.radius_of(i));
                return to_numpy<double>(out.data(), {out.size()});
            },
            nb::arg("points"), nb::arg("radii"))
        .def_prop_ro(
            "cost", [](const V& v) { return v.cost(); }, "What the tree builder minimises: a measure of the surface.");
}

template <class V, int Width>
std::string check_tree_of(const Items& items, int leaf_items) {
    using Tree = FlatTree<V, TreeLanes<V, Width>, Width>;
    SplitOptions options;
    options.leaf_items = leaf_items;
    return validate(build<Tree>(items, options), items);
}

template <class V>
std::string check_tree(const Items& items, int children, int leaf_items) {
    return children == 2 ? check_tree_of<V, 2>(items, leaf_items) : check_tree_of<V, 8>(items, leaf_items);
}

std::string check_tree(const std::string& volume, const Doubles& points, const Integers& first, const Doubles& radii,
                       int children, int leaf_items) {
    const Items items{reinterpret_cast<const Vec3*>(points.data()), first.data(), radii.data(), int(radii.shape(0))};
    if (volume == "sphere") return check_tree<SphereVolume>(items, children, leaf_items);
    if (volume == "capsule") return check_tree<CapsuleVolume>(items, children, leaf_items);
    if (volume == "aabb") return check_tree<AabbVolume>(items, children, leaf_items);
    if (volume == "obb") return check_tree<ObbVolume>(items, children, leaf_items);
    if (volume == "rss") return check_tree<RssVolume>(items, children, leaf_items);
    throw nb::value_error("volume must be \"sphere\", \"capsule\", \"aabb\", \"obb\" or \"rss\"");
}

template <class V>
nb::object axes_of(const V& v) {
    return to_numpy<double>(&v.axes.row[0].x, {3, 3});
}

}  // namespace

void export_volumes(nb::module_& m) {
    export_volume<SphereVolume>(m, "SphereVolume", "A bounding sphere.")
        .def_prop_ro(
            "centre", [](const SphereVolume& v) { return to_numpy(v.centre); }, "Its centre.")
        .def_ro("radius", &SphereVolume::radius, "Its radius.");
    export_volume<CapsuleVolume>(m, "CapsuleVolume", "A line-swept sphere.")
        .def_prop_ro(
            "start", [](const CapsuleVolume& v) { return to_numpy(v.start); }, "One end of the axis.")
        .def_prop_ro(
            "end", [](const CapsuleVolume& v) { return to_numpy(v.end); }, "The other end of the axis.")
        .def_ro("radius", &CapsuleVolume::radius, "Its radius.");
    export_volume<AabbVolume>(m, "AabbVolume", "A box along the axes.")
        .def_prop_ro(
            "low", [](const AabbVolume& v) { return to_numpy(v.low); }, "The lower corner.")
        .def_prop_ro("high", [](const AabbVolume& v) { return to_numpy(v.high); }, "The upper corner.");
    export_volume<ObbVolume>(m, "ObbVolume", "An oriented box.")
        .def_prop_ro(
            "centre", [](const ObbVolume& v) { return to_numpy(v.centre); }, "Its centre.")
        .def_prop_ro(
            "half", [](const ObbVolume& v) { return to_numpy(v.half); }, "Half the side lengths.")
        .def_prop_ro("axes", &axes_of<ObbVolume>, "(3, 3): the axes as rows.");
    export_volume<RssVolume>(m, "RssVolume", "A rectangle-swept sphere.")
        .def_prop_ro(
            "centre", [](const RssVolume& v) { return to_numpy(v.centre); }, "Its centre.")
        .def_prop_ro(
            "half", [](const RssVolume& v) { return to_numpy<double>(v.half, {2}); },
            "Half the sides of the rectangle.")
        .def_prop_ro("axes", &axes_of<RssVolume>, "(3, 3): sides and normal of the rectangle as rows.")
        .def_ro("radius", &RssVolume::radius, "Its radius.");
    m.def("check_tree",
          static_cast<std::string (*)(const std::string&, const Doubles&, const Integers&, const Doubles&, int, int)>(
              &check_tree),
          nb::arg("volume"), nb::arg("points"), nb::arg("first"), nb::arg("radii"), nb::arg("children"),
          nb::arg("leaf_items"),
          "Builds a tree of the given volumes over runs of points and says what is wrong with it (nothing: \"\").");
}

}  // namespace elbowroom::bindings
