// SPDX-License-Identifier: Apache-2.0
// Small clips for the tests of `vergence motion`, and what the library finds in them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "vergence/io.hpp"
#include "vergence/motion.hpp"

namespace vergence::cli_test {

constexpr Size clip_size{40, 26};  // partial blocks of 16 on both sides

/// Frame `index`: a texture that moves by (-2, -1) px per frame, so that vectors are (2, 1); the same each time.
inline int clip_pixel(int x, int y, int index) { return texture(x + 2 * index + 500, y + index + 500); }

inline YuvFrame clip_frame(int index, ChromaFormat chroma = ChromaFormat::none) {
  YuvFrame frame;
  frame.luma.u8 = Image<std::uint8_t>(clip_size);
  for (int y = 0; y < clip_size.height; ++y)
    for (int x = 0; x < clip_size.width; ++x) frame.luma.u8(x, y) = static_cast<std::uint8_t>(clip_pixel(x, y, index));
  frame.chroma = chroma;
  if (chroma == ChromaFormat::none) return frame;
  for (GreyPicture* plane : {&frame.cb, &frame.cr}) {
    plane->u8 = Image<std::uint8_t>(clip_size.width / 2, clip_size.height / 2);
    for (int y = 0; y < plane->height(); ++y)
      for (int x = 0; x < plane->width(); ++x)
        plane->u8(x, y) =
            static_cast<std::uint8_t>(clip_pixel(2 * x, 2 * y, index) / 2 + (plane == &frame.cb ? 0 : 99));
  }
  return frame;
}

/// clip.y4m with 4:2:0, and the same frames as f_0000.pgm, f_0001.pgm, ...
inline void make_clip(const Scratch& scratch, int frames) {
  VideoFormat format;
  format.size = clip_size;
  VideoWriter writer(scratch.path("clip.y4m"), format);
  for (int i = 0; i < frames; ++i) {
    const YuvFrame frame = clip_frame(i, ChromaFormat::c420);
    writer.write(frame);
    const std::string digits = std::to_string(i);
    write_picture(scratch.path("f_" + std::string(4 - digits.size(), '0') + digits + ".pgm"), frame.luma.u8.view());
  }
  writer.commit();
}

/// The bytes of clip.y4m without its headers: raw yuv420p.
inline std::string raw_clip(int frames) {
  std::string bytes;
  for (int i = 0; i < frames; ++i) {
    const YuvFrame frame = clip_frame(i, ChromaFormat::c420);
    for (const GreyPicture* plane : {&frame.luma, &frame.cb, &frame.cr})
      for (int y = 0; y < plane->height(); ++y)
        bytes.append(reinterpret_cast<const char*>(plane->u8.row(y)), static_cast<std::size_t>(plane->width()));
  }
  return bytes;
}

/// `vergence motion source` on the reference with a search that takes milliseconds.
inline std::vector<std::string> motion(const std::string& source, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"motion", source, "--device", "reference", "--range", "4"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// All frames of a video.
inline std::vector<YuvFrame> read_video(const std::string& path) {
  FrameSourceOptions options;
  options.chroma = true;
  FrameSource source(path, {}, options);
  std::vector<YuvFrame> frames;
  while (std::optional<YuvFrame> frame = source.next_yuv()) frames.push_back(std::move(*frame));
  return frames;
}

}  // namespace vergence::cli_test
