#include "elbowroom/reference/necklace_cages.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>

#include "elbowroom/interruption.hpp"

namespace elbowroom {

namespace {

std::string number(double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", x);
    return text;
}

/// What a radius may be off by before it is wrong.
double allowed_in(const SphereVolume& ball) { return 1e-9 * ball.radius + 10 * ball_slack(ball); }

}  // namespace

NecklaceCages::NecklaceCages(const Vec3* centres, std::vector<double> radii, int dimension, CageKind kind)
    : tree_(std::int32_t(radii.size())),
      dimension_(dimension),
      kind_(kind),
      equal_(std::adjacent_find(radii.begin(), radii.end(), std::not_equal_to<>()) == radii.end()),
      x_(radii.size()),
      y_(radii.size()),
      z_(radii.size()),
      radius_(std::move(radii)),
      cages_(tree_.cages()),
      bases_(tree_.cages()) {
    place(centres);
    kind == CageKind::wrapped ? wrap_anew() : layer();
}

void NecklaceCages::place(const Vec3* centres) {
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = centres[i].x, y_[i] = centres[i].y, z_[i] = centres[i].z;
}

/// From below: the basis of the larger child is a good one to begin with.
void NecklaceCages::wrap_anew() {
    const BallRows beads = rows();
    Poll poll(64);
    for (std::int32_t c = tree_.cages() - 1; c >= 0; --c) {
        poll();
        const CageTree::Node& n = tree_.node(c);
        if (!n.has_beads()) {
            const std::int32_t larger = cages_[c + 1].radius > cages_[n.right].radius ? c + 1 : n.right;
            bases_[c] = bases_[larger], cages_[c] = cages_[larger];
            if (enclose(beads, n.first, n.last, dimension_, bases_[c], cages_[c])) continue;
        }
        enclose_anew(beads, n.first, n.last, dimension_, bases_[c], cages_[c]);
    }
}

void NecklaceCages::layer() {
    const BallRows beads = rows();
    BallBasis basis;
    Poll poll(64);
    for (std::int32_t c = tree_.cages() - 1; c >= 0; --c) {
        poll();
        const CageTree::Node& n = tree_.node(c);
        if (n.has_beads())
            enclose_anew(beads, n.first, n.last, dimension_, basis, cages_[c]);
        else
            cages_[c] = enclosing_two(cages_[c + 1], cages_[n.right]);
    }
}

std::size_t NecklaceCages::bytes() const {
    const std::size_t numbers = frontier_.capacity() + frontier_size_.capacity() + next_frontier_.capacity();
    return tree_.bytes() + 4 * x_.capacity() * sizeof(double) + cages_.capacity() * sizeof(SphereVolume) +
           bases_.capacity() * sizeof(BallBasis) + numbers * sizeof(std::int32_t);
}

std::string NecklaceCages::validate() const {
    if (std::string fault = tree_.validate(); !fault.empty()) return fault;
    for (std::int32_t c = 0; c < tree_.cages(); ++c) {
        check_interruption();
        if (const std::string fault = fault_in(c); !fault.empty()) return "cage " + std::to_string(c) + " " + fault;
    }
    return "";
}

std::string NecklaceCages::fault_in(std::int32_t cage) const {
    const CageTree::Node& n = tree_.node(cage);
    const SphereVolume& ball = cages_[cage];
    if (!(ball.radius >= 0 && ball.radius < far_away)) return "has no radius";
    if (dimension_ == 2 && ball.centre.z != 0) return "is not in the plane";
    for (std::int32_t i = n.first; i < n.last; ++i)
        if (const double out = sticks_out(ball, i); out > 0)
            return "does not contain bead " + std::to_string(i) + ", which is out by " + number(out);
    if (kind_ == CageKind::wrapped) return fault_in_wrapped(cage);
    if (n.has_beads()) return "";
    const double right = cages_[cage + 1].merged(cages_[n.right]).radius;
    if (!(std::fabs(ball.radius - right) <= allowed_in(ball))) return "is not the ball of its two children";
    return "";
}

/// With more digits than the cage was made with: it must contain its beads as exactly as can be told.
double NecklaceCages::sticks_out(const SphereVolume& ball, std::int32_t bead) const {
    using Long = long double;
    const Long u = Long(x_[bead]) - ball.centre.x, v = Long(y_[bead]) - ball.centre.y,
               w = Long(z_[bead]) - ball.centre.z;
    return double(std::sqrt(u * u + v * v + w * w) + radius_[bead] - ball.radius - Long(1e-18) * ball.radius);
}

/// A proof that a cage is the smallest, made from its basis and nothing else. If the centre c is the sum of basis
/// centres b, each so many times, then whatever the centre x of another ball about the basis, the mean of |x - b| + r,
/// weighted with these numbers and |c - b|, is not below that at c by more than |x - c| times the slope there, which is
/// nearly zero. And x is not farther from b than the radius, less r.
std::string NecklaceCages::fault_in_wrapped(std::int32_t cage) const {
    const SphereVolume& ball = cages_[cage];
    const BallBasis& basis = bases_[cage];
    if (basis.count < 1 || basis.count > dimension_ + 1) return "has a basis of " + std::to_string(basis.count);
    const BallRows beads = rows();
    const Vec3 from = beads.centre(basis.item[0]);
    OrthonormalBasis span;
    int item[4] = {0}, count = 1;  // a bead in the flat of those before adds nothing
    for (int k = 1; k < basis.count; ++k)
        if (span.add(beads.centre(basis.item[k]) - from)) item[count++] = k;
    double part[3], weight[4] = {1}, sum = 0, slope_of = 0, touching = far_away, room = far_away;
    span.weights(ball.centre - from, part);
    for (int k = 1; k < count; ++k) weight[item[k]] = part[k - 1], weight[0] -= part[k - 1];
    for (int k = 0; k < basis.count; ++k) sum += weight[k] = most(0.0, weight[k]);
    Vec3 slope;
    for (int k = 0; k < basis.count; ++k) {
        const Vec3 to = ball.centre - beads.centre(basis.item[k]);
        slope = slope + to * (weight[k] / sum), slope_of += length(to) * (weight[k] / sum);
        touching = least(touching, length(to) + radius_[basis.item[k]]);
        room = least(room, ball.radius - radius_[basis.item[k]]);
    }
    const double allowed = allowed_in(ball);
    if (!(ball.radius - touching <= allowed)) return "does not touch its basis: by " + number(ball.radius - touching);
    const double less = slope_of > 0 ? 2 * room * length(slope) / slope_of : 0.0;
    if (!(ball.radius - touching + less <= allowed)) return "may be larger than the smallest ball by " + number(less);
    return "";
}

}  // namespace elbowroom
