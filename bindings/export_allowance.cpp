#include <nanobind/stl/optional.h>

#include "elbowroom/traversal/budget.hpp"
#include "exports.hpp"

namespace nb = nanobind;

namespace elbowroom::bindings {

namespace {

constexpr Allowance unlimited;

/// None stands for what is not limited.
template <class Number>
std::optional<Number> limited(Number number, Number none) {
    return number == none ? std::nullopt : std::optional(number);
}

}  // namespace

void export_allowance(nb::module_& m) {
    nb::class_<Allowance>(m, "Allowance", "How much a query may spend.")
        .def(
            "__init__",
            [](Allowance* self, std::optional<std::uint64_t> tests, std::optional<double> seconds) {
                new (self) Allowance{tests.value_or(unlimited.tests), seconds.value_or(unlimited.seconds)};
            },
            nb::arg("tests").none(), nb::arg("seconds").none())
        .def_prop_ro(
            "tests", [](const Allowance& a) { return limited(a.tests, unlimited.tests); },
            "The tests allowed, or None.")
        .def_prop_ro(
            "seconds", [](const Allowance& a) { return limited(a.seconds, unlimited.seconds); },
            "The time allowed, or None.");
}

}  // namespace elbowroom::bindings
