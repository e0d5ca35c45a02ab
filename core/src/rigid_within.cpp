#include "elbowroom/queries/distance.hpp"
#include "rigid_queries.hpp"

namespace elbowroom {

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
    sort_together(answer.pairs, answer.distances);
    return answer;
}

}  // namespace elbowroom
