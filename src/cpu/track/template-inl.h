// SPDX-License-Identifier: Apache-2.0
// The template of a point on a level, and how a place of the other frame differs from it. Compiled once per target.

#if defined(VERGENCE_CPU_TRACK_TEMPLATE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VERGENCE_CPU_TRACK_TEMPLATE_INL_H_
#undef VERGENCE_CPU_TRACK_TEMPLATE_INL_H_
#else
#define VERGENCE_CPU_TRACK_TEMPLATE_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "cpu/track/stages.hpp"
#include "cpu/track/window-inl.h"
#include "definitions/track/eigen.h"
#include "definitions/track/gain_offset.h"
#include "definitions/track/position.h"

HWY_BEFORE_NAMESPACE();
namespace vergence::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Where the samples of a point's windows lie; that of the target is shared, and so used at once.
struct TemplateSamples {
  int16_t *patch = nullptr, *dx = nullptr, *dy = nullptr, *target = nullptr;
};
/// Sums of products of gradients.
struct TemplateSums {
  int64_t xx, xy, yy;
};
/// Sums of (I - J) x gradient.
struct Mismatch {
  double x, y;
};
/// The sums over a patch that its gain and offset follow from.
struct PatchSums {
  int64_t sum = 0, squares = 0, with_dx = 0, with_dy = 0;
};
struct TemplateGainOffset {
  PatchSums patch;
  int64_t dx = 0, dy = 0;
};

/// Products of two such numbers, in pairs, that 32 bits hold.
constexpr int RowsIn32Bits(int64_t a, int64_t b) {
  return static_cast<int>(std::clamp<int64_t>(std::numeric_limits<int32_t>::max() / (2 * a * b), 1, 64));
}

template <class P, size_t kCap, bool kTwoRows, int kSide>
class Templates {
 public:
  using Win = Windows<kCap, kTwoRows, kSide>;
  using D16 = typename Win::D16;

  explicit Templates(const TrackPlan& plan) : plan_(plan), windows_(plan.options.window) {
    const int64_t largest_pixel = kIsBytes ? 255 : (int64_t{1} << (plan.patch_shift - 1)) - 1;
    // Weights that are rounded may sum to a little more than one.
    const int64_t largest_gradient = ((16 * largest_pixel) >> plan.gradient_shift) + 8;
    gradient_rows_ = RowsIn32Bits(largest_gradient, largest_gradient);
    mixed_rows_ = RowsIn32Bits(largest_patch, largest_gradient);
    patch_rows_ = RowsIn32Bits(largest_patch, largest_patch);
  }

  /// Those of the i-th point of `all`.
  TemplateSamples SamplesOf(TrackWindows& all, size_t i) const {
    const auto size = static_cast<size_t>(windows_.size());
    int16_t* const first = all.samples + (3 * i + 1) * size;
    return {first, first + size, first + 2 * size, all.samples};
  }

  HWY_NOINLINE TemplateSums Make(const TrackPlanes<P>& frame, int level, TrackPosition at,
                                 const TemplateSamples& to) const {
    const auto index = static_cast<size_t>(level);
    SamplePicture(frame.pictures[index], at, to.patch);
    const SampleWeights weights = WeightsAt(at);
    const TrackPlane<int16_t>&dx = frame.dx[index], &dy = frame.dy[index];
    windows_.Sample(Start(dx, at), dx.stride(), weights, KnownShift<14>(), to.dx);
    Products<D16> xx, xy, yy;
    ForParts(
        gradient_rows_, [&](auto column, int y, int rows) __attribute__((always_inline)) {
          const auto mask = windows_.Mask(column);
          std::ptrdiff_t place = windows_.place(column.x, y);
          windows_.SampleRows(column, Start(dy, at) + y * dy.stride() + column.x, dy.stride(), rows, weights,
                              KnownShift<14>(), [&](typename Win::V16 samples) {
                                const auto across = hn::Load(D16(), to.dx + place), down = hn::And(samples, mask);
                                hn::Store(down, D16(), to.dy + place);
                                place += windows_.step(column);
                                xx.Take(across, across);
                                xy.Take(across, down);
                                yy.Take(down, down);
                              });
          xx.Widen();
          xy.Widen();
          yy.Widen();
        });
    return {xx.Total(), xy.Total(), yy.Total()};
  }

  HWY_INLINE Mismatch Compare(const TrackPlane<P>& plane, TrackPosition at, const TemplateSamples& of) const {
    Products<D16> sum_x, sum_y;
    const P* const start = Start(plane, at);
    const SampleWeights weights = WeightsAt(at);
    ForParts(
        mixed_rows_, [&](auto column, int y, int rows) __attribute__((always_inline)) {
          std::ptrdiff_t place = windows_.place(column.x, y);
          windows_.SampleRows(column, start + y * plane.stride() + column.x, plane.stride(), rows, weights,
                              PatchShift(), [&](typename Win::V16 samples) {
                                const auto difference = hn::Sub(hn::Load(D16(), of.patch + place), samples);
                                sum_x.Take(difference, hn::Load(D16(), of.dx + place));
                                sum_y.Take(difference, hn::Load(D16(), of.dy + place));
                                place += windows_.step(column);
                              });
          sum_x.Widen();
          sum_y.Widen();
        });
    return {static_cast<double>(sum_x.Total()), static_cast<double>(sum_y.Total())};
  }

