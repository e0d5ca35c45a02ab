// How a chain's tree is searched: across one place of the chain, or all of it.
#pragma once
#include <vector>

#include "elbowroom/pairings/across_frames.hpp"
#include "elbowroom/pairings/run_record.hpp"
#include "elbowroom/traversal/traverse.hpp"

namespace elbowroom {

/// Scratch for the parts into which a change divides the nodes above it, a level each.
struct ChainParting {
    std::vector<BallBoxLanes> left, right;
    explicit ChainParting(const ChainTree& tree) : left(tree.levels() + 1), right(tree.levels() + 1) {}
};

/// Compares what stays with what moves. From the joint upwards: at each level the node above it falls into a part that
/// stays and a part that moves, and what was not compared below is compared. Only scratch is written: nothing is
/// changed. `meeting(level, index)` is told of each node before the pairs that first meet in it are searched.
template <class Query, class Budget, class Meeting>
Stop search_across(const ChainTree& tree, const ChainChange& change, ChainPlaces& places, ChainParting& parts,
                   bool boxes, Query& query, Budget& budget, Counters& counters, Meeting&& meeting) {
    constexpr int size = ChainLeaf::size;
    places.clear(!boxes);
    const AcrossFrames pairing(places, boxes);
    DepthFirst order;
    auto go_on = [&] { return traverse(pairing, query, order, budget, counters); };
    auto offer = [&](const ChainFan& fan) {
        counters.volume_tests += fan.width;
        order.push(fan, query.offers(fan));
    };
    const std::int64_t leaf = change.leaf();
    const Frame map = change.map();
    Frame here;  // of the node, in the common frame: that of the leaf
    const unsigned stays = (2u << change.lane()) - 1, valid = tree.valid(leaf);
    unsigned left = valid & stays;
    // Nothing comes nearer to the pivot of a pure turn.
    if (change.pivot_ball >= leaf * size && length2(change.shift) == 0) left &= ~(1u << change.pivot_ball % size);
    const unsigned right = valid & ~stays;
    // Most of what collides does so here: the bound of the whole leaf is at hand, and tighter ones can wait.
    const BallBox whole = tree.levels() ? tree.node(1, leaf >> 3).bound(int(leaf & 7)) : tree.bound(leaf, valid);
    std::int32_t l = -1, r = -1;
    if (left) l = places.add(tree, 0, leaf, here, whole), places[l].balls = left;
    if (right) r = places.add(tree, 0, leaf, map * here, whole), places[r].balls = right;
    meeting(0, leaf);
    if (l >= 0 && r >= 0) {
        order.push(Pair{l, r, 0});
        if (const Stop stop = go_on(); stop != Stop::exhausted) return stop;
    }
    BallBox left_bound{}, right_bound{};
    if (left) left_bound = tree.bound(leaf, left), ChainPlaces::set_bound(places[l], left_bound);
    if (right) right_bound = tree.bound(leaf, right), ChainPlaces::set_bound(places[r], right_bound);
    for (int k = 1; k <= tree.levels(); ++k) {
        const std::int64_t index = leaf >> 3 * k;
        const ChainNode& n = tree.node(k, index);
        const int c = int(leaf >> 3 * (k - 1)) & 7;
        const Frame child = n.child(c);
        here = here * inverse(child);
        const unsigned before = n.lanes.valid & ((1u << c) - 1), after = n.lanes.valid & (~1u << c);
        BallBoxLanes &lower = parts.left[k], &upper = parts.right[k];
        std::int32_t all_left = -1, all_right = -1;
        if (before || l >= 0) {
            lower = n.lanes, lower.valid = before | unsigned(l >= 0) << c;
            if (l >= 0) set_lane(lower, c, child, left_bound);
            all_left = places.add_part(tree, k, index, here, lower, {});
            places[all_left].child[c] = l;
        }
        if (after || r >= 0) {
            upper = n.lanes, upper.valid = after | unsigned(r >= 0) << c;
            if (r >= 0) set_lane(upper, c, child, right_bound);
            right_bound = ChainTree::bound(upper);
            all_right = places.add_part(tree, k, index, map * here, upper, right_bound);
            places[all_right].child[c] = r;
        }
        meeting(k, index);
        if (before && all_right >= 0) offer(pairing.fan(all_left, all_right, true, before));
        if (l >= 0 && after) offer(pairing.fan(all_right, l, false, after));
        if (const Stop stop = go_on(); stop != Stop::exhausted) return stop;
        if (k < tree.levels() && all_left >= 0) {
            left_bound = ChainTree::bound(lower);
            ChainPlaces::set_bound(places[all_left], left_bound);
        }
        l = all_left, r = all_right;
    }
    return Stop::exhausted;
}

/// The balls [begin, end), all of one link, against everything: what a change of its own shape can have brought
/// together.
template <class Query, class Budget>
Stop search_around(const ChainTree& tree, std::int64_t begin, std::int64_t end, ChainPlaces& places, bool boxes,
                   Query& query, Budget& budget, Counters& counters) {
    constexpr std::int64_t size = ChainLeaf::size;
    places.clear();
    const AcrossFrames pairing(places, boxes);
    DepthFirst order;
    const std::int32_t root = places.add_root(tree, {});
    for (std::int64_t leaf = begin / size; leaf * size < end; ++leaf) {
        unsigned own = tree.valid(leaf);
        if (begin > leaf * size) own &= ~0u << (begin - leaf * size);
        if (end < (leaf + 1) * size) own &= (1u << (end - leaf * size)) - 1;
        const std::int32_t part = places.add(tree, 0, leaf, tree.local_frame(leaf), tree.bound(leaf, own));
        places[part].balls = own;
        order.push(Pair{root, part, 0});
        if (const Stop stop = traverse(pairing, query, order, budget, counters); stop != Stop::exhausted) return stop;
    }
    return Stop::exhausted;
}

/// Pairs of balls that first meet in a node.
inline double pairs_meeting(const ChainTree& tree, int level, std::int64_t index) {
    auto balls = [&](int l, std::int64_t i) {
        const RunRecord r{l, std::int32_t(i)};
        return double(most<std::int64_t>(0, r.end(tree.balls()) - r.begin()));
    };
    auto among = [](double n) { return n * (n - 1) / 2; };
    double sum = among(balls(level, index));
    for (int c = 0; level > 0 && c < 8; ++c) sum -= among(balls(level - 1, 8 * index + c));
    return sum;
}

/// Pairs of balls that a sweep has not looked at: those of the pairs that the order still holds, and of the nodes to
/// come.
inline double left_of_sweep(const ChainTree& tree, ChainPlaces& places, const DepthFirst& order, double done,
                            double here) {
    auto balls = [&](std::int32_t place) {
        const RunRecord r{places[place].level, places[place].index};
        return double(r.end(tree.balls()) - r.begin());
    };
    double left = 0;
    order.each(
        [&](const Pair& p) { left += p.a == p.b ? balls(p.a) * (balls(p.a) - 1) / 2 : balls(p.a) * balls(p.b); });
    const double n = double(tree.balls());
    return left + n * (n - 1) / 2 - done - here;
}

/// Every pair of balls once: those within a leaf, then those whose leaves first meet in a node, from the bottom up and
/// each in the node's own frame, so that neighbours come first and nothing is far from its origin. `left`: pairs of
/// balls that were not looked at when it ended.
template <class Query, class Budget, class Meeting>
Stop sweep_chain(const ChainTree& tree, ChainPlaces& places, bool boxes, Query& query, Budget& budget,
                 Counters& counters, Meeting&& meeting, double* left = nullptr) {
    const AcrossFrames pairing(places, boxes);
    DepthFirst order;
    double done = 0;
    auto end = [&](Stop stop, double meeting_here) {
        if (left) *left = left_of_sweep(tree, places, order, done, meeting_here);
        return stop;
    };
    for (std::int64_t leaf = 0; leaf < tree.leaves(); ++leaf) {
        places.clear();
        const std::int32_t l = places.add(tree, 0, leaf, {}, tree.bound(leaf, tree.valid(leaf)));
        meeting(0, leaf);
        order.push(Pair{l, l, 0});
        const double here = left ? pairs_meeting(tree, 0, leaf) : 0;
        if (const Stop stop = traverse(pairing, query, order, budget, counters); stop != Stop::exhausted)
            return end(stop, here);
        done += here;
    }
    for (int level = 1; level <= tree.levels(); ++level)
        for (std::int64_t index = 0; index < tree.nodes(level); ++index) {
            places.clear();
            const ChainNode& n = tree.node(level, index);
            const std::int32_t all = places.add(tree, level, index, {}, n.bound(0));
            meeting(level, index);
            for (int c = 1; c < 8 && n.lanes.valid >> c & 1; ++c) {
                const ChainFan fan = pairing.fan(all, places.child(all, c), true, (1u << c) - 1);
                counters.volume_tests += fan.width;
                order.push(fan, query.offers(fan));
            }
            const double here = left ? pairs_meeting(tree, level, index) : 0;
            const Stop stop = traverse(pairing, query, order, budget, counters);
            if (stop != Stop::exhausted) return end(stop, here);
            done += here;
        }
    return Stop::exhausted;
}

}  // namespace elbowroom
