#pragma once
#include <cstdint>
#include <vector>

#include "elbowroom/math/lattice.hpp"
#include "elbowroom/trees/bead_tree.hpp"

namespace elbowroom {

/// Balls under a tree for which their order means nothing: they are sorted along a curve that fills space, so that
/// those of a leaf are neighbours. In a periodic box every ball is where its image in the reduced cell is.
class SortedBeads {
public:
    /// How many there are stays.
    SortedBeads(const std::vector<Vec3>& centres, const std::vector<double>& radii, const Lattice* lattice);
    /// Sorts balls that are elsewhere now, in the same box or in another.
    void place(const std::vector<Vec3>& centres, const Lattice* lattice);

    const BeadTree& tree() const { return tree_; }
    /// Of the ball at each place of the tree: its number, where it is, and its radius.
    ELBOWROOM_INLINE std::int32_t ball(std::int64_t place) const { return order_[place].ball; }
    ELBOWROOM_INLINE Vec3 centre(std::int64_t place) const { return centres_[place]; }
    ELBOWROOM_INLINE double radius(std::int64_t place) const { return tree_.radius(place); }
    /// Of a ball by its number.
    double radius_of(std::int64_t ball) const { return radii_[ball]; }
    double largest_radius() const { return largest_; }
    /// What is wrong with the order or the tree, or nothing.
    std::string validate() const;
    std::size_t bytes() const {
        return tree_.bytes() + (order_.size() + spare_.size()) * sizeof(Key) +
               (centres_.size() + wrapped_.size()) * sizeof(Vec3) + radii_.size() * sizeof(double);
    }

private:
    struct Key {
        std::uint32_t key;
        std::int32_t ball;
    };
    std::vector<double> radii_;
    double largest_ = 0;
    BeadTree tree_;
    std::vector<Key> order_, spare_;
    std::vector<Vec3> wrapped_, centres_;

    void sort();
};

}  // namespace elbowroom
