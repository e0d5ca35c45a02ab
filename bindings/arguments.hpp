// Arguments that more than one export takes.
#pragma once
#include <nanobind/nanobind.h>

#include <exception>
#include <optional>
#include <string>

#include "elbowroom/batch/parallel.hpp"
#include "elbowroom/in_use.hpp"
#include "elbowroom/queries/answers.hpp"

namespace elbowroom::bindings {

namespace nb = nanobind;

/// A value as checked by the function of that name in elbowroom._arrays.
template <class... Rest>
nb::object checked(const char* how, nb::handle value, const char* name, Rest... rest) {
    return nb::module_::import_("elbowroom._arrays").attr(how)(value, name, rest...);
}

inline Allowance allowance_argument(nb::handle value) {
    const Allowance* allowance = nullptr;
    if (value.is_none()) return {};
    if (nb::try_cast<const Allowance*>(value, allowance) && allowance) return *allowance;
    throw nb::type_error("budget must be an elbowroom.Budget");
}

inline void refuse_with_many(bool given, const char* name) {
    if (given) throw nb::value_error((std::string(name) + " takes one pose at a time, not an array of poses").c_str());
}

inline void refuse_in_box(bool remembered) {
    if (remembered) throw nb::value_error("memory is not for a body in a periodic box");
}

inline int thread_count(nb::handle asked) {
    if (asked.is_none()) return available_threads();
    return nb::cast<int>(checked("count", asked, "threads", 1, 65536));
}

/// A memory as Python holds it.
struct MemoryHandle {
    QueryMemory memory;
    Usage usage{"the memory"};

    /// What a fork cut off in the middle of a query is not to be relied on.
    void notice_fork() {
        if (usage.forget_cut_off()) memory.forget();
    }
};

/// The memory of one call, which nobody else uses meanwhile. If the call fails it forgets.
class MemoryArgument {
public:
    explicit MemoryArgument(nb::handle value) {
        if (value.is_none()) return;
        if (!nb::try_cast<MemoryHandle*>(value, handle_) || !handle_)
            throw nb::type_error("memory must be an elbowroom.Memory");
        handle_->notice_fork();
        change_.emplace(handle_->usage);
        exceptions_ = std::uncaught_exceptions();
    }
    MemoryArgument(const MemoryArgument&) = delete;
    MemoryArgument& operator=(const MemoryArgument&) = delete;
    ~MemoryArgument() {
        if (handle_ && std::uncaught_exceptions() > exceptions_) handle_->memory.forget();
    }
    operator QueryMemory*() const { return handle_ ? &handle_->memory : nullptr; }

private:
    MemoryHandle* handle_ = nullptr;
    std::optional<Changing> change_;
    int exceptions_ = 0;
};

/// What a question may spend, and what it remembers.
template <class Options>
void limit(Options& options, nb::handle budget, QueryMemory* memory) {
    options.allowance = allowance_argument(budget);
    options.memory = memory;
}

inline DistanceOptions distance_options(nb::handle enough, nb::handle budget, QueryMemory* memory) {
    DistanceOptions out;
    limit(out, budget, memory);
    if (!enough.is_none()) out.enough = nb::cast<double>(checked("length", enough, "enough"));
    return out;
}

inline WithinOptions within_options(nb::handle reach, bool points) {
    return {nb::cast<double>(checked("length", reach, "reach")), points, {}, nullptr, nullptr};
}

}  // namespace elbowroom::bindings
