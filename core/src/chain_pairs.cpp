#include "elbowroom/bodies/chain_pairs.hpp"

#include <algorithm>

#include "elbowroom/queries/distance.hpp"
#include "elbowroom/queries/memory_limit.hpp"

namespace elbowroom {

namespace {

constexpr int size = ChainLeaf::size;

/// Two balls that both moved are found from either side.
void forget_doubles(ChainPairs::List& found) {
    auto place = [](const ValuedPair& p) { return std::pair(p.a, p.b); };
    std::sort(found.begin(), found.end(), [&](const auto& x, const auto& y) { return place(x) < place(y); });
    const auto same = [&](const auto& x, const auto& y) { return place(x) == place(y); };
    found.erase(std::unique(found.begin(), found.end(), same), found.end());
}

}  // namespace

/// Runs search(query, budget, level) with a query that puts every pair within reach into the fresh list of its slot at
/// `level`.
template <class Search>
void ChainPairs::collect(Search&& search) {
    int level = 0;
    std::size_t found = count();
    List* list = nullptr;  // of the last pair: the next mostly is of the same two leaves
    std::int64_t leaf_a = -1, leaf_b = -1;
    auto sink = [&](const NearBalls& n) {
        if (n.a / size != leaf_a || n.b / size != leaf_b)
            leaf_a = n.a / size, leaf_b = n.b / size, list = &fresh(slot(level, leaf_a, leaf_b));
        if ((++found & 0xffff) == 0) refuse_too_many(2 * found, bytes_of_distance);
        list->push_back({std::int32_t(n.a), std::int32_t(n.b), most(0.0, n.gap)});
    };
    ChainLeaves leaves(places_, &exclusion_);
    WithinReach query(leaves, reach_, sink);
    Budget budget;
    search(query, budget, level);
}

void ChainPairs::build() {
    collect([&](auto& query, auto& budget, int& level) {
        std::int64_t index = -1;
        auto keep_all = [&] {
            if (index >= 0) keep(level, index, level == 0 ? 1 : all_slots);
            forget_saved();
        };
        sweep_chain(tree_, places_, boxes_, query, budget, counters_, [&](int l, std::int64_t i) {
            keep_all();
            level = l, index = i;
        });
        keep_all();
    });
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
            level = l, index = i, which = divided_slots(l, nothing.leaf());
            for (unsigned rest = which; rest; rest &= rest - 1) {
                const int k = __builtin_ctz(rest);
                const auto& old = kept(l, i, k).list;
                if (!old) continue;
                List& list = fresh(k);
                list.reserve(old->size() + old->size() / 8);
                for (const ValuedPair& p : *old)
                    if ((p.a < split) == (p.b < split)) list.push_back(p);
            }
        };
        search_across(FramedParts(tree_, nothing, places_, parts_, boxes_), query, budget, counters_, begin);
        keep(level, index, which);
    });
    add_up_above(nothing.leaf());
}

void ChainPairs::update_side(std::int64_t begin, std::int64_t end) {
    auto moved = [&](std::int64_t ball) { return ball >= begin && ball < end; };
    List found;
    auto sink = [&](const NearBalls& n) {
        found.push_back({std::int32_t(least(n.a, n.b)), std::int32_t(most(n.a, n.b)), most(0.0, n.gap)});
    };
    ChainLeaves leaves(places_, &exclusion_);
    WithinReach query(leaves, reach_, sink);
    Budget budget;
    search_around(tree_, begin, end, places_, boxes_, query, budget, counters_);
    forget_doubles(found);
    replace_moved(begin / size, (end - 1) / size, found, moved, [](std::int64_t ball) { return ball / size; });
}

ChainPairs::Snapshot ChainPairs::snapshot() const {
    Snapshot out;
    for (const auto& level : kept_)
        for (const Kept& k : level)
            if (k.list && !k.list->empty()) out.push_back(k.list);
    return out;
}

}  // namespace elbowroom
