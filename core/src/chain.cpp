#include "elbowroom/bodies/chain.hpp"

#include <algorithm>
#include <stdexcept>

#include "elbowroom/interruption.hpp"

namespace elbowroom {

namespace {

constexpr int size = ChainLeaf::size;
constexpr std::size_t most_changes = 1 << 17;  // how many joints all steps may have changed that can be undone
constexpr std::int64_t few_balls = 128;        // so many that move between others are compared with all

}  // namespace

Chain::Chain(ChainParts parts)
    : watch_(parts.watch ? Watch(parts.watch->id(), parts.watch->read()) : Watch()),
      tree_(parts.centres, parts.turned, parts.radii),
      exclusion_(parts.exclude, parts.excluded, std::move(parts.link), tree_.balls()),
      first_ball_(std::move(parts.first)),
      volume_(parts.volume),
      parts_(tree_) {}

Vec3 Chain::seen_from(std::int64_t leaf, std::int64_t ball) const {
    const std::int64_t home = ball / size;
    const Vec3 x = tree_.leaf(home).centre(int(ball % size));
    if (home == leaf) return x;
    return home == leaf + 1 ? tree_.leaf(leaf).next * x : tree_.seen_from(home, leaf) * x;
}

ChainChange Chain::torsion(std::int64_t joint, double angle) const {
    ChainChange c;
    c.first = own_ball(joint + 1), c.pivot_ball = own_ball(joint);
    c.pivot = seen_from(c.leaf(), c.pivot_ball);
    const Vec3 next = seen_from(c.leaf(), c.first), bond = next - c.pivot;
    // Less than rounding may leave of two equal centres: the direction would be noise.
    if (length(bond) <= most(noise_, 1e-13 * (length(next) + length(c.pivot))))
        throw std::invalid_argument("joint " + std::to_string(joint) + " has no axis: the centres of links " +
                                    std::to_string(joint) + " and " + std::to_string(joint + 1) + " coincide");
    c.turn = turn_about(normalised(bond, {1, 0, 0}), angle);
    return c;
}

void Chain::rotate(std::int64_t joint, double angle) {
    settle();
    note(torsion(joint, angle));
}

void Chain::turn(std::int64_t joint, const Mat3& world) {
    settle();
    ChainChange c;
    c.first = own_ball(joint + 1), c.pivot_ball = own_ball(joint);
    c.pivot = seen_from(c.leaf(), c.pivot_ball);
    const Quat here = tree_.frame(c.leaf()).q;
    c.turn = unit(conjugate(here) * quaternion(world) * here);
    note(c);
}

void Chain::pivot(std::int64_t joint, const Quat& anywhere) {
    settle();
    ChainChange c;
    c.first = own_ball(joint + 1), c.pivot_ball = own_ball(joint);
    c.pivot = seen_from(c.leaf(), c.pivot_ball), c.turn = anywhere;
    note(c);
}

bool Chain::crankshaft(std::int64_t i, std::int64_t k, double angle) {
    settle();
    ChainChange there, back;  // all that follows turns, and from link k on it turns back
    there.first = own_ball(i + 1), back.first = own_ball(k);
    there.pivot = seen_from(there.leaf(), own_ball(i)), back.pivot = seen_from(back.leaf(), own_ball(k));
    const Vec3 to = seen_from(there.leaf(), own_ball(k)), axis = to - there.pivot;
    if (length(axis) <= most(noise_, 1e-9 * (length(to) + length(there.pivot)))) return false;
    there.turn = turn_about(normalised(axis, {1, 0, 0}), angle);
    // The very same rotation, as the other leaf sees it: between links that nearly meet an axis made anew would differ.
    const Quat between = tree_.seen_from(there.leaf(), back.leaf()).q;
    back.turn = unit(between * conjugate(there.turn) * conjugate(between));
    change_at_once({back, there}, there.first, back.first);
    return true;
}

void Chain::rebridge(const std::int64_t* joints, const double* angles, std::size_t count) {
    settle();
    std::vector<ChainChange> changes;
    for (std::size_t i = count; i-- > 0;) changes.push_back(torsion(joints[i], angles[i]));
    change_at_once(changes, own_ball(joints[0] + 1), own_ball(joints[count - 1] + 1));
}

void Chain::move(std::int64_t joint, const Rigid& world) {
    settle();
    ChainChange c;
    c.first = own_ball(joint + 1);
    const Frame here = tree_.frame(c.leaf()), map = inverse(here) * (elbowroom::frame(world) * here);
    noise_ = most(noise_, 1e-14 * (length(here.t) + length(world.translation) + tree_.root_bound().radius));
    c.turn = map.q, c.shift = map.t;
    note(c);
}

void Chain::change(const std::vector<std::int64_t>& joints, const std::vector<double>& angles) {
    settle();
    std::vector<ChainChange> changes;
    for (std::size_t i = 0; i < joints.size(); ++i) torsion(joints[i], angles[i]);  // refuses before anything changes
    if (joints.size() == 1) return note(torsion(joints[0], angles[0]));
    // Each torsion is about its bond as it stands: axes in one leaf are seen from that leaf, and torsions further along
    // the chain do not move them, so the last joint goes first.
    std::vector<std::size_t> order(joints.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return joints[a] > joints[b]; });
    for (const std::size_t i : order) changes.push_back(torsion(joints[i], angles[i]));
    if (!changes.empty()) return change_at_once(changes, 0, 0);
    Step& step = new_step();  // nothing changes, and that can be taken back too
    step.nothing = true, step.before = verdict_;
}

