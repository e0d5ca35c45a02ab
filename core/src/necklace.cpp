#include "elbowroom/bodies/necklace.hpp"

#include <utility>

namespace elbowroom {

bool Necklace::move(const double* positions) {
    if (dimension == 2) {
        room_.resize(3 * beads());
        for (std::size_t i = 0; i < beads(); ++i) {
            room_[3 * i] = positions[2 * i];
            room_[3 * i + 1] = positions[2 * i + 1];
            room_[3 * i + 2] = 0;
        }
        positions = room_.data();
    }
    if (!boxes->move(positions, !keeps_cages())) return false;
    cages_follow = crowd_follows = false;
    if (until_look_ > 0) --until_look_;
    return true;
}

NecklaceCages& Necklace::need_cages() {
    if (has_cages_of_frame()) return *cages;
    const Vec3* centres = boxes->centres().data();
    const std::shared_ptr<NecklaceCages> before = std::move(cages);  // lost if this is interrupted
    if (before) before->move(centres, verify);
    cages =
        before ? before
               : std::make_shared<NecklaceCages>(centres, boxes->radii(), dimension,
                                                 kind == NecklaceKind::layered ? CageKind::layered : CageKind::wrapped);
    cages_follow = true;
    return *cages;
}

std::vector<double> Necklace::positions() const {
    const std::vector<Vec3>& centres = boxes->centres();
    const std::size_t d = std::size_t(dimension);
    std::vector<double> out(centres.size() * d);
    for (std::size_t i = 0; i < centres.size(); ++i)
        for (std::size_t k = 0; k < d; ++k) out[i * d + k] = centres[i][int(k)];
    return out;
}

std::vector<std::int32_t> Necklace::cages_at(int level) {
    const CageTree& tree = need_cages().tree();
    std::vector<std::int32_t> out;
    for (std::int32_t c = 0; c < tree.cages(); ++c)
        if (level < 0 || tree.node(c).level == level) out.push_back(c);
    return out;
}

SeparatingFamily Necklace::separate(const std::vector<PrimitivePair>* start) {
    const NecklaceCages& all = need_cages();
    const std::int32_t count = all.tree().cages();
    std::vector<PrimitivePair> from;
    if (start) from = *start;
    for (PrimitivePair& p : from)
        for (std::int32_t& slot : p) slot = slot < count ? slot : ~(slot - count);
    SeparatingFamily family = all.separate(boxes->touch(), start ? &from : nullptr);
    for (PrimitivePair& p : family.pairs)
        for (std::int32_t& slot : p) slot = slot < 0 ? count + ~slot : slot;
    return family;
}

std::string Necklace::validate() {
    std::string fault = boxes->validate();
    if (fault.empty() && cages) fault = need_cages().validate();
    if (fault.empty() && (crowd_follows || box)) fault = fault_of_crowd();
    return fault;
}

}  // namespace elbowroom
