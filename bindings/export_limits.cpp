#include "elbowroom/limits.hpp"
#include "exports.hpp"

namespace nb = nanobind;

namespace elbowroom::bindings {

void export_limits(nb::module_& m) {
    nb::class_<Limits>(m, "Limits", "The limits of input, as in core/include/elbowroom/limits.hpp.")
        .def_ro("largest_number", &Limits::largest_number)
        .def_ro("smallest_size", &Limits::smallest_size)
        .def_ro("rotation_tolerance", &Limits::rotation_tolerance)
        .def_ro("saved_rotation_tolerance", &Limits::saved_rotation_tolerance)
        .def_ro("smallest_singular_ratio", &Limits::smallest_singular_ratio)
        .def_ro("smallest_motion_tolerance", &Limits::smallest_motion_tolerance)
        .def_ro("largest_int", &Limits::largest_int)
        .def_ro("largest_count", &Limits::largest_count)
        .def_ro("largest_group", &Limits::largest_group)
        .def_ro("largest_level", &Limits::largest_level);
    m.attr("limits") = limits;
}

}  // namespace elbowroom::bindings
