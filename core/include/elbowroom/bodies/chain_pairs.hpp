#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "elbowroom/bodies/chain_leaves.hpp"
#include "elbowroom/bodies/chain_search.hpp"

namespace elbowroom {

/// Two balls of a chain and a value: their distance, or their energy.
struct ValuedPair {
    std::int32_t a, b;
    double value;
};

/// What pairs are kept, and with what value; `reach` is how near two surfaces must be for it to be asked. Without a
/// function all are kept, with the distance of their surfaces.
struct PairRule {
    double reach = 0;
    std::function<bool(const NearBalls&, double& value)> value;

    ELBOWROOM_INLINE bool keeps(const NearBalls& n, double& v) const {
        if (value) return value(n, v);
        return v = most(0.0, n.gap), true;
    }
};

/// The pairs of a chain's balls that obey a rule, kept up to date. A pair is kept at the node in which its leaves first
/// meet, with the pairs of the same two children; each such list has the sum of its values, each node the sum of all
/// below it. A change at one place concerns the nodes above that place only, and there only the pairs that it divides:
/// these are searched anew, the others stay. Lists are never written to once they are made, so an answer can keep them
/// by their pointers, and an undo puts the old ones back.
class ChainPairs {
public:
    using List = std::vector<ValuedPair>;
    struct Kept {
        std::shared_ptr<List> list;  // none: empty
        double sum = 0;
    };
    using Snapshot = std::vector<std::shared_ptr<const List>>;
    /// What an answer holds: the pairs as they were when it was given. As long as nothing has changed they are where
    /// they are; before the first change they are put aside, if an answer is left that could ask for them.
    struct Epoch {
        const ChainPairs* source;
        Snapshot aside;
        Snapshot lists() const { return source ? source->snapshot() : aside; }
    };

    ChainPairs(const ChainTree& tree, const ChainExclusion& exclusion, bool boxes, PairRule rule);

    ~ChainPairs() { end_epoch(); }
    ChainPairs(const ChainPairs&) = delete;
    ChainPairs& operator=(const ChainPairs&) = delete;

    double reach() const { return rule_.reach; }
    /// What moved: the balls from `begin` on, or with an end those of [begin, end) alone. `step` is the number of the
    /// change, or 0 if it can not be undone.
    struct Note {
        std::int64_t begin, end = -1;
        std::uint64_t step = 0;
    };
    void note(const Note& n);
    /// That change was undone.
    void undone(const Note& n);

    /// Everything is out of date: it will be made anew, in one order whatever happened before.
    void forget() { stale_ = true, notes_.clear(), forget_saved(); }
    /// Brings everything up to date.
    void refresh();
    double sum() const { return totals_.back()[0]; }
    std::shared_ptr<const Epoch> epoch() {
        if (!epoch_) epoch_ = std::make_shared<Epoch>(Epoch{this, {}});
        return epoch_;
    }
    Snapshot snapshot() const;
    std::size_t count() const { return count_; }
    const Counters& counters() const { return counters_; }

private:
    struct Saved {
        int level;
        std::int64_t slot;
        Kept was;
    };
    static constexpr int slots = 28;  // pairs of the eight children of a node; a leaf has one

    const ChainTree& tree_;
    const ChainExclusion& exclusion_;
    const bool boxes_;
    const PairRule rule_;
    std::vector<std::vector<Kept>> kept_;      // by level, leaves first; slot after slot
    std::vector<std::vector<double>> totals_;  // of a node and all below it
    bool stale_ = true;                        // everything is out of date
    std::vector<Note> notes_;
    std::size_t count_ = 0;  // of all pairs
    std::shared_ptr<Epoch> epoch_;
    std::uint64_t saved_for_ = 0;  // the step before which `saved_` was
    std::vector<Saved> saved_;
    std::vector<std::shared_ptr<List>> spare_;  // lists that nobody holds any more: their memory is used again
    std::shared_ptr<List> fresh_[slots];
    ChainPlaces places_;
    ChainParting parts_;
    Counters counters_;

    void end_epoch() {
        if (epoch_ && epoch_.use_count() > 1) epoch_->aside = snapshot(), epoch_->source = nullptr, epoch_.reset();
    }
    void build();
    void update(const Note& n);
    void update_split(std::int64_t split);
    void update_side(std::int64_t begin, std::int64_t end);
    template <class Search>
    void collect(Search&& search);
    int slot(int level, std::int64_t a, std::int64_t b) const;
    static bool meets_in(int level, std::int64_t index, const ValuedPair& p);
    List& fresh(int slot);
    void keep(int level, std::int64_t index, unsigned which);
    void forget_saved();
    double own_sum(int level, std::int64_t index) const;
    static std::size_t size_of(const Kept& k) { return k.list ? k.list->size() : 0; }
    void add_up(int level, std::int64_t index);
    void add_up_above(std::int64_t leaf);
};

}  // namespace elbowroom
