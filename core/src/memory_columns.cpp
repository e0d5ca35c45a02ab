#include "elbowroom/queries/bvtt_columns.hpp"

#include <algorithm>

namespace elbowroom {

namespace {

BvttColumns::State state_of(const BvttNode& n, bool proved) {
    switch (n.state) {
        case BvttNode::opened:
            return BvttColumns::opened;
        case BvttNode::hit:
            return BvttColumns::hit;
        case BvttNode::leaf_apart:
            return proved ? BvttColumns::primitives_apart : BvttColumns::open;
        default:
            return proved ? BvttColumns::boxes_apart : BvttColumns::open;
    }
}

}  // namespace

void BvttColumns::add_row(std::int32_t above, int level, int number) {
    parent.push_back(above);
    depth.push_back(level);
    deepest.push_back(level);
    part.push_back(number);
    a.push_back(-1);
    b.push_back(-1);
    state.push_back(opened);
    gap.push_back(0);
    pairs.push_back(0);
}

/// `has_hit`: the last query found one. Else what hit before was not looked at again, and is open.
void BvttColumns::add(const CutMemory& cut, bool has_hit, int number, int depth_below, std::int32_t root) {
    std::vector<std::int32_t> place(cut.now.size(), -1);
    cut.now.each([&](std::int32_t i) {
        const BvttNode& n = cut.now[i];
        place[i] = std::int32_t(parent.size());
        add_row(n.parent < 0 ? root : place[n.parent], n.depth + depth_below, number);
        a.back() = n.a;
        b.back() = n.b;
        pairs.back() = cut.now.pairs(i);
        const bool proved = cut.now.holds(i) >= cut.odometer;
        gap.back() = n.is_on_cut() && proved ? cut.now.holds(i) - cut.odometer : 0;
        state.back() = n.state == BvttNode::hit && !has_hit ? open : state_of(n, proved);
    });
}

/// What no part holds, as one node: boxes have ruled it out.
void BvttColumns::add_rest(double whole, int number) {
    if (state[0] != opened) {
        pairs[0] = whole;
        return;
    }
    double held = 0;
    for (std::size_t i = 1; i < pairs.size(); ++i) held += state[i] != opened ? pairs[i] : 0;
    if (!(whole > held)) return;
    add_row(0, 2, number);
    state.back() = boxes_apart;
    pairs.back() = whole - held;
}

/// An opened pair holds what its children hold.
void BvttColumns::count_upwards() {
    for (std::size_t i = 0; i < parent.size(); ++i)
        if (state[i] == opened) pairs[i] = 0;
    for (std::size_t i = parent.size(); i-- > 0;) {
        if (parent[i] < 0) continue;
        const std::size_t above = std::size_t(parent[i]);
        pairs[above] += pairs[i];
        deepest[above] = std::max(deepest[above], deepest[i]);
    }
}

BvttColumns BvttColumns::of(const QueryMemory& m) {
    BvttColumns out;
    if (!m.cut.now.empty()) {
        out.add(m.cut, m.hit_before, 0, 0, -1);
    } else {
        out.add_row(-1, 1, 0);  // the common root of parts
        if (m.parts.empty() && m.age != 0) out.state.back() = open;
        int number = 0;
        for (const auto& [key, cut] : m.parts) out.add(cut, m.hit_before, number++, 1, 0);
        out.add_rest(m.whole, number);
    }
    out.count_upwards();
    return out;
}

}  // namespace elbowroom
