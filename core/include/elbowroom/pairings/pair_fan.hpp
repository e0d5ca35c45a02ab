#pragma once
#include "elbowroom/math/lanes.hpp"
#include "elbowroom/traversal/pair.hpp"
#include "elbowroom/volumes/gap.hpp"
#include "elbowroom/volumes/obb_lanes.hpp"

namespace elbowroom {

/// What a pair of nodes of binary trees opens into: up to three pairs, compared in double one by one. `Volumes` calls
/// f(volume of a, volume of b) in `with_volumes(a, b, f)` and knows by what `margin(a, b)` the gap of the two may be
/// off; if both are nodes of `one_tree`, pairs of a node with itself are not tested.
template <class Volumes>
struct PairFan {
    const Volumes& volumes;
    int width = 0;  // pairs of two volumes
    int count = 0;  // pairs
    std::int32_t a[3] = {}, b[3] = {};

    void add(std::int32_t x, std::int32_t y) {
        a[count] = x;
        b[count] = y;
        width += !is_self(count++);
    }

    /// The lanes that may overlap, and by what signed gap they miss. Nodes with themselves come last.
    ELBOWROOM_INLINE unsigned overlapping(Float8& gap) const {
        alignas(32) float gaps[8] = {};
        unsigned lanes = 0;
        for (int k = 0; k < count; ++k) {
            const double margin = is_self(k) ? 0.0 : volumes.margin(a[k], b[k]);
            const double g = is_self(k) ? -far_away : gap_at(k, margin);
            gaps[k] = is_self(k) ? 1e30f : float(g);
            lanes |= unsigned(g <= margin) << k;
        }
        gap = Float8::load(gaps);
        return lanes;
    }
    /// Lower bounds of the squared distances. Nodes with themselves come first: near leaves are quickly found there.
    ELBOWROOM_INLINE Float8 squared_gaps(const LinearMaps&, Float8& gap) const {
        alignas(32) float gaps[8] = {}, squares[8] = {};
        for (int k = 0; k < count; ++k) {
            const double apart = is_self(k) ? 0.0 : most(0.0, separation_at(k) - volumes.margin(a[k], b[k]));
            squares[k] = float(least(apart * apart, 1e38)) * 0.999999f;
            gaps[k] = is_self(k) ? -1.f : squares[k];
        }
        gap = Float8::load(gaps);
        return Float8::load(squares);
    }
    ELBOWROOM_INLINE unsigned valid() const { return (1u << count) - 1; }
    ELBOWROOM_INLINE Pair child(int lane, float bound) const { return {a[lane], b[lane], bound}; }

private:
    ELBOWROOM_INLINE bool is_self(int k) const { return Volumes::one_tree && a[k] == b[k]; }
    double gap_at(int k, double margin) const {
        return volumes.with_volumes(a[k], b[k], [&](const auto& x, const auto& y) { return gap_of(x, y, margin); });
    }
    double separation_at(int k) const {
        return volumes.with_volumes(a[k], b[k], [](const auto& x, const auto& y) { return separation_of(x, y); });
    }
};

}  // namespace elbowroom
