// How the parts come together for two rigid bodies; shared by the questions.
#pragma once
#include "elbowroom/bodies/rigid_leaves.hpp"
#include "elbowroom/bodies/rigid_queries.hpp"
#include "elbowroom/pairings/across_two.hpp"
#include "elbowroom/traversal/traverse.hpp"

namespace elbowroom {

/// The two bodies in an order that does not depend on the caller's: by fingerprint, and equal bodies by pose. This
/// makes every answer symmetric to the last bit.
struct Ordered {
    Placed first, second;
    bool swapped;
    Rigid second_to_first;

    Ordered(const Placed& a, const Placed& b) : swapped(comes_before(b, a)) {
        first = swapped ? b : a, second = swapped ? a : b;
        second_to_first = relative(first.pose, second.pose);
    }
    /// The other way round.
    void turn() {
        std::swap(first, second), swapped = !swapped;
        second_to_first = inverse(second_to_first);
    }
    PrimitivePair as_asked(int i, int j) const { return swapped ? PrimitivePair{j, i} : PrimitivePair{i, j}; }

private:
    static bool comes_before(const Placed& x, const Placed& y) {
        if (x.body->fingerprint() != y.body->fingerprint()) return x.body->fingerprint() < y.body->fingerprint();
        if (x.body->identity() != y.body->identity()) return x.body->identity() < y.body->identity();
        for (int i = 0; i < 3; ++i) {
            if (x.pose.translation[i] != y.pose.translation[i]) return x.pose.translation[i] < y.pose.translation[i];
            for (int j = 0; j < 3; ++j)
                if (x.pose.rotation.row[i][j] != y.pose.rotation.row[i][j])
                    return x.pose.rotation.row[i][j] < y.pose.rotation.row[i][j];
        }
        return false;
    }
};

/// Calls f with the hierarchies of the width that both bodies have.
template <class F>
auto with_common_width(const RigidBody& a, const RigidBody& b, F&& f) {
    if (!a.wide().empty() && !b.wide().empty()) return f(a.wide(), b.wide());
    return f(a.binary(), b.binary());
}

/// What the memory keeps of these two bodies, told where they are now; null without a memory. Two bodies that are alike
/// may be taken the other way round, if that is nearer to how they were.
template <class Options>
CutMemory* recalled(const Options& options, Ordered& o) {
    if (!options.memory) return nullptr;
    const std::uint64_t x = o.first.body->identity(), y = o.second.body->identity();
    CutMemory& cut = options.cut ? *options.cut : options.memory->begin(x, y);
    cut.meet(x, y);
    auto step = [&] {
        const RigidBody& body = *o.second.body;
        const Vec3 middle = (body.low() + body.high()) * 0.5;
        return step_between(cut.at, o.second_to_first, middle, length(body.high() - middle));
    };
    if (cut.placed) {
        double moved = step();
        if (x == y) {
            o.turn();
            const double turned = step();
            if (turned < moved)
                moved = turned;
            else
                o.turn();
        }
        cut.move(moved, o.first.body->reach() + o.second.body->reach());
    }
    cut.at = o.second_to_first, cut.placed = true, cut.swapped = o.swapped;
    return &cut;
}
inline bool recalls(const CutMemory* cut) { return cut && cut->a >= 0; }
inline void remember(CutMemory* cut, int a, int b, double distance) {
    if (cut) cut->a = a, cut->b = b, cut->distance = distance;
}

}  // namespace elbowroom
