#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>

#include "elbowroom/questions/sort_pairs.hpp"

namespace elbowroom {

namespace {

/// Where the pairs of each first number begin.
std::vector<std::uint32_t> begins(const std::vector<PrimitivePair>& pairs, std::int32_t numbers) {
    std::vector<std::uint32_t> out(std::size_t(numbers) + 1);
    for (const PrimitivePair& p : pairs) ++out[std::size_t(p[0]) + 1];
    for (std::size_t i = 1; i < out.size(); ++i) out[i] += out[i - 1];
    return out;
}

/// Room that is not written to before it is used.
template <class T>
class Room {
public:
    explicit Room(std::size_t count) : data_(new T[count]) { prefer_large_pages(data_.get(), count * sizeof(T)); }
    T* operator+(std::size_t i) const { return data_.get() + i; }

private:
    const std::unique_ptr<T[]> data_;
};

/// Second numbers of one first number, and their distances: into the pairs, in order. Each goes to its rank, which is
/// counted, eight numbers against one at a time: that takes fewer steps than comparing one by one. Of equal numbers
/// the earlier comes first. One may read seven numbers behind the last.
void sort_row(std::int32_t first, const std::int32_t* second, const double* gaps, std::size_t count,
              PrimitivePair* pairs, double* distances) {
    using Lanes = std::int32_t __attribute__((vector_size(32)));
    constexpr std::size_t lanes = 8;
    constexpr Lanes number{0, 1, 2, 3, 4, 5, 6, 7};
    for (std::size_t k = 0; k < count; k += lanes) {
        Lanes mine, rank{};
        std::memcpy(&mine, second + k, sizeof mine);
        const std::size_t behind = least(k + lanes, count);
        for (std::size_t j = 0; j < k; ++j) rank -= second[j] <= mine;
        for (std::size_t j = k; j < behind; ++j)
            rank -= (second[j] < mine) | ((second[j] == mine) & (std::int32_t(j - k) < number));
        for (std::size_t j = behind; j < count; ++j) rank -= second[j] < mine;
        for (std::size_t l = 0; k + l < behind; ++l)
            pairs[rank[l]] = {first, mine[l]}, distances[rank[l]] = gaps[k + l];
    }
}

void sort_long_row(std::int32_t first, const std::int32_t* second, const double* gaps, std::size_t count,
                   PrimitivePair* pairs, double* distances) {
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t i, std::uint32_t j) { return second[i] < second[j]; });
    for (std::size_t k = 0; k < count; ++k) pairs[k] = {first, second[order[k]]}, distances[k] = gaps[order[k]];
}

}  // namespace

/// Pairs come as the search finds them, those of one first number at about the same time: they are put together by
/// counting, which stays in the cache, and then those of each number are sorted.
void sort_pairs(std::vector<PrimitivePair>& pairs, std::vector<double>& distances) {
    constexpr std::size_t few = 2048, long_row = 256;
    std::int32_t numbers = 0;
    for (const PrimitivePair& p : pairs) numbers = most(numbers, p[0] + 1);
    const bool counts = pairs.size() >= few && pairs.size() < ~std::uint32_t(0) && distances.size() == pairs.size() &&
                        std::size_t(numbers) <= 4 * pairs.size();
    if (!counts || std::is_sorted(pairs.begin(), pairs.end())) return sort_together(pairs, distances);
    const Room<std::int32_t> second(pairs.size() + 8);
    const Room<double> gaps(pairs.size());
    std::vector<std::uint32_t> place = begins(pairs, numbers);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const std::uint32_t at = place[pairs[i][0]]++;
        *(second + at) = pairs[i][1], *(gaps + at) = distances[i];
    }
    check_interruption();
    for (std::int32_t first = 0; first < numbers; ++first) {
        const std::uint32_t begin = first ? place[first - 1] : 0, count = place[first] - begin;
        if (count == 0) continue;
        (count < long_row ? sort_row : sort_long_row)(first, second + begin, gaps + begin, count, &pairs[begin],
                                                      &distances[begin]);
    }
}

}  // namespace elbowroom
