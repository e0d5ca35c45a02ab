#pragma once
#include "elbowroom/portable.hpp"

namespace elbowroom {

/// An array of plain values that grows at its end. The first N need no memory beyond the object itself.
template <class T, int N>
class Growing {
public:
    Growing() = default;
    Growing(const Growing&) = delete;
    Growing& operator=(const Growing&) = delete;
    ~Growing() { delete[] more_; }

    int size() const { return size_; }
    T& operator[](int i) { return items_[i]; }
    const T& operator[](int i) const { return items_[i]; }
    void push(const T& item) {
        if (size_ == capacity_) grow();
        items_[size_++] = item;
    }
    T pop() { return items_[--size_]; }

private:
    T first_[N];
    T* more_ = nullptr;
    T* items_ = first_;
    int size_ = 0, capacity_ = N;

    [[gnu::noinline]] void grow() {
        T* larger = new T[2 * capacity_];
        for (int i = 0; i < size_; ++i) larger[i] = items_[i];
        delete[] more_;
        items_ = more_ = larger;
        capacity_ *= 2;
    }
};

}  // namespace elbowroom
