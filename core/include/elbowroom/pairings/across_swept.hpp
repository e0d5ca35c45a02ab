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

/// Pairs across two rigid trees of boxes, of which the first moves: its boxes are stretched over the whole interval. No
/// half-space is in the first.
template <class Tree>
class AcrossSwept {
public:
    struct Probes {  // memory that outlives a traversal
        struct Probe {
            std::uint64_t stamp = 0;
            ObbProbe box;
        };
        struct Children {
            std::uint64_t stamp = 0;
            ObbLanes<Tree::width> lanes;
        };
        std::vector<Probe> of_record;
        std::vector<Children> of_node;
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
        for (int k = 0; k < swept.count; ++k) {
            placed_[k] = about_origins(swept.poses[k]);
            turned_[k] = k == swept.middle ? 0 : farthest_turned(placed_[k].rotation, middle_.rotation);
            shift = most(shift, length(placed_[k].translation));
        }
        swept_radius_ = shift + a.radius + swept.bulge(swept.to_frame * a.origin, a.radius);
        const double rounded = (a.radius + b.radius + shift) * 2e-6;
        margin_ = float(rounded + extra);
        still_margin_ = float((rounded + extra + swept.farthest) * (1 + 1e-6));
        if (probes.of_record.size() < a.records.size()) probes.of_record.resize(a.records.size());
        if (probes.of_node.size() < a.lanes.size()) probes.of_node.resize(a.lanes.size());
        ++probes.stamp;
    }
    ELBOWROOM_INLINE bool is_leaf(const Pair& p) const { return (a_.records[p.a].child & b_.records[p.b].child) < 0; }

    /// The larger box is opened: children of the second tree against a stretched box, or children of the first against
    /// a box. What moves little is taken where it is in the middle of the interval, and the other box as much larger as
    /// it moves; what moves far is stretched.
    ObbFan<Tree> open(const Pair& p) const {
        const auto &x = a_.records[p.a], &y = b_.records[p.b];
        if (!(y.child < 0 || (x.child >= 0 && size(x.field) > size(y.field))))
            return {stretched(p.a), b_.lanes[y.child], margin_, y.child * Tree::width, p.a, false};
        if (swept_.farthest < 0.25 * double(size(x.field)))
            return {ObbProbe(to_a_, y.field, y.child < 0, a_.radius),
                    a_.lanes[x.child],
                    still_margin_,
                    x.child * Tree::width,
                    p.b,
                    true};
        return {ObbProbe(nowhere_, y.field, y.child < 0, swept_radius_),
                stretched_children(x.child),
                margin_,
                x.child * Tree::width,
                p.b,
                true};
    }
    ObbFan<Tree> roots() const { return {stretched(0), b_.lanes[0], margin_, 0, 0, false}; }

private:
    const Tree &a_, &b_;
    const SweptPoses& swept_;
    Probes& probes_;
    static constexpr int most_poses = 5;
    Rigid placed_[most_poses];   // about the trees' origins
    double turned_[most_poses];  // how far a point at the distance 1 is from where it is in the middle, at most
    const Rigid middle_;
    const RigidFloat to_a_, nowhere_{Rigid{}};
    float margin_, still_margin_;
    double swept_radius_;  // the first tree is never farther from the origin of the second

    /// |R x - S x| for unit vectors x: at most the chord of the angle between them, which is |R - S| / sqrt(2).
    static double farthest_turned(const Mat3& r, const Mat3& s) {
        double squares = 0;
        for (int i = 0; i < 3; ++i) squares += dot(r.row[i] - s.row[i], r.row[i] - s.row[i]);
        return std::sqrt(0.5 * squares) * (1 + 1e-12) + 1e-12;
    }
    /// A pose from frame to frame, as one from about the origin of one tree to about that of the other.
    Rigid about_origins(const Rigid& pose) const { return {pose.rotation, pose * a_.origin - b_.origin}; }
    static ELBOWROOM_INLINE float size(const float* f) { return most(f[3], most(f[4], f[5])); }

