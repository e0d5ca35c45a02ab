// Functions with the shortest way in from Python: positional and keyword arguments sorted into slots by hand. The
// general machinery for typed arguments costs more than the cheapest query.
#pragma once
#include <nanobind/nanobind.h>

#include <cstring>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>

#include "elbowroom/queries/memory_limit.hpp"
#include "unlocked.hpp"

namespace elbowroom::bindings {

namespace nb = nanobind;

/// The names of a function's arguments, in order: `required` ones first, then those that may be given by position, then
/// keywords only.
template <int Count>
struct Signature {
    const char* function;
    const char* names[Count];
    int required, positional;
};

/// The arguments of one call; those not given are None.
template <int Count>
class Arguments {
public:
    Arguments(const Signature<Count>& signature, PyObject* const* args, Py_ssize_t positional, PyObject* keywords)
        : signature_(signature) {
        for (int i = 0; i < Count; ++i) slot_[i] = Py_None;
        if (positional > signature.positional)
            fail("takes at most " + std::to_string(signature.positional) + " arguments by position");
        for (Py_ssize_t i = 0; i < positional; ++i) slot_[i] = args[i];
        unsigned given = (1u << positional) - 1;
        const Py_ssize_t named = keywords ? PyTuple_Size(keywords) : 0;
        for (Py_ssize_t k = 0; k < named; ++k) {
            const int i = index_of(PyTuple_GetItem(keywords, k));
            if (given >> i & 1) fail(std::string("got two values for ") + signature.names[i]);
            given |= 1u << i;
            slot_[i] = args[positional + k];
        }
        for (int i = 0; i < signature.required; ++i)
            if (!(given >> i & 1)) fail(std::string("needs ") + signature.names[i]);
    }
    nb::handle operator[](int i) const { return slot_[i]; }
    bool flag(int i) const {
        const int truth = slot_[i] == Py_None ? 0 : PyObject_IsTrue(slot_[i]);
        if (truth < 0) {
            PyErr_Clear();
            throw nb::value_error((std::string(signature_.names[i]) + " must be True or False").c_str());
        }
        return truth;
    }

private:
    const Signature<Count>& signature_;
    PyObject* slot_[Count];

    int index_of(PyObject* name) const {
        for (int i = 0; i < Count; ++i)
            if (PyUnicode_CompareWithASCIIString(name, signature_.names[i]) == 0) return i;
        fail("has no argument " + nb::cast<std::string>(nb::handle(name)));
        return 0;
    }
    void fail(const std::string& what) const {
        throw nb::type_error((std::string(signature_.function) + "() " + what).c_str());
    }
};

/// Runs f and turns C++ exceptions into Python ones.
template <class F>
PyObject* guarded(F&& f) {
    try {
        return nb::object(f()).release().ptr();
    } catch (nb::python_error& error) { error.restore(); } catch (nb::builtin_exception& error) {
        PyErr_SetString(error.type() == nb::exception_type::type_error ? PyExc_TypeError : PyExc_ValueError,
                        error.what());
    } catch (const Cancelled& error) { set_python_error(error); } catch (const Interrupted& error) {
        set_python_error(error);
    } catch (const TooManyPairs& error) { PyErr_SetString(PyExc_MemoryError, error.what()); } catch (std::bad_alloc&) {
        PyErr_NoMemory();
    } catch (std::invalid_argument& error) {
        PyErr_SetString(PyExc_ValueError, error.what());
    } catch (std::exception& error) { PyErr_SetString(PyExc_RuntimeError, error.what()); }
    return nullptr;
}

/// What Python's object holds, if it was ever made.
template <class Handle>
Handle& handle_in(PyObject* self) {
    if (!nb::inst_ready(nb::handle(self))) throw nb::type_error("__init__ was not called");
    return *nb::inst_ptr<Handle>(nb::handle(self));
}

/// A function or method as Python calls it.
template <const auto& signature, auto f>
PyObject* fast_function(PyObject* self, PyObject* const* args, Py_ssize_t positional, PyObject* keywords) {
    return guarded([&] { return f(self, Arguments(signature, args, positional, keywords)); });
}

/// A row of a table of methods or functions: `f(self, arguments)` gives the result.
template <const auto& signature, auto f>
PyMethodDef fast_method(const char* doc) {
    return {signature.function,
            reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&fast_function<signature, f>)),
            METH_FASTCALL | METH_KEYWORDS, doc};
}

/// Adds functions to the module, or methods to a class. The table must live as long as the interpreter.
inline void add_functions(nb::module_& m, std::span<PyMethodDef> table) {
    const nb::str name("elbowroom");
    for (PyMethodDef& row : table) m.attr(row.ml_name) = nb::steal(PyCFunction_NewEx(&row, m.ptr(), name.ptr()));
}
inline void add_methods(nb::handle type, std::span<PyMethodDef> table) {
    for (PyMethodDef& row : table)
        nb::setattr(type, row.ml_name, nb::steal(PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type.ptr()), &row)));
}

}  // namespace elbowroom::bindings
