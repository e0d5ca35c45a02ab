#include "necklace_power_hull.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "elbowroom/interruption.hpp"

namespace elbowroom {

namespace {

constexpr int most_salts = 8;    // of nudges, if some fail
constexpr int most_rounds = 10;  // of taking beads away before they are moved
constexpr int most_away = 4;     // one bead in so many, and a few: with more of them it is cheaper to begin anew

/// Half of the beads are of the last round, a quarter of the one before, and so on.
int round_of(std::int32_t bead) {
    std::uint32_t mixed = std::uint32_t(bead + 1) * 0x9e3779b1u;
    mixed = (mixed ^ mixed >> 15) * 0x85ebca6bu;
    return -__builtin_ctz((mixed ^ mixed >> 13) | 1u << 20);
}

}  // namespace

template <int D>
PowerHull<D>::PowerHull(const double* positions, std::vector<double> radii, const PowerComplex& given)
    : radii_(std::move(radii)),
      positions_(positions, positions + D * radii_.size()),
      all_(radii_.size()),
      star_(radii_) {
    std::iota(all_.begin(), all_.end(), 0);
    place();
    auto is_out_of_place = [&](std::int32_t i) { return star_.has(i) && barred_[i]; };
    inserted = !(star_.take(given) && std::none_of(all_.begin(), all_.end(), is_out_of_place) && star_.settle() &&
                 show_hidden(all_));
    for (int salt = 0; inserted && !insert_all(); ++salt) {
        if (salt == most_salts) throw std::runtime_error("the beads are too degenerate for a power diagram");
        star_.beads().nudge(salt + 1);
    }
}

template <int D>
void PowerHull<D>::place() {
    star_.beads().place(positions_.data());
    barred_ = barred_beads(D, positions_.data(), radii_);
}

/// From the middle of the beads of the hull, but for those that will not be on it. False if those are all.
template <int D>
bool PowerHull<D>::look_from_the_middle(const std::vector<unsigned char>& not_from) {
    std::vector<std::int32_t> from;
    for (const std::int32_t i : all_)
        if (star_.has(i) && !not_from[i]) from.push_back(i);
    if (!from.empty()) star_.beads().look_from(from);
    return !from.empty();
}

/// Where all facets still face inwards, flips alone make them the hull. Those that do not have moved too far for that:
/// enough of their beads are taken away where everything was before, and come back when all have moved.
template <int D>
bool PowerHull<D>::move(const double* positions) {
    const std::vector<double> before = positions_;
    const std::uint64_t flips_before = star_.flips();
    std::size_t taken = 0;
    for (int round = 0; round < most_rounds; ++round) {
        positions_.assign(positions, positions + positions_.size());
        place();
        if (!look_from_the_middle(barred_)) return false;
        const std::vector<std::int32_t> away = to_be_hidden(star_.examine());
        if (away.empty()) {
            const bool done = star_.goes_round_once() && star_.settle() && show_hidden(all_);
            flips += star_.flips() - flips_before;
            return done;
        }
        if ((taken += away.size()) > all_.size() / most_away + 4) return false;
        positions_ = before;
        place();
        std::vector<unsigned char> goes(all_.size(), 0);
        for (const std::int32_t i : away) goes[i] = 1;
        if (!look_from_the_middle(goes)) return false;
        for (const std::int32_t i : away)
            if (!star_.hide(i)) return false;
    }
    return false;
}

/// A few beads that are together on all facets that are inside out, and those that have lost their place to another.
template <int D>
std::vector<std::int32_t> PowerHull<D>::to_be_hidden(const std::vector<std::int32_t>& inverted) const {
    std::vector<std::int32_t> out, count(radii_.size(), 0);
    std::vector<unsigned char> chosen(radii_.size(), 0);
    auto choose = [&](std::int32_t i) { out.push_back(i), chosen[i] = 1; };
    for (const std::int32_t i : all_)
        if (star_.has(i) && barred_[i]) choose(i);
    for (const std::int32_t f : inverted)
        for (const std::int32_t v : star_.facets()[f].vertex) ++count[v];
    for (const std::int32_t f : inverted) {
        const auto& vertex = star_.facets()[f].vertex;
        if (std::any_of(vertex.begin(), vertex.end(), [&](std::int32_t v) { return chosen[v]; })) continue;
        choose(*std::max_element(vertex.begin(), vertex.end(), [&](auto a, auto b) { return count[a] < count[b]; }));
    }
    return out;
}

/// What is found inside stays there, since the hull only grows.
template <int D>
bool PowerHull<D>::show_hidden(const std::vector<std::int32_t>& order) {
    Poll poll(32);
    for (const std::int32_t i : order) {
        poll();
        if (!star_.has(i) && !barred_[i] && !star_.show(i)) return false;
    }
    return true;
}

/// D + 2 beads far from each other: each the farthest from the flat through those before.
template <int D>
std::vector<std::int32_t> PowerHull<D>::first_beads() const {
    using Point = std::array<double, D + 1>;
    std::vector<std::int32_t> chosen;
    std::vector<Point> rest;
    for (const std::int32_t i : all_) rest.push_back(star_.beads().lifted(i));
    auto dot = [](const Point& a, const Point& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); };
    while (chosen.size() < D + 2) {
        std::int32_t best = -1;
        for (const std::int32_t i : all_)
            if (!barred_[i] && (best < 0 || dot(rest[i], rest[i]) > dot(rest[best], rest[best]))) best = i;
        const Point away = rest[best];
        for (Point& p : rest) {
            const double along = chosen.empty() ? 1 : dot(p, away) / dot(away, away);
            for (int k = 0; k <= D; ++k) p[k] -= along * away[k];
        }
        chosen.push_back(best);
    }
    return chosen;
}

