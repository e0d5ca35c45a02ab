// How a chain's tree is searched: across one place of the chain, or all of it.
#pragma once
#include <vector>

#include "elbowroom/bodies/chain_parts.hpp"
#include "elbowroom/pairings/run_record.hpp"
#include "elbowroom/traversal/traverse.hpp"

namespace elbowroom {

/// Compares what stays with what moves. From the joint upwards: at each level the node above it falls into a part that
/// stays and a part that moves, and what was not compared below is compared. Only scratch is written: nothing is
/// changed. `meeting(level, index)` is told of each node before the pairs that first meet in it are searched. With
/// `looked`, a look at the joint's own leaf has found nothing there.
template <class Parts, class Query, class Meeting>
Stop search_across(Parts parts, Query& query, Budget& budget, Counters& counters, Meeting&& meeting,
                   bool looked = false) {
    const auto pairing = parts.pairing();
    DepthFirst order;
    auto go_on = [&] { return traverse(pairing, query, order, budget, counters); };
    auto offer = [&](const auto& fan) {
        counters.volume_tests += fan.width;
        order.push(fan, query.offers(fan));
    };
    parts.place_leaf(!looked);
    meeting(0, parts.leaf());
    if (parts.left >= 0 && parts.right >= 0 && !looked) {
        order.push(Pair{parts.left, parts.right, 0});
        if (const Stop stop = go_on(); stop != Stop::exhausted) return stop;
        parts.bound_leaf();
    }
    for (int k = 1; k <= parts.levels(); ++k) {
        parts.divide(k);
        meeting(k, parts.leaf() >> 3 * k);
        parts.offer(offer);
        if (const Stop stop = go_on(); stop != Stop::exhausted) return stop;
        if (k < parts.levels()) parts.bound(k);
    }
    return Stop::exhausted;
}

/// The balls [begin, end), all of one link, against everything: what a change of its own shape can have brought
/// together.
template <class Query>
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
template <class Query, class Meeting>
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
