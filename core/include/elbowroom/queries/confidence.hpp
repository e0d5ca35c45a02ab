// What a BVTT says about how far an unfinished query can be trusted.
#pragma once
#include <cmath>

#include "elbowroom/math/lanes.hpp"
#include "elbowroom/queries/memory.hpp"

namespace elbowroom {

/// Marks the nodes of a cut list that lie in dangerous regions: groups of so many in a row whose depths have a standard
/// deviation above the threshold [Lin2006, IV.A].
inline std::vector<bool> dangerous_nodes(const std::vector<int>& depths, int group, double threshold) {
    std::vector<bool> out(depths.size(), false);
    for (std::size_t begin = 0; begin < depths.size(); begin += group) {
        const std::size_t end = std::min(depths.size(), begin + group);
        double sum = 0, squares = 0;
        for (std::size_t i = begin; i < end; ++i) sum += depths[i], squares += double(depths[i]) * depths[i];
        const double n = double(end - begin), variance = squares / n - (sum / n) * (sum / n);
        if (variance > threshold * threshold)
            for (std::size_t i = begin; i < end; ++i) out[i] = true;
    }
    return out;
}

/// Adds up what a tree shows. What is proved farther apart than `limit` is done with, and so are leaves that this call
/// has measured. The cut may hold tens of thousands of pairs: most are passed over without a look at the node.
class Reckoner {
public:
    Reckoner(const CutMemory& cut, double limit) : cut_(cut), limit_(limit), need_(cut.odometer + limit) {}
    Reckoning all() {
        const std::vector<double>& holds = cut_.now.all_holds();
        Double4 lowest(BvttNode::always);
        const std::size_t fours = holds.size() / 4 * 4;
        for (std::size_t i = 0; i < fours; i += 4) {
            const Double4 four = Double4::load(&holds[i]);
            if (lanes_of(greater(Double4(need_), four)))
                for (std::size_t k = i; k < i + 4; ++k) look(k, holds[k]);
            else
                lowest = least(lowest, four);
        }
        for (std::size_t i = fours; i < holds.size(); ++i) look(i, holds[i]);
        double four[4];
        lowest.store(four);
        for (const double h : four) least_held_ = std::min(least_held_, h);
        return finished();
    }

private:
    const CutMemory& cut_;
    const double limit_, need_;
    Reckoning out_;
    double least_held_ = BvttNode::always, first_expired_ = BvttNode::always;
    std::uint32_t oldest_ = ~0u;  // call at which the oldest of what was found near was last proved

    void look(std::size_t i, double holds) {
        if (holds >= cut_.odometer) least_held_ = std::min(least_held_, holds);
        if (holds >= need_ || cut_.now.pairs(std::int32_t(i)) == 0) return;
        if (limit_ > 0 && measured(cut_.now[std::int32_t(i)])) return;
        out_.open_pairs += cut_.now.pairs(std::int32_t(i)), ++out_.open_nodes;
        if (holds == BvttNode::never) {
            oldest_ = std::min(oldest_, cut_.now[std::int32_t(i)].proved);
        } else {
            first_expired_ = std::min(first_expired_, holds), ++out_.expired;
        }
    }
    bool measured(const BvttNode& n) const {
        return (n.state == BvttNode::leaf_apart || n.state == BvttNode::hit) && n.tested == cut_.calls;
    }
    Reckoning finished() {
        out_.nodes = cut_.now.cut_nodes(), out_.depths = cut_.now.cut_depths(), out_.deepest = cut_.deepest;
        out_.lower = std::max(0.0, least_held_ - cut_.odometer);
        out_.dangerous = out_.nodes, out_.checked = out_.nodes - out_.open_nodes;
        if (first_expired_ < BvttNode::always)
            oldest_ = std::min(oldest_, cut_.readings.last_call_within(first_expired_, 0));
        if (oldest_ != ~0u) out_.age = oldest_ ? std::int64_t(cut_.calls) - oldest_ : -1;
        return out_;
    }
};

/// The nodes in dangerous regions of the last run's cut list, and how many of them this run has proved apart: itself,
/// with a node above it, or with all that lies below it.
class CheckedNodes {
public:
    CheckedNodes(const Bvtt& now, const Bvtt& last, int group, double threshold)
        : now_(now), last_(last), done_(now.size(), false), mark_(last.size(), 0) {
        mark_dangerous(group, threshold);
        mark_done();
    }
    /// (dangerous, of them checked).
    std::array<std::int64_t, 2> count() const {
        std::array<std::int64_t, 2> out{0, 0};
        if (last_.empty()) return out;
        last_.each([&](std::int32_t i) { out[0] += mark_[i]; });
        std::vector<std::array<std::int32_t, 2>> stack{{0, 0}};
        while (!stack.empty()) {
            const auto [was, is] = stack.back();
            stack.pop_back();
            if (done_[is]) {
                out[1] += marked_below(was);
                continue;
            }
            if (last_[was].state != BvttNode::opened || now_[is].state != BvttNode::opened) continue;
            for (int k = 0; k < now_.width(); ++k)
                if (const std::int32_t child = now_[is].first + k; now_[child].twin >= 0)
                    stack.push_back({now_[child].twin, child});
        }
        return out;
    }

private:
    const Bvtt &now_, &last_;
    std::vector<bool> done_;          // everything below is proved apart
    std::vector<std::int64_t> mark_;  // 1 for nodes in dangerous regions

