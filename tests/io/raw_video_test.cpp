// SPDX-License-Identifier: Apache-2.0
// Video without a header: planes of every format, and files that cannot be what they are said to be.
#include <gtest/gtest.h>

#include <string>

#include "core/expect_error.hpp"
#include "io/file_support.hpp"
#include "vergence/io.hpp"

namespace vergence {
namespace {

struct Form {
  const char* name;
  int bits;
  ChromaFormat chroma;
  Size plane;  // of chroma, for frames of 5x3
};

/// Frame `index` of the form: sample number i, counted through all planes, is (i + index) % 250 (+ 256 for words).
std::string frame_bytes(const Form& form, int index) {
  const int samples = 15 + 2 * form.plane.width * form.plane.height;
  std::string bytes;
  for (int i = 0; i < samples; ++i) {
    bytes += static_cast<char>((i + index) % 250);
    if (form.bits > 8) bytes += static_cast<char>(1);
  }
  return bytes;
}

int value(const GreyPicture& picture, int x, int y) {
  return picture.depth == Depth::u8 ? picture.u8(x, y) : picture.u16(x, y) - 256;
}

TEST(RawVideo, PlanesAreReadInTheirOrder) {
  const test::TemporaryDirectory dir;
  const std::string path = dir / "clip.yuv";
  for (const Form& form :
       {Form{"gray", 8, ChromaFormat::none, {0, 0}}, Form{"gray10le", 10, ChromaFormat::none, {0, 0}},
        Form{"gray16le", 16, ChromaFormat::none, {0, 0}}, Form{"yuv420p", 8, ChromaFormat::c420, {3, 2}},
        Form{"yuv422p", 8, ChromaFormat::c422, {3, 3}}, Form{"yuv444p", 8, ChromaFormat::c444, {5, 3}},
        Form{"yuv420p10le", 10, ChromaFormat::c420, {3, 2}}, Form{"yuv422p12le", 12, ChromaFormat::c422, {3, 3}},
        Form{"nv12", 8, ChromaFormat::c420, {3, 2}}}) {
    test::write_bytes(path, frame_bytes(form, 0) + frame_bytes(form, 7));
    FrameSourceOptions options;
    options.raw = RawVideo{{5, 3}, form.name};
    options.chroma = true;
    FrameSource source(path, {}, options);
    EXPECT_EQ(source.count(), 2) << form.name;
    EXPECT_TRUE(source.is_stream());
    for (const int index : {0, 7}) {
      const std::optional<YuvFrame> frame = source.next_yuv();
      ASSERT_TRUE(frame) << form.name;
      EXPECT_EQ(frame->luma.max_value, (1 << form.bits) - 1) << form.name;
      EXPECT_EQ(frame->luma.size(), (Size{5, 3}));
      EXPECT_EQ(value(frame->luma, 2, 1), 7 + index) << form.name;
      ASSERT_EQ(frame->chroma, form.chroma) << form.name;
      if (form.chroma == ChromaFormat::none) continue;
      EXPECT_EQ(frame->cb.size(), form.plane);
      EXPECT_EQ(frame->cr.size(), form.plane);
      const bool turns = std::string(form.name) == "nv12";
      const int pixel = form.plane.width + 1;  // (1, 1)
      EXPECT_EQ(value(frame->cb, 1, 1), 15 + (turns ? 2 * pixel : pixel) + index) << form.name;
      EXPECT_EQ(value(frame->cr, 1, 1),
                15 + (turns ? 2 * pixel + 1 : form.plane.width * form.plane.height + pixel) + index)
          << form.name;
    }
    EXPECT_FALSE(source.next_yuv());
  }
}

/// 10 bits in the upper ones of a word, Cb and Cr in turns.
TEST(RawVideo, P010HasItsBitsAtTheTop) {
  const test::TemporaryDirectory dir;
  const std::string path = dir / "clip.yuv";
  std::string bytes;
  for (int i = 0; i < 15 + 12; ++i) {
    const int word = (1023 - i) << 6;
    bytes += static_cast<char>(word & 255);
    bytes += static_cast<char>(word >> 8);
  }
  test::write_bytes(path, bytes);
  FrameSourceOptions options;
  options.raw = RawVideo{{5, 3}, "p010le"};
  options.chroma = true;
  const std::optional<YuvFrame> frame = FrameSource(path, {}, options).next_yuv();
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->luma.max_value, 1023);
  EXPECT_EQ(frame->luma.u16(0, 0), 1023);
  EXPECT_EQ(frame->luma.u16(4, 2), 1023 - 14);
  EXPECT_EQ(frame->chroma, ChromaFormat::c420);
  EXPECT_EQ(frame->cb.u16(1, 1), 1023 - 15 - 2 * 4);
  EXPECT_EQ(frame->cr.u16(2, 0), 1023 - 15 - 5);
  // What fills the lower bits is no such video.
  bytes[2 * 7] = static_cast<char>(bytes[2 * 7] | 1);
  test::write_bytes(path, bytes);
  EXPECT_ERROR(FrameSource(path, {}, options).next_yuv(), ErrorCode::bad_data,
               "frame 0 holds the word 65025, and p010le has zeros in the lower 6 bits");
  // But for 8 bits that were repeated, as FFmpeg does.
  for (std::size_t i = 0; i < bytes.size(); i += 2) bytes[i] = bytes[i + 1] = static_cast<char>(200 - i);
  test::write_bytes(path, bytes);
  EXPECT_EQ(FrameSource(path, {}, options).next_yuv()->luma.u16(1, 0), 198 << 2 | 198 >> 6);
}

/// Y Cb Y Cr, rows of whole pairs.
TEST(RawVideo, YuyvTakesTurns) {
  const test::TemporaryDirectory dir;
  const std::string path = dir / "clip.yuv";
  std::string bytes;
  for (int i = 0; i < 2 * 3 * 12; ++i) bytes += static_cast<char>(i);
  test::write_bytes(path, bytes);
  FrameSourceOptions options;
  options.raw = RawVideo{{5, 3}, "yuyv422"};
  options.chroma = true;
  FrameSource source(path, {}, options);
  EXPECT_EQ(source.count(), 2);
  for (const int start : {0, 36}) {
    const std::optional<YuvFrame> frame = source.next_yuv();
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->luma.size(), (Size{5, 3}));
    EXPECT_EQ(frame->luma.u8(0, 0), start);
    EXPECT_EQ(frame->luma.u8(4, 2), start + 24 + 8);
    EXPECT_EQ(frame->chroma, ChromaFormat::c422);
    EXPECT_EQ(frame->cb.size(), (Size{3, 3}));
    EXPECT_EQ(frame->cb.u8(1, 1), start + 12 + 5);
    EXPECT_EQ(frame->cr.u8(2, 2), start + 24 + 11);
  }
}

