// One motion being checked: which intervals are left, and what is known. How an interval is looked at is in
// motion_swept.cpp and motion_bounded.cpp.
#pragma once
#include <memory>

#include "elbowroom/motion/motion_check.hpp"
#include "elbowroom/motion/swept_leaves.hpp"
#include "elbowroom/queries/remaining_budget.hpp"
#include "elbowroom/reference/hourglass.hpp"

namespace elbowroom {

/// Two primitives that are not yet proved apart, or all of two pieces: then i is negative, and j says how many tests a
/// sweep may take (0: they are measured, negative: not yet known).
struct Suspect {
    std::int32_t pair, i, j;
};
using Suspects = std::shared_ptr<const std::vector<Suspect>>;

/// A sweep is given up beyond so many tests, so many of primitives among them, and so many pairs that are left. One
/// that is patient goes on where it looks as if nothing would be left.
struct SweepLimits {
    std::int64_t tests = SweptHulls::most_tests, leaf_tests = tests, left = tests;
    bool patient = false;
};

/// What a pair of pieces has cost so far in one motion, in units of about a nanosecond: by distances, and by sweeps
/// that were given up.
struct PairWork {
    double measured = 0, wasted = 0;
    int i = -1, j = -1;  // the primitives that were nearest, or touched, when the pair was last measured
};
/// What tests of a distance cost, of volumes and of primitives, and a distance itself.
constexpr double cost_of_volumes = 5, cost_of_triangles = 15, cost_of_hulls = 700, cost_of_distance = 100;

/// What moves by fewer sizes of a primitive is swept well. The farther primitives go, the more others their hulls meet.
constexpr double few_grains = 5;

/// A part of the motion that is not yet proved free.
struct Span {
    double from, to;
    Suspects suspects;  // null: nothing is ruled out
    bool ends;          // its ends are to be looked at as well
};

/// What is kept from one check to the next, so that most need no new memory.
struct MotionWorker::Memory {
    std::vector<PointBound> bounds;
    std::vector<double> far;  // how far the origin of each frame can be from that of the world
    std::vector<Rigid> frames[5];
    std::vector<Rigid> apart;  // frames at another time, between two looks
    std::vector<Rigid> relative;
    std::vector<Span> spans;
    std::vector<Suspect> left;
    std::vector<double> speeds;       // of the pairs; negative: not yet known
    std::vector<std::int8_t> beside;  // of the pairs: a plane across the axis of rotation parts them; -1: not yet known
    std::vector<PairWork> work;       // of the pairs
    SweptHulls hulls;
    AcrossSwept<RigidHierarchy<8>::Tree>::Probes wide;
    AcrossSwept<RigidHierarchy<2>::Tree>::Probes binary;

    auto& probes(const RigidHierarchy<8>&) { return wide; }
    auto& probes(const RigidHierarchy<2>&) { return binary; }
};

class MotionWorker::Run {
public:
    Run(const MotionScene& scene, Memory& memory, const std::vector<LinearMotion>& motions,
        const MotionOptions& options);
    MotionAnswer run();
    bool valid();
    const Counters& counters() const { return answer_.counters; }

private:
    static constexpr int most_times = 5;
    static constexpr std::size_t crowd = 4096;  // so many intervals are looked at broadly; then one after the other
    static constexpr int most_doubts = 64;

    const MotionScene& scene_;
    Memory& memory_;
    const std::vector<LinearMotion>& motions_;
    const MotionOptions& options_;
    const RemainingBudget remaining_;
    MotionAnswer answer_;
    std::size_t head_ = 0;   // of the spans; those before it are done
    bool in_order_ = false;  // a contact was found, and the first is wanted: earlier times first
    bool touched_ = false;
    bool crowded_ = false;  // a look through the trees took too long
    double safe_ = 0;       // so much before and after the middle of the span is proved free
    int doubts_ = 0;
    bool open_ = false;       // pieces that do not move may touch: no interval is proved, but others may collide
    bool bracketed_ = false;  // nothing is left before the contact but an interval as short as the tolerance
    bool near_ = false;       // a place was found where they come near and nothing was decided
    int pair_ = -1;           // of the contact, or of that place
    double turning_ = 0;      // all angles together
    double bending_ = 0;      // the largest acceleration of a piece relative to its size
    Mat3 map_;                // hourglass: the linear map, times the speed below
    double map_speed_ = 0;    // no point moves faster under it
    bool mapped_ = false;
    bool map_tried_ = false;  // adaptive: the map is made when it is first needed
    bool placed_ = false;     // adaptive: the frames are placed at all times of the span, not only in its middle
    bool looked_ = false;     // adaptive: for a contact in the middle
    double grains_ = 0;       // adaptive: sizes of a primitive by which a pair can move over the span
    double given_up_ = 0;     // adaptive: the largest cost at which a sweep of the pair over the span was given up

