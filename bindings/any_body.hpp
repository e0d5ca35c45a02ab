// An argument that may be any body: rigid, a chain, articulated, or a necklace.
#pragma once
#include <optional>
#include <string>

#include "articulated_scene.hpp"
#include "articulateds.hpp"
#include "chains.hpp"
#include "necklaces.hpp"
#include "rigids.hpp"

namespace elbowroom::bindings {

struct AnyBody : SceneBody {
    ArticulatedHandle* handle = nullptr;  // of an articulated body
    std::optional<Asking> question;       // it must not change meanwhile

    AnyBody(nb::handle value, const char* name) {
        if (RigidHandle* one = nullptr; nb::try_cast<RigidHandle*>(value, one) && one) {
            rigid = one;
            question.emplace(one->usage);
            return;
        }
        if (nb::try_cast<ArticulatedHandle*>(value, handle) && handle) {
            articulated = handle;
            question.emplace(handle->usage);
            return;
        }
        if (ChainHandle* one = nullptr; nb::try_cast<ChainHandle*>(value, one) && one) {
            chain = one;
            settled = one->settled();
            if (one->box) crowd = &one->need_crowd(), box = &*one->box;
            question.emplace(one->usage);
            return;
        }
        if (NecklaceHandle* necklace = nullptr; nb::try_cast<NecklaceHandle*>(value, necklace) && necklace) {
            static const NumberedChain plain;
            chain = &plain;
            if (necklace->box)
                crowd = &necklace->need_crowd(), box = &*necklace->box;
            else
                settled = necklace->as_chain();
            question.emplace(necklace->usage);
            return;
        }
        const std::string got = nb::cast<std::string>(value.type().attr("__name__"));
        throw nb::type_error((std::string(name) +
                              " must be a body (Sphere, Capsule, Box, Convex, HalfSpace, Mesh, Group, Chain, "
                              "Articulated or Necklace), got " +
                              got)
                                 .c_str());
    }
};

}  // namespace elbowroom::bindings
