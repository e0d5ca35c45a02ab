#include "elbowroom/bodies/chain_numbered.hpp"

#include <stdexcept>
#include <utility>

#include "elbowroom/interruption.hpp"

namespace elbowroom {

void NumberedChain::change(const std::vector<std::int64_t>& joints, const std::vector<double>& angles) {
    if (binary)
        binary->change(std::vector<int>(joints.begin(), joints.end()), angles);
    else
        chain->change(joints, angles);
}

void NumberedChain::rotate_side(const std::int64_t* axes, const std::int64_t* moving, const std::int64_t* ends,
                                const double* angles, std::size_t count) {
    std::vector<std::vector<std::int64_t>> balls(count);
    std::vector<SideTurn> turns;
    for (std::size_t k = 0, i = 0; k < count; ++k) {
        for (; i < std::size_t(ends[k]); ++i) balls[k].push_back(inside(moving[i]));
        turns.push_back({inside(axes[2 * k]), inside(axes[2 * k + 1]), &balls[k], angles[k]});
    }
    chain->rotate_side(turns.data(), count);
}

std::vector<unsigned char> NumberedChain::try_torsions(const std::int64_t* joints, const double* angles,
                                                       std::size_t count, bool stay) {
    if (!binary && !box) return chain->try_torsions(joints, angles, count, stay);
    std::vector<unsigned char> free(count);
    for (std::size_t i = 0; i < count; ++i)
        binary ? binary->need_axis_of(int(joints[i])) : chain->need_axis_of(joints[i]);
    for (std::size_t i = 0; i < count; ++i) {
        check_interruption();
        const Uninterrupted step;
        rotate(joints[i], angles[i]);
        free[i] = !collides();
        if (stay || !free[i]) undo();
    }
    return free;
}

void NumberedChain::set_energy(ChainEnergy given) {
    for (const ChainPairEnergy& e : given.pairs)
        if (!e.kind.empty() && e.kind.size() != balls())
            throw std::invalid_argument("kinds must have one number for each ball");
    if (!given.is_sound(std::int64_t(balls())))
        throw std::invalid_argument("energy must be as elbowroom.energies makes it");
    if (box) throw std::invalid_argument("energy is not defined for a chain in a periodic box");
    given.reorder(number, place);
    if (!binary) chain->set_energy(given);
    energy = std::move(given);
}

void NumberedChain::forget_energy() {
    energy.reset();
    if (!binary) chain->forget_energy();
}

std::shared_ptr<Chain> NumberedChain::settled() {
    if (binary) {
        ChainParts parts;
        parts.centres = binary->positions();
        parts.radii = binary->radii();
        parts.exclude = exclude;
        parts.excluded = excluded;
        const Watch watch = moved_since(parts.centres);
        parts.watch = &watch;
        chain = std::make_shared<Chain>(std::move(parts));
        if (energy) chain->set_energy(*energy);
    }
    chain->settle();
    return chain;
}

/// The watch of the last picture of the paper's tree, told how far links have gone since: any two from both sides.
Watch NumberedChain::moved_since(const std::vector<Vec3>& centres) const {
    if (!chain) return {};
    const std::vector<Vec3> were = chain->tree().centres();
    double farthest = 0;
    for (std::size_t i = 0; i < centres.size(); ++i) farthest = most(farthest, length(centres[i] - were[i]));
    Watch watch(chain->watch().id(), chain->watch().read());
    watch.add(2 * farthest);
    return Watch(watch.id(), watch.read());
}

std::vector<Vec3> NumberedChain::positions() {
    const std::vector<Vec3> in_tree = binary ? binary->positions() : settled()->centres();
    if (number.empty()) return in_tree;
    std::vector<Vec3> out(in_tree.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[std::size_t(number[i])] = in_tree[i];
    return out;
}

template <class Turn>
void NumberedChain::renumber(std::vector<PrimitivePair>& pairs, const NumberedChain* b, Turn&& turned) const {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        pairs[i] = {outside(pairs[i][0]), b ? b->outside(pairs[i][1]) : pairs[i][1]};
        if (b == this && pairs[i][0] > pairs[i][1]) {
            std::swap(pairs[i][0], pairs[i][1]);
            turned(i);
        }
    }
}

CollideAnswer NumberedChain::outside(CollideAnswer answer, const NumberedChain* b) const {
    renumber(answer.pairs, b, [&](std::size_t i) {
        if (!answer.contacts.empty()) answer.contacts[i].normal = -answer.contacts[i].normal;
    });
    return sorted(std::move(answer));
}

DistanceAnswer NumberedChain::outside(DistanceAnswer answer, const NumberedChain* b) const {
    if (answer.pair[0] < 0) return answer;
    std::vector<PrimitivePair> one{answer.pair};
    renumber(one, b, [&](std::size_t) { std::swap(answer.on_a, answer.on_b); });
    answer.pair = one[0];
    return answer;
}

WithinAnswer NumberedChain::outside(WithinAnswer answer, const NumberedChain* b) const {
    renumber(answer.pairs, b, [&](std::size_t i) {
        if (!answer.points.empty()) answer.points[i].swap();
    });
    return sorted(std::move(answer));
}

}  // namespace elbowroom
