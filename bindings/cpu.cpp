// Which of the builds of the core this machine can run. Compiled for the baseline: it must load everywhere.
#include <nanobind/nanobind.h>

#include "has_avx2.hpp"

NB_MODULE(_cpu, m) {
    m.def("has_avx2", &elbowroom::has_avx2, "True when the processor has all that the AVX2 build of the core uses.");
}
