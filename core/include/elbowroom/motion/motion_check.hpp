#pragma once
#include <vector>

#include "elbowroom/motion/motion_scene.hpp"
#include "elbowroom/queries/answers.hpp"

namespace elbowroom {

/// How a motion is proved free: by swept hulls; by one distance for each interval and a bound on how far points move,
/// which is a ball (the standard method) or the paper's ellipsoid (`axis`: with the radius about the axis of rotation);
/// or `adaptive`: by distances or by swept hulls, for each pair of pieces and each interval.
enum class MotionMethod { adaptive, isotropic, isotropic_axis, hourglass, hourglass_axis, swept };

struct MotionOptions {
    MotionMethod method = MotionMethod::adaptive;
    double tolerance = 1e-6;  // share of the time: what cannot be decided within so short an interval is not decided
    double clearance = 0;     // nearer than this is contact
    bool first = true;        // the first contact is wanted; else any
    Allowance allowance;
};

struct MotionInterval {
    double from, to, at;  // proved free from .. to, by what was found at the time `at`
};

/// What became of a motion.
struct MotionAnswer {
    enum class Verdict : unsigned char { free, colliding, undecided };
    Verdict verdict = Verdict::undecided;
    bool out_of_budget = false;
    bool loose = false;                       // an earlier contact is not ruled out within the tolerance
    double before = 0, at = 0;                // colliding: free before, in contact at
    std::int32_t piece_a = -1, piece_b = -1;  // in contact, or nearest where it was not decided
    PrimitivePair pair{-1, -1};
    Vec3 on_a, on_b;     // in the world
    double closest = 0;  // undecided: they come at least so near, at the time `at`
    std::vector<MotionInterval> intervals;
    std::uint64_t distance_calls = 0;
    Counters counters;

    /// The time of this motion is the part from `begin` to `end` of a longer one.
    void put_into(double begin, double end);
};

class MotionWorker {
public:
    explicit MotionWorker(const MotionScene& scene);
    MotionWorker(const MotionWorker&) = delete;
    MotionWorker& operator=(const MotionWorker&) = delete;
    ~MotionWorker();

    /// `motions`: of all frames.
    MotionAnswer check(const std::vector<LinearMotion>& motions, const MotionOptions& options);
    /// Is there no contact at the time 0?
    bool valid(const std::vector<LinearMotion>& motions, double clearance, Counters& counters);

private:
    class Run;
    struct Memory;
    const MotionScene& scene_;
    std::unique_ptr<Memory> memory_;
};

}  // namespace elbowroom
