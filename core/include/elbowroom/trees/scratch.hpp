#pragma once
#include <cstdint>
#include <vector>

namespace elbowroom {

/// Memory for what a query makes, kept for the next one: things are added one by one and forgotten all at once. Adding
/// may move all of them. A copy is empty, since nobody goes on with another's query.
template <class T>
class Scratch {
public:
    Scratch() = default;
    Scratch(const Scratch&) {}
    Scratch& operator=(const Scratch&) { return *this; }

    void clear() { used_ = 0; }
    ELBOWROOM_INLINE T& operator[](std::int32_t i) { return first_[i]; }
    ELBOWROOM_INLINE const T& operator[](std::int32_t i) const { return first_[i]; }
    /// The number of one more, which holds what was left there.
    ELBOWROOM_INLINE std::int32_t add() {
        if (used_ == room_) [[unlikely]]
            grow();
        return used_++;
    }

private:
    std::vector<T> held_;
    T* first_ = nullptr;  // of `held_`; asking that for its size takes a division
    std::int32_t used_ = 0, room_ = 0;

    __attribute__((noinline)) void grow() {
        held_.resize(most<std::size_t>(64, 2 * held_.size()));
        first_ = held_.data(), room_ = std::int32_t(held_.size());
    }
};

}  // namespace elbowroom
