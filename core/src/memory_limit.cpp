#include "elbowroom/queries/memory_limit.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace elbowroom {

namespace {

std::size_t machine_memory() {
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
    return pages > 0 && size > 0 ? std::size_t(pages) * std::size_t(size) : ~std::size_t(0);
}

std::atomic<std::size_t> allowed{machine_memory() / 4 * 3};

/// 1,234,567.
std::string grouped(std::size_t n) {
    const std::string digits = std::to_string(n);
    std::string out;
    for (std::size_t k = 0; k < digits.size(); ++k) {
        if (k > 0 && (digits.size() - k) % 3 == 0) out += ',';
        out += digits[k];
    }
    return out;
}

}  // namespace

TooManyPairs::TooManyPairs(std::size_t pairs, std::size_t bytes) {
    char gigabytes[40];
    std::snprintf(gigabytes, sizeof gigabytes, "%.3g GB", double(bytes) * 1e-9);
    text_ = "the answer has more than " + grouped(pairs / 2) + " pairs, and room for twice as many takes " + gigabytes +
            ": ask with a smaller reach, on a budget, or for one pair instead of every pair";
}

std::size_t memory_for_pairs() { return allowed; }
void set_memory_for_pairs(std::size_t bytes) { allowed = bytes; }

void prefer_large_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__)
    constexpr std::uintptr_t page = std::uintptr_t(2) << 20;
    const std::uintptr_t from = (std::uintptr_t(begin) + page - 1) / page * page,
                         to = (std::uintptr_t(begin) + bytes) / page * page;
    if (from < to) madvise(reinterpret_cast<void*>(from), to - from, MADV_HUGEPAGE);
#endif
}

void refuse_too_many(std::size_t pairs, std::size_t bytes_each) {
    if (pairs > allowed / bytes_each) throw TooManyPairs(pairs, pairs * bytes_each);
}

}  // namespace elbowroom
