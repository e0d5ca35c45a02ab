// An articulated body as Python holds it.
#pragma once
#include <nanobind/nanobind.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "elbowroom/bodies/articulated_configurations.hpp"
#include "elbowroom/in_use.hpp"
#include "unlocked.hpp"

namespace elbowroom::bindings {

namespace nb = nanobind;

struct ArticulatedHandle : ArticulatedConfigurations {
    std::vector<nb::object> bodies;  // of the shapes, which the model points to
    nb::object array;                // poses that were placed: many, kept where they are
    std::vector<double> room;        // for a configuration of a call
    Usage usage{"the body"};

    using ArticulatedConfigurations::ArticulatedConfigurations;
};

/// Complains about poses that were found to be none when they were looked at.
[[noreturn]] inline void complain(const BadPoses& bad, std::initializer_list<const ArticulatedHandle*> bodies) {
    for (const ArticulatedHandle* body : bodies)
        if (body && body->placed() && body->many()) checked("link_poses", body->array, "poses", body->model->links());
    throw nb::value_error(("poses of configuration " + std::to_string(bad.index) + " are not poses").c_str());
}

/// Runs f, which asks about bodies (null: not an articulated one), without the interpreter's lock if that is worth it.
template <class F>
auto answering(std::initializer_list<const ArticulatedHandle*> bodies, bool release, F&& f) {
    try {
        return unlocked(release, f);
    } catch (const BadPoses& bad) { complain(bad, bodies); }
}

}  // namespace elbowroom::bindings
