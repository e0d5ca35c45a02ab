// Bounds of energies that cost less than the energies.
#pragma once
#include <vector>

#include "elbowroom/bodies/chain_energy_leaves.hpp"

namespace elbowroom {

/// An energy lies between them.
struct EnergyBounds {
    double low, high;
};

/// A sum of which some numbers are known within a doubt only.
struct DoubtfulSum {
    double sum = 0, doubt = 0;
    double sizes = 0;  // of what was added: rounding of the sum is relative to it
};

/// Lennard-Jones and charges without a cutoff. Leaves that lie apart are summed in single precision, with a bound of
/// what that can be wrong by; leaves that lie near, and those with pairs that are left out, as they are.
class ChainBounds {
public:
    ChainBounds(const ChainTree& tree, const ChainEnergyLeaves& leaves, const std::vector<ChainPairEnergy>& energies);

    /// Are there bounds for these energies?
    bool any() const { return offered_; }
    void add(ChainPlaces& places, std::int32_t one, std::int32_t other, DoubtfulSum& out) const;

private:
    static constexpr int size = ChainLeaf::size;
    /// What Lennard-Jones needs to know of a ball of one kind and the balls of a leaf: sigma^2 / 4 and 4 epsilon.
    struct alignas(32) Row {
        float square[size] = {}, depth[size] = {};
    };
    struct alignas(32) Charges {
        float q[size] = {}, sizes[size] = {};
    };
    const ChainTree& tree_;
    const ChainEnergyLeaves& leaves_;
    bool offered_ = false;
    std::vector<Charges> charges_;  // of each leaf; none: there are no charges
    std::vector<Row> rows_;         // of each leaf and kind; none: there is no Lennard-Jones
    std::size_t kinds_ = 0;
    std::vector<std::int32_t> kind_;  // of each ball

    bool make_rows(const ChainPairEnergy& energy);
    bool are_apart(const ChainPlace& p, const ChainPlace& q, double gap) const;
    template <bool charged, bool attracting>
    void add_apart(const ChainPlace& p, const ChainPlace& q, const ChainLeafExact& a, const ChainLeafExact& b,
                   double gap, DoubtfulSum& out) const;
};

}  // namespace elbowroom
