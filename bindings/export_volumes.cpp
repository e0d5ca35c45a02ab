#include "arrays.hpp"
#include "elbowroom/volumes/volumes.hpp"
#include "exports.hpp"

namespace elbowroom::bindings {

namespace {

Balls to_balls(const Doubles& points, const Doubles& radii) {
    return {reinterpret_cast<const Vec3*>(points.data()), radii.data(), int(points.shape(0))};
}

template <class V>
nb::object excess(const V& v, const Doubles& points, const Doubles& radii) {
    const Balls balls = to_balls(points, radii);
    std::vector<double> out;
    for (int i = 0; i < balls.count; ++i) out.push_back(v.excess(balls.centre[i], balls.radius_of(i)));
    return to_numpy(out);
}

template <class V>
nb::class_<V> export_volume(nb::module_& m, const char* name, const char* doc) {
    return nb::class_<V>(m, name, doc)
        .def_static(
            "_fit", [](const Doubles& points, const Doubles& radii) { return V::fit(to_balls(points, radii)); },
            nb::arg("points"), nb::arg("radii"))
        .def("merge", &V::merged, nb::arg("other"), "A volume of this kind that holds both.")
        .def("separation", &V::separation, nb::arg("other"), "A lower bound of the distance; 0 when they may overlap.")
        .def("_excess", &excess<V>, nb::arg("points"), nb::arg("radii"))
        .def_prop_ro("cost", &V::cost, "What the tree builder minimises: a measure of the surface.");
}

}  // namespace

void export_volumes(nb::module_& m) {
    export_volume<SphereVolume>(m, "SphereVolume", "A bounding sphere.")
        .def_prop_ro("centre", &array_of<&SphereVolume::centre>, "Its centre.")
        .def_ro("radius", &SphereVolume::radius, "Its radius.");
    export_volume<CapsuleVolume>(m, "CapsuleVolume", "A line-swept sphere.")
        .def_prop_ro("start", &array_of<&CapsuleVolume::start>, "One end of the axis.")
        .def_prop_ro("end", &array_of<&CapsuleVolume::end>, "The other end of the axis.")
        .def_ro("radius", &CapsuleVolume::radius, "Its radius.");
    export_volume<AabbVolume>(m, "AabbVolume", "A box along the axes.")
        .def_prop_ro("low", &array_of<&AabbVolume::low>, "The lower corner.")
        .def_prop_ro("high", &array_of<&AabbVolume::high>, "The upper corner.");
    export_volume<ObbVolume>(m, "ObbVolume", "An oriented box.")
        .def_prop_ro("centre", &array_of<&ObbVolume::centre>, "Its centre.")
        .def_prop_ro("half", &array_of<&ObbVolume::half>, "Half the side lengths.")
        .def_prop_ro("axes", &array_of<&ObbVolume::axes>, "(3, 3): the axes as rows.");
    export_volume<RssVolume>(m, "RssVolume", "A rectangle-swept sphere.")
        .def_prop_ro("centre", &array_of<&RssVolume::centre>, "Its centre.")
        .def_prop_ro(
            "half", [](const RssVolume& v) { return to_numpy<double>(v.half, {2}); },
            "Half the sides of the rectangle.")
        .def_prop_ro("axes", &array_of<&RssVolume::axes>, "(3, 3): sides and normal of the rectangle as rows.")
        .def_ro("radius", &RssVolume::radius, "Its radius.");
}

}  // namespace elbowroom::bindings
