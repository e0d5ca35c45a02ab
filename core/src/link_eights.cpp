#include "elbowroom/trees/link_eights.hpp"

namespace elbowroom {

LinkEights::LinkEights(const std::vector<CarriedBox>& shapes) : shape_(shapes.size()), local_(shapes.size()) {
    take(shapes);
}

/// The boxes in their frames, in single precision; the frames may be those of joints or of links.
void LinkEights::take(const std::vector<CarriedBox>& shapes) {
    taken_ = shapes.data();
    arm_ = 0;
    for (std::size_t i = 0; i < shapes.size(); ++i)
        for (int k = 0; k < 3; ++k) {
            shape_[i].sides[k] = shapes[i].half[k];
            for (int j = 0; j < 4; ++j) local_[i].row[k][j] = float(shapes[i].local.at[k][j]);
            arm_ = most(arm_, std::fabs(local_[i].row[k][3]));
        }
}

unsigned LinkEights::refit(const std::vector<CarriedBox>& shapes, const double* const* frames, int stride,
                           bool doubtful, std::ptrdiff_t ahead) {
    if (shapes.empty()) return 255u;
    if (taken_ != shapes.data()) take(shapes);
    for (int lane = 0; lane < 8; ++lane) {
        const double* first = frames[lane] + std::ptrdiff_t(stride) * shapes[0].frame;
        origin_[lane] = {first[3], first[7], first[11]};
    }
    unsigned good = 255u;
    Float8 x[8], y[8], extent(0.f), finite(0.f);
    std::int32_t frame = -1;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        if (shapes[i].frame != frame) {
            frame = shapes[i].frame;
            for (int lane = 0; lane < 8; ++lane) {
                const double* p = frames[lane] + std::ptrdiff_t(stride) * frame;
                if (ahead) {
                    __builtin_prefetch(p + ahead);
                    __builtin_prefetch(p + ahead + 8);
                }
                if (doubtful && lanes_of(different(Double4::load(p + 12), Double4(0, 0, 0, 1)))) good &= ~(1u << lane);
                const Vec3 o = origin_[lane];
                x[lane] =
                    to_floats(Double4::load(p) - Double4(0, 0, 0, o.x), Double4::load(p + 4) - Double4(0, 0, 0, o.y));
                const Float4 third = to_floats(Double4::load(p + 8) - Double4(0, 0, 0, o.z));
                y[lane] = joined(third, third);
            }
            transpose(x);
            transpose(y);
            if (doubtful) good &= where_at_most(rotation_errors(x, y), Float8(2e-6f));
        }
        ShapeEight& shape = shape_[i];
        put(shapes[i], local_[i], x, y, shape);
        for (int k = 0; k < 3; ++k) {
            const Float8 far = absolute(shape.centre(k)) + Float8::load(shape.reach[k]);
            finite = finite + far;
            extent = most(extent, far);
        }
    }
    good &= where_at_most(finite, Float8(1e18f)) & where_at_most(extent, Float8(1e14f));
    (extent + Float8(2 * arm_)).store(extent_);
    for (int lane = 0; lane < 8; ++lane)
        if (!(largest(absolute(origin_[lane])) < 1e14)) good &= ~(1u << lane);
    return good;
}

ELBOWROOM_INLINE void LinkEights::put(const CarriedBox& carried, const Local& local, const Float8* x, const Float8* y,
                                      ShapeEight& out) const {
    Float8 reach[3] = {Float8(0.f), Float8(0.f), Float8(0.f)};
    for (int k = 0; k < 3; ++k) {
        const Float8* r = k < 2 ? x + 4 * k : y;
        Float8 axis[3], centre = r[3];
        for (int i = 0; i < 3; ++i)
            axis[i] = carried.aligned
                          ? r[i]
                          : multiply_add(r[0], Float8(local.row[0][i]),
                                         multiply_add(r[1], Float8(local.row[1][i]), r[2] * Float8(local.row[2][i])));
        if (!carried.aligned)
            centre = multiply_add(
                r[0], Float8(local.row[0][3]),
                multiply_add(r[1], Float8(local.row[1][3]), multiply_add(r[2], Float8(local.row[2][3]), centre)));
        for (int i = 0; i < 3; ++i) {
            axis[i].store(out.direction[3 * i + k]);
            reach[k] = multiply_add(absolute(axis[i]), Float8(out.sides[i]), reach[k]);
        }
        centre.store(out.at[k]);
        reach[k].store(out.reach[k]);
    }
}

}  // namespace elbowroom
