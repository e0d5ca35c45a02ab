#include "elbowroom/trees/chain_tree.hpp"

#include <algorithm>
#include <cmath>

#include "elbowroom/interruption.hpp"

namespace elbowroom {

namespace {

constexpr int size = ChainLeaf::size;

/// Poses made by many small turns are made anew from what lies below after so many changes, so that their rounding
/// errors cannot add up.
constexpr unsigned changes_between_derivations = 256;

ELBOWROOM_INLINE Float8 floats(const double* p) { return to_floats(Double4::load(p), Double4::load(p + 4)); }

/// The box and the ball of `centre` +- `half` boxes and `radius` balls, over the lanes where `in`.
struct Hull {
    Float8 low[3], high[3];
    Hull() {
        for (int k = 0; k < 3; ++k) low[k] = Float8(3e38f), high[k] = Float8(-3e38f);
    }
    ELBOWROOM_INLINE void add(Float8 in, const Float8* centre, const Float8* half) {
        for (int k = 0; k < 3; ++k) {
            low[k] = least(low[k], select(in, centre[k] - half[k], Float8(3e38f)));
            high[k] = most(high[k], select(in, centre[k] + half[k], Float8(-3e38f)));
        }
    }
    ELBOWROOM_INLINE void box(BallBox& b, float rounding_of_lanes) const {
        for (int k = 0; k < 3; ++k) {
            const float l = smallest(low[k]), h = largest(high[k]);
            b.centre[k] = 0.5f * (l + h);
            b.half[k] = 0.5f * (h - l) * (1 + 4e-7f) + rounding_of_lanes * (std::fabs(l) + std::fabs(h));
        }
    }
};

ELBOWROOM_INLINE Float8 farthest(Float8 in, const Float8* centre, Float8 radius, const BallBox& b) {
    const Float8 x = centre[0] - Float8(b.centre[0]), y = centre[1] - Float8(b.centre[1]),
                 z = centre[2] - Float8(b.centre[2]);
    return select(in, square_root(multiply_add(x, x, multiply_add(y, y, z * z))) + radius, Float8(0.f));
}

/// The centres of the children's bounds in the frame of the node; in double, because a child's origin can be far from
/// all of its balls.
ELBOWROOM_INLINE void carried_centres(const ChainNode& n, Float8* out) {
    Vec3x4 c[2];
    for (int m = 0; m < 2; ++m) {
        const Quat4 q{Double4::load(n.q[0] + 4 * m), Double4::load(n.q[1] + 4 * m), Double4::load(n.q[2] + 4 * m),
                      Double4::load(n.q[3] + 4 * m)};
        auto own = [&](int k) {
            const float* p = n.own_centre[k] + 4 * m;
            return Double4(p[0], p[1], p[2], p[3]);
        };
        const Vec3x4 u{q.x, q.y, q.z}, v{own(0), own(1), own(2)}, once = cross(u, v), twice = once + once;
        const Vec3x4 w = cross(u, twice);
        c[m] = {Double4::load(n.t[0] + 4 * m) + v.x + q.w * twice.x + w.x,
                Double4::load(n.t[1] + 4 * m) + v.y + q.w * twice.y + w.y,
                Double4::load(n.t[2] + 4 * m) + v.z + q.w * twice.z + w.z};
    }
    out[0] = to_floats(c[0].x, c[1].x), out[1] = to_floats(c[0].y, c[1].y), out[2] = to_floats(c[0].z, c[1].z);
}

float sum_of_sizes(const float* v) { return std::fabs(v[0]) + std::fabs(v[1]) + std::fabs(v[2]); }

}  // namespace

Radii::Radii(const std::vector<double>& radii) {
    std::vector<double> sorted = radii;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    distinct_ = sorted.size() > 65536 ? radii : std::move(sorted);
    if (distinct_.size() == 1 || distinct_.size() > 65536) return;
    kind_.reserve(radii.size());
    for (const double r : radii)
        kind_.push_back(std::uint16_t(std::lower_bound(distinct_.begin(), distinct_.end(), r) - distinct_.begin()));
}

ChainTree::ChainTree(const std::vector<Vec3>& centres, const std::vector<Quat>& turned,
                     const std::vector<double>& radii)
    : balls_(std::int64_t(centres.size())), leaves_((centres.size() + size - 1) / size), radii_(radii) {
    base_.t = centres[0];
    Poll poll(256);
    for (std::int64_t l = 0; l < leaves(); ++l) {
        poll();
        ChainLeaf& leaf = leaves_[l];
        for (int i = 0; i < size; ++i) {
            const std::int64_t ball = l * size + least(i, count(l) - 1);
            leaf.set_centre(i, centres[ball] - centres[l * size]);
            leaf.set_turned(i, turned.empty() ? Quat{} : turned[ball]);
        }
        if (l + 1 < leaves()) leaf.next.t = centres[(l + 1) * size] - centres[l * size];
    }
    for (std::int64_t below = leaves(); below > 1; below = nodes(levels())) {
        levels_.emplace_back((below + 7) / 8);
        const int level = levels();
        for (std::int64_t i = 0; i < nodes(level); ++i) {
            poll();
            ChainNode& n = at(level, i);
            n.lanes.valid = (1u << least<std::int64_t>(8, below - 8 * i)) - 1;
            derive_frames(level, i);
            for (int c = 0; c < 8 && n.lanes.valid >> c & 1; ++c) rebound(level, i, c);
        }
    }
}

std::size_t ChainTree::bytes() const {
    std::size_t sum = leaves_.size() * sizeof(ChainLeaf) + radii_.bytes();
    for (const auto& level : levels_) sum += level.size() * sizeof(ChainNode);
    return sum;
}

Frame ChainTree::local_frame(std::int64_t leaf) const {
    Frame f;
    for (int k = 1; k <= levels(); ++k) f = step(k, leaf) * f;
    return f;
}

Frame ChainTree::frame(std::int64_t leaf) const {
    const Frame f = local_frame(leaf);
    return base_.q.w == 1 ? Frame{f.q, f.t + base_.t} : base_ * f;  // not rounded once more if the chain is not turned
}

Frame ChainTree::seen_from(std::int64_t leaf, std::int64_t other) const {
    Frame a, b;
    for (int k = 1; leaf >> 3 * (k - 1) != other >> 3 * (k - 1); ++k) a = step(k, leaf) * a, b = step(k, other) * b;
    return inverse(b) * a;
}

Vec3 ChainTree::local_centre(std::int64_t ball) const {
    return local_frame(ball / size) * leaves_[ball / size].centre(int(ball % size));
}

Vec3 ChainTree::centre(std::int64_t ball) const { return base_ * local_centre(ball); }

std::vector<Vec3> ChainTree::centres() const {
    std::vector<Vec3> out(balls_);
    for (std::int64_t l = 0; l < leaves(); ++l) {
        const Rigid f = rigid(frame(l));
        for (int i = 0; i < count(l); ++i) out[l * size + i] = f * leaves_[l].centre(i);
    }
    return out;
}

BallBox ChainTree::bound(std::int64_t l, unsigned balls) const {
    const ChainLeaf& leaf = leaves_[l];
    Hull hull;
    Float8 c[2][3], radius[2], in[2];
    radius[0] = radius[1] = Float8(float(radii_[0]) * (1 + 1e-7f));
    if (!radii_.uniform()) {
        alignas(32) float r[size];
        for (int i = 0; i < size; ++i) r[i] = float(radii_[l * size + least(i, count(l) - 1)]) * (1 + 1e-7f);
        radius[0] = Float8::load(r), radius[1] = Float8::load(r + 8);
    }
    for (int k = 0; k < 2; ++k) {
        in[k] = lanes_where(balls >> 8 * k & 255);
        const Float8 half[3] = {radius[k], radius[k], radius[k]};
        for (int m = 0; m < 3; ++m) c[k][m] = floats(leaf.x[m] + 8 * k);
        hull.add(in[k], c[k], half);
    }
    BallBox b;
    hull.box(b, 2e-7f);
    const float far = largest(most(farthest(in[0], c[0], radius[0], b), farthest(in[1], c[1], radius[1], b)));
    b.radius = far * (1 + 6e-7f) + 3e-7f * sum_of_sizes(b.centre);
    return b;
}

BallBox ChainTree::bound(const BallBoxLanes& lanes) {
    const Float8 in = lanes_where(lanes.valid), r = Float8::load(lanes.radius);
    Float8 c[3], half[3], off = r;
    for (int k = 0; k < 3; ++k)
        c[k] = Float8::load(lanes.centre[k]), half[k] = Float8::load(lanes.half[k]), off = off + absolute(c[k]);
    const Float8 slack = off * Float8(lane_slack);  // centres of lanes are rounded
    for (int k = 0; k < 3; ++k) half[k] = half[k] + slack;
    Hull hull;
    hull.add(in, c, half);
    BallBox b;
    hull.box(b, 2e-7f);
    b.radius = largest(farthest(in, c, r + slack, b)) * (1 + 6e-7f) + 2e-7f * sum_of_sizes(b.centre);
    return b;
}

BallBox ChainTree::root_bound() const { return levels() ? bound(node(levels(), 0).lanes) : bound(0, valid(0)); }

void ChainTree::set_bound(ChainNode& n, int lane, const BallBox& own) {
    for (int k = 0; k < 3; ++k) n.own_centre[k][lane] = own.centre[k], n.own_half[k][lane] = own.half[k];
    n.lanes.radius[lane] = own.radius;
}

void ChainTree::derive_lanes(ChainNode& n, unsigned lanes) {
    const Float8 in = lanes_where(lanes);
    Float8 q[4], h[3], c[3], turned[3][3];
    for (int k = 0; k < 4; ++k) q[k] = floats(n.q[k]);
    for (int k = 0; k < 3; ++k) h[k] = Float8::load(n.own_half[k]);
    carried_centres(n, c);
    const Float8 one(1.f), two(2.f), w = q[0] * two, x = q[1], y = q[2], z = q[3], x2 = x * two, y2 = y * two,
                                     z2 = z * two;
    turned[0][0] = one - y * y2 - z * z2, turned[0][1] = x * y2 - w * z, turned[0][2] = x * z2 + w * y;
    turned[1][0] = x * y2 + w * z, turned[1][1] = one - x * x2 - z * z2, turned[1][2] = y * z2 - w * x;
    turned[2][0] = x * z2 - w * y, turned[2][1] = y * z2 + w * x, turned[2][2] = one - x * x2 - y * y2;
    const Float8 r = Float8::load(n.lanes.radius);
    for (int k = 0; k < 3; ++k) {
        const Float8 e = sum_of_products(absolute(turned[k][0]), h[0], absolute(turned[k][1]), h[1],
                                         absolute(turned[k][2]), h[2], Float8(0.f));
        select(in, c[k], Float8::load(n.lanes.centre[k])).store(n.lanes.centre[k]);
        select(in, least(e * Float8(1 + 2e-6f), r), Float8::load(n.lanes.half[k])).store(n.lanes.half[k]);
    }
}

Frame ChainTree::span(int level, std::int64_t index) const {
    Frame f;
    std::int64_t i = index;
    for (int k = level; k >= 1; --k) {
        const ChainNode& n = node(k, i);
        const int last = 31 - __builtin_clz(n.lanes.valid);
        f = f * n.child(last), i = 8 * i + last;
    }
    return f * leaves_[i].next;
}

void ChainTree::derive_frames(int level, std::int64_t index) {
    ChainNode& n = at(level, index);
    Frame f;
    for (int c = 0; c < 8; ++c) {
        n.set_child(c, f);
        if (n.lanes.valid >> (c + 1) & 1) f = f * span(level - 1, 8 * index + c);
    }
    n.lanes.changes = 0;
}

void ChainTree::rebound(int level, std::int64_t index, int lane) {
    ChainNode& n = at(level, index);
    const std::int64_t below = 8 * index + lane;
    set_bound(n, lane, level == 1 ? bound(below, valid(below)) : bound(node(level - 1, below).lanes));
    derive_lanes(n, 1u << lane);
}

void ChainTree::move_balls(const ChainChange& change) {
    ChainLeaf& leaf = leaves_[change.leaf()];
    const Mat3 turn = unbiased_matrix(change.turn);
    const Vec3x4 pivot = four_times(change.pivot), back = four_times(change.pivot + change.shift);
    const unsigned moved = 0xffffu << (change.lane() + 1) & 0xffffu;
    for (int k = 0; k < 4; ++k) {
        const unsigned bits = moved >> 4 * k & 15;
        if (!bits) continue;
        const Double4 in = four_lanes_where(bits);
        auto at = [&](double (&field)[3][size], int m) -> double* { return field[m] + 4 * k; };
        const Vec3x4 x{Double4::load(at(leaf.x, 0)), Double4::load(at(leaf.x, 1)), Double4::load(at(leaf.x, 2))};
        const Vec3x4 y = select(in, turn * (x - pivot) + back, x);
        y.x.store(at(leaf.x, 0)), y.y.store(at(leaf.x, 1)), y.z.store(at(leaf.x, 2));
        const Vec3x4 s{Double4::load(at(leaf.spin, 0)), Double4::load(at(leaf.spin, 1)),
                       Double4::load(at(leaf.spin, 2))};
        const Double4 n = dot(s, s), one(1.), f = one / (one + n), g = f + f;
        const Quat4 q = unit(change.turn * Quat4{(one - n) * f, g * s.x, g * s.y, g * s.z});
        const Double4 sign = select(greater(Double4(0.), q.w), Double4(-1.), one), p = sign / (one + absolute(q.w));
        const Vec3x4 z = select(in, {q.x * p, q.y * p, q.z * p}, s);
        z.x.store(at(leaf.spin, 0)), z.y.store(at(leaf.spin, 1)), z.z.store(at(leaf.spin, 2));
    }
    leaf.next = {unit(change.turn * leaf.next.q), turn * (leaf.next.t - change.pivot) + change.pivot + change.shift};
}

void ChainTree::apply(const ChainChange& change) {
    const std::int64_t leaf = change.leaf();
    move_balls(change);
    Frame here;  // of the node, with respect to the leaf: the leaf's own at first
    for (int k = 1; k <= levels(); ++k) {
        const std::int64_t index = leaf >> 3 * k;
        ChainNode& n = at(k, index);
        const int c = int(leaf >> 3 * (k - 1)) & 7;
        here = here * inverse(n.child(c));
        const unsigned right = n.lanes.valid & ~0u << (c + 1);
        if (++n.lanes.changes >= changes_between_derivations) {
            derive_frames(k, index);
        } else if (right) {
            // The change as this node sees it.
            const Quat back = conjugate(here.q), g = unit(back * change.turn * here.q);
            const Vec3 pivot = back * (change.pivot - here.t), shift = back * change.shift;
            const Mat3 turn = matrix(g);
            const Vec3x4 from = four_times(pivot), to = four_times(pivot + shift);
            for (int m = 0; m < 8; m += 4) {
                const unsigned bits = right >> m & 15;
                if (!bits) continue;
                const Double4 in = four_lanes_where(bits);
                const Quat4 q{Double4::load(n.q[0] + m), Double4::load(n.q[1] + m), Double4::load(n.q[2] + m),
                              Double4::load(n.q[3] + m)};
                const Quat4 p = unit(g * q);
                select(in, p.w, q.w).store(n.q[0] + m), select(in, p.x, q.x).store(n.q[1] + m);
                select(in, p.y, q.y).store(n.q[2] + m), select(in, p.z, q.z).store(n.q[3] + m);
                const Vec3x4 t{Double4::load(n.t[0] + m), Double4::load(n.t[1] + m), Double4::load(n.t[2] + m)};
                const Vec3x4 u = select(in, turn * (t - from) + to, t);
                u.x.store(n.t[0] + m), u.y.store(n.t[1] + m), u.z.store(n.t[2] + m);
            }
        }
        set_bound(n, c, k == 1 ? bound(leaf, valid(leaf)) : bound(node(k - 1, leaf >> 3 * (k - 1)).lanes));
        derive_lanes(n, right | 1u << c);
    }
}

void ChainTree::apply(const std::vector<ChainChange>& changes) {
    if (changes.size() == 1) return apply(changes[0]);
    std::vector<std::int64_t> dirty;
    for (const ChainChange& c : changes) move_balls(c), dirty.push_back(c.leaf());
    std::sort(dirty.begin(), dirty.end());
    // Level by level, so that a node above several changes is made once.
    for (int k = 1; k <= levels(); ++k) {
        dirty.erase(std::unique(dirty.begin(), dirty.end()), dirty.end());
        for (std::size_t i = 0; i < dirty.size(); ++i) {
            const std::int64_t index = dirty[i] >> 3;
            if (i == 0 || dirty[i - 1] >> 3 != index) derive_frames(k, index);
            rebound(k, index, int(dirty[i] & 7));
        }
        for (std::int64_t& d : dirty) d >>= 3;
        std::int64_t last = -1;
        for (const std::int64_t d : dirty)
            if (d != last) derive_lanes(at(k, d), node(k, d).lanes.valid), last = d;
    }
}

void ChainTree::reshape(std::int64_t leaf, unsigned balls, const Vec3* centres) {
    for (; balls; balls &= balls - 1) leaves_[leaf].set_centre(__builtin_ctz(balls), *centres++);
    for (int k = 1; k <= levels(); ++k) rebound(k, leaf >> 3 * k, int(leaf >> 3 * (k - 1)) & 7);
}

}  // namespace elbowroom
