// Do two bodies overlap, and where?
#pragma once
#include <algorithm>

#include "elbowroom/queries/overlap.hpp"
#include "elbowroom/questions/body_pair.hpp"
#include "elbowroom/questions/coverage.hpp"
#include "elbowroom/questions/erased_search.hpp"

namespace elbowroom::questions {

template <BodyPair Bodies>
class Collide {
public:
    Collide(Bodies& bodies, const CollideOptions& options, CollideAnswer& answer)
        : bodies_(bodies),
          options_(options),
          answer_(answer),
          cut_(bodies.memory()),
          all_(options.every || options.depth),
          recorded_(records(cut_, options)) {}

    void run() {
        const double whole = bodies_.total();
        if (whole > 0) search();
        finish();
        state_worth(cut_, recorded_, options_, answer_.hit, left_, most(whole, 1.0), answer_);
    }

private:
    Bodies& bodies_;
    const CollideOptions& options_;
    CollideAnswer& answer_;
    CutMemory* const cut_;
    const bool all_, recorded_;
    double left_ = 0;  // pairs of primitives that were not looked at

    std::size_t bytes_each() const { return options_.depth ? bytes_of_contact : bytes_of_pair; }
    Allowance allowance() const { return all_ ? options_.allowance.for_many() : options_.allowance; }

    void search() {
        const bool recalled = recall();
        if constexpr (requires { bodies_.numbered(); })
            if (recorded_) return search_recorded(recalled);
        if (recalled) return void(answer_.stop = Stop::settled);
        if constexpr (requires { bodies_.first_overlap(answer_); })
            if (!all_ && options_.allowance.unlimited()) return bodies_.first_overlap(answer_);
        OverlapSink sink(answer_.pairs, all_, bytes_each());
        if constexpr (requires { bodies_.single(); })
            if (bodies_.single() && options_.allowance.unlimited()) return search_single(sink);
        Overlap query(bodies_.leaves(), sink);
        Budget budget(allowance());
        answer_.stop = bodies_.sweep(query, budget, answer_.counters, budget.limited() ? &left_ : nullptr);
    }
    void search_single(OverlapSink& sink) {
        const bool settled = bodies_.leaves().overlap(Pair{0, 0, 0}, answer_.counters, sink);
        answer_.stop = settled ? Stop::settled : Stop::exhausted;
    }
    /// What decided the last question is tried first, unless the paper's way was asked for.
    bool recall() {
        if constexpr (requires { bodies_.recalls_overlap(answer_.counters); }) {
            if (all_ || !cut_ || cut_->a < 0 || options_.allowance.tests == 0) return false;
            if (recorded_ && options_.memory->method != MemoryMethod::from_cut) return false;
            if (!bodies_.recalls_overlap(answer_.counters)) return false;
            answer_.pairs.push_back({cut_->a, cut_->b});
            return true;
        }
        return false;
    }
    /// If the question is settled already, the cut is only looked at.
    [[gnu::noinline]] void search_recorded(bool settled) {
        const auto& source = bodies_.numbered();
        std::vector<PrimitivePair>& found = answer_.pairs;
        OverlapSink sink(found, all_, bytes_each());
        Overlap query(source.leaves(), sink);
        std::size_t before = found.size();
        auto look = [&](const Pair& pair, BvttNote& note) {
            note.hit = found.size() > before;
            before = found.size();
            const bool needed = !note.hit && options_.memory->method == MemoryMethod::from_cut;
            note.gap = needed ? source.leaf_gap(pair) : 0;
        };
        ErasedSearch search(source, query, look, [] { return 0.0; });
        Allowance rest = allowance();
        if (settled) rest.tests = 0;
        const RecordedRun run =
            run_recorded(search, *options_.memory, *cut_, options_.cut != nullptr, rest, answer_.counters);
        answer_.stop = settled ? Stop::settled : run.stop;
        answer_.reckoning = run.reckoning;
    }
    void finish() {
        std::vector<PrimitivePair>& pairs = answer_.pairs;
        if (pairs.empty()) return;
        answer_.hit = true;
        if constexpr (requires { bodies_.remember_overlap(pairs[0]); }) bodies_.remember_overlap(pairs[0]);
        if (bodies_.swapped()) swap_pairs(pairs);
        if (pairs.size() > 1) {  // leaves that a memory opened the other way round are met twice
            sort_polled(pairs);
            pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
        }
        if (options_.depth) add_contacts();
    }
    [[gnu::noinline]] void add_contacts() {
        for (const PrimitivePair& p : answer_.pairs) {
            const bool swapped = bodies_.swapped();
            answer_.contacts.push_back(bodies_.contact(p[swapped], p[!swapped]));
            if (swapped) answer_.contacts.back().normal = -answer_.contacts.back().normal;
        }
        if (!options_.every) keep_deepest(answer_);
    }
};

template <BodyPair Bodies>
CollideAnswer collide(Bodies& bodies, const CollideOptions& options) {
    CollideAnswer answer;
    Collide<Bodies>(bodies, options, answer).run();
    return answer;
}

}  // namespace elbowroom::questions