/// Changes from the last joint to the first, carried out together. If only the balls from `begin` to before `end` end
/// up elsewhere, these are what is in doubt; with 0, 0 all that follows may.
void Chain::change_at_once(const std::vector<ChainChange>& changes, std::int64_t begin, std::int64_t end) {
    const Verdict before = verdict_;
    if (end - begin > few_balls) begin = end = 0;  // then it is better to go by the splits
    Step& step = new_step();
    carry_out(changes, begin, end);
    tell_of(changes, {begin, end, step.number});
    for (auto c = changes.rbegin(); c != changes.rend(); ++c) step.changes.push_back(c->inverse());
    kept_changes_ += step.changes.size();
    step.before = before, step.begin = begin, step.end = end;
    while (kept_changes_ > most_changes && steps_count_ > 1) forget_oldest();
    verdict_ = Verdict::unknown;
}

void Chain::rotate_side(const SideTurn* turns, std::size_t count) {
    settle();
    Step step;
    step.before = verdict_, step.moved = *turns[0].moving, step.side = exclusion_.link(step.moved[0]);
    std::vector<std::int64_t>& moved = step.moved;
    auto place = [&](std::int64_t ball) {
        return std::size_t(std::find(moved.begin(), moved.end(), ball) - moved.begin());
    };
    for (std::size_t k = 1; k < count; ++k)
        for (const std::int64_t ball : *turns[k].moving) {
            if (exclusion_.link(ball) != step.side)
                throw std::invalid_argument("side torsions that are turned at once must be of one link");
            if (place(ball) == moved.size()) moved.push_back(ball);
        }
    const std::int64_t home = turns[0].a / size;  // all is seen from the leaf of the first ball
    std::vector<Vec3> centres;
    for (const std::int64_t ball : moved) {
        step.were.push_back(tree_.leaf(ball / size).centre(int(ball % size)));
        centres.push_back(seen_from(home, ball));
    }
    auto centre = [&](std::int64_t ball) {
        const std::size_t k = place(ball);
        return k < moved.size() ? centres[k] : seen_from(home, ball);
    };
    for (const SideTurn* t = turns; t != turns + count; ++t) {
        const Vec3 from = centre(t->a), to = centre(t->b);
        if (length(to - from) <= most(noise_, 1e-13 * (length(to) + length(from))))
            throw std::invalid_argument("the side torsion has no axis: its two balls coincide");
        const Mat3 turn = matrix(turn_about(normalised(to - from, {1, 0, 0}), t->angle));
        for (const std::int64_t ball : *t->moving) {
            Vec3& x = centres[place(ball)];
            x = turn * (x - from) + from;
        }
    }
    for (std::size_t k = 0; k < moved.size(); ++k) centres[k] = tree_.seen_from(home, moved[k] / size) * centres[k];
    reshape(step.side, moved, centres);
    const auto [begin, end] = balls_of(step.side);
    Step& made = new_step();
    step.number = made.number;
    tell([&, begin = begin, end = end](ChainLists& p) { p.note({begin, end, step.number}); });
    made = std::move(step);
    verdict_ = Verdict::unknown;
}

/// New centres for balls of one link, each in the frame of its leaf.
void Chain::reshape(std::int64_t link, const std::vector<std::int64_t>& balls, const std::vector<Vec3>& centres) {
    double farthest = 0;
    for (std::size_t i = 0; i < balls.size(); ++i) {
        const std::int64_t leaf = balls[i] / size;
        const int lane = int(balls[i] % size);
        farthest = most(farthest, length(centres[i] - tree_.leaf(leaf).centre(lane)));
        tree_.reshape(leaf, 1u << lane, &centres[i]);
    }
    watch_.add(farthest * (1 + 1e-6));
    ++version_;
    const auto [begin, end] = balls_of(link);
    doubt({-1, begin, end});
}

