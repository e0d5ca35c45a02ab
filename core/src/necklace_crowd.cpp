// A necklace whose beads are sorted in space: in a periodic box, or of many molecules.
#include "elbowroom/bodies/crowd.hpp"
#include "elbowroom/bodies/necklace.hpp"

namespace elbowroom {

namespace {

class TouchRule final : public CrowdRule {
public:
    explicit TouchRule(const NecklaceTouch& touch) : touch_(touch) {}
    bool excludes(std::int64_t i, std::int64_t j) const override {
        return touch_.may(std::int32_t(i), std::int32_t(j));
    }
    bool excludes_all() const override { return touch_.all_may(); }
    bool excludes_none() const override { return touch_.gap() < 1 && touch_.named().empty(); }

private:
    const NecklaceTouch& touch_;
};

}  // namespace

CollideAnswer TouchingCrowd::self_collide(const CollideOptions& options) const {
    return crowd.self_collide(TouchRule(touch), options);
}
DistanceAnswer TouchingCrowd::self_distance(const DistanceOptions& options) const {
    return crowd.self_distance(TouchRule(touch), options);
}
WithinAnswer TouchingCrowd::self_within(const WithinOptions& options) const {
    return crowd.self_within(TouchRule(touch), options);
}

const Crowd& Necklace::need_crowd() {
    if (crowd && crowd_follows) return *crowd;
    if (crowd)
        crowd->place(boxes->centres(), box);
    else
        crowd = std::make_shared<Crowd>(boxes->centres(), boxes->radii(), box);
    crowd_follows = true;
    return *crowd;
}

bool Necklace::sorts() {
    constexpr std::size_t few = 512;
    constexpr int rarely = 4096;
    if (box) return true;
    if (kind != NecklaceKind::boxes || dimension != 3 || beads() < few) return false;
    if (until_look_ > 0) return scattered_;
    until_look_ = looks_after_;
    looks_after_ = least(2 * looks_after_, rarely);
    boxes->fit_boxes();
    scattered_ = 2 * need_crowd().beads().tree().leaf_sides() < boxes->leaf_sides();
    if (!scattered_) crowd = nullptr;
    return scattered_;
}

std::string Necklace::fault_of_crowd() { return need_crowd().beads().validate(); }

std::size_t Necklace::bytes() const {
    return boxes->bytes() + (cages ? cages->bytes() : 0) + (crowd ? crowd->bytes() : 0);
}

}  // namespace elbowroom
