#include "elbowroom/bodies/chain_terms.hpp"

#include <cmath>
#include <cstddef>

namespace elbowroom {

namespace {

/// strength (1 + cos(folds angle - phase)) of the torsion about the bond from b to c. Cosine and sine of the multiple
/// come from the powers of cos(angle) + i sin(angle). Four points in one line have the angle 0.
double torsion(const ChainTerm& t, Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    const Vec3 axis = c - b, before = b - a, m = cross(before, axis), n = cross(axis, d - c);
    const double x = dot(m, n), y = length(axis) * dot(before, n), size = std::sqrt(x * x + y * y);
    double cosine = 1, sine = 0;
    if (size > 0) {
        const double cos1 = x / size, sin1 = y / size;
        for (int k = 0; k < t.folds; ++k) {
            const double next = cosine * cos1 - sine * sin1;
            sine = sine * cos1 + cosine * sin1;
            cosine = next;
        }
    }
    return t.strength * (1 + cosine * t.cosine + sine * t.sine);
}

double pair(const ChainTerm& t, double d2) {
    if (t.strength == 0) return 0;
    if (t.form == ChainTerm::Form::coulomb) return t.strength / std::sqrt(d2);
    if (t.form == ChainTerm::Form::coulomb_by_square) return t.strength / d2;
    const double s2 = t.square / d2, s6 = s2 * s2 * s2;
    return t.strength * (s6 * (s6 - 1));
}

}  // namespace

ChainTerms::ChainTerms(const ChainTree& tree, std::vector<ChainTerm> terms) : terms_(std::move(terms)) {
    std::int64_t nodes = 0;
    for (int level = 0; level <= tree.levels(); ++level) {
        first_node_.push_back(nodes);
        nodes += level == 0 ? tree.leaves() : tree.nodes(level);
    }
    auto ends = [](const ChainTerm& t) {
        const auto [low, high] = std::minmax_element(t.ball.begin(), t.ball.begin() + t.balls());
        return std::array<std::int32_t, 2>{*low, *high};
    };
    auto node = [&](const ChainTerm& t) {
        std::int64_t a = ends(t)[0] / ChainLeaf::size, b = ends(t)[1] / ChainLeaf::size;
        int level = 0;
        for (; a != b; ++level) {
            a >>= 3;
            b >>= 3;
        }
        return first_node_[level] + a;
    };
    std::stable_sort(terms_.begin(), terms_.end(),
                     [&](const ChainTerm& a, const ChainTerm& b) { return node(a) < node(b); });
    first_.resize(std::size_t(nodes) + 1);
    for (const ChainTerm& t : terms_) {
        ends_.push_back(ends(t));
        ++first_[std::size_t(node(t)) + 1];
    }
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
}

double ChainTerms::energy(std::int64_t term, ChainTermPlaces& at) const {
    const ChainTerm& t = terms_[term];
    const Vec3 a = at(t.ball[0]), b = at(t.ball[1]);
    if (t.form != ChainTerm::Form::torsion) return pair(t, length2(b - a));
    return torsion(t, a, b, at(t.ball[2]), at(t.ball[3]));
}

}  // namespace elbowroom
