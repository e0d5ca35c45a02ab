#pragma once
#include <algorithm>
#include <vector>

#include "elbowroom/bodies/chain.hpp"

namespace elbowroom {

/// The sums of centres and of their squares below every node, each in the node's own frame: what the radius of gyration
/// is made of. A change concerns the nodes above it, so a new value costs O(log N). Sums are made anew from the sums
/// below, never corrected, so they depend on where the balls are and not on how they came there.
class ChainMoments {
public:
    explicit ChainMoments(const ChainTree& tree) : tree_(tree), levels_(tree.levels() + 1) {
        for (int k = 0; k <= tree.levels(); ++k) levels_[k].resize(k == 0 ? tree.leaves() : tree.nodes(k));
    }
    /// Something below that leaf has changed.
    void touch(std::int64_t leaf) {
        if (!stale_) {
            dirty_.push_back(leaf);
            stale_ = dirty_.size() > most_dirty();
        }
    }
    void forget() { stale_ = true; }
    double squared_radius_of_gyration() {
        refresh();
        const Moments& all = levels_.back()[0];
        const double n = double(tree_.balls());
        return most(0.0, all.squares / n - length2(all.sum * (1 / n)));
    }

private:
    struct Moments {
        Vec3 sum;
        double squares = 0;
    };
    const ChainTree& tree_;
    std::vector<std::vector<Moments>> levels_;
    std::vector<std::int64_t> dirty_;
    bool stale_ = true;

    std::size_t most_dirty() const { return std::size_t(tree_.leaves() / (8 * (tree_.levels() + 1))) + 1; }
    void refresh() {
        for (int k = 0; k <= tree_.levels() && (stale_ || !dirty_.empty()); ++k) {
            if (stale_) {
                for (std::size_t i = 0; i < levels_[k].size(); ++i) add_up(k, i);
                continue;
            }
            std::sort(dirty_.begin(), dirty_.end());
            dirty_.erase(std::unique(dirty_.begin(), dirty_.end()), dirty_.end());
            for (std::int64_t& i : dirty_) {
                add_up(k, i);
                i >>= 3;
            }
        }
        stale_ = false;
        dirty_.clear();
    }
    void add_up(int level, std::int64_t index) {
        Moments& m = levels_[level][index] = {};
        if (level == 0) {
            const ChainLeaf& leaf = tree_.leaf(index);
            for (int i = 0; i < tree_.count(index); ++i) {
                const Vec3 x = leaf.centre(i);
                m.sum = m.sum + x;
                m.squares += length2(x);
            }
            return;
        }
        const ChainNode& n = tree_.node(level, index);
        for (int c = 0; c < 8 && n.lanes.valid >> c & 1; ++c) {
            const Moments& below = levels_[level - 1][8 * index + c];
            const Frame f = n.child(c);
            const Vec3 turned = f.q * below.sum;
            const double count = double(balls_of(level - 1, 8 * index + c));
            m.sum = m.sum + turned + f.t * count;
            m.squares += below.squares + 2 * dot(f.t, turned) + count * length2(f.t);
        }
    }
    std::int64_t balls_of(int level, std::int64_t index) const {
        const std::int64_t each = std::int64_t(ChainLeaf::size) << 3 * level;
        return least(each, tree_.balls() - index * each);
    }
};

}  // namespace elbowroom
