#pragma once
#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "elbowroom/bodies/necklace_leaves.hpp"
#include "elbowroom/bodies/necklace_list.hpp"
#include "elbowroom/queries/answers.hpp"
#include "elbowroom/queries/watch.hpp"

namespace elbowroom {

/// The beads of a necklace under a tree of boxes that is made anew in every frame, or, while they move slowly, with a
/// list of near pairs that is good for many frames. Questions may be asked by several threads at once.
class NecklaceBoxes {
public:
    struct Work {
        std::uint64_t moves = 0, tree_frames = 0, list_frames = 0, list_builds = 0;
    };
    /// `flat`: all beads are in the plane z = 0.
    NecklaceBoxes(std::vector<double> radii, NecklaceTouch touch, bool flat);

    /// Three numbers a bead. False, and nothing changed, if one is not finite or far beyond the limits. `refits`: at
    /// once; else boxes are made when a question needs them.
    bool move(const double* positions, bool refits = true);
    const std::vector<Vec3>& centres() const { return centres_; }
    const std::vector<double>& radii() const { return tree_.radii(); }
    const NecklaceTouch& touch() const { return touch_; }
    const Watch& watch() const { return watch_; }

    CollideAnswer self_collide(const CollideOptions& options) const;
    DistanceAnswer self_distance(const DistanceOptions& options) const;
    WithinAnswer self_within(const WithinOptions& options) const;

    /// The nearest pair found so far, and how near one must be to matter.
    struct Nearest {
        double gap = far_away;
        std::int64_t a = -1, b = -1;
        double keep = far_away;  // what is farther need not be looked at
        bool any = false;        // the first pair within `keep` is enough
        /// True when it is known well enough.
        ELBOWROOM_INLINE bool take(const NearBalls& n) {
            const double found = most(0.0, n.gap);
            if (found < gap) gap = found, a = n.a, b = n.b;
            return gap == 0 || (any && gap <= keep);
        }
        double reach() const { return least(gap, keep); }
    };
    NearBalls near(std::int64_t i, std::int64_t j) const {
        return {i, j, centres_[i], centres_[j], tree_.radius(i) + tree_.radius(j)};
    }
    /// Finds the nearest pair by the list or the tree.
    void search(Nearest& best, Counters& counters) const;
    /// Before pairs of the tree are looked at: makes the boxes of this frame if there are none.
    void fit_boxes() const;

    /// The sides of the boxes about the leaves together.
    double leaf_sides() const { return tree_.leaf_sides(); }

    const Work& work() const { return work_; }
    std::string validate() const;
    std::size_t bytes() const { return tree_.bytes() + centres_.size() * 2 * sizeof(Vec3) + list_.bytes(); }

private:
    mutable BeadTree tree_;
    NecklaceTouch touch_;
    std::vector<Vec3> centres_;
    mutable std::vector<Vec3> spare_;  // room for the next, or for nothing
    Watch watch_;
    double spacing_ = 0;  // a length to begin with: the mean diameter, or the mean distance of neighbours

    mutable std::mutex guard_;        // of all that questions change
    mutable bool fitted_ = false;     // the boxes are those of this frame
    mutable double gone_ = far_away;  // how far beads are from where the list was made, at most
    mutable NecklaceList list_;
    mutable NecklacePolicy policy_;
    mutable Work work_;
    mutable std::atomic<std::uint64_t> hint_{~std::uint64_t(0)};  // the pair that was nearest last time

    void need_tree() const;
    void look_how_far(const std::vector<Vec3>& to);
    bool recall(Nearest& best) const;
    bool improves(Nearest& best, std::int64_t i, std::int64_t j) const;
    void note(const Nearest& best) const;
    bool search_list(Nearest& best, Counters& counters) const;
    void search_tree(Nearest& best, Counters& counters) const;
    void make_list(Nearest& best, Counters& counters, std::unique_lock<std::mutex>& lock) const;
    template <class Reach, class Visit>
    Stop sweep(Reach&& reach, Visit&& visit, Counters& counters) const;
};

}  // namespace elbowroom
