#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "elbowroom/bodies/chain_energy.hpp"
#include "elbowroom/bodies/chain_leaves.hpp"

namespace elbowroom {

/// Looks out for balls that touch while energies are summed.
struct ChainLookout {
    std::int64_t pivot_ball = -1;  // nothing can have come nearer to it
    std::int64_t a = -1, b = -1;   // what touches
};

/// The energy of two leaves of a chain. Lennard-Jones is summed four balls at a time, other forms one by one.
class ChainEnergyLeaves {
public:
    ChainEnergyLeaves(const ChainTree& tree, const ChainExclusion& exclusion, const ChainEnergy& energy);

    /// How near the surfaces of two balls must be to have an energy.
    double reach() const { return reach_; }
    /// Does everything that touches have an energy? Else a lookout would miss it.
    bool sees_contacts() const { return far_ >= 2 * largest_ * (1 + 1e-6); }
    /// The sum over the balls of two placed leaves, or of one with itself; false if no pair is within the cutoff.
    bool sum(ChainPlaces& places, std::int32_t one, std::int32_t other, double& sum, ChainLookout* lookout) const;

private:
    static constexpr int size = ChainLeaf::size;
    /// What Lennard-Jones needs to know of a ball of one kind and the sixteen balls of a leaf.
    struct Row {
        double square[size], depth[size], offset[size];
    };
    /// Two placed leaves, and which balls of each can be within the cutoff of some of the other.
    struct Facing {
        const ChainLeafExact &a, &b;
        std::int64_t leaf_a, leaf_b;
        unsigned near_a, near_b;
        bool same;     // one and the same
        bool careful;  // some pair may be excluded
        double doubt;  // a gap that is smaller is none
    };

    /// A ball of one leaf and four of the other, those of them that are within the cutoff, and what their energies
    /// need.
    struct Found {
        static constexpr int most = size * size / 4;
        int count = 0;
        double d2[4 * most];
        const double* row[most];
        unsigned inside[most];
    };

    const ChainTree& tree_;
    const ChainExclusion& exclusion_;
    const ChainEnergy energy_;
    double smallest_ = far_away, largest_ = 0, reach_ = 0;
    double far_ = 0;                 // the largest distance of two centres that matters
    std::vector<Row> rows_;          // of each leaf and kind; none if it were too many
    std::vector<std::int32_t> row_;  // of each ball: where the row of its kind is among those of a leaf, in numbers

    void make_rows();
    Row row(std::int64_t leaf, int kind) const;
    unsigned within(const ChainLeafExact& balls, Vec3 centre, double radius) const;
    unsigned compared(const Facing& f, int i) const;
    template <int open>
    void find(const Facing& f, const int* fours, Found& found) const;
    bool lennard_jones(const Facing& f, double& sum, double& closest2) const;
    bool one_by_one(const Facing& f, double& sum) const;
    void look_for_contact(const Facing& f, ChainLookout& lookout) const;
    template <class Visit>
    void each_pair(const Facing& f, Visit&& visit) const;
};

}  // namespace elbowroom
