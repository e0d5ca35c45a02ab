#pragma once
#include "elbowroom/math/mat3.hpp"

namespace elbowroom {

/// Eigenvectors of a symmetric matrix, as rows, by Jacobi rotations; `values` receives the eigenvalues, largest first.
inline Mat3 eigenvectors(const Mat3& symmetric, double values[3]) {
    double a[3][3], q[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            a[i][j] = symmetric.row[i][j];
            q[i][j] = i == j;
        }
    for (int sweep = 0; sweep < 30; ++sweep) {
        const double off = a[0][1] * a[0][1] + a[0][2] * a[0][2] + a[1][2] * a[1][2];
        const double size = a[0][0] * a[0][0] + a[1][1] * a[1][1] + a[2][2] * a[2][2];
        if (!(off > 1e-30 * size)) break;
        for (int p = 0; p < 2; ++p)
            for (int r = p + 1; r < 3; ++r) {
                if (a[p][r] == 0) continue;
                const double theta = (a[r][r] - a[p][p]) / (2 * a[p][r]);
                const double t = (theta >= 0 ? 1 : -1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
                const double c = 1 / std::sqrt(t * t + 1), s = t * c;
                auto turn = [&](double& x, double& y) {
                    const double u = x, v = y;
                    x = c * u - s * v;
                    y = s * u + c * v;
                };
                for (int k = 0; k < 3; ++k) turn(a[k][p], a[k][r]);
                for (int k = 0; k < 3; ++k) turn(a[p][k], a[r][k]);
                for (int k = 0; k < 3; ++k) turn(q[k][p], q[k][r]);
            }
    }
    int order[3] = {0, 1, 2};
    auto by_value = [&](int i, int j) {
        if (a[order[i]][order[i]] < a[order[j]][order[j]]) {
            const int k = order[i];
            order[i] = order[j];
            order[j] = k;
        }
    };
    by_value(0, 1);
    by_value(1, 2);
    by_value(0, 1);
    Mat3 out;
    for (int i = 0; i < 3; ++i) {
        out.row[i] = {q[0][order[i]], q[1][order[i]], q[2][order[i]]};
        values[i] = a[order[i]][order[i]];
    }
    out.row[2] = cross(out.row[0], out.row[1]);  // right-handed
    return out;
}

}  // namespace elbowroom
