// A chain as Python holds it: how its balls are numbered outside.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "chain_queries.hpp"
#include "elbowroom/reference/binary_chain.hpp"
#include "in_use.hpp"

namespace elbowroom::bindings {

/// The tree keeps the side balls of a link behind its own ball; outside, the links' own balls come first.
struct ChainHandle {
    std::shared_ptr<Chain> chain;
    std::vector<std::int32_t> number;     // of the ball at each place of the tree; empty: the same
    std::vector<std::int32_t> place;      // of each ball in the tree; empty: the same
    std::unique_ptr<BinaryChain> binary;  // the paper's tree, if that was chosen; `chain` is then made when needed
    int exclude = 1;
    std::vector<PrimitivePair> allowed;
    std::optional<ChainEnergy> energy;
    Usage usage{"the chain"};

    std::int32_t outside(std::int64_t ball) const { return number.empty() ? std::int32_t(ball) : number[ball]; }
    std::int64_t inside(std::int64_t ball) const { return place.empty() ? ball : place[ball]; }
    std::int64_t links() const { return binary ? binary->links() : chain->links(); }
    /// Takes over everything of a chain that nobody else has.
    void become(ChainHandle& other) {
        usage.refuse_change();
        chain = std::move(other.chain);
        number = std::move(other.number);
        place = std::move(other.place);
        binary = std::move(other.binary);
        exclude = other.exclude;
        allowed = std::move(other.allowed);
        energy = std::move(other.energy);
    }
    /// Chains are changed by their owner alone; queries first apply a pending change. The paper's tree knows
    /// questions about itself only: for others the fast tree is made anew from where its links are.
    std::shared_ptr<Chain> settled() {
        usage.refuse_question();
        if (!binary && chain->has_pending()) usage.refuse_change();
        if (binary) {
            ChainParts parts;
            parts.centres = binary->positions();
            parts.radii = binary->radii();
            parts.exclude = exclude;
            parts.allowed = allowed;
            const Watch watch = moved_since(parts.centres);
            parts.watch = &watch;
            chain = std::make_shared<Chain>(std::move(parts));
            if (energy) chain->set_energy(*energy);
        }
        chain->settle();
        return chain;
    }
    /// Answers with the balls of a, and of b if that is a chain too, numbered as outside; pairs of one chain are turned
    /// so that the smaller number comes first. All are sorted.
    CollideAnswer outside(CollideAnswer answer, const ChainHandle* b) const {
        renumber(answer.pairs, b, [&](std::size_t i) {
            if (!answer.contacts.empty()) answer.contacts[i].normal = -answer.contacts[i].normal;
        });
        return sorted(std::move(answer));
    }
    DistanceAnswer outside(DistanceAnswer answer, const ChainHandle* b) const {
        if (answer.pair[0] < 0) return answer;
        std::vector<PrimitivePair> one{answer.pair};
        renumber(one, b, [&](std::size_t) { std::swap(answer.on_a, answer.on_b); });
        answer.pair = one[0];
        return answer;
    }
    WithinAnswer outside(WithinAnswer answer, const ChainHandle* b) const {
        renumber(answer.pairs, b, [](std::size_t) {});
        return sorted(std::move(answer));
    }

private:
    /// The watch of the last picture of the paper's tree, told how far links have gone since: any two from both sides.
    Watch moved_since(const std::vector<Vec3>& centres) const {
        if (!chain) return {};
        const std::vector<Vec3> were = chain->tree().centres();
        double farthest = 0;
        for (std::size_t i = 0; i < centres.size(); ++i) farthest = most(farthest, length(centres[i] - were[i]));
        Watch watch(chain->watch().id(), chain->watch().read());
        watch.add(2 * farthest);
        return Watch(watch.id(), watch.read());
    }
    template <class Turn>
    void renumber(std::vector<PrimitivePair>& pairs, const ChainHandle* b, Turn&& turned) const {
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            pairs[i] = {outside(pairs[i][0]), b ? b->outside(pairs[i][1]) : pairs[i][1]};
            if (b == this && pairs[i][0] > pairs[i][1]) {
                std::swap(pairs[i][0], pairs[i][1]);
                turned(i);
            }
        }
    }
};

}  // namespace elbowroom::bindings
