// SPDX-License-Identifier: Apache-2.0
// Rectifies and matches one pair on every target, and reports the first difference.
#include "rectify_compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace vergence::fuzz {
namespace {

template <class P>
struct Made {
  Image<P> left, right;
  Image<std::uint8_t> left_mask, right_mask;
  Image<std::int32_t> disparity;
  StereoOptions options;
  int invalid = 0;
};

Image<std::uint8_t> copy_of(ImageView<const std::uint8_t> mask) {
  Image<std::uint8_t> copy(mask.size());
  for (int y = 0; y < mask.height(); ++y) std::copy_n(mask.row(y), mask.width(), copy.row(y));
  return copy;
}

template <class P>
Made<P> make(const Device& device, const StereoRig& rig, const RectifyOptions& options, const RawPair<P>& raw,
             const StereoOptions& matching) {
  StereoRectifier rectifier(device, rig, options);
  const Size size = rectifier.size();
  Made<P> made{Image<P>(size),
               Image<P>(size),
               copy_of(rectifier.left_mask()),
               copy_of(rectifier.right_mask()),
               Image<std::int32_t>(size),
               matching};
  rectifier.rectify(raw.left, raw.right, made.left, made.right);
  StereoMatcher matcher(device, size, matching, {made.left_mask, made.right_mask});
  matcher.compute({made.left, made.right}, {.disparity = made.disparity});
  made.invalid = matcher.invalid();
  return made;
}

template <class T>
std::string unlike(const char* what, const Image<T>& a, const Image<T>& b) {
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x)
      if (a(x, y) != b(x, y)) return fmt::format("{} at x {}, y {} is {}, must be {}", what, x, y, b(x, y), a(x, y));
  return {};
}

/// A disparity of a whole pixel or between two.
template <class P>
std::string without_source(const Made<P>& made) {
  const bool left = made.options.reference == StereoView::left;
  const Image<std::uint8_t>& own = left ? made.left_mask : made.right_mask;
  const Image<std::uint8_t>& other = left ? made.right_mask : made.left_mask;
  for (int y = 0; y < own.height(); ++y)
    for (int x = 0; x < own.width(); ++x) {
      const int d = made.disparity(x, y);
      if (d == made.invalid) continue;
      bool shown = own(x, y) != 0;
      for (const int step : {d >> 4, (d + 15) >> 4})
        if (const int p = left ? x - step : x + step; p >= 0 && p < own.width()) shown = shown && other(p, y) != 0;
      if (!shown) return fmt::format("the disparity {} at x {}, y {} leads where nothing is shown", d, x, y);
    }
  return {};
}

}  // namespace

RectifyCompare::RectifyCompare() : reference_("reference") {
  int threads = 1;
  for (const std::string& target : Device::simd_targets()) {
    devices_.emplace_back("cpu", DeviceOptions{threads, target});
    threads = threads % 3 + 1;
  }
}

template <class P>
std::string RectifyCompare::difference(const StereoRig& rig, const RectifyOptions& options, const RawPair<P>& raw,
                                       const Matching& matching) const {
  StereoOptions chosen = matching(rectify_rig(rig, options).projections.size);
  chosen.speckle_size = 0;
  chosen.depth = std::is_same_v<P, std::uint8_t> ? Depth::u8 : Depth::u16;
  if (chosen.depth == Depth::u16) chosen.max_value = options.max_value;
  const Made<P> expected = make(reference_, rig, options, raw, chosen);
  if (std::string text = without_source(expected); !text.empty()) return "reference: " + text;
  for (const Device& device : devices_) {
    const Made<P> got = make(device, rig, options, raw, chosen);
    for (const std::string& text : {unlike("left", expected.left, got.left), unlike("right", expected.right, got.right),
                                    unlike("the left mask", expected.left_mask, got.left_mask),
                                    unlike("the right mask", expected.right_mask, got.right_mask),
                                    unlike("disparity", expected.disparity, got.disparity)})
      if (!text.empty()) return fmt::format("{}: {}", device.description(), text);
  }
  return {};
}

template std::string RectifyCompare::difference(const StereoRig&, const RectifyOptions&, const RawPair<std::uint8_t>&,
                                                const Matching&) const;
template std::string RectifyCompare::difference(const StereoRig&, const RectifyOptions&, const RawPair<std::uint16_t>&,
                                                const Matching&) const;

}  // namespace vergence::fuzz
