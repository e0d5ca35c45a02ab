// A chain in a periodic box: its balls where their images in the box are.
#include "elbowroom/bodies/chain_numbered.hpp"
#include "elbowroom/bodies/crowd.hpp"

namespace elbowroom {

namespace {

/// Of the balls as numbered outside.
class LinkRule final : public CrowdRule {
public:
    explicit LinkRule(const NumberedChain& chain) : chain_(chain), exclusion_(chain.chain->exclusion()) {}
    bool excludes(std::int64_t i, std::int64_t j) const override {
        return exclusion_.excludes(chain_.inside(i), chain_.inside(j));
    }
    bool excludes_all() const override { return exclusion_.gap() >= chain_.links() - 1; }

private:
    const NumberedChain& chain_;
    const ChainExclusion& exclusion_;
};

}  // namespace

const Crowd& NumberedChain::need_crowd() {
    chain->settle();
    if (crowd && crowd_version == chain->version()) return *crowd;
    const std::vector<Vec3> centres = positions();
    if (crowd) {
        crowd->place(centres, box);
    } else {
        std::vector<double> radii(centres.size());
        for (std::size_t i = 0; i < radii.size(); ++i) radii[i] = chain->tree().radii()[inside(std::int64_t(i))];
        crowd = std::make_shared<Crowd>(centres, radii, box);
    }
    crowd_version = chain->version(), box_state = nullptr;
    return *crowd;
}

CollideAnswer NumberedChain::self_collide_in_box(const CollideOptions& options) {
    return need_crowd().self_collide(LinkRule(*this), options);
}
DistanceAnswer NumberedChain::self_distance_in_box(const DistanceOptions& options) {
    return need_crowd().self_distance(LinkRule(*this), options);
}
WithinAnswer NumberedChain::self_within_in_box(const WithinOptions& options) {
    return need_crowd().self_within(LinkRule(*this), options);
}

bool NumberedChain::collides_in_box() {
    const CollideAnswer answer = self_collide_in_box({});
    box_counters = answer.counters;
    box_state = answer.hit ? "colliding" : "free";
    return answer.hit;
}

}  // namespace elbowroom
