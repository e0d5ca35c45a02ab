// Questions about articulated bodies at configurations that are given with the question.
#pragma once
#include <nanobind/nanobind.h>

namespace elbowroom::bindings {

namespace nb = nanobind;

/// The body of a question, or one that shares everything with it but is at these configurations. The usual question
/// has none, and does not even pay for counting references.
struct ConfiguredBody {
    nb::handle body;
    nb::object made;
    ConfiguredBody(nb::handle given, nb::handle configurations) : body(given) {
        if (configurations.is_none()) return;
        made = nb::module_::import_("elbowroom._configurations").attr("one")(given, configurations);
        body = made;
    }
};

/// The same for two bodies.
struct ConfiguredBodies {
    nb::handle a, b;
    nb::object made_a, made_b;
    ConfiguredBodies(nb::handle first, nb::handle second, nb::handle configurations) : a(first), b(second) {
        if (configurations.is_none()) return;
        const nb::object both =
            nb::module_::import_("elbowroom._configurations").attr("two")(first, second, configurations);
        a = made_a = both[0];
        b = made_b = both[1];
    }
};

}  // namespace elbowroom::bindings
