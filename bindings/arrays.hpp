// Arrays in and out. Checking and casting is done in Python (elbowroom._arrays); what arrives here is right.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

#include "elbowroom/math/rigid.hpp"

namespace elbowroom::bindings {

namespace nb = nanobind;

using Doubles = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using Integers = nb::ndarray<const std::int32_t, nb::c_contig, nb::device::cpu>;

/// A fresh NumPy array of values of a type, with their bytes.
nb::object make_array(const void* values, nb::dlpack::dtype type, std::span<const std::size_t> shape);

template <class T>
nb::object to_numpy(const T* values, std::initializer_list<std::size_t> shape) {
    return make_array(values, nb::dtype<T>(), {shape.begin(), shape.size()});
}

/// How a value appears in an array: the type of its numbers, and its extents.
template <class T>
struct InArray {
    using Number = T;
    static constexpr std::array<std::size_t, 0> extents{};
};
template <>
struct InArray<Vec3> {
    using Number = double;
    static constexpr std::array<std::size_t, 1> extents{3};
};
template <>
struct InArray<Mat3> {
    using Number = double;
    static constexpr std::array<std::size_t, 2> extents{3, 3};
};

constexpr auto with_first(std::size_t first, const auto& rest) {
    std::array<std::size_t, 1 + std::tuple_size_v<std::remove_cvref_t<decltype(rest)>>> out{first};
    std::copy(rest.begin(), rest.end(), out.begin() + 1);
    return out;
}

template <class T, std::size_t N>
struct InArray<std::array<T, N>> {
    using Number = typename InArray<T>::Number;
    static constexpr auto extents = with_first(N, InArray<T>::extents);
};

template <class T>
nb::object to_numpy(const T& value) {
    return make_array(&value, nb::dtype<typename InArray<T>::Number>(), InArray<T>::extents);
}
template <class T>
nb::object to_numpy(const std::vector<T>& values) {
    return make_array(values.data(), nb::dtype<typename InArray<T>::Number>(),
                      with_first(values.size(), InArray<T>::extents));
}
inline nb::object flags_to_numpy(const std::vector<unsigned char>& flags) {
    return make_array(flags.data(), nb::dtype<bool>(), std::array{flags.size()});
}

/// One field of every element, or what `get` makes of it.
template <class T, class Get>
nb::object column(const std::vector<T>& all, Get get) {
    std::vector<std::remove_cvref_t<std::invoke_result_t<Get, const T&>>> out;
    for (const T& one : all) out.push_back(std::invoke(get, one));
    return to_numpy(out);
}

/// A getter of a field, as an array.
template <class Class, class Field>
Class class_of(Field Class::*);
template <auto Field>
nb::object array_of(const decltype(class_of(Field))& value) {
    return to_numpy(value.*Field);
}

/// The rows of an array, each as one T.
template <class T, class Number>
std::vector<T> to_rows(const nb::ndarray<const Number, nb::c_contig, nb::device::cpu>& array) {
    std::vector<T> out(array.size() * sizeof(Number) / sizeof(T));
    if (!out.empty()) std::memcpy(static_cast<void*>(out.data()), array.data(), out.size() * sizeof(T));
    return out;
}
inline std::vector<Vec3> to_points(const Doubles& array) { return to_rows<Vec3>(array); }
inline std::vector<std::array<std::int32_t, 2>> to_pairs(const Integers& array) {
    return to_rows<std::array<std::int32_t, 2>>(array);
}

template <class T>
std::vector<T> to_vector(const nb::ndarray<const T, nb::c_contig, nb::device::cpu>& array) {
    return {array.data(), array.data() + array.size()};
}

inline nb::object to_numpy(const Mat3& m) { return to_numpy<double>(&m.row[0].x, {3, 3}); }

inline Mat3 to_matrix(const double* p, int stride) {
    Mat3 m;
    for (int i = 0; i < 3; ++i) m.row[i] = {p[i * stride], p[i * stride + 1], p[i * stride + 2]};
    return m;
}

/// The buffer of an array of doubles, taken where it lies; or nothing.
class DoublesView {
public:
    DoublesView(nb::handle value, int layout) {
        if (!PyObject_CheckBuffer(value.ptr())) return;
        held_ = PyObject_GetBuffer(value.ptr(), &view_, layout | PyBUF_FORMAT) == 0;
        if (!held_) PyErr_Clear();
        doubles_ = held_ && view_.format && view_.format[0] == 'd' && view_.format[1] == 0;
    }
    ~DoublesView() {
        if (held_) PyBuffer_Release(&view_);
    }
    DoublesView(const DoublesView&) = delete;
    DoublesView& operator=(const DoublesView&) = delete;

protected:
    Py_buffer view_{};
    bool doubles_ = false;

private:
    bool held_ = false;
};

/// A C-contiguous array with `tail` as its last extents, one or many.
class ArrayArgument : DoublesView {
public:
    ArrayArgument(nb::handle value, std::initializer_list<Py_ssize_t> tail) : DoublesView(value, PyBUF_C_CONTIGUOUS) {
        const int extra = view_.ndim - int(tail.size());
        fits_ = doubles_ && (extra == 0 || extra == 1) && std::equal(tail.begin(), tail.end(), view_.shape + extra);
        if (!fits_ || extra == 0) return;
        count_ = view_.shape[0];
        fits_ = count_ > 0;
    }
    bool fits() const { return fits_; }
    std::ptrdiff_t count() const { return count_; }  // -1: one
    bool many() const { return count_ >= 0; }
    std::ptrdiff_t rows() const { return many() ? count_ : 1; }
    const double* data() const { return static_cast<const double*>(view_.buf); }

private:
    bool fits_ = false;
    std::ptrdiff_t count_ = -1;
};

}  // namespace elbowroom::bindings
