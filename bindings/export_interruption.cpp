// Signals, cancellation and forks.
#include <atomic>
#include <mutex>
#include <unordered_map>

#include "elbowroom/in_use.hpp"
#include "exports.hpp"
#include "unlocked.hpp"

namespace elbowroom::bindings {

namespace {

/// A thread that has called the core without the interpreter's lock.
struct Caller {
    const unsigned long ident = PyThread_get_thread_ident();
    int calls = 0;     // now in the core; one in another if a signal handler asks questions
    int handling = 0;  // signals, in the middle of a call
    std::atomic<bool> running{false}, cancelled{false};

    Caller();
    ~Caller();
};

/// All of them, by the number that Python gives a thread. The lock is held for moments only.
struct Callers {
    std::mutex mutex;
    std::unordered_map<unsigned long, Caller*> all;
};
/// Never destroyed: threads may end after the program has. Replaced in the child of a fork, where the lock may be held
/// by a thread that does not exist there. Relaxed: it was made before, and in the child there is one thread.
std::atomic<Callers*>& all_callers() {
    static std::atomic<Callers*> made{new Callers};
    return made;
}
Callers& callers() { return *all_callers().load(std::memory_order_relaxed); }

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
    explicit Handling(Caller& my) : my_(my) { ++my_.handling; }
    Handling(const Handling&) = delete;
    Handling& operator=(const Handling&) = delete;
    ~Handling() { --my_.handling; }

private:
    Caller& my_;
};

/// The hook of the core. A call that keeps the interpreter's lock cannot be cancelled, and what was meant for an
/// earlier one, which has just ended, is not for it.
void end_if_asked_to() {
    Caller& my = mine;
    if (my.calls > 0 && my.cancelled) throw Cancelled();
    if (my.ident != main_thread) return;
    const nb::gil_scoped_acquire lock;  // which this thread may have already
    const Handling handling(my);
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

int forking = 0;    // forks that have begun: more than one if two threads fork
bool clean = true;  // at all of them, the other threads are where bodies are valid

void before_fork() {
    const bool now = interruption::before_fork();
    clean = now && (forking == 0 || clean);
    ++forking;
}
void after_fork_in_parent() {
    --forking;
    interruption::after_fork_in_parent();
}
void after_fork_in_child() {
    forking = 0;
    all_callers() = new Callers;
    callers().all[mine.ident] = &mine;
    interruption::after_fork_in_child();
    ++Forks::count;
    if (!clean) Forks::torn = Forks::count;
    if (mine.handling > 0) Forks::nested = Forks::count;
    main_thread = mine.ident;
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
    // `cancel` runs under the interpreter's lock, which this thread held after its last call: whatever was meant for
    // that one was written before this, which may therefore be relaxed. Release: who sees that the call runs writes
    // `cancelled` after it was cleared here.
    if (my.calls++ == 0) my.cancelled.store(false, std::memory_order_relaxed);
    my.running.store(true, std::memory_order_release);
}
Cancellable::~Cancellable() {
    Caller& my = mine;
    // Nothing is read that goes with it. One who still sees a call that has ended cancels nothing, see above.
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
    find_main_thread();
    interruption::set_hook(&end_if_asked_to);
    handle_forks();
}

}  // namespace elbowroom::bindings
