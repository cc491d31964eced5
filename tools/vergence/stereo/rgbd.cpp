// SPDX-License-Identifier: Apache-2.0
// Writes folders in TUM's RGB-D layout.
#include "stereo/rgbd.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <system_error>

#include "cli/files.hpp"
#include "vergence/error.hpp"

namespace vergence::cli {
namespace {

namespace fs = std::filesystem;

constexpr double most_steps = 65535;

void make_folder(const std::string& path) {
  std::error_code problem;
  if (!fs::create_directory(path, problem))
    throw Error(ErrorCode::io, fmt::format("the folder {} cannot be made: {}", path,
                                           problem ? problem.message() : std::string("it exists")));
}

void write_list(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace

RgbdFolder::~RgbdFolder() {
  if (!made_) return;
  std::error_code problem;  // what holds a file stays
  for (const char* const folder : {"/rgb", "/depth", ""}) fs::remove(partial() + folder, problem);
}

void RgbdFolder::add(std::int64_t number, ImageView<const Rgb> colours, Image<float>& metres,
                     const Calibration& geometry) {
  if (!made_) {
    require_absent(partial(), path_);
    for (const char* const folder : {"", "/rgb", "/depth"}) {
      make_folder(partial() + folder);
      made_ = true;
    }
    geometry_ = geometry;
    size_ = metres.size();
  }
  const auto farthest = static_cast<float>(most_steps / per_metre_);
  for (int y = 0; y < metres.height(); ++y)
    for (int x = 0; x < metres.width(); ++x) {
      if (!std::isfinite(metres(x, y))) continue;
      ++depths_;
      if (metres(x, y) <= farthest) continue;
      ++beyond_;
      metres(x, y) = std::numeric_limits<float>::infinity();
    }
  times_.push_back(fmt::format("{:.6f}", static_cast<double>(number) / rate_));
  write_picture(fmt::format("{}/rgb/{}.png", partial(), times_.back()), colours);
  write_depth(fmt::format("{}/depth/{}.png", partial(), times_.back()), metres.view(), per_metre_);
}

void RgbdFolder::write_lists() const {
  std::string rgb = "# colour pictures\n# timestamp filename\n", both;
  std::string depth = fmt::format("# depth maps, {} steps a metre, 0 = unknown\n# timestamp filename\n", per_metre_);
  for (const std::string& time : times_) {
    rgb += fmt::format("{0} rgb/{0}.png\n", time);
    depth += fmt::format("{0} depth/{0}.png\n", time);
    both += fmt::format("{0} rgb/{0}.png {0} depth/{0}.png\n", time);
  }
  write_list(partial() + "/rgb.txt", rgb);
  write_list(partial() + "/depth.txt", depth);
  write_list(partial() + "/associations.txt", both);
  write_list(
      partial() + "/camera.txt",
      fmt::format("# fx fy cx cy width height steps_per_metre\n{} {} {} {} {} {} {}\n", geometry_.focal_px,
                  geometry_.focal_px, geometry_.center_x, geometry_.center_y, size_.width, size_.height, per_metre_));
}

void RgbdFolder::commit() {
  std::error_code problem;
  fs::rename(partial(), path_, problem);
  if (problem)
    throw Error(ErrorCode::io, fmt::format("{} cannot be renamed to {}: {}", partial(), path_, problem.message()));
  made_ = false;
}

std::string RgbdFolder::warning() const {
  constexpr std::int64_t most_percent = 1;
  if (100 * beyond_ <= most_percent * depths_) return "";
  return fmt::format(
      "{}: {} % of the depths lie beyond {:.3g} m, which 16 bits of {} steps a metre hold, and are unknown "
      "there: give fewer --depth-steps, or --far",
      path_, 100 * beyond_ / depths_, most_steps / per_metre_, per_metre_);
}

}  // namespace vergence::cli
