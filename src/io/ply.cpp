// SPDX-License-Identifier: Apache-2.0
// Point clouds as binary little-endian PLY.
#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "io/bytes.hpp"
#include "vergence/io.hpp"

namespace vergence {
namespace {

bool is_point(float depth) { return depth > 0 && std::isfinite(depth); }

std::string header(std::int64_t points, bool coloured) {
  std::string text = fmt::format(
      "ply\nformat binary_little_endian 1.0\ncomment metres; x right, y down, z forward\nelement vertex {}\n"
      "property float x\nproperty float y\nproperty float z\n",
      points);
  if (coloured) text += "property uchar red\nproperty uchar green\nproperty uchar blue\n";
  return text + "end_header\n";
}

}  // namespace

std::int64_t write_ply(const std::string& path, ImageView<const float> metres, const Calibration& calibration,
                       ImageView<const Rgb> colours) {
  if (metres.empty())
    io::fail_write(ErrorCode::invalid_argument, path, "the depth map is empty: give at least 1x1 values");
  if (!colours.empty() && colours.size() != metres.size())
    io::fail_write(ErrorCode::invalid_argument, path,
                   fmt::format("the colours are {}x{} and the depth map is {}x{}: give colours of the same size",
                               colours.width(), colours.height(), metres.width(), metres.height()));
  if (!(calibration.focal_px > 0))
    io::fail_write(ErrorCode::invalid_argument, path,
                   fmt::format("the focal length is {} px: give a positive one", calibration.focal_px));
  std::int64_t points = 0;
  for (int y = 0; y < metres.height(); ++y)
    for (int x = 0; x < metres.width(); ++x) points += is_point(metres(x, y)) ? 1 : 0;
  AtomicFile file(path);
  file.write(header(points, !colours.empty()));
  for (int y = 0; y < metres.height(); ++y)
    for (int x = 0; x < metres.width(); ++x) {
      if (!is_point(metres(x, y))) continue;
      const double z = metres(x, y);
      const float point[3] = {static_cast<float>((x - calibration.center_x) * z / calibration.focal_px),
                              static_cast<float>((y - calibration.center_y) * z / calibration.focal_px), metres(x, y)};
      for (const float coordinate : point) {
        const float stored = io::ByteReader::from_order(coordinate, std::endian::little);
        file.write(&stored, sizeof(stored));
      }
      if (!colours.empty()) file.write(&colours(x, y), sizeof(Rgb));
    }
  file.commit();
  return points;
}

}  // namespace vergence
