#include <sstream>
#include <stdexcept>

#include "crowd_pair.hpp"
#include "elbowroom/questions/collide.hpp"
#include "elbowroom/questions/distance.hpp"
#include "elbowroom/questions/within.hpp"

namespace elbowroom {

namespace {

/// Which of two crowds comes first, whatever the caller's order.
bool comes_before(const Crowd& a, const Crowd& b) {
    if (a.count() != b.count()) return a.count() < b.count();
    for (std::int64_t i = 0; i < a.count(); ++i) {
        const Vec3 p = a.given(i), q = b.given(i);
        for (int k = 0; k < 3; ++k)
            if (p[k] != q[k]) return p[k] < q[k];
        if (a.beads().radius_of(i) != b.beads().radius_of(i)) return a.beads().radius_of(i) < b.beads().radius_of(i);
    }
    return false;
}

template <class Ask>
auto ask_itself(const Crowd& crowd, const CrowdRule& rule, double reach, Ask&& question) {
    refuse_narrow_box(crowd, crowd, reach);
    CrowdPair pair(crowd, crowd, &rule, false);
    return question(pair);
}

template <class Ask>
auto ask(const Crowd& a, const Crowd& b, double reach, Ask&& question) {
    refuse_narrow_box(a, b, reach);
    const bool turned = comes_before(b, a);
    CrowdPair pair(turned ? b : a, turned ? a : b, nullptr, turned);
    return question(pair);
}

}  // namespace

void refuse_narrow_box(const Crowd& a, const Crowd& b, double reach) {
    if (!a.box()) return;
    const double radii = a.beads().largest_radius() + b.beads().largest_radius(), half = a.box()->width() / 2;
    if (most(reach, 0.0) + radii <= half) return;
    std::ostringstream told;
    if (radii > half)
        told << "box is too small: two radii, " << radii << " together, may be at most ";
    else
        told << "reach may be at most " << half - radii << " in this periodic box, got " << reach
             << ": with two radii, " << radii << " together, that is ";
    told << "half of the least distance of two of its faces, " << half;
    throw std::invalid_argument(told.str());
}

CollideAnswer Crowd::self_collide(const CrowdRule& rule, const CollideOptions& options) const {
    return ask_itself(*this, rule, -1, [&](auto& pair) { return questions::collide(pair, options); });
}
DistanceAnswer Crowd::self_distance(const CrowdRule& rule, const DistanceOptions& options) const {
    return ask_itself(*this, rule, -1, [&](auto& pair) { return questions::distance(pair, options); });
}
WithinAnswer Crowd::self_within(const CrowdRule& rule, const WithinOptions& options) const {
    return ask_itself(*this, rule, options.reach, [&](auto& pair) { return questions::within(pair, options); });
}

CollideAnswer collide(const Crowd& a, const Crowd& b, const CollideOptions& options) {
    return ask(a, b, -1, [&](auto& pair) { return questions::collide(pair, options); });
}
DistanceAnswer distance(const Crowd& a, const Crowd& b, const DistanceOptions& options) {
    return ask(a, b, -1, [&](auto& pair) { return questions::distance(pair, options); });
}
WithinAnswer within(const Crowd& a, const Crowd& b, const WithinOptions& options) {
    return ask(a, b, options.reach, [&](auto& pair) { return questions::within(pair, options); });
}

}  // namespace elbowroom
