#pragma once
#include <vector>

#include "elbowroom/pairings/across_two.hpp"

namespace elbowroom {

/// Where a tree is, seen from another, at a few times of an interval, and what may happen between these times.
struct SweptPoses {
    const Rigid* poses;      // of the frame of the first tree, in that of the second
    int count, middle;       // how many; which of them is in the middle of the interval
    Vec3 axis;               // of the last turn, in the frame of the first tree
    Rigid to_frame;          // from the frame of the first tree to the one that `axis` goes through the origin of
    double arm, reach, own;  // the bulge is arm * |axis x y| + reach * |y| + own for a point y of that frame
    double farthest;         // no point leaves its place in the middle by more

    double bulge(Vec3 y, double radius) const {
        return arm * (length(cross(axis, y)) + radius) + reach * (length(y) + radius) + own;
    }
};

/// Pairs across two rigid trees of boxes, of which the first moves: its boxes are stretched over the whole interval.
template <class Tree>
class AcrossSwept {
public:
    struct Probes {  // memory that outlives a traversal
        struct Probe {
            std::uint64_t stamp = 0;
            ObbProbe box;
        };
        std::vector<Probe> of_record;
        std::uint64_t stamp = 0;
    };

    AcrossSwept(const Tree& a, const Tree& b, const SweptPoses& swept, double extra, Probes& probes)
        : a_(a),
          b_(b),
          swept_(swept),
          probes_(probes),
          middle_(about_origins(swept.poses[swept.middle])),
          to_a_(inverse(middle_)) {
        double shift = 0;
        for (int k = 0; k < swept.count; ++k) shift = most(shift, length(about_origins(swept.poses[k]).translation));
        const double rounded = (a.radius + b.radius + shift) * 2e-6;
        margin_ = float(rounded + extra), still_margin_ = float((rounded + extra + swept.farthest) * (1 + 1e-6));
        if (probes.of_record.size() < a.records.size()) probes.of_record.resize(a.records.size());
        ++probes.stamp;
    }
    ELBOWROOM_INLINE bool is_leaf(const Pair& p) const { return (a_.records[p.a].child & b_.records[p.b].child) < 0; }

    /// The larger box is opened: children of the second tree against a stretched box, or children of the first, where
    /// they are in the middle of the interval, against a box that is as much larger as they move.
    ObbFan<Tree> open(const Pair& p) const {
        const auto &x = a_.records[p.a], &y = b_.records[p.b];
        if (y.child < 0 || (x.child >= 0 && size(x.field) > size(y.field)))
            return {ObbProbe(to_a_, y.field), a_.lanes[x.child], still_margin_, x.child * Tree::width, p.b, true};
        return {stretched(p.a), b_.lanes[y.child], margin_, y.child * Tree::width, p.a, false};
    }
    ObbFan<Tree> roots() const { return {stretched(0), b_.lanes[0], margin_, 0, 0, false}; }

private:
    const Tree &a_, &b_;
    const SweptPoses& swept_;
    Probes& probes_;
    const Rigid middle_;
    const RigidFloat to_a_;
    float margin_, still_margin_;

    /// A pose from frame to frame, as one from about the origin of one tree to about that of the other.
    Rigid about_origins(const Rigid& pose) const { return {pose.rotation, pose * a_.origin - b_.origin}; }
    static ELBOWROOM_INLINE float size(const float* f) { return most(f[3], most(f[4], f[5])); }

    const ObbProbe& stretched(int record) const {
        typename Probes::Probe& p = probes_.of_record[record];
        if (p.stamp != probes_.stamp) p.box = stretch(a_.records[record].field), p.stamp = probes_.stamp;
        return p.box;
    }
    /// The box about a box at all times, along the axes that it has in the middle.
    ObbProbe stretch(const float* f) const {
        const Vec3 centre{f[0], f[1], f[2]}, half{f[3], f[4], f[5]};
        const Mat3 sides{{{f[6], f[7], f[8]}, {f[9], f[10], f[11]}, {f[12], f[13], f[14]}}};
        const Mat3 axes = sides * transposed(middle_.rotation);  // by rows, in the frame of the second tree
        Vec3 low{far_away, far_away, far_away}, high{-far_away, -far_away, -far_away};
        for (int k = 0; k < swept_.count; ++k) {
            const Rigid pose = about_origins(swept_.poses[k]);
            const Vec3 at = axes * (pose * centre);
            const Mat3 turned = axes * pose.rotation * transposed(sides);  // the box's own axes, seen along `axes`
            for (int i = 0; i < 3; ++i) {
                const double shadow = dot(absolute(turned.row[i]), half);
                low[i] = least(low[i], at[i] - shadow), high[i] = most(high[i], at[i] + shadow);
            }
        }
        const double bulge = swept_.bulge(swept_.to_frame * (centre + a_.origin), length(half));
        ObbProbe out{};
        const Vec3 middle = transposed_times(axes, (low + high) * 0.5);
        for (int i = 0; i < 3; ++i) {
            out.centre[i] = float(middle[i]), out.half[i] = float((high[i] - low[i]) * 0.5 + bulge);
            for (int j = 0; j < 3; ++j) out.axis[i][j] = float(axes.row[i][j]);
        }
        return out;
    }
};

}  // namespace elbowroom
