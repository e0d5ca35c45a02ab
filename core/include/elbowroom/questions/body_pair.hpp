// What a question needs to know of the bodies that it is asked of.
#pragma once
#include <concepts>
#include <vector>

#include "elbowroom/narrow/near_balls.hpp"
#include "elbowroom/queries/answers.hpp"
#include "elbowroom/queries/offers.hpp"
#include "elbowroom/traversal/traverse.hpp"
#include "elbowroom/volumes/obb_lanes.hpp"

namespace elbowroom {

/// Two placed bodies in an order of their own, or one body and itself. `sweep` takes a query through all pairs, depth
/// first; if it ends early, `left` becomes the pairs of primitives that it did not look at. Most have `numbered()` too,
/// a NumberedSource of the same pairs. What else a pair of bodies may offer: `nearest` and `first_overlap`, which
/// answer a question without a budget; `recall_nearest` and `recalls_overlap`, which try what decided the last one,
/// with `remember_nearest` and `remember_overlap`; `single`, if there is one pair of leaves; `overlap_is_likely` and
/// `take_overlap`, if a distance should begin with a search for an overlap.
template <class B>
concept BodyPair = requires(B& bodies, const B& b, typename B::Best& best, Counters& counters, std::int64_t i) {
    b.leaves();                                         // leaf kernels of the sweep
    { b.total() } -> std::convertible_to<double>;       // pairs of primitives; 0: nothing is ever compared
    { b.swapped() } -> std::convertible_to<bool>;       // the caller's second body comes first
    { b.memory() } -> std::same_as<CutMemory*>;         // what a memory keeps of them; null: nothing
    { b.slack() } -> std::convertible_to<double>;       // what rounding may add to a distance
    { b.tolerance() } -> std::convertible_to<double>;   // bounds of a distance that differ by more are loose
    { b.found(best) } -> std::same_as<PrimitivePair>;   // the primitives of the best, or -1
    { b.measure(best) } -> std::same_as<HullDistance>;  // bounds of all that was looked at, points in the world
    { b.contact(i, i) } -> std::same_as<HullContact>;   // in the world
    { b.closest(i, i) } -> std::same_as<HullDistance>;  // of two primitives, in the world
    b.any_pair(best, counters);                         // gives an upper bound when nothing was found
};

/// What most pairs of bodies leave as it is.
class PlainBodyPair {
public:
    PlainBodyPair(CutMemory* memory, bool swapped) : memory_(memory), swapped_(swapped) {}
    CutMemory* memory() const { return memory_; }
    bool swapped() const { return swapped_; }
    double tolerance() const { return far_away; }
    LinearMaps maps() const { return {}; }

protected:
    CutMemory* const memory_;

private:
    const bool swapped_;
};

/// Puts what a search starts with into an order: the root, or the root of one tree against that of the other.
template <class Pairing, class Query, class Order>
ELBOWROOM_INLINE void start(const Pairing& pairing, const Query& query, Order& order, Counters& counters) {
    if constexpr (requires { pairing.roots(); }) {
        const auto roots = pairing.roots();
        ++counters.volume_tests;
        order.push(roots, query.offers(roots));
    } else {
        order.push(pairing.root());
    }
}

/// Pairs of primitives below the pairs that an order still holds.
template <class Order, class Pairing>
double pairs_left(const Order& order, const Pairing& pairing) {
    double sum = 0;
    order.each([&](const Pair& p) { sum += pairing.count(p.a, p.b); });
    return sum;
}

/// Depth first, from the pairs that lie in the order.
template <class Pairing, class Query>
Stop sweep_from(DepthFirst& order, const Pairing& pairing, Query& query, Budget& budget, Counters& counters,
                double* left) {
    const Stop stop = traverse(pairing, query, order, budget, counters);
    if (left && stop != Stop::exhausted) *left = pairs_left(order, pairing);
    return stop;
}

/// Depth first, from what a pairing starts with.
template <class Pairing, class Query>
Stop sweep_pairs(const Pairing& pairing, Query& query, Budget& budget, Counters& counters, double* left) {
    DepthFirst order;
    start(pairing, query, order, counters);
    return sweep_from(order, pairing, query, budget, counters, left);
}

/// Takes the pairs that overlap, as any leaf kernel gives them; true when they are enough.
class OverlapSink {
public:
    OverlapSink(std::vector<PrimitivePair>& found, bool all, std::size_t bytes_each)
        : found_(found), all_(all), bytes_each_(bytes_each) {}
    /// Not inlined: tests of leaves, most of which find nothing, are shorter without it.
    [[gnu::noinline]] bool operator()(std::int64_t i, std::int64_t j) const {
        check_memory_for(found_, bytes_each_);
        found_.push_back({std::int32_t(i), std::int32_t(j)});
        return !all_;
    }
    ELBOWROOM_INLINE bool operator()(const NearBalls& n) const { return (*this)(n.a, n.b); }

private:
    std::vector<PrimitivePair>& found_;
    const bool all_;
    const std::size_t bytes_each_;
};

}  // namespace elbowroom
