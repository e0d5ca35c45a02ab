// Numbers as programs write them: lists of floats, slices of arrays. What is not plainly that is left to the checks in
// Python (elbowroom._arrays), which also complain; nothing here raises.
#pragma once
#include <nanobind/nanobind.h>

#include <cstring>

#include "arrays.hpp"

namespace elbowroom::bindings {

namespace nb = nanobind;

/// A float or a whole number, but no bool.
inline bool read_number(PyObject* value, double& out) {
    if (PyFloat_Check(value)) return out = PyFloat_AsDouble(value), true;
    if (!PyLong_CheckExact(value)) return false;
    out = PyLong_AsDouble(value);
    if (out == -1 && PyErr_Occurred()) return PyErr_Clear(), false;
    return true;
}

/// An array of doubles in any layout, or none.
class StridedView : DoublesView {
public:
    explicit StridedView(nb::handle value) : DoublesView(value, PyBUF_STRIDES) {}

    bool is_vector(Py_ssize_t count) const { return doubles_ && view_.ndim == 1 && view_.shape[0] == count; }
    bool is_matrix(Py_ssize_t rows, Py_ssize_t columns) const {
        return doubles_ && view_.ndim == 2 && view_.shape[0] == rows && view_.shape[1] == columns;
    }
    double at(Py_ssize_t i, Py_ssize_t j = 0) const {
        const char* p = static_cast<const char*>(view_.buf) + i * view_.strides[0];
        double out;
        std::memcpy(&out, view_.ndim == 2 ? p + j * view_.strides[1] : p, sizeof out);
        return out;
    }
};

/// A list or tuple, whose items are borrowed; anything else has a negative size.
class Items {
public:
    explicit Items(PyObject* value) : value_(value), list_(PyList_CheckExact(value)) {
        if (list_ || PyTuple_CheckExact(value)) size_ = list_ ? PyList_Size(value) : PyTuple_Size(value);
    }
    Py_ssize_t size() const { return size_; }
    PyObject* operator[](Py_ssize_t i) const { return list_ ? PyList_GetItem(value_, i) : PyTuple_GetItem(value_, i); }

private:
    PyObject* const value_;
    const bool list_;
    Py_ssize_t size_ = -1;
};

/// So many numbers: a list, a tuple or an array of doubles.
inline bool read_numbers(nb::handle value, double* out, Py_ssize_t count) {
    const Items items(value.ptr());
    if (items.size() < 0) {
        const StridedView view(value);
        if (!view.is_vector(count)) return false;
        for (Py_ssize_t i = 0; i < count; ++i) out[i] = view.at(i);
        return true;
    }
    if (items.size() != count) return false;
    for (Py_ssize_t i = 0; i < count; ++i)
        if (!read_number(items[i], out[i])) return false;
    return true;
}

/// A matrix: a list of rows, or an array of doubles. Rows may be lists, tuples or arrays.
inline bool read_matrix(nb::handle value, double* out, Py_ssize_t rows, Py_ssize_t columns) {
    const Items items(value.ptr());
    if (items.size() < 0) {
        const StridedView view(value);
        if (!view.is_matrix(rows, columns)) return false;
        for (Py_ssize_t i = 0; i < rows; ++i)
            for (Py_ssize_t j = 0; j < columns; ++j) out[i * columns + j] = view.at(i, j);
        return true;
    }
    if (items.size() != rows) return false;
    for (Py_ssize_t i = 0; i < rows; ++i)
        if (!read_numbers(nb::handle(items[i]), out + i * columns, columns)) return false;
    return true;
}

}  // namespace elbowroom::bindings
