// One motion being checked: which intervals are left, and what is known. How an interval is looked at is in
// motion_swept.cpp and motion_bounded.cpp.
#pragma once
#include <memory>

#include "elbowroom/motion/motion_check.hpp"
#include "elbowroom/motion/swept_leaves.hpp"
#include "elbowroom/queries/purse.hpp"

namespace elbowroom {

/// Two primitives that are not yet proved apart.
struct Suspect {
    std::int32_t pair, i, j;
};
using Suspects = std::shared_ptr<const std::vector<Suspect>>;

/// A part of the motion that is not yet proved free.
struct Span {
    double from, to;
    Suspects suspects;  // null: nothing is ruled out
    bool ends;          // its ends are to be looked at as well
    int halvings = 0;   // made because a look through the trees took too long
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
    const Purse purse_;
    MotionAnswer answer_;
    std::size_t head_ = 0;   // of the spans; those before it are done
    bool in_order_ = false;  // a contact was found, and the first is wanted: earlier times first
    bool touched_ = false;
    bool crowded_ = false;  // a look through the trees took too long
    int doubts_ = 0;
    bool bracketed_ = false;  // nothing is left before the contact but an interval as short as the tolerance
    bool near_ = false;       // a place was noted where they come near and nothing was decided
    int pair_ = -1;           // of the contact, or of that place
    double turning_ = 0;      // all angles together
    double bending_ = 0;      // the largest acceleration of a piece relative to its size
    Mat3 map_;                // hourglass: the linear map, times the speed below
    double map_speed_ = 0;    // no point moves faster under it
    bool mapped_ = false;

    bool done() const { return head_ == memory_.spans.size(); }
    Span next();
    void begin();
    void push(double from, double to, const Suspects& suspects, bool ends, int halvings = 0);
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

    // by swept hulls
    void prepare_swept();
    void look_at_still_pairs();
    void look_swept(const Span& span);
    int times_of(const Span& span) const;
    void place(const double* times, int count);
    bool are_far_apart(int pair, int count, double length_of_span);
    SweptPoses swept_poses(int pair, int count, double d);
    void sweep_pair(const Span& span, int pair, const double* times, int count, const Suspect* begin,
                    const Suspect* end);
    template <class Keep>
    void search(int pair, const SweptPoses& swept, std::uint64_t crowded_at, Keep& keep);
    bool touches(const Span& span, const Suspect& suspect, const double* times, int count);

    // by a distance and a bound
    void prepare_bounded();
    void look_bounded(const Span& span);
    DistanceAnswer measure(int pair, bool mapped, double half, double& covered);
    double speed_of(int pair) const;
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
