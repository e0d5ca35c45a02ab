// A chain as bytes, and back.
#include <cstring>
#include <stdexcept>
#include <type_traits>

#include "elbowroom/bodies/chain.hpp"
#include "elbowroom/trees/saved.hpp"

namespace elbowroom {

/// One by one, so that nothing is written that lies between them.
template <class Choice, class F>
static void each_of(Choice& c, F&& f) {
    f(c.boxes), f(c.cost), f(c.other_cost), f(c.until_trial), f(c.interval), f(c.trials);
}

void ChainTree::save(SavedOut& out) const {
    out.value(balls_), out.value(std::int64_t(levels_.size())), out.value(origin_);
    out.array(&leaves_[0], leaves_.size());
    for (const auto& level : levels_) out.array(&level[0], level.size());
}

void ChainTree::restore(SavedIn& in) {
    in.expect(balls_), in.expect(std::int64_t(levels_.size())), in.value(origin_);
    in.array(&leaves_[0], leaves_.size());
    for (auto& level : levels_) in.array(&level[0], level.size());
}

std::string Chain::save() {
    settle();
    tell([](ChainLists& p) { p.forget(); });
    steps_.clear(), steps_begin_ = steps_count_ = kept_changes_ = 0;
    if (verdict_ == Verdict::free) proved_ = true, doubts_.clear();
    SavedOut out;
    tree_.save(out);
    out.value(noise_), out.value(verdict_), out.value(proved_);
    each_of(choice_, [&](auto& v) { out.value(v); });
    out.value(std::int64_t(doubts_.size()));
    if (!doubts_.empty()) out.array(doubts_.data(), doubts_.size());
    return out.take();
}

void Chain::restore(const std::string& saved) {
    SavedIn in(saved);
    tree_.restore(in);
    in.value(noise_), in.value(verdict_), in.value(proved_);
    each_of(choice_, [&](auto& v) { in.value(v); });
    std::int64_t doubts = 0;
    in.value(doubts);
    if (doubts < 0 || doubts > std::int64_t(most_doubts) + 1) throw std::invalid_argument("the saved state is damaged");
    doubts_.resize(doubts, {-1});
    if (doubts) in.array(doubts_.data(), doubts_.size());
    in.end();
    tell([](ChainLists& p) { p.forget(); });
    steps_.clear(), steps_begin_ = steps_count_ = kept_changes_ = 0;
    noted_.reset(), before_noted_ = Verdict::unknown, counters_ = {};
    watch_.add(2 * double(tree_.root_bound().radius));
    ++version_;
}

}  // namespace elbowroom
