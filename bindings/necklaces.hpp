// A necklace as Python holds it.
#pragma once
#include <nanobind/nanobind.h>

#include <list>

#include "elbowroom/bodies/chain.hpp"
#include "elbowroom/bodies/necklace.hpp"
#include "elbowroom/in_use.hpp"

namespace elbowroom::bindings {

namespace nb = nanobind;

struct NecklaceHandle : Necklace {
    std::shared_ptr<Chain> chain;  // the beads as asked with other bodies; null until needed
    double cage_seconds = 0;       // that the last question by cages took, the move for it included
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
        box = other.box, crowd = std::move(other.crowd), crowd_follows = other.crowd_follows;
        cages_follow = other.cages_follow;
        cage_seconds = other.cage_seconds;
    }
    /// Worth letting other Python threads run meanwhile?
    bool heavy() const { return beads() > 256; }
    /// The cages of this frame. Called under the interpreter's lock.
    NecklaceCages& need_cages() {
        if (has_cages_of_frame()) return *cages;
        const Reviewing review(usage);
        return Necklace::need_cages();
    }
    /// The beads of this frame sorted in space. Called under the interpreter's lock.
    const Crowd& need_crowd() {
        if (crowd && crowd_follows) return *crowd;
        const Reviewing review(usage);
        return Necklace::need_crowd();
    }
    /// Called under the interpreter's lock.
    bool sorts() {
        if (box) return true;
        const Reviewing review(usage);
        return Necklace::sorts();
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
