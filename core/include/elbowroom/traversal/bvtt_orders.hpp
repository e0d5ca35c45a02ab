// Orders that write down what a traversal does in a BVTT, and go by what the last one did.
#pragma once
#include <cmath>

#include "elbowroom/traversal/bvtt.hpp"

namespace elbowroom {

/// From the root, depth first (`counts(a, b)`: pairs of primitives below): the children as they lie in the tree, or,
/// best first, the one whose subtree went deepest in the last run [Lin2006, Fig. 8].
template <class Counts>
class FromRoot {
public:
    FromRoot(Bvtt& tree, const Bvtt& last, bool best_first, std::uint32_t call, BvttNote& note, const Counts& counts)
        : tree_(tree), last_(last), best_first_(best_first), call_(call), note_(note), counts_(counts) {}

    bool empty() {
        note_leaf();
        return stack_.empty();
    }
    /// The root, into a tree that was started with it.
    void push(const Pair&) {
        const bool known = !last_.empty() && last_[0].a == tree_[0].a && last_[0].b == tree_[0].b;
        tree_[0].twin = known ? 0 : -1;
        stack_.push_back(0);
    }
    Pair pop() {
        current_ = stack_.back();
        stack_.pop_back();
        return {tree_[current_].a, tree_[current_].b, 0};
    }
    template <class Fan, class Offers>
    void push(const Fan& fan, const Offers& offers) {
        tree_.add_block(current_);
        tree_.put(current_, BvttNode::opened, 0);
        unsigned offered = 0;
        offers.each([&](int lane, float) { offered |= 1u << lane; });
        int order[8], count = 0;
        for (int lane = 0; lane < tree_.width(); ++lane) {
            if (!(fan.valid() >> lane & 1)) continue;
            if (!add_child(fan.child(lane, 0), lane, offered >> lane & 1)) continue;
            int at = count++;  // the leftmost of those that went deepest comes last, and is taken first
            for (; at > 0 && worth(order[at - 1]) >= worth(lane); --at) order[at] = order[at - 1];
            order[at] = lane;
        }
        for (int k = 0; k < count; ++k) stack_.push_back(tree_[current_].first + order[k]);
    }
    void put_back(const Pair&) {}  // it is in the tree
    void finish() { note_leaf(); }

private:
    Bvtt& tree_;
    const Bvtt& last_;
    const bool best_first_;
    const std::uint32_t call_;
    BvttNote& note_;
    const Counts& counts_;
    std::vector<std::int32_t> stack_;
    std::int32_t current_ = -1;

    /// True if it is to be looked at: a pair of nothing is not.
    bool add_child(const Pair& pair, int lane, bool offered) {
        const std::int32_t index = tree_[current_].first + lane;
        BvttNode& n = tree_[index];
        tree_.set_pair(index, pair, counts_(pair.a, pair.b));
        n.tested = call_, offered = offered && tree_.pairs(index) > 0;
        if (offered)
            tree_.put(index, BvttNode::open, BvttNode::never);
        else
            tree_.put(index, BvttNode::apart, std::sqrt(double(note_.bound2[lane])) * (1 - 1e-7)), n.proved = call_;
        const std::int32_t twin = tree_[current_].twin;
        if (twin < 0 || last_[twin].state != BvttNode::opened) return offered;
        const std::int32_t same = last_[twin].first + lane;
        if (last_[same].state != BvttNode::none && last_[same].a == n.a && last_[same].b == n.b) n.twin = same;
        return offered;
    }
    int worth(int lane) const {
        const std::int32_t twin = tree_[tree_[current_].first + lane].twin;
        return best_first_ && twin >= 0 ? last_[twin].deepest : 0;
    }
    void note_leaf() {
        if (!note_.leaf) return;
        note_.leaf = false;
        tree_[current_].tested = call_;
        if (note_.hit)
            tree_.put(current_, BvttNode::hit, BvttNode::never);
        else
            tree_.put(current_, BvttNode::leaf_apart, note_.gap), tree_[current_].proved = call_;
    }
};

/// From the cut of the last runs. A node of the cut was proved apart by a gap; the odometer adds up how far the bodies
/// have come nearer to each other since, at most. While it shows no more than when the gap is used up, nothing needs to
/// be looked at; what expired is tested again with the fan it came from, the first to expire first. `limit()`: what is
/// proved farther apart does not matter.
template <class Limit, class Counts>
class FromCut {
public:
    FromCut(Bvtt& tree, const Readings& readings, double odometer, std::uint32_t call, Limit limit, BvttNote& note,
            const Counts& counts)
        : tree_(tree),
          readings_(readings),
          odometer_(odometer),
          call_(call),
          limit_(limit),
          note_(note),
          counts_(counts) {}

    bool empty() {
        leave_current();
        if (!stack_.empty() || !again_.empty()) return false;
        for (;;) {
            double key;
            const std::int32_t node = tree_.head(key);
            if (node < 0 || key >= odometer_ + limit_()) return true;
            if (tree_[node].tested == call_) {
                tree_.dequeue();
                seen_.push_back(node);  // this call has looked at it, and no more can be known
                continue;
            }
            // It stays in the queue until it is looked at: the budget may end before. What was found too near to tell
            // is taken up itself; what was apart is tested again with the fan it came from.
            const bool was_apart = tree_[node].state == BvttNode::apart || tree_[node].state == BvttNode::leaf_apart;
            if (was_apart && node > 0)
                again_.push_back(tree_[node].parent);
            else
                stack_.push_back(node);
            return false;
        }
    }
    /// The root, into a tree that was started with it.
    void push(const Pair&) { tree_.enqueue(0, BvttNode::never); }

