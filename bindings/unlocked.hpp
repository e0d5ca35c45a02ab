// Calls of the core without the interpreter's lock, and how Python ends them.
#pragma once
#include <nanobind/nanobind.h>

#include "elbowroom/cancellation.hpp"
#include "elbowroom/interruption.hpp"

namespace elbowroom::bindings {

namespace nb = nanobind;

/// While it lives, this thread has given up the interpreter's lock.
class Unlocked {
    nb::gil_scoped_release release_;  // taken back last
    Cancellable cancellable_{PyThread_get_thread_ident()};
    Running running_;
};

/// Runs f without the interpreter's lock, if that is worth it.
template <class F>
auto unlocked(bool release, F&& f) {
    if (!release) return f();
    const Unlocked without_lock;
    return f();
}

/// Sets Python's error for what ended a call early: `Cancelled`, or an interruption by a test.
void set_python_error(const Cancelled& cancelled);
void set_python_error(const Interrupted& interrupted);

}  // namespace elbowroom::bindings
