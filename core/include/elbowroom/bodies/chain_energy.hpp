#pragma once
#include <cstdint>
#include <vector>

#include "elbowroom/portable.hpp"

namespace elbowroom {

/// An energy of two balls: a function of the square of the distance of their centres and of their kinds, zero beyond a
/// cutoff.
struct ChainEnergy {
    enum class Form { lennard_jones, clashes, table, callback };
    using Callback = double (*)(double squared_distance, std::int32_t kind_a, std::int32_t kind_b);

    Form form = Form::clashes;
    double cutoff = 0;
    int kinds = 1;
    std::vector<std::int32_t> kind;      // of each ball, in the order of the tree; empty: all 0
    std::vector<double> epsilon, sigma;  // kinds x kinds; `offset`: what is taken off, so that the cutoff is at zero
    std::vector<double> offset;
    std::vector<double> values;  // kinds x kinds x bins, at equal steps of the squared distance from 0 to the cutoff's
    int bins = 0;
    Callback callback = nullptr;

    int kind_of(std::int64_t ball) const { return kind.empty() ? 0 : kind[ball]; }

    double operator()(double d2, std::int64_t a, std::int64_t b) const {
        const int i = kind_of(a), j = kind_of(b);
        if (form == Form::callback) return callback(d2, i, j);
        return form == Form::table ? tabulated(d2, kinds * i + j) : lennard_jones(d2, kinds * i + j);
    }

private:
    double lennard_jones(double d2, int pair) const {
        const double s2 = sigma[pair] * sigma[pair] / d2, s6 = s2 * s2 * s2;
        return 4 * epsilon[pair] * (s6 * (s6 - 1)) - offset[pair];
    }
    double tabulated(double d2, int pair) const {
        const double x = d2 / (cutoff * cutoff) * (bins - 1);
        const int k = int(least(x, double(bins - 2)));
        const double* v = &values[std::size_t(pair) * bins + k];
        return v[0] + (v[1] - v[0]) * (x - k);
    }
};

}  // namespace elbowroom
