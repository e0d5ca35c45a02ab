#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "crowd_pair.hpp"
#include "elbowroom/motion/bead_motion.hpp"
#include "elbowroom/narrow/moving_segments.hpp"
#include "elbowroom/queries/overlap.hpp"

namespace elbowroom {

namespace {

/// The box while it changes from that of one frame to that of the next; places in it are compared with the box midway.
class MovingBox {
public:
    MovingBox(const Lattice& from, const Lattice& to)
        : from_(from.given()), to_(to.given()), last_(to), middle_(mean(from_, to_)) {
        across_ = inverse_transposed(middle_.given());
        for (int k = 1; k < Lattice::images; ++k) {
            const MovingPoint image = shift(edges_of(middle_.image(k)));
            change_ = most(change_, length(image.to - image.from));
        }
    }
    const Lattice& middle() const { return middle_; }
    /// By how much the nearest image of what is in the cell moves because the box does, at most.
    double change() const { return change_; }
    /// A whole number of each edge, as a vector that changes with the box.
    MovingPoint shift(Vec3 edges) const { return {transposed_times(from_, edges), transposed_times(to_, edges)}; }
    /// What takes a vector to its shortest image, in edges.
    Vec3 to_shortest(Vec3 v) const { return edges_of(shortest(middle_, v) - v); }
    Vec3 to_cell(Vec3 p) const { return edges_of(middle_.wrapped(p) - p); }
    /// The shortest way to an image of the end.
    Vec3 way(Vec3 start, Vec3 end) const { return shortest(last_, end - start); }

private:
    Mat3 from_, to_, across_;
    Lattice last_, middle_;
    double change_ = 0;

    static Lattice mean(const Mat3& a, const Mat3& b) {
        Mat3 m;
        for (int k = 0; k < 3; ++k) m.row[k] = (a.row[k] + b.row[k]) * 0.5;
        return Lattice(m);
    }
    Vec3 edges_of(Vec3 shift) const {
        Vec3 out;
        for (int k = 0; k < 3; ++k) out[k] = std::floor(dot(across_.row[k], shift) + 0.5);
        return out;
    }
    static Vec3 shortest(const Lattice& lattice, Vec3 v) {
        if (length(v) < 0.499 * lattice.width()) return v;
        const Vec3 inside = lattice.wrapped(v);
        Vec3 best = inside;
        for (int k = 1; k < Lattice::images; ++k)
            if (const Vec3 image = inside + lattice.image(k); length2(image) < length2(best)) best = image;
        return best;
    }
};

class MayTouch final : public CrowdRule {
public:
    explicit MayTouch(const NecklaceTouch& touch) : touch_(touch) {}
    bool excludes(std::int64_t i, std::int64_t j) const override {
        return touch_.may(std::int32_t(i), std::int32_t(j));
    }
    bool excludes_all() const override { return touch_.all_may(); }

private:
    const NecklaceTouch& touch_;
};

class ShareBeads final : public CrowdRule {
public:
    explicit ShareBeads(const std::vector<BeadMotion::Bond>& bonds) : bonds_(bonds) {}
    bool excludes(std::int64_t i, std::int64_t j) const override {
        const BeadMotion::Bond &a = bonds_[i], &b = bonds_[j];
        return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1];
    }
    bool excludes_all() const override { return bonds_.size() < 2; }

private:
    const std::vector<BeadMotion::Bond>& bonds_;
};

/// Balls about everything that some things pass through.
struct Swept {
    std::vector<Vec3> centres;
    std::vector<double> radii;

    void add(std::initializer_list<Vec3> points, double radius) {
        Vec3 middle;
        for (const Vec3& p : points) middle = middle + p * (1.0 / double(points.size()));
        double reach = 0, size = 0;
        for (const Vec3& p : points) reach = most(reach, length(p - middle)), size = most(size, largest(absolute(p)));
        centres.push_back(middle);
        radii.push_back((reach + radius) * (1 + 1e-12) + 4e-15 * size + 1e-150);
    }
};

struct MovingBond {
    MovingPoint a, b;
    Vec3 home;  // what took its first bead to where it is, in edges
};

}  // namespace

BeadMotion::BeadMotion(std::vector<double> radii, NecklaceTouch touch, std::vector<Bond> bonds, double bond_radius,
                       double clearance)
    : radii_(std::move(radii)),
      touch_(std::move(touch)),
      bonds_(std::move(bonds)),
      bond_radius_(bond_radius),
      clearance_(clearance) {}

