// An argument that may be any body: rigid, a chain, or articulated.
#pragma once
#include <string>

#include "articulateds.hpp"
#include "chains.hpp"

namespace elbowroom::bindings {

struct AnyBody {
    const RigidBody* rigid = nullptr;
    ChainHandle* chain = nullptr;
    ArticulatedHandle* articulated = nullptr;
    std::shared_ptr<Chain> settled;    // of a chain: what is asked
    std::unique_ptr<ChainUse> in_use;  // and it must not change meanwhile
    std::unique_ptr<ArticulatedUse> posed;

    AnyBody(nb::handle value, const char* name) {
        if (nb::try_cast<const RigidBody*>(value, rigid) && rigid) return;
        if (nb::try_cast<ArticulatedHandle*>(value, articulated) && articulated) {
            posed = std::make_unique<ArticulatedUse>(*articulated);
            return;
        }
        if (nb::try_cast<ChainHandle*>(value, chain) && chain) {
            settled = chain->settled();
            in_use = std::make_unique<ChainUse>(*chain, ChainUse::question);
            return;
        }
        const std::string got = nb::cast<std::string>(value.type().attr("__name__"));
        throw nb::type_error(
            (std::string(name) +
             " must be a body (Sphere, Capsule, Box, Convex, Mesh, Group, Chain or Articulated), got " + got)
                .c_str());
    }
    bool many() const { return articulated && articulated->many(); }
    /// About how much there is to look at.
    std::int64_t count() const {
        if (articulated) return articulated->model->weight();
        return rigid ? rigid->count() : settled->balls();
    }
};

}  // namespace elbowroom::bindings
