#include "reference_binary_chain_of.hpp"

namespace elbowroom {

template <class Volume>
CollideAnswer BinaryChainOf<Volume>::self_collide(const CollideOptions& options) const {
    CollideAnswer answer;
    Placed placed;
    placed.start(volumes_);
    const Leaves leaves(placed, volumes_, joints_, exclusions_);
    const bool all = options.every || options.depth;
    auto sink = [&](int i, int j) {
        check_memory_for(answer.pairs, options.depth ? bytes_of_contact : bytes_of_pair);
        answer.pairs.push_back({i, j});
        return !all;
    };
    Overlap query(leaves, sink);
    DepthFirst order;
    answer.stop = run(placed, leaves, query, order, options.allowance, answer.counters);
    state_left(placed, order, far_away, options.allowance, answer);
    answer.hit = !answer.pairs.empty();
    std::sort(answer.pairs.begin(), answer.pairs.end());
    if (!options.depth || !answer.hit) return answer;
    for (const PrimitivePair& pair : answer.pairs) answer.contacts.push_back(contact(pair[0], pair[1]));
    if (!options.every) keep_deepest(answer);
    return answer;
}

template <class Volume>
WithinAnswer BinaryChainOf<Volume>::self_within(const WithinOptions& options) const {
    WithinAnswer answer;
    Placed placed;
    placed.start(volumes_);
    const Leaves leaves(placed, volumes_, joints_, exclusions_);
    auto sink = [&](int i, int j, double d) {
        check_memory_for(answer.pairs, bytes_of_distance);
        answer.pairs.push_back({i, j});
        answer.distances.push_back(d);
    };
    WithinReach query(leaves, options.reach, sink);
    DepthFirst order;
    answer.stop = run(placed, leaves, query, order, options.allowance, answer.counters);
    state_left(placed, order, far_away, options.allowance, answer);
    sort_together(answer.pairs, answer.distances);
    return answer;
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
