#include "elbowroom/bodies/chain_energy.hpp"

#include <algorithm>
#include <cmath>

namespace elbowroom {

namespace {

using Form = ChainPairEnergy::Form;

bool is_ball(std::int32_t ball, std::int64_t balls) { return ball >= 0 && ball < balls; }

bool are_finite(const std::vector<double>& numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

bool is_sound_pair(const ChainPairEnergy& e, std::int64_t balls) {
    const std::size_t count = std::size_t(balls), pairs = std::size_t(e.kinds) * std::size_t(e.kinds);
    const std::size_t curves = e.form == Form::lennard_jones ? pairs : e.form == Form::mixed ? count : 0;
    const std::size_t bins = e.form == Form::table ? std::size_t(e.bins) : 0;
    const double square = e.cutoff * e.cutoff;
    if (e.form < Form::lennard_jones || e.form > Form::coulomb || !std::isfinite(square) || e.cutoff < 0) return false;
    if ((e.form == Form::callback) != (e.callback != nullptr)) return false;
    if (e.form == Form::table && (bins < 2 || !(square > 0))) return false;
    if (e.values.size() != (e.form == Form::coulomb ? count : bins * pairs)) return false;
    if (e.epsilon.size() != curves || e.sigma.size() != curves) return false;
    if (e.offset.size() != (e.form == Form::lennard_jones ? curves : 0)) return false;
    auto is_negative = [](double x) { return !(x >= 0); };
    if (e.form == Form::mixed)
        for (const std::vector<double>* each : {&e.epsilon, &e.sigma})
            if (std::any_of(each->begin(), each->end(), is_negative)) return false;
    if (!(e.switch_from >= 0) || !are_finite({e.field, e.offset_at_cutoff})) return false;
    if (!e.kind.empty() && e.kind.size() != count) return false;
    for (const std::int32_t kind : e.kind)
        if (kind < 0 || kind >= e.kinds) return false;
    for (const std::array<std::int32_t, 2>& p : e.excluded)
        if (!is_ball(p[0], balls) || !is_ball(p[1], balls)) return false;
    return true;
}

}  // namespace

bool ChainEnergy::is_sound(std::int64_t balls) const {
    auto is_sound_term = [&](const ChainTerm& t) {
        return std::all_of(t.ball.begin(), t.ball.begin() + t.balls(), [&](auto b) { return is_ball(b, balls); }) &&
               t.folds >= 0 && are_finite({t.strength, t.square, t.cosine, t.sine});
    };
    return std::all_of(pairs.begin(), pairs.end(), [&](const auto& e) { return is_sound_pair(e, balls); }) &&
           std::all_of(terms.begin(), terms.end(), is_sound_term);
}

void ChainEnergy::reorder(const std::vector<std::int32_t>& number, const std::vector<std::int32_t>& place) {
    if (number.empty()) return;
    auto in_order = [&](auto& array) {
        const auto given = array;
        for (std::size_t i = 0; i < array.size(); ++i) array[i] = given[std::size_t(number[i])];
    };
    for (ChainPairEnergy& e : pairs) {
        in_order(e.kind);
        if (e.form == Form::mixed) in_order(e.epsilon), in_order(e.sigma);
        if (e.form == Form::coulomb) in_order(e.values);
        for (auto& p : e.excluded) p = {place[std::size_t(p[0])], place[std::size_t(p[1])]};
    }
    for (ChainTerm& t : terms)
        for (int k = 0; k < t.balls(); ++k) t.ball[std::size_t(k)] = place[std::size_t(t.ball[std::size_t(k)])];
}

}  // namespace elbowroom
