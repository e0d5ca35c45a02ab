#include "articulated_group.hpp"

namespace elbowroom {

ArticulatedGroup::ArticulatedGroup(const std::shared_ptr<const ArticulatedModel>& model)
    : eights_(model->by_joints().boxes) {
    for (int lane = 0; lane < 8; ++lane) states_.emplace_back(model);
}

unsigned ArticulatedGroup::refit(int count, std::ptrdiff_t ahead) {
    const double* frames[8];
    for (int lane = 0; lane < 8; ++lane) frames[lane] = states_[least(lane, count - 1)].frame(0);
    const ArticulatedModel& model = states_[0].model();
    const bool placed = states_[0].placed();
    return eights_.refit(placed ? model.by_links().boxes : model.by_joints().boxes, frames, placed ? 16 : 12, placed,
                         ahead) &
           ((1u << count) - 1);
}

unsigned ArticulatedGroups::load(std::ptrdiff_t begin, std::ptrdiff_t end) {
    const int count = int(least<std::ptrdiff_t>(8, end - begin));
    unsigned good = (1u << count) - 1;
    for (int lane = 0; lane < count; ++lane) {
        const double* at = body_.at(begin + lane);
        body_.placed() ? group_.place(lane, at) : group_.move(lane, at);
    }
    if (body_.placed() && body_.model->has_bare_links()) good = 0;  // links without a shape are looked at one by one
    return good & group_.refit(count, body_.placed() ? 8 * body_.size_of_one() : 0);
}

const ArticulatedState& ArticulatedGroups::recomputed(int lane, std::ptrdiff_t i) {
    if (!body_.placed())
        group_.state(lane).move(body_.at(i), {});
    else if (!group_.state(lane).place(body_.at(i), {}))
        throw BadPoses{i};
    return group_.state(lane);
}

void GroupCandidates::start() {
    near_.clear();
    for (int lane = 0; lane < 8; ++lane) found_[lane].clear(), tests_[lane] = 0;
}

void GroupCandidates::find_within(const ArticulatedGroup& group, unsigned lanes) {
    start();
    const AcrossEights across(group.eights(), group.eights());
    const ArticulatedModel& model = group.state(0).model();
    for (int i = 0; i < model.shapes(); ++i) {
        const auto [first, last] = model.compared_after(i);
        across.find(i, first, last, lanes, near_);
    }
    for (int lane = 0; lane < 8; ++lane) tests_[lane] = model.compared_pairs();
    compare(across, model, model);
}

void GroupCandidates::find_across(const ArticulatedGroup& a, const ArticulatedGroup& b, unsigned lanes) {
    start();
    const AcrossEights across(a.eights(), b.eights());
    const std::vector<std::int32_t>& others = b.state(0).model().numbers();
    for (int i = 0; i < a.eights().shapes(); ++i)
        across.find(i, others.data(), others.data() + others.size(), lanes, near_);
    for (int lane = 0; lane < 8; ++lane) tests_[lane] = std::uint64_t(a.eights().shapes()) * others.size();
    compare(across, a.state(0).model(), b.state(0).model());
}

void GroupCandidates::compare(const AcrossEights& across, const ArticulatedModel& a, const ArticulatedModel& b) {
    for (const EightNear& pair : near_) {
        const BoxVerdicts verdicts = across.compare(pair);
        for (unsigned rest = pair.lanes; rest; rest &= rest - 1) ++tests_[__builtin_ctz(rest)];
        if (!verdicts.near) continue;
        const unsigned certain = a.is_box(pair.a) && b.is_box(pair.b) ? verdicts.certain : 0;
        float depth[8];
        verdicts.depth.store(depth);
        for (unsigned rest = verdicts.near; rest; rest &= rest - 1) {
            const int lane = __builtin_ctz(rest);
            found_[lane].push_back({pair.a, pair.b, depth[lane], (certain >> lane & 1) != 0});
        }
    }
}

}  // namespace elbowroom
