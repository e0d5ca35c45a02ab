// One oriented box against all lanes of a node, in single precision with a proven margin: the hot kernel of the
// library.
#pragma once
#include "elbowroom/math/lanes.hpp"
#include "elbowroom/math/rigid.hpp"
#include "elbowroom/volumes/obb.hpp"

namespace elbowroom {

/// A rigid transform in single precision, for boxes: the columns of the rotation, and the translation.
struct RigidFloat {
    Float4 column[3], translation;
    explicit RigidFloat(const Rigid& r) {
        for (int j = 0; j < 3; ++j) column[j] = four(r.rotation.column(j));
        translation = four(r.translation);
    }
    ELBOWROOM_INLINE Float4 turned(const float* v) const {
        return multiply_add(column[0], all_four(v[0]),
                            multiply_add(column[1], all_four(v[1]), column[2] * all_four(v[2])));
    }

private:
    static ELBOWROOM_INLINE Float4 four(Vec3 v) { return Float4{float(v.x), float(v.y), float(v.z), 0}; }
};

/// The part of a half-space that matters to what lies in a ball: from its plane down through the ball, or the plane
/// alone if the ball does not reach it. Along the normal, `middle` away from the centre of the ball. Across it the part
/// is as wide as the ball at least; under a linear map the nearest point may be anywhere on the plane.
struct HalfSpaceCut {
    double middle, half;
    ELBOWROOM_INLINE HalfSpaceCut(double height, double radius) {
        const double top = least(-height, radius), bottom = least(-height, -radius);
        middle = 0.5 * (top + bottom);
        half = 0.5 * (top - bottom);
    }
};
/// The box about a half-space: its centre lies on the plane, and the first axis is the normal.
ELBOWROOM_INLINE bool is_about_half_space(const float* record, bool leaf) {
    return leaf && record[3] >= float(unbounded);
}

/// One box of a tree, carried into the frame of the other tree; `record` is an ObbVolume as packed.
struct ObbProbe {
    alignas(16) float centre[4], axis[3][4];
    float half[3];
    ObbProbe() = default;
    ELBOWROOM_INLINE ObbProbe(const RigidFloat& to, const float* record) {
        *reinterpret_cast<Float4*>(centre) = to.turned(record) + to.translation;
        for (int k = 0; k < 3; ++k)
            *reinterpret_cast<Float4*>(axis[k]) = to.turned(record + 6 + 3 * k), half[k] = record[3 + k];
    }
    /// Against what lies within `radius` of the origin. A half-space is cut to what matters there.
    ELBOWROOM_INLINE ObbProbe(const RigidFloat& to, const float* record, bool leaf, double radius)
        : ObbProbe(to, record) {
        if (is_about_half_space(record, leaf)) [[unlikely]]
            cut(radius);
    }

private:
    void cut(double radius) {
        double height = 0;
        for (int i = 0; i < 3; ++i) height -= double(axis[0][i]) * centre[i];
        const HalfSpaceCut part(height, radius);
        for (int i = 0; i < 3; ++i) {
            centre[i] = float(axis[0][i] * part.middle);
            half[i] = float(i ? unbounded : part.half * (1 + 1e-6));
        }
    }
};

/// The boxes of one node: field by field, a lane a child.
template <int Width>
struct ObbLanes {
    alignas(32) float field[ObbVolume::fields][Width];
    unsigned valid = 0;  // one bit for each child that is there
    ELBOWROOM_INLINE Float8 get(int i) const {
        if constexpr (Width == 8)
            return Float8::load(field[i]);
        else
            return Float8::load_two(field[i]);
    }
    ELBOWROOM_INLINE Float8 centre(int i) const { return get(i); }
    ELBOWROOM_INLINE Float8 half(int i) const { return get(3 + i); }
    ELBOWROOM_INLINE Float8 axis(int j, int i) const { return get(6 + 3 * j + i); }
};

ELBOWROOM_INLINE Float8 dot(const float* a, Float8 x, Float8 y, Float8 z) {
    return multiply_add(Float8(a[0]), x, multiply_add(Float8(a[1]), y, Float8(a[2]) * z));
}

ELBOWROOM_INLINE Float8 sum_of_products(Float8 a, Float8 x, Float8 b, Float8 y, Float8 c, Float8 z, Float8 rest) {
    return multiply_add(a, x, multiply_add(b, y, multiply_add(c, z, rest)));
}

/// What one box knows of eight: the cosines between the axes, and the signed gaps along the three axes of either side.
struct ObbGaps {
    Float8 cosine[3][3], size[3][3], across[3], own[3], others[3], half[3], offset[3];