    bool done() const { return head_ == memory_.spans.size(); }
    Span next();
    void begin();
    void push(double from, double to, const Suspects& suspects, bool ends);
    void look(Span span);
    void split(const Span& span, double middle_from, double middle_to, double at, const Suspects& left);
    void contact(double t, int pair, int i, int j);
    void doubt(const Span& span);
    void note_closest(double t, int pair, int i, int j);
    HullDistance nearest_points(double t, int pair, int i, int j, Rigid& a_to_world);
    double noise_of(int pair) const;
    void finish();
    void witness();
    bool spent();

    // by distances or by swept hulls
    void prepare_adaptive();
    void look_adaptive(const Span& span);
    void look_at_whole(const Span& span, int pair, int effort, const double* times, int count);
    void look_at_filtered(const Span& span, int pair, int effort, const double* times, int count);
    bool first_look(const Span& span, int pair, const double* times, int count);
    bool later_look(const Span& span, int pair, int effort, const double* times, int count);
    /// How far two pieces are apart at a time, at least.
    struct Gap {
        double lower = 0, upper = far_away, covered = 0, cost = 0;
        bool touches = false, stopped = false;
        std::uint64_t volume_tests = 0;
    };
    /// Tests of an overlap, which is searched for first, and of a distance, which is left out if the overlap was not
    /// ruled out by so many tests.
    struct GapLimits {
        std::uint64_t overlap = 0, tests = ~std::uint64_t(0), far_after = ~std::uint64_t(0);
    };
    Gap gap_of(int pair, const std::vector<Rigid>& frames, bool mapped, double half, const GapLimits& limits);
    void look_at_point(const Span& span, int pair);
    void measure_whole(const Span& span, int pair, bool swept, const double* times, int count);
    bool sweeps_for(const Span& span, int pair, const double* times, int count, double cost);
    void place_others(const double* times, int count);
    void conclude_look(const Span& span, double middle);
    bool is_hit_at(int pair, const std::vector<Rigid>& frames, double time);
    bool is_hit_at_share(const Span& span, int pair, double share);
    bool is_decided_in_middle(const Span& span, int pair, double middle, int time);
    bool finds_hit(const Span& span, int pair);
    bool sweeps(const Span& span, int pair, const double* times, int count, const SweepLimits& limits);
    int next_effort(double cost, double share) const;
    bool measurable(int pair) const;
    bool goes_straight();
    bool goes_less(const Span& span, int pair, double sizes);
    int turning_frame(int pair) const;
    bool stays_beside(const Span& span, int pair);
    double tight_speed(int pair);

    // by swept hulls
    int prepare_swept();
    void push_parts(int parts, bool ends);
    void look_at_still_pairs();
    int times_of(const Span& span) const;
    void place(const double* times, int count);
    bool are_far_apart(int pair, int count, double length_of_span);
    SweptPoses swept_poses(int pair, int count, double d);
    SweptPoses begin_hulls(const Span& span, int pair, int count);
    void sweep_whole(const Span& span, int pair, const double* times, int count, const SweepLimits& limits);
    void sweep_suspects(const Span& span, const double* times, int count, const Suspect* begin, const Suspect* end);
    template <class Keep>
    void search(int pair, const SweptPoses& swept, const SweepLimits& limits, Keep& keep);
    bool touches(const Span& span, const Suspect& suspect, const double* times, int count);

    // segments that pass through each other
    bool finds_crossing(const Span& span);
    bool passes_through(const Suspect& suspect, double from, double to, double& at);

    // by a distance and a bound
    void prepare_bounded();
    void look_bounded(const Span& span);
    void prepare_map();
    DistanceAnswer measure_best(int pair, int time, double half, double& covered);
    DistanceAnswer measure(int pair, int time, bool mapped, double half, double& covered);
    double speed_of(int pair);
    bool by_distances() const {
        return options_.method != MotionMethod::adaptive && options_.method != MotionMethod::swept;
    }
    bool by_axis() const {
        return options_.method == MotionMethod::isotropic_axis || options_.method == MotionMethod::hourglass_axis;
    }
    bool by_hourglass() const {
        return options_.method == MotionMethod::hourglass || options_.method == MotionMethod::hourglass_axis;
    }
    bool is_simple(int pair) const;
    double radius_of(int piece, const LinearMotion& motion) const;
};

}  // namespace elbowroom
