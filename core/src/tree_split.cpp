#include "elbowroom/trees/split.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "elbowroom/interruption.hpp"
#include "elbowroom/volumes/box_axes.hpp"

namespace elbowroom {

namespace {

/// The balls of all items in single precision, about the middle and as parts of the size.
struct SearchBalls {
    const Items& items;
    std::vector<RoughBall> balls;
    bool points = true;

    SearchBalls(const Items& all, Vec3 middle, double size) : items(all), balls(std::size_t(all.first[all.count])) {
        const double scale = size > 0 ? 1 / size : 1;
        Poll poll(4096);
        for (int i = 0; i < all.count; ++i) {
            poll();
            const float r = rough(all.radius_of(i) * scale);
            points = points && r == 0;
            for (int k = all.first[i]; k < all.first[i + 1]; ++k) {
                const Vec3 p = (all.points[k < all.last_place(i) ? k : all.first[i]] - middle) * scale;
                balls[std::size_t(k)] = {rough(p.x), rough(p.y), rough(p.z), r};
            }
        }
    }
    int size_of(int item) const { return items.first[item + 1] - items.first[item]; }
    const RoughBall* of(int item) const { return &balls[std::size_t(items.first[item])]; }
};

/// Where a set is cut, and what is known of the halves.
struct Cut {
    int at = 0;
    bool judged = false;
    float cost[2];
    FloatAxes axes[2];
};

/// Cuts sets, one after the other.
class Cutter {
public:
    Cutter(const SearchBalls& balls, const SplitOptions& options)
        : balls_(balls), options_(options), careful_(balls.items.count <= careful_items) {}