    template <int Width>
    ELBOWROOM_INLINE ObbGaps(const ObbProbe& one, const ObbLanes<Width>& many, float margin) {
        for (int i = 0; i < 3; ++i) {
            offset[i] = many.centre(i) - Float8(one.centre[i]);
            half[i] = many.half(i);
        }
        for (int j = 0; j < 3; ++j) {
            const Float8 x = many.axis(j, 0), y = many.axis(j, 1), z = many.axis(j, 2);
            for (int i = 0; i < 3; ++i) {
                cosine[i][j] = dot(one.axis[i], x, y, z);
                size[i][j] = absolute(cosine[i][j]);
            }
            const Float8 along = multiply_add(offset[0], x, multiply_add(offset[1], y, offset[2] * z));
            others[j] =
                absolute(along) - sum_of_products(Float8(one.half[0]), size[0][j], Float8(one.half[1]), size[1][j],
                                                  Float8(one.half[2]), size[2][j], half[j] + Float8(margin));
        }
        for (int i = 0; i < 3; ++i) {
            across[i] = dot(one.axis[i], offset[0], offset[1], offset[2]);
            own[i] = absolute(across[i]) - sum_of_products(half[0], size[i][0], half[1], size[i][1], half[2],
                                                           size[i][2], Float8(one.half[i] + margin));
        }
    }
    /// The largest signed gap: negative where the boxes overlap along all six axes, and then the less the deeper.
    ELBOWROOM_INLINE Float8 largest() const {
        return most(most(most(own[0], own[1]), own[2]), most(most(others[0], others[1]), others[2]));
    }
    /// The largest signed gap along the nine products of two axes. These are no longer than 1, so a positive one is no
    /// more than the true gap.
    ELBOWROOM_INLINE Float8 across_edges(const ObbProbe& one, float margin) const {
        Float8 worst(-1e30f);
        for (int i = 0; i < 3; ++i) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
            for (int j = 0; j < 3; ++j) {
                const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
                const Float8 along =
                    absolute(negated_multiply_add(across[i1], cosine[i2][j], across[i2] * cosine[i1][j]));
                const Float8 sizes = sum_of_products(Float8(one.half[i1]), size[i2][j], Float8(one.half[i2]),
                                                     size[i1][j], size[i][j1], half[j2], Float8(2 * margin));
                worst = most(worst, along - multiply_add(size[i][j2], half[j1], sizes));
            }
        }
        return worst;
    }
};

/// The lanes that may overlap the box: separating axes of Gottschalk, Lin and Manocha (1996), all 15 of them.
template <int Width>
ELBOWROOM_INLINE unsigned overlap_lanes(const ObbProbe& one, const ObbLanes<Width>& many, float margin, Float8& gap) {
    const ObbGaps g(one, many, margin);
    gap = g.largest();
    const unsigned faces = where_at_most(gap, Float8(0.f)) & many.valid;
    if (!faces) return 0;
    return faces & where_at_most(g.across_edges(one, margin), Float8(0.f));
}

ELBOWROOM_INLINE Float8 positive_square(Float8 x, Float8 sum) {
    x = most(x, Float8(0.f));
    return multiply_add(x, x, sum);
}

/// Lower bounds of the squared distances: the gaps along the three axes of one box are orthogonal; their squares add.
template <int Width>
ELBOWROOM_INLINE Float8 squared_gap_lanes(const ObbProbe& one, const ObbLanes<Width>& many, float margin, Float8& gap) {
    const ObbGaps g(one, many, margin);
    gap = g.largest();
    const Float8 zero(0.f);
    const Float8 from_own = positive_square(g.own[0], positive_square(g.own[1], positive_square(g.own[2], zero)));
    return most(from_own,
                positive_square(g.others[0], positive_square(g.others[1], positive_square(g.others[2], zero))));
}

