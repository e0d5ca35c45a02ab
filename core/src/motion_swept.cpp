#include "elbowroom/queries/overlap.hpp"
#include "motion_run.hpp"
#include "rigid_queries.hpp"

namespace elbowroom {

namespace {

/// How much a hull may bulge between its times, relative to the size of the piece, before more times are taken, and
/// before the motion is cut to begin with.
constexpr double bulge_for_more_times = 0.01, bulge_for_a_cut = 0.1;

/// A patient sweep takes so many times the tests while it has met no primitives, and so many times the tests of
/// primitives while none of them is left and the pieces move by few sizes of a primitive.
constexpr std::int64_t patience = 16;

constexpr Suspect none{-1, -1, -1};

int reversed_bits(int i, int bits) {
    int out = 0;
    for (int b = 0; b < bits; ++b) out |= (i >> b & 1) << (bits - 1 - b);
    return out;
}

}  // namespace

/// The number of parts in which a motion is looked at; 0: all is known.
int MotionWorker::Run::prepare_swept() {
    bending_ = 0;
    for (std::size_t k = 0; k < scene_.pairs().size(); ++k) {
        const MotionPair& p = scene_.pairs()[k];
        const double reach = scene_.reach_of(p.a);
        const double size = most(scene_.size_of(p.a), 0.05 * scene_.size_of(p.b));
        const double bend = memory_.bounds[k].acceleration.at(reach, reach);
        if (bend > 0) bending_ = most(bending_, size > 0 ? bend / size : far_away);
    }
    look_at_still_pairs();
    if (touched_) return 0;  // at all times
    int bits = 0;
    while (bits < 8 && bending_ / (128.0 * double(1 << 2 * bits)) > bulge_for_a_cut) ++bits;
    return 1 << bits;
}

/// The goal first, then as far from what was looked at as can be: where samples of planners collide.
void MotionWorker::Run::push_parts(int parts, bool ends) {
    int bits = 0;
    while (1 << bits < parts) ++bits;
    for (int k = 0; k < parts; ++k) {
        const int part = parts - 1 - reversed_bits(k, bits);
        push(double(part) / parts, double(part + 1) / parts, nullptr, ends);
    }
}

/// Pieces that do not move against each other touch always or never.
void MotionWorker::Run::look_at_still_pairs() {
    const double now[1] = {0};
    bool placed = false, looked = false;
    Poll poll(64);
    for (int k = 0; k < int(scene_.pairs().size()) && !touched_; ++k) {
        poll();
        if (memory_.bounds[k].moves()) continue;
        if (!placed) {
            place(now, 1);
            placed = looked = true;
        }
        memory_.left.clear();
        if (!are_far_apart(k, 1, 0)) sweep_whole({0, 0, nullptr, true}, k, now, 1, {});
        if (touched_ || memory_.left.empty()) continue;
        for (const Suspect& s : memory_.left) note_closest(0, s.pair, s.i, s.j);
        open_ = true;
        placed = false;
    }
    answer_.distance_calls += looked;
}

int MotionWorker::Run::times_of(const Span& span) const {
    const double length = span.to - span.from;
    return length == 0 ? 1 : bending_ * length * length / 32 > bulge_for_more_times ? 5 : 3;
}

void MotionWorker::Run::place(const double* times, int count) {
    for (int k = 0; k < count; ++k) scene_.poses(motions_, times[k], memory_.frames[k]);
}

/// The same but for the middle, where they are already.
void MotionWorker::Run::place_others(const double* times, int count) {
    if (placed_) return;
    placed_ = true;
    for (int k = 0; k < count; ++k)
        if (k != count / 2) scene_.poses(motions_, times[k], memory_.frames[k]);
}

/// Where the first piece of a pair is, seen from the second, at the times at hand, d apart.
SweptPoses MotionWorker::Run::swept_poses(int pair, int count, double d) {
    const MotionPair& p = scene_.pairs()[pair];
    const MotionPiece &a = scene_.pieces()[p.a], &b = scene_.pieces()[p.b];
    const PointBound& bound = memory_.bounds[pair];
    const int used = bound.moves() ? count : 1;
    memory_.relative.clear();
    for (int k = 0; k < used; ++k)
        memory_.relative.push_back(
            relative(scene_.pose_of(b, memory_.frames[k]), scene_.pose_of(a, memory_.frames[k])));
    const double share = d * d / 8, reach = scene_.reach_of(p.a), whole = 0.5 * d * (count - 1);
    const double noise = noise_of(pair);
    SweptPoses out{memory_.relative.data(), used, used / 2, {0, 0, 1}, a.pose, 0, 0, noise, 0};
    if (!bound.moves()) return out;
    if (a.frame >= 0) out.axis = motions_[a.frame].axis_inside();
    const AffineBound bend = bound.acceleration * (share * (1 + 1e-12));
    out.arm = bend.per_arm;
    out.reach = bend.per_reach;
    out.own = bend.fixed + noise;
    out.farthest = bound.speed.at(reach, reach) * whole * (1 + 1e-12) + noise;
    return out;
}

/// Are the balls about two pieces farther apart in the middle of the span than they can come nearer within it? The ball
/// about the first must be as far from the half-spaces of the second.
bool MotionWorker::Run::are_far_apart(int pair, int count, double length_of_span) {
    const MotionPair& p = scene_.pairs()[pair];
    const std::vector<Rigid>& frames = memory_.frames[count / 2];
    const Vec3 a = scene_.pose_of(scene_.pieces()[p.a], frames) * scene_.centre_of(p.a);
    const RigidBody& other = *scene_.pieces()[p.b].body;
    const Rigid to_world = scene_.pose_of(scene_.pieces()[p.b], frames);
    const Vec3 b = to_world * scene_.centre_of(p.b);
    const double reach = scene_.reach_of(p.a), radii = scene_.radius_of(p.a) + scene_.radius_of(p.b);
    const double nearer = 0.5 * length_of_span * memory_.bounds[pair].speed.at(reach, reach);
    ++answer_.counters.volume_tests;
    const double rounded = 1e-12 * (radii + length(a) + length(b) + nearer);
    const double enough = nearer + options_.clearance + noise_of(pair) + rounded;
    for (const std::int32_t i : other.half_spaces()) {
        const RoundedHull space = other.primitive(i);
        const double height = dot(to_world.rotation * space.points[1], a - to_world * space.points[0]);
        if (!(height > scene_.radius_of(p.a) + enough)) return false;
    }
    return other.count() == int(other.half_spaces().size()) || length(a - b) > radii + enough;
}

/// Prepares the hulls of the first piece of a pair over a span.
SweptPoses MotionWorker::Run::begin_hulls(const Span& span, int pair, int count) {
    const MotionPair& p = scene_.pairs()[pair];
    const SweptPoses swept = swept_poses(pair, count, count > 1 ? (span.to - span.from) / (count - 1) : 0);
    memory_.hulls.begin(scene_.pieces()[p.a], scene_.pieces()[p.b], swept, p.has_width ? options_.clearance : 0);
    return swept;
}

/// Finds what of a pair of pieces is not proved apart over the span. It goes to memory. Beyond the limits they
/// are crowded.
void MotionWorker::Run::sweep_whole(const Span& span, int pair, const double* times, int count,
                                    const SweepLimits& limits) {
    const SweptPoses swept = begin_hulls(span, pair, count);
    memory_.hulls.tests_left = limits.leaf_tests;
    const std::size_t before = memory_.left.size();
    bool patient = limits.patient && grains_ < few_grains;
    auto keep = [&](int i, int j) {
        if (i < 0 && patient && memory_.left.size() == before) {
            patient = false;
            memory_.hulls.tests_left = (patience - 1) * limits.leaf_tests;
            return false;
        }
        if (i < 0 || std::int64_t(memory_.left.size() - before) == limits.left) return crowded_ = true;
        memory_.left.push_back({pair, i, j});
        return touches(span, memory_.left.back(), times, swept.count) && !options_.first;
    };
    search(pair, swept, limits, keep);
}

/// The same among suspects of one pair.
void MotionWorker::Run::sweep_suspects(const Span& span, const double* times, int count, const Suspect* begin,
                                       const Suspect* end) {
    const SweptPoses swept = begin_hulls(span, begin->pair, count);
    // What touched last may well touch in the middle, too: then only the first half matters, and comes next.
    const Suspect last = touched_ && begin->pair == pair_ ? Suspect{pair_, answer_.pair[0], answer_.pair[1]} : none;
    if (last.pair >= 0 && touches(span, last, times, swept.count) && answer_.at <= times[count / 2]) {
        memory_.left.insert(memory_.left.end(), begin, end);
        return;
    }
    Poll poll(64);
    for (const Suspect* s = begin; s != end; ++s) {
        poll();
        ++answer_.counters.leaf_tests;
        if (memory_.hulls.apart(s->i, s->j)) continue;
        memory_.left.push_back(*s);
        if (s->i == last.i && s->j == last.j) continue;
        if (touches(span, *s, times, swept.count) && !options_.first) return;
    }
}

/// Calls keep(i, j) for what the trees do not rule out, until it has seen enough. Large bodies that are swept far meet
/// too many of each other's parts: beyond the limit of tests, halves are the better question.
template <class Keep>
void MotionWorker::Run::search(int pair, const SweptPoses& swept, const SweepLimits& limits, Keep& keep) {
    const MotionPair& p = scene_.pairs()[pair];
    const MotionPiece &a = scene_.pieces()[p.a], &b = scene_.pieces()[p.b];
    with_common_width(*a.body, *b.body, [&]<int W>(const RigidHierarchy<W>& x, const RigidHierarchy<W>& y) {
        const AcrossSwept<typename RigidHierarchy<W>::Tree> pairing(x.tree, y.tree, swept, options_.clearance,
                                                                    memory_.probes(x));
        const SweptLeaves<W> leaves(scene_, p, x, y, memory_.hulls);
        Overlap query(leaves, keep);
        DepthFirst order;
        const auto roots = pairing.roots();
        ++answer_.counters.volume_tests;
        order.push(roots, query.offers(roots));
        const Allowance rest = remaining_.after(answer_.counters);
        Allowance here = rest;
        if (limits.tests < SweptHulls::most_tests) here.tests = least(here.tests, std::uint64_t(limits.tests));
        Counters work;
        const auto go_on = [&] {
            Budget budget(here);
            return traverse(pairing, query, order, budget, work) == Stop::out_of_budget;
        };
        bool stopped = go_on();
        if (stopped && limits.patient && work.leaf_tests == 0 && here.tests < rest.tests) {
            here.tests = least(rest.tests, std::uint64_t(patience * limits.tests));
            stopped = go_on();
        }
        if (stopped) (here.tests < rest.tests ? crowded_ : answer_.out_of_budget) = true;
        answer_.counters += work;
    });
}

/// Are two primitives in contact at one of the times at which they were placed? The ends of most intervals were looked
/// at before.
bool MotionWorker::Run::touches(const Span& span, const Suspect& s, const double* times, int count) {
    const int first = span.ends || count == 1 ? 0 : 1, last = span.ends || count == 1 ? count - 1 : count - 2;
    bool found = false;
    for (int k = last; k >= first; --k) {
        if (touched_ && times[k] >= answer_.at) continue;
        ++answer_.counters.leaf_tests;
        if (!memory_.hulls.touch(s.i, s.j, k)) continue;
        contact(times[k], s.pair, s.i, s.j);
        found = true;
        if (!options_.first) return true;
    }
    return found;
}

bool MotionWorker::Run::valid() {
    const double now[1] = {0};
    place(now, 1);
    Poll poll(64);
    for (int k = 0; k < int(scene_.pairs().size()) && !touched_; ++k) {
        poll();
        if (!are_far_apart(k, 1, 0)) sweep_whole({0, 0, nullptr, true}, k, now, 1, {});
    }
    return !touched_;
}

}  // namespace elbowroom
