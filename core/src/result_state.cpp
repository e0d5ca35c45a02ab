#include "elbowroom/batch/result_state.hpp"

#include <stdexcept>
#include <type_traits>

namespace elbowroom {

namespace {

/// Writes numbers one after the other, or reads them.
class Numbers {
public:
    Numbers() = default;
    Numbers(std::span<const std::int64_t> whole, std::span<const double> real)
        : reads_(true), saved_whole_(whole), saved_real_(real) {}

    ResultState written() { return {std::move(whole_), std::move(real_)}; }
    void end() const {
        if (at_whole_ != saved_whole_.size() || at_real_ != saved_real_.size()) refuse();
    }
    void require(bool sound) const {
        if (reads_ && !sound) refuse();
    }

    template <class... T>
    void whole(T&... values) {
        (number(values, whole_, saved_whole_, at_whole_), ...);
    }
    template <class... T>
    void real(T&... values) {
        (number(values, real_, saved_real_, at_real_), ...);
    }
    template <class T>
    void list(std::vector<T>& values) {
        std::size_t count = values.size();
        whole(count);
        require(count <= saved_whole_.size() + saved_real_.size());
        values.resize(count);
        for (T& value : values) visit(value);
    }
    void visit(double& x) { real(x); }
    void visit(unsigned char& x) {
        whole(x);
        require(x <= 1);
    }
    void visit(bool& x) {
        unsigned char flag = x;
        visit(flag);
        x = flag;
    }
    void visit(std::int32_t& x) { whole(x); }
    void visit(Vec3& v) { real(v.x, v.y, v.z); }
    void visit(PrimitivePair& p) { whole(p[0], p[1]); }
    void visit(HullContact& c) {
        visit(c.point);
        visit(c.normal);
        real(c.depth);
    }
    void visit(NearestPoints& p) {
        visit(p.on_a);
        visit(p.on_b);
        visit(p.normal);
    }
    void visit(Counters& c) { whole(c.volume_tests, c.leaf_tests, c.pairs_visited); }
    void visit(Stop& stop) {
        int number = int(stop);
        whole(number);
        require(number >= 0 && number <= int(Stop::out_of_budget));
        stop = Stop(number);
    }
    void visit(Worth& w) {
        visit(w.given);
        visit(w.has_signs);
        real(w.covered, w.confidence, w.lower);
        for (double& sign : w.signs) real(sign);
    }
    void visit(Contacts& c) { list(c.all); }
    void visit(Collision& c) {
        visit(c.answer.hit);
        visit(c.answer.stop);
        visit(c.answer.counters);
        visit(c.answer.worth);
        visit(c.has_contacts);
        list(c.answer.pairs);
        list(c.answer.contacts);
        require(c.answer.contacts.size() == (c.has_contacts ? c.answer.pairs.size() : 0));
    }
    void visit(Distance& d) {
        visit(d.answer.stop);
        visit(d.answer.loose);
        visit(d.answer.counters);
        visit(d.answer.worth);
        real(d.answer.lower, d.answer.upper);
        visit(d.answer.on_a);
        visit(d.answer.on_b);
        visit(d.answer.pair);
    }
    void visit(Pairs& p) {
        p.sorted();
        visit(p.answer.stop);
        visit(p.answer.counters);
        visit(p.answer.worth);
        visit(p.many);
        list(p.answer.pairs);
        list(p.answer.distances);
        visit(p.has_points);
        list(p.answer.points);
        list(p.frames);
        list(p.finished);
        const std::size_t count = p.answer.pairs.size();
        require(p.answer.distances.size() == count && p.frames.size() == (p.many ? count : 0) &&
                p.answer.points.size() == (p.has_points ? count : 0));
    }
    void visit(Collisions& c) {
        many(c);
        visit(c.has_pairs);
        visit(c.has_contacts);
        list(c.hits);
        list(c.pairs);
        list(c.contacts);
        require(c.hits.size() == c.finished.size() && c.frames.size() == c.pairs.size() &&
                c.contacts.size() == (c.has_contacts ? c.pairs.size() : 0));
    }
    void visit(Distances& d) {
        many(d);
        visit(d.loose);
        list(d.lower);
        list(d.upper);
        list(d.points);
        list(d.pairs);
        const std::size_t count = d.finished.size();
        require(count > 0 && d.lower.size() == count && d.upper.size() == count && d.points.size() == 2 * count &&
                d.pairs.size() == count);
    }

private:
    const bool reads_ = false;
    std::vector<std::int64_t> whole_;
    std::vector<double> real_;
    std::span<const std::int64_t> saved_whole_;
    std::span<const double> saved_real_;
    std::size_t at_whole_ = 0, at_real_ = 0;

    void many(ManyAnswers& all) {
        visit(all.stop);
        visit(all.counters);
        list(all.finished);
        list(all.frames);
    }
    template <class T, class Number, class Saved>
    void number(T& value, std::vector<Number>& written, const Saved& saved, std::size_t& at) {
        if (!reads_) return written.push_back(Number(value));
        if (at == saved.size()) refuse();
        const Number read = saved[at++];
        value = T(read);
        if constexpr (std::is_integral_v<T>) require(Number(value) == read);
    }
    [[noreturn]] static void refuse() { throw std::invalid_argument("this is no saved answer"); }
};

}  // namespace

template <class Result>
ResultState state_of(Result& result) {
    Numbers numbers;
    numbers.visit(result);
    return numbers.written();
}

template <class Result>
Result result_of(std::span<const std::int64_t> whole, std::span<const double> real) {
    Numbers numbers(whole, real);
    Result out{};
    numbers.visit(out);
    numbers.end();
    return out;
}

#define ELBOWROOM_STATE_OF(Result)          \
    template ResultState state_of(Result&); \
    template Result result_of(std::span<const std::int64_t>, std::span<const double>);
ELBOWROOM_STATE_OF(Counters)
ELBOWROOM_STATE_OF(Contacts)
ELBOWROOM_STATE_OF(Collision)
ELBOWROOM_STATE_OF(Collisions)
ELBOWROOM_STATE_OF(Distance)
ELBOWROOM_STATE_OF(Distances)
ELBOWROOM_STATE_OF(Pairs)
#undef ELBOWROOM_STATE_OF

}  // namespace elbowroom
