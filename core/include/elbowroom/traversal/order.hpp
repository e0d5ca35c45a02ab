#pragma once
#include <algorithm>
#include <vector>

#include "elbowroom/traversal/pair.hpp"

namespace elbowroom {

/// The last pair offered comes first. The first few hundred pairs live in place: most queries never touch the heap.
class DepthFirst {
public:
    DepthFirst() = default;
    DepthFirst(const DepthFirst&) = delete;
    DepthFirst& operator=(const DepthFirst&) = delete;
    bool empty() const { return top_ == first_; }
    void push(const Pair& p) {
        make_room(1);
        *top_++ = p;
    }
    Pair pop() { return *--top_; }
    void put_back(const Pair& p) { push(p); }
    /// Calls f(pair) for all that it holds.
    template <class F>
    void each(F&& f) const {
        for (const Pair* p = first_; p != top_; ++p) f(*p);
    }

    /// A batch of children of one pair, the most promising on top.
    template <class Fan, class Offers>
    void push(const Fan& fan, const Offers& offers) {
        make_room(64);  // the children of one node against those of another
        offers.each([&](int child, float bound) { *top_++ = fan.child(child, bound); });
    }

private:
    static constexpr int in_place = 512;
    Pair place_[in_place];
    std::vector<Pair> heap_;
    Pair *first_ = place_, *top_ = place_, *end_ = place_ + in_place;

    void make_room(int more) {
        if (end_ - top_ >= more) [[likely]]
            return;
        std::vector<Pair> larger(2 * (end_ - first_));
        std::copy(first_, top_, larger.begin());
        top_ = larger.data() + (top_ - first_);
        heap_ = std::move(larger);
        first_ = heap_.data(), end_ = first_ + heap_.size();
    }
};

}  // namespace elbowroom
