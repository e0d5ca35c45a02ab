// A necklace as Python holds it: its beads, and the hierarchies over them that were asked for.
#pragma once
#include <nanobind/nanobind.h>

#include <list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "elbowroom/bodies/chain.hpp"
#include "elbowroom/bodies/necklace_boxes.hpp"
#include "elbowroom/reference/necklace_cages.hpp"
#include "in_use.hpp"

namespace elbowroom::bindings {

namespace nb = nanobind;

/// Cages and which beads may touch.
struct TouchingCages {
    const NecklaceCages& cages;
    const NecklaceTouch& touch;
    CollideAnswer self_collide(const CollideOptions& options) const { return cages.self_collide(touch, options); }
    DistanceAnswer self_distance(const DistanceOptions& options) const { return cages.self_distance(touch, options); }
};

/// By what self-collisions are looked for. With `power` and `hybrid` the power diagram, which lives in Python, gives
/// the candidates.
enum class NecklaceKind { boxes, wrapped, layered, power, hybrid };

struct NecklaceHandle {
    std::shared_ptr<NecklaceBoxes> boxes;
    std::shared_ptr<NecklaceCages> cages;  // null until needed
    std::shared_ptr<Chain> chain;          // the beads as asked with other bodies; null until needed
    NecklaceKind kind = NecklaceKind::boxes;
    CageVerify verify = CageVerify::automatic;
    int dimension = 3;
    std::vector<double> room;   // for beads in the plane, with their third coordinate
    bool cages_follow = false;  // the cages are those of this frame
    double cage_seconds = 0;    // that the last question by cages took, the move for it included
    Usage usage{"the necklace"};
    std::list<Asking> questions;  // that Python has begun and not yet ended

    NecklaceHandle() = default;
    NecklaceHandle(NecklaceHandle&&) = default;

    /// Takes over everything of a necklace that nobody else has.
    void become(NecklaceHandle& other) {
        usage.refuse_change();
        boxes = std::move(other.boxes);
        cages = std::move(other.cages);
        chain = std::move(other.chain);
        cages_follow = other.cages_follow;
        cage_seconds = other.cage_seconds;
    }
    bool keeps_cages() const { return kind == NecklaceKind::wrapped || kind == NecklaceKind::layered; }
    bool by_diagram() const { return kind == NecklaceKind::power || kind == NecklaceKind::hybrid; }
    std::size_t beads() const { return boxes->radii().size(); }
    /// Worth letting other Python threads run meanwhile?
    bool heavy() const { return beads() > 256; }

    /// The cages of this frame. Called under the interpreter's lock.
    NecklaceCages& need_cages() {
        if (cages && cages_follow) return *cages;
        const Reviewing review(usage);
        const Vec3* centres = boxes->centres().data();
        const std::shared_ptr<NecklaceCages> before = std::move(cages);  // lost if this is interrupted
        if (before) before->move(centres, verify);
        cages = before ? before
                       : std::make_shared<NecklaceCages>(
                             centres, boxes->radii(), dimension,
                             kind == NecklaceKind::layered ? CageKind::layered : CageKind::wrapped);
        cages_follow = true;
        return *cages;
    }
    /// The beads as a chain without joints, as other bodies see them.
    std::shared_ptr<Chain> as_chain() {
        usage.refuse_question();
        if (chain) return chain;
        ChainParts parts;
        parts.centres = boxes->centres();
        parts.radii = boxes->radii();
        parts.watch = &boxes->watch();
        return chain = std::make_shared<Chain>(std::move(parts));
    }
};

}  // namespace elbowroom::bindings
