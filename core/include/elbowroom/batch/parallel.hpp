// Independent parts of one call, on several threads.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

#include "elbowroom/interruption.hpp"

namespace elbowroom {

/// Parts of this many belong together.
inline constexpr std::ptrdiff_t batch_chunk = 64;

/// How many threads this machine runs at once.
inline int available_threads() {
    static const int cores = int(std::thread::hardware_concurrency());
    return cores > 0 ? cores : 1;
}

/// The threads that work for one call. The first exception in one of them ends all, and comes out of `finish`.
///
/// If a signal handler forks in the middle of the call, that goes on in the child too, where the other threads do not
/// exist and may have held the lock: it ends by an exception there.
class WorkerThreads {
public:
    bool failed() const { return stop_.load(std::memory_order_relaxed) || cut_off(); }
    /// Runs f in this thread.
    template <class F>
    void run(F&& f) noexcept {
        try {
            f();
        } catch (...) {
            std::unique_lock<std::mutex> lock(mutex_, std::defer_lock);
            if (!cut_off()) lock.lock();
            if (!error_) error_ = std::current_exception();
            stop_ = true;
        }
    }
    /// Runs f in another thread.
    template <class F>
    void start(F& f) {
        const std::lock_guard<std::mutex> lock(mutex_);
        others_.emplace_back([this, &f] {
            run([&] {
                const Running running(&stop_);
                f();
            });
            const std::lock_guard<std::mutex> end(mutex_);
            --at_work_;
            ended_.notify_one();
        });
        ++at_work_;
    }
    /// Waits for the others; that can be interrupted.
    void finish() {
        while (!cut_off() && !end_soon()) run(check_interruption);
        if (cut_off()) return end_in_child();
        for (std::thread& t : others_) t.join();
        if (error_) std::rethrow_exception(error_);
    }

private:
    std::atomic<bool> stop_{false};
    std::mutex mutex_;
    std::condition_variable ended_;
    std::exception_ptr error_;
    int at_work_ = 0;
    std::vector<std::thread> others_;
    const unsigned forks_ = interruption::forks();

    /// True only in a child, in its one thread; others never read `others_`.
    bool cut_off() const { return forks_ != interruption::forks() && !others_.empty(); }
    bool end_soon() {
        std::unique_lock<std::mutex> lock(mutex_);
        return ended_.wait_for(lock, interruption::interval, [&] { return at_work_ == 0; });
    }
    void end_in_child() {
        new std::vector<std::thread>(std::move(others_));  // they can be neither joined nor destroyed
        if (error_) std::rethrow_exception(error_);
        throw std::runtime_error(
            "this process was forked in the middle of a call on several threads, which go on in "
            "its parent only");
    }
};

/// Every thread makes a worker by `make()` and calls it with (begin, end) for parts of 0 .. count - 1; every index
/// belongs to one call, so answers do not depend on the number of threads. The first exception comes out.
template <class Make>
void in_parallel(std::ptrdiff_t count, int threads, Make&& make, std::ptrdiff_t chunk = batch_chunk) {
    const std::ptrdiff_t useful = (count + chunk - 1) / chunk;
    const std::ptrdiff_t workers = threads < useful ? threads : useful;
    std::atomic<std::ptrdiff_t> next{0};
    WorkerThreads crew;
    auto work = [&] {
        auto worker = make();
        for (std::ptrdiff_t i; !crew.failed() && (i = next.fetch_add(chunk)) < count;) {
            check_interruption();
            worker(i, i + chunk < count ? i + chunk : count);
        }
    };
    crew.run([&] {
        try {
            for (std::ptrdiff_t k = 1; k < workers; ++k) crew.start(work);
        } catch (const std::system_error&) {  // no more threads: those that run do it all
        }
        work();
    });
    crew.finish();
}

}  // namespace elbowroom
