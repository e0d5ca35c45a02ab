#include "elbowroom/interruption.hpp"

#include <algorithm>
#include <mutex>
#include <thread>
#include <vector>

namespace elbowroom {

namespace {

using Clock = std::chrono::steady_clock;

/// What one thread is doing: nothing in the core, running there, or waiting at a check.
enum class Doing { nothing, running, waiting };

/// What the checks of one thread go by.
struct Thread {
    std::atomic<Doing> doing{Doing::nothing};
    int depth = 0;  // instances of Running, one in the other
    int uninterrupted = 0;
    const std::atomic<bool>* stop = nullptr;  // of a thread that works for another's call
    Clock::time_point next{};
    std::uint64_t count = 0, throw_at = 0;

    Thread();
    ~Thread();
};

/// All threads that were ever in the core and still exist.
struct Threads {
    std::mutex mutex;
    std::vector<Thread*> all;
    std::atomic<bool> pausing{false};
};

/// Never destroyed: threads may end after the program has.
Threads& threads() {
    static Threads* const made = new Threads;
    return *made;
}

Thread::Thread() {
    const std::lock_guard<std::mutex> lock(threads().mutex);
    threads().all.push_back(this);
}

Thread::~Thread() {
    const std::lock_guard<std::mutex> lock(threads().mutex);
    std::erase(threads().all, this);
}

thread_local Thread mine;

std::atomic<interruption::Hook> hook{nullptr};

void sleep_a_moment() { std::this_thread::sleep_for(std::chrono::microseconds(100)); }

/// From now on this thread runs; or, while the process forks, waits first. Either `before_fork` sees that it runs, or
/// it sees that it must wait.
void go_on(Thread& my) {
    my.doing = Doing::running;
    while (threads().pausing) {
        my.doing = Doing::waiting;
        while (threads().pausing) sleep_a_moment();
        my.doing = Doing::running;
    }
}

/// While it lives, this thread waits at a check.
class Waiting {
public:
    explicit Waiting(Thread& my) : my_(my) {
        if (my_.depth) my_.doing = Doing::waiting;
    }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
    ~Waiting() {
        if (my_.depth) go_on(my_);
    }

private:
    Thread& my_;
};

void call_hook(Thread& my) {
    const Clock::time_point now = Clock::now();
    if (now < my.next) return;
    my.next = now + interruption::interval;
    const interruption::Hook ask = hook.load(std::memory_order_relaxed);
    if (!ask) return;
    const Waiting waiting(my);  // the hook may wait for a lock that the forking thread holds
    ask();
    const Clock::time_point then = Clock::now();
    my.next = then + std::max<Clock::duration>(interruption::interval, 20 * (then - now));
}

}  // namespace

void check_interruption() {
    Thread& my = mine;
    if (my.uninterrupted) return;
    if (++my.count == my.throw_at) throw Interrupted();
    if (my.depth && threads().pausing.load(std::memory_order_relaxed)) [[unlikely]]
        go_on(my);
    if (!my.stop) return call_hook(my);
    if (my.stop->load(std::memory_order_relaxed)) throw Interrupted();
}

Uninterrupted::Uninterrupted() { ++mine.uninterrupted; }
Uninterrupted::~Uninterrupted() { --mine.uninterrupted; }

Running::Running() : Running(mine.stop) {}
Running::Running(const std::atomic<bool>* stop) : before_(mine.stop) {
    Thread& my = mine;  // finding it takes longer than all that is done with it
    my.stop = stop;
    if (my.depth++ == 0) go_on(my);
}
Running::~Running() {
    Thread& my = mine;
    my.stop = before_;
    if (--my.depth == 0) my.doing.store(Doing::nothing, std::memory_order_release);
}

namespace interruption {

void set_hook(Hook h) { hook = h; }

bool before_fork() {
    Threads& all = threads();
    const Thread* const me = &mine;  // made now if it was not there: that takes the lock
    all.mutex.lock();                // until after the fork: the child then finds it held by the one thread that it has
    all.pausing = true;
    auto runs = [&](const Thread* t) { return t != me && t->doing == Doing::running; };
    // A thread that never comes to a check, because it runs somebody else's code, is not waited for forever.
    const Clock::time_point until = Clock::now() + std::chrono::seconds(2);
    while (std::any_of(all.all.begin(), all.all.end(), runs)) {
        if (Clock::now() > until) return false;
        sleep_a_moment();
    }
    return true;
}

void after_fork_in_parent() {
    threads().pausing = false;
    threads().mutex.unlock();
}

void after_fork_in_child() {
    threads().all.assign(1, &mine);
    after_fork_in_parent();
}

void interrupt_at(std::uint64_t n) {
    mine.count = 0;
    mine.throw_at = n;
}

std::uint64_t checks() { return mine.count; }

}  // namespace interruption

}  // namespace elbowroom
