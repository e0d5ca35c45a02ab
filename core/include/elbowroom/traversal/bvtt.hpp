// The bounding volume traversal tree (BVTT) of [Lin2006], kept from one query to the next: which pairs of volumes were
// tested, and what the tests proved. Knows no geometry.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "elbowroom/traversal/pair.hpp"

namespace elbowroom {

/// A pair of volumes. Its children lie at `first` and behind, one for each lane of the fan that it opened into.
struct BvttNode {
    enum State : std::uint8_t { none, opened, apart, leaf_apart, hit, open };
    static constexpr double never = -std::numeric_limits<double>::infinity(), always = -never;

    std::int32_t a = 0, b = 0;
    std::int32_t parent = -1, first = -1;
    std::int32_t twin = -1;                            // the same pair in the tree of the last run
    std::uint32_t tested = 0, fanned = 0, proved = 0;  // calls: when it was tested, opened, last proved apart
    std::uint32_t stamp = 0;                           // of its entry in the queue
    std::uint16_t depth = 1, deepest = 1;
    State state = none;
    bool is_on_cut() const { return state >= apart; }
};

/// The tree of one run, or of all runs so far. Children come in blocks of `width`; blocks that collapsed are used
/// again. Beside every node lies up to what reading of the odometer it is proved apart: what the odometer shows less is
/// a bound of its gap. What is not on the cut always is.
class Bvtt {
public:
    bool empty() const { return nodes_.empty(); }
    std::size_t size() const { return nodes_.size(); }
    BvttNode& operator[](std::int32_t i) { return nodes_[i]; }
    const BvttNode& operator[](std::int32_t i) const { return nodes_[i]; }
    int width() const { return width_; }
    double holds(std::int32_t i) const { return holds_[i]; }
    /// Pairs of primitives below a node of the cut.
    double pairs(std::int32_t i) const { return pairs_[i]; }
    const std::vector<double>& all_holds() const { return holds_; }
    const std::vector<double>& all_pairs() const { return pairs_; }
    std::int64_t cut_nodes() const { return cut_nodes_; }
    std::int64_t cut_depths() const { return cut_depths_; }

    void clear() {
        nodes_.clear(), free_.clear(), queue_.clear(), holds_.clear(), pairs_.clear();
        cut_nodes_ = cut_depths_ = 0;
    }
    /// A root of its own, nothing below.
    void start(const Pair& root, int width, double pairs) {
        clear();
        width_ = width;
        nodes_.emplace_back(), holds_.push_back(BvttNode::always), pairs_.push_back(pairs);
        nodes_[0].a = root.a, nodes_[0].b = root.b;
        put(0, BvttNode::open, BvttNode::never);
    }
    /// Gives a node another state, and says how long it holds.
    void put(std::int32_t i, BvttNode::State state, double holds) {
        BvttNode& n = nodes_[i];
        const int change = int(state >= BvttNode::apart) - int(n.is_on_cut());
        cut_nodes_ += change, cut_depths_ += change * n.depth;
        n.state = state, holds_[i] = n.is_on_cut() ? holds : BvttNode::always;
    }
    void set_pair(std::int32_t i, const Pair& pair, double pairs) {
        nodes_[i].a = pair.a, nodes_[i].b = pair.b, pairs_[i] = pairs;
    }
    /// Room for the children of a node.
    void add_block(std::int32_t parent) {
        std::int32_t first;
        if (free_.empty()) {
            first = std::int32_t(nodes_.size());
            nodes_.resize(nodes_.size() + width_);
            holds_.resize(nodes_.size(), BvttNode::always), pairs_.resize(nodes_.size(), 0);
        } else {
            first = free_.back();
            free_.pop_back();
        }
        for (int k = 0; k < width_; ++k) {
            BvttNode fresh;
            fresh.parent = parent, fresh.depth = nodes_[parent].depth + 1, fresh.stamp = nodes_[first + k].stamp + 1;
            nodes_[first + k] = fresh;
        }
        nodes_[parent].first = first;
    }
    /// Forgets everything below a node.
    void collapse(std::int32_t node) {
        std::vector<std::int32_t> blocks;
        auto take = [&](BvttNode& n) {
            if (n.first >= 0) blocks.push_back(n.first), n.first = -1;
        };
        take(nodes_[node]);
        while (!blocks.empty()) {
            const std::int32_t first = blocks.back();
            blocks.pop_back();
            for (int k = 0; k < width_; ++k) {
                BvttNode& n = nodes_[first + k];
                take(n);
                put(first + k, BvttNode::none, 0), ++n.stamp;
            }
            free_.push_back(first);
        }
    }
    /// Calls f(index) for the nodes in preorder, children from left to right.
    template <class F>
    void each(F&& f) const {
        std::vector<std::int32_t> stack;
        if (!empty()) stack.push_back(0);
        while (!stack.empty()) {
            const std::int32_t i = stack.back();
            stack.pop_back();
            f(i);
            if (nodes_[i].state != BvttNode::opened) continue;
            for (int k = width_ - 1; k >= 0; --k)
                if (nodes_[nodes_[i].first + k].state != BvttNode::none) stack.push_back(nodes_[i].first + k);
        }
    }
    /// Fills in how deep the tree goes below each node.
    void measure_depths() {
        order_.clear();
        each([&](std::int32_t i) { order_.push_back(i), nodes_[i].deepest = nodes_[i].depth; });
        for (std::size_t k = order_.size(); k-- > 1;) {
            const BvttNode& n = nodes_[order_[k]];
            BvttNode& p = nodes_[n.parent];
            p.deepest = std::max(p.deepest, n.deepest);
        }
    }

