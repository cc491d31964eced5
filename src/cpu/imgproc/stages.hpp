// SPDX-License-Identifier: Apache-2.0
// The filters of pictures on the CPU: SIMD, bands of rows on threads, the bytes of reference/imgproc/stages.hpp. Both
// passes go over a row together, so that what lies between them stays in the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "backend/filter.hpp"
#include "cpu/context.hpp"
#include "vergence/image.hpp"

namespace vergence::cpu {

/// Memory for the rows that one thread has filtered across, for the rows that its band needs.
class FilterScratch {
 public:
  /// Rows that a stage may hold at a time.
  static constexpr int most_rows = 10;
  /// Bytes that may be read and written past the end of a row.
  static constexpr std::ptrdiff_t slack = 256;

  FilterScratch(Size size, int threads)
      : pitch_((static_cast<std::ptrdiff_t>(sizeof(float)) * size.width + slack + 63) / 64 * 64),
        bytes_(static_cast<std::size_t>(pitch_ * (most_rows * threads + 1)) + 64) {}
  template <class T>
  T* row(int worker, int index) {
    return reinterpret_cast<T*>(start() + pitch_ * (1 + worker * most_rows + index));
  }
  /// All zeros.
  template <class T>
  const T* zeros() {
    return reinterpret_cast<const T*>(start());
  }
  std::size_t bytes() const { return bytes_.capacity(); }

 private:
  std::byte* start() {
    const auto address = reinterpret_cast<std::uintptr_t>(bytes_.data());
    return bytes_.data() + (64 - address % 64) % 64;
  }
  std::ptrdiff_t pitch_;
  std::vector<std::byte> bytes_;
};

template <class P>
void blur(Context& context, FilterScratch& scratch, ImageView<const P> in, ImageView<P> out, FilterBorder border);
template <class P>
void half(Context& context, FilterScratch& scratch, ImageView<const P> in, ImageView<P> out, FilterBorder border);
template <class P, class T>
void gradients(Context& context, FilterScratch& scratch, ImageView<const P> in, const backend::GradientWeights& kernel,
               ImageView<T> dx, ImageView<T> dy, FilterBorder border);

}  // namespace vergence::cpu
