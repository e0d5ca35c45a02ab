#include <algorithm>

#include "elbowroom/questions/sort_pairs.hpp"

namespace elbowroom {

namespace {

struct Row {
    PrimitivePair pair;
    double distance;
};

/// Where what belongs to each number begins.
std::vector<std::uint32_t> begins(const std::vector<PrimitivePair>& pairs, int side, std::int32_t numbers) {
    std::vector<std::uint32_t> out(std::size_t(numbers) + 1);
    for (const PrimitivePair& p : pairs) ++out[std::size_t(p[side]) + 1];
    for (std::size_t i = 1; i < out.size(); ++i) out[i] += out[i - 1];
    return out;
}

}  // namespace

void sort_pairs(std::vector<PrimitivePair>& pairs, std::vector<double>& distances) {
    constexpr std::size_t few = 2048;
    std::int32_t numbers = 0;
    for (const PrimitivePair& p : pairs) numbers = most(numbers, most(p[0], p[1]) + 1);
    const bool counts = pairs.size() >= few && pairs.size() < ~std::uint32_t(0) && distances.size() == pairs.size() &&
                        std::size_t(numbers) <= 4 * pairs.size();
    if (!counts || std::is_sorted(pairs.begin(), pairs.end())) return sort_together(pairs, distances);
    std::vector<Row> rows(pairs.size());
    std::vector<std::uint32_t> place = begins(pairs, 1, numbers);
    for (std::size_t i = 0; i < pairs.size(); ++i) rows[place[pairs[i][1]]++] = {pairs[i], distances[i]};
    check_interruption();
    place = begins(pairs, 0, numbers);
    for (const Row& row : rows) {
        const std::uint32_t at = place[row.pair[0]]++;
        pairs[at] = row.pair, distances[at] = row.distance;
    }
}

}  // namespace elbowroom