    Pair pop() {
        leave_current();
        if (!again_.empty()) {
            current_ = again_.back();
            again_.pop_back();
            return {tree_[current_].a, tree_[current_].b, 0};
        }
        current_ = stack_.back();
        stack_.pop_back();
        deepest_ = std::max(deepest_, int(tree_[current_].depth));
        const double bound = tree_.holds(current_) - odometer_;
        return {tree_[current_].a, tree_[current_].b, bound > 0 ? float(bound * bound) * 0.999999f : 0.f};
    }
    template <class Fan, class Offers>
    void push(const Fan& fan, const Offers& offers) {
        bool fresh = tree_[current_].first < 0;
        if (!fresh && !is_same(fan)) tree_.collapse(current_), fresh = true;
        if (fresh) tree_.add_block(current_);
        tree_.put(current_, BvttNode::opened, 0), tree_[current_].fanned = call_;
        ++tree_[current_].stamp;  // it is no longer on the cut
        unsigned offered = 0;
        offers.each([&](int lane, float) {
            offered |= 1u << lane;
            offer(fan, lane, fresh);
        });
        for (int lane = 0; lane < tree_.width(); ++lane)
            if (fan.valid() >> lane & 1 & ~(offered >> lane)) rule_out(fan, lane, fresh);
        const std::int32_t parent = tree_[current_].parent;
        // All of it came apart: perhaps it did as a whole.
        if (!fresh && !offered && parent >= 0 && tree_[parent].fanned != call_) again_.push_back(parent);
        current_ = -1;
    }
    void put_back(const Pair&) {}  // it is in the tree
    /// To be called when the traversal has ended: what was not looked at goes back to the cut, to be taken up in the
    /// order of the stack.
    void finish() {
        leave_current();
        for (const std::int32_t node : stack_) return_to_cut(node);
        for (const std::int32_t node : seen_) return_to_cut(node);
    }
    /// Of the pairs that it looked at.
    int deepest() const { return deepest_; }

private:
    Bvtt& tree_;
    const Readings& readings_;
    const double odometer_;
    double due_ = odometer_;  // of what is not proved at all: just before now
    const std::uint32_t call_;
    int deepest_ = 0;
    Limit limit_;
    BvttNote& note_;
    const Counts& counts_;
    std::vector<std::int32_t> stack_, again_, seen_;
    std::int32_t current_ = -1;

    /// A little less than the odometer will show when the gap is used up; at least now it is apart.
    double until(double gap) const {
        const double sum = odometer_ + gap;
        return std::max(odometer_, sum - 1e-15 * sum);
    }
    double bound(int lane) const { return std::sqrt(double(note_.bound2[lane])) * (1 - 1e-7); }

    /// Which of two volumes is opened may change when they do.
    template <class Fan>
    bool is_same(const Fan& fan) const {
        const int lane = __builtin_ctz(fan.valid() | 256u);
        if (lane >= tree_.width()) return false;
        const BvttNode& n = tree_[tree_[current_].first + lane];
        const Pair pair = fan.child(lane, 0);
        return n.state != BvttNode::none && n.a == pair.a && n.b == pair.b;
    }
    template <class Fan>
    std::int32_t child(const Fan& fan, int lane, bool fresh) {
        const std::int32_t index = tree_[current_].first + lane;
        if (!fresh) return index;
        const Pair pair = fan.child(lane, 0);
        tree_.set_pair(index, pair, counts_(pair.a, pair.b));
        tree_[index].proved = tree_[current_].proved;
        return index;
    }
    template <class Fan>
    void offer(const Fan& fan, int lane, bool fresh) {
        const std::int32_t index = child(fan, lane, fresh);
        const BvttNode::State was = tree_[index].state;
        const bool measured = (was == BvttNode::leaf_apart || was == BvttNode::hit) && tree_[index].tested == call_;
        tree_[index].tested = call_;
        if (was == BvttNode::opened || measured) return;
        if (tree_.pairs(index) == 0) return tree_.put(index, BvttNode::apart, BvttNode::always);
        if (was == BvttNode::apart || was == BvttNode::leaf_apart)
            tree_[index].proved = readings_.last_call_within(tree_.holds(index), tree_[index].proved);
        const double gap = bound(lane);
        tree_.put(index, BvttNode::open, gap > 0 ? until(gap) : BvttNode::never);
        ++tree_[index].stamp;
        stack_.push_back(index);
    }
    template <class Fan>
    void rule_out(const Fan& fan, int lane, bool fresh) {
        const std::int32_t index = child(fan, lane, fresh);
        if (tree_[index].state == BvttNode::opened) tree_.collapse(index);
        tree_.put(index, BvttNode::apart, until(bound(lane)));
        tree_[index].tested = tree_[index].proved = call_;
        tree_.enqueue(index, tree_.holds(index));
    }
    /// What was taken up and neither opened nor a leaf was not worth a visit: it stays on the cut.
    void leave_current() {
        if (current_ < 0) return;
        if (note_.leaf) {
            note_.leaf = false;
            tree_[current_].tested = call_;
            if (note_.hit)
                tree_.put(current_, BvttNode::hit, BvttNode::never);
            else
                tree_.put(current_, BvttNode::leaf_apart, until(note_.gap)), tree_[current_].proved = call_;
        }
        if (tree_[current_].state != BvttNode::opened) return_to_cut(current_);
        current_ = -1;
    }
    /// What is not proved at all is due now, behind what has been due for longer, and the last first, as on the stack;
    /// what hit comes first of all.
    void return_to_cut(std::int32_t node) {
        const double holds = tree_.holds(node);
        if (holds != BvttNode::never) return tree_.enqueue(node, holds);
        due_ = std::nextafter(due_, BvttNode::never);
        tree_.enqueue(node, tree_[node].state == BvttNode::hit ? BvttNode::never : due_);
    }
};

}  // namespace elbowroom
