#pragma once
#include <optional>

#include "elbowroom/bodies/chain_bounds.hpp"
#include "elbowroom/bodies/chain_energy_leaves.hpp"
#include "elbowroom/bodies/chain_lists.hpp"
#include "elbowroom/bodies/chain_search.hpp"
#include "elbowroom/bodies/chain_terms.hpp"
#include "elbowroom/bodies/chain_witnesses.hpp"

namespace elbowroom {

/// The energy of a chain, kept up to date as sums over pairs of leaves, and as terms of a few balls. A pending change
/// can be asked for as well: the lists then are ahead of the chain, and if the change is not made they are put back.
class ChainSums : public ChainLists {
public:
    ChainSums(const ChainTree& tree, const ChainExclusion& exclusion, bool boxes, const ChainEnergy& energy)
        : ChainLists(tree),
          leaves_(tree, exclusion, energy.pairs),
          bounds_(tree, leaves_, energy.pairs),
          terms_(tree, energy.terms),
          boxes_(boxes),
          parts_(tree) {
        if (terms_.any()) add_extra();
    }

    /// The energy once that change is made; nothing is changed yet.
    double sum_after(const ChainChange& change);
    /// Does anything touch once that change is made to a chain of which nothing touches? If not, the energy is known as
    /// well: one search is enough for both. That pays where the energy is asked for next, as `is_asked` says.
    bool touches_after(const ChainChange& change);
    bool is_asked() const { return asked_ && leaves_.sees_contacts() && !has_bounds(); }
    /// Are there bounds that cost less than the energy? Then contacts are better looked for alone, and first.
    bool has_bounds() const { return bounds_.any(); }
    /// Bounds of what sum_after gives, of which rounding is a part.
    EnergyBounds bounds_after(const ChainChange& change);
    void note(const Note& n) override;
    void undone(const Note& n) override { fall_back(), ChainLists::undone(n); }
    void forget() override { ahead_.reset(), asked_ = false, witnesses_.clear(), ChainLists::forget(); }
    void refresh() override { fall_back(), ChainLists::refresh(); }

protected:
    void build() override;
    void update(const Note& n) override;

private:
    /// A pair of leaves that both lie on one side of a split, and where it is kept.
    struct Beside {
        int level;
        ValuedPair pair;
    };
    const ChainEnergyLeaves leaves_;
    const ChainBounds bounds_;
    const ChainTerms terms_;
    const bool boxes_;
    std::optional<ChainChange> ahead_;  // the change that the lists already have and the chain has not
    ChainPlaces places_;
    ChainParting parts_;
    std::vector<Beside> beside_;
    ChainWitnesses witnesses_;
    bool asked_ = false;  // was the energy asked for after the last change that touched nothing?

    void fall_back() {
        if (ahead_) ahead_.reset(), put_back_saved();
    }
    bool update_split(const ChainChange& change, ChainLookout* lookout);
    bool proves(const ChainChange& change, std::int64_t a, std::int64_t b) const;
    template <class Affected>
    void update_terms(std::int64_t first, std::int64_t last, const ChainChange& change, Affected&& affected);
    void update_balls(std::int64_t begin, std::int64_t end);
    template <class Query, class Meeting>
    void search_beside(const ChainChange& change, Query& query, Meeting&& meeting);
    void look_beside(const ChainChange& change);
    double gain_of_terms(const ChainChange& change) const;
    void take_over(int level, std::int64_t index, std::int64_t leaf, unsigned which);
};

}  // namespace elbowroom
