// SPDX-License-Identifier: Apache-2.0
// Disparity maps, depth maps and cost maps as files.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "io/bytes.hpp"
#include "io/codec.hpp"
#include "io/npy.hpp"
#include "vergence/io.hpp"

namespace vergence {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

template <class T>
void require_content(const std::string& path, ImageView<const T> map) {
  if (map.empty()) io::fail_write(ErrorCode::invalid_argument, path, "the map is empty: give at least 1x1 values");
}

[[noreturn]] void fail_negative(const std::string& path, double minimum) {
  io::fail_write(ErrorCode::unsupported, path,
                 fmt::format("KITTI's PNG cannot hold the negative disparity {} px: use .pfm or .npy", minimum));
}

[[noreturn]] void fail_large(const std::string& path, double maximum) {
  io::fail_write(ErrorCode::unsupported, path,
                 fmt::format("KITTI's PNG ends below 256 px and cannot hold {} px: use .pfm or .npy", maximum));
}

[[noreturn]] void fail_kitti(const std::string& path, int value) {
  if (value < 0) fail_negative(path, value / 16.0);
  fail_large(path, value / 16.0);
}

constexpr int kitti_end = 4096;  // 1/16 px

// 256 x disparity; one 16th of a pixel is 16 of those units, so nothing is rounded. False where one does not fit.
// Without branches, and in the map's own type, which compilers find short vector code for.
template <class T>
bool to_kitti(const T* __restrict__ disparity, int count, T invalid, std::uint16_t* __restrict__ stored) {
  T unfit = 0;
  for (int x = 0; x < count; ++x) {
    const T value = disparity[x];
    const auto known = static_cast<T>(value != invalid ? -1 : 0);
    unfit = static_cast<T>(unfit | (known & static_cast<T>((value < 0) | (value >= kitti_end))));
    stored[x] = static_cast<std::uint16_t>((16U * static_cast<std::uint32_t>(value) | (value == 0 ? 1U : 0U)) &
                                           static_cast<std::uint32_t>(known));  // 0 means invalid
  }
  return unfit == 0;
}

template <class T>
void write_kitti(const std::string& path, ImageView<const T> disparity, int invalid) {
  const int minimum = (invalid >> 4) + 1;  // invalid is (minimum - 1) * 16
  if (minimum < 0) fail_negative(path, minimum);
  Image<std::uint16_t> stored(disparity.size());
  for (int y = 0; y < disparity.height(); ++y) {
    const T* const row = disparity.row(y);
    if (to_kitti(row, disparity.width(), static_cast<T>(invalid), stored.row(y))) continue;
    fail_kitti(path, *std::find_if(row, row + disparity.width(), [invalid](T value) {
                 return value != invalid && (value < 0 || value >= kitti_end);
               }));
  }
  io::write_png(path, stored.view());
}

template <class T>
void write_disparity_as(const std::string& path, ImageView<const T> disparity, int invalid) {
  require_content(path, disparity);
  const std::string ending = io::extension(path);
  if (ending == ".png") return write_kitti(path, disparity, invalid);
  if (ending == ".npy") return io::write_npy_noted(path, disparity, invalid);
  if (ending == ".pfm") {
    Image<float> pixels(disparity.size());
    for (int y = 0; y < pixels.height(); ++y)
      for (int x = 0; x < pixels.width(); ++x) {
        const int value = disparity(x, y);
        pixels(x, y) = value == invalid ? infinity : static_cast<float>(value / 16.0);
      }
    return write_pfm(path, pixels.view());
  }
  io::fail_write(ErrorCode::unsupported, path, "the format follows the ending: use .png (KITTI), .pfm or .npy");
}

template <class T>
Image<float> sixteenths_to_pixels(const Image<T>& raw, std::optional<int> invalid, const std::string& path) {
  if (!invalid)
    io::fail_read(ErrorCode::invalid_argument, path,
                  "it holds 1/16 px without a note of the invalid value: give that value (`eval --invalid`), (minimum "
                  "disparity - 1) * 16");
  Image<float> pixels(raw.size());
  for (int y = 0; y < raw.height(); ++y)
    for (int x = 0; x < raw.width(); ++x)
      pixels(x, y) = raw(x, y) == *invalid ? infinity : static_cast<float>(raw(x, y) / 16.0);
  return pixels;
}

Image<float> read_kitti(io::Raster raster, const std::string& path) {
  if (raster.channels != 1 || !std::holds_alternative<Image<std::uint16_t>>(raster.pixels))
    io::fail_read(
        ErrorCode::bad_data, path,
        "it is no disparity map: KITTI's form is a 16-bit grey PNG; read other pictures as truth with their scale");
  return io::to_float_map(std::move(raster), path, {.scale = 256, .unknown = 0.0});
}

}  // namespace

