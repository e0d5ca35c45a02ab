// Which of two pieces are swept over an interval, and which are measured in its middle.
//
// A sweep rules out a whole interval at once, also where bodies pass each other closely, but meets everything when
// bodies go far. A distance proves as much of the interval as nothing can have come nearer, and says where to go on.
// Which is cheaper is not known beforehand. So neither may cost much more than the other has: a distance is interrupted
// to let a sweep try, a sweep is given up when it costs more than the distances that it would save.
#include "motion_run.hpp"
#include "rigid_queries.hpp"

namespace elbowroom {

namespace {

/// A sweep that has taken so many tests, and one for each primitive, is given up where nothing else can be done.
constexpr int effort_of_sweeps = 4000;
constexpr int most_effort = 1 << 28;

// What follows was chosen on benchmarks/motion/grid.py. Limits are counts, so that the same motion takes the same
// course on every run; costs are counts weighted by what a test of a kind takes, in units of about a nanosecond.

/// What tests of a sweep cost, and each pair of primitives that it leaves.
constexpr double cost_of_swept_volumes = 15, cost_of_swept_hulls = 105, cost_of_suspects = 1500;
/// No sweep is worth its start for less, and so many pairs may always be left.
constexpr double least_cost = 1000, least_left = 4;
/// The first sweep of what goes far tests volumes only. Most motions that pass nothing end there.
constexpr SweepLimits quick_sweep{16, 0, 0};
/// The next sweep, of pieces that move by at most this share of the smaller one, and of those that move farther.
constexpr double short_way = 0.3;
constexpr SweepLimits near_sweep{1000, 160, 20, true}, far_sweep{1000, 60, 4, true};
/// What moves by fewer sizes of a primitive is swept before it is measured.
constexpr double least_grains = 1;
/// A piece of so few primitives is swept at once, as a distance of primitives other than triangles costs more.
constexpr int few_primitives = 16;
constexpr SweepLimits sweep_of_few{2000, 250, 10, true};
/// What moves by at most so many times the size of the smaller piece is measured in its middle before it is swept.
constexpr double measured_way = 1.2;
/// What goes straight and by at most so many times that size is measured as it is before it is measured under a map.
constexpr double unmapped_way = 0.3;
/// Tests of a search for a contact at one time. If fewer than these rule one out, the pieces are far apart, and so many
/// tests of a distance may prove it.
constexpr std::uint64_t hit_tests = 500, far_after = 24, far_tests = 96;
/// The same where a distance comes next, which finds a contact as well.
constexpr std::uint64_t later_hit_tests = 60;
/// Where in an interval a contact is searched for after its middle.
constexpr double hit_shares[] = {0.75, 0.25};
/// A distance is interrupted after so many tests, and then so many times more, to let a sweep of the same cost try.
constexpr double distance_tests = 2000, more_tests = 8, all_tests = 1e9;
/// Where a distance proves more than this share of the interval, distances go on. Else a sweep comes next. To go on
/// measuring would cost about 1 / share distances; the sweep may cost as much, and no more than so many: more where
/// pieces move by few sizes of a primitive. A sweep that was given up is not tried again for less than so many times
/// its cost.
constexpr double large_share = 0.35, most_distances_near = 20, most_distances_far = 0.5, next_try = 2;
/// Where distances go on for long, a sweep may cost this share of all that they have cost, less what was wasted on
/// sweeps that were given up; the next one when that has doubled.
constexpr double credit_share = 0.5, least_credit = 4000;
/// A shift this many times longer than the arc of the rotation is measured under the hourglass's map.
constexpr double straight = 30;
/// Intervals that end in a contact are swept if they are at most so long: distances come near to a contact faster.
constexpr double short_before_contact = 0.02;
/// Intervals at most so long are asked whether a plane across the axis of rotation decides them.
constexpr double short_span = 1.0 / 16;

struct Extent {
    double from, to, largest;  // along a direction; the largest coordinate that was summed up
};

Extent extent_along(const Vec3& direction, const RigidBody& body, const Rigid& pose) {
    Extent out{far_away, -far_away, 0};
    Poll poll(1024);
    for (int i = 0; i < body.count(); ++i) {
        poll();
        const RoundedHull h = body.primitive(i);
        for (int k = 0; k < h.count; ++k) {
            const Vec3 p = pose * h.points[k];
            const double at = dot(direction, p);
            out = {least(out.from, at - h.radius), most(out.to, at + h.radius),
                   most(out.largest, length(p) + h.radius)};
        }
    }
    return out;
}

}  // namespace

/// What a sweep may cost after a distance that cost so much has proved a share of the interval.
int MotionWorker::Run::next_effort(double cost, double share) const {
    if (share > large_share) return 0;
    const double most_distances = grains_ < few_grains ? most_distances_near : most_distances_far;
    return int(least(least(most_distances, 1 / most(share, 1e-9)) * cost, double(most_effort)));
}

/// Do pieces move by less than so many times the size of the smaller one?
bool MotionWorker::Run::goes_less(const Span& span, int pair, double sizes) {
    const MotionPair& p = scene_.pairs()[pair];
    return tight_speed(pair) * (span.to - span.from) < sizes * least(scene_.size_of(p.a), scene_.size_of(p.b));
}

bool MotionWorker::Run::measurable(int pair) const {
    return options_.method == MotionMethod::adaptive && scene_.pairs()[pair].filter < 0;
}

/// How fast points of one piece can move past the other, by the box about the piece that moves.
double MotionWorker::Run::tight_speed(int pair) {
    double& speed = memory_.speeds[pair];
    if (speed >= 0) return speed;
    const MotionPair& p = scene_.pairs()[pair];
    const bool simple = is_simple(pair);
    const int mover = simple && scene_.pieces()[p.a].frame < 0 ? p.b : p.a;
    const MotionPiece& piece = scene_.pieces()[mover];
    const double reach = scene_.reach_of(mover);
    double arm = reach;
    if (piece.frame >= 0 && motions_[piece.frame].angle > 0) {
        const Vec3 low = piece.body->low(), high = piece.body->high(), axis = motions_[piece.frame].axis_inside();
        double farthest2 = 0;
        for (int k = 0; k < 8; ++k) {
            const Vec3 corner{k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z};
            const Vec3 across = cross(axis, piece.pose * corner);
            farthest2 = most(farthest2, dot(across, across));
        }
        arm = least(arm, std::sqrt(farthest2) * (1 + 1e-12));
    }
    speed = simple ? HourglassShape(motions_[piece.frame], arm).speed() : memory_.bounds[pair].speed.at(arm, reach);
    return speed;
}

/// Is a contact of two pieces found at a time, where the frames are so? Most are found soon, if there is one: the
/// search is given up early.
bool MotionWorker::Run::is_hit_at(int pair, const std::vector<Rigid>& frames, double time) {
    looked_ = true;
    const Gap gap = gap_of(pair, frames, false, 0, {hit_tests, 0});
    if (gap.touches) contact(time, pair, memory_.work[pair].i, memory_.work[pair].j);
    return gap.touches;
}

/// Sweeps all of a pair of pieces within limits. False if that was too little; then nothing of it is left.
bool MotionWorker::Run::sweeps(const Span& span, int pair, const double* times, int count, const SweepLimits& limits) {
    const std::size_t before = memory_.left.size();
    const Counters spent = answer_.counters;
    place_others(times, count);
    sweep_whole(span, pair, times, count, limits);
    if (!crowded_ || answer_.out_of_budget || (touched_ && !options_.first)) return true;
    crowded_ = false;
    given_up_ = most(given_up_, cost_of_swept_volumes * double(limits.tests));
    if (!memory_.work.empty())
        memory_.work[pair].wasted +=
            cost_of_swept_volumes * double(answer_.counters.volume_tests - spent.volume_tests) +
            cost_of_swept_hulls * double(answer_.counters.leaf_tests - spent.leaf_tests);
    memory_.left.resize(before);
    return false;
}

bool MotionWorker::Run::is_hit_at_share(const Span& span, int pair, double share) {
    const double t = share == 1 ? span.to : span.from + (span.to - span.from) * share;
    scene_.poses(motions_, t, memory_.apart);
    return is_hit_at(pair, memory_.apart, t);
}

/// Looks for a contact at a few times: false if none was found.
bool MotionWorker::Run::finds_hit(const Span& span, int pair) {
    for (const double share : hit_shares)
        if (is_hit_at_share(span, pair, share)) return true;
    return false;
}

/// What has a filter cannot be measured.
void MotionWorker::Run::look_at_filtered(const Span& span, int pair, int effort, const double* times, int count) {
    const MotionPair& p = scene_.pairs()[pair];
    const std::int64_t all = effort_of_sweeps + scene_.pieces()[p.a].body->count() + scene_.pieces()[p.b].body->count();
    const int most_tests = effort < 0 ? int(least<std::int64_t>(all, most_effort)) : effort;
    if (sweeps(span, pair, times, count, {most_tests > 0 ? most_tests : SweptHulls::most_tests})) return;
    safe_ = 0;
    memory_.left.push_back({pair, -1, most_tests < most_effort / 8 ? most_tests * 8 : 0});
}

/// At one time, contacts are looked for and nothing else.
void MotionWorker::Run::look_at_point(const Span& span, int pair) {
    const Gap gap = gap_of(pair, memory_.frames[0], false, 0, {~std::uint64_t(0)});
    if (gap.touches) contact(span.from, pair, memory_.work[pair].i, memory_.work[pair].j);
    if (gap.stopped) answer_.out_of_budget = true;
}

/// Looks at all of a pair of pieces.
void MotionWorker::Run::look_at_whole(const Span& span, int pair, int effort, const double* times, int count) {
    if (are_far_apart(pair, count, span.to - span.from) || stays_beside(span, pair)) return;
    if (span.to == span.from && measurable(pair)) return look_at_point(span, pair);
    if (span.to - span.from <= options_.tolerance) return void(sweeps(span, pair, times, count, {}));
    if (!measurable(pair)) return look_at_filtered(span, pair, effort, times, count);
    const MotionPair& p = scene_.pairs()[pair];
    grains_ = tight_speed(pair) * (span.to - span.from) / most(scene_.grain_of(p.a) + scene_.grain_of(p.b), 1e-300);
    looked_ = false;
    given_up_ = 0;
    if (!map_tried_) {
        const bool straight = goes_straight();
        if (straight && !options_.first && goes_less(span, pair, unmapped_way) &&
            is_decided_in_middle(span, pair, times[count / 2], count / 2))
            return;
        map_tried_ = true;
        if (straight) prepare_map();
    }
    if (effort < 0 ? first_look(span, pair, times, count) : later_look(span, pair, effort, times, count)) return;
    measure_whole(span, pair, !(touched_ && span.to >= answer_.at && span.to - span.from > short_before_contact), times,
                  count);
}

/// True if nothing more is to be done with the pair in this span.
bool MotionWorker::Run::first_look(const Span& span, int pair, const double* times, int count) {
    const MotionPair& p = scene_.pairs()[pair];
    const bool few = least(scene_.pieces()[p.a].body->count(), scene_.pieces()[p.b].body->count()) <= few_primitives;
    const double middle = times[count / 2];
    const bool ends_in_contact = touched_ && span.to >= answer_.at;
    const auto hits = [&] {
        if (!is_hit_at(pair, memory_.frames[count / 2], middle)) return false;
        if (!options_.first) return true;
        safe_ = 0;
        memory_.left.push_back({pair, -1, -1});
        return true;
    };
    const bool few_at_once = few && !mapped_;
    if (ends_in_contact) {
        if (hits()) return true;
        if (span.to - span.from > short_before_contact) return false;
    } else if (mapped_) {
        return !options_.first &&
               ((!looked_ && hits()) || (goes_less(span, pair, measured_way) && is_hit_at_share(span, pair, 1)));
    } else if (!options_.first && !few && goes_less(span, pair, measured_way) && is_simple(pair)) {
        if (grains_ < least_grains) {
            if (sweeps(span, pair, times, count, near_sweep) || hits()) return true;
            return finds_hit(span, pair);
        }
        if (is_decided_in_middle(span, pair, middle, count / 2)) return true;
    } else {
        if (sweeps(span, pair, times, count, few_at_once ? sweep_of_few : quick_sweep)) return true;
        if (hits()) return true;
    }
    if (!few_at_once) {
        if (sweeps(span, pair, times, count, goes_less(span, pair, short_way) ? near_sweep : far_sweep)) return true;
    }
    return !options_.first && finds_hit(span, pair);
}

/// Is a contact found in the middle, or all of the span proved from there?
bool MotionWorker::Run::is_decided_in_middle(const Span& span, int pair, double middle, int time) {
    const double half = most(middle - span.from, span.to - middle);
    looked_ = true;
    const Gap gap = gap_of(pair, memory_.frames[time], false, half, {hit_tests, far_tests, far_after});
    if (gap.touches) contact(middle, pair, memory_.work[pair].i, memory_.work[pair].j);
    return gap.touches || gap.covered > half;
}

bool MotionWorker::Run::later_look(const Span& span, int pair, int effort, const double* times, int count) {
    const bool ends_in_contact = touched_ && span.to >= answer_.at;
    if (ends_in_contact && is_hit_at(pair, memory_.frames[count / 2], times[count / 2])) {
        if (!options_.first) return true;
        safe_ = 0;
        memory_.left.push_back({pair, -1, -1});
        return true;
    }
    if (ends_in_contact && span.to - span.from > short_before_contact) return false;
    const PairWork& work = memory_.work[pair];
    const double credit = credit_share * work.measured - work.wasted;
    return sweeps_for(span, pair, times, count,
                      most(double(effort), credit >= most(work.wasted, least_credit) ? credit : 0.0));
}

/// Sweeps for no more than it may cost.
bool MotionWorker::Run::sweeps_for(const Span& span, int pair, const double* times, int count, double cost) {
    const SweepLimits limits{std::int64_t(cost / cost_of_swept_volumes), std::int64_t(cost / cost_of_swept_hulls),
                             std::int64_t(most(least_left, cost / cost_of_suspects)), true};
    return cost >= most(least_cost, next_try * given_up_) && sweeps(span, pair, times, count, limits);
}

/// Measures in the middle of the span. What that does not prove is left.
void MotionWorker::Run::measure_whole(const Span& span, int pair, bool swept, const double* times, int count) {
    const double middle = times[count / 2], half = most(middle - span.from, span.to - middle);
    const std::vector<Rigid>& frames = memory_.frames[count / 2];
    PairWork& work = memory_.work[pair];
    bool mapped = mapped_;
    double cost = 0, covered = 0;
    for (double limit = distance_tests;; limit *= more_tests) {
        const bool last = limit > all_tests;
        const Gap gap =
            gap_of(pair, frames, mapped, half,
                   {looked_ || mapped ? 0 : later_hit_tests, last ? ~std::uint64_t(0) : std::uint64_t(limit)});
        looked_ = true;
        if (gap.stopped && last) {
            answer_.out_of_budget = true;
            return;
        }
        cost += gap.cost;
        covered = most(covered, gap.covered);
        if (gap.touches) {
            contact(middle, pair, work.i, work.j);
            if (!options_.first) return;
            covered = 0;
            break;
        }
        if (covered > half) return;
        const bool open = gap.stopped || (mapped && gap.upper == 0);
        if (!open) break;
        if (swept && sweeps_for(span, pair, times, count, cost)) return;
        // Under the map a distance of 0 may be rounding: only the bodies as they are can touch.
        if (mapped && gap.upper == 0) mapped = false;
    }
    work.measured += cost;
    safe_ = least(safe_, covered);
    memory_.left.push_back({pair, -1, next_effort(cost, covered / half)});
}

/// The one frame that moves between two pieces, if it only turns; else -1.
int MotionWorker::Run::turning_frame(int pair) const {
    const MotionPair& p = scene_.pairs()[pair];
    int a = scene_.pieces()[p.a].frame, b = scene_.pieces()[p.b].frame, found = -1;
    while (a != b) {  // parents have smaller numbers
        int& f = a > b ? a : b;
        const LinearMotion& m = motions_[f];
        const bool shifts = m.shift.x != 0 || m.shift.y != 0 || m.shift.z != 0;
        if (shifts || (m.angle > 0 && found >= 0)) return -1;
        if (m.angle > 0) found = f;
        f = scene_.parents()[f];
    }
    return found;
}

/// Is a plane across the axis about which one piece turns past the other between the two? No point of either moves
/// along the axis, so it is between them at all times. Links that slide on each other are decided so; a bound on how
/// far points move in any direction would need intervals as short as the gap is narrow.
bool MotionWorker::Run::stays_beside(const Span& span, int pair) {
    if (options_.method != MotionMethod::adaptive || span.to - span.from > short_span) return false;
    std::int8_t& known = memory_.beside[pair];
    if (known >= 0) return known > 0;
    known = 0;
    const int f = turning_frame(pair);
    if (f < 0) return false;
    scene_.poses(motions_, 0, memory_.apart);
    const int parent = scene_.parents()[f];
    const Vec3 axis = parent < 0 ? motions_[f].axis : memory_.apart[parent].rotation * motions_[f].axis;
    const MotionPair& p = scene_.pairs()[pair];
    const MotionPiece &a = scene_.pieces()[p.a], &b = scene_.pieces()[p.b];
    const Extent of_a = extent_along(axis, *a.body, scene_.pose_of(a, memory_.apart));
    const Extent of_b = extent_along(axis, *b.body, scene_.pose_of(b, memory_.apart));
    const double gap = most(of_b.from - of_a.to, of_a.from - of_b.to);
    const double rounded = 2 * noise_of(pair) + rounding * (of_a.largest + of_b.largest);
    known = gap > (p.has_width ? options_.clearance : 0) + rounded;
    return known > 0;
}

/// Does one body go past obstacles that stand still, and farther than it turns?
bool MotionWorker::Run::goes_straight() {
    for (int k = 0; k < int(scene_.pairs().size()); ++k) {
        if (!is_simple(k)) return false;
        const MotionPair& p = scene_.pairs()[k];
        const int mover = scene_.pieces()[p.a].frame >= 0 ? p.a : p.b;
        const LinearMotion& m = motions_[scene_.pieces()[mover].frame];
        if (!(length(m.shift) > straight * m.angle * scene_.reach_of(mover))) return false;
    }
    return true;
}

void MotionWorker::Run::prepare_adaptive() {
    memory_.speeds.assign(scene_.pairs().size(), -1.0);
    memory_.beside.assign(scene_.pairs().size(), -1);
    memory_.work.assign(scene_.pairs().size(), PairWork{});
    if (const int parts = prepare_swept()) push_parts(parts, true);
    map_tried_ = options_.method != MotionMethod::adaptive || options_.clearance > 0;
}

void MotionWorker::Run::look_adaptive(const Span& span) {
    const bool point = span.to == span.from;
    double times[most_times];
    const int count = times_of(span);
    for (int k = 0; k < count; ++k)
        times[k] = k == count - 1 ? span.to : span.from + (span.to - span.from) * k / (count - 1.0);
    const double middle = times[count / 2];
    scene_.poses(motions_, middle, memory_.frames[count / 2]);
    placed_ = count == 1;
    memory_.left.clear();
    crowded_ = false, safe_ = 1;
    Poll poll(64);
    if (!span.suspects) {
        for (int k = 0; k < int(scene_.pairs().size()); ++k) {
            poll();
            if (!memory_.bounds[k].moves()) continue;  // was looked at to begin with
            look_at_whole(span, k, -1, times, count);
            if ((touched_ && !options_.first) || answer_.out_of_budget) return;
        }
    } else {
        const Suspect *s = span.suspects->data(), *end = s + span.suspects->size();
        while (s != end) {
            poll();
            const Suspect* next = s + 1;
            if (s->i < 0) {
                look_at_whole(span, s->pair, s->j, times, count);
            } else {
                while (next != end && next->pair == s->pair && next->i >= 0) ++next;
                place_others(times, count);
                if (!stays_beside(span, s->pair)) sweep_suspects(span, times, count, s, next);
            }
            if ((touched_ && !options_.first) || answer_.out_of_budget) return;
            s = next;
        }
    }
    if (point) return;
    conclude_look(span, middle);
}

/// What was left of a look goes on in the two parts beside its middle.
void MotionWorker::Run::conclude_look(const Span& span, double middle) {
    if (memory_.left.empty()) return split(span, span.from, span.to, middle, nullptr);
    if (span.to - span.from <= options_.tolerance || !(middle > span.from && middle < span.to)) {
        if (finds_crossing(span)) {  // what comes earlier is to be looked at first
            if (options_.first)
                push(span.from, span.to, std::make_shared<const std::vector<Suspect>>(memory_.left), span.ends);
            return;
        }
        if (!touched_)
            for (const Suspect& s : memory_.left)
                if (s.i >= 0) note_closest(middle, s.pair, s.i, s.j);
        return doubt(span);
    }
    for (const Suspect& s : memory_.left)
        if (s.i >= 0) safe_ = 0;
    if (touched_ && answer_.at == middle) safe_ = 0;
    const double from = most(span.from, middle - safe_), to = least(span.to, middle + safe_);
    const auto left = std::make_shared<const std::vector<Suspect>>(memory_.left);
    if (span.ends && options_.first)  // what was measured was not looked at there
        for (const double end : {span.from, span.to})
            if (memory_.left.back().i < 0 || memory_.left.front().i < 0) push(end, end, left, true);
    split(span, from, to, middle, left);
}

}  // namespace elbowroom