/// The same, or the gap along an edge of either if that proves more: what `overlap_lanes` rules out has a bound above
/// 0.
template <int Width>
ELBOWROOM_INLINE Float8 squared_bound_lanes(const ObbProbe& one, const ObbLanes<Width>& many, float margin) {
    Float8 gap;
    const Float8 faces = squared_gap_lanes(one, many, margin, gap);
    return most(faces, positive_square(ObbGaps(one, many, margin).across_edges(one, margin), Float8(0.f)));
}

/// A linear map seen from the frame of one tree: distances are measured as |map (x - y)|.
struct LinearFloat {
    float map[3][3], normals[3][3];  // normals: the inverse transpose
    float doubt;                     // how much rounding may add to the square of a mapped normal
    LinearFloat() = default;
    explicit LinearFloat(const Mat3& m) {
        const Mat3 n = inverse_transposed(m);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                map[i][j] = float(m.row[i][j]);
                normals[i][j] = float(n.row[i][j]);
            }
        // A mapped unit normal is off by e <= 1e-6 |M^-T|, and (x + e)^2 <= 1.001 x^2 + 1001 e^2.
        doubt = float(1001e-12 * (length2(n.row[0]) + length2(n.row[1]) + length2(n.row[2])));
    }
    /// An upper bound of the squared length of a mapped normal, from its computed square.
    template <class T>
    ELBOWROOM_INLINE T at_most(T square) const {
        return square * T(1.001f) + T(doubt);
    }
};

/// The map of a distance query, seen from the frames of its two trees; none: plain distances.
struct LinearMaps {
    const LinearFloat *in_a = nullptr, *in_b = nullptr;
};

ELBOWROOM_INLINE float squared_length_of_mapped(const float m[3][3], const float* v) {
    float sum = 0;
    for (int k = 0; k < 3; ++k) {
        const float s = m[k][0] * v[0] + m[k][1] * v[1] + m[k][2] * v[2];
        sum += s * s;
    }
    return sum;
}

/// Lower bounds of the squared distances under a linear map M. Two bounds, the larger of which is taken, because either
/// alone is poor on some scenes: a gap g along the unit normal n is at least g / |M^-T n| after the map, and the mapped
/// boxes have gaps along the axes of the mapped space.
template <int Width>
ELBOWROOM_INLINE Float8 squared_gap_lanes(const ObbProbe& one, const ObbLanes<Width>& many, float margin,
                                          const LinearFloat& linear, Float8& gap) {
    const ObbGaps g(one, many, margin);
    gap = g.largest();
    const Float8 zero(0.f);
    Float8 bound(0.f), mapped_half[3] = {zero, zero, zero};
    for (int i = 0; i < 3; ++i) {
        const Float8 x = most(g.own[i], zero);
        bound = most(bound, x * x * Float8(1 / linear.at_most(squared_length_of_mapped(linear.normals, one.axis[i]))));
    }
    for (int j = 0; j < 3; ++j) {
        const Float8 x = many.axis(j, 0), y = many.axis(j, 1), z = many.axis(j, 2), gap_j = most(g.others[j], zero);
        Float8 norm(0.f);
        for (int k = 0; k < 3; ++k) {
            const Float8 s = dot(linear.normals[k], x, y, z);
            norm = multiply_add(s, s, norm);
            mapped_half[k] = multiply_add(absolute(dot(linear.map[k], x, y, z)), g.half[j], mapped_half[k]);
        }
        bound = most(bound, gap_j * gap_j / linear.at_most(norm));
    }
    Float8 from_extents(0.f);
    for (int k = 0; k < 3; ++k) {
        float own_half = 0, slack = 0;
        for (int i = 0; i < 3; ++i) {
            const float* a = one.axis[i];
            own_half +=
                std::fabs(linear.map[k][0] * a[0] + linear.map[k][1] * a[1] + linear.map[k][2] * a[2]) * one.half[i];
            slack += std::fabs(linear.map[k][i]);
        }
        const Float8 apart = absolute(dot(linear.map[k], g.offset[0], g.offset[1], g.offset[2]));
        from_extents = positive_square(apart - (mapped_half[k] + Float8(own_half + 2 * margin * slack)), from_extents);
    }
    return most(bound, from_extents) * Float8(0.99999f);
}

}  // namespace elbowroom
