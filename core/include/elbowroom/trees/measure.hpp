// Fits the volumes of a tree whose form is made.
#pragma once
#include "elbowroom/interruption.hpp"
#include "elbowroom/trees/flat_tree.hpp"
#include "elbowroom/trees/split.hpp"
#include "elbowroom/volumes/box_axes.hpp"

namespace elbowroom {

/// Sets `below` of a record and those under it.
template <class Tree>
std::int32_t count_below(Tree& tree, int record) {
    const auto& r = tree.records[record];
    std::int32_t sum = r.is_leaf() ? tree.leaves[r.leaf()].count : 0;
    for (int k = 0; !r.is_leaf() && k < Tree::width; ++k)
        if (tree.lanes[r.child].valid >> k & 1) sum += count_below(tree, r.child * Tree::width + k);
    return tree.below[record] = sum;
}

template <class Tree>
bool is_used(const Tree& tree, int record) {
    return tree.lanes[record / Tree::width].valid >> record % Tree::width & 1;
}

/// The place in `order` of the first item below a record: what lies below stands together.
template <class Tree>
std::int32_t first_below(const Tree& tree, int record) {
    while (!tree.records[record].is_leaf()) record = tree.records[record].child * Tree::width;
    return tree.leaves[tree.records[record].leaf()].first;
}

/// Calls fit(record, first, count) for all records, some after the other and some at once; `below` must be set.
template <class Tree, class Fit>
void for_each_record(const Tree& tree, const Spread& spread, Fit&& fit) {
    constexpr int run = 1024;
    const int records = int(tree.records.size());
    spread((records + run - 1) / run, [&](int part) {
        auto own = fit;  // with memory of its own
        for (int r = part * run; r < least(records, (part + 1) * run); ++r) {
            if (r % 64 == 0) check_interruption();
            if (is_used(tree, r)) own(r, first_below(tree, r), tree.below[r]);
        }
    });
}

/// What lies along the three axes of a record, in double: from them the box is made so that no point sticks out.
class BoxSides {
public:
    explicit BoxSides(const float* field)
        : axis_(field + 6),
          x_(axis_[0], axis_[3], axis_[6], 0),
          y_(axis_[1], axis_[4], axis_[7], 0),
          z_(axis_[2], axis_[5], axis_[8], 0),
          low_(far_away),
          high_(-far_away) {}
    ELBOWROOM_INLINE void add(Vec3 p, double radius) {
        const Double4 s = along(p), r(radius);
        low_ = least(low_, s - r), high_ = most(high_, s + r);
    }
    ELBOWROOM_INLINE void add(Vec3 p) {
        const Double4 s = along(p);
        low_ = least(low_, s), high_ = most(high_, s);
    }
    /// Another box, as a record has it.
    void add_box(const float* field) {
        const Double4 s = along({field[0], field[1], field[2]});
        Double4 r(0.);
        for (int j = 0; j < 3; ++j) {
            const float* const other = field + 6 + 3 * j;
            r = multiply_add(absolute(along({other[0], other[1], other[2]})), Double4(field[3 + j]), r);
        }
        low_ = least(low_, s - r), high_ = most(high_, s + r);
    }
    void set(float* field, double slack) const {
        double low[4], high[4], middle[3] = {};
        low_.store(low), high_.store(high);
        for (int i = 0; i < 3; ++i) {
            double c = 0;
            for (int k = 0; k < 3; ++k) c += 0.5 * (low[k] + high[k]) * double(axis_[3 * k + i]);
            field[i] = float(c);
            for (int k = 0; k < 3; ++k) middle[k] += double(axis_[3 * k + i]) * double(field[i]);
        }
        for (int k = 0; k < 3; ++k)
            field[3 + k] = float(most(high[k] - middle[k], middle[k] - low[k]) * (1 + 3e-7) + slack);
    }

private:
    const float* const axis_;
    const Double4 x_, y_, z_;
    Double4 low_, high_;

