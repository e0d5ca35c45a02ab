// Run when a build is configured: succeeds if this machine can run the AVX2 build.
#include "has_avx2.hpp"

int main() { return elbowroom::has_avx2() ? 0 : 1; }
