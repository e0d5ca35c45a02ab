#include <cmath>
#include <cstdio>

#include "elbowroom/interruption.hpp"
#include "elbowroom/trees/chain_tree.hpp"

namespace elbowroom {

namespace {

constexpr int size = ChainLeaf::size;

float sum_of_sizes(const float* v) { return std::fabs(v[0]) + std::fabs(v[1]) + std::fabs(v[2]); }

std::string number(double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", x);
    return text;
}

}  // namespace

std::string ChainTree::validate_node(int level, std::int64_t index) const {
    const ChainNode& n = node(level, index);
    auto where = [&] { return " of node " + std::to_string(index) + " at level " + std::to_string(level); };
    Frame f;
    double size_of = 0;  // rounding follows the longest lever on the way
    for (int c = 0; c < 8 && n.lanes.valid >> c & 1; ++c) {
        const BallBox own = n.bound(c);
        size_of = most(size_of, length(n.child(c).t) + sum_of_sizes(own.centre) + own.radius);
        if (level == 1) size_of = most(size_of, length(leaves_[8 * index + c].next.t));
    }
    for (int c = 0; c < 8 && n.lanes.valid >> c & 1; ++c) {
        const Frame child = n.child(c);
        const double far = length(f.t - child.t);
        const double turned = length((conjugate(f.q) * child.q).vector());
        if (!(far <= 1e-12 * size_of && turned <= 1e-12))
            return "the frame of child " + std::to_string(c) + where() + " is off by " + number(far);
        const std::int64_t begin = (8 * index + c) << 3 * (level - 1),
                           end = least(begin + (std::int64_t(1) << 3 * (level - 1)), leaves());
        Frame at;
        for (std::int64_t l = begin; l < end; ++l) {
            for (int i = 0; i < count(l); ++i) {
                const Vec3 own = at * leaves_[l].centre(i), here = child * own;
                const double r = radii_[l * size + i];
                double total = n.lanes.radius[c], worst = 0;
                Vec3 d;
                for (int k = 0; k < 3; ++k) {
                    d[k] = here[k] - n.lanes.centre[k][c];
                    total += std::fabs(n.lanes.centre[k][c]);
                }
                auto is_inside = [&](double out) {  // what is not a number is not inside
                    if (!(out <= worst)) worst = out;
                    return out <= lane_slack * total;
                };
                bool inside = is_inside(length(d) + r - n.lanes.radius[c]);
                for (int k = 0; k < 3; ++k) {
                    inside &= is_inside(std::fabs(own[k] - n.own_centre[k][c]) + r - n.own_half[k][c]);
                    inside &= is_inside(std::fabs(d[k]) + r - n.lanes.half[k][c]);
                }
                if (!inside)
                    return "ball " + std::to_string(l * size + i) + " sticks out of child " + std::to_string(c) +
                           where() + " by " + number(worst);
            }
            at = at * leaves_[l].next;
        }
        f = f * span(level - 1, 8 * index + c);
    }
    return "";
}

/// What the rest relies on: every node has the children that it must have, and every number is one.
std::string ChainTree::validate_shape() const {
    auto is_frame = [](const Frame& f) {
        return std::fabs(length2(f.q.vector()) + f.q.w * f.q.w - 1) <= 1e-9 && length(f.t) < far_away;
    };
    if (!is_frame(base_)) return "the chain is nowhere";
    for (std::int64_t l = 0; l < leaves(); ++l) {
        if (l + 1 < leaves() && !is_frame(leaves_[l].next))
            return "leaf " + std::to_string(l) + " does not know where the next one is";
        for (int i = 0; i < size; ++i) {
            const double spin = length(Vec3{leaves_[l].spin[0][i], leaves_[l].spin[1][i], leaves_[l].spin[2][i]});
            if (!(length(leaves_[l].centre(i)) < far_away && spin <= 1.000001))
                return "ball " + std::to_string(l * size + i) + " is nowhere";
        }
    }
    for (int k = 1; k <= levels(); ++k)
        for (std::int64_t i = 0; i < nodes(k); ++i) {
            const ChainNode& n = node(k, i);
            const std::int64_t below = k == 1 ? leaves() : nodes(k - 1);
            bool right = n.lanes.valid == (1u << least<std::int64_t>(8, below - 8 * i)) - 1;
            for (int c = 0; c < 8 && n.lanes.valid >> c & 1; ++c) right = right && is_frame(n.child(c));
            if (!right) return "node " + std::to_string(i) + " at level " + std::to_string(k) + " is damaged";
        }
    return "";
}

std::string ChainTree::validate() const {
    if (std::string fault = validate_shape(); !fault.empty()) return fault;
    for (int k = 1; k <= levels(); ++k)
        for (std::int64_t i = 0; i < nodes(k); ++i) {
            check_interruption();
            if (std::string fault = validate_node(k, i); !fault.empty()) return fault;
        }
    return "";
}

}  // namespace elbowroom
