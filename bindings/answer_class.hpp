// Classes of answers: what all of them have, and properties one after the other.
#pragma once
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <span>

#include "arrays.hpp"
#include "elbowroom/batch/result_state.hpp"
#include "elbowroom/batch/result_text.hpp"

namespace elbowroom::bindings {

inline constexpr const char* finished_doc = "(n,) bool: False where the budget ended first, and no hit is no proof.";

template <class Answer>
class AnswerClass : public nb::class_<Answer> {
public:
    AnswerClass(nb::module_& m, const char* name, const char* doc) : nb::class_<Answer>(m, name, doc) {
        this->def("__getstate__", [](Answer& answer) {
            const ResultState state = state_of(answer);
            return nb::make_tuple(to_numpy(state.whole), to_numpy(state.real));
        });
        this->def("__setstate__", [](Answer& answer, const nb::tuple& saved) {
            Saved<std::int64_t> whole;
            Saved<double> real;
            if (nb::len(saved) != 2 || !nb::try_cast(saved[0], whole, false) || !nb::try_cast(saved[1], real, false))
                throw nb::value_error("this is no saved answer");
            new (&answer) Answer(result_of<Answer>({whole.data(), whole.size()}, {real.data(), real.size()}));
        });
        this->def("__repr__", [](const Answer& answer) { return describe(answer); });
    }

    template <class Get>
    AnswerClass& property(const char* name, const char* doc, Get get) {
        this->def_prop_ro(name, get, doc);
        return *this;
    }

    AnswerClass& ending(const char* doc_of_counters = "The work it took.") {
        property("status",
                 "How the search ended. \"settled\": more work could not change the answer; \"exhausted\": it is "
                 "complete, everything was looked at or ruled out; \"out of budget\"; \"within tolerance\": the bounds "
                 "did not close as far as promised.",
                 [](const Answer& a) { return status_of(inner(a).stop, is_loose(inner(a))); });
        property("proved",
                 "True: the answer is complete, and a proof. False: the budget ended first, or the bounds did not "
                 "close.",
                 [](const Answer& a) { return inner(a).stop != Stop::out_of_budget && !is_loose(inner(a)); });
        return property("counters", doc_of_counters, [](const Answer& a) { return inner(a).counters; });
    }

    AnswerClass& worth() {
        using Number = std::optional<double>;
        property("covered",
                 "On a budget: the share of the pairs of primitives that are proved apart (of a distance: not nearer "
                 "than `upper`; of pairs within reach: decided). Else None.",
                 [](const Answer& a) { return a.answer.worth.given ? Number(a.answer.worth.covered) : Number(); });
        property("confidence",
                 "On a budget: how far no hit can be trusted, from 0 to 1; 1 if the search finished. See Memory. Else "
                 "None.",
                 [](const Answer& a) { return a.answer.worth.given ? Number(a.answer.worth.confidence) : Number(); });
        this->def_prop_ro("_signs", [](const Answer& a) {
            return a.answer.worth.has_signs ? to_numpy(a.answer.worth.signs) : nb::none();
        });
        return *this;
    }

    /// Of many answers: an array of one value each.
    template <class Values>
    AnswerClass& array(Values values) {
        this->def("__len__", [values](const Answer& a) { return values(a).size(); });
        this->def(
            "__array__",
            [values](const Answer& a, nb::handle dtype, nb::handle) {
                const nb::object all = as_numpy(values(a));
                return dtype.is_none() ? all : all.attr("astype")(dtype);
            },
            nb::arg("dtype") = nb::none(), nb::arg("copy") = nb::none());
        this->def(
            "__getitem__",
            [values](const Answer& a, nb::handle index) { return nb::object(as_numpy(values(a))[index]); },
            nb::arg("index"));
        return *this;
    }

private:
    template <class Number>
    using Saved = nb::ndarray<const Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

    static const auto& inner(const Answer& a) {
        if constexpr (requires { a.answer; })
            return a.answer;
        else
            return a;
    }
    static bool is_loose(const auto& a) {
        if constexpr (requires { a.loose; })
            return a.loose;
        else
            return false;
    }
    static nb::object as_numpy(const std::vector<double>& values) { return to_numpy(values); }
    static nb::object as_numpy(const std::vector<unsigned char>& flags) { return flags_to_numpy(flags); }
};

}  // namespace elbowroom::bindings
