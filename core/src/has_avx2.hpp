#pragma once

namespace elbowroom {

/// Does this processor have all that the AVX2 build of the core uses?
inline bool has_avx2() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("lzcnt") && __builtin_cpu_supports("popcnt");
#else
    return false;
#endif
}

}  // namespace elbowroom