    void mark_dangerous(int group, double threshold) {
        std::vector<int> depths;
        std::vector<std::int32_t> nodes;
        last_.each([&](std::int32_t i) {
            if (last_[i].is_on_cut()) depths.push_back(last_[i].depth), nodes.push_back(i);
        });
        std::vector<bool> dangerous = dangerous_nodes(depths, group, threshold);
        // Where no region is dangerous, all of them count.
        if (std::none_of(dangerous.begin(), dangerous.end(), [](bool b) { return b; }))
            dangerous.assign(nodes.size(), true);
        for (std::size_t k = 0; k < nodes.size(); ++k) mark_[nodes[k]] = dangerous[k];
    }
    void mark_done() {
        std::vector<std::int32_t> order;
        now_.each([&](std::int32_t i) { order.push_back(i); });
        for (const std::int32_t i : order)
            done_[i] = now_[i].state == BvttNode::apart || now_[i].state == BvttNode::leaf_apart ||
                       now_[i].state == BvttNode::opened;
        for (std::size_t k = order.size(); k-- > 1;)
            if (!done_[order[k]]) done_[now_[order[k]].parent] = false;
    }
    std::int64_t marked_below(std::int32_t node) const {
        std::int64_t sum = 0;
        std::vector<std::int32_t> stack{node};
        while (!stack.empty()) {
            const std::int32_t i = stack.back();
            stack.pop_back();
            sum += mark_[i];
            if (last_[i].state != BvttNode::opened) continue;
            for (int k = 0; k < last_.width(); ++k)
                if (last_[last_[i].first + k].state != BvttNode::none) stack.push_back(last_[i].first + k);
        }
        return sum;
    }
};

/// The least gap that a cut still proves for everything on it.
inline double least_gap(CutMemory& cut) {
    double key = BvttNode::never;
    return cut.now.head(key) >= 0 ? std::max(0.0, key - cut.odometer) : far_away;
}

inline double looked_up(const ConfidenceTable& table, const std::array<double, 8>& signs) {
    double score = table.weights[8];
    for (int k = 0; k < 8; ++k) score += table.weights[k] * signs[k];
    if (!(score > table.knots.front())) return table.values.front();
    if (score >= table.knots.back()) return table.values.back();
    const auto above = std::upper_bound(table.knots.begin(), table.knots.end(), score);
    const std::size_t k = std::size_t(above - table.knots.begin());
    const double low = table.knots[k - 1], high = table.knots[k], t = (score - low) / (high - low);
    return table.values[k - 1] + t * (table.values[k] - table.values[k - 1]);
}

/// What a recorded answer is worth, and what the memory keeps of it.
inline Worth conclude(QueryMemory& memory, const Reckoning& r, bool hit, bool finished, bool limited) {
    Worth worth;
    const double checked = r.dangerous > 0 ? double(r.checked) / double(r.dangerous) : 0;
    const bool resumes = memory.method == MemoryMethod::from_cut;
    // Proofs that are carried over need no product over the runs.
    const double paper = finished ? 1 : (resumes ? checked : checked * memory.confidence);
    worth.given = worth.has_signs = true;
    worth.covered = r.covered(), worth.lower = r.lower;
    worth.signs = {worth.covered,
                   checked,
                   paper,
                   std::log1p(double(r.open_nodes)),
                   r.deepest / 32.0,
                   r.nodes > 0 ? double(r.depths) / double(r.nodes) / 32 : 0,
                   double(memory.hit_before),
                   r.open_nodes > 0 ? double(r.expired) / double(r.open_nodes) : 0};
    worth.confidence = finished ? 1 : (limited && !memory.table.empty() ? looked_up(memory.table, worth.signs) : paper);
    memory.whole = r.pairs, memory.confidence = paper, memory.hit_before = hit, memory.recorded = true;
    memory.age = finished && !hit ? 0 : r.age;
    return worth;
}

}  // namespace elbowroom
