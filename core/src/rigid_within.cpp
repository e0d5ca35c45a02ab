#include "elbowroom/queries/distance.hpp"
#include "rigid_queries.hpp"

namespace elbowroom {

namespace {

template <int Width, class Leaves, class Sink>
void search(const Ordered& o, const RigidHierarchy<Width>& x, const RigidHierarchy<Width>& y, const Leaves& leaves,
            Sink& sink, const WithinOptions& options, CutMemory* cut, WithinAnswer& answer) {
    const AcrossTwo<typename RigidHierarchy<Width>::Tree> pairing(x.tree, y.tree, o.second_to_first);
    const bool limited = !options.allowance.unlimited();
    if (cut && options.memory->records(!limited)) {
        RememberedRun run(*cut, *options.memory, pairing, leaves, Pair{0, 0, 0}, Width);
        return run.within(sink, 2 * leaves.margin(), options, answer);
    }
    WithinReach query(leaves, options.reach, sink);
    DepthFirst order;
    answer.stop = run(x, y, o.second_to_first, query, order, options.allowance.for_many(), answer.counters);
    if (!limited) return;
    const double left = pairs_left(order, [&](std::int32_t i, std::int32_t j) { return pairing.count(i, j); });
    state_covered(left, pairing.count(0, 0), answer);
}

}  // namespace

WithinAnswer within(const Placed& a, const Placed& b, const WithinOptions& options) {
    Ordered o(a, b);
    CutMemory* const cut = recalled(options, o);
    WithinAnswer answer;
    auto sink = [&](int i, int j, double d) {
        check_memory_for(answer.pairs, bytes_of_distance);
        answer.pairs.push_back(o.as_asked(i, j));
        answer.distances.push_back(d);
    };
    with_common_width(*o.first.body, *o.second.body,
                      [&]<int W>(const RigidHierarchy<W>& x, const RigidHierarchy<W>& y) {
                          const RigidLeaves<W> leaves(*o.first.body, *o.second.body, x, y, o.second_to_first, nullptr);
                          search(o, x, y, leaves, sink, options, cut, answer);
                      });
    sort_together(answer.pairs, answer.distances);
    return answer;
}

}  // namespace elbowroom
