// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: the bytes pick size, strides, settings, pixels and points; `reference` and every SIMD target of
// `cpu` must agree on every track and corner, and on every pixel that the filters give for the same picture.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "pixels.hpp"
#include "plan/track/plan.hpp"
#include "track_compare.hpp"
#include "vergence/error.hpp"

namespace {

using namespace vergence;  // NOLINT(google-build-using-namespace): a program of one file
using fuzz::Bytes;

TrackOptions read_options(Bytes& bytes, Size size) {
  TrackOptions o;
  o.points = bytes.within(0, 40);
  o.refill = bytes.within(1, 100);
  o.corner = static_cast<TrackCorner>(bytes.within(0, 1));
  o.harris_k = bytes.within(1, 25);
  o.block = 3 + 2 * bytes.within(0, 2);
  o.quality = bytes.within(0, 255) / 256.0;
  o.min_distance = bytes.within(0, 30);
  o.grid = {bytes.within(1, 256), bytes.within(1, 9)};
  if (bytes.flag()) {
    Rect roi;
    roi.x = bytes.within(0, size.width - 1);
    roi.y = bytes.within(0, size.height - 1);
    roi.width = bytes.within(1, size.width - roi.x);
    roi.height = bytes.within(1, size.height - roi.y);
    o.roi = roi;
  }
  o.window = bytes.within(3, 63);
  o.levels = bytes.within(0, 8);
  o.iterations = bytes.within(1, 40);
  o.epsilon = bytes.within(0, 200) / 200.0;
  o.min_eigen = bytes.flag() ? 0 : bytes.within(0, 65535) / 1e6;
  o.gain_offset = bytes.flag();
  o.guess = static_cast<TrackGuess>(bytes.within(0, 1));
  o.must_converge = bytes.flag();
  o.max_residual = bytes.within(0, 255) / 4.0;
  o.forward_backward = bytes.within(0, 255) / 32.0;
  o.min_separation = bytes.within(0, 255) / 16.0;
  o.history = bytes.within(1, 6);
  o.depth = static_cast<Depth>(bytes.within(0, 1));
  o.max_value = bytes.flag() ? 65535 : bytes.within(1, 65535);
  return o;
}

template <class P>
TrackFrames<P> read_frames(Bytes& bytes, Size size, int largest) {
  TrackFrames<P> frames{Image<P>(size), Image<P>(size)};
  const Size move{bytes.within(-8, 8), bytes.within(-8, 8)};
  const unsigned noise = bytes.next() % 8;
  const int square = bytes.within(1, 6);
  fuzz::Pixels<P> pixels(bytes, largest, false);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      frames.previous(x, y) =
          x % square == 0 && y % square == 0 ? pixels.next() : frames.previous(x - x % square, y - y % square);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      frames.current(x, y) = pixels.chance() % 16 < noise ? pixels.next()
                                                          : frames.previous(fuzz::around(x + move.width, size.width),
                                                                            fuzz::around(y + move.height, size.height));
  return frames;
}

/// Positions from the input: near the frame, now and then as far away as positions go.
TrackPoints read_points(Bytes& bytes, Size size) {
  TrackPoints made;
  const int count = bytes.within(0, 12);
  const auto position = [&] {
    if (bytes.within(0, 15) == 15)
      return TrackPosition{bytes.within(-1, 1) * 0x3FFFFFFF, bytes.within(-1, 1) * 0x3FFFFFFF};
    return TrackPosition{bytes.within(-2 * 1024, (size.width + 1) * 1024),
                         bytes.within(-2 * 1024, (size.height + 1) * 1024)};
  };
  for (int i = 0; i < count; ++i) {
    made.points.push_back(position());
    made.guesses.push_back(bytes.flag() ? made.points.back() : position());
  }
  return made;
}

template <class P>
std::string difference(const fuzz::TrackCompare& compare, const TrackCase& one, Bytes& bytes, int largest,
                       int padding) {
  const TrackPoints points = read_points(bytes, one.size);
  return compare.difference(one, read_frames<P>(bytes, one.size, largest), points, padding);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::TrackCompare compare;
  Bytes bytes(data, size);
  TrackCase one;
  one.size = {bytes.within(4, 70), bytes.within(4, 70)};
  one.seed = bytes.next();  // of the mask, and of the filters' picture
  const int padding = bytes.within(0, 40);
  one.options = read_options(bytes, one.size);
  try {
    make_track_plan(one.size, one.options);
  } catch (const Error&) {
    return -1;  // not a case: keep it out of the corpus
  }
  std::string text = one.options.depth == Depth::u8
                         ? difference<std::uint8_t>(compare, one, bytes, 255, padding)
                         : difference<std::uint16_t>(compare, one, bytes, one.options.max_value, padding);
  if (text.empty()) text = compare.difference(make_filter_case(one.seed, one.size), padding);
  return fuzz::judge(text);
}
