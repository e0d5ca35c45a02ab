// A state as bytes. Only for the same build on the same machine: numbers are written as they lie in memory.
#pragma once
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace elbowroom {

class SavedOut {
public:
    template <class T>
    void value(const T& v) {
        array(&v, 1);
    }
    template <class T>
    void array(const T* v, std::size_t count) {
        static_assert(std::is_trivially_copyable_v<T>);
        if (count) bytes_.append(reinterpret_cast<const char*>(v), count * sizeof(T));
    }
    std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
};

/// Refuses what is too short or too long, or was saved of something else.
class SavedIn {
public:
    explicit SavedIn(const std::string& bytes) : bytes_(bytes) {}
    template <class T>
    void value(T& v) {
        array(&v, 1);
    }
    void value(bool& v) {
        unsigned char byte = 0;
        array(&byte, 1);
        if (byte > 1) refuse();
        v = byte != 0;
    }
    template <class T>
    void array(T* v, std::size_t count) {
        static_assert(std::is_trivially_copyable_v<T>);
        if (count > (bytes_.size() - at_) / sizeof(T)) refuse();
        if (count) std::memcpy(static_cast<void*>(v), bytes_.data() + at_, count * sizeof(T));
        at_ += count * sizeof(T);
    }
    template <class T>
    void expect(const T& v) {
        T there;
        value(there);
        if (there != v) refuse();
    }
    std::string rest() const { return bytes_.substr(at_); }
    void end() const {
        if (at_ != bytes_.size()) refuse();
    }
    [[noreturn]] static void refuse() {
        throw std::invalid_argument("the saved state is of another chain, or damaged");
    }

private:
    const std::string& bytes_;
    std::size_t at_ = 0;
};

}  // namespace elbowroom
