// Two bodies and where they are, as callers write them.
#pragma once
#include "any_body.hpp"
#include "arguments.hpp"
#include "configurations.hpp"
#include "poses.hpp"

namespace elbowroom::bindings {

class SceneArguments {
    const ConfiguredBodies bodies_;
    const AnyBody a_, b_;
    const PoseArgument pose_a_, pose_b_;

public:
    const Scene scene{a_, b_, pose_a_, pose_b_};

    SceneArguments(nb::handle a, nb::handle b, nb::handle pose_a, nb::handle pose_b, nb::handle configurations)
        : bodies_(a, b, configurations),
          a_(bodies_.a, "a"),
          b_(bodies_.b, "b"),
          pose_a_(pose_a, "pose_a"),
          pose_b_(pose_b, "pose_b") {
        scene.check();
    }
    bool many(const QueryMemory* memory) const {
        refuse_in_box(scene.in_box() && memory);
        refuse_with_many(scene.many() && memory, "memory");
        return scene.many();
    }
    bool rigid() const { return a_.rigid && b_.rigid; }
    /// Worth letting other Python threads run meanwhile? Below so many pairs of primitives, giving up the lock costs as
    /// much as the question.
    bool heavy() const { return a_.weight() * b_.weight() > 64; }
    template <class F>
    auto run(bool release, F&& f) const {
        return answering({a_.handle, b_.handle}, release, [&] { return f(scene); });
    }
};

}  // namespace elbowroom::bindings