    /// Sorts the set so that the best cut is a position. Cuts are swept along the coordinate axes and the principal
    /// axes; the best of each axis is then judged by fitted boxes (all cuts by boxes along the axes when the set is
    /// large).
    Cut arrange(std::int32_t* set, int count, const FloatAxes& principal) {
        const bool judged = count <= options_.judged_items;
        start(count);
        if (judged) measure_moments(set, count);
        Cut best;
        float best_cost = 1e30f;
        int best_way = -1, ways = 0;
        for (const FloatAxes& axes : {FloatAxes{}, principal}) {
            measure_shadows(set, count, axes);
            count > (careful_ ? options_.judged_items : sorted_items) ? sweep_bins(count, &ways_[ways])
                                                                      : sweep_sorted(set, count, &ways_[ways]);
            ways += 3;
        }
        if (judged) {
            judge(set, count);
            for (int w = 0; w < 6; ++w)
                if (ways_[w].cut && ways_[w].judged[0] + ways_[w].judged[1] < best_cost)
                    best_cost = ways_[w].judged[0] + ways_[w].judged[1], best_way = w;
        } else {
            for (int w = 0; w < 6; ++w)
                if (ways_[w].cut && ways_[w].cost < best_cost) best_cost = ways_[w].cost, best_way = w;
        }
        if (best_way < 0) {  // they lie all in one place
            std::sort(set, set + count);
            best.at = count / 2;
            return best;
        }
        const Way& way = ways_[best_way];
        best.at = way.cut;
        best.judged = judged;
        for (int side = 0; judged && side < 2; ++side) {
            const int items = side ? count - way.cut : way.cut;
            best.cost[side] = way.judged[side] / leaves(items), best.axes[side] = way.axes[side];
        }
        before_.assign(set, set + count);
        for (int i = 0; i < count; ++i) set[i] = before_[std::size_t(way.order[i])];
        return best;
    }
    /// Principal axes and the cost of a box, of a set of which nothing is known.
    FloatAxes axes_of(const std::int32_t* set, int count, float& cost) {
        Moments all;
        const Float4 from = balls_.of(set[0])->lanes();
        double sums[3][4] = {};
        auto flush = [&] {
            for (int k = 0; k < 4; ++k)
                sums[0][k] += double(all.sum[k]), sums[1][k] += double(all.squares[k]),
                    sums[2][k] += double(all.products[k]);
            all = {};
        };
        for (int i = 0; i < count; ++i) {
            poll_();
            const RoughBall* const ball = balls_.of(set[i]);
            for (int k = 0; k < balls_.size_of(set[i]); ++k) all.add(ball[k].lanes() - from);
            if (i % 256 == 255) flush();
        }
        flush();
        for (int k = 0; k < 4; ++k) {  // as parts of their number, about the mean
            const int next = (k + 1) % 3;
            const double n = sums[0][3], mean = sums[0][k] / n, other = sums[0][next] / n;
            all.sum[k] = k == 3;
            all.squares[k] = float(sums[1][k] / n - mean * mean);
            all.products[k] = k == 3 ? 0 : float(sums[2][k] / n - mean * other);
        }
        const FloatAxes axes = principal_axes(all);
        const AxisShadows own{FloatAxes{}}, turned(axes);
        Float8 low = AxisShadows::nothing(), other = low;
        for (int i = 0; i < count; ++i) {
            poll_();
            const RoughBall* const ball = balls_.of(set[i]);
            for (int k = 0; k < balls_.size_of(set[i]); ++k)
                low = least(low, own.of(ball[k])), other = least(other, turned.of(ball[k]));
        }
        cost = least(AxisShadows::cost(low), AxisShadows::cost(other));
        return axes;
    }

private:
    /// Trees of so many items are made with all care: they are asked about more often than they are built.
    static constexpr int careful_items = 20'000;
    static constexpr int sorted_items = 40, bins = 32, few_balls = 96, judged_ways = 4;
    static constexpr float hopeless = 1.3f;  // a way that is so much worse by the sweep is not judged
    struct Way {
        std::vector<std::int32_t> order;  // the set by numbers from 0
        int cut;                          // 0: there is none
        float cost;
        float judged[2];
        FloatAxes axes[2];
    };
    struct Key {
        float middle;
        std::int32_t item, number;
        bool operator<(const Key& o) const { return middle != o.middle ? middle < o.middle : item < o.item; }
    };
    struct Bin {
        Float8 shadows = AxisShadows::nothing();
        int items = 0;
    };
    const SearchBalls& balls_;
    const SplitOptions& options_;
    const bool careful_;
    Way ways_[6];
    std::vector<Float8> shadows_;
    std::vector<Moments> moments_;
    std::vector<float> middles_[3], area_after_;
    std::vector<std::uint8_t> bin_of_[3];
    std::vector<std::int32_t> before_;
    std::vector<Key> keys_;
    std::vector<RoughBall> gathered_;
    Poll poll_{4096};

    /// Cost of a set in terms of whole leaves.
    float leaves(int count) const { return float((count + options_.leaf_items - 1) / options_.leaf_items); }

