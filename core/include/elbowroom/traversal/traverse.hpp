#pragma once
#include <concepts>

#include "elbowroom/interruption.hpp"
#include "elbowroom/traversal/budget.hpp"
#include "elbowroom/traversal/order.hpp"
#include "elbowroom/traversal/pair.hpp"

namespace elbowroom {

/// PAIRING: which pairs lie below a pair. `open` gives a fan: one node against all children of another.
template <class P>
concept Pairing = requires(const P& p, const Pair& pair) {
    { p.is_leaf(pair) } -> std::convertible_to<bool>;
    p.open(pair);
};

/// QUERY: which children of a fan are worth a visit, whether a pair still is, what two leaves mean, and is it settled.
template <class Q, class P>
concept PairQuery = requires(Q& q, const P& pairing, const Pair& pair, Counters& counters) {
    q.offers(pairing.open(pair));
    { q.admits(pair) } -> std::convertible_to<bool>;
    q.leaf(pair, counters);
    { q.settled() } -> std::convertible_to<bool>;
};

/// The only pair traversal of the library. The pairs to start with lie in `order`; those left when the budget ends, or
/// when the question is settled (and the pair that settled it), are the cut from which it could go on.
template <Pairing P, class Q, class Order>
    requires PairQuery<Q, P>
Stop traverse(const P& pairing, Q& query, Order& order, Budget& budget, Counters& counters) {
    const bool limited = budget.limited();  // in a register: a budget that is none costs nothing
    while (!order.empty()) {
        if (limited && !budget.allows(counters)) return Stop::out_of_budget;
        const Pair pair = order.pop();
        // The counters go on from one traversal of a query to the next, so that many short ones are checked as well.
        if ((++counters.pairs_visited & 1023) == 0) [[unlikely]]
            check_interruption();
        if (!query.admits(pair)) continue;  // the answer improved since this was offered
        if (pairing.is_leaf(pair)) {
            query.leaf(pair, counters);
            if (!query.settled()) continue;
            order.put_back(pair);
            return Stop::settled;
        }
        const auto& fan = pairing.open(pair);
        counters.volume_tests += fan.width;
        order.push(fan, query.offers(fan));
    }
    return Stop::exhausted;
}

}  // namespace elbowroom
