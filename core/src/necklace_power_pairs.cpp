#include <algorithm>
#include <numeric>

#include "elbowroom/interruption.hpp"

#include "elbowroom/bodies/necklace_power.hpp"

namespace elbowroom {

PowerPairs::PowerPairs(PlacedBeads beads, const PowerCells& cells, const std::vector<PrimitivePair>& may_touch)
    : beads_(beads), cells_(cells), first_(beads.radii.size() + 1), partner_(2 * may_touch.size()) {
    for (const PrimitivePair& p : may_touch) ++first_[p[0] + 1], ++first_[p[1] + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<std::int32_t> at = first_;
    for (const PrimitivePair& p : may_touch) partner_[at[p[0]]++] = p[1], partner_[at[p[1]]++] = p[0];
    for (std::int32_t i = 0; i < beads_.size(); ++i)
        std::sort(partner_.begin() + first_[i], partner_.begin() + first_[i + 1]);
    double extent = 0;
    for (int k = 0; k < beads_.dimension; ++k) {
        double low = far_away, high = -far_away;
        for (std::int64_t i = k; i < std::int64_t(beads_.dimension) * beads_.size(); i += beads_.dimension)
            low = least(low, beads_.positions[i]), high = most(high, beads_.positions[i]);
        extent = most(extent, high - low);
    }
    off_ = 1.2e-13 * extent;
    growth2_ = 4 * off_ * (*std::max_element(beads_.radii.begin(), beads_.radii.end()) + off_);
}

/// Are two beads so near that where the diagram has them they may collide?
bool PowerPairs::in_doubt(std::int32_t i, std::int32_t j, double gap) const {
    auto grown = [&](double r) { return std::sqrt(r * r + growth2_) - r; };
    return gap <= grown(beads_.radii[i]) + grown(beads_.radii[j]) + 2 * off_;
}

std::vector<std::int32_t> PowerPairs::all() const {
    std::vector<std::int32_t> out(beads_.radii.size());
    std::iota(out.begin(), out.end(), 0);
    return out;
}

bool PowerPairs::may_touch(std::int32_t i, std::int32_t j) const {
    return std::binary_search(partner_.begin() + first_[i], partner_.begin() + first_[i + 1], j);
}

/// Beads whose centre is in another's cell, or within rounding of it; among those of its neighbours, if it has a cell.
std::vector<std::int32_t> PowerPairs::buried() const {
    std::vector<unsigned char> is(beads_.radii.size());
    for (const std::int32_t i : cells_.hidden) is[i] = 1;
    for (const PrimitivePair& e : cells_.edges) {
        const double a = beads_.radii[e[0]], b = beads_.radii[e[1]];
        const double apart = most(0.0, std::sqrt(beads_.apart2(e[0], e[1])) - 4 * off_);
        if (apart * apart <= std::fabs(a - b) * (a + b) * (1 + 1e-9)) is[a < b ? e[0] : e[1]] = 1;
    }
    std::vector<std::int32_t> out;
    for (std::int32_t i = 0; i < beads_.size(); ++i)
        if (is[i]) out.push_back(i);
    return out;
}

/// Has `bead`, as a neighbour of another, no further neighbour that it touches and that is apart from the other?
bool PowerPairs::is_improper_for(std::int32_t bead, std::int32_t neighbour) const {
    for (std::int32_t k = first_[bead]; k < first_[bead + 1]; ++k) {
        const std::int32_t other = partner_[k];
        if (other != neighbour && beads_.gap(bead, other) <= 0 && !may_touch(neighbour, other) &&
            beads_.gap(neighbour, other) > 0)
            return false;
    }
    return true;
}

std::vector<std::int32_t> PowerPairs::beside_improper(double gap) const {
    std::vector<std::int32_t> out;
    Poll poll(64);
    for (std::int32_t i = 0; i < beads_.size(); ++i) {
        poll();
        for (std::int32_t k = first_[i]; k < first_[i + 1]; ++k)
            if (beads_.gap(i, partner_[k]) <= most(gap, 0.0) && is_improper_for(partner_[k], i)) {
                out.push_back(i);
                break;
            }
    }
    return out;
}

/// Edges, and pairs with a common neighbour, some of them twice; until visit(i, j) returns true.
template <class Visit>
bool PowerPairs::near_pairs(Visit&& visit) const {
    for (const PrimitivePair& e : cells_.edges)
        if (!may_touch(e[0], e[1]) && visit(e[0], e[1])) return true;
    std::vector<std::int32_t> seen(beads_.radii.size(), -1);  // with whom: those it may touch, and those visited
    for (std::int32_t i = 0; i < beads_.size(); ++i) {
        check_interruption();
        if (first_[i + 1] - first_[i] == beads_.size() - 1) continue;
        for (std::int32_t k = first_[i]; k < first_[i + 1]; ++k) seen[partner_[k]] = i;
        for (std::int32_t k = first_[i]; k < first_[i + 1]; ++k)
            for (std::int32_t l = first_[partner_[k] + 1]; l-- > first_[partner_[k]] && partner_[l] > i;)
                if (seen[partner_[l]] != i && (seen[partner_[l]] = i, visit(i, partner_[l]))) return true;
    }
    return false;
}

/// Some beads against all that are within a reach, which visit may shorten: in the order of one coordinate, to both
/// sides until that alone is too far.
template <class Visit>
bool PowerPairs::against_all(const std::vector<std::int32_t>& some, const double& reach, Visit&& visit) const {
    if (some.empty()) return false;
    const int d = beads_.dimension;
    auto x = [&](std::int32_t i) { return beads_.positions[std::int64_t(d) * i]; };
    std::vector<std::int32_t> order(beads_.radii.size()), place(order.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return x(a) < x(b); });
    for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = std::int32_t(k);
    const double largest = *std::max_element(beads_.radii.begin(), beads_.radii.end());
    Poll poll;
    for (const std::int32_t i : some)
        for (const int step : {-1, 1})
            for (std::int64_t k = place[i] + step; k >= 0 && k < std::int64_t(order.size()); k += step) {
                poll();
                const std::int32_t j = order[k];
                const double radii = beads_.radii[i] + largest;
                if (std::fabs(x(j) - x(i)) - radii > reach + rounding * radii) break;
                if (!may_touch(i, j) && visit(i, j)) return true;
            }
    return false;
}

ClosestBeads PowerPairs::closest() const {
    ClosestBeads best;
    auto nearer = [&](std::int32_t i, std::int32_t j) {
        const double gap = beads_.gap(i, j);
        if (i > j) std::swap(i, j);
        if (gap < best.gap || (gap == best.gap && std::pair(i, j) < std::pair(best.a, best.b))) best = {gap, i, j};
        return false;
    };
    near_pairs(nearer);
    if (best.gap > 0) against_all(buried(), best.gap, nearer);
    if (best.gap > 0) against_all(beside_improper(best.gap), best.gap, nearer);
    if (best.gap > 0 && best.a >= 0 && in_doubt(best.a, best.b, best.gap)) against_all(all(), best.gap, nearer);
    return best;
}

ClosestBeads PowerPairs::colliding() const {
    ClosestBeads found;
    bool doubt = false;
    auto collide = [&](std::int32_t i, std::int32_t j) {
        const double gap = beads_.gap(i, j);
        if (gap <= 0) found = {gap, std::min(i, j), std::max(i, j)};
        doubt |= in_doubt(i, j, gap);
        return gap <= 0;
    };
    if (near_pairs(collide) || against_all(buried(), 0.0, collide)) return found;
    if (doubt) against_all(all(), 0.0, collide);
    return found;
}

/// What is compared with all is listed where it is within the least gap of the others; not if those collide already.
std::vector<PrimitivePair> PowerPairs::candidates() const {
    std::vector<PrimitivePair> out;
    double reach = far_away, nearest = far_away;
    bool doubt = false;
    auto add = [&](std::int32_t i, std::int32_t j) {
        const double gap = beads_.gap(i, j);
        nearest = least(nearest, gap), doubt |= in_doubt(i, j, gap);
        if (gap <= reach) out.push_back({std::min(i, j), std::max(i, j)});
        return false;
    };
    near_pairs(add);
    reach = nearest;
    if (reach > 0) against_all(buried(), reach, add), against_all(beside_improper(reach), reach, add);
    if (reach > 0 && doubt) against_all(all(), reach, add);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

}  // namespace elbowroom
