// The least distance of members of worlds, nearest first.
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "elbowroom/queries/remaining_budget.hpp"
#include "elbowroom/questions/coverage.hpp"
#include "world_parts.hpp"

namespace elbowroom {

namespace {

class WorldDistance {
public:
    WorldDistance(const WorldPair& pair, const DistanceOptions& options)
        : pair_(pair), options_(options), remaining_(options.allowance), enough_(options.enough >= 0) {}

    WorldDistanceAnswer run() {
        start();
        Poll poll(256);
        while (!heap_.empty()) {
            poll();
            std::pop_heap(heap_.begin(), heap_.end(), later);
            const Entry e = heap_.back();
            heap_.pop_back();
            if (is_known(e)) break;
            if (remaining_.spent(answer_.counters)) {
                out_of_budget(e.gap);
                break;
            }
            ++answer_.counters.pairs_visited;
            e.parts ? measure(e) : open(e);
        }
        finish();
        return std::move(answer_);
    }

private:
    /// Two nodes, or two parts, and how far apart they are at least.
    struct Entry {
        double gap;
        std::int32_t a, b;
        bool parts;
    };
    const WorldPair& pair_;
    const DistanceOptions& options_;
    const RemainingBudget remaining_;
    const bool enough_;
    WorldDistanceAnswer answer_;
    double best_ = far_away, lower_ = far_away;  // of the nearest two; of all that was measured, the nearest included
    bool found_ = false;
    std::vector<Entry> heap_;
    std::set<std::pair<std::int32_t, std::int32_t>> asked_;  // on a budget

    /// Parts first, since they bring the limit down; else a fixed order.
    static bool later(const Entry& x, const Entry& y) {
        if (x.gap != y.gap) return x.gap > y.gap;
        if (x.parts != y.parts) return y.parts;
        return x.a != y.a ? x.a > y.a : x.b > y.b;
    }
    void push(const Entry& e) {
        if (found_ && e.gap > best_) return;
        heap_.push_back(e);
        std::push_heap(heap_.begin(), heap_.end(), later);
    }
    void push_parts(double gap, const PartPair& p) { push({gap, p.a, p.b, true}); }

    /// Nothing that is left can change the answer.
    bool is_known(const Entry& e) const {
        if (!found_) return false;
        return best_ == 0 || e.gap >= best_ || (enough_ && (best_ <= options_.enough || e.gap > options_.enough));
    }

    void start() {
        const BoxTree &x = pair_.a.tree(), &y = pair_.b.tree();
        if (pair_.only < 0 && x.size() > 0 && y.size() > 0) push({0, x.root(), y.root(), false});
        if (pair_.only >= 0) start_member();
        for (const PartPair& p : unbounded_parts(pair_)) push_parts(gap_of(p), p);
    }
    /// From each part of the member the tree is opened; its number stands for the first node.
    void start_member() {
        for (std::int32_t i = pair_.a.member(pair_.only).first_part; i >= 0; i = pair_.a.part(i).next)
            if (pair_.a.tree().has(i)) push({0, i, pair_.a.tree().root(), false});
    }
    double gap_of(const PartPair& p) const {
        const bool a = pair_.a.tree().has(p.a), b = pair_.b.tree().has(p.b);
        if (a && !b) return gap_to_box(pair_.b.part(p.b), pair_.a.tree().box(p.a));
        return b && !a ? gap_to_box(pair_.a.part(p.a), pair_.b.tree().box(p.b)) : 0;
    }

