#pragma once
#include <cstdint>
#include <vector>

namespace elbowroom {

/// A bit for each pair of shapes of one body, in both orders; the rows are whole blocks of sixteen, so that those of a
/// block come at once.
class ShapeBits {
public:
    ShapeBits() = default;
    explicit ShapeBits(int shapes)
        : words_((std::size_t(shapes) + 63) / 64), bits_(words_ * ((std::size_t(shapes) + 15) / 16 * 16), 0) {}

    void set(int i, int j) {
        word(i, j) |= bit(j);
        word(j, i) |= bit(i);
    }
    /// Every shape with every other.
    void set_all(int shapes) {
        for (int i = 0; i < shapes; ++i) {
            std::uint64_t* row = &bits_[std::size_t(i) * words_];
            for (int j = 0; j < shapes; j += 64) row[j / 64] = shapes - j >= 64 ? ~std::uint64_t(0) : bit(shapes) - 1;
            row[i / 64] &= ~bit(i);
        }
    }
    void clear(int i, int j) {
        word(i, j) &= ~bit(j);
        word(j, i) &= ~bit(i);
    }
    bool operator()(int i, int j) const { return bits_[std::size_t(i) * words_ + j / 64] & bit(j); }
    /// The sixteen bits of row i for the shapes of a block.
    unsigned block(int i, int b) const {
        return unsigned(bits_[std::size_t(i) * words_ + b / 4] >> (16 * (b % 4))) & 0xffffu;
    }

private:
    std::size_t words_ = 0;
    std::vector<std::uint64_t> bits_;
    static std::uint64_t bit(int j) { return std::uint64_t(1) << (j % 64); }
    std::uint64_t& word(int i, int j) { return bits_[std::size_t(i) * words_ + j / 64]; }
};

}  // namespace elbowroom
