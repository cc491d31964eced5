// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: the bytes pick two cameras, their pose, how they are rectified, and pictures. `reference` and every
// SIMD target of `cpu` must agree on every byte of the rectified pictures and of both masks, and on the map that is
// matched with these masks, in which no disparity leads from or to a pixel that shows nothing.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include "pixels.hpp"
#include "rectify_compare.hpp"
#include "vergence/error.hpp"

namespace {

using namespace vergence;  // NOLINT(google-build-using-namespace): a program of one file
using fuzz::Bytes;

/// -1 .. 1, times `most`; now and then far beyond, or no number.
double number(Bytes& bytes, double most) {
  const int kind = bytes.within(0, 31);
  if (kind == 31) return std::nan("");
  return most * bytes.within(-128, 127) / 128 * (kind == 30 ? 1e4 : 1);
}

Camera read_camera(Bytes& bytes, Size size) {
  Camera camera;
  camera.size = size;
  camera.fx = size.width * (1 + number(bytes, 0.9));
  camera.fy = bytes.flag() ? camera.fx : size.width * (1 + number(bytes, 0.9));
  camera.cx = (size.width - 1) * (0.5 + number(bytes, 0.6));
  camera.cy = (size.height - 1) * (0.5 + number(bytes, 0.6));
  camera.model = bytes.flag() ? LensModel::fisheye : LensModel::pinhole;
  const std::array counts{0, 4, 5, 8, 12, 14};
  const int count = camera.model == LensModel::fisheye ? 4 : counts[static_cast<std::size_t>(bytes.within(0, 5))];
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
    camera.distortion[i] = number(bytes, i == 2 || i == 3 ? 0.02 : 0.3);
  return camera;
}

/// By angles about x, y and z.
Matrix3x3 turned(double a, double b, double c) {
  const double ca = std::cos(a), sa = std::sin(a), cb = std::cos(b), sb = std::sin(b), cc = std::cos(c),
               sc = std::sin(c);
  return {cb * cc,
          sa * sb * cc - ca * sc,
          ca * sb * cc + sa * sc,
          cb * sc,
          sa * sb * sc + ca * cc,
          ca * sb * sc - sa * cc,
          -sb,
          sa * cb,
          ca * cb};
}

StereoRig read_rig(Bytes& bytes) {
  const Size size{bytes.within(1, 40), bytes.within(1, 30)};
  StereoRig rig;
  rig.left = read_camera(bytes, size);
  rig.right = bytes.flag() ? rig.left : read_camera(bytes, size);
  const double most = bytes.flag() ? 0.1 : std::numbers::pi;
  rig.rotation = turned(number(bytes, most), number(bytes, most), number(bytes, most));
  rig.translation = {-0.1 + number(bytes, 0.1), number(bytes, bytes.flag() ? 0.3 : 0.01), number(bytes, 0.05)};
  return rig;
}

RectifyOptions read_options(Bytes& bytes) {
  RectifyOptions options;
  const int alpha = bytes.within(0, 17);
  options.alpha = alpha == 17 ? -1 : alpha / 16.0;
  if (bytes.within(0, 3) == 3) options.focal_px = bytes.within(0, 255) / 4.0;
  if (bytes.flag()) options.size = {bytes.within(1, 48), bytes.within(1, 32)};
  options.along_rows = bytes.flag();
  options.max_value = bytes.flag() ? 65535 : bytes.within(1, 65535);
  return options;
}

StereoOptions read_matching(Bytes& bytes, Size size) {
  StereoOptions o;
  o.window = {std::min(2 * bytes.within(0, 3) + 1, (size.width - 1) / 2 * 2 + 1),
              std::min(2 * bytes.within(0, 3) + 1, (size.height - 1) / 2 * 2 + 1)};
  o.disparities = bytes.within(1, size.width);
  o.min_disparity = bytes.within(-8, 8);
  o.reference = static_cast<StereoView>(bytes.within(0, 1));
  o.border = static_cast<StereoBorder>(bytes.within(0, 1));
  o.outside = static_cast<StereoOutside>(bytes.within(0, 2));
  o.left_right = bytes.flag() && o.outside == StereoOutside::skip ? bytes.within(0, 3) : -1;
  o.reject_ties = bytes.flag();
  o.aggregate = static_cast<StereoAggregate>(bytes.within(0, 1));
  return o;
}

template <class P>
fuzz::RawPair<P> read_pictures(Bytes& bytes, Size size, int largest) {
  fuzz::RawPair<P> pair{Image<P>(size), Image<P>(size)};
  fuzz::Pixels<P> pixels(bytes, largest, true);
  for (Image<P>* const picture : {&pair.left, &pair.right})
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) (*picture)(x, y) = pixels.next();
  return pair;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::RectifyCompare compare;
  Bytes bytes(data, size);
  const bool words = bytes.flag();
  const StereoRig rig = read_rig(bytes);
  const RectifyOptions options = read_options(bytes);
  try {
    rectify_rig(rig, options);
  } catch (const Error&) {
    return 0;  // refused in order
  }
  const auto matching = [&](Size rectified) { return read_matching(bytes, rectified); };
  return fuzz::judge(
      words ? compare.difference(rig, options, read_pictures<std::uint16_t>(bytes, rig.left.size, options.max_value),
                                 matching)
            : compare.difference(rig, options, read_pictures<std::uint8_t>(bytes, rig.left.size, 255), matching));
}
