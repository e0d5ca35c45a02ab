// Beads that move each on their own, straight from one frame to the next, and bonds between them.
#pragma once
#include <optional>
#include <vector>

#include "elbowroom/bodies/necklace_touch.hpp"
#include "elbowroom/math/lattice.hpp"
#include "elbowroom/traversal/budget.hpp"

namespace elbowroom {

/// Two beads or two bonds that meet between two frames.
struct BeadMeeting {
    bool bonds = false;
    bool decided = true;          // else it is not known whether they meet after `before`
    std::int32_t a = -1, b = -1;  // numbers of beads, or of bonds
    double before = 1, at = 1;    // of the time from one frame to the next: apart until, within reach at
    double apart = 0;             // what is between their surfaces at that time
    Vec3 on_a, on_b;              // witness points at that time
};

struct BeadStep {
    std::vector<BeadMeeting> meetings;  // the first one, or all, in the order of their times
    double before = 1;                  // proved free up to then
    std::uint64_t compared = 0;         // pairs of beads and bonds
    Stop stop = Stop::exhausted;
    Counters counters;
};

/// Where beads are in two frames, and the periodic box of each.
struct BeadFrames {
    const Vec3 *from, *to;
    const Lattice *box_from = nullptr, *box_to = nullptr;
};

struct BeadStepOptions {
    enum class Wanted { first, any, all };
    Wanted wanted = Wanted::first;
    double narrow = 1e-9;  // a contact is bracketed by so much of the time between the frames
    Allowance allowance;
};

/// What is compared: beads unless they may touch, and bonds that share no bead. Bonds may not pass through each other,
/// and must keep a distance, unless a bead of one may touch a bead of the other.
class BeadMotion {
public:
    using Bond = NecklaceTouch::BeadPair;
    BeadMotion(std::vector<double> radii, NecklaceTouch touch, std::vector<Bond> bonds, double bond_radius,
               double clearance);

    std::size_t beads() const { return radii_.size(); }
    /// In a box every bead goes to the nearest image of where it is in the second frame. Throws std::invalid_argument
    /// if something moves too far for the box.
    BeadStep step(const BeadFrames& frames, const BeadStepOptions& options) const;

private:
    class Search;
    const std::vector<double> radii_;
    const NecklaceTouch touch_;
    const std::vector<Bond> bonds_;
    const double bond_radius_, clearance_;
};

}  // namespace elbowroom
