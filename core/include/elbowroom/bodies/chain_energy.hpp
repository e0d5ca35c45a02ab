// What an energy of a chain is made of: functions of pairs of balls, and terms of a few balls each.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "elbowroom/limits.hpp"
#include "elbowroom/portable.hpp"

namespace elbowroom {

/// An energy of two balls: a function of the squared distance of their centres and of what they are, zero beyond a
/// cutoff. Balls are in the order of the tree.
struct ChainPairEnergy {
    enum class Form { lennard_jones, clashes, table, callback, mixed, coulomb };
    using Callback = double (*)(double squared_distance, std::int32_t kind_a, std::int32_t kind_b);

    Form form = Form::clashes;
    double cutoff = 0;
    int kinds = 1;
    std::vector<std::int32_t> kind;      // of each ball; empty: all 0
    std::vector<double> epsilon, sigma;  // kinds x kinds; `offset`: what is taken off, so that the cutoff is at zero
    std::vector<double> offset;
    std::vector<double> values;  // kinds x kinds x bins, at equal steps of the squared distance from 0 to the cutoff's
    int bins = 0;
    Callback callback = nullptr;
    double switch_from = 0;  // Lennard-Jones: from there to the cutoff it is brought to zero; the cutoff: it is not

    // Lennard-Jones mixed from `epsilon` and `sigma` of each ball: the means of sigma are geometric or arithmetic.
    bool geometric = false, shifted = false;
    // Coulomb: `values` are the charges of the balls; q q (1 / d or 1 / d^2 + field d^2 - offset_at_cutoff).
    bool by_square = false;
    double field = 0, offset_at_cutoff = 0;

    /// Pairs that are left out; without `own_pairs` those that the chain leaves out are so too.
    bool own_pairs = false;
    std::vector<std::array<std::int32_t, 2>> excluded;

    bool is_of_each_ball() const { return form == Form::mixed || form == Form::coulomb; }
    /// Lennard-Jones or q q / d of all pairs, and nothing else.
    bool is_plain_and_uncut() const {
        const bool lifted = shifted || std::any_of(offset.begin(), offset.end(), [](double x) { return x != 0; });
        if (cutoff < limits.largest_number || lifted || switches()) return false;
        if (form == Form::coulomb) return !by_square && field == 0 && offset_at_cutoff == 0;
        return form == Form::lennard_jones || form == Form::mixed;
    }
    bool switches() const { return form != Form::coulomb && switch_from < cutoff; }
    int kind_of(std::int64_t ball) const { return kind.empty() ? 0 : kind[ball]; }

    /// The slow way of a form by kinds, one pair at a time.
    double operator()(double d2, std::int64_t a, std::int64_t b) const {
        const int i = kind_of(a), j = kind_of(b);
        if (form == Form::callback) return callback(d2, i, j);
        return form == Form::table ? tabulated(d2, kinds * i + j) : lennard_jones(d2, kinds * i + j);
    }

private:
    double lennard_jones(double d2, int pair) const {
        const double s2 = sigma[pair] * sigma[pair] / d2, s6 = s2 * s2 * s2;
        const double value = 4 * epsilon[pair] * (s6 * (s6 - 1)) - offset[pair];
        if (!switches()) return value;
        const double x = most(0.0, (std::sqrt(d2) - switch_from) / (cutoff - switch_from));
        return value * (1 - x * x * x * (10 - x * (15 - 6 * x)));
    }
    double tabulated(double d2, int pair) const {
        const double x = d2 / (cutoff * cutoff) * (bins - 1);
        const int k = int(least(x, double(bins - 2)));
        const double* v = &values[std::size_t(pair) * bins + k];
        return v[0] + (v[1] - v[0]) * (x - k);
    }
};

/// An energy of a few balls at any distance.
struct ChainTerm {
    enum class Form { lennard_jones, coulomb, coulomb_by_square, torsion };

    Form form;
    std::array<std::int32_t, 4> ball;  // of a pair the first two
    double strength;                   // 4 epsilon; q q; k
    double square = 0;                 // of sigma
    int folds = 0;                     // strength (1 + cos(folds angle - phase))
    double cosine = 1, sine = 0;       // of the phase

    int balls() const { return form == Form::torsion ? 4 : 2; }
};

struct ChainEnergy {
    std::vector<ChainPairEnergy> pairs;
    std::vector<ChainTerm> terms;

    /// Does everything fit together, for so many balls? Kinds, numbers of balls and distances are later taken without a
    /// check.
    bool is_sound(std::int64_t balls) const;
    /// Arrays by ball in another order: `number` says which ball comes where, `place` where each one goes.
    void reorder(const std::vector<std::int32_t>& number, const std::vector<std::int32_t>& place);
};

}  // namespace elbowroom
