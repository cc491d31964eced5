// SPDX-License-Identifier: Apache-2.0
// VideoWriter: checks frames, and turns colours into YUV.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "io/bytes.hpp"
#include "io/raw_video.hpp"
#include "io/video_sink.hpp"

namespace vergence {
namespace {

using io::fail_write;

void require_format(const std::string& path, const VideoFormat& format) {
  if (format.size.width < 1 || format.size.height < 1)
    fail_write(ErrorCode::invalid_argument, path,
               fmt::format("frames of {}x{} have no pixels: give at least 1x1", format.size.width, format.size.height));
  if (!(format.rate > 0) || !(format.rate <= 1'000'000))
    fail_write(ErrorCode::invalid_argument, path,
               fmt::format("a rate of {} frames per second cannot be: allowed are numbers above 0, up to 1000000",
                           format.rate));
}

std::unique_ptr<io::VideoSink> open(const std::string& path, const VideoFormat& format) {
  require_format(path, format);
  const std::string ending = io::extension(path);
  if (ending == ".y4m") return io::make_y4m_sink(path, format);
  if (ending == ".mp4") return io::make_mp4_sink(path, format);
  fail_write(ErrorCode::unsupported, path, "videos are written as .mp4 or .y4m: give one of these endings");
}

/// 16 bits of fraction; ITU-R BT.601 with luma 16 .. 235 and chroma 16 .. 240.
struct Yuv {
  int y, cb, cr;
};
Yuv to_yuv(int r, int g, int b) {
  const auto part = [](int sum, int offset) { return (sum + 32768 + (offset << 16)) >> 16; };
  return {part(16829 * r + 33039 * g + 6416 * b, 16), part(-9714 * r - 19070 * g + 28784 * b, 128),
          part(28784 * r - 24103 * g - 4681 * b, 128)};
}

GreyPicture plane_of(int width, int height) {
  GreyPicture plane;
  plane.u8 = Image<std::uint8_t>(width, height);
  return plane;
}

/// Chroma is that of the mean colour of the pixels that share it.
YuvFrame convert(ImageView<const Rgb> frame, ChromaFormat chroma) {
  YuvFrame yuv;
  yuv.luma = plane_of(frame.width(), frame.height());
  for (int y = 0; y < frame.height(); ++y)
    for (int x = 0; x < frame.width(); ++x) {
      const Rgb c = frame(x, y);
      yuv.luma.u8(x, y) = static_cast<std::uint8_t>(to_yuv(c.r, c.g, c.b).y);
    }
  yuv.chroma = chroma;
  if (chroma == ChromaFormat::none) return yuv;
  const int step_x = chroma == ChromaFormat::c444 ? 1 : 2;
  const int step_y = chroma == ChromaFormat::c420 ? 2 : 1;
  yuv.cb = plane_of(io::chroma_width(chroma, frame.width()), io::chroma_height(chroma, frame.height()));
  yuv.cr = plane_of(yuv.cb.width(), yuv.cb.height());
  for (int y = 0; y < yuv.cb.height(); ++y)
    for (int x = 0; x < yuv.cb.width(); ++x) {
      int r = 0, g = 0, b = 0, count = 0;
      for (int v = step_y * y; v < std::min(step_y * (y + 1), frame.height()); ++v)
        for (int u = step_x * x; u < std::min(step_x * (x + 1), frame.width()); ++u, ++count) {
          r += frame(u, v).r;
          g += frame(u, v).g;
          b += frame(u, v).b;
        }
      const Yuv mean = to_yuv((r + count / 2) / count, (g + count / 2) / count, (b + count / 2) / count);
      yuv.cb.u8(x, y) = static_cast<std::uint8_t>(mean.cb);
      yuv.cr.u8(x, y) = static_cast<std::uint8_t>(mean.cr);
    }
  return yuv;
}

}  // namespace

struct VideoWriter::Impl {
  std::string path;
  VideoFormat format;
  std::unique_ptr<io::VideoSink> sink;

  void require_plane(const char* what, const GreyPicture& plane, Size size) const {
    if (plane.size() == size && plane.depth == format.depth) return;
    fail_write(ErrorCode::invalid_argument, path,
               fmt::format("the frame's {} is {}x{} with {} bits, this video has {}x{} with {} bits", what,
                           plane.width(), plane.height(), plane.depth == Depth::u8 ? 8 : 16, size.width, size.height,
                           format.depth == Depth::u8 ? 8 : 16));
  }
};

VideoWriter::VideoWriter(const std::string& path, const VideoFormat& format)
    : impl_(new Impl{path, format, open(path, format)}) {}
VideoWriter::VideoWriter(VideoWriter&&) noexcept = default;
VideoWriter& VideoWriter::operator=(VideoWriter&&) noexcept = default;
VideoWriter::~VideoWriter() = default;

void VideoWriter::write(const YuvFrame& frame) {
  const VideoFormat& format = impl_->format;
  impl_->require_plane("luma", frame.luma, format.size);
  if (format.chroma != ChromaFormat::none) {
    const Size size{io::chroma_width(format.chroma, format.size.width),
                    io::chroma_height(format.chroma, format.size.height)};
    impl_->require_plane("Cb", frame.cb, size);
    impl_->require_plane("Cr", frame.cr, size);
  }
  impl_->sink->write(frame);
}

void VideoWriter::write(ImageView<const Rgb> frame) {
  const VideoFormat& format = impl_->format;
  if (format.depth != Depth::u8 || format.full_range)
    fail_write(ErrorCode::invalid_argument, impl_->path, "colours go into videos of 8 bits and limited range alone");
  write(convert(frame, format.chroma));
}

void VideoWriter::commit() { impl_->sink->commit(); }

}  // namespace vergence
