// A mesh and itself, as the questions see it.
#include <limits>

#include "elbowroom/narrow/triangle_neighbours.hpp"
#include "elbowroom/pairings/within_tree.hpp"
#include "elbowroom/questions/collide.hpp"
#include "elbowroom/questions/distance.hpp"
#include "elbowroom/questions/within.hpp"
#include "rigid_pair.hpp"

namespace elbowroom {

namespace {

/// What two leaves of one mesh mean. Triangles that share a corner or an edge count if they overlap beyond it.
template <int Width>
class RigidSelfLeaves {
public:
    RigidSelfLeaves(const RigidBody& body, const RigidHierarchy<Width>& h, const RigidLeaves<Width>& general)
        : body_(body), h_(h), general_(general) {}

    enum class Verdict { compared, neighbours, overlap };
    Verdict judge(int i, int j) const {
        const TriangleNeighbours pair(body_.primitive(i).points, body_.primitive(j).points, general_.scale());
        if (!pair.share()) return Verdict::compared;
        return pair.overlap() ? Verdict::overlap : Verdict::neighbours;
    }
    bool overlap_of(int i, int j) const {
        const Verdict v = judge(i, j);
        return v == Verdict::overlap || (v == Verdict::compared && general_.overlap_of(i, j));
    }
    template <class Sink>
    bool overlap(const Pair& pair, Counters& counters, Sink& sink) const {
        auto judged = [&](int i, int j) {
            if (judge(i, j) == Verdict::neighbours) return false;
            return sink(least(i, j), most(i, j));
        };
        if (const TriangleQuads* const quads = quads_of(pair, counters)) {
            for (unsigned rest = overlapping_lanes(*quads, general_.margin()) & lanes_; rest; rest &= rest - 1)
                if (judged(item_a(__builtin_ctz(rest)), item_b(__builtin_ctz(rest)))) return true;
            return false;
        }
        return each_pair(pair, counters,
                         [&](int i, int j) { return overlap_of(i, j) && sink(least(i, j), most(i, j)); });
    }
    void nearest(const Pair& pair, Counters& counters, NearestPrimitives& best) const {
        if (const TriangleQuads* const quads = quads_of(pair, counters)) {
            double d2[4];
            squared_distances(*quads, best.upper2, general_.margin()).store(d2);
            for (unsigned rest = lanes_; rest; rest &= rest - 1)
                if (const int lane = __builtin_ctz(rest); d2[lane] < best.upper2)
                    nearest_of(item_a(lane), item_b(lane), best);
            return;
        }
        each_pair(pair, counters, [&](int i, int j) { return nearest_of(i, j, best), false; });
    }
    void nearest_of(int i, int j, NearestPrimitives& best) const {
        const Verdict v = judge(i, j);
        if (v == Verdict::compared) return general_.nearest_of(i, j, best);
        if (v == Verdict::overlap && best.upper2 > 0) best.upper2 = 0, best.a = i, best.b = j, best.measured = false;
    }
    template <class Sink>
    void within(const Pair& pair, double reach, Counters& counters, Sink& sink) const {
        auto take = [&](int i, int j, double d) { sink(least(i, j), most(i, j), d); };
        if (const TriangleQuads* const quads = quads_of(pair, counters)) {
            double d2[4];
            squared_distances(*quads, reach * reach, general_.margin()).store(d2);
            for (unsigned rest = lanes_; rest; rest &= rest - 1) {
                const int lane = __builtin_ctz(rest), i = item_a(lane), j = item_b(lane);
                if (const double d = std::sqrt(d2[lane]); d <= reach && judge(i, j) != Verdict::neighbours)
                    take(i, j, d);
            }
            return;
        }
        each_pair(pair, counters, [&](int i, int j) {
            const Verdict v = judge(i, j);
            if (v == Verdict::overlap) return take(i, j, 0.0), false;
            if (v == Verdict::neighbours) return false;
            if (const HullDistance d = distance_hull_hull(general_.hulls(i, j), reach); d.upper <= reach)
                take(i, j, d.upper);
            return false;
        });
    }

private:
    const RigidBody& body_;
    const RigidHierarchy<Width>& h_;
    const RigidLeaves<Width>& general_;
    // Of the last two leaves of plain triangles.
    mutable std::optional<TriangleQuads> quads_;
    mutable const std::int32_t *items_a_ = nullptr, *items_b_ = nullptr;
    mutable unsigned lanes_ = 0;

    const TreeLeaf& leaf(std::int32_t record) const { return h_.tree.leaves[h_.tree.records[record].leaf()]; }
    int item_a(int lane) const { return items_a_[lane >> 1]; }
    int item_b(int lane) const { return items_b_[lane & 1]; }

