#pragma once
#include "elbowroom/volumes/balls.hpp"

namespace elbowroom {

struct SphereVolume {
    Vec3 centre;
    double radius = 0;

    /// Nearly the smallest: the centre walks towards the farthest ball by shrinking steps (Badoiu & Clarkson 2003).
    static SphereVolume fit(const Balls& balls, bool /*rough*/ = false) {
        auto farthest = [&](Vec3 c, double& reach) {
            int k = 0;
            reach = -1;
            for (int i = 0; i < balls.count; ++i)
                if (const double d = length(balls.centre[i] - c) + balls.radius_of(i); d > reach) {
                    reach = d;
                    k = i;
                }
            return k;
        };
        SphereVolume best;
        Vec3 c = balls.centre[0];
        best.radius = far_away;
        for (int step = 1; step <= 64; ++step) {
            double reach;
            const int k = farthest(c, reach);
            if (reach < best.radius) best = {c, reach};
            const Vec3 to = balls.centre[k] - c;
            const double d = length(to);
            if (!(d > 0)) break;
            c = c + to * ((1.0 / (step + 1)) * (d + balls.radius_of(k)) / d);
        }
        return best;
    }
    int balls(Vec3* c, double* r) const { return c[0] = centre, r[0] = radius, 1; }
    SphereVolume merged(const SphereVolume& o) const {
        const double d = length(o.centre - centre);
        if (d + o.radius <= radius) return *this;
        if (d + radius <= o.radius) return o;
        const double r = 0.5 * (d + radius + o.radius);
        return {centre + (o.centre - centre) * ((r - radius) / d), r};
    }
    double separation(const SphereVolume& o) const { return most(0.0, length(o.centre - centre) - radius - o.radius); }
    double excess(Vec3 point, double r) const { return length(point - centre) + r - radius; }
    double cost() const { return radius * radius; }

    static constexpr int fields = 4;
    void pack(float* f, double slack) const {
        for (int k = 0; k < 3; ++k) f[k] = float(centre[k]);
        f[3] = float(radius + slack);
    }
    static SphereVolume unpack(const float* f) { return {{f[0], f[1], f[2]}, f[3]}; }
};

}  // namespace elbowroom
