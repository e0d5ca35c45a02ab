#include "necklace_power_star.hpp"

#include <algorithm>

#include "elbowroom/interruption.hpp"

namespace elbowroom {

template <int D>
bool PowerStar<D>::take(const PowerComplex& given) {
    const std::size_t count = given.vertex.size() / (D + 1);
    if (count < D + 2 || given.next.size() != given.vertex.size()) return false;
    for (const std::int32_t v : given.vertex)
        if (v < 0 || v >= beads_.size()) return false;
    beads_.look_from(given.vertex);
    facets_.assign(count, {{}, {}, 0, false}), spare_.clear(), last_ = 0;
    std::fill(on_hull_.begin(), on_hull_.end(), 0);
    for (std::size_t f = 0; f < count; ++f) {
        Facet& facet = facets_[f];
        std::copy_n(&given.vertex[f * (D + 1)], D + 1, facet.vertex.begin());
        std::copy_n(&given.next[f * (D + 1)], D + 1, facet.next.begin());
        if (beads_.facing(facet.vertex) < 0)
            std::swap(facet.vertex[0], facet.vertex[1]), std::swap(facet.next[0], facet.next[1]);
        for (const std::int32_t v : facet.vertex) on_hull_[v] = 1, near_[v] = std::int32_t(f);
    }
    return is_closed() && examine().empty() && goes_round_once();
}

/// Does every facet share a ridge with each neighbour, which knows of it and turns the ridge the other way?
template <int D>
bool PowerStar<D>::is_closed() const {
    for (std::size_t i = 0; i < facets_.size(); ++i) {
        const Facet& f = facets_[i];
        for (int k = 0; f.alive() && k <= D; ++k) {
            const std::int32_t other = f.next[k];
            if (other < 0 || other >= std::int32_t(facets_.size()) || !facets_[other].alive()) return false;
            if (facets_[other].next[slot_to(other, std::int32_t(i))] != std::int32_t(i)) return false;
            if (!turns_away(f, k, other)) return false;
        }
    }
    return true;
}

template <int D>
bool PowerStar<D>::turns_away(const Facet& f, int slot, std::int32_t other) const {
    if (slot_of(other, f.vertex[slot]) >= 0) return false;
    Tuple at;  // where the neighbour has the vertices of the facet, its apex in the place of the one that it lacks
    at[slot] = slot_to(other, std::int32_t(&f - facets_.data()));
    for (int j = 0; j <= D; ++j)
        if (j != slot && (at[j] = slot_of(other, f.vertex[j])) < 0) return false;
    bool odd = false;
    for (int i = 0; i <= D; ++i)
        for (int j = i + 1; j <= D; ++j) odd ^= at[i] > at[j];
    return odd;
}

template <int D>
std::vector<std::int32_t> PowerStar<D>::examine() {
    queue_.clear(), blocked_.clear();
    std::vector<std::int32_t> inverted;
    Poll poll;
    for (std::int32_t f = 0; f < std::int32_t(facets_.size()); ++f) {
        poll();
        if (!facets_[f].alive()) continue;
        const Plane plane = beads_.plane(facets_[f].vertex);
        facets_[f].lower = beads_.is_lower(plane);
        if (beads_.facing(plane) <= 0) inverted.push_back(f);
        for (int k = 0; k <= D; ++k)
            if (f < facets_[f].next[k]) queue_if_bent(plane, f, k);
    }
    return inverted;
}

template <int D>
bool PowerStar<D>::goes_round_once() const {
    int below = 0;
    for (const Facet& f : facets_) below += f.alive() && f.lower && beads_.is_under_inner(f.vertex);
    return below == 1;
}

template <int D>
void PowerStar<D>::queue_if_bent(const Plane& plane, std::int32_t facet, int slot) {
    const std::int32_t other = facets_[facet].next[slot], beyond = apex(facet, slot);
    if (beads_.side(plane, beyond) > 0)
        queue_.push_back({facet, other, beyond, facets_[facet].stamp, facets_[other].stamp});
}

/// A ridge that cannot be flipped yet is tried again when others were. Each flip leads outwards, so there is an end.
template <int D>
bool PowerStar<D>::settle() {
    const std::uint64_t limit = flips_ + 100 + 20 * std::uint64_t(facets_.size());
    Poll poll;
    for (std::uint64_t before = flips_;; before = flips_) {
        while (!queue_.empty()) {
            poll();
            const Ridge r = queue_.back();
            queue_.pop_back();
            if (is_stale(r)) continue;
            if (!try_flip(r.facet, r.apex)) blocked_.push_back(r);
            if (flips_ > limit) return false;
        }
        std::erase_if(blocked_, [&](const Ridge& r) { return is_stale(r); });
        if (blocked_.empty()) return true;
        if (flips_ == before) return false;
        queue_.swap(blocked_);
    }
}

/// Flips a facet and the apex of a neighbour, if all facets S \ a are there: those opposite a must have the apex too.
template <int D>
bool PowerStar<D>::try_flip(std::int32_t facet, std::int32_t apex) {
    const Facet& f = facets_[facet];
    unsigned leaving = 0;  // the slots of A
    for (int k = 0; k <= D; ++k) {
        const int sign = facing(f.vertex, k, apex);
        if (sign == 0) return false;
        if (sign > 0) continue;
        if (slot_of(f.next[k], apex) < 0) return false;
        leaving |= 1u << k;
    }
    if (leaving == (2u << D) - 1) return false;
    flip(facet, apex, leaving);
    return true;
}

/// A: the apex and the slots `leaving`. A new facet has the apex in the slot of the b that it is without.
template <int D>
void PowerStar<D>::flip(std::int32_t facet, std::int32_t apex, unsigned leaving) {
    const Facet f = facets_[facet];
    std::array<std::array<std::int32_t, D + 1>, D + 1> outer, back;  // [b][a]: opposite a of the facet without b
    auto look_out = [&](std::int32_t old, int b, int a) {
        outer[b][a] = facets_[old].next[slot_of(old, f.vertex[b])];
        back[b][a] = slot_to(outer[b][a], old);
    };
    auto leaves = [&](int k) { return leaving >> k & 1; };
    for (int b = 0; b <= D; ++b) {
        if (leaves(b)) continue;
        look_out(facet, b, b);
        for (int a = 0; a <= D; ++a)
            if (leaves(a)) look_out(f.next[a], b, a);
    }
    auto remove = [&](std::int32_t old) { ++facets_[old].stamp, spare_.push_back(old); };
    remove(facet);
    for (int a = 0; a <= D; ++a)
        if (leaves(a)) remove(f.next[a]);
    std::array<std::int32_t, D + 1> fresh;
    made_.clear();
    for (int b = 0; b <= D; ++b)
        if (!leaves(b)) made_.push_back(fresh[b] = new_facet());
    for (int b = 0; b <= D; ++b) {
        if (leaves(b)) continue;
        Facet& n = facets_[fresh[b]];
        n.vertex = f.vertex, n.vertex[b] = apex;
        for (int k = 0; k <= D; ++k) {
            const bool inner = k != b && !leaves(k);
            n.next[k] = inner ? fresh[k] : outer[b][k];
            if (!inner) facets_[n.next[k]].next[back[b][k]] = fresh[b];
        }
        for (const std::int32_t v : n.vertex) near_[v] = fresh[b];
    }
    for (int b = 0; b <= D; ++b) {
        if (leaves(b)) continue;
        const Plane plane = beads_.plane(facets_[fresh[b]].vertex);
        facets_[fresh[b]].lower = beads_.is_lower(plane);
        for (int k = 0; k <= D; ++k)
            if (k == b || leaves(k)) queue_if_bent(plane, fresh[b], k);
        if (made_.size() == 1) on_hull_[f.vertex[b]] = 0, near_[f.vertex[b]] = fresh[b];
    }
    on_hull_[apex] = 1, last_ = made_[0];
    ++flips_;
}

template <int D>
bool PowerStar<D>::show(std::int32_t bead) {
    const std::int32_t facet = locate(bead);
    if (facet < 0) return false;
    near_[bead] = last_ = facet;
    const Tuple& vertex = facets_[facet].vertex;
    if (beads_.side(beads_.plane(vertex), bead) <= 0) return true;
    for (int k = 0; k <= D; ++k)
        if (facing(vertex, k, bead) <= 0) return false;
    queue_.clear(), blocked_.clear();
    flip(facet, bead, 0);
    return settle();
}

/// The slot opposite which a lifted bead is, seen from inside; -1 if it is in the direction of the facet.
template <int D>
int PowerStar<D>::way_to(std::int32_t bead, std::int32_t facet, int start) const {
    for (int j = 0; j <= D; ++j) {
        const int k = (start + j) % (D + 1);
        if (facing(facets_[facet].vertex, k, bead) < 0) return k;
    }
    return -1;
}

/// By walking; should that go in circles, by looking at all facets.
template <int D>
std::int32_t PowerStar<D>::locate(std::int32_t bead) const {
    const std::int32_t hint = near_[bead];
    std::int32_t here = hint < std::int32_t(facets_.size()) && facets_[hint].alive() ? hint : last_;
    for (std::size_t step = 0; step < 100 + facets_.size() / 4; ++step) {
        const int k = way_to(bead, here, int(step * 7 % 5));
        if (k < 0) return here;
        here = facets_[here].next[k];
    }
    for (std::int32_t f = 0; f < std::int32_t(facets_.size()); ++f)
        if (facets_[f].alive() && way_to(bead, f, 0) < 0) return f;
    return -1;
}

/// The bead sinks towards the inner point, and what is no longer convex then is flipped, the earliest first. At the end
/// it is inside.
template <int D>
bool PowerStar<D>::hide(std::int32_t bead) {
    if (std::count(on_hull_.begin(), on_hull_.end(), 1) == D + 2) return false;  // a simplex is the least there is
    std::vector<Ear> ears, waiting;
    queue_.clear(), blocked_.clear();
    for (const std::int32_t f : facets_at(bead)) add_ears(f, bead, ears);
    while (on_hull_[bead] && !ears.empty()) {
        std::pop_heap(ears.begin(), ears.end());
        const Ear ear = ears.back();
        ears.pop_back();
        if (facets_[ear.facet].stamp != ear.stamp) continue;
        if (!try_flip(ear.facet, ear.apex)) {
            waiting.push_back(ear);
            continue;
        }
        for (const std::int32_t f : made_)
            if (slot_of(f, bead) >= 0) add_ears(f, bead, ears);
        for (const Ear& e : waiting) ears.push_back(e), std::push_heap(ears.begin(), ears.end());
        waiting.clear();
    }
    return !on_hull_[bead] && settle();
}

template <int D>
std::vector<std::int32_t> PowerStar<D>::facets_at(std::int32_t bead) const {
    std::vector<std::int32_t> out{near_[bead]};
    for (std::size_t i = 0; i < out.size(); ++i) {
        const Facet f = facets_[out[i]];
        for (int k = 0; k <= D; ++k)
            if (f.vertex[k] != bead && std::find(out.begin(), out.end(), f.next[k]) == out.end())
                out.push_back(f.next[k]);
    }
    return out;
}

/// Those in which the bead is of the part B, so that a facet without it comes about.
template <int D>
void PowerStar<D>::add_ears(std::int32_t facet, std::int32_t bead, std::vector<Ear>& ears) const {
    const Facet& f = facets_[facet];
    const int own = slot_of(facet, bead);
    for (int k = 0; k <= D; ++k) {
        if (k == own) continue;
        Tuple without = f.vertex;
        without[own] = apex(facet, k);
        const Plane plane = beads_.plane(without);
        if (beads_.facing(plane) <= 0) continue;
        ears.push_back({beads_.sinking(plane, bead), facet, without[own], f.stamp});
        std::push_heap(ears.begin(), ears.end());
    }
}

template <int D>
std::int32_t PowerStar<D>::new_facet() {
    if (spare_.empty()) {
        facets_.push_back({{}, {}, 0, false});
        return std::int32_t(facets_.size()) - 1;
    }
    const std::int32_t f = spare_.back();
    spare_.pop_back();
    ++facets_[f].stamp;
    return f;
}

template class PowerStar<2>;
template class PowerStar<3>;

}  // namespace elbowroom
