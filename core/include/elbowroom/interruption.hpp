// How long loops of the core are ended or paused from outside: by a signal, another thread, or a fork of the process.
//
// A loop calls `check_interruption` every few thousand steps, directly or through `Poll`. Now and then that calls a
// hook, which ends the loop by throwing. Bodies are valid after an exception from any check: what changes a body makes
// its changes when all checks are behind it, runs under `Uninterrupted`, or catches and restores. No lock is held at a
// check, because the hook may wait for others.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>

#include "elbowroom/portable.hpp"

namespace elbowroom {

/// Thrown in threads that work for a call which has failed elsewhere.
struct Interrupted : std::exception {
    const char* what() const noexcept override { return "interrupted"; }
};

/// Throws if this call is to end. Cheap enough to be called every few microseconds.
void check_interruption();

/// Calls `check_interruption` every n-th time, for loops with short steps.
class Poll {
public:
    explicit Poll(unsigned every = 1024) : every_(every), left_(every) {}
    ELBOWROOM_INLINE void operator()() {
        if (--left_ == 0) [[unlikely]] {
            left_ = every_;
            check_interruption();
        }
    }

private:
    const unsigned every_;
    unsigned left_;
};

/// While it lives, checks of this thread do nothing: for changes that must be made as a whole.
class Uninterrupted {
public:
    Uninterrupted();
    Uninterrupted(const Uninterrupted&) = delete;
    Uninterrupted& operator=(const Uninterrupted&) = delete;
    ~Uninterrupted();
};

/// A thread in the core. While the process forks, threads with a `Running` wait at their checks, where bodies are
/// valid.
class Running {
public:
    /// A thread that was called from outside: its checks call the hook.
    Running();
    /// One that works for a call which another thread has made: its checks throw once `stop` is set.
    explicit Running(const std::atomic<bool>* stop);
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    ~Running();

private:
    const std::atomic<bool>* stop_before_;
    bool ran_before_, waited_before_;
};

namespace interruption {

/// Called by threads that entered the core from outside, at most once in an interval; throws to end the call. Null: no
/// call can be ended.
using Hook = void (*)();
void set_hook(Hook hook);

/// Time between two calls of the hook. If the hook takes long, because it waits for a lock, it is called less often.
inline constexpr std::chrono::milliseconds interval{25};

/// Before a fork: waits until all other running threads are at a check, and keeps them there; false if one of them does
/// not get there. After it, in the parent, they go on; in the child, where they do not exist, they are forgotten.
bool before_fork();
void after_fork_in_parent();
void after_fork_in_child();
/// How many forks lie between this process and the first one.
unsigned forks();

/// For tests: the n-th check of this thread from now on throws Interrupted (0: none does), and checks are counted.
void interrupt_at(std::uint64_t n);
std::uint64_t checks();

}  // namespace interruption

}  // namespace elbowroom
