// One part of a chain that turns about an axis against the rest: what do bonds and balls first touch on the way?
#pragma once
#include <array>
#include <vector>

#include "elbowroom/bodies/chain.hpp"
#include "elbowroom/narrow/turning.hpp"
#include "elbowroom/pairings/across_turn.hpp"

namespace elbowroom {

/// A leaf's balls and bonds in the coordinates of a turn, and balls about them. A bond is of the ball that it begins
/// at.
struct TurnLeaf {
    struct Kind {
        TurnLanes lanes[2];
        unsigned valid = 0;
    } balls, bonds;
    Vec3 at[ChainLeaf::size], end[ChainLeaf::size];
};

/// Balls from `first` on turn about an axis through ball `centre`; those from `begin` to before `end` take part, the
/// rest is not looked at. The axis is seen from the leaf of ball `first` - 1.
struct ChainTurn {
    std::int64_t first, begin, end;
    Vec3 centre, axis;
    double angle;
    std::int64_t on_axis = -1;  // the ball of a bond that lies on the axis, and moves against nothing; none: -1
};

/// What touches first during a turn: balls of the tree, or bonds, which are called by the balls that they begin at.
struct TurnContact {
    double at = far_away, proved = far_away;  // angles: it touches then, and nothing does before
    std::int64_t still = -1, turning = -1;
    bool bonds = false, undecided = false;
    Vec3 on_still, on_turning;  // where, in the frame of the leaf of ball `first` - 1
    Counters counters;
};

/// Searches the tree of a chain for what touches while a part of it turns: only pairs of nodes that come near during
/// the turn are opened. Bonds are segments from link to link; two that share a link never touch.
class ChainTurnSearch {
public:
    /// `breaks`: joints, in order, that bridge a gap and are no bonds.
    ChainTurnSearch(const Chain& chain, std::vector<std::int32_t> breaks);

    /// Does a bond touch another, or could it, for all that was found?
    bool crosses(const ChainTurn& turn);
    /// The first contact of balls or bonds. Balls keep the clearance, and so do bonds if no ball of a link of the one
    /// is excluded from being compared with one of the other.
    TurnContact first_contact(const ChainTurn& turn, double clearance);

    /// Is the joint a bond? And have two bonds to keep the clearance?
    bool is_bond(std::int64_t link) const;
    bool keep_clear(std::int64_t l, std::int64_t m) const;

    /// The turn of a torsion, and of a pivot by a rotation seen from the leaf where the change begins: the bond to the
    /// next link turns as well. Neither moves what they are about, so they are the same before the change and behind
    /// it.
    ChainTurn torsion(std::int64_t joint, double angle) const;
    ChainTurn pivot(std::int64_t joint, Quat turn) const;
    /// Those of links between two others, about the line through these: against what lies before, and behind.
    std::array<ChainTurn, 2> crankshaft(std::int64_t i, std::int64_t k, double angle) const;

private:
    class Query;
    const Chain& chain_;
    const std::vector<std::int32_t> breaks_;
    double longest_ = 0, smallest_radius_ = 0, noise_ = 0;

    TurnScratch scratch_;
    Scratch<TurnLeaf> leaves_;
    std::vector<std::int32_t> leaf_of_place_;

    Vec3 seen_from(std::int64_t leaf, std::int64_t ball) const { return chain_.seen_from(leaf, ball); }
    TurnContact search(const ChainTurn& turn, double clearance, bool balls);
};

}  // namespace elbowroom
