// Bonds of a chain, which are segments without a width, pass through each other in one instant, at which nobody looks.
// So an interval in which they may is decided by its ends.
#include "motion_run.hpp"

namespace elbowroom {

namespace {

/// Two segments at a time, seen from the first.
struct TwoSegments {
    Vec3 p, d, q, e;
    /// Six times the volume of the two; its sign says on which side the one passes the other.
    double volume() const { return dot(cross(d, e), q - p); }
    /// Do their lines come nearest well within both, `margin` times the sine of their angle away from the ends?
    bool within(double margin) const {
        const Vec3 n = cross(d, e);
        const double nn = length2(n), sides = length(d) * length(e);
        if (!(nn > 1e-6 * sides * sides)) return false;
        const double s = dot(cross(q - p, e), n) / nn, t = dot(cross(q - p, d), n) / nn, sine = std::sqrt(nn) / sides;
        return least(s, 1 - s) * length(d) * sine > margin && least(t, 1 - t) * length(e) * sine > margin;
    }
};

}  // namespace

/// Is a crossing found in an interval as short as the tolerance, and before any contact that is known? A little before
/// and behind it is looked at as well.
bool MotionWorker::Run::finds_crossing(const Span& span) {
    const double more = 0.5 * (span.to - span.from);
    const double from = most(0.0, span.from - more), to = least(1.0, span.to + more);
    bool found = false;
    for (const Suspect& s : memory_.left) {
        double at = 0;
        if (s.i < 0 || scene_.pairs()[s.pair].has_width || !passes_through(s, from, to, at)) continue;
        if (touched_ && at >= answer_.at - 1e-3 * options_.tolerance) continue;
        contact(at, s.pair, s.i, s.j);
        found = true;
    }
    return found;
}

/// The signed volume changes its sign for certain, and meanwhile the points where the lines are nearest stay inside of
/// both segments.
bool MotionWorker::Run::passes_through(const Suspect& suspect, double from, double to, double& at) {
    const MotionPair& p = scene_.pairs()[suspect.pair];
    const MotionPiece &a = scene_.pieces()[p.a], &b = scene_.pieces()[p.b];
    const RoundedHull one = a.body->primitive(suspect.i), other = b.body->primitive(suspect.j);
    if (one.count != 2 || other.count != 2) return false;
    std::vector<Rigid>& frames = memory_.apart;
    auto place = [&](double t) {
        scene_.poses(motions_, t, frames);
        const Rigid seen = relative(scene_.pose_of(a, frames), scene_.pose_of(b, frames));
        const Vec3 q = seen * other.points[0];
        return TwoSegments{one.points[0], one.points[1] - one.points[0], q, seen * other.points[1] - q};
    };
    TwoSegments begin = place(from), end = place(to);
    const double reach = scene_.reach_of(p.a), noise = noise_of(suspect.pair);
    const double speed = memory_.bounds[suspect.pair].speed.at(reach, reach);
    const double sides = length(begin.d) + length(begin.e), tiny = 4 * noise * sides * sides;
    const double before = begin.volume(), after = end.volume();
    if (!(std::fabs(before) > tiny && std::fabs(after) > tiny && (before > 0) != (after > 0))) return false;
    for (int k = 0;; ++k) {  // a coarse tolerance may leave an interval too long to tell
        const double way = 64 * ((to - from) * speed + noise);
        if (begin.within(way) && end.within(way)) break;
        const double middle = 0.5 * (from + to);
        const TwoSegments there = place(middle);
        if (k == 40 || !(std::fabs(there.volume()) > tiny)) return false;
        const bool stays = (there.volume() > 0) == (before > 0);
        (stays ? from : to) = middle;
        (stays ? begin : end) = there;
    }
    for (int k = 0; k < 64; ++k) {
        at = 0.5 * (from + to);
        if (!(at > from && at < to)) break;
        ((place(at).volume() > 0) == (before > 0) ? from : to) = at;
    }
    return true;
}

}  // namespace elbowroom
