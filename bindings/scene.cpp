#include "scene.hpp"

#include <cstring>

#include "arguments.hpp"

namespace elbowroom::bindings {

namespace {

/// The one number of poses and configurations that are many, or a complaint.
class CommonCount {
public:
    void add(std::ptrdiff_t count, const char* name) {
        if (count < 0) return;
        if (count_ >= 0 && count != count_)
            throw nb::value_error((std::string(name_) + " and " + name + " must be as many, got " +
                                   std::to_string(count_) + " and " + std::to_string(count))
                                      .c_str());
        if (count_ < 0) {
            count_ = count;
            name_ = name;
        }
    }
    std::ptrdiff_t value() const { return count_; }

private:
    std::ptrdiff_t count_ = -1;
    const char* name_ = "";
};

/// The widths of trees that a body has, as bits; a chain goes with all.
unsigned widths_of(const AnyBody& body) {
    if (body.articulated) return body.articulated->model->widths();
    return body.rigid ? ArticulatedModel::widths_of(*body.rigid) : 3u;
}

/// Balls in the same box, where they are.
void check_box(const Scene& scene) {
    for (const AnyBody* body : {&scene.a, &scene.b})
        if (!body->box) {
            const char *name = body == &scene.a ? "a" : "b", *other = body == &scene.a ? "b" : "a";
            const char* why = body->chain ? " has none: give both the same box"
                                          : " is neither a Chain nor a Necklace, which alone can have one";
            throw nb::value_error((std::string(other) + " has a periodic box, and " + name + why).c_str());
        }
    for (int k = 0; k < 3; ++k)
        if (!(scene.a.box->given().row[k] == scene.b.box->given().row[k]))
            throw nb::value_error("a and b must have the same periodic box");
    if (scene.pose_a.given() || scene.pose_b.given())
        throw nb::value_error((std::string(scene.pose_a.given() ? "pose_a" : "pose_b") +
                               " is not for bodies in a periodic box: move them to where they are")
                                  .c_str());
}

}  // namespace

Scene::Scene(nb::handle a_, nb::handle b_, nb::handle pose_a_, nb::handle pose_b_)
    : a(a_, "a"), b(b_, "b"), pose_a(pose_a_, "pose_a"), pose_b(pose_b_, "pose_b") {
    if (a.box || b.box) [[unlikely]]
        check_box(*this);
    if (!(widths_of(a) & widths_of(b)))
        throw nb::value_error("a and b have trees of different widths: make both with the same `children`");
    if (pose_a.many() && pose_b.many() && pose_a.count() != pose_b.count())
        throw nb::value_error(("pose_a and pose_b must have the same number of poses, got " +
                               std::to_string(pose_a.count()) + " and " + std::to_string(pose_b.count()))
                                  .c_str());
    if (a.many() || b.many()) count();
}

std::ptrdiff_t Scene::count() const {
    if (!a.articulated && !b.articulated) return pose_a.many() ? pose_a.count() : pose_b.count();
    CommonCount common;
    common.add(pose_a.many() ? pose_a.count() : -1, "pose_a");
    common.add(pose_b.many() ? pose_b.count() : -1, "pose_b");
    common.add(a.many() ? a.articulated->count : -1, "the configurations of a");
    common.add(b.many() ? b.articulated->count : -1, "the configurations of b");
    return common.value();
}

void Scene::complain(const BadPoses& bad) const {
    for (const AnyBody* body : {&a, &b})
        if (body->articulated && body->articulated->placed() && body->many())
            checked("link_poses", body->articulated->array, "poses", body->articulated->model->links());
    throw nb::value_error(("poses of configuration " + std::to_string(bad.index) + " are no poses").c_str());
}

bool comes_before(std::ptrdiff_t i, const ArticulatedHandle& a, const Rigid& pa, const ArticulatedHandle& b,
                  const Rigid& pb) {
    if (a.model->fingerprint() != b.model->fingerprint()) return a.model->fingerprint() < b.model->fingerprint();
    if (const int order = std::memcmp(&pa, &pb, sizeof pa)) return order < 0;
    if (a.placed() != b.placed()) return a.placed();
    return std::memcmp(a.at(i), b.at(i), std::size_t(a.size_of_one()) * sizeof(double)) < 0;
}

bool SceneGroupWorker::suits(const Scene& scene) {
    if (!scene.a.articulated || !scene.b.articulated || scene.pose_a.given() || scene.pose_b.given()) return false;
    return ArticulatedGroups::suits(*scene.a.articulated) && ArticulatedGroups::suits(*scene.b.articulated);
}

void SceneGroupWorker::load(std::ptrdiff_t i) {
    begin_ = i;
    good_a_ = a_.load(i, count_);
    good_b_ = b_.load(i, count_);
    found_.find_across(a_.group(), b_.group(), good_a_ & good_b_);
}

/// Nothing is left to exact queries, whose last digits depend on the order.
bool SceneGroupWorker::all_certain(int lane, const CollideOptions& options) {
    if (options.depth) return false;
    for (const ShapeCandidate& c : found_.in(lane))
        if (!c.certain) return false;
    return true;
}

CollideAnswer SceneGroupWorker::ask(std::ptrdiff_t i, const CollideOptions& options) {
    if (i < begin_ || i >= begin_ + 8) load(i);
    const int lane = int(i - begin_);
    const unsigned bit = 1u << lane;
    const bool good = good_a_ & good_b_ & bit;
    const bool turned =
        !(good && all_certain(lane, options)) && comes_before(i, *scene_.b.articulated, {}, *scene_.a.articulated, {});
    const ArticulatedSide x(good ? a_.group().state(lane) : a_.recomputed(lane, i)),
        y(good ? b_.group().state(lane) : b_.recomputed(lane, i));
    const ArticulatedSide &first = turned ? y : x, &second = turned ? x : y;
    if (good && turned)
        for (ShapeCandidate& c : found_.in(lane)) std::swap(c.a, c.b);
    ArticulatedPairs pairs = good ? ArticulatedPairs(first, second, false, found_.in(lane), found_.tests(lane))
                                  : ArticulatedPairs(first, second, false);
    CollideAnswer answer = pairs.collide(options);
    return turned ? sorted(swapped(std::move(answer))) : answer;
}

}  // namespace elbowroom::bindings