    void start(int count) {
        const std::size_t n = std::size_t(count);
        if (shadows_.size() >= n) return;
        shadows_.resize(n), keys_.resize(n), area_after_.resize(n);
        for (int k = 0; k < 3; ++k) middles_[k].resize(n), bin_of_[k].resize(n);
        for (Way& w : ways_) w.order.resize(n);
    }
    void measure_moments(const std::int32_t* set, int count) {
        if (moments_.size() < std::size_t(count)) moments_.resize(std::size_t(count));
        const Float4 from = balls_.of(set[0])->lanes();
        for (int i = 0; i < count; ++i) {
            const RoughBall* const ball = balls_.of(set[i]);
            Moments m;
            for (int k = 0; k < balls_.size_of(set[i]); ++k) m.add(ball[k].lanes() - from);
            moments_[std::size_t(i)] = m;
        }
    }
    void measure_shadows(const std::int32_t* set, int count, const FloatAxes& axes) {
        const AxisShadows along(axes);
        for (int i = 0; i < count; ++i) {
            poll_();
            const RoughBall* const ball = balls_.of(set[i]);
            Float8 s = along.of(*ball);
            for (int k = 1; k < balls_.size_of(set[i]); ++k) s = least(s, along.of(ball[k]));
            shadows_[std::size_t(i)] = s;
            float v[8];
            s.store(v);
            for (int k = 0; k < 3; ++k) middles_[k][std::size_t(i)] = v[k] - v[4 + k];
        }
    }
    /// The best cut between bins along each of three axes, by areas of boxes in this frame.
    void sweep_bins(int count, Way* ways) {
        Bin bin[3][bins];
        float low[3], scale[3];
        for (int k = 0; k < 3; ++k) {
            const auto [a, b] = std::minmax_element(middles_[k].begin(), middles_[k].begin() + count);
            low[k] = *a;
            scale[k] = *b - *a > 1e-30f ? float(bins) * 0.999999f / (*b - *a) : 0.f;
        }
        for (int i = 0; i < count; ++i) {
            poll_();
            const std::size_t s = std::size_t(i);
            for (int k = 0; k < 3; ++k) {
                const float place = (middles_[k][s] - low[k]) * scale[k];
                const int b = place > 0 ? int(least(place, float(bins - 1))) : 0;
                bin_of_[k][s] = std::uint8_t(b);
                Bin& to = bin[k][b];
                to.shadows = least(to.shadows, shadows_[s]);
                ++to.items;
            }
        }
        for (int k = 0; k < 3; ++k) {
            float after[bins];
            int items_after[bins], items = 0, best = 0;
            Float8 sum = AxisShadows::nothing();
            for (int b = bins - 1; b > 0; --b) {
                sum = least(sum, bin[k][b].shadows), items += bin[k][b].items;
                after[b] = items ? AxisShadows::cost(sum) : 0.f, items_after[b] = items;
            }
            sum = AxisShadows::nothing();
            ways[k].cost = 1e30f, ways[k].cut = 0;
            for (int b = 1; b < bins; ++b) {
                sum = least(sum, bin[k][b - 1].shadows);
                if (!bin[k][b - 1].items || !items_after[b]) continue;
                take(ways[k], AxisShadows::cost(sum), after[b], count - items_after[b], count, b, best);
            }
            if (!ways[k].cut) continue;
            std::int32_t *left = ways[k].order.data(), *right = left + ways[k].cut;
            for (int i = 0; i < count; ++i) *(bin_of_[k][std::size_t(i)] < best ? left : right)++ = i;
        }
    }
    /// The same with all cuts.
    void sweep_sorted(const std::int32_t* set, int count, Way* ways) {
        for (int k = 0; k < 3; ++k) {
            for (int i = 0; i < count; ++i) keys_[std::size_t(i)] = {middles_[k][std::size_t(i)], set[i], i};
            sort_keys(count);
            Way& way = ways[k];
            Float8 sum = AxisShadows::nothing();
            for (int i = count - 1; i > 0; --i) {
                sum = least(sum, shadows_[std::size_t(keys_[std::size_t(i)].number)]);
                area_after_[std::size_t(i)] = AxisShadows::cost(sum);
            }
            sum = AxisShadows::nothing();
            way.cost = 1e30f, way.cut = 0;
            int best = 0;
            for (int i = 1; i < count; ++i) {
                const int number = way.order[std::size_t(i - 1)] = keys_[std::size_t(i - 1)].number;
                sum = least(sum, shadows_[std::size_t(number)]);
                take(way, AxisShadows::cost(sum), area_after_[std::size_t(i)], i, count, i, best);
            }
            way.order[std::size_t(count - 1)] = keys_[std::size_t(count - 1)].number;
        }
    }
    void sort_keys(int count) {
        Key* const keys = keys_.data();
        if (count > 16) return std::sort(keys, keys + count);
        for (int i = 1; i < count; ++i) {
            const Key key = keys[i];
            int j = i;
            for (; j > 0 && key < keys[j - 1]; --j) keys[j] = keys[j - 1];
            keys[j] = key;
        }
    }
    /// Of cuts that are as good, the one in the middle.
    void take(Way& way, float before, float after, int cut, int count, int place, int& best) const {
        const float cost = before * leaves(cut) + after * leaves(count - cut);
        const bool as_good = cost == way.cost && std::abs(2 * cut - count) < std::abs(2 * way.cut - count);
        if (cost < way.cost || as_good) way.cost = cost, way.cut = cut, best = place;
    }
    /// Judges the ways that are best by the sweep, or all; the others are none.
    void judge(const std::int32_t* set, int count) {
        Way* ways[6];
        for (int w = 0; w < 6; ++w) ways[w] = &ways_[w];
        std::stable_sort(ways, ways + 6, [](const Way* x, const Way* y) { return x->cost < y->cost; });
        const int judged = careful_ ? 6 : judged_ways;
        Moments sides[16], all;
        FloatAxes axes[16];
        for (int i = 0; i < count; ++i) all.add(moments_[std::size_t(i)]);
        for (int w = 0; w < judged; ++w) {
            for (int i = 0; i < ways[w]->cut; ++i)
                sides[2 * w].add(moments_[std::size_t(ways[w]->order[std::size_t(i)])]);
            sides[2 * w + 1] = all.without(sides[2 * w]);
        }
        principal_axes(sides, axes);
        if (careful_) principal_axes(sides + 8, axes + 8);
        for (int w = 0; w < 6; ++w) {
            Way& way = *ways[w];
            if (!careful_ && (w >= judged_ways || way.cost > hopeless * ways[0]->cost)) way.cut = 0;
            for (int side = 0; way.cut && side < 2; ++side) {
                const int first = side ? way.cut : 0, last = side ? count : way.cut;
                const RoughBalls balls = gather(set, way.order.data() + first, last - first);
                way.axes[side] = axes[2 * w + side];
                const AxesSearch found = balls.count <= few_balls ? AxesSearch(balls, way.axes[side], careful_ ? 2 : 1)
                                                                  : AxesSearch(balls, way.axes[side]);
                way.judged[side] = found.cost * leaves(last - first);
            }
        }
    }
    RoughBalls gather(const std::int32_t* set, const std::int32_t* numbers, int count) {
        gathered_.clear();
        for (int i = 0; i < count; ++i) {
            poll_();
            const std::int32_t item = set[numbers[i]];
            gathered_.insert(gathered_.end(), balls_.of(item), balls_.of(item) + balls_.size_of(item));
        }
        return {gathered_.data(), int(gathered_.size()), balls_.points};
    }
};

class Splitter {
public:
    Splitter(const Items& items, Vec3 middle, double size, const SplitOptions& options)
        : items_(items), options_(options), balls_(items, middle, size) {}

