// SPDX-License-Identifier: Apache-2.0
// A folder of pictures and depths in the layout of TUM's RGB-D benchmark.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vergence/io.hpp"

namespace vergence::cli {

/// rgb/TIME.png, depth/TIME.png (16 bits, 0 = unknown), rgb.txt, depth.txt and associations.txt, which name them by
/// their times in seconds, and camera.txt. It is FOLDER.partial until commit(), without the lists, which are written
/// last. Layout: J. Sturm et al., "A benchmark for the evaluation of RGB-D SLAM systems", IROS 2012.
class RgbdFolder {
 public:
  /// `per_metre`: steps of a depth. Refuses, with Error(io), a FOLDER.partial that exists when the first frame comes.
  RgbdFolder(std::string path, int per_metre) : path_(std::move(path)), per_metre_(per_metre) {}
  RgbdFolder(const RgbdFolder&) = delete;
  RgbdFolder& operator=(const RgbdFolder&) = delete;
  /// Removes the folders where they are empty.
  ~RgbdFolder();

  void set_rate(double frames_per_second) { rate_ = frames_per_second; }
  /// A frame of that number, which rate_ makes a time. Depths that the steps cannot hold are unknown. Changes `metres`.
  void add(std::int64_t number, ImageView<const Rgb> colours, Image<float>& metres, const Calibration& geometry);
  /// The lists, once all frames are there.
  void write_lists() const;
  /// FOLDER.partial becomes FOLDER.
  void commit();
  /// After the last frame: one line where depths were too far for the steps, else "".
  std::string warning() const;

 private:
  std::string partial() const { return path_ + ".partial"; }

  std::string path_;
  int per_metre_;
  double rate_ = 0;
  bool made_ = false;
  std::vector<std::string> times_;
  Calibration geometry_;
  Size size_;
  std::int64_t depths_ = 0, beyond_ = 0;
};

}  // namespace vergence::cli
