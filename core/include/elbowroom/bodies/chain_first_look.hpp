// A look at the balls next to a joint before anything is placed: most changes that collide do so there.
#pragma once
#include "elbowroom/bodies/chain_leaves.hpp"

namespace elbowroom {

/// The balls of the joint's own leaf that stay and that move, and that can meet anew.
struct JointSides {
    unsigned stay, move;
    JointSides(const ChainTree& tree, const ChainChange& change) {
        const std::int64_t leaf = change.leaf(), first = leaf * ChainLeaf::size;
        const unsigned stays = (2u << change.lane()) - 1, valid = tree.valid(leaf);
        stay = valid & stays, move = valid & ~stays;
        // Nothing comes nearer to the pivot of a pure turn.
        if (change.pivot_ball >= first && length2(change.shift) == 0) stay &= ~(1u << (change.pivot_ball - first));
    }
};

/// The bound of a whole leaf, as its parent has it.
ELBOWROOM_INLINE BallBox leaf_bound(const ChainTree& tree, std::int64_t leaf) {
    return tree.levels() ? tree.node(1, leaf >> 3).bound(int(leaf & 7)) : tree.bound(leaf, tree.valid(leaf));
}

/// Those balls against each other, in single precision about the pivot. What it says is certain: where single precision
/// cannot tell, and where doubles would call a gap too small to tell, it is unsure.
class ChainFirstLook {
public:
    enum class Verdict { collides, free, unsure };

    ChainFirstLook(const ChainTree& tree, const ChainChange& change, const ChainExclusion& exclusion)
        : exclusion_(exclusion), sides_(tree, change), first_(change.leaf() * size) {
        if (sides_.stay && sides_.move) place(tree, change);
    }
    Verdict verdict() const {
        bool unsure = false;
        for (unsigned todo = sides_.stay & -unsigned(sides_.move != 0); todo;) {
            const int i = 31 - __builtin_clz(todo);  // the last is the nearest to the joint
            todo ^= 1u << i;
            const unsigned touching = nearer(i, outer_, move_outer_) & sides_.move;
            const unsigned near = touching ? exclusion_.compared(first_ + i, first_, touching) : 0;
            if (!near) continue;
            if (nearer(i, inner_, move_inner_) & near) return Verdict::collides;
            unsure = true;
        }
        return unsure ? Verdict::unsure : Verdict::free;
    }

private:
    static constexpr int size = ChainLeaf::size;
    /// Of the lengths about the pivot that enter: coordinates, a turn and a distance in single precision.
    static constexpr float error = 2e-6f;

    const ChainExclusion& exclusion_;
    const JointSides sides_;
    const std::int64_t first_;
    alignas(32) float stay_[3][size], outer_[size], inner_[size];  // radii, more and less by what may be off
    Float8 move_[2][3], move_outer_[2], move_inner_[2];

    ELBOWROOM_INLINE void place(const ChainTree& tree, const ChainChange& change) {
        const ChainLeaf& leaf = tree.leaf(first_ / size);
        const BallBox whole = leaf_bound(tree, first_ / size);
        auto sizes = [](const auto& v) { return float(std::fabs(v[0]) + std::fabs(v[1]) + std::fabs(v[2])); };
        // What doubles may leave in doubt.
        const Float8 doubt(float(8 * rounding) * (sizes(whole.centre) + sizes(change.pivot) + whole.radius) + 1e-18f);
        const TurnFloat turn(change.turn);
        const Float8 shift[3] = {Float8(float(change.shift.x)), Float8(float(change.shift.y)),
                                 Float8(float(change.shift.z))};
        alignas(32) float radii[size];
        tree.radii().copy(first_, tree.count(first_ / size), radii);
        for (int k = 0; k < 2; ++k) {
            Float8 x[3];
            for (int m = 0; m < 3; ++m) {
                const Double4 pivot(change.pivot[m]);
                x[m] =
                    to_floats(Double4::load(leaf.x[m] + 8 * k) - pivot, Double4::load(leaf.x[m] + 8 * k + 4) - pivot);
                x[m].store(stay_[m] + 8 * k);
            }
            const Float8 radius = Float8::load(radii + 8 * k), far = absolute(x[0]) + absolute(x[1]) + absolute(x[2]);
            const Float8 off = multiply_add(far + radius, Float8(error), doubt);
            (radius + off).store(outer_ + 8 * k), (radius - off).store(inner_ + 8 * k);
            if (!(sides_.move >> 8 * k & 255)) continue;
            const Float8 all = absolute(shift[0]) + absolute(shift[1]) + absolute(shift[2]);
            const Float8 off_moved = multiply_add(all, Float8(error), off);
            for (int m = 0; m < 3; ++m) move_[k][m] = dot(turn.row[m], x[0], x[1], x[2]) + shift[m];
            move_outer_[k] = radius + off_moved, move_inner_[k] = radius - off_moved;
        }
    }
    /// The balls that move whose centres are nearer to ball i than the sum of the radii; none where that is negative.
    ELBOWROOM_INLINE unsigned nearer(int i, const float* radius, const Float8* radii) const {
        unsigned out = 0;
        const Float8 x(stay_[0][i]), y(stay_[1][i]), z(stay_[2][i]), own(radius[i]);
        for (int k = 0; k < 2; ++k) {
            if (!(sides_.move >> 8 * k & 255)) continue;
            const Float8 u = move_[k][0] - x, v = move_[k][1] - y, w = move_[k][2] - z;
            const Float8 reach = radii[k] + own;
            out |= where_at_most(multiply_add(u, u, multiply_add(v, v, w * w)), reach * absolute(reach)) << 8 * k;
        }
        return out;
    }
};

}  // namespace elbowroom