void check_disparity_path(const std::string& path, int min_disparity, int disparities) {
  const std::string ending = io::extension(path);
  if (ending == ".npy" || ending == ".pfm") return;
  if (ending != ".png")
    io::fail_write(ErrorCode::unsupported, path, "the format follows the ending: use .png (KITTI), .pfm or .npy");
  if (min_disparity < 0) fail_negative(path, min_disparity);
  const int largest = min_disparity + disparities - 1;
  if (largest >= 256) fail_large(path, largest);
}

void write_disparity(const std::string& path, ImageView<const std::int16_t> disparity, int invalid) {
  write_disparity_as(path, disparity, invalid);
}
void write_disparity(const std::string& path, ImageView<const std::int32_t> disparity, int invalid) {
  write_disparity_as(path, disparity, invalid);
}

namespace {

Image<float> read_any_disparity(const std::string& path, std::optional<int> invalid) {
  io::ByteReader reader(path);
  const std::string start = reader.peek(16);
  if (io::looks_like_npy(start)) {
    io::NpyArray array = io::read_npy(reader);
    if (invalid && array.invalid && *invalid != *array.invalid)
      io::fail_read(ErrorCode::invalid_argument, path,
                    fmt::format("it notes {} as the value of invalid pixels, and {} was given: leave that out",
                                *array.invalid, *invalid));
    if (!invalid) invalid = array.invalid;
    if (array.raster.channels != 1)
      io::fail_read(ErrorCode::bad_data, path, "it has several channels: a disparity map has one number per pixel");
    if (const auto* narrow = std::get_if<Image<std::int16_t>>(&array.raster.pixels))
      return sixteenths_to_pixels(*narrow, invalid, path);
    if (const auto* wide = std::get_if<Image<std::int32_t>>(&array.raster.pixels))
      return sixteenths_to_pixels(*wide, invalid, path);
    const std::string type = array.raster.type();
    if (type == "f32" || type == "f64") return io::to_float_map(std::move(array.raster), path, {});
    io::fail_read(ErrorCode::unsupported, path, fmt::format("type {} is no disparity: use i16, i32, f32 or f64", type));
  }
  io::Raster raster = io::read_raster(path, io::Want::grey);
  if (raster.picture) return read_kitti(std::move(raster), path);
  return io::to_float_map(std::move(raster), path, {});
}

}  // namespace

Image<float> read_disparity(const std::string& path, std::optional<int> invalid) {
  try {
    return read_any_disparity(path, invalid);
  } catch (const std::bad_alloc&) {
    io::fail_read(ErrorCode::out_of_memory, path, "no memory to hold it: free memory or give a smaller file");
  }
}

std::int64_t write_depth(const std::string& path, ImageView<const float> metres, int per_metre) {
  require_content(path, metres);
  constexpr int most_per_metre = 1'000'000;
  if (per_metre < 1 || per_metre > most_per_metre)
    io::fail_write(ErrorCode::invalid_argument, path,
                   fmt::format("{} steps per metre are asked for: allowed are 1 .. {}", per_metre, most_per_metre));
  const std::string ending = io::extension(path);
  if (ending == ".pfm") return write_pfm(path, metres), 0;
  if (ending == ".npy") return write_npy(path, metres), 0;
  if (ending != ".png")
    io::fail_write(ErrorCode::unsupported, path,
                   "the format follows the ending: use .png (millimetres or other steps), .pfm or .npy (metres)");
  std::int64_t saturated = 0;
  Image<std::uint16_t> steps(metres.size());
  for (int y = 0; y < metres.height(); ++y)
    for (int x = 0; x < metres.width(); ++x) {
      const double depth = metres(x, y);
      if (!(depth > 0) || std::isinf(depth)) {
        steps(x, y) = 0;
        continue;
      }
      const double rounded = std::floor(per_metre * depth + 0.5);
      if (rounded < 1 || rounded > 65535) ++saturated;
      steps(x, y) = static_cast<std::uint16_t>(std::min(65535.0, std::max(1.0, rounded)));
    }
  io::write_png(path, steps.view());
  return saturated;
}

void write_cost(const std::string& path, ImageView<const std::uint32_t> cost) {
  require_content(path, cost);
  const std::string ending = io::extension(path);
  if (ending == ".npy") return write_npy(path, cost);
  if (ending != ".pfm") io::fail_write(ErrorCode::unsupported, path, "the format follows the ending: use .npy or .pfm");
  constexpr std::uint32_t exact = std::uint32_t{1} << 24;  // float holds all whole numbers up to here
  Image<float> map(cost.size());
  for (int y = 0; y < cost.height(); ++y)
    for (int x = 0; x < cost.width(); ++x) {
      const std::uint32_t value = cost(x, y);
      if (value != no_cost && value > exact)
        io::fail_write(ErrorCode::unsupported, path,
                       fmt::format("PFM cannot hold the cost {} at ({}, {}) exactly: use .npy", value, x, y));
      map(x, y) = value == no_cost ? infinity : static_cast<float>(value);
    }
  write_pfm(path, map.view());
}

}  // namespace vergence
