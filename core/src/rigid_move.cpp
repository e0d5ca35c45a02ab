#include <algorithm>
#include <array>

#include "elbowroom/trees/refit.hpp"
#include "rigid_hierarchy.hpp"

namespace elbowroom {

namespace {

/// Do all leaves hold copies that held copies, when corners lie at these vertices?
template <int Width>
bool copies_stay(const RigidHierarchy<Width>& h, const std::vector<Vec3>& vertices, const std::int32_t* corners) {
    for (const TreeLeaf& leaf : h.tree.leaves) {
        if (leaf.count <= h.most_items) continue;
        auto points = [&](int k) {
            const std::int32_t* const c = corners + 3 * h.tree.order[leaf.first + k];
            return std::array<Vec3, 3>{vertices[c[0]], vertices[c[1]], vertices[c[2]]};
        };
        const auto one = points(0);
        for (int k = 1; k < leaf.count; ++k) {
            const auto other = points(k);
            if (!std::is_permutation(one.begin(), one.end(), other.begin())) return false;
        }
    }
    return true;
}

template <int Width>
void refit_hierarchy(RigidHierarchy<Width>& h, const RigidBody& body) {
    if (h.empty()) return;
    h.tree.set_middle(body.items());
    refit(h.tree, body.items(), spread_for(body));
    h.triangles.empty() ? fill_leaves(h, body) : refill_leaves(h, body);
}

/// Half the areas of all boxes, as parts of the squares of the edges.
double size_of(const RigidBody& body) {
    double edges = 0;
    for (int i = 0; i < body.count(); ++i) {
        const Vec3* const p = body.primitive(i).points;
        edges += length2(p[1] - p[0]) + length2(p[2] - p[1]) + length2(p[0] - p[2]);
    }
    const double boxes = body.wide().empty() ? sum_of_costs(body.binary().tree) : sum_of_costs(body.wide().tree);
    return edges > 0 ? boxes / edges : 0;
}

}  // namespace

void RigidBody::move(const std::vector<Vec3>& vertices, const std::int32_t* corners, Rebuild rebuild) {
    const bool worn = rebuild == Rebuild::always || (rebuild == Rebuild::when_worn && wear() > most_wear);
    if (worn || !copies_stay(data_->wide, vertices, corners) || !copies_stay(data_->binary, vertices, corners)) {
        std::vector<Vec3> points(data_->points.size());
        for (std::size_t k = 0; k < points.size(); ++k) points[k] = vertices[std::size_t(corners[k])];
        *this = RigidBody(std::move(points), data_->first, data_->radius, children());
        return;
    }
    const double built_size = data_->built_size > 0 ? data_->built_size : size_of(*this);
    const Uninterrupted whole;
    // What others share stays as it is. What nobody shares is changed in place.
    if (data_.use_count() > 1) use(std::make_shared<Data>(*data_));
    Data& d = const_cast<Data&>(*data_);
    for (std::size_t k = 0; k < d.points.size(); ++k) d.points[k] = vertices[std::size_t(corners[k])];
    measure(d);
    refit_hierarchy(d.wide, *this), refit_hierarchy(d.binary, *this);
    d.built_size = built_size, d.size = size_of(*this);
    finish(d);
}

}  // namespace elbowroom
