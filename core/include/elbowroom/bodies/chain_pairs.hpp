#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "elbowroom/bodies/chain_leaves.hpp"
#include "elbowroom/bodies/chain_lists.hpp"
#include "elbowroom/bodies/chain_search.hpp"

namespace elbowroom {

/// The pairs of a chain's balls whose surfaces are within reach, kept up to date with their distances. After a change
/// only the pairs that it divides are searched anew, the others stay. An answer keeps the lists by their pointers.
class ChainPairs : public ChainLists {
public:
    using Snapshot = std::vector<std::shared_ptr<const List>>;
    /// What an answer holds: the pairs as they were when it was given. As long as nothing has changed they are where
    /// they are; before the first change they are put aside, if an answer is left that could ask for them.
    class Epoch {
    public:
        explicit Epoch(const ChainPairs* source) : source_(source) {}
        /// May be called while another thread changes the chain.
        Snapshot lists() const {
            const std::lock_guard<std::mutex> lock(mutex_);
            return source_ ? source_->snapshot() : aside_;
        }
        void put_aside() {
            const std::lock_guard<std::mutex> lock(mutex_);
            aside_ = source_->snapshot();
            source_ = nullptr;
        }

    private:
        mutable std::mutex mutex_;
        const ChainPairs* source_;
        Snapshot aside_;
    };

    ChainPairs(const ChainTree& tree, const ChainExclusion& exclusion, bool boxes, double reach)
        : ChainLists(tree), exclusion_(exclusion), boxes_(boxes), reach_(reach), parts_(tree) {}
    ~ChainPairs() override { leave(); }

    double reach() const { return reach_; }
    std::shared_ptr<const Epoch> epoch() {
        if (!epoch_) epoch_ = std::make_shared<Epoch>(this);
        return epoch_;
    }
    Snapshot snapshot() const;

protected:
    void build() override;
    void update(const Note& n) override { n.end < 0 ? update_split(n.begin) : update_side(n.begin, n.end); }
    void leave() final {
        if (!epoch_ || epoch_.use_count() == 1) return;
        epoch_->put_aside();
        epoch_.reset();
    }

private:
    const ChainExclusion& exclusion_;
    const bool boxes_;
    const double reach_;
    std::shared_ptr<Epoch> epoch_;
    ChainPlaces places_;
    ChainParting parts_;

    void update_split(std::int64_t split);
    void update_side(std::int64_t begin, std::int64_t end);
    template <class Search>
    void collect(Search&& search);
};

}  // namespace elbowroom
