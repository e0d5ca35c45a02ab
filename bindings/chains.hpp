// A chain as Python holds it.
#pragma once
#include "chain_queries.hpp"
#include "elbowroom/bodies/chain_numbered.hpp"
#include "elbowroom/in_use.hpp"

namespace elbowroom::bindings {

struct ChainHandle : NumberedChain {
    Usage usage{"the chain"};

    ChainHandle() = default;
    explicit ChainHandle(NumberedChain chain) : NumberedChain(std::move(chain)) {}

    /// Takes over everything of a chain that nobody else has.
    void become(ChainHandle& other) {
        usage.refuse_change();
        static_cast<NumberedChain&>(*this) = std::move(static_cast<NumberedChain&>(other));
    }
    /// Chains are changed by their owner alone; queries first apply a pending change.
    std::shared_ptr<Chain> settled() {
        usage.refuse_question();
        if (has_pending()) usage.refuse_change();
        return NumberedChain::settled();
    }
};

}  // namespace elbowroom::bindings
