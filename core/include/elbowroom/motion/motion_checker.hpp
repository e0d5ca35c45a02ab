#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "elbowroom/motion/motion_check.hpp"

namespace elbowroom {

/// Where a body is at the start or the goal of a motion: a pose, or the values of its joints.
struct MotionState {
    Rigid pose;
    const double* configuration = nullptr;  // of a body that is moved by its joints
};

/// The motions of all frames of a scene, for one check after the other; one for each thread.
class MotionSetter {
public:
    explicit MotionSetter(const MotionScene& scene);

    /// As they were when the scene was made.
    const std::vector<LinearMotion>& as_added() const { return motions_; }
    /// The mover goes straight from one state to another.
    const std::vector<LinearMotion>& between(const MotionState& start, const MotionState& goal);
    /// The mover is moved by poses, like this.
    const std::vector<LinearMotion>& along(const LinearMotion& motion);
    /// One segment of a path through configurations, which take equal shares of the time.
    const std::vector<LinearMotion>& segment(const double* path, int segment, int segments);

private:
    const MotionScene& scene_;
    const int mover_, values_;  // values: of a configuration; 0: the mover is moved by poses
    std::vector<LinearMotion> motions_;
};

/// Checks motions in a scene. First the scene is completed; then checks may run in several threads at once. The memory
/// of a check is kept for the next one, which it does not influence.
class MotionChecker {
public:
    MotionChecker() = default;
    MotionChecker(const MotionChecker&) = delete;
    MotionChecker& operator=(const MotionChecker&) = delete;
    ~MotionChecker();

    MotionScene& scene() { return scene_; }
    const MotionScene& scene() const { return scene_; }

    MotionAnswer check(const MotionState& start, const MotionState& goal, const MotionOptions& options) const;
    /// All frames move as they were added.
    MotionAnswer check(const MotionOptions& options) const;
    /// Is there no contact while the mover is in this state? At time 0 of all other motions.
    bool is_free_at(const MotionState& state, double clearance, Counters& counters) const;

    using State = std::function<MotionState(std::ptrdiff_t)>;
    /// From start(i) to goal(i).
    std::vector<MotionAnswer> check_many(std::ptrdiff_t count, const State& start, const State& goal,
                                         const MotionOptions& options, int threads) const;
    std::vector<MotionAnswer> check_many(const std::vector<LinearMotion>& motions, const MotionOptions& options,
                                         int threads) const;
    /// Paths of so many configurations each, one after the other in memory. Every path is one motion.
    std::vector<MotionAnswer> check_paths(const double* paths, std::ptrdiff_t count, int configurations,
                                          const MotionOptions& options, int threads) const;

private:
    class Loan;
    MotionScene scene_;
    mutable std::atomic<MotionWorker*> idle_{nullptr};  // taken out while it is in use

    template <class Ask>
    std::vector<MotionAnswer> answer_all(std::ptrdiff_t count, int threads, const Ask& ask) const;
};

}  // namespace elbowroom
