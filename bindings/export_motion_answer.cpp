#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "elbowroom/motion/motion_answer_state.hpp"
#include "exports.hpp"

namespace elbowroom::bindings {

void export_motion_answer(nb::module_& m) {
    nb::class_<MotionAnswer>(m, "MotionAnswer", "What became of a motion, as the core tells it.")
        .def_prop_ro("verdict", [](const MotionAnswer& a) { return int(a.verdict); })
        .def_ro("out_of_budget", &MotionAnswer::out_of_budget)
        .def_ro("loose", &MotionAnswer::loose)
        .def_ro("before", &MotionAnswer::before)
        .def_ro("at", &MotionAnswer::at)
        .def_ro("piece_a", &MotionAnswer::piece_a)
        .def_ro("piece_b", &MotionAnswer::piece_b)
        .def_prop_ro("pair", [](const MotionAnswer& a) { return nb::make_tuple(a.pair[0], a.pair[1]); })
        .def_prop_ro("points", [](const MotionAnswer& a) { return to_numpy(std::array{a.on_a, a.on_b}); })
        .def_ro("closest", &MotionAnswer::closest)
        .def_prop_ro(
            "intervals",
            [](const MotionAnswer& a) {
                return column(a.intervals, [](const MotionInterval& i) { return std::array{i.from, i.to, i.at}; });
            },
            "(k, 3): from, to, and when it was looked at.")
        .def("__getstate__",
             [](const MotionAnswer& a) {
                 const ResultState state = state_of(a);
                 return nb::make_tuple(state.whole, state.real);
             })
        .def("__setstate__",
             [](MotionAnswer& a, const nb::tuple& state) {
                 new (&a) MotionAnswer(motion_answer_of(
                     {nb::cast<std::vector<std::int64_t>>(state[0]), nb::cast<std::vector<double>>(state[1])}));
             })
        .def_ro("distance_calls", &MotionAnswer::distance_calls)
        .def_ro("counters", &MotionAnswer::counters);
}

}  // namespace elbowroom::bindings
