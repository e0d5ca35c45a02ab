#include "elbowroom/bodies/chain_lists.hpp"

#include <utility>

namespace elbowroom {

namespace {

constexpr std::size_t most_notes = 16;  // beyond, everything is made anew

}  // namespace

ChainLists::ChainLists(const ChainTree& tree) : tree_(tree) {
    for (int k = 0; k <= tree.levels(); ++k) {
        const std::size_t count = k == 0 ? tree.leaves() : tree.nodes(k);
        kept_.emplace_back(k == 0 ? count : count * slots), totals_.emplace_back(count);
    }
}

void ChainLists::note(const Note& n) {
    if (stale_) return;
    notes_.push_back({n.begin, n.end, n.step});
    if (notes_.size() > most_notes) stale_ = true, notes_.clear(), forget_saved();
}

void ChainLists::undone(const Note& n) {
    if (stale_) return;
    if (!notes_.empty() && notes_.back().step == n.step) return notes_.pop_back();
    if (!notes_.empty() || saved_.empty() || saved_for_ != n.step) return note({n.begin, n.end, 0});
    put_back_saved();
}

void ChainLists::put_back_saved() {
    leave();
    for (Saved& s : saved_) {
        Kept& kept = kept_[s.level][s.slot];
        count_ += size_of(s.was) - size_of(kept);
        std::swap(kept, s.was);
    }
    for (const Saved& s : saved_)
        if (s.level == 0) add_up_above(s.slot);
    forget_saved();
}

void ChainLists::refresh() {
    counters_ = {};
    if (!stale_ && notes_.empty()) return;
    leave();
    forget_saved();
    const bool everything = stale_;
    if (everything) forget_fresh();  // what was begun and not finished
    whole_or_stale([&] {
        if (everything) {
            build();
            add_up_all();
        } else {
            saved_for_ = notes_[0].step;
            const bool one = notes_.size() == 1;
            for (const Note& n : notes_) {
                update(n);
                if (!one) forget_saved();
            }
        }
        notes_.clear();
    });
}

void ChainLists::forget_saved() {
    for (Saved& s : saved_)
        if (s.was.list && s.was.list.use_count() == 1 && spare_.size() < 256) spare_.push_back(std::move(s.was.list));
    saved_.clear();
}

int ChainLists::slot(int level, std::int64_t a, std::int64_t b) {
    if (level == 0) return 0;
    const int i = int(a >> 3 * (level - 1)) & 7, j = int(b >> 3 * (level - 1)) & 7;
    return j * (j - 1) / 2 + i;
}

unsigned ChainLists::divided_slots(int level, std::int64_t leaf) {
    if (level == 0) return 1;
    const int c = int(leaf >> 3 * (level - 1)) & 7;
    unsigned which = 0;
    for (int b = c; b < 8; ++b)
        for (int a = 0; a <= c && a < b; ++a) which |= 1u << (b * (b - 1) / 2 + a);
    return which;
}

bool ChainLists::meets_in(int level, std::int64_t index, std::int64_t a, std::int64_t b) {
    if (a >> 3 * level != index || b >> 3 * level != index) return false;
    return level == 0 || a >> 3 * (level - 1) != b >> 3 * (level - 1);
}

ChainLists::List& ChainLists::fresh(int slot) {
    std::shared_ptr<List>& list = fresh_[slot];
    if (!list && spare_.empty()) list = std::make_shared<List>();
    if (!list) list = std::move(spare_.back()), spare_.pop_back(), list->clear();
    return *list;
}

void ChainLists::forget_fresh() {
    for (std::shared_ptr<List>& list : fresh_)
        if (list) spare_.push_back(std::move(list)), list.reset();
}

void ChainLists::keep(int level, std::int64_t index, unsigned which) {
    for (; which; which &= which - 1) {
        const int k = __builtin_ctz(which);
        put(k, level, level == 0 ? index : index * slots + k);
    }
}

/// The fresh list of a slot is kept there from now on.
void ChainLists::put(int slot, int level, std::int64_t at) {
    Kept made{std::move(fresh_[slot]), 0};
    fresh_[slot].reset();
    if (made.list)
        for (const ValuedPair& p : *made.list) made.sum += p.value;
    count_ += size_of(made) - size_of(kept_[level][at]);
    saved_.push_back({level, at, std::exchange(kept_[level][at], std::move(made))});
}

void ChainLists::add_extra() {
    std::int64_t nodes = 0;
    for (const std::vector<double>& level : totals_) {
        first_extra_.push_back(nodes);
        nodes += std::int64_t(level.size());
    }
    kept_.emplace_back(nodes);
}

double ChainLists::own_sum(int level, std::int64_t index) const {
    double sum = first_extra_.empty() ? 0 : kept_.back()[first_extra_[level] + index].sum;
    if (level == 0) return sum + kept_[0][index].sum;
    for (int k = 0; k < slots; ++k) sum += kept_[level][index * slots + k].sum;
    return sum;
}

/// Sums are made anew from below, so that nothing drifts.
void ChainLists::add_up(int level, std::int64_t index) {
    double sum = own_sum(level, index);
    if (level > 0)
        for (std::int64_t i = 8 * index; i < least<std::int64_t>(8 * index + 8, totals_[level - 1].size()); ++i)
            sum += totals_[level - 1][i];
    totals_[level][index] = sum;
}

void ChainLists::add_up_all() {
    for (int k = 0; k <= tree_.levels(); ++k)
        for (std::size_t i = 0; i < totals_[k].size(); ++i) add_up(k, i);
}

void ChainLists::add_up_above(std::int64_t leaf) {
    for (int k = 0; k <= tree_.levels(); ++k) add_up(k, leaf >> 3 * k);
}

}  // namespace elbowroom
