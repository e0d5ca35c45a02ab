// How one thread ends the call that another has made.
#pragma once
#include <exception>

namespace elbowroom {

/// Thrown in a call that another thread has ended.
struct Cancelled : std::exception {
    const char* what() const noexcept override { return "the call was cancelled by another thread"; }
};

/// While it lives, this thread is in a call that can be cancelled.
class Cancellable {
public:
    /// `thread`: by what others know this thread; always the same, and not 0.
    explicit Cancellable(unsigned long thread);
    Cancellable(const Cancellable&) = delete;
    Cancellable& operator=(const Cancellable&) = delete;
    ~Cancellable();
};

namespace cancellation {

/// Cancels the call of a thread, if it is in one: true if it was. Called under the lock that threads hold between their
/// calls.
bool cancel(unsigned long thread);
/// Throws Cancelled if the call that this thread is in was cancelled.
void check();
/// In the child of a fork other threads do not exist.
void after_fork_in_child();

}  // namespace cancellation

}  // namespace elbowroom
