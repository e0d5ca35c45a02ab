#pragma once
#include <cstdint>
#include <vector>

#include "elbowroom/math/rigid.hpp"

namespace elbowroom {

/// The joints as they were before each change, to the bit. The oldest changes are forgotten, so that a long run does
/// not fill the memory.
class ChainHistory {
public:
    /// A new change begins, of a chain in the given state.
    void begin(std::uint64_t state) {
        if (saved_.size() >= 2 * kept) forget_oldest();
        changes_.push_back({state, saved_.size()});
    }
    void save(int joint, const Rigid& old) { saved_.push_back({joint, old}); }
    bool empty() const { return changes_.empty(); }
    void clear() { changes_.clear(), saved_.clear(); }

    /// Calls restore(joint, old) for what the last change touched, the last first, forgets it, and returns the state
    /// before it.
    template <class F>
    std::uint64_t undo(F&& restore) {
        const Change change = changes_.back();
        for (std::size_t k = saved_.size(); k-- > change.first;) restore(saved_[k].joint, saved_[k].old);
        saved_.resize(change.first), changes_.pop_back();
        return change.state;
    }
    std::size_t nbytes() const { return saved_.capacity() * sizeof(Saved) + changes_.capacity() * sizeof(Change); }

private:
    static constexpr std::size_t kept = 1 << 16;
    struct Saved {
        int joint;
        Rigid old;
    };
    struct Change {
        std::uint64_t state;
        std::size_t first;  // of its joints in saved_
    };
    std::vector<Saved> saved_;
    std::vector<Change> changes_;

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
