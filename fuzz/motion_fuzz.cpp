// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: the bytes pick size, strides, settings and pixels; `reference` and every SIMD target of `cpu` must
// agree on every byte of every map, and no vector may be worse than none.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "motion_compare.hpp"
#include "pixels.hpp"
#include "plan/motion/plan.hpp"
#include "vergence/error.hpp"

namespace {

using namespace vergence;  // NOLINT(google-build-using-namespace): a program of one file
using fuzz::Bytes;

MotionRange read_range(Bytes& bytes, int side) {
  const int most = std::min(bytes.within(0, 7) == 7 ? 90 : 12, side);
  return {-bytes.within(0, most), bytes.within(0, most)};
}

MotionOptions read_options(Bytes& bytes, Size size, bool& all_sizes) {
  MotionOptions o;
  o.search = static_cast<MotionSearch>(bytes.within(0, 5));
  o.step_grid = static_cast<MotionStepGrid>(bytes.within(0, 3));
  o.levels = bytes.within(0, 5);
  o.cost = static_cast<MotionCost>(bytes.within(0, 2));
  o.block = {4 * bytes.within(1, std::min(16, size.width / 4)), 4 * bytes.within(1, std::min(16, size.height / 4))};
  o.range_x = read_range(bytes, size.width);
  o.range_y = read_range(bytes, size.height);
  o.border = static_cast<MotionBorder>(bytes.within(0, 1));
  if (bytes.flag()) o.lambda = bytes.within(0, 65535) * (bytes.flag() ? 16 : 32767);
  o.subpel = static_cast<MotionSubpel>(bytes.within(0, 2));
  o.overlap = bytes.flag();
  if (bytes.within(0, 5) == 5) {
    o.search = MotionSearch::full;
    o.block = {8, 8};
    all_sizes = true;
  }
  o.depth = static_cast<Depth>(bytes.within(0, 1));
  o.max_value = bytes.flag() ? 65535 : bytes.within(1, 65535);
  return o;
}

template <class P>
MotionFrames<P> read_frames(Bytes& bytes, Size size, int largest) {
  MotionFrames<P> frames{Image<P>(size), Image<P>(size)};
  const Size move{bytes.within(-20, 20), bytes.within(-20, 20)};
  const unsigned noise = bytes.next() % 8;
  fuzz::Pixels<P> pixels(bytes, largest, true);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) frames.reference(x, y) = pixels.next();
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      frames.current(x, y) = pixels.chance() % 8 < noise ? pixels.next()
                                                         : frames.reference(fuzz::around(x + move.width, size.width),
                                                                            fuzz::around(y + move.height, size.height));
  return frames;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::MotionCompare compare;
  Bytes bytes(data, size);
  MotionCase c;
  c.size = {bytes.within(4, 90), bytes.within(4, 70)};
  c.seed = bytes.next();  // of the predictions, and which plane is predicted
  const int padding = bytes.within(0, 40);
  c.options = read_options(bytes, c.size, c.all_sizes);
  try {
    plan_of(c);
  } catch (const Error&) {
    return -1;  // not a case: keep it out of the corpus
  }
  // The reference adds up every pixel of every candidate: keep an input well under a second, sanitizers included.
  const MotionOptions& o = c.options;
  const std::int64_t candidates = std::int64_t{o.range_x.last - o.range_x.first + 1} *
                                  (o.range_y.last - o.range_y.first + 1) * (o.cost == MotionCost::satd ? 64 : 1);
  if (candidates * c.size.width * c.size.height > 3'000'000) return -1;
  return fuzz::judge(o.depth == Depth::u8
                         ? compare.difference(c, read_frames<std::uint8_t>(bytes, c.size, 255), padding)
                         : compare.difference(c, read_frames<std::uint16_t>(bytes, c.size, o.max_value), padding));
}
