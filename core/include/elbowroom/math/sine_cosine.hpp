#pragma once
#include "elbowroom/math/lanes.hpp"

namespace elbowroom {

/// Sines and cosines of four angles, to about one unit in the last place: the angle is brought within an eighth of a
/// turn by pi / 2 in three parts (Cody and Waite), and the two polynomials are those that fdlibm uses there. Angles
/// beyond 1e5, for which the three parts are too short, go to the standard library.
inline void sine_cosine(const double* angle, double* sine, double* cosine) {
    const Double4 x = Double4::load(angle), large = greater(absolute(x), Double4(1e5));
    if (lanes_of(large)) {
        for (int i = 0; i < 4; ++i) {
            sine[i] = std::sin(angle[i]);
            cosine[i] = std::cos(angle[i]);
        }
        return;
    }
    auto nearest = [](Double4 v) { return (v + Double4(6755399441055744.0)) - Double4(6755399441055744.0); };
    const Double4 n = nearest(x * Double4(0.63661977236758134308));
    Double4 r = x - n * Double4(1.57079632673412561417e+00);
    r = r - n * Double4(6.07710050630396597660e-11);
    r = r - n * Double4(2.02226624879595063154e-21);
    const Double4 z = r * r;
    auto polynomial = [&](const double (&coefficients)[6]) {
        Double4 sum(coefficients[0]);
        for (int i = 1; i < 6; ++i) sum = multiply_add(sum, z, Double4(coefficients[i]));
        return sum;
    };
    const Double4 s =
        multiply_add(r * z,
                     polynomial({1.58969099521155010221e-10, -2.50507602534068634195e-08, 2.75573137070700676789e-06,
                                 -1.98412698298579493134e-04, 8.33333333332248946124e-03, -1.66666666666666324348e-01}),
                     r);
    const Double4 c =
        multiply_add(z * z,
                     polynomial({-1.13596475577881948265e-11, 2.08757232129817482790e-09, -2.75573143513906633035e-07,
                                 2.48015872894767294178e-05, -1.38888888888741095749e-03, 4.16666666666666019037e-02}),
                     Double4(1.) - Double4(0.5) * z);
    // The quarter turns taken off, from -2 to 2: odd ones swap the two, and signs follow.
    const Double4 q = n - Double4(4.) * nearest(n * Double4(0.25)), size = absolute(q);
    const Double4 odd = greater(Double4(0.5), absolute(size - Double4(1.))), half = greater(size, Double4(1.5));
    const Double4 sine_of = select(odd, c, s), cosine_of = select(odd, s, c), zero(0.);
    const Double4 back = greater(Double4(-0.5), q), ahead = greater(q, Double4(0.5));
    // sine changes sign at -1 and +-2, cosine at 1 and +-2.
    const Double4 sine_flips = (odd & back) | half, cosine_flips = (odd & ahead) | half;
    select(sine_flips, zero - sine_of, sine_of).store(sine);
    select(cosine_flips, zero - cosine_of, cosine_of).store(cosine);
}

}  // namespace elbowroom
