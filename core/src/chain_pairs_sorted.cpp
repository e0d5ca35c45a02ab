#include "elbowroom/bodies/chain_pairs_sorted.hpp"

#include <utility>

namespace elbowroom {

namespace {

/// Sorts by one of the two numbers, by counting; what is equal stays in order.
void pass(const std::vector<ValuedPair>& from, std::vector<ValuedPair>& to, std::int32_t last,
          std::int32_t ValuedPair::* key) {
    std::vector<std::uint32_t> begin(std::size_t(last) + 2, 0);
    for (const ValuedPair& p : from) ++begin[p.*key + 1];
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    for (const ValuedPair& p : from) to[begin[p.*key]++] = p;
}

}  // namespace

void sort_pairs(const ChainPairs::Snapshot& lists, const std::vector<std::int32_t>& number,
                std::vector<PrimitivePair>& pairs, std::vector<double>& distances) {
    std::vector<ValuedPair> all;
    std::int32_t last = 0;
    for (const auto& list : lists)
        for (ValuedPair p : *list) {
            if (!number.empty()) p = {number[p.a], number[p.b], p.value};
            if (p.a > p.b) std::swap(p.a, p.b);
            last = most(last, p.b);
            all.push_back(p);
        }
    std::vector<ValuedPair> passed(all.size());
    pass(all, passed, last, &ValuedPair::b);
    pass(passed, all, last, &ValuedPair::a);
    pairs.resize(all.size());
    distances.resize(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        pairs[i] = {all[i].a, all[i].b};
        distances[i] = all[i].value;
    }
}

}  // namespace elbowroom
