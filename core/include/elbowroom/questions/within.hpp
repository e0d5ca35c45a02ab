// All pairs of primitives within reach of each other.
#pragma once
#include "elbowroom/queries/distance.hpp"
#include "elbowroom/questions/body_pair.hpp"
#include "elbowroom/questions/coverage.hpp"
#include "elbowroom/questions/erased_search.hpp"
#include "elbowroom/questions/sort_pairs.hpp"

namespace elbowroom::questions {

/// Takes pairs with their distances, as any leaf kernel gives them.
class ReachSink {
public:
    ReachSink(WithinAnswer& answer, bool points) : answer_(answer), points_(points) {}
    void operator()(std::int64_t i, std::int64_t j, double distance) const {
        check_memory_for(answer_.pairs, points_ ? bytes_of_points : bytes_of_distance);
        if (answer_.distances.capacity() < answer_.pairs.capacity()) [[unlikely]]
            grow_to(answer_.distances, answer_.pairs.capacity());
        answer_.pairs.push_back({std::int32_t(i), std::int32_t(j)});
        answer_.distances.push_back(distance);
    }
    ELBOWROOM_INLINE void operator()(const NearBalls& n) const { (*this)(n.a, n.b, most(0.0, n.gap)); }

private:
    WithinAnswer& answer_;
    const bool points_;
};

template <BodyPair Bodies>
class Within {
public:
    Within(Bodies& bodies, const WithinOptions& options, WithinAnswer& answer)
        : bodies_(bodies), options_(options), answer_(answer), sink_(answer, options.points) {}

    void run() {
        const double whole = bodies_.total();
        const bool recorded = records(bodies_.memory(), options_);
        if (whole > 0) search(recorded);
        if (bodies_.swapped()) swap_pairs(answer_.pairs);
        sort_pairs(answer_.pairs, answer_.distances);
        if (recorded) keep_once(answer_.pairs, answer_.distances);
        if (options_.points) add_points();
        state_worth(bodies_.memory(), recorded, options_, false, left_, most(whole, 1.0), answer_);
    }

private:
    Bodies& bodies_;
    const WithinOptions& options_;
    WithinAnswer& answer_;
    ReachSink sink_;
    double left_ = 0;  // pairs of primitives that were not looked at

    void search(bool recorded) {
        if constexpr (requires { bodies_.numbered(); })
            if (recorded) return search_recorded();
        WithinReach query(bodies_.leaves(), options_.reach, sink_);
        Budget budget(options_.allowance.for_many());
        answer_.stop = bodies_.sweep(query, budget, answer_.counters, budget.limited() ? &left_ : nullptr);
    }
    [[gnu::noinline]] void add_points() {
        Poll poll(1 << 10);
        for (const PrimitivePair& p : answer_.pairs) {
            poll();
            const bool swapped = bodies_.swapped();
            const HullDistance d = bodies_.closest(p[swapped], p[!swapped]);
            const bool apart = d.upper > 0 && !(d.on_a == d.on_b);
            const Vec3 normal =
                apart ? normalised(d.on_b - d.on_a, {0, 0, 1}) : bodies_.contact(p[swapped], p[!swapped]).normal;
            answer_.points.push_back({d.on_a, d.on_b, normal});
            if (swapped) answer_.points.back().swap();
        }
    }
    [[gnu::noinline]] void search_recorded() {
        const auto& source = bodies_.numbered();
        WithinReach query(source.leaves(), options_.reach, sink_);
        auto look = [&](const Pair& pair, BvttNote& note) {
            note.gap = source.leaf_gap(pair);
            note.hit = note.gap == 0;  // too near to tell
        };
        const double limit = options_.reach * (1 + 1e-12) + bodies_.slack();  // the reach itself belongs to it
        ErasedSearch search(source, query, look, [limit] { return limit; });
        const RecordedRun run = run_recorded(search, *options_.memory, *bodies_.memory(), options_.cut != nullptr,
                                             options_.allowance.for_many(), answer_.counters);
        answer_.stop = run.stop;
        answer_.reckoning = run.reckoning;
    }
};

template <BodyPair Bodies>
WithinAnswer within(Bodies& bodies, const WithinOptions& options) {
    WithinAnswer answer;
    Within<Bodies>(bodies, options, answer).run();
    return answer;
}

}  // namespace elbowroom::questions
