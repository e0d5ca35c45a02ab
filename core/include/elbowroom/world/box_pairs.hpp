// Which boxes of trees of boxes are near each other.
#pragma once
#include <utility>
#include <vector>

#include "elbowroom/world/box_tree.hpp"

namespace elbowroom {

/// Two nodes of two trees (or of one), each at the level of the other or the root of its tree.
struct NodePair {
    std::int32_t a, b;
};

/// Sweeps over the pairs of items of two trees, or of one tree and itself, that are within reach of each other along
/// every axis: no pair that is within reach is missed.
class BoxPairs {
public:
    BoxPairs(const BoxTree& a, const BoxTree& b, double reach)
        : a_(a), b_(b), self_(&a == &b), reach_(float(reach) * (1 + 1e-6f) + 1e-37f) {
        if (self_ ? a.size() > 1 : a.size() > 0 && b.size() > 0) stack_.push_back({a.root(), b.root()});
    }
    /// Opens pairs of nodes until there are so many that threads can share them, if there ever are.
    std::vector<NodePair> spread(std::size_t wanted, std::uint64_t& tests) {
        std::vector<NodePair> next;
        while (!stack_.empty() && stack_.size() < wanted &&
               a_.node(stack_[0].a).level + b_.node(stack_[0].b).level > 0) {
            next.clear();
            auto none = [](std::int32_t, std::int32_t) {};
            for (const NodePair& p : stack_) open(p, next, none, tests);
            stack_.swap(next);
        }
        return std::move(stack_);
    }
    /// Calls visit(item of a, item of b) for what is below a pair of nodes; of one tree each pair comes once.
    template <class Visit>
    void each(const NodePair& below, Visit&& visit, std::uint64_t& tests) {
        std::vector<NodePair> stack{below};
        while (!stack.empty()) {
            const NodePair p = stack.back();
            stack.pop_back();
            open(p, stack, visit, tests);
        }
    }
    template <class Visit>
    void each(Visit&& visit, std::uint64_t& tests) {
        const std::vector<NodePair> begin = std::move(stack_);
        for (const NodePair& p : begin) each(p, visit, tests);
    }

private:
    const BoxTree &a_, &b_;
    const bool self_;
    const float reach_;
    std::vector<NodePair> stack_;

    /// All pairs that are opened together are of the same levels.
    template <class Visit>
    void open(const NodePair& p, std::vector<NodePair>& stack, Visit&& visit, std::uint64_t& tests) {
        const BoxTree::Node &x = a_.node(p.a), &y = b_.node(p.b);
        if (x.level != y.level) return open_higher(p, x, y, stack, tests);
        const bool itself = self_ && p.a == p.b;
        for (int i = 0; i < x.count; ++i) {
            unsigned lanes = y.near(x.box(i), reach_);
            if (itself) lanes &= x.level > 0 ? ~0u << i : ~1u << i;
            ++tests;
            for (; lanes; lanes &= lanes - 1) {
                const int j = __builtin_ctz(lanes);
                if (x.level > 0)
                    stack.push_back({x.child[i], y.child[j]});
                else
                    visit(x.child[i], y.child[j]);
            }
        }
    }
    void open_higher(const NodePair& p, const BoxTree::Node& x, const BoxTree::Node& y, std::vector<NodePair>& stack,
                     std::uint64_t& tests) {
        const bool first = x.level > y.level;
        const BoxTree::Node& higher = first ? x : y;
        ++tests;
        for (unsigned lanes = higher.near((first ? y : x).whole(), reach_); lanes; lanes &= lanes - 1) {
            const std::int32_t child = higher.child[__builtin_ctz(lanes)];
            stack.push_back(first ? NodePair{child, p.b} : NodePair{p.a, child});
        }
    }
};

/// Calls visit(item) for the items within reach of a box, along every axis.
template <class Visit>
void each_near(const BoxTree& tree, const FloatBox& box, double reach, std::uint64_t& tests, Visit&& visit) {
    if (tree.size() == 0) return;
    const float limit = float(reach) * (1 + 1e-6f) + 1e-37f;
    std::int32_t stack[32 * BoxTree::width];  // a node of each level, and what was opened with it
    int count = 0;
    stack[count++] = tree.root();
    while (count > 0) {
        const BoxTree::Node& node = tree.node(stack[--count]);
        ++tests;
        for (unsigned lanes = node.near(box, limit); lanes; lanes &= lanes - 1) {
            const std::int32_t what = node.child[__builtin_ctz(lanes)];
            node.level > 0 ? void(stack[count++] = what) : visit(what);
        }
    }
}

}  // namespace elbowroom
