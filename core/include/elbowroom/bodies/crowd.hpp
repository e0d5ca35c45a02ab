// Balls in no order, perhaps in a periodic box, and questions about them.
#pragma once
#include <memory>
#include <optional>

#include "elbowroom/queries/answers.hpp"
#include "elbowroom/trees/sorted_beads.hpp"

namespace elbowroom {

/// Which pairs of balls of one crowd are never compared.
class CrowdRule {
public:
    virtual ~CrowdRule() = default;
    virtual bool excludes(std::int64_t i, std::int64_t j) const = 0;
    virtual bool excludes_all() const = 0;
    virtual bool excludes_none() const { return false; }
};

/// Balls of a necklace, a chain or of many molecules, sorted in space. In a box each pair of balls is compared once, by
/// those of their images that are nearest; a ball is not compared with its own images.
class Crowd {
public:
    Crowd(const std::vector<Vec3>& centres, const std::vector<double>& radii, const std::optional<Lattice>& box)
        : given_(centres), box_(box), beads_(centres, radii, box_ ? &*box_ : nullptr) {
        measure();
    }
    void place(const std::vector<Vec3>& centres, const std::optional<Lattice>& box) {
        given_ = centres, box_ = box;
        beads_.place(given_, box_ ? &*box_ : nullptr);
        measure();
    }

    const SortedBeads& beads() const { return beads_; }
    const std::optional<Lattice>& box() const { return box_; }
    std::int64_t count() const { return std::int64_t(given_.size()); }
    /// Where a ball was put, and its image in the box.
    Vec3 given(std::int64_t ball) const { return given_[ball]; }
    Vec3 wrapped(std::int64_t ball) const { return box_ ? box_->wrapped(given_[ball]) : given_[ball]; }
    const std::vector<Vec3>& centres() const { return given_; }
    /// By how much rounding may move images, beside what it does to all distances.
    double doubt() const { return doubt_; }
    std::size_t bytes() const { return beads_.bytes() + given_.size() * sizeof(Vec3); }

    CollideAnswer self_collide(const CrowdRule& rule, const CollideOptions& options) const;
    DistanceAnswer self_distance(const CrowdRule& rule, const DistanceOptions& options) const;
    WithinAnswer self_within(const CrowdRule& rule, const WithinOptions& options) const;

private:
    std::vector<Vec3> given_;
    std::optional<Lattice> box_;
    SortedBeads beads_;
    double doubt_ = 0;

    void measure() {
        doubt_ = 0;
        if (!box_) return;
        double farthest = 0;
        for (const Vec3& p : given_) farthest = most(farthest, largest(absolute(p)));
        doubt_ = 0.4 * rounding * (farthest + box_->size());
    }
};

/// Two crowds in the same box, or in none.
CollideAnswer collide(const Crowd& a, const Crowd& b, const CollideOptions& options);
DistanceAnswer distance(const Crowd& a, const Crowd& b, const DistanceOptions& options);
WithinAnswer within(const Crowd& a, const Crowd& b, const WithinOptions& options);

}  // namespace elbowroom
