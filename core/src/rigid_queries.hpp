// How the parts come together for two rigid bodies; shared by the questions.
#pragma once
#include "elbowroom/bodies/rigid_leaves.hpp"
#include "elbowroom/bodies/rigid_queries.hpp"
#include "elbowroom/pairings/across_two.hpp"
#include "traverse_allowed.hpp"

namespace elbowroom {

/// The two bodies in an order that does not depend on the caller's: by fingerprint, and equal bodies by pose. This
/// makes every answer symmetric to the last bit.
struct Ordered {
    Placed first, second;
    bool swapped;
    Rigid second_to_first;

    Ordered(const Placed& a, const Placed& b) : swapped(comes_before(b, a)) {
        first = swapped ? b : a, second = swapped ? a : b;
        second_to_first = relative(first.pose, second.pose);
    }
    PrimitivePair as_asked(int i, int j) const { return swapped ? PrimitivePair{j, i} : PrimitivePair{i, j}; }

private:
    static bool comes_before(const Placed& x, const Placed& y) {
        if (x.body->fingerprint() != y.body->fingerprint()) return x.body->fingerprint() < y.body->fingerprint();
        for (int i = 0; i < 3; ++i) {
            if (x.pose.translation[i] != y.pose.translation[i]) return x.pose.translation[i] < y.pose.translation[i];
            for (int j = 0; j < 3; ++j)
                if (x.pose.rotation.row[i][j] != y.pose.rotation.row[i][j])
                    return x.pose.rotation.row[i][j] < y.pose.rotation.row[i][j];
        }
        return false;
    }
};

/// Runs `query` over the two trees; `order` keeps the cut when the budget ends.
template <int Width, class Query, class Order>
Stop run(const RigidHierarchy<Width>& a, const RigidHierarchy<Width>& b, const Rigid& b_to_a, Query& query,
         Order& order, const Allowance& allowance, Counters& counters) {
    const AcrossTwo<typename RigidHierarchy<Width>::Tree> pairing(a.tree, b.tree, b_to_a);
    const auto roots = pairing.roots();
    ++counters.volume_tests;
    order.push(roots, query.offers(roots));
    return traverse_allowed(pairing, query, order, allowance, counters);
}

/// Calls f with the hierarchies of the width that both bodies have.
template <class F>
auto with_common_width(const RigidBody& a, const RigidBody& b, F&& f) {
    if (!a.wide().empty() && !b.wide().empty()) return f(a.wide(), b.wide());
    return f(a.binary(), b.binary());
}

/// Recalls the primitives that decided the last query between these two bodies, if it was between them.
inline bool recalls(const QueryMemory* memory, const Ordered& o) {
    return memory && memory->a >= 0 && memory->first == o.first.body->fingerprint() &&
           memory->second == o.second.body->fingerprint();
}
inline void remember(QueryMemory* memory, const Ordered& o, int a, int b, double distance) {
    if (memory) *memory = {o.first.body->fingerprint(), o.second.body->fingerprint(), a, b, distance};
}

}  // namespace elbowroom
