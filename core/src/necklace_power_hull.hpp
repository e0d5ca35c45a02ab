// The convex hull of lifted beads while they move, and the power diagram that is read off it.
#pragma once
#include <string>
#include <vector>

#include "necklace_power_star.hpp"

namespace elbowroom {

template <int D>
class PowerHull final : public PowerShape {
public:
    /// Starts with the facets that are given if these are a star, else bead by bead.
    PowerHull(const double* positions, std::vector<double> radii, const PowerComplex& given);

    bool move(const double* positions) override;
    PowerCells cells() const override;
    PowerComplex complex() const override;
    std::string validate() const override;

private:
    using Facet = typename PowerStar<D>::Facet;

    std::vector<double> radii_, positions_;
    std::vector<std::int32_t> all_;
    std::vector<unsigned char> barred_;  // beads whose centre another has
    PowerStar<D> star_;

    void place();
    bool look_from_the_middle(const std::vector<unsigned char>& not_from);
    bool show_hidden(const std::vector<std::int32_t>& order);
    std::vector<std::int32_t> first_beads() const;
    bool insert_all();
    std::vector<std::int32_t> to_be_hidden(const std::vector<std::int32_t>& inverted) const;
};

extern template class PowerHull<2>;
extern template class PowerHull<3>;

}  // namespace elbowroom
