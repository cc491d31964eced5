// SPDX-License-Identifier: Apache-2.0
// What the tests of the filters share: seeded maps with holes, steps and ties, guarded memory, and plans.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "plan/stereo/plan.hpp"
#include "vergence/image.hpp"

namespace vergence::test {

/// A map that ends where its memory ends, with a stride of its own and guard bytes around every row.
template <class T>
class FilteredMap {
 public:
  explicit FilteredMap(Size size, int gap = 3)
      : size_(size),
        stride_(static_cast<std::size_t>(size.width + gap) * sizeof(T)),
        bytes_(front + stride_ * static_cast<std::size_t>(size.height - 1) +
               static_cast<std::size_t>(size.width) * sizeof(T)),
        memory_(std::make_unique<std::byte[]>(bytes_)) {
    std::memset(memory_.get(), guard, bytes_);
  }
  ImageView<T> view() {
    void* const start = memory_.get() + front;
    return {static_cast<T*>(start), size_.width, size_.height, static_cast<std::ptrdiff_t>(stride_)};
  }
  ImageView<const T> readable() { return view(); }

  bool guards_hold() const {
    for (std::size_t i = 0; i < bytes_; ++i) {
      const bool in_row = i >= front && (i - front) % stride_ < static_cast<std::size_t>(size_.width) * sizeof(T);
      if (!in_row && memory_[i] != std::byte{guard}) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t front = 64;
  static constexpr int guard = 0xA5;
  Size size_;
  std::size_t stride_;
  std::size_t bytes_;
  std::unique_ptr<std::byte[]> memory_;
};

/// The kinds of map that the filters treat differently.
enum class Kind { noise, full, sparse, patches, ramps, empty, extremes };
constexpr Kind all_kinds[] = {Kind::noise, Kind::full,  Kind::sparse,  Kind::patches,
                              Kind::ramps, Kind::empty, Kind::extremes};

/// Seeded; the same on every machine.
class Maps {
 public:
  explicit Maps(std::uint32_t seed) : random_(seed) {}

  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint32_t>(n)); }

  template <class T>
  void draw(Kind kind, int invalid, ImageView<T> map) {
    const int columns = 1 + below(9), rows = 1 + below(9), slope = below(20) - 10;
    for (int y = 0; y < map.height(); ++y)
      for (int x = 0; x < map.width(); ++x)
        map(x, y) = static_cast<T>(pixel<T>(kind, invalid, x, y, columns, rows, slope));
  }

 private:
  template <class T>
  int pixel(Kind kind, int invalid, int x, int y, int columns, int rows, int slope) {
    switch (kind) {
      case Kind::noise:  // many ties, many holes
        return below(3) == 0 ? invalid : invalid + 16 + 8 * below(12);
      case Kind::full:
        return invalid + 16 + below(500);
      case Kind::sparse:
        return below(40) == 0 ? invalid + 16 + below(500) : invalid;
      case Kind::patches: {  // constant rectangles, some invalid, with a few stray pixels
        if (below(25) == 0) return below(2) == 0 ? invalid : invalid + 16 + below(300);
        const int patch = (x / columns * 7 + y / rows * 13) % 11;
        return patch < 4 ? invalid : invalid + 16 + 12 * patch;
      }
      case Kind::ramps:
        if (below(12) == 0) return invalid;
        return invalid + 4000 + slope * x + (20 - slope) * y;
      case Kind::empty:
        return below(400) == 0 ? invalid + 16 : invalid;
      case Kind::extremes: {  // values at the ends of the type
        const int number = below(6);
        if (number == 0) return invalid;
        if constexpr (sizeof(T) == 2) return number < 3 ? 32767 - below(3) : number < 5 ? -32767 + below(3) : below(9);
        return number < 3 ? 33554432 - below(3) : number < 5 ? -33554432 + below(3) : below(9);
      }
    }
    return invalid;
  }

  std::mt19937 random_;
};

/// A plan whose only settings that matter are those of the filters.
inline StereoPlan filter_plan(Size size, StereoOptions options) {
  options.window = {1, 1};
  options.disparities = 1;
  options.left_right = -1;
  return make_stereo_plan(size, options);
}

template <class T>
std::string first_difference(ImageView<const T> expected, ImageView<const T> actual) {
  for (int y = 0; y < expected.height(); ++y)
    for (int x = 0; x < expected.width(); ++x)
      if (expected(x, y) != actual(x, y))
        return "pixel " + std::to_string(x) + "," + std::to_string(y) + ": reference " +
               std::to_string(expected(x, y)) + ", here " + std::to_string(actual(x, y));
  return {};
}

template <class T>
void copy_map(ImageView<const T> from, ImageView<T> to) {
  for (int y = 0; y < from.height(); ++y)
    for (int x = 0; x < from.width(); ++x) to(x, y) = from(x, y);
}

/// A rectangle inside the picture, the whole picture in one of three cases.
inline std::optional<Rect> any_roi(Maps& maps, Size size) {
  if (maps.below(3) == 0) return std::nullopt;
  const int x = maps.below(size.width), y = maps.below(size.height);
  return Rect{x, y, 1 + maps.below(size.width - x), 1 + maps.below(size.height - y)};
}

}  // namespace vergence::test
