#pragma once
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>

namespace elbowroom {

/// How a body that bends is known to memories: by a number of its own, and an odometer of how far any of its points can
/// have gone, which runs once a memory has asked for it.
class Watch {
public:
    Watch() : id_(next()) {}
    Watch(std::uint64_t id, double reading) : id_(id), reading_(reading) {}
    Watch(const Watch&) : id_(next()) {}
    Watch& operator=(const Watch&) = delete;

    std::uint64_t id() const { return id_; }
    bool runs() const { return runs_.load(std::memory_order_relaxed); }
    /// A step is never lost in a long way: the sum is rounded up.
    void add(double step) {
        if (step > 0) reading_ = std::nextafter(reading_ + step, std::numeric_limits<double>::infinity());
    }
    /// From the first reading on it runs.
    double read() const {
        runs_.store(true, std::memory_order_relaxed);
        return reading_;
    }

private:
    std::uint64_t id_;
    double reading_ = 0;
    mutable std::atomic<bool> runs_{false};

    static std::uint64_t next() {
        static std::atomic<std::uint64_t> last{1};
        return (++last) << 1 | 1;
    }
};

}  // namespace elbowroom
