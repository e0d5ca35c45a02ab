// Many questions in one call, on all cores.
#pragma once
#include "arguments.hpp"
#include "elbowroom/batch/many.hpp"
#include "elbowroom/batch/results.hpp"
#include "unlocked.hpp"

namespace elbowroom::bindings {

inline int thread_count(nb::handle asked) {
    if (asked.is_none()) return available_threads();
    return nb::cast<int>(checked("count", asked, "threads", 1, 65536));
}

}  // namespace elbowroom::bindings
