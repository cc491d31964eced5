// SPDX-License-Identifier: Apache-2.0
// PNGs without FFmpeg hold what FFmpeg wrote into them, and FFmpeg finds in ours what we wrote. All that is unusual or
// damaged is left to FFmpeg.
#include "io/plain_png.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <variant>
#include <vector>

#include "io/av_support.hpp"
#include "io/libav.hpp"

namespace vergence {
namespace {

constexpr int plain_width = 37, plain_height = 23;

struct Kind {
  AVPixelFormat format;
  int channels, bytes;
};
constexpr std::array<Kind, 4> kinds{Kind{AV_PIX_FMT_GRAY8, 1, 1}, Kind{AV_PIX_FMT_GRAY16BE, 1, 2},
                                    Kind{AV_PIX_FMT_RGB24, 3, 1}, Kind{AV_PIX_FMT_RGB48BE, 3, 2}};

/// Slopes, edges and noise, so that each filter meets sums beyond a byte and each choice of the last one.
int value_at(int x, int y, int channel, int bytes) {
  const int noise = (x * 7919 + y * 104729 + channel * 1299709) % 257 % 19;
  const int value = 5 * x + 9 * y + 40 * channel + noise + (x * y % 11 == 0 ? 170 : 0);
  return bytes == 1 ? value % 256 : (value * 251 + noise) % 65536;
}

/// A byte of the row as it is packed.
std::uint8_t byte_at(const Kind& kind, std::size_t at, int y) {
  const int channel_bytes = kind.channels * kind.bytes, place = static_cast<int>(at);
  const int value = value_at(place / channel_bytes, y, place % channel_bytes / kind.bytes, kind.bytes);
  return static_cast<std::uint8_t>(kind.bytes == 2 && place % 2 == 0 ? value >> 8 : value);
}

io::PngForm form_of(const Kind& kind) { return {{plain_width, plain_height}, kind.channels, kind.bytes}; }

std::string by_ffmpeg(const Kind& kind, const std::string& options) {
  const auto fill = [&kind](AVFrame& frame, int) {
    for (int y = 0; y < plain_height; ++y)
      for (std::size_t i = 0; i < form_of(kind).row_bytes(); ++i)
        frame.data[0][static_cast<std::size_t>(y) * static_cast<std::size_t>(frame.linesize[0]) + i] =
            byte_at(kind, i, y);
  };
  return test::encode_picture(AV_CODEC_ID_PNG, kind.format, plain_width, plain_height, fill, options);
}

std::optional<io::Raster> read(const std::string& png) {
  return io::read_plain_png({reinterpret_cast<const std::uint8_t*>(png.data()), png.size()});
}

template <class T>
int wrong_values(const io::Raster& raster) {
  const auto& image = std::get<Image<T>>(raster.pixels);
  int wrong = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      wrong += image(x, y) != value_at(x / raster.channels, y, x % raster.channels, sizeof(T)) ? 1 : 0;
  return wrong;
}

TEST(PlainPng, HoldsWhatFfmpegWroteByEachFilter) {
  for (const Kind& kind : kinds)
    for (const char* filter : {"none", "sub", "up", "avg", "paeth", "mixed"}) {
      SCOPED_TRACE(testing::Message() << kind.format << ' ' << filter);
      const std::optional<io::Raster> raster = read(by_ffmpeg(kind, std::string("pred=") + filter));
      ASSERT_TRUE(raster.has_value());
      EXPECT_EQ(raster->size(), (Size{plain_width, plain_height}));
      EXPECT_EQ(raster->channels, kind.channels);
      EXPECT_EQ(raster->max_value, kind.bytes == 1 ? 255 : 65535);
      EXPECT_TRUE(raster->picture);
      EXPECT_FALSE(raster->alpha);
      EXPECT_EQ(kind.bytes == 1 ? wrong_values<std::uint8_t>(*raster) : wrong_values<std::uint16_t>(*raster), 0);
    }
}

TEST(PlainPng, OfOursIsFoundByFfmpeg) {
  for (const Kind& kind : kinds) {
    SCOPED_TRACE(kind.format);
    const auto row = [&kind](std::uint8_t* to, int y) {
      for (std::size_t i = 0; i < form_of(kind).row_bytes(); ++i) to[i] = byte_at(kind, i, y);
    };
    std::vector<std::uint8_t> png = io::make_png(form_of(kind), row);
    const io::CodecPtr decoder = io::make_context(avcodec_find_decoder(AV_CODEC_ID_PNG));
    decoder->err_recognition = AV_EF_EXPLODE | AV_EF_CRCCHECK;
    ASSERT_GE(avcodec_open2(decoder.get(), nullptr, nullptr), 0);
    const int bytes = static_cast<int>(png.size());
    png.resize(png.size() + AV_INPUT_BUFFER_PADDING_SIZE);
    const io::PacketPtr packet = io::make_packet();
    packet->data = png.data();
    packet->size = bytes;
    const io::FramePtr frame = io::make_frame();
    ASSERT_GE(avcodec_send_packet(decoder.get(), packet.get()), 0);
    ASSERT_GE(avcodec_send_packet(decoder.get(), nullptr), 0);
    ASSERT_GE(avcodec_receive_frame(decoder.get(), frame.get()), 0);
    ASSERT_EQ(frame->format, kind.format);
    ASSERT_EQ(frame->width, plain_width);
    ASSERT_EQ(frame->height, plain_height);
    int wrong = 0;
    for (int y = 0; y < plain_height; ++y)
      for (std::size_t i = 0; i < form_of(kind).row_bytes(); ++i)
        wrong += frame->data[0][y * frame->linesize[0] + static_cast<int>(i)] != byte_at(kind, i, y) ? 1 : 0;
    EXPECT_EQ(wrong, 0);
  }
}

/// Of all bytes but the signature, which is checked before.
TEST(PlainPng, ReadsNothingThatIsDamaged) {
  const std::string png = by_ffmpeg(kinds[0], "");
  ASSERT_TRUE(read(png).has_value());
  for (std::size_t at = 8; at < png.size(); ++at)
    for (const int bits : {0x04, 0x80}) {
      std::string damaged = png;
      damaged[at] = static_cast<char>(damaged[at] ^ bits);
      EXPECT_FALSE(read(damaged).has_value()) << at;
    }
}

TEST(PlainPng, ReadsNothingThatIsCut) {
  const std::string png = by_ffmpeg(kinds[0], "");
  for (std::size_t size = 0; size < png.size(); ++size) EXPECT_FALSE(read(png.substr(0, size)).has_value()) << size;
}

}  // namespace
}  // namespace vergence
