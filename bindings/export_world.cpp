#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "exports.hpp"
#include "poses.hpp"
#include "worlds.hpp"

namespace elbowroom::bindings {

namespace {

class ChainItself : public SelfAsked {
public:
    explicit ChainItself(ChainHandle& chain) : chain_(chain) {}
    CollideAnswer self_collide(const CollideOptions& o) const override { return outside(tree().self_collide(o)); }
    DistanceAnswer self_distance(const DistanceOptions& o) const override { return outside(tree().self_distance(o)); }

private:
    ChainHandle& chain_;
    Chain& tree() const { return *chain_.chain; }
    template <class Answer>
    Answer outside(Answer answer) const {
        return chain_.outside(std::move(answer), &chain_);
    }
};

class NecklaceItself : public SelfAsked {
public:
    explicit NecklaceItself(NecklaceHandle& necklace) : necklace_(necklace) {}
    CollideAnswer self_collide(const CollideOptions& o) const override { return necklace_.boxes->self_collide(o); }
    DistanceAnswer self_distance(const DistanceOptions& o) const override { return necklace_.boxes->self_distance(o); }

private:
    NecklaceHandle& necklace_;
};

void refuse_box(bool box, const std::string& name) {
    if (box) throw nb::value_error((name + " is in a periodic box, which a World does not take into account").c_str());
}
void refuse_many(bool many, const std::string& name) {
    if (many)
        throw nb::value_error((name + " holds many configurations, and a World takes one: move it to one").c_str());
}

std::string quoted(nb::handle name) { return nb::cast<std::string>(nb::repr(name)); }

/// What is added of a body, and what is to be looked at later.
struct Added {
    std::int32_t member;
    LiveMember live;
};

LiveMember live_of(nb::handle body, const std::string& name) {
    LiveMember m;
    if (nb::try_cast<ArticulatedHandle*>(body, m.arm) && m.arm) {
        refuse_many(m.arm->many(), name);
        if (!(m.arm->model->widths() & 1))
            throw nb::value_error((name + " has shapes with two children a node: make them with children=8").c_str());
    } else if (nb::try_cast<ChainHandle*>(body, m.chain) && m.chain) {
        refuse_box(m.chain->box.has_value(), name);
    } else if (nb::try_cast<NecklaceHandle*>(body, m.necklace) && m.necklace) {
        refuse_box(m.necklace->box.has_value(), name);
    } else {
        const AnyBody no_body(body, name.c_str());  // raises
    }
    return m;
}

/// The body as it is now; a mesh is copied, into `made`.
const RigidBody* as_it_is(nb::handle body, RigidHandle& rigid, std::vector<LiveMesh>& made) {
    if (!LiveMesh::is_one(body)) return &rigid;
    made.emplace_back(rigid);
    return made.back().copy.get();
}

/// Adds a body of any kind to a world; the live member has no member number if the body never changes, or is a mesh.
std::int32_t add_to(World& world, nb::handle body, const Rigid& pose, const std::string& name, LiveMember& live,
                    std::vector<LiveMesh>& made) {
    static const NumberedChain plain;
    RigidHandle* rigid = nullptr;
    live.member = -1;
    if (nb::try_cast<RigidHandle*>(body, rigid) && rigid) {
        if (rigid->wide().empty())
            throw nb::value_error((name + " has a tree with two children a node: make it with children=8").c_str());
        return world.add(*as_it_is(body, *rigid, made), pose);
    }
    live = live_of(body, name);
    if (live.arm) {
        live.arm->usage.refuse_question();
        live.seen = live.arm->usage.changes();
        return live.member = world.add(live.arm->model, live.arm->state, pose);
    }
    if (live.chain) {
        const std::shared_ptr<Chain> chain = live.chain->settled();
        live.seen = chain->version();
        return live.member = world.add(live.chain, chain, std::make_shared<ChainItself>(*live.chain), pose);
    }
    return live.member =
               world.add(&plain, live.necklace->as_chain(), std::make_shared<NecklaceItself>(*live.necklace), pose);
}

void look_at(World& world, LiveMember& m, const std::string& name, Usage& usage) {
    const WorldMember& member = world.member(m.member);
    if (m.arm) {
        m.arm->usage.refuse_question();
        if (m.arm->usage.changes() == m.seen) return;
        refuse_many(m.arm->many(), name);
        const Changing change(usage);
        world.renew(m.member, m.arm->model, m.arm->state);
        m.seen = m.arm->usage.changes();
        return;
    }
    refuse_box(m.chain ? m.chain->box.has_value() : m.necklace->box.has_value(), name);
    const std::shared_ptr<Chain> chain = m.chain ? m.chain->settled() : m.necklace->as_chain();
    if (chain == member.chain && chain->version() == m.seen) return;
    const Changing change(usage);
    world.renew(m.member, chain);
    m.seen = chain->version();
}

std::vector<std::int32_t> numbers_of(const Integers& array) { return to_vector<std::int32_t>(array); }

std::vector<Rigid> rigids_of(const Doubles& poses) {
    std::vector<Rigid> out(poses.size() / 16);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = pose_of(poses.data() + 16 * i);
    return out;
}

nb::object poses_of(WorldHandle& h, const Integers& members) {
    h.refresh();
    std::vector<double> out(16 * members.size());
    for (std::size_t i = 0; i < members.size(); ++i)
        write_matrix(h.world.member(h.need(members.data()[i])).pose, &out[16 * i]);
    return to_numpy<double>(out.data(), {members.size(), 4, 4});
}

constexpr Signature<2> move_signature{"_move", {"member", "pose"}, 2, 2};

nb::object move(PyObject* self, const Arguments<2>& given) {
    WorldHandle& h = handle_in<WorldHandle>(self);
    h.refresh();
    const std::int32_t member = h.need(nb::cast<std::int32_t>(given[0]));
    const std::string name = "pose of " + quoted(h.slots[member][0]);
    const Rigid pose = one_pose(given[1], name.c_str());
    const Changing change(h.usage);
    h.world.move(member, pose);
    return nb::none();
}

std::vector<std::int32_t> add_all(WorldHandle& h, const nb::list& names, const nb::list& bodies, const Doubles& poses) {
    h.refresh();
    const Changing change(h.usage);
    std::vector<const RigidBody*> rigid;
    std::vector<LiveMesh> made;
    std::vector<std::size_t> moving;  // where the meshes are
    rigid.reserve(nb::len(bodies));
    for (nb::handle body : bodies) {  // the same body often comes many times in a row
        const std::size_t k = rigid.size();
        const bool again = k > 0 && body.is(bodies[k - 1]);
        if (again && (moving.empty() || moving.back() + 1 != k)) {
            rigid.push_back(rigid.back());
            continue;
        }
        rigid.push_back(as_it_is(body, nb::cast<RigidHandle&>(body), made));
        if (made.size() > moving.size()) moving.push_back(k);
    }
    h.meshes.reserve(h.meshes.size() + made.size());
    const std::vector<std::int32_t> members = h.world.add_all(rigid, rigids_of(poses));
    for (std::size_t k = 0; k < moving.size(); ++k) h.meshes.emplace(members[moving[k]], std::move(made[k]));
    for (std::size_t k = 0; k < members.size(); ++k) h.set_slot(members[k], nb::make_tuple(names[k], bodies[k]));
    return members;
}

/// What is excluded or compared again: rows of (member, link, member, link).
template <auto change_one>
void change_exclusion(WorldHandle& h, const Integers& rows) {
    h.refresh();
    const Changing change(h.usage);
    for (std::size_t i = 0; i < rows.size(); i += 4) {
        const std::int32_t* r = rows.data() + i;
        (h.world.*change_one)(h.need(r[0]), r[1], h.need(r[2]), r[3]);
    }
}

nb::dict counts_of(const WorldHandle& h) {
    nb::dict out;
    out["builds"] = h.world.tree().builds();
    out["strays"] = h.world.tree().strays();
    out["bytes"] = h.world.bytes();
    return out;
}

// Questions.

/// One of two arguments: a world, a member of one, or another body somewhere.
class Side {
public:
    Side(nb::handle value, nb::handle pose, const char* name, const char* pose_name) {
        if (nb::try_cast<WorldMemberHandle*>(value, member_) && member_) {
            handle_ = &member_->world();
            number_ = member_->number();
        } else if (!(nb::try_cast<WorldHandle*>(value, handle_) && handle_)) {
            const PoseArgument where(pose, pose_name);
            refuse_with_many(where.many(), "a World");
            slots_ = nb::list();
            make(value, where.one, name, nb::none());
            return;
        }
        if (!pose.is_none())
            throw nb::value_error(
                (std::string(pose_name) + " is not for a World, nor for a body of one: move it").c_str());
        handle_->refresh();
        asking_.emplace(*handle_);
    }
    bool is_world() const { return handle_ && number_ < 0; }
    bool is_member_of(const Side& world) const { return number_ >= 0 && handle_ == world.handle_; }
    std::int32_t number() const { return number_; }
    WorldHandle* handle() const { return handle_; }
    /// What is asked: the world, or one that holds the body alone.
    const World& world() {
        if (is_world()) return handle_->world;
        if (!own_) {
            const nb::object slot = handle_->slots[number_];
            slots_ = nb::list();
            make(slot[1], handle_->world.member(number_).pose, "the body", slot[0]);
        }
        return *own_;
    }
    nb::object slots() { return own_ ? slots_ : handle_->lend(); }

private:
    WorldMemberHandle* member_ = nullptr;
    WorldHandle* handle_ = nullptr;
    std::int32_t number_ = -1;
    std::optional<World> own_;
    std::vector<LiveMesh> meshes_;
    nb::object slots_;
    std::optional<AskingWorld> asking_;
    std::optional<Asking> body_;

