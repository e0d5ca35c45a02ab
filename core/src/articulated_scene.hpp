// Questions about two bodies of any kinds, or an articulated one and itself, in one configuration or in many.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "elbowroom/batch/many.hpp"
#include "elbowroom/batch/poses.hpp"
#include "elbowroom/bodies/articulated_configurations.hpp"
#include "elbowroom/bodies/chain_numbered.hpp"
#include "elbowroom/bodies/crowd.hpp"
#include "elbowroom/bodies/rigid_body.hpp"

namespace elbowroom {

/// A body of any kind: rigid, a chain or necklace, or articulated.
struct SceneBody {
    const RigidBody* rigid = nullptr;
    const NumberedChain* chain = nullptr;  // of a necklace: one that numbers the beads as they are
    std::shared_ptr<Chain> settled;        // of a chain or necklace: what is asked
    const ArticulatedConfigurations* articulated = nullptr;
    const Crowd* crowd = nullptr;  // of a chain or necklace in a periodic box: what is asked instead
    const Lattice* box = nullptr;

    bool many() const { return articulated && articulated->many(); }
    /// About how much there is to look at.
    std::int64_t weight() const {
        if (articulated) return articulated->model->weight();
        if (crowd) return crowd->count();
        return rigid ? rigid->count() : std::int64_t(settled->balls());
    }
    /// The widths of trees that it has, as bits; a chain goes with all.
    unsigned widths() const {
        if (articulated) return articulated->model->widths();
        return rigid ? ArticulatedModel::widths_of(*rigid) : 3u;
    }
};

/// Two bodies and where they are, in one pose and configuration or in many.
struct Scene {
    const SceneBody &a, &b;
    const Poses &pose_a, &pose_b;

    /// Throws std::invalid_argument if the bodies or their numbers of poses and configurations do not go together.
    void check() const;
    bool in_box() const { return a.box; }
    bool many() const { return pose_a.many() || pose_b.many() || a.many() || b.many(); }
    std::ptrdiff_t count() const;
};

CollideAnswer collide(const Scene& scene, const CollideOptions& options);
DistanceAnswer distance(const Scene& scene, const DistanceOptions& options);
WithinAnswer within(const Scene& scene, const WithinOptions& options);

/// Of all poses and configurations. Throws BadPoses.
Collisions collide_many(const Scene& scene, int threads, const CollideOptions& options);
Distances distance_many(const Scene& scene, int threads, const DistanceOptions& options);
ManyPairs within_many(const Scene& scene, int threads, const WithinOptions& options);

/// The questions about an articulated body and itself. They throw BadPoses.
struct ArticulatedSelf {
    const ArticulatedConfigurations& body;

    CollideAnswer self_collide(const CollideOptions& options) const;
    DistanceAnswer self_distance(const DistanceOptions& options) const;
    WithinAnswer self_within(const WithinOptions& options) const;
    Collisions collide_many(int threads, const CollideOptions& options) const;
    Distances distance_many(int threads, const DistanceOptions& options) const;
    ManyPairs within_many(int threads, const WithinOptions& options) const;
};

/// What there is between an articulated body and another articulated one, or a rigid one at the origin, or itself
/// (null), over all configurations.
class ArticulatedStages {
public:
    /// Throws std::invalid_argument if the other body has another number of configurations.
    ArticulatedStages(const ArticulatedConfigurations& body, const SceneBody* other);

    /// The pairs of shapes whose boxes overlap: (configuration, a, b).
    std::vector<std::array<std::int32_t, 3>> candidates() const;

    /// Seconds that the parts of a question take, one configuration after the other in one thread.
    struct Seconds {
        double kinematics, update, test, query;
        std::int64_t exact, hits;  // exact queries, and those that found an overlap
    };
    Seconds measure(bool depth) const;

private:
    const ArticulatedConfigurations& body_;
    const SceneBody* const other_;

    template <class Visit>
    void each(bool refits, Visit&& visit) const;
};

}  // namespace elbowroom
