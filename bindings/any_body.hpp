// An argument that may be any body: rigid, or a chain.
#pragma once
#include <nanobind/nanobind.h>

#include <string>

#include "chain_cross.hpp"
#include "chains.hpp"

namespace elbowroom::bindings {

namespace nb = nanobind;

struct AnyBody {
    const RigidBody* rigid = nullptr;
    ChainHandle* chain = nullptr;
    std::shared_ptr<Chain> settled;    // of a chain: what is asked
    std::unique_ptr<ChainUse> in_use;  // and it must not change meanwhile

    AnyBody(nb::handle value, const char* name) {
        if (nb::try_cast<const RigidBody*>(value, rigid) && rigid) return;
        if (nb::try_cast<ChainHandle*>(value, chain) && chain) {
            settled = chain->settled();
            in_use = std::make_unique<ChainUse>(*chain, ChainUse::question);
            return;
        }
        const std::string got = nb::cast<std::string>(value.type().attr("__name__"));
        throw nb::type_error(
            (std::string(name) + " must be a body (Sphere, Capsule, Box, Convex, Mesh, Group or Chain), got " + got)
                .c_str());
    }
    std::int64_t count() const { return rigid ? rigid->count() : settled->balls(); }
};

/// Asks question(x, y) where one of the bodies, or both, is a chain, and numbers the balls of the answer as outside.
template <class Question>
auto ask_chains(const AnyBody& a, const Rigid& pose_a, const AnyBody& b, const Rigid& pose_b, Question&& question) {
    if (!a.chain) {
        auto answer = question(PlacedChain{b.settled.get(), pose_b}, Placed{a.rigid, pose_a});
        return sorted(swapped(b.chain->outside(std::move(answer), nullptr)));
    }
    const PlacedChain x{a.settled.get(), pose_a};
    if (!b.chain) return a.chain->outside(question(x, Placed{b.rigid, pose_b}), nullptr);
    // One chain in two places is two chains: no pair is turned.
    auto answer = question(x, PlacedChain{b.settled.get(), pose_b});
    ChainHandle numbers;
    numbers.number = b.chain->number;
    return a.chain->outside(std::move(answer), &numbers);
}

}  // namespace elbowroom::bindings
