#include <algorithm>

#include "elbowroom/narrow/contact_hull_hull.hpp"
#include "elbowroom/queries/overlap.hpp"
#include "rigid_queries.hpp"

namespace elbowroom {

namespace {

/// A contact found in the frame of the first body, as the caller sees it.
HullContact in_world(const Ordered& o, const HullContact& c) {
    const Vec3 normal = o.first.pose.rotation * c.normal;
    return {c.depth, o.swapped ? -normal : normal, o.first.pose * c.point};
}

template <int Width>
class Collide {
public:
    Collide(const Ordered& o, const RigidHierarchy<Width>& a, const RigidHierarchy<Width>& b,
            const CollideOptions& options, CutMemory* cut)
        : o_(o),
          options_(options),
          cut_(cut),
          a_(a),
          b_(b),
          leaves_(*o.first.body, *o.second.body, a, b, o.second_to_first, nullptr) {}

    CollideAnswer run() {
        const bool all = options_.every || options_.depth, limited = !options_.allowance.unlimited();
        auto sink = [&](int i, int j) {
            note(i, j);
            return !all;
        };
        if (cut_ && options_.memory->records(!limited)) {
            run_recorded(sink, all);
        } else if (!all && decided_by_memory()) {
            return std::move(answer_);
        } else if (single() && !limited) {
            answer_.stop = leaves_.overlap(Pair{0, 0, 0}, answer_.counters, sink) ? Stop::settled : Stop::exhausted;
        } else {
            Overlap query(leaves_, sink);
            DepthFirst order;
            answer_.stop = elbowroom::run(a_, b_, o_.second_to_first, query, order,
                                          all ? options_.allowance.for_many() : options_.allowance, answer_.counters);
            if (limited) state_covered(left_in(order), whole(), answer_);
        }
        if (cut_ && !options_.cut && !options_.memory->records(!limited))
            options_.memory->age = found_.empty() ? 0 : -1;
        finish();
        return std::move(answer_);
    }

private:
    const Ordered& o_;
    const CollideOptions& options_;
    CutMemory* const cut_;
    const RigidHierarchy<Width>&a_, &b_;
    RigidLeaves<Width> leaves_;
    std::vector<PrimitivePair> found_;  // in the order of the bodies in the query
    CollideAnswer answer_;

    /// Not inlined: tests of leaves, most of which find nothing, are shorter without it.
    [[gnu::noinline]] void note(int i, int j) {
        check_memory_for(found_, options_.depth ? bytes_of_contact : bytes_of_pair);
        found_.push_back({i, j});
    }
    bool single() const { return a_.tree.root().is_leaf() && b_.tree.root().is_leaf(); }

    bool decided_by_memory() {
        if (!recalls(cut_)) return false;
        ++answer_.counters.leaf_tests;
        if (!leaves_.overlap_of(cut_->a, cut_->b)) return false;
        answer_.hit = true, answer_.stop = Stop::settled;
        answer_.pairs.push_back(o_.as_asked(cut_->a, cut_->b));
        return true;
    }
    /// With the cut of the last query. What decided that one is tried first, unless the paper's way was asked for.
    template <class Sink>
    void run_recorded(Sink& sink, bool all) {
        const AcrossTwo<typename RigidHierarchy<Width>::Tree> pairing(a_.tree, b_.tree, o_.second_to_first);
        const bool resumes = options_.memory->method == MemoryMethod::from_cut;
        if (resumes && !all && options_.allowance.tests > 0 && recalls(cut_)) {
            ++answer_.counters.leaf_tests;
            if (leaves_.overlap_of(cut_->a, cut_->b)) found_.push_back({cut_->a, cut_->b});
        }
        RememberedRun run(*cut_, *options_.memory, pairing, leaves_, Pair{0, 0, 0}, Width);
        run.collide(sink, [&] { return found_.size(); }, !found_.empty(), options_, answer_);
    }
    double whole() const { return double(a_.tree.below[0]) * b_.tree.below[0]; }
    double left_in(const DepthFirst& order) const {
        return pairs_left(order,
                          [&](std::int32_t i, std::int32_t j) { return double(a_.tree.below[i]) * b_.tree.below[j]; });
    }
    void finish() {
        if (found_.empty()) return;
        answer_.hit = true;
        remember(cut_, found_[0][0], found_[0][1], 0);
        for (PrimitivePair& p : found_) p = o_.as_asked(p[0], p[1]);
        sort_polled(found_);
        answer_.pairs = std::move(found_);
        if (options_.depth) add_contacts();
    }
    void add_contacts() {
        for (const PrimitivePair& p : answer_.pairs) {
            const int i = o_.swapped ? p[1] : p[0], j = o_.swapped ? p[0] : p[1];
            answer_.contacts.push_back(in_world(o_, contact_hull_hull(leaves_.hulls(i, j))));
        }
        if (!options_.every) keep_deepest(answer_);
    }
};

}  // namespace

CollideAnswer collide(const Placed& a, const Placed& b, const CollideOptions& options) {
    Ordered o(a, b);
    CutMemory* const cut = recalled(options, o);
    return with_common_width(*o.first.body, *o.second.body,
                             [&]<int W>(const RigidHierarchy<W>& x, const RigidHierarchy<W>& y) {
                                 return Collide<W>(o, x, y, options, cut).run();
                             });
}

}  // namespace elbowroom
