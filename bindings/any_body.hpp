// An argument that may be any body: rigid, a chain, articulated, or a necklace.
#pragma once
#include <optional>
#include <string>

#include "articulateds.hpp"
#include "chains.hpp"
#include "elbowroom/bodies/crowd.hpp"
#include "necklaces.hpp"

namespace elbowroom::bindings {

struct AnyBody {
    const RigidBody* rigid = nullptr;
    ChainHandle* chain = nullptr;  // of a necklace: one that numbers the beads as they are
    ArticulatedHandle* articulated = nullptr;
    std::shared_ptr<Chain> settled;  // of a chain or necklace: what is asked
    const Crowd* crowd = nullptr;    // of one in a periodic box: what is asked instead
    const Lattice* box = nullptr;
    std::optional<Asking> question;  // it must not change meanwhile

    AnyBody(nb::handle value, const char* name) {
        if (nb::try_cast<const RigidBody*>(value, rigid) && rigid) return;
        if (nb::try_cast<ArticulatedHandle*>(value, articulated) && articulated) {
            question.emplace(articulated->usage);
            return;
        }
        if (nb::try_cast<ChainHandle*>(value, chain) && chain) {
            settled = chain->settled();
            if (chain->box) crowd = &chain->need_crowd(), box = &*chain->box;
            question.emplace(chain->usage);
            return;
        }
        if (NecklaceHandle* necklace = nullptr; nb::try_cast<NecklaceHandle*>(value, necklace) && necklace) {
            static ChainHandle plain;
            if (necklace->box)
                crowd = &necklace->need_crowd(), box = &*necklace->box;
            else
                settled = necklace->as_chain();
            chain = &plain;
            question.emplace(necklace->usage);
            return;
        }
        const std::string got = nb::cast<std::string>(value.type().attr("__name__"));
        throw nb::type_error(
            (std::string(name) +
             " must be a body (Sphere, Capsule, Box, Convex, Mesh, Group, Chain, Articulated or Necklace), got " + got)
                .c_str());
    }
    bool many() const { return articulated && articulated->many(); }
    /// About how much there is to look at.
    std::int64_t count() const {
        if (articulated) return articulated->model->weight();
        if (crowd) return crowd->count();
        return rigid ? rigid->count() : settled->balls();
    }
};

}  // namespace elbowroom::bindings
