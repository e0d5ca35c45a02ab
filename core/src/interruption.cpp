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
    int uninterrupted = 0;
    const std::atomic<bool>* stop = nullptr;  // of a thread that works for another's call
    Clock::time_point next{};
    std::uint64_t count = 0, throw_at = 0;

    Thread();
    ~Thread();
};

/// All threads that were ever in the core and still exist. The lock is held for moments only, never until a fork is
/// over: others run code of their own before a fork, and may wait there for a thread that waits for this lock.
struct Threads {
    std::mutex mutex;
    std::vector<Thread*> all;
    std::atomic<int> forking{0};  // forks that have begun; more than one if two threads fork
};

/// Never destroyed: threads may end after the program has. Replaced in the child of a fork, where the lock may be held
/// by a thread that does not exist there. Relaxed: it was made before, and in the child there is one thread.
std::atomic<Threads*>& all_threads() {
    static std::atomic<Threads*> made{new Threads};
    return made;
}
Threads& threads() { return *all_threads().load(std::memory_order_relaxed); }

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

unsigned forks_behind = 0;  // written while there is one thread

void sleep_a_moment() { std::this_thread::sleep_for(std::chrono::microseconds(100)); }

/// From now on this thread runs; or, while the process forks, waits first. Either `before_fork` sees that it runs, or
/// it sees that it must wait: each writes one variable and then reads the other's, which takes sequential consistency
/// on both sides. Weaker orders would let both read what was there before.
void go_on(Thread& my) {
    my.doing = Doing::running;
    while (threads().forking) {
        my.doing = Doing::waiting;
        while (threads().forking) sleep_a_moment();
        my.doing = Doing::running;
    }
}

/// Whether this thread runs: only it writes that.
bool runs(const Thread& my) { return my.doing.load(std::memory_order_relaxed) == Doing::running; }

/// While it lives, this thread waits at a check, unless it was not running.
class Waiting {
public:
    explicit Waiting(Thread& my) : my_(my), ran_(runs(my)) {
        if (ran_) my_.doing = Doing::waiting;
    }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
    ~Waiting() {
        if (ran_) go_on(my_);
    }

private:
    Thread& my_;
    const bool ran_;
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
    // Relaxed: what is missed now is seen at the next check, and nothing is read that goes with it. `go_on` asks again.
    // A call that keeps the interpreter's lock is not running: the forking thread may wait for that lock.
    if (runs(my) && threads().forking.load(std::memory_order_relaxed)) [[unlikely]]
        go_on(my);
    if (!my.stop) return call_hook(my);
    // Relaxed: why the call has failed is read after the threads were joined.
    if (my.stop->load(std::memory_order_relaxed)) throw Interrupted();
}

Uninterrupted::Uninterrupted() { ++mine.uninterrupted; }
Uninterrupted::~Uninterrupted() { --mine.uninterrupted; }

Running::Running() : Running(mine.stop) {}
Running::Running(const std::atomic<bool>* stop) {
    Thread& my = mine;  // finding it takes longer than all that is done with it
    stop_before_ = my.stop;
    my.stop = stop;
    ran_before_ = runs(my);
    waited_before_ = my.doing.load(std::memory_order_relaxed) == Doing::waiting;
    if (!ran_before_) go_on(my);
}
Running::~Running() {
    Thread& my = mine;
    my.stop = stop_before_;
    if (ran_before_) return;
    // Release is enough: a fork that reads this, or a later value, sees all that was written in the core. One that
    // still reads `running` waits a little longer; and only a thread that begins to run must look whether there is a
    // fork. A call in a signal handler returns to the check at which an outer call waits.
    my.doing.store(waited_before_ ? Doing::waiting : Doing::nothing, std::memory_order_release);
}

namespace interruption {

void set_hook(Hook h) { hook = h; }

bool before_fork() {
    Threads& all = threads();
    const Thread* const me = &mine;
    ++all.forking;
    // A thread that is not among them yet finds, when it begins to run, that there is a fork.
    auto one_runs = [&] {
        const std::lock_guard<std::mutex> lock(all.mutex);
        return std::any_of(all.all.begin(), all.all.end(),
                           [&](const Thread* t) { return t != me && t->doing == Doing::running; });
    };
    // A thread that never comes to a check, because it runs somebody else's code, is not waited for forever.
    const Clock::time_point until = Clock::now() + std::chrono::seconds(2);
    while (one_runs()) {
        if (Clock::now() > until) return false;
        sleep_a_moment();
    }
    return true;
}

void after_fork_in_parent() { --threads().forking; }

void after_fork_in_child() {
    all_threads() = new Threads;
    threads().all.push_back(&mine);
    ++forks_behind;
}

unsigned forks() { return forks_behind; }

void interrupt_at(std::uint64_t n) {
    mine.count = 0;
    mine.throw_at = n;
}

std::uint64_t checks() { return mine.count; }

}  // namespace interruption

}  // namespace elbowroom
