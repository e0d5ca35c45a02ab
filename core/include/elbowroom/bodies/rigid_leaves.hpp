#pragma once
#include "elbowroom/bodies/rigid_body.hpp"
#include "elbowroom/interruption.hpp"
#include "elbowroom/narrow/distance_hull_hull.hpp"
#include "elbowroom/traversal/pair.hpp"

namespace elbowroom {

/// The nearest primitives found so far.
struct NearestPrimitives {
    double upper2 = far_away * far_away;  // squared distance
    double lower = far_away;              // least lower bound of all pairs looked at by the general kernel
    int a = -1, b = -1;
    bool measured = false;  // by the general kernel, which gives bounds and witness points at once
    HullDistance measure{};
};

/// What two leaves mean, for two rigid bodies in a relative pose: four triangle pairs at once where both leaves are
/// plain triangles, one pair of rounded hulls after the other elsewhere.
template <int Width>
class RigidLeaves {
public:
    RigidLeaves(const RigidBody& a, const RigidBody& b, const RigidHierarchy<Width>& ha,
                const RigidHierarchy<Width>& hb, const Rigid& b_to_a, const Mat3* linear)
        : a_(a), b_(b), ha_(ha), hb_(hb), b_to_a_(b_to_a), linear_(linear) {
        scale_ = a.reach() + b.reach() + length(b_to_a.translation);
        if (linear) scale_ *= std::sqrt(length2(linear->row[0]) + length2(linear->row[1]) + length2(linear->row[2]));
    }
    double scale() const { return scale_; }
    double margin() const { return rounding * scale_; }
    HullPair hulls(int i, int j) const { return {a_.primitive(i), b_.primitive(j), &b_to_a_, linear_, scale_}; }

    /// One pair of primitives, whatever leaves they lie in.
    bool overlap_of(int i, int j) const {
        const HullPair p = hulls(i, j);
        if (!are_plain(p)) return overlaps_hull_hull(p);
        return overlapping_lanes(TriangleQuads(twice(p.a), twice(p.b), b_to_a_, nullptr), margin()) != 0;
    }
    static bool are_plain(const HullPair& p) { return is_plain_triangle(p.a) && is_plain_triangle(p.b); }