/// One step: beads first, then bonds. Once a contact is known, what is later does not matter.
class BeadMotion::Search {
public:
    Search(const BeadMotion& motion, const BeadFrames& frames, const BeadStepOptions& options)
        : motion_(motion), options_(options), budget_(options.allowance) {
        if (frames.box_from) box_.emplace(*frames.box_from, *frames.box_to);
        place_beads(frames);
        place_bonds();
        double farthest = 0;
        for (const MovingPoint& p : beads_)
            farthest = most(farthest, most(largest(absolute(p.from)), largest(absolute(p.to))));
        // Differences of coordinates are rounded once; with an image of the box, each sum once more.
        if (box_) doubt_ = 2e-15 * (farthest + 4 * box_->middle().size());
    }
    BeadStep run() {
        if (!motion_.touch_.all_may()) compare_beads();
        if (!enough() && motion_.bonds_.size() > 1) compare_bonds();
        std::sort(out_.meetings.begin(), out_.meetings.end(), [](const BeadMeeting& x, const BeadMeeting& y) {
            if (x.decided != y.decided) return x.decided;
            if (x.at != y.at) return x.at < y.at;
            return std::tuple(x.bonds, x.a, x.b) < std::tuple(y.bonds, y.a, y.b);
        });
        return std::move(out_);
    }

private:
    const BeadMotion& motion_;
    const BeadStepOptions& options_;
    Budget budget_;
    std::optional<MovingBox> box_;
    std::vector<MovingPoint> beads_;
    std::vector<Vec3> homes_;  // what took each bead into the cell, in edges; empty without a box
    std::vector<MovingBond> bonds_;
    double doubt_ = 0, until_ = 1;
    bool met_ = false;
    BeadStep out_;

    using Wanted = BeadStepOptions::Wanted;
    bool enough() const {
        return out_.stop == Stop::out_of_budget || (options_.wanted == Wanted::any && met_) || until_ == 0;
    }

    void place_beads(const BeadFrames& frames) {
        beads_.reserve(motion_.beads());
        for (std::size_t i = 0; i < motion_.beads(); ++i) {
            MovingPoint p{frames.from[i], frames.to[i]};
            if (box_) {
                p.to = p.from + box_->way(p.from, p.to);
                homes_.push_back(box_->to_cell(p.at(0.5)));
                p = p + box_->shift(homes_.back());
            }
            beads_.push_back(p);
        }
    }
    void place_bonds() {
        bonds_.reserve(motion_.bonds_.size());
        for (const Bond& bond : motion_.bonds_) {
            MovingPoint a = beads_[bond[0]];
            const MovingPoint along = nearest_image(beads_[bond[1]] - a);
            Vec3 home;
            if (box_) {  // its middle into the cell
                const Vec3 edges = box_->to_cell(a.at(0.5) + along.at(0.5) * 0.5);
                a = a + box_->shift(edges), home = homes_[bond[0]] + edges;
            }
            bonds_.push_back({a, a + along, home});
        }
    }
    /// The same difference with the second thing at that of its images that is nearest, midway.
    MovingPoint nearest_image(const MovingPoint& apart) const {
        return box_ ? apart + box_->shift(box_->to_shortest(apart.at(0.5))) : apart;
    }