    void make(nb::handle body, const Rigid& pose, const char* name, const nb::object& called) {
        LiveMember live;
        own_.emplace();
        add_to(*own_, body, pose, name, live, meshes_);
        if (live.member >= 0) body_.emplace(live.usage());
        slots_.attr("append")(nb::make_tuple(called, body));
    }
};

/// Keeps the members of an answer.
void note_members(const WorldDistanceAnswer& answer, MemberNames& who) {
    if (answer.pair[0] >= 0) who.members = {answer.members};
}
void note_members(const auto& answer, MemberNames& who) { who.members = answer.members; }

/// Two arguments of which one is a world or a member.
class WorldScene {
public:
    WorldScene(nb::handle a, nb::handle b, nb::handle pose_a, nb::handle pose_b, nb::handle memory,
               nb::handle configurations)
        : a_(a, pose_a, "a", "pose_a"), b_(b, pose_b, "b", "pose_b") {
        refuse_memory(memory, configurations);
        if (a_.is_world() && b_.is_world() && a_.handle() == b_.handle())
            throw nb::value_error("a and b are the same World: use self_collide, self_distance or self_within");
        swapped_ = a_.is_world() && b_.is_member_of(a_);
    }
    static void refuse_memory(nb::handle memory, nb::handle configurations) {
        if (!memory.is_none()) throw nb::value_error("memory is not for a World");
        if (!configurations.is_none())
            throw nb::value_error("configurations is not for a World: move the body to one after the other");
    }
    /// f(pair) without the interpreter's lock, with a in the answer first.
    template <class F>
    auto ask(MemberNames& who, F&& f) {
        const bool rest = swapped_ || (b_.is_world() && a_.is_member_of(b_));
        auto answer = rest ? rest_of(swapped_ ? b_ : a_, who, f) : two(who, f);
        note_members(answer, who);
        if (!swapped_) return answer;
        who.swap();
        return swapped(std::move(answer));
    }

private:
    Side a_, b_;
    bool swapped_;