    const ObbProbe& stretched(int record) const {
        typename Probes::Probe& p = probes_.of_record[record];
        if (p.stamp != probes_.stamp) {
            p.box = stretch(a_.records[record].field);
            p.stamp = probes_.stamp;
        }
        return p.box;
    }
    const ObbLanes<Tree::width>& stretched_children(int node) const {
        typename Probes::Children& c = probes_.of_node[node];
        if (c.stamp == probes_.stamp) return c.lanes;
        c.stamp = probes_.stamp;
        c.lanes = a_.lanes[node];
        for (int lane = 0; lane < Tree::width; ++lane) {
            if (!(c.lanes.valid >> lane & 1)) continue;
            const ObbProbe& box = stretched(node * Tree::width + lane);
            for (int i = 0; i < 3; ++i) {
                c.lanes.field[i][lane] = box.centre[i];
                c.lanes.field[3 + i][lane] = box.half[i];
                for (int j = 0; j < 3; ++j) c.lanes.field[6 + 3 * i + j][lane] = box.axis[i][j];
            }
        }
        return c.lanes;
    }
    /// The axes of the box about a box at all times, by rows: those that it has in the middle, unless it goes far. Then
    /// the way of its centre is the first of them, so that the box is as narrow as it can be.
    static Mat3 axes_along(Vec3 way, Vec3 half, const Mat3& own) {
        const double far2 = dot(way, way), size = most(half.x, most(half.y, half.z));
        if (!(far2 > 4 * size * size)) return own;
        const Vec3 along = way * (1 / std::sqrt(far2));
        int other = 0;
        for (int i = 1; i < 3; ++i)
            if (std::fabs(dot(along, own.row[i])) < std::fabs(dot(along, own.row[other]))) other = i;
        Vec3 beside = own.row[other] - along * dot(along, own.row[other]);
        beside = beside * (1 / length(beside));
        return {{along, beside, cross(along, beside)}};
    }
    /// The box about a box at all times. While it turns by little, its shadow grows by no more than its corners move.
    ObbProbe stretch(const float* f) const {
        const Vec3 centre{f[0], f[1], f[2]}, half{f[3], f[4], f[5]};
        const Mat3 sides{{{f[6], f[7], f[8]}, {f[9], f[10], f[11]}, {f[12], f[13], f[14]}}};
        const Mat3 own = sides * transposed(middle_.rotation);
        Vec3 at[most_poses];
        for (int k = 0; k < swept_.count; ++k) at[k] = placed_[k] * centre;
        const Mat3 axes = axes_along(at[swept_.count - 1] - at[0], half, own);  // in the frame of the second tree
        const double radius = length(half);
        Vec3 shadow, low{far_away, far_away, far_away}, high{-far_away, -far_away, -far_away};
        const Mat3 seen = axes * transposed(own);  // the box's own axes in the middle, seen along `axes`
        for (int i = 0; i < 3; ++i) shadow[i] = dot(absolute(seen.row[i]), half);
        for (int k = 0; k < swept_.count; ++k) {
            const Vec3 here = axes * at[k];
            Vec3 around = shadow;
            if (turned_[k] > 0.1) {
                const Mat3 turned = axes * placed_[k].rotation * transposed(sides);
                for (int i = 0; i < 3; ++i) around[i] = dot(absolute(turned.row[i]), half);
            } else {
                const double more = turned_[k] * radius;
                around = around + Vec3{more, more, more};
            }
            for (int i = 0; i < 3; ++i) {
                low[i] = least(low[i], here[i] - around[i]);
                high[i] = most(high[i], here[i] + around[i]);
            }
        }
        const double bulge = swept_.bulge(swept_.to_frame * (centre + a_.origin), radius);
        ObbProbe out{};
        const Vec3 middle = transposed_times(axes, (low + high) * 0.5);
        for (int i = 0; i < 3; ++i) {
            out.centre[i] = float(middle[i]);
            out.half[i] = float((high[i] - low[i]) * 0.5 + bulge);
            for (int j = 0; j < 3; ++j) out.axis[i][j] = float(axes.row[i][j]);
        }
        return out;
    }
};

}  // namespace elbowroom
