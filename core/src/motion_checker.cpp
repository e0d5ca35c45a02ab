#include "elbowroom/motion/motion_checker.hpp"

#include "elbowroom/batch/parallel.hpp"
#include "elbowroom/bodies/articulated.hpp"
#include "elbowroom/queries/remaining_budget.hpp"

namespace elbowroom {

MotionSetter::MotionSetter(const MotionScene& scene)
    : scene_(scene), mover_(scene.mover()), values_(scene.moved_links() ? scene.moved_links()->parts().values : 0) {
    scene.motions(0, 1, motions_);
}

const std::vector<LinearMotion>& MotionSetter::between(const MotionState& start, const MotionState& goal) {
    if (!start.configuration) return along(LinearMotion::between(start.pose, goal.pose));
    scene_.set_links(mover_, start.configuration, goal.configuration, motions_);
    return motions_;
}

const std::vector<LinearMotion>& MotionSetter::along(const LinearMotion& motion) {
    if (mover_ >= 0) motions_[mover_] = motion;
    return motions_;
}

const std::vector<LinearMotion>& MotionSetter::segment(const double* path, int segment, int segments) {
    scene_.motions(double(segment) / segments, double(segment + 1) / segments, motions_);
    const double* from = path + std::ptrdiff_t(segment) * values_;
    scene_.set_links(mover_, from, from + values_, motions_);
    return motions_;
}

/// A worker for the time of one call.
class MotionChecker::Loan {
public:
    explicit Loan(const MotionChecker& checker) : checker_(checker), worker_(checker.idle_.exchange(nullptr)) {
        if (!worker_) worker_ = std::make_unique<MotionWorker>(checker.scene_);
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ~Loan() { delete checker_.idle_.exchange(worker_.release()); }
    MotionWorker* operator->() { return worker_.get(); }
    MotionWorker& operator*() { return *worker_; }

private:
    const MotionChecker& checker_;
    std::unique_ptr<MotionWorker> worker_;
};

MotionChecker::~MotionChecker() { delete idle_.load(); }

MotionAnswer MotionChecker::check(const MotionState& start, const MotionState& goal,
                                  const MotionOptions& options) const {
    MotionSetter setter(scene_);
    return Loan(*this)->check(setter.between(start, goal), options);
}

MotionAnswer MotionChecker::check(const MotionOptions& options) const {
    return Loan(*this)->check(MotionSetter(scene_).as_added(), options);
}

bool MotionChecker::is_free_at(const MotionState& state, double clearance, Counters& counters) const {
    MotionSetter setter(scene_);
    return Loan(*this)->valid(setter.between(state, state), clearance, counters);
}

/// `ask(worker, setter, i)` gives answer i.
template <class Ask>
std::vector<MotionAnswer> MotionChecker::answer_all(std::ptrdiff_t count, int threads, const Ask& ask) const {
    std::vector<MotionAnswer> out(static_cast<std::size_t>(count));
    if (count == 1) {
        MotionSetter setter(scene_);
        out[0] = ask(*Loan(*this), setter, 0);
        return out;
    }
    in_parallel(count, threads, [&] {
        return [&, worker = std::make_unique<MotionWorker>(scene_), setter = MotionSetter(scene_)](
                   std::ptrdiff_t begin, std::ptrdiff_t end) mutable {
            for (std::ptrdiff_t i = begin; i < end; ++i) out[std::size_t(i)] = ask(*worker, setter, i);
        };
    });
    return out;
}

std::vector<MotionAnswer> MotionChecker::check_many(std::ptrdiff_t count, const State& start, const State& goal,
                                                    const MotionOptions& options, int threads) const {
    return answer_all(count, threads, [&](MotionWorker& worker, MotionSetter& setter, std::ptrdiff_t i) {
        return worker.check(setter.between(start(i), goal(i)), options);
    });
}

std::vector<MotionAnswer> MotionChecker::check_many(const std::vector<LinearMotion>& motions,
                                                    const MotionOptions& options, int threads) const {
    return answer_all(std::ptrdiff_t(motions.size()), threads,
                      [&](MotionWorker& worker, MotionSetter& setter, std::ptrdiff_t i) {
                          return worker.check(setter.along(motions[std::size_t(i)]), options);
                      });
}

namespace {

/// The segments of a path, one after the other, as one motion.
MotionAnswer check_path(MotionWorker& worker, MotionSetter& setter, const double* path, int segments,
                        const MotionOptions& options) {
    using Verdict = MotionAnswer::Verdict;
    MotionAnswer whole;
    whole.verdict = Verdict::free;
    const RemainingBudget remaining(options.allowance);
    for (int k = 0; k < segments; ++k) {
        MotionOptions rest = options;
        rest.allowance = remaining.after(whole.counters);
        MotionAnswer a = worker.check(setter.segment(path, k, segments), rest);
        a.put_into(double(k) / segments, double(k + 1) / segments);
        a.intervals.insert(a.intervals.begin(), whole.intervals.begin(), whole.intervals.end());
        a.counters += whole.counters;
        a.distance_calls += whole.distance_calls;
        const bool undecided = whole.verdict == Verdict::undecided;
        if (undecided && a.verdict == Verdict::colliding) {
            a.before = least(a.before, whole.before);
            a.loose = options.first;
        }
        if (undecided && a.verdict != Verdict::colliding) {  // the first doubt is the one that is reported
            whole.intervals = std::move(a.intervals);
            whole.counters = a.counters;
            whole.distance_calls = a.distance_calls;
            whole.out_of_budget |= a.out_of_budget;
        } else {
            whole = std::move(a);
        }
        if (whole.verdict == Verdict::colliding || whole.out_of_budget) break;
    }
    return whole;
}

}  // namespace

std::vector<MotionAnswer> MotionChecker::check_paths(const double* paths, std::ptrdiff_t count, int configurations,
                                                     const MotionOptions& options, int threads) const {
    const std::ptrdiff_t size = std::ptrdiff_t(configurations) * scene_.moved_links()->parts().values;
    return answer_all(count, threads, [&](MotionWorker& worker, MotionSetter& setter, std::ptrdiff_t i) {
        return check_path(worker, setter, paths + i * size, configurations - 1, options);
    });
}

}  // namespace elbowroom
