#include "elbowroom/sampling/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "chain_queries.hpp"
#include "elbowroom/interruption.hpp"
#include "elbowroom/limits.hpp"

namespace elbowroom {

namespace {

constexpr double half_turn = 3.141592653589793;

// A shift is a length, of any scale; all other sizes are angles.
double smallest_size(MoveKind kind) { return kind == MoveKind::translation ? 1e-300 : 1e-6; }
double largest_size(MoveKind kind) { return kind == MoveKind::translation ? limits.largest_number : half_turn; }

bool observes(const std::vector<Observed>& all, Observable what) {
    return std::any_of(all.begin(), all.end(), [&](const Observed& one) { return one.what == what; });
}

}  // namespace

Sampler::Sampler(std::shared_ptr<Chain> chain, Seed seed) : chain_(std::move(chain)), random_(seed.seed, seed.stream) {}

void Sampler::add_move(SamplerMove move) {
    const double before = cumulative_.empty() ? 0 : cumulative_.back();
    cumulative_.push_back(before + move.weight);
    moves_.push_back(std::move(move));
    tallies_.emplace_back();
    crossings_.push_back(0);
    next_ = {};
}

std::vector<double> Sampler::sizes() const {
    std::vector<double> out;
    for (const SamplerMove& m : moves_) out.push_back(m.size);
    return out;
}

void Sampler::set_sizes(const std::vector<double>& sizes) {
    if (sizes.size() != moves_.size()) throw std::invalid_argument("sizes must be as many as there are moves");
    for (std::size_t i = 0; i < sizes.size(); ++i) moves_[i].size = sizes[i];
}

void Sampler::run_in_turn(const std::vector<Sampler*>& samplers, std::int64_t steps, std::int64_t every) {
    for (Sampler* s : samplers) s->begin(every);
    Poll poll(64);
    for (std::int64_t i = 0; i < steps; ++i) {
        poll();  // if it throws, the next run sees by the chain's version that it has changed
        for (Sampler* s : samplers) {
            s->step_once();
            ++s->step_;
            if (--s->until_record_ > 0) continue;
            s->record();
            s->until_record_ = every;
        }
    }
    for (Sampler* s : samplers) s->end();
}

void Sampler::begin(std::int64_t every) {
    if (moves_.empty()) throw std::invalid_argument("the sampler has no moves");
    if (chain_->collides()) throw std::invalid_argument("the chain collides with itself");
    if (hits_an_obstacle()) throw std::invalid_argument("the chain collides with an obstacle");
    if ((needs_energy() || observes(observables_, Observable::energy)) && !chain_->has_energy())
        throw std::invalid_argument("the chain has no energy");
    for (const SamplerMove& m : moves_)
        if (forbids_crossing() && m.kind == MoveKind::rebridge)
            throw std::invalid_argument("bonds may not cross, and of rebridge moves that is not known");
    chain_->settle();
    if (chain_->version() != version_) {
        moments_.reset();
        turns_.reset();
        has_energy_ = false;
    }  // somebody else has changed it
    if (needs_energy() && !has_energy_) {
        energy_ = chain_->energy();
        has_energy_ = true;
    }
    if (next_.move < 0) next_ = draw();
    until_record_ = every - step_ % every;
}

void Sampler::end() {
    chain_->settle();
    version_ = chain_->version();
}

Sampler::Draw Sampler::draw() {
    Draw out;
    if (moves_.size() == 1) {
        out.move = 0;
    } else {
        const double u = random_.uniform() * cumulative_.back();
        out.move = 0;
        while (out.move + 1 < std::int64_t(moves_.size()) && u >= cumulative_[out.move]) ++out.move;
    }
    const SamplerMove& m = moves_[out.move];
    switch (m.kind) {
        case MoveKind::crankshaft:
            out.length = m.shortest + std::int64_t(random_.below(m.longest - m.shortest + 1));
            out.at = std::int64_t(random_.below(chain_->links() - out.length));
            chain_->fetch(out.at);
            break;
        case MoveKind::rebridge:
            out.at = std::int64_t(random_.below(m.at.size() - Closure::hinges + 1));
            chain_->fetch(m.at[out.at]);
            break;
        case MoveKind::translation:
        case MoveKind::rotation:
            break;
        case MoveKind::side:
            out.at = m.at[random_.below(m.at.size())];
            break;
        default:
            out.at = m.at[random_.below(m.at.size())];
            chain_->fetch(out.at);
    }
    return out;
}

void Sampler::step_once() {
    const Uninterrupted step;
    const Draw now = next_;
    next_ = draw();
    SamplerMove& move = moves_[now.move];
    Tally& tally = tallies_[now.move];
    ++tally.tried;
    double ratio = 1;
    bool accepted = false;
    if (propose(now, ratio)) {
        if (chain_->collides())
            ++tally.collided;
        else if (forbids_crossing() && crosses(now))
            ++crossings_[now.move];
        else if (hits_an_obstacle())
            ++tally.collided;
        else
            accepted = accept(ratio);
        // What was carried out and taken back is where it was but for rounding, which must not depend on who looks.
        if (moments_ && (accepted || !chain_->has_pending())) touched(now);
        if (!accepted) chain_->undo();
    }
    tally.accepted += accepted;
    if (target_ > 0) follow(move, tally, accepted);
}

/// Would a bond pass through another on the way, or touch it? What cannot be decided counts as that. A change that was
/// carried out already is looked at on its way back.
bool Sampler::crosses(const Draw& draw) {
    if (!turns_) turns_ = std::make_unique<ChainTurnSearch>(*chain_, *breaks_);
    const double way = chain_->has_pending() ? 1 : -1;
    auto along = [&](ChainTurn turn) { return turn.angle *= way, turns_->crosses(turn); };
    switch (moves_[draw.move].kind) {
        case MoveKind::torsion:
            return along(turns_->torsion(draw.at, angle_));
        case MoveKind::pivot:
            return along(turns_->pivot(draw.at, turn_));
        case MoveKind::crankshaft: {
            const auto [before, behind] = turns_->crankshaft(draw.at, draw.at + draw.length, angle_);
            return along(before) || along(behind);
        }
        default:  // no bond moves against another
            return false;
    }
}

/// The one that was hit comes first from now on: it is the most likely one to be hit again.
bool Sampler::hits_an_obstacle() {
    if (obstacles_.empty() && neighbours_.empty()) return false;
    chain_->settle();
    const PlacedChain here{chain_.get(), {}};
    for (std::shared_ptr<Chain>& other : neighbours_) {
        other->settle();
        if (collide(here, PlacedChain{other.get(), {}}, CollideOptions{}).hit)
            return std::swap(other, neighbours_[0]), true;
    }
    for (Placed& obstacle : obstacles_)
        if (collide(here, obstacle, CollideOptions{}).hit) return std::swap(obstacle, obstacles_[0]), true;
    return false;
}

bool Sampler::propose(const Draw& draw, double& ratio) {
    const SamplerMove& m = moves_[draw.move];
    auto angle = [&] { return angle_ = m.size * random_.symmetric(); };
    auto pivot = [&](const Quat& turn) { return chain_->pivot(draw.at, turn_ = turn), true; };
    switch (m.kind) {
        case MoveKind::torsion:
            return chain_->rotate(draw.at, angle()), true;
        case MoveKind::pivot: {
            if (m.size < 0) return pivot(random_.rotation());
            const Vec3 axis = random_.direction();
            return pivot(turn_about(axis, angle()));
        }
        case MoveKind::crankshaft:
            return chain_->crankshaft(draw.at, draw.at + draw.length, angle());
        case MoveKind::rebridge:
            return propose_rebridge(m, draw.at, ratio);
        case MoveKind::side: {
            const SideTorsion& t = sides_[draw.at];
            return chain_->rotate_side({t.a, t.b, &t.moving, angle()}), true;
        }
        case MoveKind::translation: {
            const double x = angle(), y = angle(), z = angle();
            return chain_->shift_all({x, y, z}), true;
        }
        case MoveKind::rotation: {
            if (m.size < 0) return chain_->turn_all(random_.rotation()), true;
            const Vec3 axis = random_.direction();
            return chain_->turn_all(turn_about(axis, angle())), true;
        }
    }
    return false;
}

/// The first of seven torsions is drawn, the others close. The density along the curve of closed states is
/// 1 / |det| [Dodd1993, equation 20]. A step that would not lead back is not made.
bool Sampler::propose_rebridge(const SamplerMove& move, std::int64_t window, double& ratio) {
    chain_->settle();
    std::int64_t joints[Closure::hinges];
    for (int k = 0; k < Closure::hinges; ++k) joints[k] = move.at[window + k];
    const double first = move.size * random_.symmetric();
    Closure::Hinges hinges;
    for (int k = 0; k < Closure::hinges; ++k) {
        const Vec3 at = chain_->seen_from_link(joints[0], joints[k]);
        hinges[k] = {at, normalised(chain_->seen_from_link(joints[0], joints[k] + 1) - at, {1, 0, 0})};
    }
    const Closure here(hinges);
    Closure::Turns turns, back;
    if (!here.close(first, turns)) return false;
    if (!Closure(here.moved(turns)).close(-first, back)) return false;
    for (int k = 0; k < Closure::hinges; ++k)
        if (!(std::fabs(turns[k] + back[k]) <= 1e-7)) return false;
    ratio = here.volume({}) / here.volume(turns);
    if (!std::isfinite(ratio)) return false;
    chain_->rebridge(joints, turns.data(), Closure::hinges);
    return true;
}

bool Sampler::accept(double ratio) {
    if (!needs_energy()) return ratio >= 1 || random_.uniform() < ratio;
    const double log_ratio = ratio == 1 ? 0 : std::log(ratio);
    std::optional<double> drawn;
    if (rejected_by_bounds(log_ratio, drawn)) return ++decisions_[0], false;
    ++decisions_[1];
    const double proposed = chain_->energy();
    const double gain = (energy_ - proposed) / temperature_ + log_ratio;
    if (!(gain >= 0) && !((drawn ? *drawn : random_.uniform()) < std::exp(gain))) return false;
    energy_ = proposed;
    return true;
}

/// Is a lower bound of the energy enough to reject? The random number is drawn where it would be drawn without bounds,
/// that is, once it is certain that the energy rises: the course of a run does not depend on them. Where bounds decide
/// little, they are seldom tried.
bool Sampler::rejected_by_bounds(double log_ratio, std::optional<double>& drawn) {
    if (!uses_bounds_ || !chain_->has_energy_bounds() || (bounds_decide_ < 0.2 && step_ % 16 != 0)) return false;
    const double gain = (energy_ - chain_->energy_bounds().low) / temperature_ + log_ratio;  // at most
    if (gain < 0) drawn = random_.uniform();
    const bool out = drawn && !(*drawn < std::exp(gain));
    bounds_decide_ += ((out ? 1.0 : 0.0) - bounds_decide_) / 16;
    return out;
}

/// Robbins and Monro (1951): steps that become shorter, so that sizes come to rest.
void Sampler::follow(SamplerMove& move, const Tally& tally, bool accepted) const {
    if (move.size <= 0) return;
    // In open space every shift is accepted: sizes do not grow without end.
    if (accepted && move.kind == MoveKind::translation && move.size > 16 * chain_->tree().root_bound().radius) return;
    const double gain = std::pow(1 + 0.02 * double(tally.tried), -0.6);
    move.size = clamped(move.size * std::exp(gain * ((accepted ? 1.0 : 0.0) - target_)), smallest_size(move.kind),
                        largest_size(move.kind));
}

void Sampler::touched(const Draw& draw) {
    const SamplerMove& m = moves_[draw.move];
    switch (m.kind) {
        case MoveKind::crankshaft:
            moments_->touch(chain_->leaf_of_joint(draw.at));
            moments_->touch(chain_->leaf_of_joint(draw.at + draw.length - 1));
            break;
        case MoveKind::rebridge:
            for (int k = 0; k < Closure::hinges; ++k) moments_->touch(chain_->leaf_of_joint(m.at[draw.at + k]));
            break;
        case MoveKind::side:
            for (const std::int64_t ball : sides_[draw.at].moving) moments_->touch(ball / ChainLeaf::size);
            break;
        case MoveKind::translation:
        case MoveKind::rotation:
            break;
        default:
            moments_->touch(chain_->leaf_of_joint(draw.at));
    }
}

void Sampler::record() {
    std::vector<double> row;
    if (observes(observables_, Observable::torsion)) centres_ = chain_->centres();
    for (const Observed& what : observables_) row.push_back(observed(what));
    records_.insert(records_.end(), row.begin(), row.end());
}

double Sampler::observed(const Observed& observed) {
    chain_->settle();
    switch (observed.what) {
        case Observable::end_to_end:
            return chain_->end_to_end();
        case Observable::radius_of_gyration:
            if (!moments_) moments_ = std::make_unique<ChainMoments>(chain_->tree());
            return std::sqrt(moments_->squared_radius_of_gyration());
        case Observable::hydrodynamic_radius:
            return hydrodynamic_radius();
        case Observable::contacts:
            return double(chain_->pairs_within(reach_).count());
        case Observable::energy:
            return chain_->energy();
        case Observable::torsion:
            return torsion(observed.balls);
    }
    return std::numeric_limits<double>::quiet_NaN();
}

/// In (-pi, pi]: positive if the last ball is clockwise from the first, seen along the axis [IUPAC1970].
double Sampler::torsion(const std::array<std::int64_t, 4>& balls) const {
    const Vec3 a = centres_[balls[0]], b = centres_[balls[1]], c = centres_[balls[2]], d = centres_[balls[3]];
    const Vec3 axis = c - b, first = cross(b - a, axis), last = cross(axis, d - c);
    return std::atan2(length(axis) * dot(b - a, last), dot(first, last));
}

/// n^2 over the sum of 1 / distance over all ordered pairs of balls: Kirkwood's. Every pair counts, so this takes
/// O(n^2).
double Sampler::hydrodynamic_radius() {
    const std::vector<Vec3> x = chain_->centres();
    const std::size_t n = x.size(), padded = (n + 3) / 4 * 4;
    std::vector<double> c[3];
    for (int k = 0; k < 3; ++k) {
        c[k].assign(padded, 1e300);  // what is added adds nothing
        for (std::size_t i = 0; i < n; ++i) c[k][i] = x[i][k];
    }
    double sum = 0;
    Poll poll(64);
    for (std::size_t i = 0; i + 1 < n; ++i) {
        poll();
        const Vec3x4 at = four_times(x[i]);
        Double4 some(0.);
        std::size_t j = i + 1;
        for (; j < n && j % 4; ++j) sum += 1 / length(x[j] - x[i]);
        for (; j < n; j += 4) {
            const Vec3x4 d = Vec3x4{Double4::load(&c[0][j]), Double4::load(&c[1][j]), Double4::load(&c[2][j])} - at;
            some = some + Double4(1.) / square_root(dot(d, d));
        }
        double four[4];
        some.store(four);
        sum += (four[0] + four[1]) + (four[2] + four[3]);
    }
    return double(n) * double(n) / (2 * sum);
}

std::string Sampler::save() {
    const std::string chain = chain_->save();
    has_energy_ = false;
    SavedOut out;
    out.value(std::int64_t(moves_.size()));
    out.value(random_);
    out.value(step_);
    out.value(next_);
    out.value(temperature_);
    out.value(target_);
    for (const SamplerMove& m : moves_) out.value(m.size);
    out.array(tallies_.data(), tallies_.size());
    if (forbids_crossing()) out.array(crossings_.data(), crossings_.size());
    return out.take() + chain;
}

/// Everything is checked before anything is taken over: a state may have been damaged on purpose.
void Sampler::restore(const std::string& saved) {
    SavedIn in(saved);
    Random random;
    std::int64_t step = 0;
    Draw next;
    double temperature = 0, target = 0;
    std::vector<double> sizes(moves_.size());
    std::vector<Tally> tallies(moves_.size());
    in.expect(std::int64_t(moves_.size()));
    in.value(random);
    in.value(step);
    in.value(next);
    in.value(temperature);
    in.value(target);
    in.array(sizes.data(), sizes.size());
    in.array(tallies.data(), tallies.size());
    std::vector<std::int64_t> crossings(moves_.size());
    if (forbids_crossing()) in.array(crossings.data(), crossings.size());
    constexpr std::int64_t most = std::int64_t(1) << 62;  // counts that are larger would soon overflow
    bool sound = !random.is_stuck() && step >= 0 && step <= most && can_be_next(next);
    sound = sound && temperature == temperature_ && target == target_;
    for (std::size_t i = 0; i < moves_.size(); ++i) {
        const Tally& t = tallies[i];
        sound = sound && t.tried <= most && t.collided >= 0 && t.collided <= t.tried;
        sound = sound && t.accepted >= 0 && t.accepted <= t.tried - t.collided;
        sound = sound && crossings[i] >= 0 && crossings[i] <= t.tried - t.collided - t.accepted;
        const double largest = largest_size(moves_[i].kind);
        sound = sound && (moves_[i].size > 0 ? sizes[i] > 0 && sizes[i] <= largest : sizes[i] == moves_[i].size);
    }
    if (!sound) in.refuse();
    chain_->restore(in.rest(), rigid_pairs());
    random_ = random;
    step_ = step;
    next_ = next;
    for (std::size_t i = 0; i < moves_.size(); ++i) moves_[i].size = sizes[i];
    tallies_ = std::move(tallies);
    crossings_ = std::move(crossings);
    has_energy_ = false;
    version_ = chain_->version();
    moments_.reset();
    turns_.reset();
    records_.clear();
}

/// Could this have been drawn?
bool Sampler::can_be_next(const Draw& draw) const {
    if (draw.move == -1) return true;
    if (draw.move < 0 || draw.move >= std::int64_t(moves_.size())) return false;
    const SamplerMove& m = moves_[draw.move];
    switch (m.kind) {
        case MoveKind::crankshaft:
            return draw.length >= m.shortest && draw.length <= m.longest && draw.at >= 0 &&
                   draw.at < chain_->links() - draw.length;
        case MoveKind::translation:
        case MoveKind::rotation:
            return true;
        case MoveKind::rebridge:
            return draw.at >= 0 && draw.at <= std::int64_t(m.at.size()) - Closure::hinges;
        default:
            return std::find(m.at.begin(), m.at.end(), draw.at) != m.at.end();
    }
}

/// The bonds from link to link, and of each side ball those to its link and to the axes about which it turns, as far as
/// no torsion changes their lengths.
std::vector<BallPair> Sampler::rigid_pairs() const {
    std::vector<BallPair> out;
    const Chain& chain = *chain_;
    for (std::int64_t l = 0; l + 1 < chain.links(); ++l) out.push_back({chain.own_ball(l), chain.own_ball(l + 1)});
    std::vector<std::vector<const SideTorsion*>> of_link(std::size_t(chain.links()));
    for (const SideTorsion& t : sides_) of_link[chain.exclusion().link(t.moving[0])].push_back(&t);
    auto keeps_length = [](const SideTorsion& t, std::int64_t p, std::int64_t q) {
        auto moves = [&](std::int64_t ball) {
            return std::find(t.moving.begin(), t.moving.end(), ball) != t.moving.end();
        };
        auto is_on_axis = [&](std::int64_t ball) { return ball == t.a || ball == t.b; };
        return moves(p) == moves(q) || is_on_axis(p) || is_on_axis(q);
    };
    for (std::int64_t ball = 0; ball < chain.balls(); ++ball) {
        const std::int64_t link = chain.exclusion().link(ball), own = chain.own_ball(link);
        const std::vector<const SideTorsion*>& torsions = of_link[link];
        auto add = [&](std::int64_t to) {
            auto keeps = [&](const SideTorsion* t) { return keeps_length(*t, to, ball); };
            const bool within = chain.exclusion().link(to) == link;
            if (within && to != ball && std::all_of(torsions.begin(), torsions.end(), keeps)) out.push_back({to, ball});
        };
        add(own);
        for (const SideTorsion* t : torsions) {
            add(t->a);
            add(t->b);
        }
    }
    return out;
}

}  // namespace elbowroom