void Chain::turn_all(const Quat& turn) {
    const BallBox all = tree_.root_bound();
    const Frame& base = tree_.base();
    const Vec3 middle{all.centre[0], all.centre[1], all.centre[2]};
    const Quat turned = unit(turn * base.q);
    set_base({turned, base * middle - turned * middle});
}

void Chain::shift_all(Vec3 by) { set_base({tree_.base().q, tree_.base().t + by}); }

/// Nothing moves against anything else of the chain: verdict, pairs and energies stay.
void Chain::set_base(const Frame& base) {
    settle();
    const Frame were = tree_.base();
    place(base);
    Step& step = new_step();
    step.base = were, step.whole = true, step.before = verdict_;
}

void Chain::place(const Frame& base) {
    const BallBox all = tree_.root_bound();
    const Vec3 middle{all.centre[0], all.centre[1], all.centre[2]};
    const Frame were = tree_.base();
    const double chord = 2 * length((base.q * conjugate(were.q)).vector()) * all.radius;
    if (watch_.runs()) watch_.add((length(base * middle - were * middle) + chord) * (1 + 1e-6));
    tree_.set_base(base);
    ++version_;
}

void Chain::note(const ChainChange& change) {
    before_pending_ = verdict_;
    pending_ = change;
    verdict_ = Verdict::unknown;
}

void Chain::settle() {
    if (!pending_) return;
    const ChainChange change = *pending_;
    pending_.reset();
    if (watch_.runs()) look_how_far(&change, 1);
    tree_.apply(change);
    ++version_;
    if (verdict_ != Verdict::free) doubt({change.first});
    Step& step = new_step();
    tell([&](ChainLists& p) { p.note({change.first, -1, step.number, &change}); });
    step.one = change.inverse(), step.before = before_pending_;
}

/// Adds to the odometer what the changes can move a ball by: a turn by its chord, as far from the pivot as the chain
/// reaches, and farther for what the changes before it have unfolded.
void Chain::look_how_far(const ChainChange* changes, std::size_t count) {
    const BallBox all = tree_.root_bound();
    double sum = 0;
    for (const ChainChange* c = changes; c != changes + count; ++c) {
        const Vec3 pivot = tree_.local_frame(c->leaf()) * c->pivot;
        const double far = length(pivot - Vec3{all.centre[0], all.centre[1], all.centre[2]}) + all.radius + 2 * sum;
        const Quat& q = c->turn;
        sum += 2 * length(q.vector()) * far + length(c->shift);
    }
    watch_.add(sum * (1 + 1e-6));
}

void Chain::carry_out(const std::vector<ChainChange>& changes, std::int64_t begin, std::int64_t end) {
    if (watch_.runs()) look_how_far(changes.data(), changes.size());
    tree_.apply(changes);
    ++version_;
    if (end > begin) return doubt({-1, begin, end});
    for (const ChainChange& c : changes) doubt({c.first});
}

void Chain::tell_of(const std::vector<ChainChange>& changes, const ChainLists::Note& range) {
    tell([&](ChainLists& p) {
        if (range.end > range.begin) return p.note(range);
        for (const ChainChange& c : changes) p.note({c.first});
    });
}

void Chain::doubt(const Doubt& d) {
    if (!proved_ || doubts_.size() > most_doubts) return;  // all will be tested anyway
    if (std::find(doubts_.begin(), doubts_.end(), d) == doubts_.end()) doubts_.push_back(d);
}

Chain::Step& Chain::new_step() {
    if (steps_count_ == most_steps_) forget_oldest();
    if (steps_count_ == steps_.size()) {  // grow; nothing was forgotten yet, or the ring is straightened
        std::rotate(steps_.begin(), steps_.begin() + steps_begin_, steps_.end());
        steps_begin_ = 0, steps_.emplace_back();
    }
    Step& step = steps_[(steps_begin_ + steps_count_++) % steps_.size()];
    clear(step);
    step.number = ++steps_made_;
    return step;
}

void Chain::clear(Step& step) {
    kept_changes_ -= step.changes.size();
    if (step.changes.size() > 16)
        step.changes = {};
    else
        step.changes.clear();
    step.moved.clear(), step.were.clear(), step.side = -1, step.begin = step.end = 0;
    step.nothing = step.whole = false;
}

