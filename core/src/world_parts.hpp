// Two parts of worlds, asked by the drivers that there are for two bodies.
#pragma once
#include <type_traits>

#include "chain_queries.hpp"
#include "elbowroom/world/world_questions.hpp"

namespace elbowroom {

class AskedParts {
public:
    AskedParts(const WorldPair& pair, const PartPair& parts)
        : a_(pair.a),
          b_(pair.b),
          p_(pair.a.part(parts.a)),
          q_(pair.b.part(parts.b)),
          itself_(pair.self() && parts.a == parts.b) {}

    PrimitivePair members() const { return {p_.member, q_.member}; }
    double weight() const {
        const double p = a_.weight(p_);
        return itself_ ? 0.5 * p * (p - 1) : p * b_.weight(q_);
    }
    /// Answers name links where there are some.
    CollideAnswer collide(const CollideOptions& options) const {
        CollideAnswer answer = ask(options);
        for (PrimitivePair& pair : answer.pairs) name(pair);
        return answer;
    }
    DistanceAnswer distance(const DistanceOptions& options) const {
        DistanceAnswer answer = ask(options);
        if (answer.pair[0] >= 0) name(answer.pair);
        return answer;
    }
    /// From the first to the second: of parts that overlap, that of their deepest contact.
    Vec3 normal(const DistanceAnswer& d) const {
        if (d.upper > 0 && !(d.on_a == d.on_b)) return normalised(d.on_b - d.on_a, {0, 0, 1});
        CollideOptions deepest;
        deepest.depth = true;
        const CollideAnswer contact = ask(deepest);
        return contact.hit ? contact.contacts[0].normal : Vec3{0, 0, 1};
    }

private:
    const World &a_, &b_;
    const WorldPart &p_, &q_;
    const bool itself_;

    void name(PrimitivePair& pair) const {
        if (p_.link >= 0) pair[0] = p_.link;
        if (q_.link >= 0) pair[1] = q_.link;
    }
    template <class Options>
    static auto question(const Options& options, const auto&... bodies) {
        if constexpr (std::is_same_v<Options, CollideOptions>)
            return elbowroom::collide(bodies..., options);
        else
            return elbowroom::distance(bodies..., options);
    }
    template <class Options>
    using AnswerTo = std::conditional_t<std::is_same_v<Options, CollideOptions>, CollideAnswer, DistanceAnswer>;
    template <class Options>
    AnswerTo<Options> ask(const Options& options) const {
        if (p_.body && q_.body) return question(options, Placed{p_.body, p_.pose}, Placed{q_.body, q_.pose});
        const WorldMember &x = a_.member(p_.member), &y = b_.member(q_.member);
        if (itself_) {
            if constexpr (std::is_same_v<Options, CollideOptions>)
                return x.self->self_collide(options);
            else
                return x.self->self_distance(options);
        }
        if (q_.body)
            return x.numbers->outside(question(options, PlacedChain{x.chain.get(), p_.pose}, Placed{q_.body, q_.pose}),
                                      nullptr);
        if (p_.body)
            return sorted(swapped(y.numbers->outside(
                question(options, PlacedChain{y.chain.get(), q_.pose}, Placed{p_.body, p_.pose}), nullptr)));
        // One chain in two places is two chains: no pair is turned.
        auto answer = question(options, PlacedChain{x.chain.get(), p_.pose}, PlacedChain{y.chain.get(), q_.pose});
        NumberedChain numbers;
        numbers.number = y.numbers->number;
        return x.numbers->outside(std::move(answer), &numbers);
    }
};

/// How far apart a part and a box are, at least; the part may be a half-space.
double gap_to_box(const WorldPart& part, const FloatBox& box);
/// Of the parts without bounds, and of chains and themselves, all pairs that are compared.
std::vector<PartPair> unbounded_parts(const WorldPair& pair);
/// All pairs of primitives that are compared, or a few more.
double all_primitives(const WorldPair& pair);

}  // namespace elbowroom
