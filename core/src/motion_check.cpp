#include <algorithm>

#include "elbowroom/interruption.hpp"

#include "motion_run.hpp"

namespace elbowroom {

void MotionAnswer::put_into(double begin, double end) {
    const double length = end - begin;
    auto whole = [&](double t) { return t == 1 ? end : begin + t * length; };
    before = whole(before);
    at = whole(at);
    for (MotionInterval& i : intervals) i = {whole(i.from), whole(i.to), whole(i.at)};
}

MotionWorker::MotionWorker(const MotionScene& scene) : scene_(scene), memory_(std::make_unique<Memory>()) {}
MotionWorker::~MotionWorker() = default;

MotionAnswer MotionWorker::check(const std::vector<LinearMotion>& motions, const MotionOptions& options) {
    return Run(scene_, *memory_, motions, options).run();
}

bool MotionWorker::valid(const std::vector<LinearMotion>& motions, double clearance, Counters& counters) {
    MotionOptions options;
    options.clearance = clearance;
    options.first = false;
    Run run(scene_, *memory_, motions, options);
    const bool good = run.valid();
    counters += run.counters();
    return good;
}

MotionWorker::Run::Run(const MotionScene& scene, Memory& memory, const std::vector<LinearMotion>& motions,
                       const MotionOptions& options)
    : scene_(scene), memory_(memory), motions_(motions), options_(options), remaining_(options.allowance) {
    memory_.spans.clear();
    memory_.bounds.clear();
    Poll poll;
    for (const MotionPair& p : scene.pairs()) {
        poll();
        memory_.bounds.push_back(scene.bound(p, motions));
    }
    memory_.far.clear();
    for (std::size_t f = 0; f < motions.size(); ++f) {
        const int parent = scene.parents()[f];
        turning_ += motions[f].angle;
        memory_.far.push_back(motions[f].farthest_origin() + (parent < 0 ? 0 : memory_.far[parent]));
    }
}

MotionAnswer MotionWorker::Run::run() {
    begin();
    Poll poll(16);
    while (!done()) {
        poll();
        if (spent()) break;
        look(next());
        if (touched_ && !options_.first) break;
        if (bracketed_ || doubts_ >= most_doubts) break;
    }
    finish();
    return std::move(answer_);
}

bool MotionWorker::Run::spent() {
    if (!remaining_.spent(answer_.counters)) return false;
    return answer_.out_of_budget = true;
}

void MotionWorker::Run::begin() { by_distances() ? prepare_bounded() : prepare_adaptive(); }

namespace {

/// The order once a contact is known: the earliest is the last, and of those that begin together the shortest, so that
/// a contact in a single point of time is found before an interval is halved towards it.
bool comes_later(const Span& x, const Span& y) { return x.from > y.from || (x.from == y.from && x.to > y.to); }

}  // namespace

void MotionWorker::Run::push(double from, double to, const Suspects& suspects, bool ends) {
    if (!(to > from || ends)) return;
    std::vector<Span>& spans = memory_.spans;
    auto place = spans.end();
    if (in_order_)
        while (place != spans.begin() && comes_later({from, to, nullptr, ends}, *(place - 1))) --place;
    spans.insert(place, {from, to, suspects, ends});
}

/// Breadth first, as the paper suggests, so that looks are spread over the motion; in the order of time once a contact
/// was found and the first is wanted; and the last first when the intervals become a crowd, so that their number stays
/// bounded.
Span MotionWorker::Run::next() {
    std::vector<Span>& spans = memory_.spans;
    if (in_order_ || spans.size() - head_ > crowd) {
        Span span = std::move(spans.back());
        spans.pop_back();
        return span;
    }
    Span span = std::move(spans[head_++]);
    if (head_ == spans.size()) {
        spans.clear();
        head_ = 0;
    }
    if (head_ > crowd) {
        spans.erase(spans.begin(), spans.begin() + std::ptrdiff_t(head_));
        head_ = 0;
    }
    return span;
}

void MotionWorker::Run::look(Span span) {
    if (touched_) {  // the first contact is wanted, and nothing behind a known one matters
        if (span.from >= answer_.at) return;
        span.to = least(span.to, answer_.at);
    }
    ++answer_.distance_calls;
    by_distances() ? look_bounded(span) : look_adaptive(span);
}

/// Proved free from `from` to `to`, by what was seen at the time `at`; the rest is left.
void MotionWorker::Run::split(const Span& span, double from, double to, double at, const Suspects& left) {
    if (to > from && !open_) answer_.intervals.push_back({from, to, at});
    if (touched_ && !options_.first) return;
    push(span.from, from, left, false);
    push(to, span.to, left, false);
}

/// They touch at the time t. From now on earlier times come first.
void MotionWorker::Run::contact(double t, int pair, int i, int j) {
    if (touched_ && t >= answer_.at) return;
    touched_ = true;
    answer_.at = t;
    pair_ = pair;
    answer_.pair = {i, j};
    if (!options_.first || in_order_) return;
    in_order_ = true;
    std::vector<Span>& spans = memory_.spans;
    spans.erase(spans.begin(), spans.begin() + std::ptrdiff_t(head_));
    head_ = 0;
    std::sort(spans.begin(), spans.end(), comes_later);
}

/// An interval as short as the tolerance is still neither proved free nor seen to have a contact.
void MotionWorker::Run::doubt(const Span& span) {
    ++doubts_;
    bracketed_ = in_order_ && span.to >= answer_.at;
}

void MotionWorker::Run::finish() {
    using Verdict = MotionAnswer::Verdict;
    std::sort(answer_.intervals.begin(), answer_.intervals.end(),
              [](const MotionInterval& x, const MotionInterval& y) { return x.from < y.from; });
    if (touched_) {
        answer_.verdict = Verdict::colliding;
        double before = 0;  // proved free so far
        for (const MotionInterval& i : answer_.intervals)
            if (i.from <= before) before = most(before, i.to);
        answer_.before = least(before, answer_.at);
        answer_.loose = options_.first && answer_.at - answer_.before > options_.tolerance * (1 + 1e-9);
        answer_.out_of_budget = answer_.out_of_budget && options_.first;
        witness();
        return;
    }
    const bool undecided = open_ || doubts_ > 0 || answer_.out_of_budget;
    answer_.verdict = undecided ? Verdict::undecided : Verdict::free;
    if (near_) witness();
}

/// By how much points may be off, seen from the other piece: poses in the world are products of as many transforms as
/// there are frames, each right to a few ulps of the lengths in it, and so are times and angles. Obstacles that stand
/// still are where they are.
double MotionWorker::Run::noise_of(int pair) const {
    const MotionPair& p = scene_.pairs()[pair];
    const double reach = scene_.reach_of(p.a);
    double size = memory_.bounds[pair].reach.at(reach, reach);
    for (const int piece : {p.a, p.b})
        if (const int f = scene_.pieces()[piece].frame; f >= 0) size += memory_.far[f] + scene_.reach_of(piece);
    return 4e-15 * (double(scene_.parents().size()) + 4 + turning_) * size;
}

/// Two primitives at a time, with the points where they are nearest, in the frame of the first.
HullDistance MotionWorker::Run::nearest_points(double t, int pair, int i, int j, Rigid& a_to_world) {
    const MotionPiece &a = scene_.pieces()[scene_.pairs()[pair].a], &b = scene_.pieces()[scene_.pairs()[pair].b];
    std::vector<Rigid>& frames = memory_.apart;
    scene_.poses(motions_, t, frames);
    a_to_world = scene_.pose_of(a, frames);
    const Rigid b_to_a = relative(a_to_world, scene_.pose_of(b, frames));
    const double scale = a.body->reach() + b.body->reach() + length(b_to_a.translation);
    return distance_hull_hull({a.body->primitive(i), b.body->primitive(j), &b_to_a, nullptr, scale}, far_away);
}

/// Where an interval is too short to go on with: how near do two primitives come?
void MotionWorker::Run::note_closest(double t, int pair, int i, int j) {
    Rigid nothing;
    const double d = nearest_points(t, pair, i, j, nothing).upper;
    if (touched_ || (near_ && d >= answer_.closest)) return;
    near_ = true;
    answer_.closest = d;
    answer_.at = t;
    pair_ = pair;
    answer_.pair = {i, j};
}

/// The points at which the two primitives touch, or are nearest.
void MotionWorker::Run::witness() {
    Rigid to_world;
    const HullDistance d = nearest_points(answer_.at, pair_, answer_.pair[0], answer_.pair[1], to_world);
    answer_.on_a = to_world * d.on_a;
    answer_.on_b = to_world * d.on_b;
    answer_.piece_a = scene_.pairs()[pair_].a;
    answer_.piece_b = scene_.pairs()[pair_].b;
}

}  // namespace elbowroom