    void open(const Entry& e) {
        const BoxTree &s = pair_.a.tree(), &t = pair_.b.tree();
        const BoxTree::Node& y = t.node(e.b);
        if (pair_.only >= 0) return open_with(s.box(e.a), e.a, y);
        const BoxTree::Node& x = s.node(e.a);
        if (x.level > y.level) return open_first(x, e.b, y.whole());
        const bool itself = pair_.self() && e.a == e.b;
        if (x.level < y.level) return open_against(x.whole(), e.a, y, false, 0);
        for (int i = 0; i < x.count; ++i)
            open_against(x.box(i), x.child[i], y, x.level == 0, itself ? i + (x.level == 0) : 0);
    }
    /// A box of the first tree against the children of a node of the second from lane `from` on.
    void open_against(const FloatBox& box, std::int32_t a, const BoxTree::Node& y, bool parts, int from) {
        alignas(32) float gap2[BoxTree::width];
        ++answer_.counters.volume_tests;
        y.squared_gaps(box, gap2);
        for (int j = from; j < y.count; ++j) push_pair(gap2[j], a, y.child[j], parts);
    }
    void open_first(const BoxTree::Node& x, std::int32_t b, const FloatBox& box) {
        alignas(32) float gap2[BoxTree::width];
        ++answer_.counters.volume_tests;
        x.squared_gaps(box, gap2);
        for (int i = 0; i < x.count; ++i) push_pair(gap2[i], x.child[i], b, false);
    }
    void open_with(const FloatBox& box, std::int32_t part, const BoxTree::Node& y) {
        open_against(box, part, y, y.level == 0, 0);
    }
    void push_pair(float gap2, std::int32_t a, std::int32_t b, bool parts) {
        const double gap = std::sqrt(double(gap2)) * (1 - 1e-6);
        if (!parts) return push({gap, a, b, false});
        const WorldPart &p = pair_.a.part(a), &q = pair_.b.part(b);
        if (!pair_.self()) return push_parts(gap, {a, b});
        if (pair_.only >= 0 && p.member == q.member) return;
        if (!pair_.a.compares(p, q)) return;
        push_parts(gap, pair_.only >= 0 || pair_.a.in_order(p, q) ? PartPair{a, b} : PartPair{b, a});
    }

    void measure(const Entry& e) {
        const PartPair parts{e.a, e.b};
        DistanceOptions one;
        one.enough = options_.enough;
        if (found_) one.above = least(best_ * (1 + 1e-15), far_away);
        one.allowance = remaining_.after(answer_.counters);
        const AskedParts two(pair_, parts);
        const DistanceAnswer d = two.distance(one);
        answer_.counters += d.counters;
        if (remaining_.limited() && d.stop != Stop::out_of_budget) asked_.insert({e.a, e.b});
        lower_ = least(lower_, most(d.lower, e.gap));
        if (d.stop == Stop::out_of_budget) answer_.stop = d.stop;
        if (d.pair[0] < 0 || (found_ && d.upper >= best_)) return;
        found_ = true;
        best_ = d.upper;
        answer_.upper = d.upper;
        answer_.on_a = d.on_a, answer_.on_b = d.on_b;
        answer_.pair = d.pair;
        answer_.members = two.members();
        answer_.loose = d.loose;
    }
    /// What is left is no nearer than the nearest of it.
    void out_of_budget(double gap) {
        answer_.stop = Stop::out_of_budget;
        lower_ = least(lower_, gap);
    }

    void finish() {
        const double whole = remaining_.limited() || !found_ ? all_primitives(pair_) : 1;
        if (!found_) {
            answer_.upper = std::numeric_limits<double>::infinity();
            answer_.lower = answer_.stop == Stop::out_of_budget ? least(lower_, far_away) : answer_.upper;
        } else {
            answer_.lower = most(0.0, least(lower_, best_));
            apply_enough();
        }
        if (!remaining_.limited()) return;
        const bool ended = answer_.stop != Stop::out_of_budget;
        state_covered(ended || best_ == 0 ? 0 : left(), most(whole, 1.0), answer_);
    }
    void apply_enough() {
        const bool farther = enough_ && best_ > options_.enough;
        if (farther) answer_.lower = least(answer_.lower, options_.enough);
        if (best_ == 0 || (enough_ && answer_.stop != Stop::out_of_budget)) answer_.stop = Stop::settled;
        if (answer_.stop == Stop::settled && !farther && best_ > 0) answer_.lower = 0;
    }
    /// Pairs of primitives that may be nearer than the nearest found.
    double left() {
        Counters nothing;
        double sum = 0;
        if (!found_) return all_primitives(pair_);
        for (const PartPair& p : near_parts(pair_, best_, 1, nothing))
            if (!asked_.count({p.a, p.b})) sum += AskedParts(pair_, p).weight();
        return sum;
    }
};

}  // namespace

WorldDistanceAnswer distance(const WorldPair& pair, const DistanceOptions& options) {
    return WorldDistance(pair, options).run();
}

}  // namespace elbowroom
