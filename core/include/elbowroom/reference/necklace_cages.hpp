#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "elbowroom/queries/answers.hpp"
#include "elbowroom/queries/separating.hpp"
#include "elbowroom/reference/cage_tree.hpp"
#include "elbowroom/reference/cheaper_way.hpp"
#include "elbowroom/volumes/enclosing_ball.hpp"

namespace elbowroom {

class NecklaceTouch;

/// The two hierarchies of [Guibas2002]: a wrapped cage is the smallest ball about the beads below it, a layered one
/// that about its two children.
enum class CageKind { wrapped, layered };

/// How a wrapped cage is verified after a move: bead by bead, or by the cages below, as far down as they stick out.
enum class CageVerify { automatic, naive, cascade };

/// Since the cages were made, but for `frontier`.
struct CageCounters {
    std::uint64_t naive_tests = 0, cascade_tests = 0;  // of containment
    std::uint64_t frontier = 0;       // cages and beads found inside the cages above by the last cascade, all summed up
    std::uint64_t basis_changes = 0;  // cages that got another basis: a bead escaped, or one is no longer needed
    std::uint64_t escaped = 0;        // cages from which a bead escaped
    std::uint64_t rebuilt = 0;        // cages made from nothing because their basis could not be repaired
    std::uint64_t naive_moves = 0, cascade_moves = 0;
};

/// The beads of a necklace under a binary tree of balls, which is kept true when all beads move. In the plane z is 0.
class NecklaceCages {
public:
    /// As many centres as radii, at least one; dimension 2 or 3.
    NecklaceCages(const Vec3* centres, std::vector<double> radii, int dimension, CageKind kind);

    /// All beads at their new places.
    void move(const Vec3* centres, CageVerify verify);

    const CageTree& tree() const { return tree_; }
    Vec3 centre(std::int32_t bead) const { return rows().centre(bead); }
    const std::vector<double>& radii() const { return radius_; }
    /// A cage surely contains the beads below it.
    const SphereVolume& cage(std::int32_t cage) const { return cages_[cage]; }
    /// Of a cage or bead.
    ELBOWROOM_INLINE SphereVolume ball(std::int32_t slot) const {
        return slot < 0 ? SphereVolume{{x_[~slot], y_[~slot], z_[~slot]}, radius_[~slot]} : cages_[slot];
    }
    /// The beads that hold a wrapped cage in place, in order; of a layered one, none.
    const BallBasis& basis(std::int32_t cage) const { return bases_[cage]; }
    const CageCounters& counters() const { return counters_; }

    /// Pairs of beads i < j that may not touch. Those that touch but for rounding collide.
    CollideAnswer self_collide(const NecklaceTouch& touch, const CollideOptions& options) const;
    DistanceAnswer self_distance(const NecklaceTouch& touch, const DistanceOptions& options) const;
    WithinAnswer self_within(const NecklaceTouch& touch, const WithinOptions& options) const;
    /// A proof that no two beads collide that may not touch, or the beads that do. `start`: the pairs of an earlier
    /// family, and those that collided then as pairs of slots, which together cover all pairs; each is taken apart
    /// where it no longer is a proof.
    SeparatingFamily separate(const NecklaceTouch& touch, const std::vector<PrimitivePair>* start) const;

    /// What is wrong, or nothing: every bead inside the cages above it; wrapped cages are the smallest and touch their
    /// basis; layered ones are those of their children.
    std::string validate() const;
    std::size_t bytes() const;

private:
    CageTree tree_;
    int dimension_;
    CageKind kind_;
    bool equal_;                              // all radii are the same
    std::vector<double> x_, y_, z_, radius_;  // of the beads
    std::vector<SphereVolume> cages_;
    std::vector<BallBasis> bases_;
    std::vector<std::int32_t> frontier_;       // of the last cascade: slots found inside each cage, the last cage first
    std::vector<std::int32_t> frontier_size_;  // how many for each cage; 0: none is known
    std::vector<std::int32_t> next_frontier_;  // kept for its memory alone
    CheaperWay cheaper_;
    CageCounters counters_;

    BallRows rows() const { return {x_.data(), y_.data(), z_.data(), radius_.data(), equal_}; }
    void place(const Vec3* centres);
    void wrap_anew();
    void layer();
    void verify_naively();
    void verify_by_cascade();
    bool look_at(const std::int32_t* slots, int count, const SphereVolume& cage, double& reach);
    void repair(std::int32_t cage);
    std::string fault_in(std::int32_t cage) const;
    double sticks_out(const SphereVolume& ball, std::int32_t bead) const;
    std::string fault_in_wrapped(std::int32_t cage) const;
};

}  // namespace elbowroom
