// Which of the two cores this machine can run. Compiled for the baseline: it must load everywhere.
#include <nanobind/nanobind.h>

namespace {

bool has_avx2() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("lzcnt") && __builtin_cpu_supports("popcnt");
#else
    return false;
#endif
}

}  // namespace

NB_MODULE(_cpu, m) {
    m.def("has_avx2", &has_avx2, "True when the processor has all that the AVX2 build of the core uses.");
}
