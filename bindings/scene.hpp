// Two bodies and where they are, as the questions see them.
#pragma once
#include <string>

#include "any_body.hpp"
#include "poses.hpp"

namespace elbowroom::bindings {

/// The two bodies with their poses and configurations, one or many.
struct Scene {
    AnyBody a, b;
    PoseArgument pose_a, pose_b;
    Scene(nb::handle a_, nb::handle b_, nb::handle pose_a_, nb::handle pose_b_);

    bool in_box() const { return a.box; }
    bool many() const { return pose_a.many() || pose_b.many() || a.many() || b.many(); }
    std::ptrdiff_t count() const;
    /// Worth letting other Python threads run meanwhile? Giving up the lock costs as much as a test of two spheres.
    bool heavy() const { return a.count() * b.count() > 64; }
    /// In a periodic box there are two crowds, where they are.
    void refuse_memory(bool given) const {
        if (given && in_box()) throw nb::value_error("memory is not for bodies in a periodic box");
    }
    /// Raises what is wrong with poses that were placed.
    [[noreturn]] void complain(const BadPoses& bad) const;
};

/// An order of articulated bodies that does not depend on the caller's.
bool comes_before(std::ptrdiff_t i, const ArticulatedHandle& a, const Rigid& pa, const ArticulatedHandle& b,
                  const Rigid& pb);

/// Asks questions of a scene, one after the other; one for each thread.
class SceneWorker {
public:
    explicit SceneWorker(const Scene& scene) : scene_(scene) {
        if (scene.a.articulated) places_a_.emplace(*scene.a.articulated);
        if (scene.b.articulated) places_b_.emplace(*scene.b.articulated);
    }
    /// Asks `question(x, y)` of the bodies in their poses and configurations number i.
    template <class Question>
    auto ask(std::ptrdiff_t i, Question&& question) {
        const Rigid pa = scene_.pose_a.at(i), pb = scene_.pose_b.at(i);
        if (scene_.a.rigid && scene_.b.rigid) [[likely]]
            return question(Placed{scene_.a.rigid, pa}, Placed{scene_.b.rigid, pb});
        if (scene_.a.articulated && scene_.b.articulated) return ask_articulated(i, pa, pb, question);
        if (scene_.a.articulated) return ask_one(i, *places_a_, pa, scene_.b, pb, question);
        if (scene_.b.articulated) return sorted(swapped(ask_one(i, *places_b_, pb, scene_.a, pa, question)));
        if (scene_.in_box()) return question(*scene_.a.crowd, *scene_.b.crowd);
        return ask_chains(pa, pb, question);
    }

private:
    const Scene& scene_;
    std::optional<ArticulatedPlaces> places_a_, places_b_;

    /// Two articulated bodies, in an order that does not depend on the caller's. The first stays in its own frame.
    template <class Question>
    auto ask_articulated(std::ptrdiff_t i, const Rigid& pa, const Rigid& pb, Question&& question) {
        if (comes_before(i, *scene_.b.articulated, pb, *scene_.a.articulated, pa))
            return sorted(swapped(ask_articulated(i, *places_b_, pb, *places_a_, pa, question)));
        return ask_articulated(i, *places_a_, pa, *places_b_, pb, question);
    }
    template <class Question>
    static auto ask_articulated(std::ptrdiff_t i, ArticulatedPlaces& a, const Rigid& pa, ArticulatedPlaces& b,
                                const Rigid& pb, Question&& question) {
        const ArticulatedSide x(a.at(i, {})), y(b.at(i, relative(pa, pb)));
        return carried(pa, question(ArticulatedPairs(x, y, false)));
    }

    /// An articulated body and a rigid one or a chain.
    template <class Question>
    auto ask_one(std::ptrdiff_t i, ArticulatedPlaces& a, const Rigid& pa, const AnyBody& b, const Rigid& pb,
                 Question&& question) {
        if (b.rigid) {
            const ArticulatedState& state = a.at(i, {});
            const RigidShape shape(Placed{b.rigid, relative(pa, pb)}, state.model().refit());
            const ArticulatedSide x(state), y(shape);
            return carried(pa, question(ArticulatedPairs(x, y, false)));
        }
        auto answer = question(ArticulatedAndChain(a.at(i, pa), PlacedChain{b.settled.get(), pb}));
        return sorted(swapped(b.chain->outside(swapped(std::move(answer)), nullptr)));
    }

    /// Where one of the bodies, or both, is a chain and the other rigid: numbers the balls of the answer as outside.
    template <class Question>
    auto ask_chains(const Rigid& pa, const Rigid& pb, Question&& question) {
        const AnyBody &a = scene_.a, &b = scene_.b;
        if (!a.chain) {
            auto answer = question(PlacedChain{b.settled.get(), pb}, Placed{a.rigid, pa});
            return sorted(swapped(b.chain->outside(std::move(answer), nullptr)));
        }
        const PlacedChain x{a.settled.get(), pa};
        if (!b.chain) return a.chain->outside(question(x, Placed{b.rigid, pb}), nullptr);
        // One chain in two places is two chains: no pair is turned.
        auto answer = question(x, PlacedChain{b.settled.get(), pb});
        ChainHandle numbers;
        numbers.number = b.chain->number;
        return a.chain->outside(std::move(answer), &numbers);
    }
};

/// Asks for overlap of two articulated bodies that hold many configurations and stand in the world as they are, eight
/// configurations at a time.
class SceneGroupWorker {
public:
    explicit SceneGroupWorker(const Scene& scene)
        : scene_(scene), a_(*scene.a.articulated), b_(*scene.b.articulated), count_(scene.count()) {}
    CollideAnswer ask(std::ptrdiff_t i, const CollideOptions& options);
    static bool suits(const Scene& scene);

private:
    const Scene& scene_;
    ArticulatedGroups a_, b_;
    GroupCandidates found_;
    const std::ptrdiff_t count_;
    std::ptrdiff_t begin_ = -8;
    unsigned good_a_ = 0, good_b_ = 0;

    void load(std::ptrdiff_t i);
    bool all_certain(int lane, const CollideOptions& options);
};

}  // namespace elbowroom::bindings
