// SPDX-License-Identifier: Apache-2.0
// Makes and runs cases of StereoRectifier, compares two runs, hashes one.
#include "verify/rectify_run.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/random.hpp"
#include "vergence/error.hpp"

namespace vergence {
namespace {

/// -1 .. 1, of 17 values that are exact.
double eighth(Random& random) { return random.within(-8, 8) / 8.0; }

Camera drawn_camera(Random& random, Size size, LensModel model) {
  Camera camera;
  camera.size = size;
  camera.fx = size.width * (1 + 0.25 * eighth(random)) + 4;
  camera.fy = camera.fx * (1 + 0.0625 * eighth(random));
  camera.cx = (size.width - 1) * (0.5 + 0.125 * eighth(random));
  camera.cy = (size.height - 1) * (0.5 + 0.125 * eighth(random));
  camera.model = model;
  const std::size_t used = model == LensModel::fisheye ? 4 : random.once_in(2) ? 5 : 14;
  for (std::size_t i = 0; i < used; ++i) camera.distortion[i] = 0.03125 * eighth(random);
  return camera;
}

/// Of the quaternion (1, x, y, z), made a unit one.
Matrix3x3 drawn_rotation(Random& random) {
  const double x = 0.0625 * eighth(random), y = 0.0625 * eighth(random), z = 0.0625 * eighth(random);
  const double n = 1 + x * x + y * y + z * z;
  return {1 - 2 * (y * y + z * z) / n, 2 * (x * y - z) / n,         2 * (x * z + y) / n,
          2 * (x * y + z) / n,         1 - 2 * (x * x + z * z) / n, 2 * (y * z - x) / n,
          2 * (x * z - y) / n,         2 * (y * z + x) / n,         1 - 2 * (x * x + y * y) / n};
}

/// Whether some focal length shows what `options` ask for: a drawn lens may turn back on itself within the picture.
bool can_be_rectified(const StereoRig& rig, const RectifyOptions& options) {
  try {
    rectify_rig(rig, options);
    return true;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::invalid_argument) throw;
    return false;
  }
}

/// Calls f(name, a.picture, b.picture, ...) for every picture of a run, in a fixed order.
template <class F, class... Runs>
void for_each_rectified(F&& f, Runs&&... runs) {
  f("left picture of bytes", runs.left8...);
  f("right picture of bytes", runs.right8...);
  f("left picture of 16 bits", runs.left16...);
  f("right picture of 16 bits", runs.right16...);
}

/// Whether `in` is as it was.
template <class P>
bool rectify_both(StereoRectifier& rectifier, const Image<P>& picture, int padding, GuardedMap<P>& left,
                  GuardedMap<P>& right) {
  const GuardedMap<P> in(picture.view(), padding);
  left = {rectifier.size(), padding / 2};
  right = {rectifier.size(), padding + 1};
  rectifier.rectify(in.view(), in.view(), left.view(), right.view());
  const ImageView<const P> after = in.view();
  bool same = in.intact();
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) same = same && after(x, y) == picture(x, y);
  return same;
}

}  // namespace

RectifyCase make_rectify_case(std::uint64_t seed, Size largest) {
  Random random(seed * 4 + 3);
  RectifyCase made;
  made.seed = seed;
  const Size size{random.within(1, largest.width), random.within(1, largest.height)};
  const LensModel model = random.once_in(3) ? LensModel::fisheye : LensModel::pinhole;
  made.rig.left = drawn_camera(random, size, model);
  made.rig.right = drawn_camera(random, size, model);
  made.rig.rotation = drawn_rotation(random);
  made.rig.translation = {-0.125, 0.0078125 * eighth(random), 0.0078125 * eighth(random)};
  if (random.once_in(4)) std::swap(made.rig.translation[0], made.rig.translation[1]);
  const bool wide = size.width >= 8 && size.height >= 8;
  if (wide && random.once_in(2)) made.options.alpha = random.within(0, 8) / 8.0;
  if (random.once_in(3)) made.options.size = {random.within(1, largest.width), random.within(1, largest.height)};
  if (!can_be_rectified(made.rig, made.options)) made.options.alpha = -1;
  if (!can_be_rectified(made.rig, made.options)) made.rig.left.distortion = made.rig.right.distortion = {};
  made.options.max_value = random.once_in(2) ? 65535 : 1023;
  made.bytes = Image<std::uint8_t>(size);
  made.words = Image<std::uint16_t>(size);
  const bool extreme = random.once_in(3);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const int value = random.within(0, 65535);
      made.bytes(x, y) = static_cast<std::uint8_t>(extreme ? (value & 1) * 255 : value & 255);
      made.words(x, y) = static_cast<std::uint16_t>(extreme ? (value & 1) * made.options.max_value
                                                            : value % (made.options.max_value + 1));
    }
  return made;
}

std::string describe(const RectifyCase& one) {
  const Size from = one.rig.left.size, to = one.options.size == Size{} ? from : one.options.size;
  return fmt::format("seed {}, {}x{} to {}x{}, {}", one.seed, from.width, from.height, to.width, to.height,
                     one.rig.left.model == LensModel::fisheye ? "fisheye" : "pinhole");
}

RectifyRun run_rectify(const Device& device, const RectifyCase& one, int padding) {
  StereoRectifier rectifier(device, one.rig, one.options);
  RectifyRun run;
  run.intact = rectify_both(rectifier, one.bytes, padding, run.left8, run.right8);
  run.intact = rectify_both(rectifier, one.words, padding, run.left16, run.right16) && run.intact;
  for_each_rectified([&](const char*, const auto& map) { run.intact = run.intact && map.intact(); }, run);
  return run;
}

std::string first_difference(const RectifyRun& expected, const RectifyRun& got) {
  std::string text;
  for_each_rectified(
      [&](const char* name, const auto& a_map, const auto& b_map) {
        const auto a = a_map.view(), b = b_map.view();
        for (int y = 0; y < a.height() && text.empty(); ++y)
          for (int x = 0; x < a.width() && text.empty(); ++x)
            if (a(x, y) != b(x, y))
              text = fmt::format("{} at x {}, y {} is {}, must be {}", name, x, y, b(x, y), a(x, y));
      },
      expected, got);
  if (text.empty() && !got.intact) text = "memory outside a picture, or the picture, was changed";
  return text;
}

std::uint64_t hash_run(const RectifyRun& run, std::uint64_t hash) {
  for_each_rectified(
      [&](const char*, const auto& map) {
        const auto view = map.view();
        for (int y = 0; y < view.height(); ++y)
          for (int x = 0; x < view.width(); ++x) hash = hash_value(hash, view(x, y));
      },
      run);
  return hash;
}

}  // namespace vergence
