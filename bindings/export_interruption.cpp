// Signals, cancellation and forks.
#include <atomic>
#include <mutex>
#include <unordered_map>

#include "exports.hpp"
#include "in_use.hpp"
#include "unlocked.hpp"

namespace elbowroom::bindings {

namespace {

/// A thread that has called the core without the interpreter's lock.
struct Caller {
    const unsigned long ident = PyThread_get_thread_ident();
    int calls = 0;  // now in the core; one in another if a signal handler asks questions
    std::atomic<bool> running{false}, cancelled{false};

    Caller();
    ~Caller();
};

/// All of them, by the number that Python gives a thread. Never destroyed: threads may end after the program has.
struct Callers {
    std::mutex mutex;
    std::unordered_map<unsigned long, Caller*> all;
};
Callers& callers() {
    static Callers* const made = new Callers;
    return *made;
}

Caller::Caller() {
    const std::lock_guard<std::mutex> lock(callers().mutex);
    callers().all[ident] = this;
}
Caller::~Caller() {
    const std::lock_guard<std::mutex> lock(callers().mutex);
    if (const auto found = callers().all.find(ident); found != callers().all.end() && found->second == this)
        callers().all.erase(found);
}

thread_local Caller mine;
unsigned long main_thread = 0;  // only its signals are handled
nb::handle cancelled_type;

void note_main_thread() {
    main_thread = nb::cast<unsigned long>(nb::module_::import_("threading").attr("main_thread")().attr("ident"));
}

/// The hook of the core.
void end_if_asked_to() {
    if (mine.cancelled) throw Cancelled();
    if (mine.ident != main_thread) return;
    const nb::gil_scoped_acquire lock;  // which this thread may have already
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

/// Ends the call that a thread has made, if it is in the core: true if it was.
bool cancel(unsigned long ident) {
    const std::lock_guard<std::mutex> lock(callers().mutex);
    const auto found = callers().all.find(ident);
    if (found == callers().all.end() || !found->second->running) return false;
    found->second->cancelled = true;
    return true;
}

void before_fork() {
    Forks::clean = interruption::before_fork();
    static_cast<void>(mine.ident);  // made now if it was not there: that takes the lock
    callers().mutex.lock();
}
void after_fork_in_parent() {
    callers().mutex.unlock();
    interruption::after_fork_in_parent();
}
void after_fork_in_child() {
    callers().all = {{mine.ident, &mine}};
    callers().mutex.unlock();
    interruption::after_fork_in_child();
    ++Forks::count;
    note_main_thread();
}

void handle_forks() {
    const nb::object os = nb::module_::import_("os");
    if (!nb::hasattr(os, "register_at_fork")) return;  // a system without forks
    os.attr("register_at_fork")(nb::arg("before") = nb::cpp_function(&before_fork),
                                nb::arg("after_in_parent") = nb::cpp_function(&after_fork_in_parent),
                                nb::arg("after_in_child") = nb::cpp_function(&after_fork_in_child));
}

}  // namespace

Cancellable::Cancellable() {
    Caller& my = mine;  // finding it takes longer than all that is done with it
    if (my.calls++ == 0) my.cancelled.store(false, std::memory_order_relaxed);
    my.running.store(true, std::memory_order_release);
}
Cancellable::~Cancellable() {
    Caller& my = mine;
    my.running.store(--my.calls > 0, std::memory_order_release);
}

void set_python_error(const Cancelled& cancelled) { PyErr_SetString(cancelled_type.ptr(), cancelled.what()); }
void set_python_error(const Interrupted&) { PyErr_SetNone(PyExc_KeyboardInterrupt); }

void export_interruption(nb::module_& m) {
    cancelled_type = nb::exception<Cancelled>(m, "Cancelled", PyExc_RuntimeError);
    nb::register_exception_translator([](const std::exception_ptr& error, void*) {
        try {
            std::rethrow_exception(error);
        } catch (const Interrupted& interrupted) { set_python_error(interrupted); }
    });
    m.def("cancel", &cancel, nb::arg("ident"), "Ends the call of a thread; False if it is not in the core.");
    m.def("interrupt_at", &interruption::interrupt_at, nb::arg("check"), "For tests: see interruption.hpp.");
    m.def("checks", &interruption::checks, "For tests: see interruption.hpp.");
    note_main_thread();
    interruption::set_hook(&end_if_asked_to);
    handle_forks();
}

}  // namespace elbowroom::bindings
