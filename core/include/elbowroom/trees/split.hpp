// The binary tree from which the flat one is made: top down, each set of items cut where the two halves get the
// smallest volumes.
#pragma once
#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "elbowroom/interruption.hpp"
#include "elbowroom/trees/items.hpp"

namespace elbowroom {

struct BinaryNode {
    int left = -1, right = -1, first = 0, count = 0;
    bool is_leaf() const { return left < 0; }
};

template <class Volume>
struct BinaryTree {
    std::vector<BinaryNode> nodes;
    std::vector<Volume> volumes;
    std::vector<int> order;
};

/// Settings of the builder.
struct SplitOptions {
    int leaf_items = 2;
    int judged_items = 3000;   // sets up to this size have their candidate cuts judged by the volumes themselves
    bool rough = false;        // volumes fitted with less care, for trees that do not live long
    bool keep_copies = false;  // items that are all the same share a leaf, however many they are
};

template <class Volume>
class Splitter {
public:
    Splitter(const Items& items, Vec3 shift, SplitOptions options) : items_(items), shift_(shift), options_(options) {}

    BinaryTree<Volume> run() {
        tree_.order.resize(items_.count);
        std::iota(tree_.order.begin(), tree_.order.end(), 0);
        area_after_.resize(items_.count);
        grow(0, items_.count);
        return std::move(tree_);
    }

private:
    using Extent = std::array<double, 6>;  // low x y z, high x y z
    const Items& items_;
    const Vec3 shift_;
    const SplitOptions options_;
    BinaryTree<Volume> tree_;
    GatheredBalls gathered_;
    std::vector<double> area_after_;
    Poll poll_{4096};

    int grow(int first, int count) {
        check_interruption();
        const int me = int(tree_.nodes.size());
        tree_.nodes.push_back({-1, -1, first, count});
        tree_.volumes.push_back(Volume::fit(gathered_.of(items_, &tree_.order[first], count, shift_), options_.rough));
        if (count > options_.leaf_items && !(options_.keep_copies && items_.are_copies(&tree_.order[first], count))) {
            const int cut = arrange(first, count);
            const int left = grow(first, cut), right = grow(first + cut, count - cut);
            tree_.nodes[me].left = left;
            tree_.nodes[me].right = right;
        }
        return me;
    }

    /// Cost of a set in terms of whole leaves.
    double leaves(int count) const { return double((count + options_.leaf_items - 1) / options_.leaf_items); }

    /// Sorts the set so that the best cut is a position, and returns it. Cuts are swept along the coordinate axes and
    /// the principal axes; the best of each axis is then judged by the fitted volumes (all cuts by boxes when the set
    /// is large).
    int arrange(int first, int count) {
        const std::vector<int> set(tree_.order.begin() + first, tree_.order.begin() + first + count);
        const bool judged = count <= options_.judged_items;
        const Mat3 frames[2] = {Mat3::identity(), principal_axes(gathered_.of(items_, set.data(), count, shift_))};
        double best = far_away;
        int best_cut = count / 2;
        std::vector<int> sorted(count), ids(count);
        for (const Mat3& frame : frames) {
            const std::vector<Extent> extents = extents_along(set, frame);
            for (int axis = 0; axis < 3; ++axis) {
                double cost;
                const int cut = sweep(extents, axis, sorted, set, cost);
                for (int i = 0; i < count; ++i) ids[i] = set[sorted[i]];
                if (judged) cost = fitted_cost(ids, 0, cut) + fitted_cost(ids, cut, count - cut);
                if (cost < best) {
                    best = cost;
                    best_cut = cut;
                    std::copy(ids.begin(), ids.end(), tree_.order.begin() + first);
                }
            }
        }
        return best_cut;
    }
    double fitted_cost(const std::vector<int>& ids, int first, int count) {
        return Volume::fit(gathered_.of(items_, &ids[first], count, shift_), true).cost() * leaves(count);
    }
    std::vector<Extent> extents_along(const std::vector<int>& set, const Mat3& frame) {
        std::vector<Extent> out(set.size());
        for (std::size_t s = 0; s < set.size(); ++s) {
            poll_();
            Vec3 low{far_away, far_away, far_away}, high = -low;
            for (int i = items_.first[set[s]]; i < items_.first[set[s] + 1]; ++i) {
                const Vec3 x = frame * (items_.points[i] - shift_);
                low = lower_of(low, x);
                high = upper_of(high, x);
            }
            const double r = items_.radius_of(set[s]);
            for (int k = 0; k < 3; ++k) {
                out[s][k] = low[k] - r;
                out[s][3 + k] = high[k] + r;
            }
        }
        return out;
    }
    /// The best cut along one axis, by areas of boxes in this frame from either side; `sorted` receives the order.
    int sweep(const std::vector<Extent>& extents, int axis, std::vector<int>& sorted, const std::vector<int>& set,
              double& cost) {
        const int count = int(extents.size());
        std::iota(sorted.begin(), sorted.end(), 0);
        std::sort(sorted.begin(), sorted.end(), [&](int x, int y) {
            poll_();
            const double u = extents[x][axis] + extents[x][3 + axis], v = extents[y][axis] + extents[y][3 + axis];
            return u != v ? u < v : set[x] < set[y];
        });
        Extent box;
        auto restart = [&] {
            for (int k = 0; k < 3; ++k) {
                box[k] = far_away;
                box[3 + k] = -far_away;
            }
        };
        auto add = [&](int i) {
            for (int k = 0; k < 3; ++k) {
                box[k] = least(box[k], extents[i][k]);
                box[3 + k] = most(box[3 + k], extents[i][3 + k]);
            }
            const double x = box[3] - box[0], y = box[4] - box[1], z = box[5] - box[2];
            return 0.25 * (x * y + y * z + z * x);
        };
        restart();
        for (int i = count - 1; i > 0; --i) area_after_[i] = add(sorted[i]);
        restart();
        cost = far_away;
        int cut = 0;
        for (int i = 1; i < count; ++i) {
            const double c = add(sorted[i - 1]) * leaves(i) + area_after_[i] * leaves(count - i);
            const bool as_good =
                c == cost && std::abs(2 * i - count) < std::abs(2 * cut - count);  // then in the middle
            if (c < cost || as_good) {
                cost = c;
                cut = i;
            }
        }
        return cut;
    }
};

}  // namespace elbowroom
