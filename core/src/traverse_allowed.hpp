#pragma once
#include "elbowroom/queries/answers.hpp"
#include "elbowroom/traversal/traverse.hpp"

namespace elbowroom {

/// The traversal with the budget that an allowance stands for.
template <class Pairing, class Query, class Order>
Stop traverse_allowed(const Pairing& pairing, Query& query, Order& order, const Allowance& allowance,
                      Counters& counters) {
    if (allowance.unlimited()) {
        Unlimited budget;
        return traverse(pairing, query, order, budget, counters);
    }
    Limited budget(allowance.tests, allowance.seconds);
    return traverse(pairing, query, order, budget, counters);
}

}  // namespace elbowroom
