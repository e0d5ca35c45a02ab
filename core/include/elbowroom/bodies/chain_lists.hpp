#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "elbowroom/traversal/pair.hpp"
#include "elbowroom/trees/chain_tree.hpp"

namespace elbowroom {

/// Two balls of a chain, or two leaves of its tree, and a value: their distance, or their energy.
struct ValuedPair {
    std::int32_t a, b;
    double value;
};

/// Pairs over a chain that are kept up to date. A pair is kept at the node in which its leaves first meet, with the
/// pairs of the same two children; each such list has the sum of its values, each node the sum of all below it. A
/// change at one place concerns the nodes above that place only. Lists are never written to once they are made, so an
/// undo puts the old ones back.
class ChainLists {
public:
    using List = std::vector<ValuedPair>;
    /// What moved: the balls from `begin` on, or with an end those of [begin, end) alone. `step` is the number of the
    /// change, or 0 if it can not be undone; `change` is what was applied, if it was one pending change.
    struct Note {
        std::int64_t begin, end = -1;
        std::uint64_t step = 0;
        const ChainChange* change = nullptr;
    };

    explicit ChainLists(const ChainTree& tree);
    virtual ~ChainLists() = default;
    ChainLists(const ChainLists&) = delete;
    ChainLists& operator=(const ChainLists&) = delete;

    virtual void note(const Note& n);
    /// That change was undone.
    virtual void undone(const Note& n);
    /// Everything is out of date: it will be made anew, in one order whatever happened before.
    virtual void forget() { stale_ = true, notes_.clear(), forget_saved(); }
    /// Brings everything up to date.
    virtual void refresh();
    double sum() const { return totals_.back()[0]; }
    std::size_t count() const { return count_; }
    const Counters& counters() const { return counters_; }

protected:
    struct Kept {
        std::shared_ptr<List> list;  // none: empty
        double sum = 0;
    };
    static constexpr int slots = 28;  // pairs of the eight children of a node; a leaf has one
    static constexpr unsigned all_slots = (1u << slots) - 1;

    const ChainTree& tree_;
    std::vector<std::vector<Kept>> kept_;  // by level, leaves first; slot after slot; then one list more of each node
    Counters counters_;
    std::uint64_t saved_for_ = 0;  // the step before which what is saved was

    virtual void build() = 0;
    virtual void update(const Note& n) = 0;
    /// The lists are about to change.
    virtual void leave() {}

    /// Where in its node a pair of leaves is kept: by the children that hold them.
    static int slot(int level, std::int64_t a, std::int64_t b);
    /// The slots of a node of that level that a split in a leaf can divide.
    static unsigned divided_slots(int level, std::int64_t leaf);
    static bool meets_in(int level, std::int64_t index, std::int64_t a, std::int64_t b);
    const Kept& kept(int level, std::int64_t index, int slot) const {
        return kept_[level][level == 0 ? index : index * slots + slot];
    }
    /// The list that will take the place of one of a node's.
    List& fresh(int slot);
    /// Puts the fresh lists in the place of those of some slots of a node.
    void keep(int level, std::int64_t index, unsigned which);
    /// One list more of each node, and of each leaf, for values that no search finds; and puts a fresh one in its
    /// place.
    void add_extra();
    const std::shared_ptr<List>& extra(int level, std::int64_t index) const {
        return kept_.back()[first_extra_[level] + index].list;
    }
    List& fresh_extra() { return fresh(slots); }
    void keep_extra(int level, std::int64_t index) { put(slots, tree_.levels() + 1, first_extra_[level] + index); }
    /// Puts `found` in the place of all pairs of which one has moved(a or b). Only nodes above the leaves from `first`
    /// to `last` are concerned; leaf_of tells in which leaf one of a pair lies.
    template <class Moved, class LeafOf>
    void replace_moved(std::int64_t first, std::int64_t last, const List& found, Moved&& moved, LeafOf&& leaf_of) {
        for (int level = 0; level <= tree_.levels(); ++level)
            for (std::int64_t index = first >> 3 * level; index <= last >> 3 * level; ++index) {
                for (int k = 0; k < (level == 0 ? 1 : slots); ++k) {
                    const auto& old = kept(level, index, k).list;
                    if (!old) continue;
                    for (const ValuedPair& p : *old)
                        if (!moved(p.a) && !moved(p.b)) fresh(k).push_back(p);
                }
                for (const ValuedPair& p : found)
                    if (const std::int64_t a = leaf_of(p.a), b = leaf_of(p.b); meets_in(level, index, a, b))
                        fresh(slot(level, a, b)).push_back(p);
                keep(level, index, level == 0 ? 1 : all_slots);
            }
        for (std::int64_t leaf = first; leaf <= last; ++leaf) add_up_above(leaf);
    }
    /// Runs f, which updates the lists. If it throws, the lists are out of date as a whole; and so they are in the
    /// child of a fork that finds f at a check, where nothing is thrown.
    template <class F>
    void whole_or_stale(F&& f) {
        stale_ = true;
        try {
            f();
        } catch (...) {
            forget();
            throw;
        }
        stale_ = false;
    }
    void forget_saved();
    void put_back_saved();
    void forget_fresh();
    void add_up_all();
    void add_up_above(std::int64_t leaf);

private:
    struct Saved {
        int level;
        std::int64_t slot;
        Kept was;
    };
    std::vector<std::vector<double>> totals_;  // of a node and all below it
    bool stale_ = true;                        // everything is out of date
    std::vector<Note> notes_;
    std::size_t count_ = 0;  // of all pairs
    std::vector<Saved> saved_;
    std::vector<std::shared_ptr<List>> spare_;  // lists that nobody holds any more: their memory is used again
    std::shared_ptr<List> fresh_[slots + 1];
    std::vector<std::int64_t> first_extra_;  // of each level; empty: there are none

    void put(int slot, int level, std::int64_t at);

    static std::size_t size_of(const Kept& k) { return k.list ? k.list->size() : 0; }
    double own_sum(int level, std::int64_t index) const;
    void add_up(int level, std::int64_t index);
};

}  // namespace elbowroom
