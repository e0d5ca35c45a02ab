// Independent parts of one call, on several threads.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
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
class WorkerThreads {
public:
    bool failed() const { return stop_.load(std::memory_order_relaxed); }
    /// Runs f in this thread.
    template <class F>
    void run(F&& f) noexcept {
        try {
            f();
        } catch (...) {
            const std::lock_guard<std::mutex> lock(mutex_);
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
        for (std::unique_lock<std::mutex> lock(mutex_); at_work_ > 0;) {
            ended_.wait_for(lock, interruption::interval, [&] { return at_work_ == 0; });
            lock.unlock();
            run(check_interruption);
            lock.lock();
        }
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
        for (std::ptrdiff_t k = 1; k < workers; ++k) crew.start(work);
        work();
    });
    crew.finish();
}

}  // namespace elbowroom
