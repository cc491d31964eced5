// SPDX-License-Identifier: Apache-2.0
// A small clip for the tests of `vergence track`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "track/track_pictures.hpp"
#include "vergence/io.hpp"

namespace vergence::cli_test {

constexpr Size track_size{96, 72};

/// The texture moves by (2, -1) px per frame; the same each time.
inline Image<std::uint8_t> track_frame(int index) {
  return test::textured<std::uint8_t>(track_size, -2.0 * index, 1.0 * index);
}

/// clip.y4m, and the same frames as f_0000.pgm, f_0001.pgm, ...
inline void make_track_clip(const Scratch& scratch, int frames) {
  VideoFormat format;
  format.size = track_size;
  format.chroma = ChromaFormat::none;
  VideoWriter writer(scratch.path("clip.y4m"), format);
  for (int i = 0; i < frames; ++i) {
    YuvFrame frame;
    frame.luma.u8 = track_frame(i);
    frame.chroma = ChromaFormat::none;
    writer.write(frame);
    write_picture(scratch.path("f_000" + std::to_string(i) + ".pgm"), frame.luma.u8.view());
  }
  writer.commit();
}

inline std::vector<std::string> track(const std::string& source, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"track", source, "--window", "11", "--points", "25", "--min-distance", "8"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

}  // namespace vergence::cli_test
