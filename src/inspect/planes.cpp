// SPDX-License-Identifier: Apache-2.0
// Colour planes that were read as pixels, or as one grey picture: it is shown three times. Rows of planes that were
// read as pixels of three bytes hold three rows of a plane, and so three thirds that are alike.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "inspect/for_avx2.hpp"
#include "inspect/to_bytes.hpp"
#include "vergence/inspect_layout.hpp"

namespace vergence {
namespace {

using PlanesPicture = ImageView<const std::uint8_t>;

constexpr Size least_planes{96, 48};
constexpr int plane_rows = 64;        // rows that are looked at, at most,
constexpr int first_plane_rows = 12;  // and those that tell whether that is worth it
constexpr int plane_step = 2;         // px of a step
// Correlation of steps, in percent. docs/warnings.md has what good pictures have.
constexpr double plane_doubtful = 0.3, plane_told = 0.45, plane_elsewhere = 0.55;

/// Steps along rows, of one place and of another one, and what they have in common.
class Likeness {
 public:
  /// here(x) and there(x) of a row, in words of 16 bits, whose products SIMD sums.
  template <class Here, class There>
  void add(int from, int end, const Here& here, const There& there) {
    constexpr int piece = 1024;  // px, whose sums fit into 32 bits
    for (; from < end; from += piece) {
      const auto count = static_cast<std::size_t>(std::min(piece, end - from));
      std::array<std::int16_t, piece> a, b;
      for (std::size_t i = 0; i < count; ++i) a[i] = static_cast<std::int16_t>(here(from + static_cast<int>(i)));
      for (std::size_t i = 0; i < count; ++i) b[i] = static_cast<std::int16_t>(there(from + static_cast<int>(i)));
      both_ += product(a.data(), b.data(), count);
      here_ += product(a.data(), a.data(), count);
      there_ += product(b.data(), b.data(), count);
    }
  }
  double correlation() const {
    if (here_ == 0 || there_ == 0) return 0;
    return static_cast<double>(both_) / std::sqrt(static_cast<double>(here_) * static_cast<double>(there_));
  }

 private:
  static int product(const std::int16_t* a, const std::int16_t* b, std::size_t count) {
    int sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += a[i] * b[i];
    return sum;
  }
  std::int64_t both_ = 0, here_ = 0, there_ = 0;
};

/// Between the thirds of rows lie whole bytes, but thirds of pixels.
class Thirds {
 public:
  explicit Thirds(PlanesPicture picture) : picture_(picture) {}

  /// How much pixels from [from, end) resemble those `thirds` thirds of a px further along, in so many rows.
  VERGENCE_FOR_AVX2 double along(int from, int end, int thirds, int rows) const {
    Likeness sum;
    const int whole = thirds / 3, part = thirds % 3, last = picture_.width() - whole - plane_step - 2;
    each_row(picture_.height(), rows, [&](int y) {
      const std::uint8_t* const row = picture_.row(y);
      const auto there = [=](int x) { return (3 - part) * row[x + whole] + part * row[x + whole + 1]; };
      sum.add(
          from, std::min(end, last), [=](int x) { return row[x + plane_step] - row[x]; },
          [=](int x) { return there(x + plane_step) - there(x); });
    });
    return sum.correlation();
  }
  /// How much rows from [from, end) resemble those `lag` rows further down.
  VERGENCE_FOR_AVX2 double down(int from, int end, int lag, int rows) const {
    Likeness sum;
    each_row(std::min(end, picture_.height() - lag) - from, rows, [&](int y) {
      const std::uint8_t *const row = picture_.row(from + y), *const other = picture_.row(from + y + lag);
      sum.add(
          0, picture_.width() - plane_step, [=](int x) { return row[x + plane_step] - row[x]; },
          [=](int x) { return other[x + plane_step] - other[x]; });
    });
    return sum.correlation();
  }

  bool in_rows() const {
    const int width = picture_.width();
    const auto least = [&](int rows) {
      return std::min(along(0, width / 3, width, rows), along(width / 3, width - width / 3, width, rows));
    };
    if (least(first_plane_rows) < plane_doubtful) return false;
    const double found = least(plane_rows);
    if (found < plane_told) return false;
    for (const int thirds : {3 * width / 5, 3 * width / 4, width / 2, width / 3, width / 4, width / 5})
      if (along(0, width / 2, thirds, plane_rows) > plane_elsewhere * found) return false;
    return true;
  }
  bool stacked() const {
    const int height = picture_.height();
    if (height % 3 != 0) return false;
    const int third = height / 3;
    const auto least = [&](int rows) {
      return std::min(down(0, third, third, rows), down(third, 2 * third, third, rows));
    };
    if (least(first_plane_rows) < plane_doubtful) return false;
    const double found = least(plane_rows);
    if (found < plane_told) return false;
    for (const int lag : {height / 5, height / 4, third / 2, third / 3, third / 4, third / 5})
      if (down(0, height / 2, lag, plane_rows) > plane_elsewhere * found) return false;
    return true;
  }

 private:
  template <class Row>
  static void each_row(int count, int most, Row row) {
    const int rows = std::min(count, most);
    for (int i = 0; i < rows; ++i) row((2 * i + 1) * count / (2 * rows));
  }
  PlanesPicture picture_;
};

PlaneFindings planes(PlanesPicture picture) {
  if (picture.width() < least_planes.width || picture.height() < least_planes.height) return {};
  const Thirds thirds(picture);
  return {.in_rows = thirds.in_rows(), .stacked = thirds.stacked()};
}

}  // namespace

PlaneFindings inspect_planes(ImageView<const std::uint8_t> picture) { return planes(picture); }
PlaneFindings inspect_planes(ImageView<const std::uint16_t> picture) {
  return planes(inspect::Bytes(picture, inspect::highest(picture, 255)).view());
}

}  // namespace vergence
