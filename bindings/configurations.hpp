// Questions about articulated bodies at configurations that are given with the question.
#pragma once
#include <nanobind/nanobind.h>

namespace elbowroom::bindings {

namespace nb = nanobind;

/// One or two bodies of a question; with `configurations`, bodies that share everything with them but are at these.
/// The usual question has none, and does not even pay for counting references.
class ConfiguredBodies {
public:
    nb::handle a, b;
    ConfiguredBodies(nb::handle body, nb::handle configurations) : a(body) {
        if (!configurations.is_none()) [[unlikely]]
            a = made_ = ask("one", body, configurations);
    }
    ConfiguredBodies(nb::handle first, nb::handle second, nb::handle configurations) : a(first), b(second) {
        if (!configurations.is_none()) [[unlikely]] {
            made_ = ask("two", first, second, configurations);
            a = nb::object(made_[0]);
            b = nb::object(made_[1]);
        }
    }

private:
    nb::object made_;

    template <class... Given>
    [[gnu::noinline, gnu::cold]] static nb::object ask(const char* how, const Given&... given) {
        return nb::module_::import_("elbowroom._configurations").attr(how)(given...);
    }
};

}  // namespace elbowroom::bindings