    void compare_beads() {
        Swept swept;
        const double extra = 0.5 * motion_.clearance_ + wider();
        for (std::size_t i = 0; i < beads_.size(); ++i)
            swept.add({beads_[i].from, beads_[i].to}, motion_.radii_[i] + extra);
        sweep(swept, MayTouch(motion_.touch_), "bead ", "", [&](std::int32_t i, std::int32_t j) {
            const MovingPoint apart = nearest_image(beads_[j] - beads_[i]);
            const double radii = motion_.radii_[i] + motion_.radii_[j];
            const Meeting met = first_meeting_of_balls(apart, radii + motion_.clearance_, doubt_, until_);
            if (met.verdict == Meeting::Verdict::never) return;
            BeadMeeting m{false, true, i, j, met.before, met.at, 0, {}, {}};
            const Vec3 at_i = beads_[i].at(m.at), at_j = at_i + apart.at(m.at);
            m.apart = length(apart.at(m.at)) - radii;
            nearest_points_ball_ball(at_i, motion_.radii_[i], at_j, motion_.radii_[j], m.apart <= 0, m.on_a, m.on_b);
            take(m, box_ ? homes_[i] : Vec3{});
        });
    }
    void compare_bonds() {
        Swept swept;
        const double extra = motion_.bond_radius_ + 0.5 * motion_.clearance_ + wider();
        for (const MovingBond& b : bonds_) swept.add({b.a.from, b.a.to, b.b.from, b.b.to}, extra);
        sweep(swept, ShareBeads(motion_.bonds_), "bonds[", "]", [&](std::int32_t i, std::int32_t j) {
            const MovingBond &x = bonds_[i], &y = bonds_[j];
            // Of a bond in a box the nearest image is that whose middle is.
            MovingPoint between = y.a - x.a;
            if (box_) {
                const Vec3 middles = (y.a + y.b - x.a - x.b).at(0.5) * 0.5;
                between = between + box_->shift(box_->to_shortest(middles));
            }
            const MovingSegments pair{x.b - x.a, y.b - y.a, between};
            const double widths = 2 * motion_.bond_radius_;
            const double reach = keeps_distance(i, j) ? widths + motion_.clearance_ : 0;
            const Meeting met = first_meeting_of_segments(pair, reach, doubt_, until_, options_.narrow);
            if (met.verdict == Meeting::Verdict::never) return;
            BeadMeeting m{true, met.verdict == Meeting::Verdict::meets, i, j, met.before, met.at, 0, {}, {}};
            const Closest c = pair.closest(m.at);
            const Vec3 from = x.a.at(m.at), normal = normalised(c.on_b - c.on_a, {});
            const double inwards = reach > 0 ? motion_.bond_radius_ : 0;
            m.apart = std::sqrt(c.distance2) - 2 * inwards;
            m.on_a = from + c.on_a + normal * inwards, m.on_b = from + c.on_b - normal * inwards;
            take(m, x.home);
        });
    }
    /// By how much more than by its own way a bead may come nearer to another's image.
    double wider() const { return box_ ? 0.25 * box_->change() : 0; }
    bool keeps_distance(std::int32_t i, std::int32_t j) const {
        for (const std::int32_t a : motion_.bonds_[i])
            for (const std::int32_t b : motion_.bonds_[j])
                if (motion_.touch_.may(a, b)) return false;
        return true;
    }
    /// Points are told where the first thing was given; `edges` took it away from there.
    void take(BeadMeeting m, Vec3 edges) {
        if (box_) {
            const Vec3 home = box_->shift(edges).at(m.at);
            m.on_a = m.on_a - home, m.on_b = m.on_b - home;
        }
        out_.before = least(out_.before, m.before);
        check_memory_for(out_.meetings, 2 * sizeof(BeadMeeting));
        if (options_.wanted == Wanted::all || !m.decided) return out_.meetings.push_back(m);
        std::erase_if(out_.meetings, [](const BeadMeeting& x) { return x.decided; });
        until_ = m.at, met_ = true;
        out_.meetings.push_back(m);
    }
    /// Calls look(i, j) for those whose balls overlap.
    template <class Look>
    void sweep(const Swept& swept, const CrowdRule& rule, const char* what, const char* after, Look&& look) {
        std::optional<Lattice> lattice;
        if (box_) lattice = box_->middle(), refuse_far(swept, *lattice, what, after);
        const Crowd crowd(swept.centres, swept.radii, lattice);
        CrowdPair pair(crowd, crowd, &rule, false);
        auto sink = [&](std::int64_t i, std::int64_t j) {
            ++out_.compared;
            look(std::int32_t(i), std::int32_t(j));
            return enough();
        };
        Overlap query(pair.leaves(), sink);
        const Stop stop = pair.sweep(query, budget_, out_.counters, nullptr);
        if (stop == Stop::out_of_budget) out_.stop = stop, out_.before = 0;
    }
    /// Of what is compared only one image may come near.
    static void refuse_far(const Swept& swept, const Lattice& lattice, const char* what, const char* after) {
        const auto widest = std::max_element(swept.radii.begin(), swept.radii.end());
        if (4 * *widest <= lattice.width()) return;
        std::ostringstream told;
        told << what << widest - swept.radii.begin() << after
             << " moves too far between two frames: the ball around its"
             << " path has the radius " << *widest << "; in this periodic box it may be at most " << lattice.width() / 4
             << ", a quarter of the least distance of two faces";
        throw std::invalid_argument(told.str());
    }
};

BeadStep BeadMotion::step(const BeadFrames& frames, const BeadStepOptions& options) const {
    return Search(*this, frames, options).run();
}

}  // namespace elbowroom
