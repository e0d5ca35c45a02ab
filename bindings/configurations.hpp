// Questions about articulated bodies at configurations that are given with the question.
#pragma once
#include <nanobind/nanobind.h>

namespace elbowroom::bindings {

namespace nb = nanobind;

/// The body of a question, or one that shares everything with it but is at these configurations.
inline nb::object configured(nb::handle body, nb::handle configurations) {
    if (configurations.is_none()) return nb::borrow(body);
    return nb::module_::import_("elbowroom._configurations").attr("one")(body, configurations);
}

/// The same for two bodies.
struct ConfiguredBodies {
    nb::object a, b;
    ConfiguredBodies(nb::handle first, nb::handle second, nb::handle configurations)
        : a(nb::borrow(first)), b(nb::borrow(second)) {
        if (configurations.is_none()) return;
        const nb::object both =
            nb::module_::import_("elbowroom._configurations").attr("two")(first, second, configurations);
        a = both[0];
        b = both[1];
    }
};

}  // namespace elbowroom::bindings
