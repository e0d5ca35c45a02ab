// Which of two pieces are swept over an interval, and which are measured in its middle.
//
// A sweep rules out a whole interval at once, also where bodies pass each other closely, but meets everything when
// bodies go far. A distance proves as much of the interval as nothing can have come nearer, and says where to go on. So
// short motions are swept, long ones are measured, and what is left after a measurement is swept if that is promised to
// be cheaper than to go on measuring.
#include "motion_run.hpp"
#include "rigid_queries.hpp"

namespace elbowroom {

namespace {

/// A sweep that has taken so many tests, and one for each primitive, is given up where nothing else can be done.
constexpr int effort_of_sweeps = 4000;
constexpr int most_effort = 1 << 28;

// What follows was chosen on benchmarks/motion/grid.py. Limits are counts, so that the same motion takes the same
// course on every run.

/// A first sweep tests volumes only. Most motions that pass nothing end there.
constexpr SweepLimits quick_sweep{16, 0, 0};
/// A piece of so few primitives is swept at once: that costs no more than to look for a contact.
constexpr int few_primitives = 16;
/// The next sweep, of pieces that move by at most this share of the smaller one, and of those that move farther.
constexpr double short_way = 0.3;
constexpr SweepLimits near_sweep{2000, 250, 10}, far_sweep{4000, 128, 4};
/// Tests of a search for a contact at one time, and where in an interval one is searched for after its middle.
constexpr std::uint64_t hit_tests = 150;
constexpr double hit_shares[] = {0.75, 0.25, 1, 0};
/// Where a distance proves more than this share of the interval, distances go on. Else a sweep comes next, which may
/// take so many times the tests of the distance, one of primitives among so many, and leave so many pairs.
constexpr double large_share = 0.2, sweep_over_distance = 4;
constexpr std::int64_t sweep_left = 4, tests_per_leaf_test = 8;
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

/// How many tests a sweep may take after a distance that took `cost` tests has proved a share of the interval.
int MotionWorker::Run::next_effort(std::uint64_t cost, double share) const {
    if (share > large_share) return 0;
    return int(least(least(sweep_over_distance, 1 / most(share, 1e-9)) * double(cost), double(most_effort)));
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
        double farthest = 0;
        for (int k = 0; k < 8; ++k) {
            const Vec3 corner{k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z};
            farthest = most(farthest, length(cross(axis, piece.pose * corner)));
        }
        arm = least(arm, farthest * (1 + 1e-12));
    }
    speed = simple ? HourglassShape(motions_[piece.frame], arm).speed() : memory_.bounds[pair].speed.at(arm, reach);
    return speed;
}

/// Is a contact of two pieces found at a time, where the frames are so? Most are found soon, if there is one: the
/// search is given up early.
bool MotionWorker::Run::is_hit_at(int pair, const std::vector<Rigid>& frames, double time) {
    const MotionPair& p = scene_.pairs()[pair];
    const MotionPiece &a = scene_.pieces()[p.a], &b = scene_.pieces()[p.b];
    const Placed x{a.body, scene_.pose_of(a, frames)}, y{b.body, scene_.pose_of(b, frames)};
    CollideOptions how;
    how.allowance = remaining_.after(answer_.counters);
    how.allowance.tests = least(how.allowance.tests, hit_tests);
    const CollideAnswer c = collide(x, y, how);
    answer_.counters += c.counters;
    if (c.hit) contact(time, pair, c.pairs[0][0], c.pairs[0][1]);
    return c.hit;
}

/// Sweeps all of a pair of pieces within limits. False if that was too little; then nothing of it is left.
bool MotionWorker::Run::sweeps(const Span& span, int pair, const double* times, int count, const SweepLimits& limits) {
    const std::size_t before = memory_.left.size();
    sweep_whole(span, pair, times, count, limits);
    if (!crowded_ || answer_.out_of_budget || (touched_ && !options_.first)) return true;
    crowded_ = false;
    memory_.left.resize(before);
    return false;
}

/// Looks for a contact at a few times: false if none was found.
bool MotionWorker::Run::finds_hit(const Span& span, int pair) {
    for (const double share : hit_shares) {
        const double t = share == 1 ? span.to : span.from + (span.to - span.from) * share;
        scene_.poses(motions_, t, memory_.apart);
        if (is_hit_at(pair, memory_.apart, t)) return true;
    }
    return false;
}

/// Looks at all of a pair of pieces. What does not go far is swept. What does is swept until something is in its way;
/// then a contact is looked for, then it is swept with more effort, then measured.
void MotionWorker::Run::look_at_whole(const Span& span, int pair, int effort, const double* times, int count) {
    const double length = span.to - span.from, middle = times[count / 2];
    if (are_far_apart(pair, count, length) || stays_beside(span, pair)) return;
    if (length <= options_.tolerance) return void(sweeps(span, pair, times, count, {}));
    const MotionPair& p = scene_.pairs()[pair];
    if (!measurable(pair)) {
        const std::int64_t all =
            effort_of_sweeps + scene_.pieces()[p.a].body->count() + scene_.pieces()[p.b].body->count();
        const int most_tests = effort < 0 ? int(least<std::int64_t>(all, most_effort)) : effort;
        if (sweeps(span, pair, times, count, {most_tests > 0 ? most_tests : SweptHulls::most_tests})) return;
        safe_ = 0;
        return memory_.left.push_back({pair, -1, most_tests < most_effort / 8 ? most_tests * 8 : 0});
    }
    const bool ends_in_contact = touched_ && span.to >= answer_.at;
    const double way = tight_speed(pair) * length;
    const bool goes_far = way > short_way * least(scene_.size_of(p.a), scene_.size_of(p.b));
    if (!map_tried_) {
        map_tried_ = true;
        if (goes_straight()) prepare_map();
    }
    const bool first_look = effort < 0;
    const bool few = least(scene_.pieces()[p.a].body->count(), scene_.pieces()[p.b].body->count()) <= few_primitives;
    if (first_look && !ends_in_contact && sweeps(span, pair, times, count, few ? near_sweep : quick_sweep)) return;
    if ((first_look || ends_in_contact) && is_hit_at(pair, memory_.frames[count / 2], middle)) {
        if (!options_.first) return;
        safe_ = 0;
        return memory_.left.push_back({pair, -1, -1});
    }
    const bool sweeping = effort != 0 && !(few && first_look) && !(ends_in_contact && length > short_before_contact);
    const SweepLimits later{effort, effort / tests_per_leaf_test, sweep_left};
    if (sweeping && sweeps(span, pair, times, count, !first_look ? later : goes_far ? far_sweep : near_sweep)) return;
    if (first_look && !options_.first && finds_hit(span, pair)) return;
    const double half = most(middle - span.from, span.to - middle);
    const Counters spent = answer_.counters;
    double covered = 0;
    const DistanceAnswer d = measure_best(pair, count / 2, half, covered);
    if (d.stop == Stop::out_of_budget) {
        answer_.out_of_budget = true;
        return;
    }
    if (d.pair[0] >= 0 && d.upper <= options_.clearance) {
        contact(middle, pair, d.pair[0], d.pair[1]);
        if (!options_.first) return;
        covered = 0;
    }
    if (covered > half) return;
    safe_ = least(safe_, covered);
    const std::uint64_t cost =
        answer_.counters.volume_tests - spent.volume_tests + answer_.counters.leaf_tests - spent.leaf_tests;
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
    if (memory_.cuts.size() < scene_.pairs().size()) memory_.cuts.resize(scene_.pairs().size());
    for (std::size_t k = 0; k < scene_.pairs().size(); ++k) memory_.cuts[k].a = -1, memory_.cuts[k].placed = false;
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
    place(times, count);
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
