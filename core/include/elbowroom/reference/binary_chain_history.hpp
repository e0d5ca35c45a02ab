#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "elbowroom/math/rigid.hpp"

namespace elbowroom {

/// Joints, each once and in order when they are asked for.
class JointSet {
public:
    void add(int joint) {
        joints_.push_back(joint);
        if (joints_.size() > limit_) sort(), limit_ = std::max<std::size_t>(1024, 2 * joints_.size());
    }
    void clear() { joints_.clear(); }
    const std::vector<int>& sorted() { return sort(), joints_; }

private:
    std::vector<int> joints_;
    std::size_t limit_ = 1024;

    void sort() {
        std::sort(joints_.begin(), joints_.end());
        joints_.erase(std::unique(joints_.begin(), joints_.end()), joints_.end());
    }
};

/// The joints as they were before each change, to the bit, and which of them changed since the chain was last known to
/// be free. Every state of the chain has a number, which undoing brings back. The oldest changes are forgotten, so that
/// a long run does not fill the memory.
class ChainHistory {
public:
    /// A new change begins, and with it a new state.
    void begin() {
        if (saved_.size() >= 2 * kept) forget_oldest();
        changes_.push_back({state_, saved_.size()});
        state_ = ++states_;
    }
    /// A joint is about to change.
    void save(int joint, const Rigid& old) { saved_.push_back({joint, old}), note(joint); }

    /// Calls restore(joint, old) for what the last change touched, the last first, and forgets it; false if there was
    /// none.
    template <class F>
    bool undo(F&& restore) {
        if (changes_.empty()) return false;
        const Change change = changes_.back();
        for (std::size_t k = saved_.size(); k-- > change.first;)
            restore(saved_[k].joint, saved_[k].old), note(saved_[k].joint);
        saved_.resize(change.first), changes_.pop_back();
        state_ = change.state;
        if (is_free()) changed_.clear();
        return true;
    }
    /// Everything may have changed, and nothing can be undone.
    void restart() {
        changes_.clear(), saved_.clear(), changed_.clear();
        state_ = ++states_, free_ = none;
    }

    /// This state was found to be free.
    void note_free() { free_ = state_, changed_.clear(); }
    bool is_free() const { return state_ == free_; }
    /// Was any state found to be free yet?
    bool was_free() const { return free_ != none; }
    /// The joints that changed since then.
    const std::vector<int>& changed() { return changed_.sorted(); }

    std::size_t nbytes() const { return saved_.capacity() * sizeof(Saved) + changes_.capacity() * sizeof(Change); }

private:
    static constexpr std::size_t kept = 1 << 16;
    static constexpr std::uint64_t none = ~std::uint64_t(0);
    struct Saved {
        int joint;
        Rigid old;
    };
    struct Change {
        std::uint64_t state;  // before it
        std::size_t first;    // of its joints in saved_
    };
    std::vector<Saved> saved_;
    std::vector<Change> changes_;
    std::uint64_t state_ = 0, states_ = 0, free_ = none;
    JointSet changed_;

    void note(int joint) {
        if (was_free()) changed_.add(joint);
    }
    /// Keeps the last changes with about `kept` joints in all, and the very last one in any case.
    void forget_oldest() {
        std::size_t from = changes_.size() - 1;
        while (from > 0 && saved_.size() - changes_[from - 1].first <= kept) --from;
        const std::size_t first = changes_[from].first;
        saved_.erase(saved_.begin(), saved_.begin() + std::ptrdiff_t(first));
        changes_.erase(changes_.begin(), changes_.begin() + std::ptrdiff_t(from));
        for (Change& change : changes_) change.first -= first;
    }
};

}  // namespace elbowroom
