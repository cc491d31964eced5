// SPDX-License-Identifier: Apache-2.0
// Raw video that was read in another format than it has.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "inspect/scene.hpp"
#include "vergence/inspect.hpp"
#if VERGENCE_WITH_IO
#include "vergence/io.hpp"
#endif

namespace vergence {
namespace {

using Bytes = std::vector<std::uint8_t>;
using inspect_test::Picture;

Bytes bytes_of(const Picture& picture) {
  Bytes bytes;
  for (int y = 0; y < picture.height(); ++y)
    bytes.insert(bytes.end(), picture.row(y), picture.row(y) + picture.width());
  return bytes;
}

/// What stands in for colour: smooth, and not like the luma.
std::uint8_t colour(int x, int y, bool second) { return static_cast<std::uint8_t>(second ? 60 + y / 4 : 190 - x / 4); }

enum class Layout {
  grey,
  planar420,
  planar422,
  planar444,
  packed,
  packed_chroma_first,
  words,
  words_of_bytes,
  words_exchanged,
  rgb
};

void add_planes(Bytes& bytes, Size size, int step_x, int step_y) {
  for (const bool second : {false, true})
    for (int y = 0; y < size.height; y += step_y)
      for (int x = 0; x < size.width; x += step_x) bytes.push_back(colour(x, y, second));
}

/// One frame as a camera of that layout gives it.
Bytes frame_bytes(const Picture& picture, Layout layout) {
  Bytes bytes = bytes_of(picture);
  if (layout == Layout::planar420) add_planes(bytes, picture.size(), 2, 2);
  if (layout == Layout::planar422) add_planes(bytes, picture.size(), 2, 1);
  if (layout == Layout::planar444) add_planes(bytes, picture.size(), 1, 1);
  if (layout <= Layout::planar444) return bytes;
  Bytes mixed;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      const std::uint8_t value = picture(x, y);
      const std::uint8_t other = colour(x, y, x % 2 != 0);
      const auto low = static_cast<std::uint8_t>(inspect_test::hash(x, y) * 2);
      if (layout == Layout::packed) mixed.insert(mixed.end(), {value, other});
      if (layout == Layout::packed_chroma_first) mixed.insert(mixed.end(), {other, value});
      if (layout == Layout::words) mixed.insert(mixed.end(), {low, value});
      if (layout == Layout::words_of_bytes) mixed.insert(mixed.end(), {std::uint8_t{0}, value});
      if (layout == Layout::words_exchanged) mixed.insert(mixed.end(), {value, low});
      if (layout == Layout::rgb) mixed.insert(mixed.end(), {value, colour(x, y, false), colour(x, y, true)});
    }
  return mixed;
}

struct Reading {
  Layout layout;
  double samples;  ///< Bytes for each pixel.
  int luma_step, sample_bytes;
};
constexpr Reading as_grey{Layout::grey, 1, 1, 1}, as_420{Layout::planar420, 1.5, 1, 1},
    as_422{Layout::planar422, 2, 1, 1}, as_444{Layout::planar444, 3, 1, 1}, as_packed{Layout::packed, 2, 2, 1},
    as_words{Layout::words, 2, 2, 2};

RawVideoProblem look(const std::function<Picture(int)>& picture, Layout layout, const Reading& reading) {
  Bytes bytes;
  for (int frame = 0; frame < 8; ++frame) {
    const Bytes one = frame_bytes(picture(frame), layout);
    bytes.insert(bytes.end(), one.begin(), one.end());
  }
  const Size size = picture(0).size();
  const auto length = static_cast<std::int64_t>(reading.samples * size.width * size.height);
  bytes.resize(std::min(bytes.size(), static_cast<std::size_t>(8 * size.width * size.height)));
  return inspect_raw_video(bytes, {size, length, reading.luma_step, reading.sample_bytes}).problem;
}

void expect_told(const std::function<Picture(int)>& picture) {
  using enum RawVideoProblem;
  for (const Reading& reading : {as_grey, as_420, as_422, as_444, as_packed, as_words})
    EXPECT_EQ(look(picture, reading.layout, reading), none) << static_cast<int>(reading.layout);
  EXPECT_EQ(look(picture, Layout::grey, as_420), frame_length);
  EXPECT_EQ(look(picture, Layout::grey, as_422), frame_length);
  EXPECT_EQ(look(picture, Layout::grey, as_444), frame_length);
  EXPECT_EQ(look(picture, Layout::grey, as_packed), interleaved);
  EXPECT_EQ(look(picture, Layout::grey, as_words), interleaved);
  EXPECT_EQ(look(picture, Layout::planar420, as_grey), frame_length);
  EXPECT_EQ(look(picture, Layout::planar420, as_444), frame_length);
  EXPECT_EQ(look(picture, Layout::planar422, as_420), frame_length);
  EXPECT_EQ(look(picture, Layout::planar444, as_420), frame_length);
  EXPECT_EQ(look(picture, Layout::planar422, as_packed), interleaved);
  EXPECT_EQ(look(picture, Layout::packed, as_422), interleaved);
  EXPECT_EQ(look(picture, Layout::packed_chroma_first, as_packed), interleaved);
  EXPECT_EQ(look(picture, Layout::words, as_grey), frame_length) << "noise in the lower bytes hides their places";
  EXPECT_EQ(look(picture, Layout::words_exchanged, as_words), byte_order);
  EXPECT_EQ(look(picture, Layout::words_of_bytes, as_words), none) << "8 bits as p010le";
  EXPECT_EQ(look(picture, Layout::rgb, as_grey), interleaved);
  EXPECT_EQ(look(picture, Layout::rgb, as_444), interleaved);
}

TEST(InspectRawVideo, OtherFormatsAreTold) {
  expect_told([](int frame) {
    Picture picture(160, 120);
    for (int y = 0; y < 120; ++y)
      for (int x = 0; x < 160; ++x)
        picture(x, y) = static_cast<std::uint8_t>(inspect_test::texture(x + 0.5 * frame, y));
    return picture;
  });
}

TEST(InspectRawVideo, SaysNothingWithoutEvidence) {
  const auto noise = [](int frame) {
    Picture picture(160, 120);
    for (int y = 0; y < 120; ++y)
      for (int x = 0; x < 160; ++x) picture(x, y) = static_cast<std::uint8_t>(inspect_test::hash(x + 977 * frame, y));
    return picture;
  };
  const auto still = [](int) { return inspect_test::view(false); };
  const auto flat = [](int) { return Picture(160, 120, 70); };
  for (const Reading& reading : {as_grey, as_420, as_422, as_444, as_packed}) {
    EXPECT_EQ(look(noise, reading.layout, reading), RawVideoProblem::none);
    EXPECT_EQ(look(still, reading.layout, reading), RawVideoProblem::none);
    EXPECT_EQ(look(flat, reading.layout, reading), RawVideoProblem::none);
    EXPECT_EQ(look(flat, Layout::grey, reading), RawVideoProblem::none);
  }
  const Bytes few(20, 7);
  EXPECT_EQ(inspect_raw_video(few, {{64, 64}, 64 * 64, 1, 1}).problem, RawVideoProblem::none);
  EXPECT_EQ(inspect_raw_video(few, {{5, 4}, 20, 1, 1}).problem, RawVideoProblem::none);
}

#if VERGENCE_WITH_IO
TEST(InspectRawVideo, OtherFormatsOfARealClipAreTold) {
  const std::filesystem::path folder = std::filesystem::path(VERGENCE_TEST_DATA) / "clips" / "basketballpass_416x240";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no pictures in " << folder;
  expect_told([&folder](int frame) {
    GreyPicture picture = read_grey((folder / ("f00" + std::to_string(frame + 1) + ".png")).string());
    return std::move(picture.u8);
  });
}
#endif

}  // namespace
}  // namespace vergence
