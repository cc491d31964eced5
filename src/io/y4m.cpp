// SPDX-License-Identifier: Apache-2.0
// Writing of Y4M (YUV4MPEG2): one line of text, then frames of plain numbers.
#include <fmt/format.h>

#include <bit>

#include "io/bytes.hpp"
#include "io/libav_calls.hpp"
#include "io/video_sink.hpp"

namespace vergence::io {
namespace {

/// Bits of a sample; words whose largest value is no power of two less one are stored as 16 bits.
int sample_bits(const VideoFormat& format) {
  if (format.depth == Depth::u8) return 8;
  for (const int bits : {10, 12, 14})
    if (format.max_value == (1 << bits) - 1) return bits;
  return 16;
}

std::string header(const std::string& path, const VideoFormat& format) {
  const int bits = sample_bits(format);
  std::string colour;
  switch (format.chroma) {
    case ChromaFormat::none:
      if (bits == 14)
        fail_write(ErrorCode::unsupported, path, "Y4M has no grey of 14 bits: use frames of 8, 10, 12 or 16 bits");
      colour = bits == 8 ? "mono" : fmt::format("mono{}", bits);
      break;
    case ChromaFormat::c420:
      colour = bits == 8 ? "420mpeg2" : fmt::format("420p{}", bits);
      break;
    case ChromaFormat::c422:
      colour = bits == 8 ? "422" : fmt::format("422p{}", bits);
      break;
    case ChromaFormat::c444:
      colour = bits == 8 ? "444" : fmt::format("444p{}", bits);
      break;
  }
  const AVRational rate = av_d2q(format.rate, 1'001'000);
  return fmt::format("YUV4MPEG2 W{} H{} F{}:{} Ip A1:1 C{} XCOLORRANGE={}\n", format.size.width, format.size.height,
                     rate.num, rate.den, colour, format.full_range ? "FULL" : "LIMITED");
}

class Y4mSink final : public VideoSink {
 public:
  Y4mSink(const std::string& path, const VideoFormat& format)
      : format_(format), head_(header(path, format)), file_(path, AtomicFile::Mode::stream) {
    file_.write(head_);
  }

  void write(const YuvFrame& frame) override {
    file_.write("FRAME\n");
    write_plane(frame.luma);
    if (format_.chroma != ChromaFormat::none) {
      write_plane(frame.cb);
      write_plane(frame.cr);
    }
    file_.flush();
  }

  void commit() override { file_.commit(); }

 private:
  void write_plane(const GreyPicture& plane) {
    for (int y = 0; y < plane.height(); ++y) {
      const auto width = static_cast<std::size_t>(plane.width());
      if (plane.depth == Depth::u8) {
        file_.write(plane.u8.row(y), width);
        continue;
      }
      row_.assign(plane.u16.row(y), plane.u16.row(y) + width);
      for (std::uint16_t& value : row_) value = ByteReader::from_order(value, std::endian::little);
      file_.write(row_.data(), row_.size() * sizeof(std::uint16_t));
    }
  }

  VideoFormat format_;
  std::string head_;  // before the file: what cannot be written leaves no file behind
  AtomicFile file_;
  std::vector<std::uint16_t> row_;
};

}  // namespace

std::unique_ptr<VideoSink> make_y4m_sink(const std::string& path, const VideoFormat& format) {
  return std::make_unique<Y4mSink>(path, format);
}

}  // namespace vergence::io
