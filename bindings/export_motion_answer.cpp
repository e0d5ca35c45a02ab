#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "elbowroom/motion/motion_check.hpp"
#include "exports.hpp"

namespace elbowroom::bindings {

namespace {

/// All of an answer in two arrays: whole numbers, and lengths and times.
nb::tuple state_of(const MotionAnswer& a) {
    std::vector<double> reals{a.before, a.at, a.closest, a.on_a.x, a.on_a.y, a.on_a.z, a.on_b.x, a.on_b.y, a.on_b.z};
    for (const MotionInterval& i : a.intervals) reals.insert(reals.end(), {i.from, i.to, i.at});
    const Counters& c = a.counters;
    return nb::make_tuple(
        std::vector<std::int64_t>{int(a.verdict), a.out_of_budget + 2 * a.loose, a.piece_a, a.piece_b, a.pair[0],
                                  a.pair[1], std::int64_t(a.distance_calls), std::int64_t(c.volume_tests),
                                  std::int64_t(c.leaf_tests), std::int64_t(c.pairs_visited)},
        reals);
}

void set_state(MotionAnswer& a, const nb::tuple& state) {
    const auto n = nb::cast<std::vector<std::int64_t>>(state[0]);
    const auto r = nb::cast<std::vector<double>>(state[1]);
    if (n.size() != 10 || n[0] < 0 || n[0] > 2 || r.size() < 9 || r.size() % 3)
        throw nb::value_error("this is no answer about a motion");
    new (&a) MotionAnswer();
    a.verdict = MotionAnswer::Verdict(n[0]), a.out_of_budget = n[1] & 1, a.loose = n[1] & 2;
    a.piece_a = std::int32_t(n[2]), a.piece_b = std::int32_t(n[3]);
    a.pair = {std::int32_t(n[4]), std::int32_t(n[5])}, a.distance_calls = std::uint64_t(n[6]);
    a.counters = {std::uint64_t(n[7]), std::uint64_t(n[8]), std::uint64_t(n[9])};
    a.before = r[0], a.at = r[1], a.closest = r[2], a.on_a = {r[3], r[4], r[5]}, a.on_b = {r[6], r[7], r[8]};
    for (std::size_t i = 9; i < r.size(); i += 3) a.intervals.push_back({r[i], r[i + 1], r[i + 2]});
}

}  // namespace

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
        .def_prop_ro("points",
                     [](const MotionAnswer& a) {
                         const Vec3 both[2] = {a.on_a, a.on_b};
                         return to_numpy<double>(&both[0].x, {2, 3});
                     })
        .def_ro("closest", &MotionAnswer::closest)
        .def_prop_ro(
            "intervals",
            [](const MotionAnswer& a) {
                const double* p = a.intervals.empty() ? nullptr : &a.intervals[0].from;
                return to_numpy<double>(p, {a.intervals.size(), 3});
            },
            "(k, 3): from, to, and when it was looked at.")
        .def("__getstate__", &state_of)
        .def("__setstate__", &set_state)
        .def_ro("distance_calls", &MotionAnswer::distance_calls)
        .def_ro("counters", &MotionAnswer::counters);
}

}  // namespace elbowroom::bindings
