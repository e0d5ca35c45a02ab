// Signals, cancellation and forks.
#include "elbowroom/in_use.hpp"
#include "exports.hpp"
#include "unlocked.hpp"

namespace elbowroom::bindings {

namespace {

unsigned long main_thread = 0;  // only its signals are handled
nb::handle cancelled_type;
thread_local int handling = 0;  // signals, in the middle of a call

/// `threading` is not imported for this: if it was not yet, the thread that we are in would be what it calls the main
/// thread.
void find_main_thread() {
    const nb::dict modules = nb::cast<nb::dict>(nb::module_::import_("sys").attr("modules"));
    if (modules.contains("threading"))
        main_thread = nb::cast<unsigned long>(modules["threading"].attr("main_thread")().attr("ident"));
    else
        main_thread = PyThread_get_thread_ident();
}

/// While it lives, signals are handled in the middle of a call.
class Handling {
public:
    Handling() { ++handling; }
    Handling(const Handling&) = delete;
    Handling& operator=(const Handling&) = delete;
    ~Handling() { --handling; }
};

/// The hook of the core.
void end_if_asked_to() {
    cancellation::check();
    if (PyThread_get_thread_ident() != main_thread) return;
    const nb::gil_scoped_acquire lock;  // which this thread may have already
    const Handling signals;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

void after_fork_in_child() {
    Forks::after_in_child(handling > 0);
    main_thread = PyThread_get_thread_ident();
}

void handle_forks() {
    const nb::object os = nb::module_::import_("os");
    if (!nb::hasattr(os, "register_at_fork")) return;  // a system without forks
    os.attr("register_at_fork")(nb::arg("before") = nb::cpp_function(&Forks::before),
                                nb::arg("after_in_parent") = nb::cpp_function(&Forks::after_in_parent),
                                nb::arg("after_in_child") = nb::cpp_function(&after_fork_in_child));
}

}  // namespace

void set_python_error(const Cancelled& cancelled) { PyErr_SetString(cancelled_type.ptr(), cancelled.what()); }
void set_python_error(const Interrupted&) { PyErr_SetNone(PyExc_KeyboardInterrupt); }

void export_interruption(nb::module_& m) {
    cancelled_type = nb::exception<Cancelled>(m, "Cancelled", PyExc_RuntimeError);
    nb::register_exception_translator([](const std::exception_ptr& error, void*) {
        try {
            std::rethrow_exception(error);
        } catch (const Interrupted& interrupted) { set_python_error(interrupted); }
    });
    m.def("cancel", &cancellation::cancel, nb::arg("ident"),
          "Ends the call of a thread; False if it is not in the core.");
    m.def("interrupt_at", &interruption::interrupt_at, nb::arg("check"), "For tests: see interruption.hpp.");
    m.def("checks", &interruption::checks, "For tests: see interruption.hpp.");
    find_main_thread();
    interruption::set_hook(&end_if_asked_to);
    handle_forks();
}

}  // namespace elbowroom::bindings
