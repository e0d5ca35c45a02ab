#pragma once
#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace elbowroom {

/// An array of a fixed size on large pages where it is worth it: a walk up a tree of a million links touches a handful
/// of places far apart, and would else spend its time on looking up their addresses.
template <class T>
class LargeArray {
public:
    LargeArray() = default;
    explicit LargeArray(std::size_t count) : size_(count) {
        const std::size_t bytes = count * sizeof(T), page = bytes >= large ? large : alignof(T);
        data_ = static_cast<T*>(std::aligned_alloc(page, (bytes + page - 1) / page * page));
        if (!data_) throw std::bad_alloc();
#if defined(__linux__)
        if (page == large) madvise(static_cast<void*>(data_), bytes, MADV_HUGEPAGE);
#endif
        for (std::size_t i = 0; i < count; ++i) new (data_ + i) T();
    }
    LargeArray(const LargeArray& o) : LargeArray(o.size_) {
        for (std::size_t i = 0; i < size_; ++i) data_[i] = o.data_[i];
    }
    LargeArray(LargeArray&& o) noexcept : data_(std::exchange(o.data_, nullptr)), size_(std::exchange(o.size_, 0)) {}
    LargeArray& operator=(LargeArray o) noexcept {
        std::swap(data_, o.data_);
        std::swap(size_, o.size_);
        return *this;
    }
    ~LargeArray() { std::free(data_); }
    std::size_t size() const { return size_; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }

private:
    static constexpr std::size_t large = std::size_t(2) << 20;
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace elbowroom