    /// Two different leaves of plain triangles, at most two in each; null: others.
    ELBOWROOM_INLINE const TriangleQuads* quads_of(const Pair& pair, Counters& counters) const {
        const int x = h_.tree.records[pair.a].leaf(), y = h_.tree.records[pair.b].leaf();
        const TreeLeaf &a = h_.tree.leaves[x], &b = h_.tree.leaves[y];
        if (x == y || !h_.plain[x] || !h_.plain[y] || a.count > 2 || b.count > 2) return nullptr;
        counters.leaf_tests += a.count * b.count;
        items_a_ = &h_.tree.order[a.first], items_b_ = &h_.tree.order[b.first];
        lanes_ = (a.count == 2 ? 15u : 3u) & (b.count == 2 ? 15u : 5u);
        const Rigid here;
        return &quads_.emplace(h_.triangles[x], h_.triangles[y], here, nullptr);
    }
    /// Calls f(i, j) for all pairs of two leaves, or of one and itself, until it has seen enough.
    template <class F>
    bool each_pair(const Pair& pair, Counters& counters, F&& f) const {
        const TreeLeaf &a = leaf(pair.a), &b = leaf(pair.b);
        Poll poll(256);
        for (int k = 0; k < a.count; ++k)
            for (int l = pair.a == pair.b ? k + 1 : 0; l < b.count; ++l) {
                poll();
                ++counters.leaf_tests;
                if (f(h_.tree.order[a.first + k], h_.tree.order[b.first + l])) return true;
            }
        return false;
    }
};

template <int Width>
class RigidSelfPair : public RigidPair<Width> {
public:
    using Across = RigidPair<Width>;
    using Best = NearestPrimitives;

    RigidSelfPair(const Ordered& o, const RigidHierarchy<Width>& h, CutMemory* memory)
        : Across(o, h, h, memory, nullptr),
          body_(*o.first.body),
          h_(h),
          pairing_(h.tree),
          leaves_(body_, h, Across::leaves()) {}

    const RigidSelfPair& numbered() const { return *this; }
    const RigidSelfLeaves<Width>& leaves() const { return leaves_; }
    const auto& pairing() const { return pairing_; }
    bool single() const { return h_.tree.root().is_leaf(); }
    template <class Query>
    Stop sweep(Query& query, Budget& budget, Counters& counters, double* left) const {
        const WithinTree<typename Across::Tree> own(h_.tree);
        return sweep_pairs(own, query, budget, counters, left);
    }
    double leaf_gap(const Pair& pair) const {
        Best nearest;
        Counters nothing;
        leaves_.nearest(pair, nothing, nearest);
        if (nearest.a < 0) return far_away;
        return most(0.0, least(std::sqrt(nearest.upper2) - Across::slack(), nearest.lower));
    }
    double total() const { return 0.5 * body_.count() * (body_.count() - 1.0); }

    void any_pair(Best& best, Counters& counters) const {
        Poll poll;
        for (int i = 0; i < body_.count(); ++i)
            for (int j = i + 1; j < body_.count(); ++j) {
                poll();
                if (leaves_.judge(i, j) == RigidSelfLeaves<Width>::Verdict::neighbours) continue;
                ++counters.leaf_tests;
                return leaves_.nearest_of(i, j, best);
            }
    }
    void recall_nearest(Best& best, Counters& counters) const {
        if (!recalls(Across::memory())) return;
        ++counters.leaf_tests;
        leaves_.nearest_of(Across::memory()->a, Across::memory()->b, best);
    }
    bool recalls_overlap(Counters& counters) const {
        ++counters.leaf_tests;
        return leaves_.overlap_of(Across::memory()->a, Across::memory()->b);
    }
    bool overlap_is_likely(const Best&) const { return false; }

private:
    const RigidBody& body_;
    const RigidHierarchy<Width>& h_;
    const WithinTree<typename Across::Tree> pairing_;
    const RigidSelfLeaves<Width> leaves_;
};

/// What a memory keeps of a body and itself: the body that is moved is another one.
template <class Options>
CutMemory* recalled_self(const RigidBody& body, const Options& options) {
    if (!options.memory) return nullptr;
    CutMemory& cut = options.memory->begin(body.identity(), 0);
    cut.placed = true;
    return &cut;
}

template <class Options, class Ask>
auto with_self_pair(const RigidBody& body, const Options& options, Ask&& ask) {
    const Ordered o({&body, {}}, {&body, {}});
    CutMemory* const memory = recalled_self(body, options);
    auto with = [&]<int W>(const RigidHierarchy<W>& h) {
        RigidSelfPair<W> pair(o, h, memory);
        return ask(pair);
    };
    return body.wide().empty() ? with(body.binary()) : with(body.wide());
}

}  // namespace

CollideAnswer self_collide(const RigidBody& body, const CollideOptions& options) {
    return with_self_pair(body, options, [&](auto& pair) { return questions::collide(pair, options); });
}

DistanceAnswer self_distance(const RigidBody& body, const DistanceOptions& options) {
    DistanceAnswer answer =
        with_self_pair(body, options, [&](auto& pair) { return questions::distance(pair, options); });
    if (answer.pair[1] < answer.pair[0])
        answer.pair = {answer.pair[1], answer.pair[0]}, std::swap(answer.on_a, answer.on_b);
    // Every triangle is a neighbour of every other.
    if (answer.pair[0] < 0 && answer.stop == Stop::exhausted && options.above >= far_away)
        answer.lower = answer.upper = std::numeric_limits<double>::infinity();
    return answer;
}

WithinAnswer self_within(const RigidBody& body, const WithinOptions& options) {
    return with_self_pair(body, options, [&](auto& pair) { return questions::within(pair, options); });
}

}  // namespace elbowroom
