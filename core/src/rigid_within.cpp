#include <algorithm>
#include <numeric>

#include "elbowroom/queries/distance.hpp"
#include "rigid_queries.hpp"

namespace elbowroom {

namespace {

/// Sorts the pairs by their indices, and the distances with them.
void sort_pairs(WithinAnswer& answer) {
    std::vector<std::size_t> order(answer.pairs.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::sort(order.begin(), order.end(),
              [&](std::size_t x, std::size_t y) { return answer.pairs[x] < answer.pairs[y]; });
    WithinAnswer sorted = answer;
    for (std::size_t k = 0; k < order.size(); ++k) {
        sorted.pairs[k] = answer.pairs[order[k]];
        sorted.distances[k] = answer.distances[order[k]];
    }
    answer = std::move(sorted);
}

}  // namespace

WithinAnswer within(const Placed& a, const Placed& b, double reach, const Allowance& allowance) {
    const Ordered o(a, b);
    WithinAnswer answer;
    auto sink = [&](int i, int j, double d) {
        answer.pairs.push_back(o.as_asked(i, j));
        answer.distances.push_back(d);
    };
    with_common_width(*o.first.body, *o.second.body,
                      [&]<int W>(const RigidHierarchy<W>& x, const RigidHierarchy<W>& y) {
                          const RigidLeaves<W> leaves(*o.first.body, *o.second.body, x, y, o.second_to_first, nullptr);
                          WithinReach query(leaves, reach, sink);
                          DepthFirst order;
                          answer.stop = run(x, y, o.second_to_first, query, order, allowance, answer.counters);
                      });
    sort_pairs(answer);
    return answer;
}

}  // namespace elbowroom
