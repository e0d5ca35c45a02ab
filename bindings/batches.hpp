// Many questions in one call, on all cores.
#pragma once
#include <nanobind/nanobind.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "arguments.hpp"
#include "results.hpp"
#include "unlocked.hpp"

namespace elbowroom::bindings {

/// Parts of this many belong together.
inline constexpr std::ptrdiff_t batch_chunk = 64;

/// The threads that work for one call. The first exception in one of them ends all, and comes out of `finish`.
class Crew {
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
    const std::ptrdiff_t workers = least<std::ptrdiff_t>(threads, useful);
    std::atomic<std::ptrdiff_t> next{0};
    Crew crew;
    auto work = [&] {
        auto worker = make();
        for (std::ptrdiff_t i; !crew.failed() && (i = next.fetch_add(chunk)) < count;) {
            check_interruption();
            worker(i, least(i + chunk, count));
        }
    };
    crew.run([&] {
        for (std::ptrdiff_t k = 1; k < workers; ++k) crew.start(work);
        work();
    });
    crew.finish();
}

inline int thread_count(nb::handle asked) {
    static const int cores = most(1, int(std::thread::hardware_concurrency()));
    if (asked.is_none()) return cores;
    return nb::cast<int>(checked("count", asked, "threads", 1, 65536));
}

/// How many queries ended, all in all: out of budget if one did, settled if all did.
class Endings {
public:
    void note(Stop stop) {
        if (stop == Stop::out_of_budget) out_of_budget_.store(true, std::memory_order_relaxed);
        if (stop == Stop::exhausted) exhausted_.store(true, std::memory_order_relaxed);
    }
    Stop all() const { return out_of_budget_ ? Stop::out_of_budget : (exhausted_ ? Stop::exhausted : Stop::settled); }

private:
    std::atomic<bool> out_of_budget_{false}, exhausted_{false};
};

/// What the queries of one part found.
struct FoundPart {
    std::vector<std::int32_t> frames;
    std::vector<PrimitivePair> pairs;
    std::vector<HullContact> contacts;
    Counters counters;
};

/// `make()` gives a function of i that gives a CollideAnswer.
template <class Make>
Collisions collide_batch(std::ptrdiff_t count, int threads, const CollideOptions& options, Make&& make) {
    Collisions out;
    out.has_pairs = options.every || options.depth, out.has_contacts = options.depth;
    out.hits.resize(count), out.finished.resize(count);
    std::vector<FoundPart> parts((count + batch_chunk - 1) / batch_chunk);
    Endings endings;
    std::atomic<std::size_t> found{0};
    in_parallel(count, threads, [&] {
        return [&, ask = make()](std::ptrdiff_t begin, std::ptrdiff_t end) mutable {
            FoundPart& part = parts[begin / batch_chunk];
            for (std::ptrdiff_t i = begin; i < end; ++i) {
                const CollideAnswer a = ask(i);
                out.hits[i] = a.hit, part.counters += a.counters, out.finished[i] = a.stop != Stop::out_of_budget;
                endings.note(a.stop);
                if (!out.has_pairs || a.pairs.empty()) continue;
                refuse_too_many(found += a.pairs.size(), options.depth ? bytes_of_contact : 2 * bytes_of_pair);
                part.frames.insert(part.frames.end(), a.pairs.size(), std::int32_t(i));
                part.pairs.insert(part.pairs.end(), a.pairs.begin(), a.pairs.end());
                part.contacts.insert(part.contacts.end(), a.contacts.begin(), a.contacts.end());
            }
        };
    });
    for (const FoundPart& p : parts) {
        out.counters += p.counters;
        out.frames.insert(out.frames.end(), p.frames.begin(), p.frames.end());
        out.pairs.insert(out.pairs.end(), p.pairs.begin(), p.pairs.end());
        out.contacts.insert(out.contacts.end(), p.contacts.begin(), p.contacts.end());
    }
    out.stop = endings.all();
    return out;
}

/// `make()` gives a function of i that gives a DistanceAnswer.
template <class Make>
Distances distance_batch(std::ptrdiff_t count, int threads, Make&& make) {
    const std::size_t n = count;
    Distances out;
    out.lower.resize(n), out.upper.resize(n), out.points.resize(2 * n), out.pairs.resize(n), out.finished.resize(n);
    std::vector<Counters> counters(n);
    Endings endings;
    std::atomic<bool> loose{false};
    in_parallel(count, threads, [&] {
        return [&, ask = make()](std::ptrdiff_t begin, std::ptrdiff_t end) mutable {
            for (std::ptrdiff_t i = begin; i < end; ++i) {
                const DistanceAnswer d = ask(i);
                out.lower[i] = d.lower, out.upper[i] = d.upper, out.pairs[i] = d.pair, counters[i] = d.counters;
                out.points[2 * i] = d.on_a, out.points[2 * i + 1] = d.on_b;
                out.finished[i] = d.stop != Stop::out_of_budget;
                endings.note(d.stop);
                if (d.loose) loose = true;
            }
        };
    });
    for (const Counters& c : counters) out.counters += c;
    out.stop = endings.all(), out.loose = loose;
    return out;
}

}  // namespace elbowroom::bindings
