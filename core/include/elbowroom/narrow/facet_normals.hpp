#pragma once
#include "elbowroom/narrow/rounded_hull.hpp"

namespace elbowroom {

/// Beyond this many points the search below would take too long.
inline constexpr int few_points = 8;

/// Calls f with every direction that can be the normal of a face of the Minkowski difference of two hulls of few
/// points: the cross products of any two edges, where any two points of a hull may be the ends of one. Slow (thousands
/// of directions), and exact to the last digits for hulls however thin, because edges are taken before anything is
/// added to them.
template <class F>
void each_possible_normal(const HullPair& p, F&& f) {
    Vec3 edges[few_points * (few_points - 1)];
    int count = 0;
    auto mapped = [&](Vec3 v) { return p.linear ? *p.linear * v : v; };
    for (int i = 0; i < p.a.count; ++i)
        for (int j = 0; j < i; ++j) edges[count++] = mapped(p.a.points[i] - p.a.points[j]);
    for (int i = 0; i < p.b.count; ++i)
        for (int j = 0; j < i; ++j) edges[count++] = mapped(p.b_to_a->rotation * (p.b.points[i] - p.b.points[j]));
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < i; ++j) {
            const Vec3 n = normalised(cross(edges[i], edges[j]), {});
            if (!(n == Vec3{})) {
                f(n);
                f(-n);
            }
        }
}

}  // namespace elbowroom
