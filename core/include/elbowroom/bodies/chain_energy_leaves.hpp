#pragma once
#include <optional>
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

/// The energy of two leaves of a chain. Lennard-Jones and Coulomb are summed four balls at a time, other forms one by
/// one.
class ChainEnergyLeaves {
public:
    ChainEnergyLeaves(const ChainTree& tree, const ChainExclusion& exclusion,
                      const std::vector<ChainPairEnergy>& energies);

    /// Is there an energy of pairs at all?
    bool any() const { return !parts_.empty(); }
    /// How near the surfaces of two balls must be to have an energy.
    double reach() const { return reach_; }
    /// Does everything that touches have an energy? Else a lookout would miss it.
    bool sees_contacts() const { return far_ >= 2 * largest_ * (1 + 1e-6); }
    /// Can any pair of balls of two leaves be left out? "No" is certain.
    bool leaves_out(std::int64_t one, std::int64_t other) const;
    /// The sum over the balls of two placed leaves, or of one with itself; false if no pair is within the cutoff.
    bool sum(ChainPlaces& places, std::int32_t one, std::int32_t other, double& sum, ChainLookout* lookout) const;

private:
    static constexpr int size = ChainLeaf::size;
    /// What Lennard-Jones needs to know of a ball of one kind and the sixteen balls of a leaf.
    struct Row {
        double square[size], depth[size], offset[size];
    };
    /// An energy, and what its sum over fours needs. Arrays by ball are filled up to whole leaves.
    struct Curve {
        ChainPairEnergy energy;
        bool in_fours = false;
        std::vector<Row> rows = {};          // of each leaf and kind; none if it were too many
        std::vector<std::int32_t> row = {};  // of each ball: where the row of its kind is among those of a leaf
        std::vector<double> depth = {};      // mixed: 2 sqrt(epsilon) of each ball
        std::vector<double> extent = {};     // and sigma / 2, or sqrt(sigma); or the charge
    };
    /// Energies over the same pairs.
    struct Part {
        std::optional<ChainExclusion> rule;  // pairs of its own that it leaves out
        bool by_chain = true;                // and those that the chain leaves out
        bool uncut = false;                  // one Lennard-Jones or one Coulomb, or both, without a cutoff
        std::vector<Curve> curves = {};
    };
    /// Two placed leaves, and which balls of each can be within the cutoff of some of the other.
    struct Facing {
        const ChainLeafExact &a, &b;
        std::int64_t leaf_a, leaf_b;
        unsigned near_a, near_b;
        bool same;     // one and the same
        double doubt;  // a gap that is smaller is none
        // What the part that is summed now leaves out.
        const ChainExclusion* rule = nullptr;  // if it concerns these leaves
        bool by_chain = false;                 // if the rule of the chain may
    };

    /// A ball of one leaf and four of the other, those of them that are within the cutoff.
    struct Found {
        static constexpr int most = size * size / 4;
        int count = 0;
        double d2[4 * most];
        unsigned char ball[most], four[most], inside[most];
    };

    const ChainTree& tree_;
    const ChainExclusion& exclusion_;
    double smallest_ = far_away, largest_ = 0, reach_ = 0;
    double far_ = 0;  // the largest distance of two centres that matters
    std::vector<Part> parts_;

    Curve curve(const ChainPairEnergy& energy) const;
    static bool is_uncut(const Part& part);
    void make_rows(Curve& c) const;
    Row row(const ChainPairEnergy& energy, std::int64_t leaf, int kind) const;
    unsigned within(const ChainLeafExact& balls, Vec3 centre, double radius) const;
    unsigned compared(const Facing& f, int i) const;
    template <int open>
    void find(const Facing& f, const int* fours, Found& found) const;
    void find(const Facing& f, Found& found) const;
    double closest(const Found& found) const;
    template <class Value>
    double added(const Found& found, const ChainPairEnergy& energy, Value&& value) const;
    double sum_curve(const Curve& c, const Facing& f, const Found& found) const;
    bool sum_part(const Part& part, const Facing& f, double& sum, double* closest2) const;
    template <bool charged, class LennardJones>
    double sum_uncut(const Facing& f, const Curve* charges, LennardJones&& lennard_jones) const;
    double sum_uncut(const Part& part, const Facing& f) const;
    bool one_by_one(const ChainPairEnergy& energy, const Facing& f, double& sum) const;
    void look_for_contact(const Facing& f, ChainLookout& lookout) const;
    template <class Visit>
    void each_pair(const Facing& f, Visit&& visit) const;
};

/// The balls of b that ball i of a is compared with.
ELBOWROOM_INLINE unsigned ChainEnergyLeaves::compared(const Facing& f, int i) const {
    unsigned out = f.same ? f.near_b & ~0u << (i + 1) : f.near_b;
    if (f.rule) out = f.rule->compared(f.leaf_a * size + i, f.leaf_b * size, out);
    return f.by_chain ? exclusion_.compared(f.leaf_a * size + i, f.leaf_b * size, out) : out;
}

}  // namespace elbowroom