    ELBOWROOM_INLINE Double4 along(Vec3 p) const {
        return multiply_add(x_, Double4(p.x), multiply_add(y_, Double4(p.y), z_ * Double4(p.z)));
    }
};

/// Measures the box of a record along the axes that it has.
template <class Tree>
void measure_box(Tree& tree, const Items& items, int record, std::int32_t first, std::int32_t count) {
    float* const field = tree.records[record].field;
    BoxSides sides(field);
    Poll poll(4096);
    for (std::int32_t i = first; i < first + count; ++i) {
        poll();
        const std::int32_t item = tree.order[i];
        const double r = items.radius_of(item);
        const int last = items.first[item + 1];
        int k = items.first[item];
        if (r == 0)
            for (; k < last; ++k) sides.add(items.points[k] - tree.origin);
        for (; k < last; ++k) sides.add(items.points[k] - tree.origin, r);
    }
    sides.set(field, tree.slack());
    tree.copy_to_lane(record);
}

/// Measures all boxes along the axes that they have.
template <class Tree>
void measure_boxes(Tree& tree, const Items& items, const Spread& spread) {
    for_each_record(tree, spread, [&](int record, std::int32_t first, std::int32_t count) {
        measure_box(tree, items, record, first, count);
    });
}

/// The axes as they are kept: a rotation, but for their own rounding. The search for them has lost digits.
inline void set_axes(float* field, const FloatAxes& axes) {
    auto row = [&](int k) { return Vec3{axes.row[k][0], axes.row[k][1], axes.row[k][2]}; };
    Mat3 m;
    m.row[0] = normalised(row(0), {1, 0, 0});
    m.row[1] = normalised(row(1) - m.row[0] * dot(row(1), m.row[0]), perpendicular(m.row[0]));
    m.row[2] = cross(m.row[0], m.row[1]);
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i) field[6 + 3 * k + i] = float(m.row[k][i]);
}

/// Fits a volume to the items below a record. Boxes: the record has the principal axes, and the best turn of these is
/// searched for, with more care for few balls, where a tight box pays most.
template <class Tree>
class FitRecord {
public:
    using Volume = typename Tree::Volume;
    FitRecord(Tree& tree, const Items& items, bool rough) : tree_(tree), items_(items), rough_(rough) {}

    void operator()(int record, std::int32_t first, std::int32_t count) {
        const std::int32_t* const which = &tree_.order[first];
        if constexpr (std::is_same_v<Volume, ObbVolume>) {
            float* const field = tree_.records[record].field;
            FloatAxes axes;
            for (int k = 0; k < 2; ++k)
                for (int i = 0; i < 3; ++i) axes.row[k][i] = field[6 + 3 * k + i];
            axes.complete();
            const RoughBalls balls = gather(which, count);
            if (rough_)
                axes = AxesSearch(balls, axes).axes;
            else
                axes = AxesSearch(balls, axes, balls.count <= 4096 ? 2 : 1).axes;
            set_axes(field, axes);
            measure_box(tree_, items_, record, first, count);
        } else {
            Volume::fit(exact_.of(items_, which, count, tree_.origin), rough_)
                .pack(tree_.records[record].field, tree_.slack());
            tree_.copy_to_lane(record);
        }
    }

private:
    Tree& tree_;
    const Items& items_;
    const bool rough_;
    GatheredBalls exact_;
    std::vector<RoughBall> balls_;

    RoughBalls gather(const std::int32_t* which, std::int32_t count) {
        balls_.clear();
        bool points = true;
        const double scale = tree_.radius > 0 ? 1 / tree_.radius : 1;
        for (std::int32_t i = 0; i < count; ++i) {
            const float r = rough(items_.radius_of(which[i]) * scale);
            points = points && r == 0;
            for (int k = items_.first[which[i]]; k < items_.last_place(which[i]); ++k) {
                const Vec3 p = (items_.points[k] - tree_.origin) * scale;
                balls_.push_back({rough(p.x), rough(p.y), rough(p.z), r});
            }
        }
        return {balls_.data(), int(balls_.size()), points};
    }
};

}  // namespace elbowroom
