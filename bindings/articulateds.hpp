// An articulated body as Python holds it.
#pragma once
#include <nanobind/nanobind.h>

#include <vector>

#include "articulated_group.hpp"
#include "elbowroom/in_use.hpp"

namespace elbowroom::bindings {

namespace nb = nanobind;

struct ArticulatedHandle : ArticulatedConfigurations {
    std::vector<nb::object> bodies;  // of the shapes, which the model points to
    nb::object array;                // poses that were placed: many, kept where they are
    std::vector<double> room;        // for a configuration of a call
    Usage usage{"the body"};

    using ArticulatedConfigurations::ArticulatedConfigurations;
};

}  // namespace elbowroom::bindings