void Chain::forget_oldest() {
    clear(steps_[steps_begin_]);
    steps_begin_ = (steps_begin_ + 1) % steps_.size(), --steps_count_;
}

void Chain::remember(std::size_t steps) {
    steps_.clear(), steps_begin_ = steps_count_ = kept_changes_ = 0;
    most_steps_ = most<std::size_t>(1, steps);
}

bool Chain::undo() {
    if (pending_) {
        pending_.reset();
        verdict_ = before_pending_;
        return true;
    }
    if (steps_count_ == 0) return false;
    Step& step = steps_[(steps_begin_ + --steps_count_) % steps_.size()];
    if (step.nothing) return verdict_ = step.before, true;
    if (step.whole) return place(step.base), true;
    if (step.side >= 0) {
        reshape(step.side, step.moved, step.were);
        const auto [begin, end] = balls_of(step.side);
        tell([&, begin = begin, end = end](ChainLists& p) { p.undone({begin, end, step.number}); });
    } else if (!step.changes.empty()) {
        carry_out(step.changes, step.begin, step.end);
        if (step.end > step.begin)
            tell([&](ChainLists& p) { p.undone({step.begin, step.end, step.number}); });
        else
            tell_of(step.changes, {0, 0});
    } else {
        if (watch_.runs()) look_how_far(&step.one, 1);
        tree_.apply(step.one), ++version_, doubt({step.one.first});
        tell([&](ChainLists& p) { p.undone({step.one.first, -1, step.number}); });
    }
    verdict_ = step.before;
    if (verdict_ == Verdict::free) proved_ = true, doubts_.clear();
    return true;
}

std::vector<unsigned char> Chain::try_torsions(const std::int64_t* joints, const double* angles, std::size_t count,
                                               bool stay) {
    std::vector<unsigned char> free(count);
    settle();
    for (std::size_t i = 0; i < count; ++i) torsion(joints[i], 0);  // refuses before anything changes
    Poll poll(64);
    for (std::size_t i = 0; i < count; ++i) {
        poll();
        const Uninterrupted step;  // the chain is left after a whole number of torsions
        rotate(joints[i], angles[i]);
        free[i] = !collides();
        if (stay || !free[i]) undo();
    }
    return free;
}

std::vector<Vec3> Chain::centres() { return settle(), tree_.centres(); }

Frame Chain::frame(std::int64_t link) {
    settle();
    const std::int64_t ball = own_ball(link);
    const ChainLeaf& leaf = tree_.leaf(ball / size);
    const Frame here = tree_.frame(ball / size);
    return {unit(here.q * leaf.turned(int(ball % size))), here * leaf.centre(int(ball % size))};
}

Frame Chain::pose(std::int64_t i, std::int64_t j) {
    settle();
    auto own = [&](std::int64_t link) {
        const std::int64_t ball = own_ball(link);
        const ChainLeaf& leaf = tree_.leaf(ball / size);
        return Frame{leaf.turned(int(ball % size)), leaf.centre(int(ball % size))};
    };
    const Frame between = tree_.seen_from(own_ball(j) / size, own_ball(i) / size);
    return inverse(own(i)) * (between * own(j));
}

std::vector<Quat> Chain::turned() {
    settle();
    std::vector<Quat> out(tree_.balls());
    for (std::int64_t l = 0; l < tree_.leaves(); ++l) {
        const Quat here = tree_.frame(l).q;
        for (int i = 0; i < tree_.count(l); ++i) out[l * size + i] = unit(here * tree_.leaf(l).turned(i));
    }
    return out;
}

std::vector<ObbVolume> Chain::boxes(int depth) {
    settle();
    depth = least(depth, tree_.levels());
    auto box = [](const Frame& at, const BallBox& b) {
        const Vec3 c{b.centre[0], b.centre[1], b.centre[2]}, half{b.half[0], b.half[1], b.half[2]};
        return ObbVolume{at * c, half, transposed(matrix(at.q))};
    };
    const int level = tree_.levels() - depth;
    if (depth == 0) return {box(tree_.base(), tree_.root_bound())};
    std::vector<ObbVolume> out;
    for (std::int64_t i = 0, k = most(level, 0); i < (k ? tree_.nodes(int(k)) : tree_.leaves()); ++i)
        out.push_back(box(tree_.frame(i << 3 * k), tree_.node(int(k) + 1, i >> 3).bound(int(i & 7))));
    return out;
}

std::string Chain::validate() { return settle(), tree_.validate(); }

}  // namespace elbowroom