TEST(RawVideo, RangesAndLumaAlone) {
  const test::TemporaryDirectory dir;
  const std::string path = dir / "clip.yuv";
  const Form form{"yuv420p", 8, ChromaFormat::c420, {3, 2}};
  std::string bytes;
  for (int i = 0; i < 5; ++i) bytes += frame_bytes(form, i);
  test::write_bytes(path, bytes);
  FrameSourceOptions options;
  options.raw = RawVideo{{5, 3}, form.name};
  FrameSource source(path, {2, 3}, options);
  EXPECT_EQ(source.count(), 2);
  EXPECT_EQ(source.next()->u8(0, 0), 2);
  const std::optional<YuvFrame> second = source.next_yuv();
  EXPECT_EQ(second->luma.u8(0, 0), 3);
  EXPECT_EQ(second->chroma, ChromaFormat::none);  // not asked for
  EXPECT_FALSE(source.next());
  EXPECT_ERROR(FrameSource(path, {5, -1}, options), ErrorCode::invalid_argument, "it has 5 frames");
}

TEST(RawVideo, WhatCannotBeIsRefused) {
  const test::TemporaryDirectory dir;
  const std::string path = dir / "clip.yuv";
  test::write_bytes(path, std::string(53, 'x'));
  FrameSourceOptions options;
  options.raw = RawVideo{{5, 3}, "yuv420p"};
  EXPECT_ERROR(FrameSource(path, {}, options), ErrorCode::bad_data,
               "its 53 bytes are no multiple of a frame, 27 bytes for 5x3 yuv420p");
  options.raw->format = "yuv";
  EXPECT_ERROR(FrameSource(path, {}, options), ErrorCode::invalid_argument, "raw format 'yuv' is not known: there are");
  for (const auto& [other, meant] : {std::pair{"GRAY8", "gray"},
                                     {"grey", "gray"},
                                     {"mono16", "gray16le"},
                                     {"I420", "yuv420p"},
                                     {"yuyv", "yuyv422"},
                                     {"YUY2", "yuyv422"},
                                     {"nv-12", "nv12"},
                                     {"yuv420p10", "yuv420p10le"}}) {
    options.raw->format = other;
    EXPECT_ERROR(FrameSource(path, {}, options), ErrorCode::invalid_argument,
                 std::string("raw format '") + other + "' is not known: did you mean " + meant + "?");
  }
  // What looks like another name, and is none.
  for (const char* other :
       {"rgb24",      "bgr24",       "uyvy422",   "nv21",     "gray16be", "yuv420p10be", "bayer_rggb8", "yuv411p",
        "yuv440p",    "yuva420p",    "yuv410p",   "nv42",     "nv15",     "nv20le",      "p012le",      "p010be",
        "p410le",     "p216le",      "vyuy422",   "gray9le",  "gray14le", "grayf32le",   "grayf32be",   "yuv420p16le",
        "yuv444p9le", "yuv422p14be", "YUV420P16", "yuvj411p", "yuvj440p"}) {
    options.raw->format = other;
    EXPECT_ERROR(FrameSource(path, {}, options), ErrorCode::invalid_argument,
                 std::string("raw format '") + other + "' is not read here: there are gray, ");
  }
  options.raw->format = "cube";  // "be" alone is no order of bytes
  EXPECT_ERROR(FrameSource(path, {}, options), ErrorCode::invalid_argument, "raw format 'cube' is not known: ");
  options.raw = RawVideo{{0, 3}, "gray"};
  EXPECT_ERROR(FrameSource(path, {}, options), ErrorCode::invalid_argument, "0x3");
  options.raw = RawVideo{{5, 3}, "gray"};
  EXPECT_ERROR(FrameSource(dir / "none", {}, options), ErrorCode::not_found, "no such file");
  EXPECT_ERROR(FrameSource(dir / "", {}, options), ErrorCode::io, "directory");
  test::write_bytes(path, "");
  EXPECT_ERROR(FrameSource(path, {}, options), ErrorCode::bad_data, "empty");
}

}  // namespace
}  // namespace vergence
