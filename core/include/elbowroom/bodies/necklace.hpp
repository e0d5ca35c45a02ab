// A necklace: its beads, and the hierarchies over them that were asked for.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "elbowroom/bodies/necklace_boxes.hpp"
#include "elbowroom/math/lattice.hpp"
#include "elbowroom/reference/necklace_cages.hpp"

namespace elbowroom {

/// Cages and which beads may touch.
struct TouchingCages {
    const NecklaceCages& cages;
    const NecklaceTouch& touch;
    CollideAnswer self_collide(const CollideOptions& options) const { return cages.self_collide(touch, options); }
    DistanceAnswer self_distance(const DistanceOptions& options) const { return cages.self_distance(touch, options); }
};

class Crowd;

/// Beads sorted in space, and which of them may touch.
struct TouchingCrowd {
    const Crowd& crowd;
    const NecklaceTouch& touch;
    CollideAnswer self_collide(const CollideOptions& options) const;
    DistanceAnswer self_distance(const DistanceOptions& options) const;
    WithinAnswer self_within(const WithinOptions& options) const;
};

/// By what self-collisions are looked for. With `power` and `hybrid` a power diagram gives the candidates.
enum class NecklaceKind { boxes, wrapped, layered, power, hybrid };

struct Necklace {
    std::shared_ptr<NecklaceBoxes> boxes;
    std::shared_ptr<NecklaceCages> cages;  // null until needed
    NecklaceKind kind = NecklaceKind::boxes;
    CageVerify verify = CageVerify::automatic;
    int dimension = 3;             // 2: positions have two numbers a bead
    bool cages_follow = false;     // the cages are those of this frame
    std::optional<Lattice> box;    // periodic
    std::shared_ptr<Crowd> crowd;  // null until needed
    bool crowd_follows = false;    // the crowd is that of this frame

    bool keeps_cages() const { return kind == NecklaceKind::wrapped || kind == NecklaceKind::layered; }
    bool by_diagram() const { return kind == NecklaceKind::power || kind == NecklaceKind::hybrid; }
    bool has_cages_of_frame() const { return cages && cages_follow; }
    std::size_t beads() const { return boxes->radii().size(); }
    std::size_t bytes() const;

    /// All beads to their new places; false if a number is not finite. The cages follow when they are needed.
    bool move(const double* positions);
    /// The cages of this frame.
    NecklaceCages& need_cages();
    /// The beads of this frame sorted in space.
    const Crowd& need_crowd();
    /// Are questions better asked of beads sorted in space? In a box they must be; else if neighbours along the
    /// necklace are far apart, as in a file of many molecules.
    bool sorts();
    void set_box(const std::optional<Lattice>& to) { box = to, crowd_follows = false; }
    std::vector<double> positions() const;
    /// The cages of a level, or all of them if it is negative.
    std::vector<std::int32_t> cages_at(int level);
    /// A separating family as NecklaceCages::separate gives it, but with bead i as cages + i.
    SeparatingFamily separate(const std::vector<PrimitivePair>* start);
    std::string validate();

private:
    std::string fault_of_crowd();
    bool scattered_ = false;
    int until_look_ = 0, looks_after_ = 64;  // moves after which to see whether beads are scattered; the next time
    std::vector<double> room_;               // for beads in the plane, with their third coordinate
};

}  // namespace elbowroom
