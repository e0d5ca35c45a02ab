// A closed complex of lifted beads about a point, turned into their convex hull by flips.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "elbowroom/bodies/necklace_power.hpp"
#include "necklace_power_lift.hpp"

namespace elbowroom {

/// Facets are simplices of lifted beads, each with a neighbour opposite each vertex. Seen from a point inside they
/// cover every direction once: they are a *star*. The hull (all of it, lower and upper) is the outermost star, and a
/// star is the hull if it is convex at every ridge and all other beads are inside. Two facets at a ridge are D + 2
/// beads S, and the sum of l_s (s - inner) is 0 for some l, positive on a part A of S, to which both apexes belong, and
/// negative on the rest, B. The facets S \ a, for a in A, and S \ b, for b in B, cover the same directions; to exchange
/// them is a *flip*, and where the ridge is not convex it leads outwards. A flip to one facet alone hides a bead, a
/// flip from one alone shows one.
template <int D>
class PowerStar {
public:
    using Tuple = typename LiftedBeads<D>::Tuple;
    using Plane = typename LiftedBeads<D>::Plane;
    struct Facet {
        Tuple vertex, next;   // next[k] is across the ridge opposite vertex[k]
        std::uint32_t stamp;  // changes with the facet; odd: there is none
        bool lower;           // a simplex of the regular triangulation
        bool alive() const { return !(stamp & 1); }
    };

    explicit PowerStar(const std::vector<double>& radii) : beads_(radii), on_hull_(radii.size()), near_(radii.size()) {}

    LiftedBeads<D>& beads() { return beads_; }
    const LiftedBeads<D>& beads() const { return beads_; }
    const std::vector<Facet>& facets() const { return facets_; }
    bool has(std::int32_t bead) const { return on_hull_[bead]; }
    std::uint64_t flips() const { return flips_; }

    /// Starts anew with these facets, seen from the middle and turned to face inwards. False if they are no star.
    bool take(const PowerComplex& given);
    bool is_closed() const;
    /// Lists the facets that do not face inwards, and queues the ridges that are not convex.
    std::vector<std::int32_t> examine();
    /// Of facets that all face inwards: do they go round the inner point once? What lies below it tells.
    bool goes_round_once() const;

    /// Flips until every ridge is convex; false if that cannot be reached. The beads must be where they were examined.
    bool settle();
    /// Adds a bead to a hull if it is outside. False if that failed.
    bool show(std::int32_t bead);
    /// Takes a bead away from a hull. False if that failed.
    bool hide(std::int32_t bead);

    int slot_of(std::int32_t facet, std::int32_t vertex) const {
        for (int k = 0; k <= D; ++k)
            if (facets_[facet].vertex[k] == vertex) return k;
        return -1;
    }

private:
    struct Ridge {
        std::int32_t facet, other, apex;
        std::uint32_t stamp, other_stamp;
    };
    /// A facet at a bead that sinks, and a neighbour's apex: when they can be flipped.
    struct Ear {
        double when;
        std::int32_t facet, apex;
        std::uint32_t stamp;
        bool operator<(const Ear& o) const { return when > o.when; }  // the earliest on top
    };

    LiftedBeads<D> beads_;
    std::vector<Facet> facets_;
    std::vector<std::int32_t> spare_;  // facets that are none
    std::vector<unsigned char> on_hull_;
    std::vector<std::int32_t> near_;  // of each bead: a facet at it, or one to look for it from
    std::vector<Ridge> queue_, blocked_;
    std::vector<std::int32_t> made_;  // by the last flip
    std::int32_t last_ = 0;
    std::uint64_t flips_ = 0;

    int slot_to(std::int32_t facet, std::int32_t neighbour) const {
        for (int k = 0; k < D; ++k)
            if (facets_[facet].next[k] == neighbour) return k;
        return D;
    }
    std::int32_t apex(std::int32_t facet, int slot) const {
        const std::int32_t other = facets_[facet].next[slot];
        return facets_[other].vertex[slot_to(other, facet)];
    }
    int facing(const Tuple& vertex, int slot, std::int32_t bead) const {
        Tuple with = vertex;
        with[slot] = bead;
        return beads_.facing(with);
    }
    bool turns_away(const Facet& f, int slot, std::int32_t other) const;
    void queue_if_bent(const Plane& plane, std::int32_t facet, int slot);
    bool is_stale(const Ridge& r) const {
        return facets_[r.facet].stamp != r.stamp || facets_[r.other].stamp != r.other_stamp;
    }
    bool try_flip(std::int32_t facet, std::int32_t apex);
    void flip(std::int32_t facet, std::int32_t apex, unsigned leaving);
    std::int32_t new_facet();
    std::int32_t locate(std::int32_t bead) const;
    int way_to(std::int32_t bead, std::int32_t facet, int start) const;
    std::vector<std::int32_t> facets_at(std::int32_t bead) const;
    void add_ears(std::int32_t facet, std::int32_t bead, std::vector<Ear>& ears) const;
};

extern template class PowerStar<2>;
extern template class PowerStar<3>;

}  // namespace elbowroom
