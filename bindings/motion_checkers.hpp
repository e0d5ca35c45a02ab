// A motion checker as Python holds it: a scene, how it is asked, and memory for the next question.
#pragma once
#include <deque>
#include <memory>
#include <vector>

#include "articulateds.hpp"
#include "elbowroom/motion/motion_check.hpp"
#include "poses.hpp"

namespace elbowroom::bindings {

/// What all motions of a body among obstacles have in common: made once, and shared by checkers.
struct MotionParts {
    MotionScene scene;
    std::deque<RigidBody> bodies;                   // which the scene points to
    std::shared_ptr<const ArticulatedModel> links;  // of the body, if its joints are moved
    int mover = -1;                                 // the frame of the body, or of its first link
    std::int64_t weight = 0;                        // pairs of primitives
    std::unique_ptr<MotionWorker> idle;             // taken out while it is in use; under the interpreter's lock
};

struct MotionCheckerHandle {
    std::shared_ptr<MotionParts> parts = std::make_shared<MotionParts>();
    MotionOptions options;
    std::uint64_t motions = 0, distance_calls = 0;
    Counters counters;

    const ArticulatedModel* links() const { return parts->links.get(); }
    int values() const { return links() ? links()->parts().values : 0; }
    void note(const MotionAnswer& a) { ++motions, distance_calls += a.distance_calls, counters += a.counters; }
};

/// A worker for the time of one call, or of one thread.
class MotionLoan {
public:
    explicit MotionLoan(MotionCheckerHandle& h)
        : parts_(h.parts),
          worker_(parts_->idle ? std::move(parts_->idle) : std::make_unique<MotionWorker>(parts_->scene)) {}
    MotionLoan(const MotionLoan&) = delete;
    MotionLoan& operator=(const MotionLoan&) = delete;
    ~MotionLoan() { parts_->idle = std::move(worker_); }
    MotionWorker& worker() { return *worker_; }

private:
    const std::shared_ptr<MotionParts> parts_;
    std::unique_ptr<MotionWorker> worker_;
};

/// Where a body is at the start or the goal of a motion: a pose, or a configuration; one or many.
class StateArgument {
public:
    StateArgument(const MotionCheckerHandle& h, nb::handle self, nb::handle value, const char* name);
    bool many() const { return pose_ ? pose_->many() : count_ >= 0; }
    std::ptrdiff_t count() const { return pose_ ? pose_->count() : count_; }
    Rigid pose(std::ptrdiff_t i) const { return pose_->at(i); }
    const double* configuration(std::ptrdiff_t i) const { return array_->data() + (count_ >= 0 ? i * values_ : 0); }

private:
    std::unique_ptr<PoseArgument> pose_;
    nb::object held_;
    std::unique_ptr<ArrayArgument> array_;
    std::ptrdiff_t count_ = -1;
    int values_ = 0;
};

/// The motions of all frames for straight ways from one state to another; one for each thread.
class MotionSetter {
public:
    explicit MotionSetter(const MotionCheckerHandle& h) : p_(*h.parts) { p_.scene.motions(0, 1, motions_); }
    const std::vector<LinearMotion>& between(const StateArgument& start, const StateArgument& goal, std::ptrdiff_t i) {
        if (p_.links)
            p_.scene.set_links(p_.mover, start.configuration(i), goal.configuration(i), motions_);
        else if (p_.mover >= 0)
            motions_[p_.mover] = LinearMotion::between(start.pose(i), goal.pose(i));
        return motions_;
    }
    /// One of the given motions of a rigid body, or the k-th part of a path through configurations.
    const std::vector<LinearMotion>& of(const LinearMotion& m) {
        if (p_.mover >= 0) motions_[p_.mover] = m;
        return motions_;
    }
    const std::vector<LinearMotion>& of(const double* configurations, int segment, int segments) {
        const int values = p_.links->parts().values;
        p_.scene.motions(double(segment) / segments, double(segment + 1) / segments, motions_);
        const double* from = configurations + std::ptrdiff_t(segment) * values;
        p_.scene.set_links(p_.mover, from, from + values, motions_);
        return motions_;
    }
    const std::vector<LinearMotion>& as_they_are() const { return motions_; }

private:
    const MotionParts& p_;
    std::vector<LinearMotion> motions_;
};

}  // namespace elbowroom::bindings
