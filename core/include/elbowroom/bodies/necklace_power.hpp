#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "elbowroom/queries/answers.hpp"

namespace elbowroom {

/// What a power diagram is asked for.
struct PowerCells {
    std::vector<PrimitivePair> edges;     // beads whose cells share a face, i < j, sorted
    std::vector<std::int32_t> simplices;  // of the regular triangulation, `corners` numbers each
    int corners = 1;
    std::vector<std::int32_t> hidden;  // beads without a cell, ascending
};

/// A closed complex of simplices: `vertex` and `next`, D + 1 numbers each; next[k] is opposite vertex[k].
struct PowerComplex {
    std::vector<std::int32_t> vertex, next;
};

/// The triangulation in one dimension or another.
class PowerShape {
public:
    virtual ~PowerShape() = default;
    /// False: not repaired.
    virtual bool move(const double* positions) = 0;
    virtual PowerCells cells() const = 0;
    virtual PowerComplex complex() const { return {}; }
    virtual std::string validate() const { return {}; }

    std::uint64_t flips = 0;
    bool inserted = false;  // made bead by bead
};

/// The regular triangulation of beads, which is dual to their power diagram, kept while they move.
class PowerTriangulation {
public:
    /// `dimension` (0 to 3) numbers a bead, which must span that dimension. `given`: the hull of the lifted beads as
    /// another program found it, or nothing. Throws std::runtime_error if every way to break ties fails.
    PowerTriangulation(int dimension, const std::vector<double>& positions, std::vector<double> radii,
                       const PowerComplex& given);
    /// False: it could not be repaired, make a new one.
    bool move(const std::vector<double>& positions);

    int dimension() const { return dimension_; }
    std::int64_t size() const { return beads_; }
    std::uint64_t flips() const { return shape_->flips; }
    /// Edges that came or went in all moves.
    std::uint64_t events() const { return events_; }
    /// Was it made bead by bead, because no hull was given?
    bool inserted() const { return shape_->inserted; }
    const PowerCells& cells() const { return cells_; }
    PowerComplex complex() const { return shape_->complex(); }
    /// What is wrong with it, or nothing.
    std::string validate() const { return shape_->validate(); }

private:
    int dimension_;
    std::int64_t beads_;
    std::unique_ptr<PowerShape> shape_;
    PowerCells cells_;
    std::uint64_t events_ = 0;
};

/// How many edges are in one of two sorted lists alone.
std::uint64_t changed_edges(const std::vector<PrimitivePair>& before, const std::vector<PrimitivePair>& after);

/// Beads whose centre another one has exactly, which is larger or, if equal, comes first: they have no cell.
std::vector<unsigned char> barred_beads(int dimension, const double* positions, const std::vector<double>& radii);

/// Where beads are: `dimension` numbers each.
struct PlacedBeads {
    int dimension;
    const double* positions;
    const std::vector<double>& radii;

    std::int32_t size() const { return std::int32_t(radii.size()); }
    double apart2(std::int32_t i, std::int32_t j) const {
        double sum = 0;
        for (int k = 0; k < dimension; ++k) {
            const double d = positions[dimension * std::int64_t(i) + k] - positions[dimension * std::int64_t(j) + k];
            sum += d * d;
        }
        return sum;
    }
    /// Negative if they overlap; 0 if that is too near to tell.
    double gap(std::int32_t i, std::int32_t j) const {
        const double radii_of_both = radii[i] + radii[j], gap = std::sqrt(apart2(i, j)) - radii_of_both;
        return gap >= 0 && gap <= rounding * radii_of_both ? 0 : gap;
    }
};

struct ClosestBeads {
    double gap = far_away;
    std::int32_t a = -1, b = -1;
};

/// Which pairs of beads to look at, given the power diagram and the pairs P that may overlap. "Neighbours" are pairs of
/// P, "edges" those of the diagram; none of the pairs below is one of P.
///
/// *Do beads collide?* It is enough to look at (2) pairs with a common neighbour, (3) edges, and (4) each *buried*
/// bead, one whose centre is not in its own cell, against all. Say i and j are not in P and share an inner point x;
/// both have negative power there. The owner k of x has no greater power, so x is in bead k too. If k is a neighbour of
/// both, i and j are of kind (2). Otherwise one of them, say i, is no neighbour of k (or k is j). Go from x straight to
/// the centre of i, all the way within i, where the power of i only sinks; so the owner's bead, of less power still,
/// holds every point passed. When the owner changes, from m to m', the two are an edge, and share that point with each
/// other and with i. So far m is no neighbour of i. If m' is i, then (m, i) is an edge that collides. If (m, m') is not
/// in P, it is an edge that collides. If it is, and m' is a neighbour of i, then m' is common to i and m, which
/// collide. Otherwise m' takes the place of m and the way goes on. It ends at the centre of i, in the cell of i unless
/// i is buried; and a buried one was compared with all. This holds for every P and however beads overlap.
///
/// *Which pair is closest?* If no beads collide, the proof of Theorem 5.2 in [Guibas2002] shows that the closest pair
/// (i, j) is an edge unless it has a common neighbour or there is a neighbour k of one, say of i, that is nearer to i
/// than j is and is *improper* there: it has no other neighbour l that touches k and is apart from i, (i, l) not in P.
/// (For then the gap of i and l is no less than that of i and j, and with a point of k and l one has |ik| + r_k >= |ij|
/// - r_j, which is all the theorem needs of k. A neighbour that is no nearer than j is no obstacle either.) Kind (1) is
/// such an i against all.
///
/// *Digits.* The diagram is that of beads a little aside, by less than `off` = 1.2e-13 of their extent: ties are broken
/// that way, and beads nearly in a plane are put into it. All radii squared may grow by the same without a change of
/// the diagram; let it be so much that every radius grows by 2 `off` at least. If beads collide, these do where the
/// diagram has them, and a pair above is found to; so if no pair above is that near, none collides. If one is, and does
/// not collide itself, all are compared with all.
class PowerPairs {
public:
    PowerPairs(PlacedBeads beads, const PowerCells& cells, const std::vector<PrimitivePair>& may_touch);

    /// The pairs to look at, sorted; of kinds (1) and (4) those no farther apart than the nearest of the others, and
    /// none if that collides.
    std::vector<PrimitivePair> candidates() const;
    /// The least gap among them, exact if no beads collide; a = -1 if every pair may touch.
    ClosestBeads closest() const;
    /// Two that collide, or a = -1.
    ClosestBeads colliding() const;

private:
    PlacedBeads beads_;
    const PowerCells& cells_;
    std::vector<std::int32_t> first_, partner_;  // of each bead: whom it may touch, ascending
    double off_ = 0, growth2_ = 0;               // how far aside beads may be, and what their radii squared may grow by

    bool may_touch(std::int32_t i, std::int32_t j) const;
    bool in_doubt(std::int32_t i, std::int32_t j, double gap) const;
    std::vector<std::int32_t> all() const;
    std::vector<std::int32_t> buried() const;
    std::vector<std::int32_t> beside_improper(double gap) const;
    bool is_improper_for(std::int32_t bead, std::int32_t neighbour) const;
    template <class Visit>
    bool near_pairs(Visit&& visit) const;
    template <class Visit>
    bool against_all(const std::vector<std::int32_t>& some, const double& reach, Visit&& visit) const;
};

}  // namespace elbowroom
