// Cages kept true: the ball of the old basis where the beads are now, and whether all beads are in it.
#include <chrono>

#include "elbowroom/interruption.hpp"
#include "elbowroom/reference/necklace_cages.hpp"

namespace elbowroom {

namespace {

/// What may stick out of the ball of a basis without being an escape. More than the slack that a repair leaves, so that
/// a cage that was just repaired is right; the cage is then made that much larger.
double tolerance(const SphereVolume& ball) { return 3 * ball_slack(ball); }

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

void NecklaceCages::move(const Vec3* centres, CageVerify verify) {
    place(centres);
    if (kind_ == CageKind::layered) return layer();
    if (verify == CageVerify::naive) return verify_naively();
    if (verify == CageVerify::cascade) return verify_by_cascade();
    const double start = seconds_now();
    cheaper_.way() == 0 ? verify_naively() : verify_by_cascade();
    cheaper_.took(seconds_now() - start);
}

void NecklaceCages::verify_naively() {
    const BallRows beads = rows();
    ++counters_.naive_moves;
    frontier_size_.clear();  // of another time
    Poll poll(64);
    for (std::int32_t c = tree_.cages() - 1; c >= 0; --c) {
        poll();
        const CageTree::Node& n = tree_.node(c);
        const BallBasis before = bases_[c];
        SphereVolume& ball = cages_[c];
        settle_on(beads, dimension_, bases_[c], ball);
        counters_.naive_tests += n.count();
        const double reach = farthest_ball(beads, n.first, n.last, ball.centre).reach;
        if (reach <= ball.radius + tolerance(ball))
            ball.radius = rounded_outwards(reach);
        else
            repair(c);
        counters_.basis_changes += !(bases_[c] == before);
    }
}

/// What was inside last time most likely still is, so the frontier of the last cascade is where the next one begins. It
/// only becomes finer by that, so one cage in 32 begins with its children, another one each time.
void NecklaceCages::verify_by_cascade() {
    const BallRows beads = rows();
    const std::uint32_t turn = std::uint32_t(counters_.cascade_moves++);
    const bool known = !frontier_size_.empty();
    frontier_size_.resize(tree_.cages(), 0);
    next_frontier_.clear();
    counters_.frontier = 0;
    std::size_t at = 0;  // in the old frontier
    Poll poll(64);
    for (std::int32_t c = tree_.cages() - 1; c >= 0; --c) {
        poll();
        const BallBasis before = bases_[c];
        SphereVolume& ball = cages_[c];
        settle_on(beads, dimension_, bases_[c], ball);
        const std::size_t begin = next_frontier_.size(), end_of_old = at + (known ? frontier_size_[c] : 0);
        const bool anew = end_of_old == at || (std::uint32_t(c) + turn) % 32 == 0;
        double reach = ball.radius;
        const CageTree::Children children = tree_.children(c);
        const bool inside = anew ? look_at(children.slot, children.count, ball, reach)
                                 : look_at(&frontier_[at], int(end_of_old - at), ball, reach);
        at = end_of_old;
        counters_.frontier += next_frontier_.size() - begin;
        if (inside) {
            ball.radius = rounded_outwards(reach);
        } else {
            next_frontier_.resize(begin);
            repair(c);
        }
        counters_.basis_changes += !(bases_[c] == before);
        frontier_size_[c] = std::int32_t(next_frontier_.size() - begin);
    }
    frontier_.swap(next_frontier_);
}

/// Are the slots, and all below them, inside the ball? What is goes to the frontier, as large as can be; the cage has
/// to reach as far as it does. Goes on after an escape: the tests are counted as in the paper.
bool NecklaceCages::look_at(const std::int32_t* slots, int count, const SphereVolume& cage, double& reach) {
    const double limit = cage.radius + tolerance(cage);
    bool inside = true;
    counters_.cascade_tests += count;
    for (int k = 0; k < count; ++k) {
        const SphereVolume b = ball(slots[k]);
        if (const double r = length(b.centre - cage.centre) + b.radius; r <= limit) {
            reach = most(reach, r), next_frontier_.push_back(slots[k]);
        } else if (slots[k] < 0) {
            inside = false;
        } else {
            const CageTree::Children c = tree_.children(slots[k]);
            inside &= look_at(c.slot, c.count, cage, reach);
        }
    }
    return inside;
}

/// The bead that is farthest out is in the new basis.
void NecklaceCages::repair(std::int32_t cage) {
    const CageTree::Node& n = tree_.node(cage);
    ++counters_.escaped;
    if (!enclose(rows(), n.first, n.last, dimension_, bases_[cage], cages_[cage])) {
        ++counters_.rebuilt;
        BallBasis basis;
        SphereVolume ball;
        enclose_anew(rows(), n.first, n.last, dimension_, basis, ball);
        if (ball.radius < cages_[cage].radius) bases_[cage] = basis, cages_[cage] = ball;
    }
}

}  // namespace elbowroom