    BinaryTree run() {
        tree_.order.resize(std::size_t(items_.count));
        std::iota(tree_.order.begin(), tree_.order.end(), 0);
        std::vector<Branch> branches(1);
        branches[0].nodes.push_back({-1, -1, 0, items_.count, {}, 0});
        std::vector<int> places{0};  // of their roots
        while (cut_largest(branches, places)) {}
        options_.spread(int(branches.size()), [&](int i) {
            Cutter cutter(balls_, options_);
            grow(branches[std::size_t(i)], 0, cutter, 0);
        });
        for (std::size_t b = 0; b < branches.size(); ++b) {
            const int offset = int(tree_.nodes.size()) - 1;  // node 0 of the branch is there
            auto moved = [&](BinaryNode n) {
                if (!n.is_leaf()) n.left += offset, n.right += offset;
                return n;
            };
            if (tree_.nodes.empty()) {
                tree_.nodes = std::move(branches[b].nodes);
                continue;
            }
            tree_.nodes[std::size_t(places[b])] = moved(branches[b].nodes[0]);
            for (std::size_t n = 1; n < branches[b].nodes.size(); ++n)
                tree_.nodes.push_back(moved(branches[b].nodes[n]));
            branches[b].nodes = {};
        }
        return std::move(tree_);
    }

private:
    static constexpr int branch_items = 16384, deep = 100;
    struct Branch {
        std::vector<BinaryNode> nodes;
        bool known = false;
        FloatAxes axes;
    };
    const Items& items_;
    const SplitOptions& options_;
    const SearchBalls balls_;
    BinaryTree tree_;

