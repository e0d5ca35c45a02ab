#include "elbowroom/motion/joint_boxes.hpp"

#include "elbowroom/math/rotation_about.hpp"

namespace elbowroom {

namespace {

constexpr double pi = 3.14159265358979323846;

double reach_of(const LinkBalls& link) {
    double reach = 0;
    for (std::size_t i = 0; i < link.centre.size(); ++i) reach = most(reach, length(link.centre[i]) + link.radius[i]);
    return reach;
}

}  // namespace

LinkBalls::LinkBalls(std::vector<Vec3> centres, std::vector<double> radii)
    : centre(std::move(centres)), radius(std::move(radii)) {
    for (const Vec3& c : centre) middle = middle + c * (1.0 / double(centre.size()));
}

JointBoxes::JointBoxes(const JointPath& path, const LinkBalls& a, const LinkBalls& b)
    : path_(path), a_(a), b_(b), placed_(path.joints.size()) {
    double scale = reach_of(a) + reach_of(b);
    for (const Rigid& r : path.between) scale += length(r.translation);
    fixed_slack_ = slack_ = 1e-12 * scale;
}

Rigid JointBoxes::pose(const double* values) const {
    Rigid pose = path_.between[0];
    for (std::size_t i = 0; i < path_.joints.size(); ++i) {
        const PathJoint& j = path_.joints[i];
        const double by = j.multiplier * values[j.value] + j.offset;
        pose = pose * (j.turns ? Rigid{rotation_about(j.axis, by), {}} : Rigid{Mat3::identity(), j.axis * by}) *
               path_.between[i + 1];
    }
    return pose;
}

void JointBoxes::place(const double* centre, const double* half) {
    Rigid pose = path_.between[0];
    double travel = 0;
    for (std::size_t i = 0; i < path_.joints.size(); ++i) {
        const PathJoint& j = path_.joints[i];
        const double by = j.multiplier * centre[j.value] + j.offset, h = std::fabs(j.multiplier) * half[j.value];
        if (!j.turns) travel += std::fabs(by) + h;
        Placed& p = placed_[i];
        p.axis = pose.rotation * j.axis, p.origin = pose.translation;
        p.half = j.turns ? least(h, pi) : h;
        p.chord = j.turns ? 2 * std::sin(0.5 * p.half) : h;
        pose = pose * (j.turns ? Rigid{rotation_about(j.axis, by), {}} : Rigid{Mat3::identity(), j.axis * by}) *
               path_.between[i + 1];
    }
    slack_ = fixed_slack_ + 1e-12 * travel;
    in_a_.clear();
    for (const Vec3& c : b_.centre) in_a_.push_back(pose * c);
}

void JointBoxes::weigh(double sign, Vec3 n, const std::vector<Vec3>& points, const std::vector<double>& radius,
                       Losses& out) const {
    const std::size_t count = points.size(), joints = placed_.size();
    out.height.resize(count), out.turned.resize(count * joints), out.moved.resize(count * joints);
    for (std::size_t v = 0; v < count; ++v) out.height[v] = sign * dot(n, points[v]) - radius[v];
    for (std::size_t i = 0; i < joints; ++i) {
        const Placed& p = placed_[i];
        double *turned = &out.turned[i * count], *moved = &out.moved[i * count];
        if (!path_.joints[i].turns) {
            for (std::size_t v = 0; v < count; ++v) turned[v] = p.chord * std::fabs(dot(n, p.axis)), moved[v] = p.chord;
            continue;
        }
        const double sine = std::sin(p.half), cosine = std::cos(p.half), along = dot(n, p.axis);
        const Vec3 across = cross(n, p.axis);  // n . (w x y) = (n x w) . y
        for (std::size_t v = 0; v < count; ++v) {
            const Vec3 y = points[v] - p.origin;
            const double on_axis = dot(p.axis, y);
            const double a = std::fabs(dot(across, y)), b = sign * (dot(n, y) - on_axis * along);
            turned[v] = a * cosine + b * sine < 0 ? b + std::sqrt(a * a + b * b) : a * sine + b * (1 - cosine);
            moved[v] = p.chord * std::sqrt(most(0.0, length2(y) - on_axis * on_axis));
        }
    }
}

/// From the plane outwards: how the losses of each joint count.
void JointBoxes::choose(int from, int to, int step) {
    double turn = 0;
    for (int i = from; i != to; i += step) {
        keep_turned_[i] = turn < 1 ? 1 : 0;
        keep_moved_[i] = turn < 1 ? turn : 1;
        turn += placed_[i].turn;
    }
}

double JointBoxes::least_height(const Losses& l, std::size_t count, int from, int to, std::size_t& worst) const {
    double lowest = far_away;
    for (std::size_t v = 0; v < count; ++v) {
        double height = l.height[v];
        for (int i = from; i < to; ++i)
            height -= keep_turned_[i] * l.turned[i * count + v] + keep_moved_[i] * l.moved[i * count + v];
        if (height < lowest) lowest = height, worst = v;
    }
    return lowest;
}

void JointBoxes::slope(const double* values, Vec3 normal, Vec3 point, double* out) {
    const std::vector<double> none(std::size_t(path_.values), 0.0);
    place(values, none.data());
    for (int v = 0; v < path_.values; ++v) out[v] = 0;
    for (std::size_t i = 0; i < placed_.size(); ++i) {
        const PathJoint& j = path_.joints[i];
        const Vec3 speed = j.turns ? cross(placed_[i].axis, point - placed_[i].origin) : placed_[i].axis;
        out[j.value] += j.multiplier * dot(normal, speed);
    }
}

BoxBound JointBoxes::bound(const double* centre, const double* half, Vec3 normal) {
    place(centre, half);
    const int joints = int(placed_.size());
    if (normal == Vec3{}) {
        Vec3 middle;
        for (const Vec3& c : in_a_) middle = middle + c * (1.0 / double(in_a_.size()));
        normal = normalised(middle - a_.middle, {0, 0, 1});
    }
    for (Placed& p : placed_) p.turn = p.chord * length(cross(p.axis, normal));
    for (int i = 0; i < joints; ++i)
        if (!path_.joints[i].turns) placed_[i].turn = 0;
    weigh(1, normal, in_a_, b_.radius, of_b_);
    weigh(-1, normal, a_.centre, a_.radius, of_a_);
    keep_turned_.assign(joints, 0), keep_moved_.assign(joints, 0);
    BoxBound best{-far_away, 0};
    for (int plane = 0; plane <= joints; ++plane) {
        choose(plane, joints, 1);
        choose(plane - 1, -1, -1);
        std::size_t lowest_b = 0, lowest_a = 0;
        const std::size_t in_b = in_a_.size(), in_a = a_.centre.size();
        const double gap =
            least_height(of_b_, in_b, plane, joints, lowest_b) + least_height(of_a_, in_a, 0, plane, lowest_a) - slack_;
        if (!(gap > best.gap)) continue;
        best.gap = gap;
        cost_.assign(std::size_t(path_.values), 0.0);
        for (int i = 0; i < joints; ++i) {
            const std::size_t at = i >= plane ? i * in_b + lowest_b : i * in_a + lowest_a;
            const Losses& l = i >= plane ? of_b_ : of_a_;
            cost_[path_.joints[i].value] += keep_turned_[i] * l.turned[at] + keep_moved_[i] * l.moved[at];
        }
        for (int v = 0; v < path_.values; ++v)
            if (cost_[v] > cost_[best.value]) best.value = v;
    }
    return best;
}

double JointBoxes::displacement(const double* centre, const double* half) {
    place(centre, half);
    const int joints = int(placed_.size());
    auto moved = [&](const std::vector<Vec3>& points, const std::vector<double>& radius, int from, int to) {
        double farthest = 0;
        for (std::size_t v = 0; v < points.size(); ++v) {
            double sum = 0;
            for (int i = from; i < to; ++i) {
                const Placed& p = placed_[i];
                const double arm = length(cross(p.axis, points[v] - p.origin)) + radius[v];
                sum += p.chord * (path_.joints[i].turns ? arm : 1.0);
            }
            farthest = most(farthest, sum);
        }
        return farthest;
    };
    double best = far_away;
    for (int plane = 0; plane <= joints; ++plane)
        best = least(best, moved(in_a_, b_.radius, plane, joints) + moved(a_.centre, a_.radius, 0, plane));
    return best + slack_;
}

}  // namespace elbowroom
