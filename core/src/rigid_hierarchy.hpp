// A tree over the primitives of a rigid body, with what goes with it.
#pragma once
#include <cstring>

#include "elbowroom/batch/parallel.hpp"
#include "elbowroom/bodies/rigid_body.hpp"
#include "elbowroom/trees/build.hpp"
#include "elbowroom/trees/plan_reader.hpp"

namespace elbowroom {

/// Made of the numbers of a geometry: the same body has the same fingerprint on every run and after a copy. After
/// FNV-1a, in four strands, which need not wait for each other.
class Fingerprint {
public:
    template <class T>
    void add(const std::vector<T>& values) {
        const std::size_t bytes = values.size() * sizeof(T), words = bytes / 8;
        const char* const at = reinterpret_cast<const char*>(values.data());
        std::size_t w = 0;
        for (; w + 4 <= words; w += 4)
            for (int k = 0; k < 4; ++k) mix(strand_[k], word(at + 8 * (w + std::size_t(k)), 8));
        for (; w < words; ++w) mix(strand_[0], word(at + 8 * w, 8));
        if (bytes % 8) mix(strand_[0], word(at + 8 * words, bytes % 8));
        mix(strand_[0], values.size());
    }
    std::uint64_t value() const {
        std::uint64_t out = strand_[0];
        for (int k = 1; k < 4; ++k) mix(out, strand_[k]);
        return out;
    }

private:
    std::uint64_t strand_[4] = {0xcbf29ce484222325ull, 1, 2, 3};

    static void mix(std::uint64_t& state, std::uint64_t w) {
        state = (state ^ w) * 0x100000001b3ull, state ^= state >> 29;
    }
    static std::uint64_t word(const char* from, std::size_t bytes) {
        std::uint64_t out = 0;
        std::memcpy(&out, from, bytes);
        return out;
    }
};

/// The form of a tree, without its volumes.
template <class Tree>
void add_form(Fingerprint& print, const Tree& tree) {
    std::vector<std::int32_t> children;
    children.reserve(tree.records.size());
    for (const auto& r : tree.records) children.push_back(r.child);
    print.add(children), print.add(tree.leaves), print.add(tree.order);
}

/// Parts of the work on a large body, on all cores.
inline void on_all_cores(int count, const std::function<void(int)>& f) {
    in_parallel(
        count, available_threads(),
        [&] {
            return [&](std::ptrdiff_t first, std::ptrdiff_t last) {
                for (std::ptrdiff_t i = first; i < last; ++i) f(int(i));
            };
        },
        1);
}
/// Threads cost more than they bring for a small body.
inline Spread spread_for(const RigidBody& body) {
    return body.count() < 4000 ? Spread(one_by_one) : Spread(on_all_cores);
}

/// Copies the triangles of one leaf to where the kernels want them, if all are well-shaped.
template <int Width>
void fill_leaf(RigidHierarchy<Width>& h, const RigidBody& body, std::size_t l) {
    const TreeLeaf& leaf = h.tree.leaves[l];
    const std::int32_t* const items = &h.tree.order[leaf.first];
    bool plain = true;
    for (int k = 0; plain && k < leaf.count; ++k) {
        const RoundedHull p = body.primitive(items[k]);
        plain = p.count == 3 && p.radius == 0 && is_plain(p.points);
    }
    h.plain[l] = plain;
    for (int k = 0; plain && k < 2; ++k) h.triangles[l].set(k, body.primitive(items[least(k, leaf.count - 1)]).points);
}

template <int Width>
void refill_leaves(RigidHierarchy<Width>& h, const RigidBody& body) {
    const std::size_t leaves = h.tree.leaves.size();
    constexpr std::size_t run = 2048;
    spread_for(body)(int((leaves + run - 1) / run), [&](int part) {
        check_interruption();
        for (std::size_t l = std::size_t(part) * run; l < least(leaves, (std::size_t(part) + 1) * run); ++l)
            fill_leaf(h, body, l);
    });
}

template <int Width>
void fill_leaves(RigidHierarchy<Width>& h, const RigidBody& body) {
    const std::size_t leaves = h.tree.leaves.size();
    bool triangles = false;
    for (int i = 0; i < body.count() && !triangles; ++i) {
        const RoundedHull p = body.primitive(i);
        triangles = p.count == 3 && p.radius == 0 && is_plain(p.points);
    }
    h.plain.assign(leaves, 0);
    h.triangles.resize(triangles ? leaves : 0);
    if (triangles) refill_leaves(h, body);
}

/// Two triangles share a leaf, because the kernel takes four pairs at once; other primitives have a leaf of their own.
inline bool all_triangles(const RigidBody& body) {
    for (int i = 0; i < body.count(); ++i)
        if (const RoundedHull p = body.primitive(i); p.count != 3 || p.radius != 0) return false;
    return true;
}

/// The axes of a right-handed frame, of which the first is given.
inline Mat3 axes_across(Vec3 first) {
    int least_of = 0;
    for (int k = 1; k < 3; ++k)
        if (std::fabs(first[k]) < std::fabs(first[least_of])) least_of = k;
    Vec3 other;
    other[least_of] = 1;
    const Vec3 second = normalised(cross(first, other), other);
    return {{first, second, cross(first, second)}};
}

/// The leaf of a half-space says where its plane is.
template <class Tree>
void describe_half_spaces(Tree& tree, const RigidBody& body) {
    if (body.is_bounded()) return;
    for (int r = 0; r < int(tree.records.size()); ++r) {
        if (!is_used(tree, r) || !tree.records[r].is_leaf()) continue;
        const RoundedHull p = body.primitive(tree.order[tree.leaves[tree.records[r].leaf()].first]);
        if (!p.is_half_space()) continue;
        const Mat3 axes = axes_across(p.points[1]);
        ObbVolume{p.points[0] - tree.origin, {unbounded, unbounded, unbounded}, axes}.pack(tree.records[r].field, 1e12);
        tree.copy_to_lane(r);
    }
}

/// What goes with a tree that was made.
template <int Width>
void complete(RigidHierarchy<Width>& h, const RigidBody& body) {
    describe_half_spaces(h.tree, body);
    h.tree.below.assign(h.tree.records.size(), 0);
    count_below(h.tree, 0);
    fill_leaves(h, body);
}

template <int Width>
void make(RigidHierarchy<Width>& h, const RigidBody& body) {
    SplitOptions options;
    options.leaf_items = h.most_items = all_triangles(body) ? 2 : 1;
    options.keep_copies = true;
    options.spread = spread_for(body);
    h.tree = build<typename RigidHierarchy<Width>::Tree>(body.items(), options);
    complete(h, body);
}

template <int Width>
void make(RigidHierarchy<Width>& h, const RigidBody& body, const TreePlan& plan) {
    h.most_items = all_triangles(body) ? 2 : 1;
    h.tree = PlanReader<typename RigidHierarchy<Width>::Tree>(plan, body.items(), h.most_items, spread_for(body)).run();
    complete(h, body);
}

}  // namespace elbowroom
