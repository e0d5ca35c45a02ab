#pragma once
#include <cstddef>
#include <new>
#include <string>
#include <vector>

namespace elbowroom {

/// An answer would have more pairs than there is memory for.
class TooManyPairs : public std::bad_alloc {
public:
    TooManyPairs(std::size_t pairs, std::size_t bytes);
    const char* what() const noexcept override { return text_.c_str(); }

private:
    std::string text_;
};

/// Memory that the pairs of one answer may take: at first, three quarters of what the machine has.
std::size_t memory_for_pairs();
void set_memory_for_pairs(std::size_t bytes);

/// Throws TooManyPairs if more pairs than these do not fit. A pair takes about so many bytes at its most, when the
/// answer is sorted and handed over.
void refuse_too_many(std::size_t pairs, std::size_t bytes_each);

inline constexpr std::size_t bytes_of_pair = 24, bytes_of_distance = 72, bytes_of_points = 220, bytes_of_contact = 200;

/// Memory of many megabytes that is about to be written for the first time: on large pages, where the system has them,
/// a page is made for every two megabytes, and not for every four kilobytes.
void prefer_large_pages(void* begin, std::size_t bytes);

template <class T>
void grow_to(std::vector<T>& list, std::size_t count) {
    list.reserve(count);
    prefer_large_pages(list.data(), list.capacity() * sizeof(T));
}

/// To be called before a pair is added: asks only when the list is about to grow, and not for the first pair.
template <class T>
void check_memory_for(std::vector<T>& pairs, std::size_t bytes_each) {
    if (pairs.size() < pairs.capacity() || pairs.empty()) [[likely]]
        return;
    refuse_too_many(2 * pairs.size(), bytes_each);
    grow_to(pairs, 2 * pairs.size());
}

}  // namespace elbowroom
