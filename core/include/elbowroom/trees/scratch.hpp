#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "elbowroom/portable.hpp"

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
        first_ = held_.data();
        room_ = std::int32_t(held_.size());
    }
};

/// Memory of this thread for what a query makes, kept for the next one. If it is lent already, because a query was
/// interrupted by a signal whose handler asks another, it is memory of its own.
template <class T>
class Borrowed {
public:
    Borrowed() {
        Slot& slot = mine();
        if (slot.lent) {
            own_ = std::make_unique<T>();
            at_ = own_.get();
        } else {
            slot.lent = true;
            at_ = &slot.value;
        }
    }
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;
    ~Borrowed() {
        if (!own_) mine().lent = false;
    }
    T& operator*() const { return *at_; }

private:
    struct Slot {
        T value;
        bool lent = false;
    };
    std::unique_ptr<T> own_;
    T* at_;

    static Slot& mine() {
        static thread_local Slot slot;
        return slot;
    }
};

}  // namespace elbowroom
