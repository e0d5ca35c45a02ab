// Which shapes of articulated bodies are near each other, in eight configurations at once.
#pragma once
#include <cstdint>
#include <vector>

#include "elbowroom/trees/link_eights.hpp"

namespace elbowroom {

/// Two shapes, and in which of the eight configurations their boxes overlap.
struct EightNear {
    std::int32_t a, b;
    unsigned lanes;
};

class AcrossEights {
public:
    /// The two bodies are in one world in each lane; they may be one body.
    AcrossEights(const LinkEights& a, const LinkEights& b) : a_(a), b_(b) {
        alignas(32) float shift[3][8], away[8];
        for (int lane = 0; lane < 8; ++lane) {
            const Vec3 p = a.origin(lane), q = b.origin(lane);
            for (int k = 0; k < 3; ++k) shift[k][lane] = float(q[k] - p[k]);
            away[lane] = float(1e-13 * (largest(absolute(p)) + largest(absolute(q))));
        }
        Float8 size = a.extent() + b.extent();
        for (int k = 0; k < 3; ++k) {
            shift_[k] = Float8::load(shift[k]);
            size = size + absolute(shift_[k]);
        }
        margin_ = multiply_add(size, Float8(4e-6f), Float8::load(away));  // as for blocks
    }

    /// Adds the pairs of shape i with those that `others` names, from `first` to `last`, whose boxes along the axes
    /// overlap in one of the lanes.
    void find(std::int32_t i, const std::int32_t* first, const std::int32_t* last, unsigned lanes,
              std::vector<EightNear>& near) const {
        const ShapeEight& x = a_.shape(i);
        Float8 centre[3], reach[3];
        for (int k = 0; k < 3; ++k) {
            centre[k] = x.centre(k) - shift_[k];
            reach[k] = Float8::load(x.reach[k]) + margin_;
        }
        for (; first != last; ++first) {
            const ShapeEight& y = b_.shape(*first);
            unsigned both = lanes;
            for (int k = 0; k < 3; ++k)
                both &= where_at_most(absolute(y.centre(k) - centre[k]), Float8::load(y.reach[k]) + reach[k]);
            if (both) near.push_back({i, *first, both});
        }
    }
    /// The same pairs by their oriented boxes.
    BoxVerdicts compare(const EightNear& pair) const {
        BoxVerdicts found = elbowroom::compare(a_.shape(pair.a), b_.shape(pair.b), shift_, margin_);
        found.near &= pair.lanes;
        found.certain &= pair.lanes;
        return found;
    }

private:
    const LinkEights &a_, &b_;
    Float8 shift_[3], margin_;
};

}  // namespace elbowroom
