// SPDX-License-Identifier: Apache-2.0
// Point clouds as binary little-endian PLY and PCD.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "io/bytes.hpp"
#include "vergence/cloud.hpp"

namespace vergence {
namespace {

using Vector = std::array<double, 3>;

bool is_depth(float metres) { return metres > 0 && std::isfinite(metres); }

/// The points of a depth map, pixel by pixel.
class DepthPoints {
 public:
  DepthPoints(ImageView<const float> metres, const Calibration& calibration)
      : metres_(metres),
        calibration_(calibration),
        focal_y_(calibration.focal_y_px > 0 ? calibration.focal_y_px : calibration.focal_px) {}

  Size size() const { return metres_.size(); }
  bool known(int x, int y) const {
    return x >= 0 && y >= 0 && x < metres_.width() && y < metres_.height() && is_depth(metres_(x, y));
  }
  Vector at(int x, int y) const {
    const double z = metres_(x, y);
    return {(x - calibration_.center_x) * z / calibration_.focal_px, (y - calibration_.center_y) * z / focal_y_, z};
  }
  /// Towards the camera, 1 long; nothing where no neighbour lies on the same surface.
  std::optional<Vector> normal(int x, int y) const {
    const std::optional<Vector> across = slope(x, y, 1, 0), down = slope(x, y, 0, 1);
    if (!across || !down) return std::nullopt;
    const Vector &a = *down, &b = *across;  // in this order the cross product of a plane before the camera has z < 0
    Vector n{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(length > 0)) return std::nullopt;
    for (double& one : n) one /= length;
    return n;
  }

 private:
  /// From the neighbour before to the one behind, as far as these lie on the pixel's surface.
  std::optional<Vector> slope(int x, int y, int dx, int dy) const {
    constexpr double step = 0.05;  // of the depth: more is an edge
    const double z = metres_(x, y);
    const auto alike = [&](int at_x, int at_y) {
      return known(at_x, at_y) && std::abs(static_cast<double>(metres_(at_x, at_y)) - z) <= step * z;
    };
    const bool before = alike(x - dx, y - dy), behind = alike(x + dx, y + dy);
    if (!before && !behind) return std::nullopt;
    const Vector from = before ? at(x - dx, y - dy) : at(x, y), to = behind ? at(x + dx, y + dy) : at(x, y);
    return Vector{to[0] - from[0], to[1] - from[1], to[2] - from[2]};
  }

  ImageView<const float> metres_;
  const Calibration& calibration_;
  double focal_y_;
};

std::string ply_header(std::int64_t points, Size size, const CloudOptions& options) {
  std::string text = "ply\nformat binary_little_endian 1.0\ncomment metres; x right, y down, z forward\n";
  if (options.organised) text += fmt::format("obj_info num_cols {}\nobj_info num_rows {}\n", size.width, size.height);
  text += fmt::format("element vertex {}\nproperty float x\nproperty float y\nproperty float z\n", points);
  if (options.normals) text += "property float nx\nproperty float ny\nproperty float nz\n";
  if (!options.colours.empty()) text += "property uchar red\nproperty uchar green\nproperty uchar blue\n";
  return text + "end_header\n";
}

std::string pcd_header(std::int64_t points, Size size, const CloudOptions& options) {
  std::string fields = "x y z", sizes = "4 4 4", types = "F F F", counts = "1 1 1";
  if (options.normals)
    fields += " normal_x normal_y normal_z", sizes += " 4 4 4", types += " F F F", counts += " 1 1 1";
  if (!options.colours.empty()) fields += " rgb", sizes += " 4", types += " F", counts += " 1";
  const std::int64_t width = options.organised ? size.width : points, height = options.organised ? size.height : 1;
  return fmt::format(
      "# .PCD v0.7 - Point Cloud Data file format\n# metres; x right, y down, z forward\nVERSION 0.7\nFIELDS {}\nSIZE "
      "{}\nTYPE {}\nCOUNT {}\nWIDTH {}\nHEIGHT {}\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS {}\nDATA binary\n",
      fields, sizes, types, counts, width, height, points);
}

/// Bytes of a point, in the order of the headers.
class PointBytes {
 public:
  void clear() { bytes_.clear(); }
  void add(const std::optional<Vector>& vector) {
    for (std::size_t i = 0; i < 3; ++i)
      add_value(vector ? static_cast<float>((*vector)[i]) : std::numeric_limits<float>::quiet_NaN());
  }
  void add_rgb(const Rgb& colour) {
    for (const std::uint8_t channel : {colour.r, colour.g, colour.b}) bytes_.push_back(static_cast<char>(channel));
  }
  /// In the bits of a field that readers take for a float, as PCL has it.
  void add_packed(const Rgb& colour) {
    add_value(static_cast<std::uint32_t>(colour.r << 16 | colour.g << 8 | colour.b));
  }
  const std::string& bytes() const { return bytes_; }

 private:
  template <class T>
  void add_value(T value) {
    const T stored = io::ByteReader::from_order(value, std::endian::little);
    std::array<char, sizeof(T)> bytes{};
    std::memcpy(bytes.data(), &stored, sizeof(T));
    bytes_.append(bytes.data(), bytes.size());
  }
  std::string bytes_;
};

void check_cloud(const std::string& path, ImageView<const float> metres, const Calibration& calibration,
                 const CloudOptions& options) {
  if (const std::string end = io::extension(path); end != ".ply" && end != ".pcd")
    io::fail_write(ErrorCode::unsupported, path, "point clouds are .ply or .pcd: give such a name");
  if (metres.empty())
    io::fail_write(ErrorCode::invalid_argument, path, "the depth map is empty: give at least 1x1 values");
  const ImageView<const Rgb>& colours = options.colours;
  if (!colours.empty() && colours.size() != metres.size())
    io::fail_write(ErrorCode::invalid_argument, path,
                   fmt::format("the colours are {}x{} and the depth map is {}x{}: give colours of the same size",
                               colours.width(), colours.height(), metres.width(), metres.height()));
  if (!(calibration.focal_px > 0))
    io::fail_write(ErrorCode::invalid_argument, path,
                   fmt::format("the focal length is {} px: give a positive one", calibration.focal_px));
}

}  // namespace

std::int64_t write_cloud(const std::string& path, ImageView<const float> metres, const Calibration& calibration,
                         const CloudOptions& options) {
  check_cloud(path, metres, calibration, options);
  const DepthPoints points(metres, calibration);
  const Size size = metres.size();
  std::int64_t known = 0;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) known += points.known(x, y) ? 1 : 0;
  const std::int64_t stored = options.organised ? std::int64_t{size.width} * size.height : known;
  const bool ply = io::extension(path) == ".ply";
  AtomicFile file(path);
  file.write(ply ? ply_header(stored, size, options) : pcd_header(stored, size, options));
  PointBytes point;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const bool has_depth = points.known(x, y);
      if (!has_depth && !options.organised) continue;
      point.clear();
      point.add(has_depth ? std::optional(points.at(x, y)) : std::nullopt);
      if (options.normals) point.add(has_depth ? points.normal(x, y) : std::nullopt);
      if (!options.colours.empty() && ply) point.add_rgb(options.colours(x, y));
      if (!options.colours.empty() && !ply) point.add_packed(options.colours(x, y));
      file.write(point.bytes());
    }
  file.commit();
  return known;
}

}  // namespace vergence
