#include "elbowroom/motion/motion_answer_state.hpp"

#include <stdexcept>

namespace elbowroom {

ResultState state_of(const MotionAnswer& a) {
    const Counters& c = a.counters;
    ResultState out{{int(a.verdict), a.out_of_budget + 2 * a.loose, a.piece_a, a.piece_b, a.pair[0], a.pair[1],
                     std::int64_t(a.distance_calls), std::int64_t(c.volume_tests), std::int64_t(c.leaf_tests),
                     std::int64_t(c.pairs_visited)},
                    {a.before, a.at, a.closest, a.on_a.x, a.on_a.y, a.on_a.z, a.on_b.x, a.on_b.y, a.on_b.z}};
    for (const MotionInterval& i : a.intervals) out.real.insert(out.real.end(), {i.from, i.to, i.at});
    return out;
}

MotionAnswer motion_answer_of(const ResultState& state) {
    const std::vector<std::int64_t>& n = state.whole;
    const std::vector<double>& r = state.real;
    if (n.size() != 10 || n[0] < 0 || n[0] > 2 || r.size() < 9 || r.size() % 3)
        throw std::invalid_argument("this is no answer about a motion");
    MotionAnswer a;
    a.verdict = MotionAnswer::Verdict(n[0]);
    a.out_of_budget = n[1] & 1;
    a.loose = n[1] & 2;
    a.piece_a = std::int32_t(n[2]);
    a.piece_b = std::int32_t(n[3]);
    a.pair = {std::int32_t(n[4]), std::int32_t(n[5])};
    a.distance_calls = std::uint64_t(n[6]);
    a.counters = {std::uint64_t(n[7]), std::uint64_t(n[8]), std::uint64_t(n[9])};
    a.before = r[0];
    a.at = r[1];
    a.closest = r[2];
    a.on_a = {r[3], r[4], r[5]};
    a.on_b = {r[6], r[7], r[8]};
    for (std::size_t i = 9; i < r.size(); i += 3) a.intervals.push_back({r[i], r[i + 1], r[i + 2]});
    return a;
}

}  // namespace elbowroom