    template <class Sink>
    bool overlap(const Pair& pair, Counters& counters, Sink& sink) const {
        const Leaf x = leaf(ha_, pair.a), y = leaf(hb_, pair.b);
        counters.leaf_tests += x.count * y.count;
        if (x.plain && y.plain) {
            const TriangleQuads quads(ha_.triangles[x.index], hb_.triangles[y.index], b_to_a_, nullptr);
            const unsigned lanes = overlapping_lanes(quads, margin()) & real_lanes(x, y);
            for (unsigned rest = lanes; rest; rest &= rest - 1) {
                const int lane = __builtin_ctz(rest);
                if (each_copy(x, lane >> 1, y, lane & 1, sink)) return true;
            }
            return false;
        }
        for (int i = 0; i < x.count; ++i)
            for (int j = 0; j < y.count; ++j)
                if (overlaps_hull_hull(hulls(x.item[i], y.item[j])) && each_copy(x, i, y, j, sink)) return true;
        return false;
    }
    void nearest(const Pair& pair, Counters& counters, NearestPrimitives& best) const {
        const Leaf x = leaf(ha_, pair.a), y = leaf(hb_, pair.b);
        counters.leaf_tests += x.count * y.count;
        if (x.plain && y.plain) {
            const TriangleQuads quads(ha_.triangles[x.index], hb_.triangles[y.index], b_to_a_, linear_);
            const Double4 found = squared_distances(quads, best.upper2, margin());
            if (!lanes_of(greater(Double4(best.upper2), found))) return;
            double d2[4];
            found.store(d2);
            for (int lane = 0; lane < 4; ++lane)
                if (d2[lane] < best.upper2)
                    best.upper2 = d2[lane], best.measured = false, best.a = x.item[(lane >> 1) & (x.count - 1)],
                    best.b = y.item[lane & (y.count - 1)];
            return;
        }
        for (int i = 0; i < x.count; ++i)
            for (int j = 0; j < y.count; ++j) nearest_of(x.item[i], y.item[j], best);
    }
    void nearest_of(int i, int j, NearestPrimitives& best) const {
        const HullPair p = hulls(i, j);
        if (are_plain(p)) {
            double d2[4];
            squared_distances(TriangleQuads(twice(p.a), twice(p.b), b_to_a_, linear_), best.upper2, margin()).store(d2);
            if (d2[0] < best.upper2) best.upper2 = d2[0], best.a = i, best.b = j, best.measured = false;
            return;
        }
        const HullDistance d = distance_hull_hull(p, std::sqrt(best.upper2));
        best.lower = least(best.lower, d.lower);
        if (d.upper * d.upper < best.upper2) best = {d.upper * d.upper, best.lower, i, j, true, d};
    }
    template <class Sink>
    void within(const Pair& pair, double reach, Counters& counters, Sink& sink) const {
        const Leaf x = leaf(ha_, pair.a), y = leaf(hb_, pair.b);
        counters.leaf_tests += x.count * y.count;
        if (x.plain && y.plain) {
            const TriangleQuads quads(ha_.triangles[x.index], hb_.triangles[y.index], b_to_a_, nullptr);
            double d2[4];
            squared_distances(quads, reach * reach, margin()).store(d2);
            for (unsigned rest = real_lanes(x, y); rest; rest &= rest - 1) {
                const int lane = __builtin_ctz(rest);
                if (const double d = std::sqrt(d2[lane]); d <= reach) take(x, lane >> 1, y, lane & 1, d, sink);
            }
            return;
        }
        for (int i = 0; i < x.count; ++i)
            for (int j = 0; j < y.count; ++j)
                if (const HullDistance d = distance_hull_hull(hulls(x.item[i], y.item[j]), reach); d.upper <= reach)
                    take(x, i, y, j, d.upper, sink);
    }

private:
    const RigidBody &a_, &b_;
    const RigidHierarchy<Width>&ha_, &hb_;
    const Rigid& b_to_a_;
    const Mat3* linear_;
    double scale_;

    /// The primitives of a leaf that differ, of which each stands for `copies`.
    struct Leaf {
        int index, count, copies;
        const std::int32_t* item;
        bool plain;
    };
    static ELBOWROOM_INLINE Leaf leaf(const RigidHierarchy<Width>& h, int record) {
        const int index = h.tree.records[record].leaf();
        const TreeLeaf& l = h.tree.leaves[index];
        const bool same = l.count > h.most_items;
        return {index, same ? 1 : l.count, same ? l.count : 1, &h.tree.order[l.first], h.plain[index] != 0};
    }
    /// Calls sink(i, j) for two primitives and all their copies, until it has seen enough.
    template <class Sink>
    static bool each_copy(const Leaf& x, int i, const Leaf& y, int j, Sink& sink) {
        Poll poll(1 << 14);
        for (int k = 0; k < x.copies; ++k)
            for (int l = 0; l < y.copies; ++l) {
                poll();
                if (sink(x.item[i + k], y.item[j + l])) return true;
            }
        return false;
    }
    template <class Sink>
    static void take(const Leaf& x, int i, const Leaf& y, int j, double distance, Sink& sink) {
        auto with_distance = [&](int a, int b) { return sink(a, b, distance), false; };
        each_copy(x, i, y, j, with_distance);
    }
    static bool is_plain_triangle(const RoundedHull& h) { return h.count == 3 && h.radius == 0 && is_plain(h.points); }
    static TriangleTwo twice(const RoundedHull& triangle) {
        TriangleTwo t;
        t.set(0, triangle.points), t.set(1, triangle.points);
        return t;
    }
    /// A leaf with one triangle holds it twice: count each pair once.
    static ELBOWROOM_INLINE unsigned real_lanes(const Leaf& x, const Leaf& y) {
        return (x.count == 2 ? 15u : 3u) & (y.count == 2 ? 15u : 5u);
    }
};

}  // namespace elbowroom