/// In rounds, each of about as many beads as there are by then, in the order of the necklace: walks are short because
/// the next bead is near the last one, and flips few because the order as a whole is random.
template <int D>
bool PowerHull<D>::insert_all() {
    const std::vector<std::int32_t> first = first_beads();
    PowerComplex simplex;
    for (int f = 0; f < D + 2; ++f)
        for (int j = 0; j < D + 2; ++j)
            if (j != f) simplex.vertex.push_back(first[j]), simplex.next.push_back(j);
    if (!star_.take(simplex)) return false;
    std::vector<std::int32_t> order = all_;
    std::stable_sort(order.begin(), order.end(), [](auto a, auto b) { return round_of(a) < round_of(b); });
    return show_hidden(order);
}

template <int D>
PowerCells PowerHull<D>::cells() const {
    PowerCells out;
    out.corners = D + 1;
    std::vector<std::int32_t> first(radii_.size() + 1, 0), seen(radii_.size(), -1);
    for (const Facet& f : star_.facets()) {
        if (!f.alive() || !f.lower) continue;
        out.simplices.insert(out.simplices.end(), f.vertex.begin(), f.vertex.end());
        for (const std::int32_t v : f.vertex) ++first[v + 1];
    }
    for (const std::int32_t i : all_)
        if (first[i + 1] == 0) out.hidden.push_back(i);
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::int32_t> at = first, about(out.simplices.size());  // of each bead: the simplices about it
    for (std::size_t k = 0; k < about.size(); ++k) about[at[out.simplices[k]]++] = std::int32_t(k / (D + 1));
    for (const std::int32_t i : all_) {
        const std::size_t begin = out.edges.size();
        for (std::int32_t k = first[i]; k < first[i + 1]; ++k)
            for (int j = 0; j <= D; ++j) {
                const std::int32_t v = out.simplices[about[k] * (D + 1) + j];
                if (v > i && seen[v] != i) seen[v] = i, out.edges.push_back({i, v});
            }
        std::sort(out.edges.begin() + std::ptrdiff_t(begin), out.edges.end());
    }
    return out;
}

template <int D>
PowerComplex PowerHull<D>::complex() const {
    PowerComplex out;
    std::vector<std::int32_t> number;
    std::int32_t count = 0;
    for (const Facet& f : star_.facets()) number.push_back(f.alive() ? count++ : -1);
    for (const Facet& f : star_.facets())
        for (int k = 0; f.alive() && k <= D; ++k)
            out.vertex.push_back(f.vertex[k]), out.next.push_back(number[f.next[k]]);
    return out;
}

/// The definition: no bead is beyond any facet. Slow.
template <int D>
std::string PowerHull<D>::validate() const {
    if (!star_.is_closed()) return "the hull is not closed";
    if (!star_.goes_round_once()) return "the hull does not go round once";
    std::vector<unsigned char> seen(radii_.size());
    for (std::int32_t f = 0; f < std::int32_t(star_.facets().size()); ++f) {
        check_interruption();
        if (!star_.facets()[f].alive()) continue;
        const auto plane = star_.beads().plane(star_.facets()[f].vertex);
        if (star_.beads().facing(plane) <= 0) return "a facet is inside out";
        for (const std::int32_t v : star_.facets()[f].vertex) seen[v] = 1;
        for (const std::int32_t v : all_)
            if (!barred_[v] && star_.slot_of(f, v) < 0 && star_.beads().side(plane, v) > 0)
                return "bead " + std::to_string(v) + " is outside";
    }
    for (const std::int32_t i : all_)
        if (seen[i] != star_.has(i)) return "bead " + std::to_string(i) + " is marked wrongly";
    return {};
}

template class PowerHull<2>;
template class PowerHull<3>;

}  // namespace elbowroom
