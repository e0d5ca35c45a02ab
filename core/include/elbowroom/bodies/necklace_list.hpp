#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "elbowroom/portable.hpp"
#include "elbowroom/traversal/pair.hpp"

namespace elbowroom {

/// The pairs of beads that were within a cut when the list was made, the nearest first, roughly: in buckets by their
/// gaps then. While no bead has gone farther than d since, a pair's gap is off by 2 d at most: buckets beyond that need
/// no look, and a pair that is not in the list is farther apart than the cut less 2 d.
class NecklaceList {
public:
    bool alive() const { return alive_; }
    double cut() const { return cut_; }
    void clear() { alive_ = false; }
    std::size_t pairs() const { return sorted_.size(); }
    std::size_t bytes() const { return sorted_.capacity() * 8 + found_.capacity() * 8 + gaps_.capacity() * 4; }

    void start() { found_.clear(), gaps_.clear(); }
    void add(std::int32_t i, std::int32_t j, double gap) {
        found_.push_back({i, j}), gaps_.push_back(float(most(gap, 0.0)) * 0.999999f);
    }
    std::size_t found() const { return found_.size(); }
    /// Keeps what is within the cut. `low`: the smallest gap.
    void finish(double low, double cut);

    /// Calls visit(i, j) for the pairs that may now have a gap of reach() or less, while no bead has gone farther than
    /// `gone`, until it returns true. Returns how many were visited.
    template <class Reach, class Visit>
    std::size_t scan(double gone, Reach&& reach, Visit&& visit) const {
        std::size_t visited = 0;
        for (int b = 0; b < buckets && edge_[b] <= reach() + 2 * gone; ++b) {
            for (std::uint32_t k = begin_[b]; k < begin_[b + 1]; ++k)
                if (visit(sorted_[k][0], sorted_[k][1])) return visited + (k - begin_[b]) + 1;
            visited += begin_[b + 1] - begin_[b];
        }
        return visited;
    }

private:
    static constexpr int buckets = 64;
    bool alive_ = false;
    double cut_ = 0;
    std::vector<std::array<std::int32_t, 2>> found_, sorted_;
    std::vector<float> gaps_;
    std::vector<unsigned char> bucket_;
    std::array<std::uint32_t, buckets + 1> begin_{};
    std::array<double, buckets> edge_{};
};

/// Is a list worth making? What trees and lists cost is counted, not timed, so that the same motion takes the same
/// course on every run; the weights were measured, in nanoseconds.
class NecklacePolicy {
public:
    explicit NecklacePolicy(std::int64_t beads = 0) : beads_(double(beads)) {}

    /// The part of a typical length by which a list reaches farther than it must.
    double skin() const { return skin_; }
    void next_frame() { waiting_ -= waiting_ > 0; }

    double tree_cost(const Counters& c) const {
        return 3.0 * beads_ + 2.2 * double(c.volume_tests) + 0.45 * double(c.leaf_tests);
    }
    void searched_tree(const Counters& c) {
        const double cost = tree_cost(c);
        tree_ = tree_ > 0 ? 0.75 * tree_ + 0.25 * cost : cost;
    }
    /// `step`: how far beads went in the last frame; `skin`: as a length. In Brownian motion a list that would last two
    /// such steps lasts many frames.
    bool wants_list(double step, double skin) const { return waiting_ == 0 && tree_ > 0 && skin >= 4 * step; }
    /// A list was made by a search with these counters, which answered the question too.
    void made_list(const Counters& c, std::size_t pairs) {
        answered_ = 1, built_ = tree_cost(c) + 6.0 * double(pairs), scanned_ = 0;
    }
    void failed_list() {
        skin_ = most(0.1, 0.7 * skin_);
        wait();
    }
    void scanned_list(std::size_t pairs, bool answered) {
        scanned_ += 2.5 * beads_ + 3.0 * double(pairs), answered_ += answered;
    }
    /// The list is worn out. Was it cheaper than trees, and how far should the next one reach? Far enough that making
    /// lists costs about as much as using them.
    bool was_worth_it() {
        const double all = built_ + scanned_;
        if (all / answered_ > 0.95 * tree_) return wait(), false;
        pause_ = 8;
        if (built_ > 0.5 * all) skin_ = least(1.5, 1.4 * skin_);
        if (built_ < 0.25 * all) skin_ = most(0.1, 0.8 * skin_);
        return true;
    }

private:
    double beads_, tree_ = 0, built_ = 0, scanned_ = 0, answered_ = 1, skin_ = 0.7;
    int waiting_ = 0, pause_ = 8;

    void wait() { waiting_ = pause_, pause_ = least(512, 2 * pause_); }
};

}  // namespace elbowroom
