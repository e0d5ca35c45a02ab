#pragma once
#include <vector>

#include "elbowroom/bodies/necklace_boxes.hpp"
#include "elbowroom/queries/answers.hpp"

namespace elbowroom {

/// Questions about a necklace that are decided by a list of pairs of beads, such as a power diagram names.
class NamedBeads {
public:
    NamedBeads(const NecklaceBoxes& beads, std::vector<NecklaceTouch::BeadPair> pairs)
        : beads_(beads), pairs_(std::move(pairs)) {}

    CollideAnswer self_collide(const CollideOptions& options) const;
    DistanceAnswer self_distance(const DistanceOptions& options) const;

private:
    const NecklaceBoxes& beads_;
    const std::vector<NecklaceTouch::BeadPair> pairs_;
};

}  // namespace elbowroom
