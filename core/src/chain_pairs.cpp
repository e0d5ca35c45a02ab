#include "elbowroom/bodies/chain_pairs.hpp"

#include <algorithm>
#include <utility>

#include "elbowroom/queries/distance.hpp"

namespace elbowroom {

namespace {

constexpr int size = ChainLeaf::size;
constexpr std::size_t most_notes = 16;  // beyond, everything is made anew

/// Two balls that both moved are found from either side.
void forget_doubles(ChainPairs::List& found) {
    auto place = [](const ValuedPair& p) { return std::pair(p.a, p.b); };
    std::sort(found.begin(), found.end(), [&](const auto& x, const auto& y) { return place(x) < place(y); });
    const auto same = [&](const auto& x, const auto& y) { return place(x) == place(y); };
    found.erase(std::unique(found.begin(), found.end(), same), found.end());
}

}  // namespace

ChainPairs::ChainPairs(const ChainTree& tree, const ChainExclusion& exclusion, bool boxes, PairRule rule)
    : tree_(tree), exclusion_(exclusion), boxes_(boxes), rule_(std::move(rule)), parts_(tree) {
    for (int k = 0; k <= tree.levels(); ++k) {
        const std::size_t count = k == 0 ? tree.leaves() : tree.nodes(k);
        kept_.emplace_back(k == 0 ? count : count * slots), totals_.emplace_back(count);
    }
}

void ChainPairs::note(const Note& n) {
    if (stale_) return;
    notes_.push_back(n);
    if (notes_.size() > most_notes) stale_ = true, notes_.clear(), forget_saved();
}

void ChainPairs::undone(const Note& n) {
    if (stale_) return;
    if (!notes_.empty() && notes_.back().step == n.step) return notes_.pop_back();
    if (!notes_.empty() || saved_.empty() || saved_for_ != n.step) return note({n.begin, n.end, 0});
    end_epoch();
    for (Saved& s : saved_) {
        Kept& kept = kept_[s.level][s.slot];
        count_ += size_of(s.was) - size_of(kept);
        std::swap(kept, s.was);
    }
    for (const Saved& s : saved_)
        if (s.level == 0) add_up_above(s.slot);
    forget_saved();
}

void ChainPairs::refresh() {
    counters_ = {};
    if (!stale_ && notes_.empty()) return;
    end_epoch();
    if (stale_) return build();
    forget_saved();
    saved_for_ = notes_[0].step;
    const bool one = notes_.size() == 1;
    for (const Note& n : notes_) {
        update(n);
        if (!one) forget_saved();
    }
    notes_.clear();
}

void ChainPairs::update(const Note& n) { n.end < 0 ? update_split(n.begin) : update_side(n.begin, n.end); }

void ChainPairs::forget_saved() {
    for (Saved& s : saved_)
        if (s.was.list && s.was.list.use_count() == 1 && spare_.size() < 256) spare_.push_back(std::move(s.was.list));
    saved_.clear();
}

/// Where in its node a pair is kept: by the children that hold its balls.
int ChainPairs::slot(int level, std::int64_t a, std::int64_t b) const {
    if (level == 0) return 0;
    const int i = int(a / size >> 3 * (level - 1)) & 7, j = int(b / size >> 3 * (level - 1)) & 7;
    return j * (j - 1) / 2 + i;
}

ChainPairs::List& ChainPairs::fresh(int slot) {
    std::shared_ptr<List>& list = fresh_[slot];
    if (!list && spare_.empty()) list = std::make_shared<List>();
    if (!list) list = std::move(spare_.back()), spare_.pop_back(), list->clear();
    return *list;
}

/// Puts the fresh lists in the place of those of some slots of a node.
void ChainPairs::keep(int level, std::int64_t index, unsigned which) {
    for (; which; which &= which - 1) {
        const int k = __builtin_ctz(which);
        const std::int64_t at = level == 0 ? index : index * slots + k;
        Kept made{std::move(fresh_[k]), 0};
        fresh_[k].reset();
        if (made.list)
            for (const ValuedPair& p : *made.list) made.sum += p.value;
        count_ += size_of(made) - size_of(kept_[level][at]);
        saved_.push_back({level, at, std::exchange(kept_[level][at], std::move(made))});
    }
}

double ChainPairs::own_sum(int level, std::int64_t index) const {
    if (level == 0) return kept_[0][index].sum;
    double sum = 0;
    for (int k = 0; k < slots; ++k) sum += kept_[level][index * slots + k].sum;
    return sum;
}

/// Sums are made anew from below, so that nothing drifts.
void ChainPairs::add_up(int level, std::int64_t index) {
    double sum = own_sum(level, index);
    if (level > 0)
        for (std::int64_t i = 8 * index; i < least<std::int64_t>(8 * index + 8, totals_[level - 1].size()); ++i)
            sum += totals_[level - 1][i];
    totals_[level][index] = sum;
}

void ChainPairs::add_up_above(std::int64_t leaf) {
    for (int k = 0; k <= tree_.levels(); ++k) add_up(k, leaf >> 3 * k);
}

/// Runs search(query, budget, level) with a query that puts every pair of the rule into the fresh list of its slot at
/// `level`.
template <class Search>
void ChainPairs::collect(Search&& search) {
    int level = 0;
    List* list = nullptr;  // of the last pair: the next mostly is of the same two leaves
    std::int64_t leaf_a = -1, leaf_b = -1;
    auto sink = [&](const NearBalls& n) {
        double value;
        if (!rule_.keeps(n, value)) return;
        if (n.a / size != leaf_a || n.b / size != leaf_b)
            leaf_a = n.a / size, leaf_b = n.b / size, list = &fresh(slot(level, n.a, n.b));
        list->push_back({std::int32_t(n.a), std::int32_t(n.b), value});
    };
    ChainLeaves leaves(places_, &exclusion_);
    WithinReach query(leaves, rule_.reach, sink);
    Unlimited budget;
    search(query, budget, level);
}

void ChainPairs::build() {
    forget_saved();
    collect([&](auto& query, auto& budget, int& level) {
        std::int64_t index = -1;
        auto keep_all = [&] {
            if (index >= 0) keep(level, index, level == 0 ? 1 : (1u << slots) - 1);
            saved_.clear();
        };
        sweep_chain(tree_, places_, boxes_, query, budget, counters_, [&](int l, std::int64_t i) {
            keep_all();
            level = l, index = i;
        });
        keep_all();
    });
    notes_.clear(), stale_ = false;
    for (int k = 0; k <= tree_.levels(); ++k)
        for (std::size_t i = 0; i < totals_[k].size(); ++i) add_up(k, i);
}

void ChainPairs::update_split(std::int64_t split) {
    ChainChange nothing;
    nothing.first = split;
    collect([&](auto& query, auto& budget, int& level) {
        std::int64_t index = -1;
        unsigned which = 0;
        // The lists of pairs that the split can divide; what it does not divide is taken over.
        auto begin = [&](int l, std::int64_t i) {
            if (index >= 0) keep(level, index, which);
            level = l, index = i, which = 0;
            const int c = l == 0 ? 0 : int(nothing.leaf() >> 3 * (l - 1)) & 7;
            for (int b = c; b < 8; ++b)
                for (int a = 0; a <= c && a < b; ++a) which |= 1u << (b * (b - 1) / 2 + a);
            if (l == 0) which = 1;
            for (unsigned rest = which; rest; rest &= rest - 1) {
                const int k = __builtin_ctz(rest);
                const auto& old = kept_[l][l == 0 ? i : i * slots + k].list;
                if (!old) continue;
                List& list = fresh(k);
                list.reserve(old->size() + old->size() / 8);
                for (const ValuedPair& p : *old)
                    if ((p.a < split) == (p.b < split)) list.push_back(p);
            }
        };
        search_across(tree_, nothing, places_, parts_, boxes_, query, budget, counters_, begin);
        keep(level, index, which);
    });
    add_up_above(nothing.leaf());
}

void ChainPairs::update_side(std::int64_t begin, std::int64_t end) {
    auto moved = [&](std::int64_t ball) { return ball >= begin && ball < end; };
    List found;
    auto sink = [&](const NearBalls& n) {
        if (double value; rule_.keeps(n, value))
            found.push_back({std::int32_t(least(n.a, n.b)), std::int32_t(most(n.a, n.b)), value});
    };
    ChainLeaves leaves(places_, &exclusion_);
    WithinReach query(leaves, rule_.reach, sink);
    Unlimited budget;
    search_around(tree_, begin, end, places_, boxes_, query, budget, counters_);
    forget_doubles(found);
    for (int level = 0; level <= tree_.levels(); ++level)
        for (std::int64_t index = begin / size >> 3 * level; index <= (end - 1) / size >> 3 * level; ++index) {
            for (int k = 0; k < (level == 0 ? 1 : slots); ++k) {
                const auto& old = kept_[level][level == 0 ? index : index * slots + k].list;
                if (!old) continue;
                for (const ValuedPair& p : *old)
                    if (!moved(p.a) && !moved(p.b)) fresh(k).push_back(p);
            }
            for (const ValuedPair& p : found)
                if (meets_in(level, index, p)) fresh(slot(level, p.a, p.b)).push_back(p);
            keep(level, index, level == 0 ? 1 : (1u << slots) - 1);
        }
    for (std::int64_t leaf = begin / size; leaf * size < end; ++leaf) add_up_above(leaf);
}

bool ChainPairs::meets_in(int level, std::int64_t index, const ValuedPair& p) {
    const std::int64_t a = p.a / size, b = p.b / size;
    if (a >> 3 * level != index || b >> 3 * level != index) return false;
    return level == 0 || a >> 3 * (level - 1) != b >> 3 * (level - 1);
}

ChainPairs::Snapshot ChainPairs::snapshot() const {
    Snapshot out;
    for (const auto& level : kept_)
        for (const Kept& k : level)
            if (k.list && !k.list->empty()) out.push_back(k.list);
    return out;
}

}  // namespace elbowroom