    /// Cuts the branches that are large; false if there was none.
    bool cut_largest(std::vector<Branch>& branches, std::vector<int>& places) {
        std::vector<std::size_t> large;
        for (std::size_t b = 0; b < branches.size(); ++b)
            if (branches[b].nodes[0].count > branch_items) large.push_back(b);
        if (large.empty()) return false;
        std::vector<Cut> cuts(large.size());
        options_.spread(int(large.size()), [&](int i) {
            Cutter cutter(balls_, options_);
            Branch& branch = branches[large[std::size_t(i)]];
            cuts[std::size_t(i)] = cut(branch.nodes[0], nullptr, cutter, 0);
        });
        std::vector<Branch> out;
        std::vector<int> out_places;
        std::size_t next = 0;
        for (std::size_t b = 0; b < branches.size(); ++b) {
            if (next == large.size() || large[next] != b) {
                out.push_back(std::move(branches[b])), out_places.push_back(places[b]);
                continue;
            }
            BinaryNode node = branches[b].nodes[0];
            const Cut& c = cuts[next++];
            if (tree_.nodes.empty()) tree_.nodes.push_back({});
            if (c.at) {
                node.left = int(tree_.nodes.size()), node.right = node.left + 1;
                tree_.nodes.resize(tree_.nodes.size() + 2);
                for (int side = 0; side < 2; ++side) {
                    out.emplace_back();
                    out.back().nodes.push_back(half(node, c, side));
                    out_places.push_back(node.left + side);
                }
            }
            tree_.nodes[std::size_t(places[b])] = node;
        }
        branches = std::move(out), places = std::move(out_places);
        return true;
    }
    static BinaryNode half(const BinaryNode& node, const Cut& c, int side) {
        return {-1, -1, side ? node.first + c.at : node.first, side ? node.count - c.at : c.at, {}, 0};
    }
    /// Fills in what is not known of a node, and cuts its items; at 0 if they stay together.
    Cut cut(BinaryNode& node, const FloatAxes* known, Cutter& cutter, int depth) {
        check_interruption();
        std::int32_t* const set = &tree_.order[std::size_t(node.first)];
        const FloatAxes axes = known ? *known : cutter.axes_of(set, node.count, node.cost);
        for (int i = 0; i < 2; ++i)
            for (int k = 0; k < 3; ++k) node.axes[i][k] = axes.row[i][k];
        if (node.count <= options_.leaf_items || (options_.keep_copies && items_.are_copies(set, node.count)))
            return {};
        if (depth < deep) return cutter.arrange(set, node.count, axes);
        Cut middle;  // items of ever other sizes
        middle.at = node.count / 2;
        return middle;
    }
    void grow(Branch& branch, int me, Cutter& cutter, int depth, const FloatAxes* known = nullptr) {
        const Cut c = cut(branch.nodes[std::size_t(me)], known, cutter, depth);
        if (!c.at) return;
        const BinaryNode node = branch.nodes[std::size_t(me)];
        for (int side = 0; side < 2; ++side) {
            const int child = int(branch.nodes.size());
            branch.nodes.push_back(half(node, c, side));
            if (c.judged) branch.nodes.back().cost = c.cost[side];
            (side ? branch.nodes[std::size_t(me)].right : branch.nodes[std::size_t(me)].left) = child;
            grow(branch, child, cutter, depth + 1, c.judged ? &c.axes[side] : nullptr);
        }
    }
};

}  // namespace

BinaryTree split(const Items& items, Vec3 middle, double size, const SplitOptions& options) {
    return Splitter(items, middle, size, options).run();
}

}  // namespace elbowroom
