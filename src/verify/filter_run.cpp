// SPDX-License-Identifier: Apache-2.0
// Makes and runs cases of PictureFilter, compares two runs, hashes one.
#include "verify/filter_run.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <type_traits>

#include "core/random.hpp"

namespace vergence {
namespace {

/// Calls f(name, a.picture, b.picture, ...) for every picture of a run, in a fixed order.
template <class F, class... Runs>
void for_each_picture(F&& f, Runs&&... runs) {
  f("blur of bytes", runs.blur8...);
  f("half of bytes", runs.half8...);
  f("sobel dx of bytes", runs.sobel_dx8...);
  f("sobel dy of bytes", runs.sobel_dy8...);
  f("scharr dx of bytes", runs.scharr_dx8...);
  f("scharr dy of bytes", runs.scharr_dy8...);
  f("blur", runs.blur...);
  f("half", runs.half...);
  f("sobel dx", runs.sobel_dx...);
  f("sobel dy", runs.sobel_dy...);
  f("scharr dx", runs.scharr_dx...);
  f("scharr dy", runs.scharr_dy...);
}

std::uint64_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
template <class T>
std::uint64_t bits_of(T value) {
  return static_cast<std::uint64_t>(value);
}

/// What stands in a picture that is not written to.
template <class T>
std::string difference_of(const char* name, const GuardedMap<T>& expected, const GuardedMap<T>& got) {
  const ImageView<const T> a = expected.view(), b = got.view();
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x)
      if (bits_of(a(x, y)) != bits_of(b(x, y)))
        return fmt::format("{} at x {}, y {} is {} ({:x}), must be {} ({:x})", name, x, y, b(x, y), bits_of(b(x, y)),
                           a(x, y), bits_of(a(x, y)));
  return {};
}

template <class T>
bool same_bits(ImageView<const T> a, ImageView<const T> b) {
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x)
      if (bits_of(a(x, y)) != bits_of(b(x, y))) return false;
  return true;
}

/// Where a gradient is asked for.
template <class T>
GuardedMap<T> gradient(bool wanted, Size size, int padding) {
  return wanted ? GuardedMap<T>(size, padding) : GuardedMap<T>();
}
template <class T>
ImageView<T> view_of(GuardedMap<T>& map) {
  return map.empty() ? ImageView<T>() : map.view();
}

template <class P, class G>
struct Outputs {
  GuardedMap<P>&blur, &half;
  GuardedMap<G>&sobel_dx, &sobel_dy, &scharr_dx, &scharr_dy;
};

/// Whether `in` is as it was.
template <class P, class G>
bool run_on(PictureFilter& filter, const FilterCase& one, const Image<P>& picture, int padding, Outputs<P, G> out) {
  const GuardedMap<P> in(picture.view(), padding);
  const bool with_dx = one.seed % 3 != 1, with_dy = one.seed % 3 != 0;
  out.blur = {one.size, padding / 2};
  out.half = {filter.half_size(), padding + 1};
  out.sobel_dx = gradient<G>(with_dx, one.size, padding);
  out.sobel_dy = gradient<G>(with_dy, one.size, padding / 3);
  out.scharr_dx = gradient<G>(with_dx, one.size, 0);
  out.scharr_dy = gradient<G>(with_dy, one.size, padding + 3);
  filter.blur(in.view(), out.blur.view(), one.border);
  filter.half(in.view(), out.half.view(), one.border);
  filter.sobel(in.view(), view_of(out.sobel_dx), view_of(out.sobel_dy), one.border);
  filter.scharr(in.view(), view_of(out.scharr_dx), view_of(out.scharr_dy), one.border);
  return in.intact() && same_bits<P>(in.view(), picture.view());
}

}  // namespace

FilterCase make_filter_case(std::uint64_t seed, Size largest) {
  Random random(seed * 4 + 1);
  FilterCase made;
  made.seed = seed;
  made.size = {random.within(1, largest.width), random.within(1, largest.height)};
  made.border = static_cast<FilterBorder>(random.within(0, 3));
  made.bytes = Image<std::uint8_t>(made.size);
  made.floats = Image<float>(made.size);
  const int kind = random.within(0, 2);  // noise, black and white, flat with a few pixels that are not
  // Mostly of one magnitude, at times from subnormal numbers to those whose sums are infinite, or no number.
  const int exponent = random.once_in(3) ? random.within(-148, 110) : random.within(-12, 12);
  const int spread = random.once_in(3) ? 12 : 0;
  for (int y = 0; y < made.size.height; ++y)
    for (int x = 0; x < made.size.width; ++x) {
      const bool odd = random.once_in(9);
      const int byte = random.within(0, 255);
      made.bytes(x, y) = static_cast<std::uint8_t>(kind == 0   ? byte
                                                   : kind == 1 ? (byte > 127 ? 255 : 0)
                                                   : odd       ? byte
                                                               : 77);
      const float mantissa = static_cast<float>(random.within(-(1 << 23), 1 << 23));
      made.floats(x, y) = kind == 2 && !odd ? 1.0F : std::ldexp(mantissa, exponent - 12 + random.within(0, spread));
    }
  return made;
}

std::string describe(const FilterCase& filter_case) {
  const char* const borders[] = {"zero", "edge", "mirror", "blank"};
  return fmt::format("seed {}, {}x{}, border {}", filter_case.seed, filter_case.size.width, filter_case.size.height,
                     borders[static_cast<int>(filter_case.border)]);
}

FilterRun run_filters(const Device& device, const FilterCase& filter_case, int padding) {
  PictureFilter filter(device, filter_case.size);
  FilterRun run;
  run.intact = run_on<std::uint8_t, std::int16_t>(
      filter, filter_case, filter_case.bytes, padding,
      {run.blur8, run.half8, run.sobel_dx8, run.sobel_dy8, run.scharr_dx8, run.scharr_dy8});
  run.intact = run_on<float, float>(filter, filter_case, filter_case.floats, padding,
                                    {run.blur, run.half, run.sobel_dx, run.sobel_dy, run.scharr_dx, run.scharr_dy}) &&
               run.intact;
  for_each_picture([&](const char*, const auto& map) { run.intact = run.intact && (map.empty() || map.intact()); },
                   run);
  return run;
}

std::string first_difference(const FilterRun& expected, const FilterRun& got) {
  std::string text;
  for_each_picture(
      [&](const char* name, const auto& a, const auto& b) {
        if (text.empty() && !b.empty()) text = difference_of(name, a, b);
      },
      expected, got);
  if (text.empty() && !got.intact) text = "memory outside a picture, or the picture, was changed";
  return text;
}

std::uint64_t hash_run(const FilterRun& run, std::uint64_t hash) {
  for_each_picture(
      [&](const char*, const auto& map) {
        if (map.empty()) return;
        const auto view = map.view();
        for (int y = 0; y < view.height(); ++y)
          for (int x = 0; x < view.width(); ++x) hash = hash_value(hash, bits_of(view(x, y)));
      },
      run);
  return hash;
}

}  // namespace vergence