    // The queue of what is on the cut, what expires first at its head.
    void enqueue(std::int32_t node, double key) {
        if (queue_.size() > 4 * nodes_.size() + 1024) forget_stale();
        queue_.push_back({key, node, ++nodes_[node].stamp});
        std::push_heap(queue_.begin(), queue_.end(), later);
    }
    /// The next of the cut, or -1; `key` is its expiry.
    std::int32_t head(double& key) {
        while (!queue_.empty() && nodes_[queue_[0].node].stamp != queue_[0].stamp) dequeue();
        if (queue_.empty()) return -1;
        key = queue_[0].key;
        return queue_[0].node;
    }
    void dequeue() {
        std::pop_heap(queue_.begin(), queue_.end(), later);
        queue_.pop_back();
    }

private:
    struct Entry {
        double key;
        std::int32_t node;
        std::uint32_t stamp;
    };
    std::vector<BvttNode> nodes_;
    std::vector<double> holds_, pairs_;  // of the nodes
    std::int64_t cut_nodes_ = 0, cut_depths_ = 0;
    std::vector<std::int32_t> free_, order_;
    std::vector<Entry> queue_;
    int width_ = 8;

    static bool later(const Entry& x, const Entry& y) {
        return x.key != y.key ? x.key > y.key : x.node > y.node;  // ties by number: the same order on every run
    }
    void forget_stale() {
        std::erase_if(queue_, [&](const Entry& e) { return nodes_[e.node].stamp != e.stamp; });
        std::make_heap(queue_.begin(), queue_.end(), later);
    }
};

/// What the odometer showed at the last calls, so that one can say until which of them something held.
class Readings {
public:
    /// Calls come one after the other; an odometer that goes back was started anew.
    void note(std::uint32_t call, double reading) {
        if (!all_.empty() && reading < all_.back()) all_.clear();
        if (all_.size() >= 8192) all_.erase(all_.begin(), all_.begin() + 4096), first_ += 4096;
        if (all_.empty()) first_ = call;
        all_.push_back(reading);
    }
    /// The last call at which the odometer showed no more than this; `known`: one at which it surely did.
    std::uint32_t last_call_within(double holds, std::uint32_t known) const {
        const auto beyond = std::upper_bound(all_.begin(), all_.end(), holds);
        return std::max(known, beyond == all_.begin() ? 0 : first_ + std::uint32_t(beyond - all_.begin()) - 1);
    }

private:
    std::vector<double> all_;
    std::uint32_t first_ = 0;
};

/// What a query tells the order about the fan or the leaf that it looked at.
struct BvttNote {
    alignas(32) float bound2[8] = {};  // lower bounds of the squared distances of the lanes
    bool leaf = false, hit = false;
    double gap = 0;  // of a leaf: at least so far apart
};

}  // namespace elbowroom
