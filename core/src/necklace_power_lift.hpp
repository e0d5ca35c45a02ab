// Beads lifted to a paraboloid of one dimension more, and on which side of what they lie there.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "necklace_power_wide.hpp"

namespace elbowroom {

/// A bead at x with radius r is lifted to (x, |x|^2 - r^2); the lower part of the convex hull of the lifted beads is
/// the regular triangulation, dual to the power diagram. Coordinates are taken about the middle and scaled to at
/// most 1.
///
/// Ties (beads on one circle, on a lattice, in a plane) are broken by nudging each bead by less than 2^-46 in every
/// coordinate, the same way in every frame, to a grid of 2^-61. Signs are those of the nudged beads: computed in
/// double, with a bound of the rounding and of the nudges, and in whole numbers where the bound does not decide. 0 is
/// then a tie of the nudged beads, which happens once in ten thousands of ties; other nudges break it.
template <int D>
class LiftedBeads {
public:
    using Tuple = std::array<std::int32_t, D + 1>;

    explicit LiftedBeads(std::vector<double> radii);

    /// Nudges in other ways.
    void nudge(std::uint64_t salt);
    /// D numbers a bead.
    void place(const double* positions);
    /// The hull is seen from a mean of some of these lifted beads, which is inside any hull that holds them.
    void look_from(const std::vector<std::int32_t>& beads);
    std::int32_t size() const { return std::int32_t(at_.size()); }

    /// The hyperplane through a tuple of lifted beads, with what its sign tests need.
    struct Plane {
        Tuple of;
        std::array<double, D + 1> normal;  // the last is along the lifted coordinate
        double doubt_flat, doubt_lifted;   // of the normal
        double flat;                       // the sum of the sizes of its flat coordinates
    };
    Plane plane(const Tuple& of) const;
    /// 1 if the lifted bead is beyond the plane of a tuple that faces the inner point, -1 if it is on the inner side.
    int side(const Plane& plane, std::int32_t bead) const;
    /// 1 if the tuple is positively oriented as seen from the inner point, -1 if it is inside out.
    int facing(const Plane& plane) const;
    int facing(const Tuple& of) const { return facing(plane(of)); }
    /// How far a bead beyond the plane must go towards the inner point to be in the plane, as a part of the way.
    double sinking(const Plane& plane, std::int32_t bead) const;
    /// Is what faces the inner point a simplex of the regular triangulation? Then its outward normal points down.
    bool is_lower(const Plane& plane) const;
    /// Is the inner point straight above the simplex, or above its edge?
    bool is_under_inner(const Tuple& of) const;
    /// Where a nudged bead is lifted to, rounded.
    std::array<double, D + 1> lifted(std::int32_t bead) const;

private:
    struct Bead {
        std::array<double, D> x;
        double weight;  // r^2, less that of the largest bead
    };
    /// A lifted point seen from a base bead, the paraboloid sheared so that it is level there: y - x and |y - x|^2 less
    /// the difference of the weights.
    struct Row {
        std::array<double, D + 1> x;
        double size, doubt;  // the largest of the flat coordinates; by how much the lifted one may be off
    };
    /// The same in steps of the grid, the lift in steps of its square.
    struct WideRow {
        std::array<std::int64_t, D> x;
        Wide lift;
    };

    std::vector<Bead> at_;
    std::vector<std::array<std::int32_t, D>> nudges_;  // in steps of the grid
    std::vector<double> radii_;
    std::array<double, D + 1> inner_;  // where the hull is seen from, rounded
    WideRow wide_inner_;

    Row row(const Bead& base, const Bead& bead) const;
    Row inner_row(const Bead& base) const;
    int sign(const Plane& plane, const Row& row) const;
    std::int64_t on_grid(std::int32_t bead, int axis) const {
        return std::int64_t(at_[bead].x[axis] * 0x1p61) + nudges_[bead][axis];
    }
    WideRow wide_row(std::int32_t base, std::int32_t bead) const;
    WideRow wide_inner_row(std::int32_t base) const;
    int wide_sign(const Tuple& of, const WideRow& last) const;
};

extern template class LiftedBeads<2>;
extern template class LiftedBeads<3>;

}  // namespace elbowroom
