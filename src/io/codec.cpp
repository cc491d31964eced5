// SPDX-License-Identifier: Apache-2.0
// Decoding of single pictures with libavcodec, and without it where it is not needed; encoding.
#include "io/codec.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "io/libav.hpp"
#include "io/palette.hpp"
#include "io/plain_png.hpp"
#include "io/png_rows.hpp"

namespace vergence::io {
namespace {

AVCodecID codec_id(PictureCodec codec) {
  switch (codec) {
    case PictureCodec::png:
      return AV_CODEC_ID_PNG;
    case PictureCodec::jpeg:
      return AV_CODEC_ID_MJPEG;
    case PictureCodec::tiff:
      return AV_CODEC_ID_TIFF;
    case PictureCodec::bmp:
      return AV_CODEC_ID_BMP;
  }
  return AV_CODEC_ID_NONE;
}

void check_decoded(int error, const std::string& name, PictureCodec codec) {
  if (error >= 0) return;
  if (error == AVERROR(ENOMEM)) fail_read(ErrorCode::out_of_memory, name, "no memory to decode it: free memory");
  const ErrorCode code = error == AVERROR_PATCHWELCOME ? ErrorCode::unsupported : ErrorCode::bad_data;
  fail_read(
      code, name,
      fmt::format("its {} data cannot be decoded: {}: copy or create it again", codec_name(codec), av_reason(error)));
}

/// What decoders pass over without a word.
void check_passed_over(std::span<const std::uint8_t> bytes, const AVFrame& decoded, PictureCodec codec,
                       std::size_t colours, const std::string& name) {
  const std::string problem =
      codec == PictureCodec::png ? png_problem(bytes, decoded) : palette_problem(decoded, colours);
  if (!problem.empty())
    fail_read(ErrorCode::bad_data, name,
              fmt::format("the {} file is damaged ({}): copy or create it again", codec_name(codec), problem));
}

FramePtr decode(std::vector<std::uint8_t>& bytes, const CodecFacts& facts, PictureCodec codec,
                const std::string& name) {
  const AVCodec* decoder = avcodec_find_decoder(codec_id(codec));
  if (decoder == nullptr)
    fail_read(ErrorCode::unsupported, name,
              fmt::format("this FFmpeg has no {} decoder: use PNM or NPY", codec_name(codec)));
  CodecPtr context = make_context(decoder);
  context->err_recognition = AV_EF_EXPLODE | AV_EF_CRCCHECK;
  context->thread_count = 1;  // one thread, so that complaints reach this one
  context->flags |= AV_CODEC_FLAG_BITEXACT;
  if (codec == PictureCodec::png) context->get_buffer2 = png_buffer;
  check_decoded(avcodec_open2(context.get(), decoder, nullptr), name, codec);
  PacketPtr packet = make_packet();
  packet->data = bytes.data();
  packet->size = static_cast<int>(facts.bytes);
  FramePtr frame = make_frame();
  check_decoded(avcodec_send_packet(context.get(), packet.get()), name, codec);
  check_decoded(avcodec_send_packet(context.get(), nullptr), name, codec);
  check_decoded(avcodec_receive_frame(context.get(), frame.get()), name, codec);
  if (frame->decode_error_flags != 0 || (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0)
    check_decoded(AVERROR_INVALIDDATA, name, codec);
  // Of missing rows the PNG decoder complains and gives the picture all the same.
  if (codec == PictureCodec::png && !av_complaint().empty()) check_decoded(AVERROR_INVALIDDATA, name, codec);
  check_passed_over(std::span(bytes).first(facts.bytes), *frame, codec, facts.colours, name);
  return frame;
}

template <class T, class Copy>
void write_png_as(const std::string& path, ImageView<const T> image, const PngForm& form, Copy copy_row) {
  if (image.empty()) fail_write(ErrorCode::invalid_argument, path, "the picture is empty: give at least 1x1 pixels");
  require_av_size(path, false, image.width(), image.height());
  const auto png = [&] {
    try {
      return make_png(form, [&](std::uint8_t* row, int y) { copy_row(row, image.row(y)); });
    } catch (const std::bad_alloc&) {
      fail_write(ErrorCode::out_of_memory, path, "no memory to encode it: free memory");
    }
  }();
  AtomicFile file(path);
  file.write(png.data(), png.size());
  file.commit();
}

}  // namespace

Raster decode_picture(ByteReader& reader, PictureCodec codec, Want want) {
  constexpr std::uint64_t most = 0x7FFFFFFF - AV_INPUT_BUFFER_PADDING_SIZE;
  if (reader.remaining() > most)
    fail_read(ErrorCode::unsupported, reader.name(),
              "it is larger than 2 GB: use .npy, .pgm or .pfm for pictures of this size");
  std::vector<std::uint8_t> bytes = reader.read_all(AV_INPUT_BUFFER_PADDING_SIZE);
  const std::span<const std::uint8_t> content(bytes.data(), bytes.size() - AV_INPUT_BUFFER_PADDING_SIZE);
  const CodecFacts facts = check_structure(codec, content, reader.name());
  require_av_size(reader.name(), true, facts.width, facts.height);
  const PictureNotes notes = picture_notes(codec, content, facts);
  if (codec == PictureCodec::png)
    if (std::optional<Raster> plain = read_plain_png(content.first(facts.bytes))) {
      plain->notes = notes;
      return std::move(*plain);
    }
  quiet_av_log();
  forget_av_complaint();
  // What follows the picture's end must not reach the decoder as data.
  std::memset(bytes.data() + facts.bytes, 0, bytes.size() - facts.bytes);
  if (codec == PictureCodec::tiff) tidy_tiff(std::span(bytes).first(facts.bytes), reader.name());
  const FramePtr frame = decode(bytes, facts, codec, reader.name());
  Raster raster = frame_to_raster(*frame, want, reader.name());
  raster.notes = notes;
  if (codec == PictureCodec::jpeg) raster.alpha = false;  // of four components, the last one is black
  return raster;
}

void write_png(const std::string& path, ImageView<const std::uint8_t> grey) {
  const auto bytes = static_cast<std::size_t>(grey.width());
  write_png_as(path, grey, {grey.size(), 1, 1},
               [bytes](std::uint8_t* to, const std::uint8_t* from) { std::memcpy(to, from, bytes); });
}

void write_png(const std::string& path, ImageView<const std::uint16_t> grey) {
  const int width = grey.width();
  write_png_as(path, grey, {grey.size(), 1, 2}, [width](std::uint8_t* to, const std::uint16_t* from) {
    for (int x = 0; x < width; ++x, to += 2) {
      const std::uint16_t value = ByteReader::from_order(from[x], std::endian::big);
      std::memcpy(to, &value, 2);
    }
  });
}

void write_png(const std::string& path, ImageView<const Rgb> colour) {
  const std::size_t bytes = sizeof(Rgb) * static_cast<std::size_t>(colour.width());
  write_png_as(path, colour, {colour.size(), 3, 1},
               [bytes](std::uint8_t* to, const Rgb* from) { std::memcpy(to, from, bytes); });
}

}  // namespace vergence::io
