// Which members, and links of members, are never compared.
#include <algorithm>

#include "elbowroom/world/world.hpp"
#include "world_recall.hpp"

namespace elbowroom {

bool World::is_excluded(std::uint32_t a, std::uint32_t b) const {
    const auto found = excluded_.find(a);
    return found != excluded_.end() && found->second.count(b);
}

/// What the articulated body itself excludes stays excluded.
bool World::compares_in_member(const WorldPart& p, const WorldPart& q) const {
    const WorldMember& m = members_[p.member];
    if (!m.model || !m.model->compared()(p.shape, q.shape)) return false;
    return !m.excluded || !is_excluded(p.unit, q.unit);
}

void World::set_excluded(std::uint32_t a, std::uint32_t b, bool to) {
    auto one_way = [&](std::uint32_t x, std::uint32_t y) {
        if (to) return void(excluded_[x].insert(y));
        const auto found = excluded_.find(x);
        if (found == excluded_.end()) return;
        found->second.erase(y);
        if (found->second.empty()) excluded_.erase(found), owner_.erase(x);
    };
    one_way(a, b);
    one_way(b, a);
}

void World::change_excluded(std::int32_t a, std::int32_t link_a, std::int32_t b, std::int32_t link_b, bool to) {
    WorldMember &x = members_[a], &y = members_[b];
    auto each = [](const WorldMember& m, std::int32_t link, auto&& f) {
        for (int i = link < 0 ? 0 : link; i < (link < 0 ? m.units() : link + 1); ++i)
            f(m.first_unit + std::uint32_t(i));
    };
    each(x, link_a, [&](std::uint32_t i) {
        each(y, link_b, [&](std::uint32_t j) {
            if (to) owner_[i] = a, owner_[j] = b;
            set_excluded(i, j, to);
        });
    });
    if (to) x.excluded = y.excluded = true;
    recall_->forget();
}

void World::exclude(std::int32_t a, std::int32_t link_a, std::int32_t b, std::int32_t link_b) {
    change_excluded(a, link_a, b, link_b, true);
}
void World::include(std::int32_t a, std::int32_t link_a, std::int32_t b, std::int32_t link_b) {
    change_excluded(a, link_a, b, link_b, false);
}

void World::forget_excluded(WorldMember& m) {
    if (!m.excluded) return;
    for (int i = 0; i < m.units(); ++i) {
        const std::uint32_t unit = m.first_unit + std::uint32_t(i);
        const auto found = excluded_.find(unit);
        if (found == excluded_.end()) continue;
        const std::vector<std::uint32_t> partners(found->second.begin(), found->second.end());
        for (const std::uint32_t other : partners) set_excluded(unit, other, false);
    }
}

std::vector<std::array<std::int32_t, 4>> World::excluded() const {
    std::vector<std::array<std::uint32_t, 2>> units;
    for (const auto& [unit, partners] : excluded_)
        for (const std::uint32_t other : partners)
            if (unit <= other) units.push_back({unit, other});
    std::sort(units.begin(), units.end());  // units grow with the serial numbers of members
    std::vector<std::array<std::int32_t, 4>> out;
    auto link = [&](std::uint32_t unit, std::int32_t member) {
        return members_[member].model ? std::int32_t(unit - members_[member].first_unit) : -1;
    };
    for (const auto& [a, b] : units) {
        const std::int32_t x = owner_.at(a), y = owner_.at(b);
        out.push_back({x, link(a, x), y, link(b, y)});
    }
    return out;
}

}  // namespace elbowroom
