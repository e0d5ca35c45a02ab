#pragma once
#include <concepts>

#include "elbowroom/questions/search.hpp"
#include "elbowroom/volumes/obb_lanes.hpp"

namespace elbowroom {

/// Pairs by numbers that stay the same from call to call, from one root: for searches nearest first and for memories.
template <class S>
concept NumberedSource = requires(const S& s, const Pair& pair) {
    { s.pairing() } -> Pairing;                           // with root(), count(a, b)
    s.leaves();                                           // overlap, nearest, within
    { s.leaf_gap(pair) } -> std::convertible_to<double>;  // how far apart two leaves are, at least
    { s.width() } -> std::convertible_to<int>;            // children of a node, at most
};

/// A numbered source of pairs and a query as a `Search`. `look(pair, note)` says for a memory what a leaf was worth,
/// `limit()` how far apart a pair must be not to matter.
template <NumberedSource Source, class Query, class Look, class Limit>
class ErasedSearch final : public Search {
public:
    ErasedSearch(const Source& source, Query& query, Look look, Limit limit)
        : source_(source), query_(query), look_(look), limit_(limit) {}
    Pair root() const override { return source_.pairing().root(); }
    int width() const override { return source_.width(); }
    double count(std::int32_t a, std::int32_t b) const override { return source_.pairing().count(a, b); }
    double limit() const override { return limit_(); }

private:
    const Source& source_;
    Query& query_;
    Look look_;
    Limit limit_;
    Pair children_[3];

    Kind visit(const Pair& pair) override {
        if (!query_.admits(pair)) return Kind::dropped;
        if (source_.pairing().is_leaf(pair)) return Kind::leaf;
        fill(pair, source_.pairing().open(pair));
        return Kind::opened;
    }
    bool visit_leaf(const Pair& pair, Counters& counters) override {
        query_.leaf(pair, counters);
        if (note) {
            note->leaf = true;
            look_(pair, *note);
        }
        return query_.settled();
    }
    template <class Fan>
    ELBOWROOM_INLINE void fill(const Pair& pair, const Fan& fan) {
        OpenedPair& o = opened_;
        o.width = fan.width;
        o.lanes = fan.valid();
        o.offered = 0;
        query_.offers(fan).each([&](int lane, float bound) {
            o.lane[o.offered] = std::uint8_t(lane);
            o.bound[o.offered++] = bound;
        });
        number_children(pair, fan);
        if (note) record_bounds(fan);
    }
    template <class Fan>
    ELBOWROOM_INLINE void number_children(const Pair& pair, const Fan& fan) {
        if constexpr (requires { fan.count; }) return list_children(fan);
        OpenedPair& o = opened_;
        const int first = __builtin_ctz(o.lanes | 256u);
        const Pair child = fan.child(first, 0);
        o.opens_a = child.a != pair.a;
        o.base = (o.opens_a ? child.a : child.b) - first;
        o.other = o.opens_a ? child.b : child.a;
    }
    /// Of binary trees.
    template <class Fan>
    void list_children(const Fan& fan) {
        for (int k = 0; k < fan.count; ++k) children_[k] = fan.child(k, 0);
        opened_.children = children_;
    }
    template <class Fan>
    ELBOWROOM_INLINE void record_bounds(const Fan& fan) {
        Float8 gap;
        if constexpr (requires { fan.squared_bounds(); })
            fan.squared_bounds().store(note->bound2);
        else
            fan.squared_gaps({}, gap).store(note->bound2);
    }
};

}  // namespace elbowroom
