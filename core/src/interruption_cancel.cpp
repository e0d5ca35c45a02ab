#include <atomic>
#include <mutex>
#include <unordered_map>

#include "elbowroom/cancellation.hpp"

namespace elbowroom {

namespace {

/// A thread that has made calls which can be cancelled.
struct Caller {
    unsigned long thread = 0;  // 0: it has made none yet
    int calls = 0;             // that it is in; one in another if a signal handler asks questions
    std::atomic<bool> running{false}, cancelled{false};

    ~Caller();
};

/// All of them. The lock is held for moments only.
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

void enter(Caller& my, unsigned long thread) {
    const std::lock_guard<std::mutex> lock(callers().mutex);
    my.thread = thread;
    callers().all[thread] = &my;
}
Caller::~Caller() {
    const std::lock_guard<std::mutex> lock(callers().mutex);
    if (const auto found = callers().all.find(thread); found != callers().all.end() && found->second == this)
        callers().all.erase(found);
}

thread_local Caller mine;

}  // namespace

Cancellable::Cancellable(unsigned long thread) {
    Caller& my = mine;  // finding it takes longer than all that is done with it
    if (my.thread == 0) [[unlikely]]
        enter(my, thread);
    // `cancel` runs under a lock that this thread held after its last call: whatever was meant for that one was written
    // before this, which may therefore be relaxed. Release: who sees that the call runs writes `cancelled` after it was
    // cleared here.
    if (my.calls++ == 0) my.cancelled.store(false, std::memory_order_relaxed);
    my.running.store(true, std::memory_order_release);
}
Cancellable::~Cancellable() {
    Caller& my = mine;
    // Nothing is read that goes with it. One who still sees a call that has ended cancels nothing, see above.
    my.running.store(--my.calls > 0, std::memory_order_release);
}

namespace cancellation {

bool cancel(unsigned long thread) {
    const std::lock_guard<std::mutex> lock(callers().mutex);
    const auto found = callers().all.find(thread);
    if (found == callers().all.end() || !found->second->running) return false;
    found->second->cancelled = true;
    return true;
}

/// A call that keeps the lock is none of these and cannot be cancelled: what was meant for an earlier one, which has
/// just ended, is not for it.
void check() {
    if (mine.calls > 0 && mine.cancelled) throw Cancelled();
}

void after_fork_in_child() {
    all_callers() = new Callers;
    if (mine.thread != 0) callers().all[mine.thread] = &mine;
}

}  // namespace cancellation

}  // namespace elbowroom