    template <class F>
    static auto rest_of(Side& member, MemberNames& who, F&& f) {
        const World& world = member.handle()->world;
        auto answer = unlocked(world.size() > 64, [&] { return f(WorldPair{world, world, member.number()}); });
        who.a = who.b = member.handle()->lend();
        return answer;
    }
    template <class F>
    auto two(MemberNames& who, F&& f) {
        const World &x = a_.world(), &y = b_.world();
        auto answer = unlocked(x.size() + y.size() > 64, [&] { return f(WorldPair{x, y, -1}); });
        who.a = a_.slots(), who.b = b_.slots();
        return answer;
    }
    static WorldCollideAnswer swapped(WorldCollideAnswer answer) {
        static_cast<CollideAnswer&>(answer) = elbowroom::swapped(CollideAnswer(std::move(answer)));
        return answer;
    }
    static WorldDistanceAnswer swapped(WorldDistanceAnswer answer) {
        static_cast<DistanceAnswer&>(answer) = elbowroom::swapped(DistanceAnswer(std::move(answer)));
        return answer;
    }
    static WorldWithinAnswer swapped(WorldWithinAnswer answer) {
        static_cast<WithinAnswer&>(answer) = elbowroom::swapped(WithinAnswer(std::move(answer)));
        return answer;
    }
};

/// A world and itself.
template <class F>
auto ask_itself(nb::handle value, nb::handle memory, nb::handle configurations, MemberNames& who, F&& f) {
    WorldScene::refuse_memory(memory, configurations);
    WorldHandle* h = nullptr;
    if (!nb::try_cast<WorldHandle*>(value, h) || !h)
        throw nb::value_error(
            "body is one member of a World: compare it with the World by collide, distance or within");
    h->refresh();
    const AskingWorld asking(*h);
    auto answer = unlocked(h->world.size() > 16, [&] { return f(WorldPair{h->world, h->world, -1}); });
    who.a = who.b = h->lend();
    note_members(answer, who);
    return answer;
}

nb::object answered(WorldCollideAnswer answer, MemberNames who, const CollideOptions& options) {
    return nb::cast(WorldCollision{{std::move(static_cast<CollideAnswer&>(answer)), options.depth}, std::move(who)});
}
nb::object answered(WorldDistanceAnswer answer, MemberNames who) {
    return nb::cast(WorldDistance{{std::move(static_cast<DistanceAnswer&>(answer))}, std::move(who)});
}
nb::object answered(WorldWithinAnswer answer, MemberNames who, const WithinOptions& options) {
    return nb::cast(WorldPairs{Pairs(std::move(static_cast<WithinAnswer&>(answer)), options.points), std::move(who)});
}

}  // namespace

LiveMesh::LiveMesh(RigidHandle& of) : mesh(&of), seen(of.usage.changes()) {
    of.usage.refuse_question();
    copy = std::make_unique<RigidBody>(of);
}

std::int32_t WorldHandle::add(nb::handle name, nb::handle body, const Rigid& pose) {
    refresh();
    const Changing change(usage);
    LiveMember live;
    std::vector<LiveMesh> made;
    meshes.reserve(meshes.size() + 1);
    const std::int32_t member = add_to(world, body, pose, quoted(name), live, made);
    if (!made.empty()) meshes.emplace(member, std::move(made[0]));
    if (live.member >= 0) this->live.push_back(live);
    set_slot(member, nb::make_tuple(name, body));
    return member;
}

void WorldHandle::remove(std::int32_t member) {
    refresh();
    const Changing change(usage);
    need(member);
    std::erase_if(live, [&](const LiveMember& m) { return m.member == member; });
    world.remove(member);
    meshes.erase(member);
    set_slot(member, nb::none());
}

void WorldHandle::set_slot(std::int32_t member, const nb::object& to) {
    if (lent) slots = slots.attr("copy")(), lent = false;
    if (std::size_t(member) == nb::len(slots))
        slots.attr("append")(to);
    else
        slots[member] = to;
}

void WorldHandle::refresh() {
    usage.refuse_question();
    for (LiveMember& m : live) look_at(world, m, quoted(slots[m.member][0]), usage);
    if (seen_moves == mesh_moves) return;
    const std::uint64_t moves = mesh_moves;
    for (auto& [member, m] : meshes) {
        if (m.mesh->usage.changes() == m.seen) continue;
        m.mesh->usage.refuse_question();
        const Changing change(usage);
        *m.copy = *m.mesh;
        world.renew(member);
        m.seen = m.mesh->usage.changes();
    }
    seen_moves = moves;
}

std::int32_t WorldHandle::need(std::int32_t member) const {
    if (member >= 0 && member < world.numbers() && world.has(member)) return member;
    throw nb::value_error("this body was removed from its World");
}

std::int32_t WorldMemberHandle::number() const {
    const World& w = world().world;
    if (member < w.numbers() && w.member(member).serial == serial) return member;
    throw nb::value_error("this body was removed from its World");
}

bool is_worldly_type(PyTypeObject* type) {
    return PyType_IsSubtype(type, reinterpret_cast<PyTypeObject*>(nb::type<Worldly>().ptr()));
}

nb::object collide_world(const Arguments<10>& given) {
    WorldScene scene(given[0], given[1], given[2], given[3], given[7], given[9]);
    const int threads = thread_count(given[8]);
    const CollideOptions options{given.flag(4), given.flag(5), allowance_argument(given[6]), nullptr, nullptr};
    MemberNames who;
    WorldCollideAnswer answer = scene.ask(who, [&](const WorldPair& pair) { return collide(pair, options, threads); });
    return answered(std::move(answer), std::move(who), options);
}

nb::object distance_world(const Arguments<10>& given) {
    WorldScene scene(given[0], given[1], given[2], given[3], given[7], given[9]);
    if (!given[5].is_none()) throw nb::value_error("linear is for rigid bodies alone");
    const DistanceOptions options = distance_options(given[4], given[6], nullptr);
    MemberNames who;
    WorldDistanceAnswer answer = scene.ask(who, [&](const WorldPair& pair) { return distance(pair, options); });
    return answered(std::move(answer), std::move(who));
}

nb::object within_world(const Arguments<10>& given) {
    WorldScene scene(given[0], given[1], given[3], given[4], given[7], given[9]);
    const int threads = thread_count(given[8]);
    WithinOptions options = within_options(given[2], given.flag(5));
    limit(options, given[6], nullptr);
    MemberNames who;
    WorldWithinAnswer answer = scene.ask(who, [&](const WorldPair& pair) { return within(pair, options, threads); });
    return answered(std::move(answer), std::move(who), options);
}

nb::object self_collide_world(const Arguments<7>& given) {
    const int threads = thread_count(given[5]);
    const CollideOptions options{given.flag(1), given.flag(2), allowance_argument(given[3]), nullptr, nullptr};
    MemberNames who;
    WorldCollideAnswer answer = ask_itself(given[0], given[4], given[6], who,
                                           [&](const WorldPair& pair) { return collide(pair, options, threads); });
    return answered(std::move(answer), std::move(who), options);
}

nb::object self_distance_world(const Arguments<6>& given) {
    const DistanceOptions options = distance_options(given[1], given[2], nullptr);
    MemberNames who;
    WorldDistanceAnswer answer =
        ask_itself(given[0], given[3], given[5], who, [&](const WorldPair& pair) { return distance(pair, options); });
    return answered(std::move(answer), std::move(who));
}

nb::object self_within_world(const Arguments<7>& given) {
    const int threads = thread_count(given[5]);
    WithinOptions options = within_options(given[1], given.flag(2));
    limit(options, given[3], nullptr);
    MemberNames who;
    WorldWithinAnswer answer = ask_itself(given[0], given[4], given[6], who,
                                          [&](const WorldPair& pair) { return within(pair, options, threads); });
    return answered(std::move(answer), std::move(who), options);
}

void export_world(nb::module_& m) {
    nb::class_<Worldly>(m, "Worldly", "A World, or a body of one.");
    auto type = nb::class_<WorldHandle, Worldly>(m, "World", "Many bodies under one tree.");
    type.def(nb::init<>())
        .def(
            "_add",
            [](WorldHandle& h, nb::handle name, nb::handle body, nb::handle pose) {
                const std::string where = "pose of " + quoted(name);
                return h.add(name, body, pose.is_none() ? Rigid{} : one_pose(pose, where.c_str()));
            },
            nb::arg("name"), nb::arg("body").none(), nb::arg("pose").none())
        .def("_add_all", &add_all, nb::arg("names"), nb::arg("bodies"), nb::arg("poses"))
        .def("_remove", &WorldHandle::remove, nb::arg("member"))
        .def(
            "_move_all",
            [](WorldHandle& h, const Integers& members, const Doubles& poses) {
                h.refresh();
                const Changing change(h.usage);
                for (std::size_t i = 0; i < members.size(); ++i) h.need(members.data()[i]);
                const std::vector<Rigid> to = rigids_of(poses);
                h.world.move_all(numbers_of(members), to);
            },
            nb::arg("members"), nb::arg("poses"))
        .def("_poses", &poses_of, nb::arg("members"))
        .def(
            "_pose",
            [](WorldHandle& h, std::int32_t member) {
                h.refresh();
                return h.world.member(h.need(member)).pose;
            },
            nb::arg("member"))
        .def(
            "_attach",
            [](WorldHandle& h, std::int32_t member, std::int32_t to, std::int32_t link) {
                h.refresh();
                const Changing change(h.usage);
                if (h.world.hangs_on(h.need(to), h.need(member)))
                    throw nb::value_error("a body cannot be attached to what moves with it");
                h.world.attach(member, to, link);
            },
            nb::arg("member"), nb::arg("to"), nb::arg("link"))
        .def(
            "_detach",
            [](WorldHandle& h, std::int32_t member) {
                h.refresh();
                const Changing change(h.usage);
                h.world.detach(h.need(member));
            },
            nb::arg("member"))
        .def(
            "_hangs_on",
            [](const WorldHandle& h, std::int32_t member, std::int32_t other) {
                return h.world.hangs_on(h.need(member), h.need(other));
            },
            nb::arg("member"), nb::arg("other"))
        .def(
            "_parent",
            [](const WorldHandle& h, std::int32_t member) {
                const WorldMember& one = h.world.member(h.need(member));
                return nb::make_tuple(one.parent, one.parent_link);
            },
            nb::arg("member"))
        .def(
            "_attached",
            [](const WorldHandle& h, std::int32_t member) { return h.world.member(h.need(member)).attached; },
            nb::arg("member"))
        .def("_exclude", &change_exclusion<&World::exclude>, nb::arg("rows"))
        .def("_include", &change_exclusion<&World::include>, nb::arg("rows"))
        .def("_excluded_rows", [](const WorldHandle& h) { return to_numpy(h.world.excluded()); })
        .def(
            "_slot", [](const WorldHandle& h, std::int32_t member) { return nb::object(h.slots[h.need(member)]); },
            nb::arg("member"))
        .def("_fault",
             [](WorldHandle& h) {
                 h.refresh();
                 return h.world.validate();
             })
        .def("_counts", &counts_of);
    static PyMethodDef methods[] = {fast_method<move_signature, move>("_move(member, pose)\n--\n\n")};
    add_methods(type, methods);
    nb::class_<WorldMemberHandle, Worldly>(m, "WorldMember", "A body of a World.")
        .def(
            "__init__",
            [](WorldMemberHandle* self, const nb::object& world, std::int32_t member) {
                new (self) WorldMemberHandle();
                self->owner = world;
                self->member = member;
                self->serial = self->world().world.member(self->world().need(member)).serial;
            },
            nb::arg("world"), nb::arg("member"))
        .def_prop_ro("_world", [](const WorldMemberHandle& h) { return h.owner; })
        .def_prop_ro("_number", &WorldMemberHandle::number);
}

}  // namespace elbowroom::bindings
