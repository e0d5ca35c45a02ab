#include "elbowroom/questions/collide.hpp"
#include "elbowroom/questions/distance.hpp"
#include "elbowroom/questions/within.hpp"
#include "reference_binary_chain_of.hpp"

namespace elbowroom {

/// The links of a binary chain, as the questions see them.
template <class Volume>
class BinaryChainOf<Volume>::SelfPair : public PlainBodyPair {
public:
    using Best = NearestLinks;
    explicit SelfPair(const BinaryChainOf& chain)
        : PlainBodyPair(nullptr, false),
          chain_(chain),
          placed_(started(chain)),
          rule_(chain.exclusions_.near()),
          leaves_(placed_, chain.volumes_, chain.joints_, chain.exclusions_),
          pairing_(placed_, rule_, leaves_.doubt()) {}

    static int width() { return 3; }
    const SelfPair& numbered() const { return *this; }
    const Pairing& pairing() const { return pairing_; }
    const Leaves& leaves() const { return leaves_; }
    template <class Query>
    Stop sweep(Query& query, Budget& budget, Counters& counters, double* left) const {
        return sweep_pairs(pairing_, query, budget, counters, left);
    }
    double leaf_gap(const Pair& pair) const {
        NearestLinks nearest;
        Counters nothing;
        leaves_.nearest(pair, nothing, nearest);
        return nearest.a < 0 ? far_away : most(0.0, std::sqrt(nearest.upper2) - 2 * leaves_.doubt());
    }
    double total() const { return pairing_.matters(0) ? pairing_.count(0, 0) : 0; }
    double slack() const { return 2 * leaves_.doubt(); }

    PrimitivePair found(const Best& best) const { return {best.a, best.b}; }
    HullDistance measure(const Best& best) const {
        const BallGap g = leaves_.measured(best.a, best.b);
        const Vec3 p = chain_.centre(best.a), q = chain_.centre(best.b), n = normalised(q - p, {0, 0, 1});
        const Vec3 on_a = p + n * chain_.radii_[best.a], on_b = q - n * chain_.radii_[best.b];
        if (!Leaves::touches(g)) return {g.gap - 2 * leaves_.doubt(), g.gap, on_a, on_b};
        return {0, 0, (on_a + on_b) * 0.5, (on_a + on_b) * 0.5};
    }
    HullDistance closest(std::int64_t i, std::int64_t j) const { return measure({far_away, int(i), int(j)}); }
    HullContact contact(std::int64_t i, std::int64_t j) const {
        const Vec3 p = chain_.centre(int(i)), q = chain_.centre(int(j));
        const Vec3 normal = normalised(q - p, {0, 0, 1});  // of two balls with one centre any direction is as good
        const Vec3 on_i = p + normal * chain_.radii_[i], on_j = q - normal * chain_.radii_[j];
        return {most(0.0, dot(on_i - on_j, normal)), normal, (on_i + on_j) * 0.5};
    }
    /// The first pair of links that counts, if there is one.
    void any_pair(Best& best, Counters&) const {
        const ChainExclusions& exclusions = chain_.exclusions_;
        for (int i = 0; i < chain_.links(); ++i)
            for (int j = i + 1 + exclusions.near(); j < chain_.links(); ++j)
                if (!exclusions.has(i, j)) return void(best = {far_away, i, j});
    }

private:
    const BinaryChainOf& chain_;
    Placed placed_;
    const ChainRule rule_;
    const Leaves leaves_;
    const Pairing pairing_;

    static Placed started(const BinaryChainOf& chain) {
        Placed placed;
        placed.start(chain.volumes_);
        return placed;
    }
};

template <class Volume>
CollideAnswer BinaryChainOf<Volume>::self_collide(const CollideOptions& options) const {
    SelfPair pair(*this);
    return questions::collide(pair, options);
}
template <class Volume>
DistanceAnswer BinaryChainOf<Volume>::self_distance(const DistanceOptions& options) const {
    SelfPair pair(*this);
    return questions::distance(pair, options);
}
template <class Volume>
WithinAnswer BinaryChainOf<Volume>::self_within(const WithinOptions& options) const {
    SelfPair pair(*this);
    return questions::within(pair, options);
}

template class BinaryChainOf<ObbVolume>;
template class BinaryChainOf<RssVolume>;
template class BinaryChainOf<CapsuleVolume>;
template class BinaryChainOf<SphereVolume>;

std::unique_ptr<BinaryChain> make_binary_chain(const std::string& volume, const std::vector<Vec3>& positions,
                                               std::vector<double> radii, const BinaryChainOptions& options) {
    auto made = [&]<class Volume>(Volume) -> std::unique_ptr<BinaryChain> {
        return std::make_unique<BinaryChainOf<Volume>>(positions, std::move(radii), options);
    };
    if (volume == "obb") return made(ObbVolume{});
    if (volume == "rss") return made(RssVolume{});
    if (volume == "capsule") return made(CapsuleVolume{});
    if (volume == "sphere") return made(SphereVolume{});
    return nullptr;
}

}  // namespace elbowroom