  TemplateGainOffset GainOffset(const TemplateSamples& of) const {
    return {Describe(of.patch, of), windows_.Total(of.dx), windows_.Total(of.dy)};
  }
  /// Compares after gain/offset compensation.
  HWY_NOINLINE Mismatch CompareCompensated(const TrackPlane<P>& plane, TrackPosition at, const TemplateSamples& of,
                                           const TemplateGainOffset& sums) const {
    SamplePicture(plane, at, of.target);
    const PatchSums& from = sums.patch;
    const PatchSums to = Describe(of.target, of);
    const double gain = Gain(from, to);
    const auto covariance = [&](int64_t products, int64_t sum, int64_t gradients) {
      return definitions::n2_covariance(Count(), products, sum, gradients);
    };
    return {definitions::compensated_sum(Count(), covariance(from.with_dx, from.sum, sums.dx),
                                         covariance(to.with_dx, to.sum, sums.dx), gain),
            definitions::compensated_sum(Count(), covariance(from.with_dy, from.sum, sums.dy),
                                         covariance(to.with_dy, to.sum, sums.dy), gain)};
  }

  /// In TrackedPoint's unit, of the template of level 0.
  HWY_NOINLINE uint32_t Residual(const TrackPlane<P>& plane, TrackPosition at, const TemplateSamples& of) const {
    SamplePicture(plane, at, of.target);
    int64_t sum = 0;
    if (plan_.options.gain_offset) {
      const PatchSums from = Describe(of.patch, of), to = Describe(of.target, of);
      const int gain = definitions::fixed_gain(Gain(from, to));
      const int offset = definitions::fixed_offset(Count(), from.sum, to.sum, gain);
      for (int y = 0; y < windows_.side(); ++y)
        for (int x = 0; x < windows_.side(); ++x) {
          const std::ptrdiff_t place = windows_.place(x, y);
          sum += definitions::absolute_difference(of.patch[place],
                                                  definitions::compensated_sample(of.target[place], gain, offset));
        }
    } else {
      sum = windows_.Difference(of.patch, of.target);
    }
    return static_cast<uint32_t>((sum << (10 + plan_.dropped_bits)) / (Count() * plan_.patch_scale));
  }

 private:
  static constexpr bool kIsBytes = std::is_same_v<P, uint8_t>;
  static constexpr int64_t largest_patch = 8194;  ///< And a difference of two.
  /// Windows of bytes that need no parts.
  static constexpr int kRowsOfBytes = kIsBytes ? RowsIn32Bits(largest_patch, 16 * 255 + 8) : 0;

  template <class T>
  const T* Start(const TrackPlane<T>& plane, TrackPosition at) const {
    return plane.at(definitions::window_start(at.x, windows_.side()), definitions::window_start(at.y, windows_.side()));
  }
  /// f(column, y, rows) for parts of columns of vectors of at most `most` vectors.
  template <class F>
  HWY_INLINE void ForParts(int most, F&& f) const {
    const int side = windows_.side();
    windows_.ForColumns([&](auto column) __attribute__((always_inline)) {
      if constexpr (kSide > 0 && kSide <= kRowsOfBytes) {
        f(column, 0, kSide);
      } else {
        const int rows = most * column.rows;
        for (int y = 0; y < side; y += rows) f(column, y, std::min(rows, side - y));
      }
    });
  }
  static SampleWeights WeightsAt(TrackPosition at) {
    return {definitions::position_fraction(at.x), definitions::position_fraction(at.y)};
  }
  auto PatchShift() const {
    if constexpr (kIsBytes)
      return KnownShift<9>();
    else
      return AnyShift{plan_.patch_shift};
  }
  void SamplePicture(const TrackPlane<P>& plane, TrackPosition at, int16_t* out) const {
    windows_.Sample(Start(plane, at), plane.stride(), WeightsAt(at), PatchShift(), out);
  }
  PatchSums Describe(const int16_t* patch, const TemplateSamples& of) const {
    return {windows_.Total(patch), windows_.Total(patch, patch, patch_rows_), windows_.Total(patch, of.dx, mixed_rows_),
            windows_.Total(patch, of.dy, mixed_rows_)};
  }
  int64_t Count() const { return int64_t{windows_.side()} * windows_.side(); }
  double Gain(const PatchSums& of_template, const PatchSums& of_target) const {
    return definitions::root_of(
        definitions::squared_gain(definitions::n2_variance(Count(), of_template.sum, of_template.squares),
                                  definitions::n2_variance(Count(), of_target.sum, of_target.squares)));
  }

  const TrackPlan& plan_;
  Win windows_;
  int gradient_rows_, mixed_rows_, patch_rows_;
};

}  // namespace vergence::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VERGENCE_CPU_TRACK_TEMPLATE_INL_H_
