#include "motion_run.hpp"
#include "rigid_queries.hpp"

namespace elbowroom {

/// Does one linear motion of the first or the second piece carry it past the other, which stands still? A half-space
/// that moves has no largest speed: then the speed of the other is bounded, as it is seen from there.
bool MotionWorker::Run::is_simple(int pair) const {
    const MotionPair& p = scene_.pairs()[pair];
    const int a = scene_.pieces()[p.a].frame, b = scene_.pieces()[p.b].frame;
    if (b >= 0 && !scene_.pieces()[p.b].body->is_bounded()) return false;
    return (a < 0) != (b < 0) && scene_.parents()[a < 0 ? b : a] < 0;
}

/// Of a piece about the origin of its frame (Eq. 12), or about the axis of its motion.
double MotionWorker::Run::radius_of(int piece, const LinearMotion& motion) const {
    if (!by_axis()) return scene_.reach_of(piece);
    const Vec3 axis = motion.axis_inside();
    return farthest_reach(*scene_.pieces()[piece].body, scene_.pieces()[piece].pose, &axis);
}

/// How fast the points of one piece can move past the other.
double MotionWorker::Run::speed_of(int pair) {
    if (options_.method == MotionMethod::adaptive) return tight_speed(pair);
    const MotionPair& p = scene_.pairs()[pair];
    if (!is_simple(pair)) {
        const double reach = scene_.reach_of(p.a);
        return memory_.bounds[pair].speed.at(reach, reach);
    }
    const int mover = scene_.pieces()[p.a].frame >= 0 ? p.a : p.b;
    const LinearMotion& m = motions_[scene_.pieces()[mover].frame];
    return HourglassShape(m, radius_of(mover, m)).speed();
}

void MotionWorker::Run::prepare_bounded() {
    if (options_.first) {
        push(0, 0, nullptr, true);
        push(1, 1, nullptr, true);
    }
    push(0, 1, nullptr, true);
    if (by_hourglass()) prepare_map();
}

void MotionWorker::Run::prepare_map() {
    // One body among obstacles that stand still: its radius is that of all its pieces.
    double radius = 0;
    int frame = -1;
    for (std::size_t k = 0; k < scene_.pairs().size(); ++k) {
        if (!is_simple(int(k))) throw std::invalid_argument("method \"hourglass\" is for one rigid body on one motion");
        const MotionPair& p = scene_.pairs()[k];
        const int mover = scene_.pieces()[p.a].frame >= 0 ? p.a : p.b;
        frame = scene_.pieces()[mover].frame;
        radius = most(radius, radius_of(mover, motions_[frame]));
    }
    // What hardly moves has no map worth the name, and needs none.
    if (frame < 0) return;
    const double speed = HourglassShape(motions_[frame], radius).speed();
    mapped_ = speed > 1e-100;
    // Lengths stay about what they are, so that they suit single precision.
    if (mapped_) {
        map_ = hourglass_map(motions_[frame], radius) * speed;
        map_speed_ = speed;
    }
}

/// How far apart two pieces are at the time at which the frames are, and how much of the time before and after that
/// proves free; `half`: more is not needed.
DistanceAnswer MotionWorker::Run::measure(int pair, int time, bool mapped, double half, double& covered) {
    const MotionPair& p = scene_.pairs()[pair];
    const MotionPiece &a = scene_.pieces()[p.a], &b = scene_.pieces()[p.b];
    const double speed = mapped ? map_speed_ : speed_of(pair), nearer = mapped ? 0 : options_.clearance;
    const double stretch = mapped ? length(Vec3{length(map_.row[0]), length(map_.row[1]), length(map_.row[2])}) : 1;
    const double noise = noise_of(pair) * stretch;
    DistanceOptions how;
    how.above = least((speed * half + nearer + noise) * (1 + 1e-9) + 1e-140, far_away);
    how.allowance = remaining_.after(answer_.counters);
    if (mapped) how.linear = &map_;
    const std::vector<Rigid>& frames = memory_.frames[time];
    const DistanceAnswer d = distance({a.body, scene_.pose_of(a, frames)}, {b.body, scene_.pose_of(b, frames)}, how);
    answer_.counters += d.counters;
    const double gap = most(0.0, d.lower - nearer - noise);
    covered = speed > 0 ? gap / speed * (1 - 1e-9) : (gap > 0 ? 2 : 0);
    return d;
}

/// Under the map, if there is one.
DistanceAnswer MotionWorker::Run::measure_best(int pair, int time, double half, double& covered) {
    const bool mapped = mapped_ && half > 0;
    const DistanceAnswer d = measure(pair, time, mapped, half, covered);
    // Under the map a distance of 0 may be rounding: only the bodies as they are can touch.
    return mapped && d.upper == 0 ? measure(pair, time, false, half, covered) : d;
}

/// CHECK of Figure 5: how much of the interval about its middle does one distance prove free?
void MotionWorker::Run::look_bounded(const Span& span) {
    const double middle = 0.5 * (span.from + span.to), half = most(middle - span.from, span.to - middle);
    scene_.poses(motions_, middle, memory_.frames[0]);
    double safe = 2;
    Poll poll(16);
    for (int k = 0; k < int(scene_.pairs().size()); ++k) {
        poll();
        double covered = 0;
        const DistanceAnswer d = measure_best(k, 0, half, covered);
        if (d.stop == Stop::out_of_budget) {
            answer_.out_of_budget = true;
            return;
        }
        if (d.pair[0] >= 0 && d.upper <= options_.clearance) {
            contact(middle, k, d.pair[0], d.pair[1]);
            if (!options_.first) return;
        } else if (covered <= half && d.pair[0] >= 0 && span.to - span.from <= options_.tolerance) {
            note_closest(middle, k, d.pair[0], d.pair[1]);
        }
        safe = least(safe, covered);
    }
    if (touched_ && answer_.at == middle) safe = 0;
    if (span.to == span.from) return;
    if (safe > half) return split(span, span.from, span.to, middle, nullptr);
    const bool short_enough = span.to - span.from <= options_.tolerance && safe < 0.5 * half;
    if (short_enough || !(middle > span.from && middle < span.to)) return doubt(span);
    split(span, middle - safe, middle + safe, middle, nullptr);
}

}  // namespace elbowroom
