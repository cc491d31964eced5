// SPDX-License-Identifier: Apache-2.0
// Raw video that was read in another format than it has.
#include <gtest/gtest.h>

#include <algorithm>
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
  rgb,
  grey_rgb,
  semi_planar
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
  if (layout == Layout::semi_planar)
    for (int y = 0; y < picture.height(); y += 2)
      for (int x = 0; x < picture.width(); x += 2)
        for (const bool second : {false, true}) bytes.push_back(colour(x, y, second));
  if (layout <= Layout::planar444 || layout == Layout::semi_planar) return bytes;
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
      if (layout == Layout::grey_rgb) mixed.insert(mixed.end(), {value, value, value});
      if (layout == Layout::rgb) mixed.insert(mixed.end(), {value, colour(x, y, false), colour(x, y, true)});
    }
  return mixed;
}

struct Reading {
  Layout layout;
  double samples;  ///< Bytes for each pixel.
  int luma_step, sample_bytes, chroma_planes = 0, bits = 8;
};
constexpr Reading as_grey{Layout::grey, 1, 1, 1}, as_420{Layout::planar420, 1.5, 1, 1, 2},
    as_422{Layout::planar422, 2, 1, 1, 2}, as_444{Layout::planar444, 3, 1, 1, 2}, as_packed{Layout::packed, 2, 2, 1},
    as_words{Layout::words, 2, 2, 2, 0, 16}, as_semi_planar{Layout::semi_planar, 1.5, 1, 1, 1};

RawVideoProblem look(const std::function<Picture(int)>& picture, Layout layout, const Reading& reading) {
  Bytes bytes;
  for (int frame = 0; frame < 8; ++frame) {
    const Bytes one = frame_bytes(picture(frame), layout);
    bytes.insert(bytes.end(), one.begin(), one.end());
  }
  const Size size = picture(0).size();
  const auto length = static_cast<std::int64_t>(reading.samples * size.width * size.height);
  bytes.resize(std::min(bytes.size(), static_cast<std::size_t>(8 * size.width * size.height)));
  return inspect_raw_video(bytes,
                           {size, length, reading.luma_step, reading.sample_bytes, reading.chroma_planes, reading.bits})
      .problem;
}

void expect_told(const std::function<Picture(int)>& picture) {
  using enum RawVideoProblem;
  for (const Reading& reading : {as_grey, as_420, as_422, as_444, as_packed, as_words, as_semi_planar})
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
  EXPECT_EQ(look(picture, Layout::words, as_grey), interleaved) << "the upper ones alone are alike";
  EXPECT_EQ(look(picture, Layout::words_exchanged, as_words), byte_order);
  EXPECT_EQ(look(picture, Layout::words_of_bytes, as_words), none) << "8 bits as p010le";
  EXPECT_EQ(look(picture, Layout::rgb, as_grey), interleaved);
  for (const Layout layout : {Layout::rgb, Layout::grey_rgb})
    for (const Reading& reading : {as_grey, as_420, as_422, as_444, as_semi_planar})
      EXPECT_EQ(look(picture, layout, reading), interleaved) << "three bytes a pixel, grey or not";
  EXPECT_EQ(look(picture, Layout::semi_planar, as_420), chroma);
  EXPECT_EQ(look(picture, Layout::planar420, as_semi_planar), chroma);
  EXPECT_EQ(look(picture, Layout::packed_chroma_first, as_words), chroma);
  EXPECT_EQ(look(picture, Layout::words, as_packed), RawVideoProblem::words);
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
  const auto in_turn = [](int frame) { return inspect_test::view(frame % 2 == 0); };
  for (const Reading& reading : {as_grey, as_420, as_422, as_444, as_packed})
    EXPECT_EQ(look(in_turn, reading.layout, reading), RawVideoProblem::none) << "two cameras in turn";
  const Bytes few(20, 7);
  EXPECT_EQ(inspect_raw_video(few, {{64, 64}, 64 * 64, 1, 1}).problem, RawVideoProblem::none);
  EXPECT_EQ(inspect_raw_video(few, {{5, 4}, 20, 1, 1}).problem, RawVideoProblem::none);
}

/// A pixel's bytes, put together from its grey level and its place.
using Pixel = std::function<std::vector<int>(int value, int x, int y)>;

Picture packed(const Picture& grey, int bytes, const Pixel& pixel) {
  Picture rows(grey.width() * bytes, grey.height());
  for (int y = 0; y < grey.height(); ++y)
    for (int x = 0; x < grey.width(); ++x) {
      const std::vector<int> values = pixel(grey(x, y), x, y);
      for (int i = 0; i < bytes; ++i)
        rows(bytes * x + i, y) = static_cast<std::uint8_t>(std::clamp(values[static_cast<std::size_t>(i)], 0, 255));
    }
  return rows;
}

/// Of a still scene that is read as grey of its own width.
RawVideoFindings look_at_grey(const Picture& rows) {
  Bytes bytes = bytes_of(rows);
  const auto length = std::ssize(bytes);
  bytes.insert(bytes.end(), bytes.begin(), bytes.begin() + length);
  return inspect_raw_video(bytes, {rows.size(), length, 1, 1});
}

int step_of(const Picture& grey, int bytes, const Pixel& pixel) {
  const RawVideoFindings found = look_at_grey(packed(grey, bytes, pixel));
  return found.problem == RawVideoProblem::interleaved ? found.step : 0;
}

void expect_packed_pixels_are_told(const Picture& grey) {
  const auto red = [](int x, int y) { return (x / 4 + y / 3) % 90; };
  const auto blue = [](int x, int y) { return (x / 5 - y / 7 + 200) % 70; };
  EXPECT_EQ(step_of(grey, 3, [](int v, int, int) { return std::vector{v, v, v}; }), 3);
  EXPECT_EQ(step_of(grey, 3, [&](int v, int x, int y) { return std::vector{v - red(x, y), v, v - blue(x, y)}; }), 3);
  EXPECT_EQ(step_of(grey, 3, [](int v, int, int) { return std::vector{v, v * 3 / 4, v / 2}; }), 3) << "one tint";
  EXPECT_EQ(step_of(grey, 4, [](int v, int, int) { return std::vector{v, v, v, 255}; }), 4);
  EXPECT_EQ(step_of(grey, 4, [&](int v, int x, int y) { return std::vector{v - blue(x, y), v, v - red(x, y), 0}; }), 4);
  EXPECT_EQ(step_of(grey, 4, [&](int v, int x, int y) { return std::vector{255, v, v - red(x, y), v}; }), 4);
  const auto chroma = [](int x, int y) { return x % 2 == 0 ? 100 + (x / 8 + y / 6) % 20 : 150 - (x / 9 + y / 5) % 15; };
  EXPECT_EQ(step_of(grey, 2, [&](int v, int x, int y) { return std::vector{v, chroma(x, y)}; }), 2);
  EXPECT_EQ(step_of(grey, 2, [&](int v, int x, int y) { return std::vector{chroma(x, y), v}; }), 2);
  EXPECT_EQ(step_of(grey, 2, [](int v, int, int) { return std::vector{v, 128}; }), 2);
}

/// Grey levels with columns that are brighter, darker, or have other contrast.
void expect_stripes_are_not_told(const Picture& grey) {
  EXPECT_EQ(look_at_grey(grey).problem, RawVideoProblem::none);
  const std::vector<std::vector<int>> levels{{0, 40},        {0, 40, -30},   {0, 0, 60},         {60, 0, 0},
                                             {0, 60, 0},     {0, 0, 0, 50},  {50, 0, 0, 0},      {0, 30, 0, -30},
                                             {0, 0, 40, 40}, {-20, 0, 0, 9}, {0, 20, 40, 60, 80}};
  for (const std::vector<int>& added : levels)
    for (const bool factor : {false, true})
      for (int shift = 0; shift < std::ssize(added); ++shift) {
        Picture striped = grey.clone();
        for (int y = 0; y < grey.height(); ++y)
          for (int x = 0; x < grey.width(); ++x) {
            const int level = added[static_cast<std::size_t>((x + shift) % std::ssize(added))];
            const int value = factor ? grey(x, y) * (100 - level) / 130 : grey(x, y) + level;
            striped(x, y) = static_cast<std::uint8_t>(std::clamp(value, 0, 255));
          }
        EXPECT_EQ(look_at_grey(striped).problem, RawVideoProblem::none)
            << testing::PrintToString(added) << " from " << shift << (factor ? " less contrast" : " more");
      }
}

Picture textured(Size size) {
  Picture picture(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) picture(x, y) = static_cast<std::uint8_t>(inspect_test::texture(x, y));
  return picture;
}

TEST(InspectRawVideo, PackedPixelsReadAsGreyOfTheirBytesAreTold) {
  expect_packed_pixels_are_told(textured({160, 120}));
  expect_packed_pixels_are_told(inspect_test::view(false));
}

TEST(InspectRawVideo, GreyStripesAreNoPackedPixels) {
  expect_stripes_are_not_told(textured({240, 120}));
  Picture fine(240, 120);  // noise, as grass seen from afar
  for (int y = 0; y < fine.height(); ++y)
    for (int x = 0; x < fine.width(); ++x) fine(x, y) = static_cast<std::uint8_t>(80 + inspect_test::hash(x, y) / 2);
  expect_stripes_are_not_told(fine);
}

TEST(InspectRawVideo, DrawnPicturesAreNoPackedPixels) {
  for (const int width : {3, 6, 12, 30})
    for (const int height : {1, 3, 6, 7, 1000}) {
      Picture squares(240, 120), tiles(240, 120);
      for (int y = 0; y < squares.height(); ++y)
        for (int x = 0; x < squares.width(); ++x) {
          squares(x, y) = (x / width + y / height) % 2 == 0 ? 30 : 220;
          tiles(x, y) = static_cast<std::uint8_t>(2 * inspect_test::hash(x / width, y / height));
        }
      if (height != 1 || width > 6) {  // pixels that are three times as wide as high
        EXPECT_EQ(look_at_grey(squares).problem, RawVideoProblem::none) << width << " x " << height;
        EXPECT_EQ(look_at_grey(tiles).problem, RawVideoProblem::none) << width << " x " << height;
      }
    }
}

TEST(InspectRawVideo, LinesAcrossAreNoPackedPixels) {
  for (const std::vector<int>& lines : std::vector<std::vector<int>>{{0, 60, 0}, {0, 40, 80}, {0, 60, 0, 30}}) {
    const auto lined = [&lines](int frame) {
      Picture picture(160, 120);
      for (int y = 0; y < 120; ++y)
        for (int x = 0; x < 160; ++x)
          picture(x, y) = static_cast<std::uint8_t>(inspect_test::texture(x + 0.5 * frame, y) * 2 / 3 +
                                                    lines[static_cast<std::size_t>(y % std::ssize(lines))]);
      return picture;
    };
    for (const Reading& reading : {as_grey, as_420, as_422, as_444, as_semi_planar})
      EXPECT_EQ(look(lined, reading.layout, reading), RawVideoProblem::none) << testing::PrintToString(lines);
  }
}

TEST(InspectRawVideo, ChromaWhoseHalvesAreAlikeMayTakeTurns) {
  Bytes bytes = bytes_of(textured({160, 120}));
  for (int y = 0; y < 60; ++y)
    for (int x = 0; x < 80; ++x)
      for (const int other : {0, 3})
        bytes.push_back(static_cast<std::uint8_t>(inspect_test::texture(4 * x, y) + other));
  const RawVideoForm form{.size = {160, 120}, .frame_bytes = std::ssize(bytes), .chroma_planes = 1};
  EXPECT_EQ(inspect_raw_video(bytes, form).problem, RawVideoProblem::none);
}

TEST(InspectRawVideo, WordsOfTenBitsAreNotThoseOfSixteen) {
  Bytes bytes;
  for (int frame = 0; frame < 2; ++frame)
    for (int y = 0; y < 120; ++y)
      for (int x = 0; x < 160; ++x) {
        const int word = 4 * inspect_test::texture(x + 0.5 * frame, y) + 3;
        bytes.push_back(static_cast<std::uint8_t>(word & 255));
        bytes.push_back(static_cast<std::uint8_t>(word >> 8));
      }
  RawVideoForm form{.size = {160, 120}, .frame_bytes = 2 * 160 * 120, .luma_step = 2, .sample_bytes = 2, .bits = 16};
  EXPECT_EQ(inspect_raw_video(bytes, form).problem, RawVideoProblem::few_bits);
  form.bits = 10;
  EXPECT_EQ(inspect_raw_video(bytes, form).problem, RawVideoProblem::none);
}

/// Unrelated places would lie before the first byte. Sanitizers see what is read there.
TEST(InspectRawVideo, FramesOfFewRows) {
  for (const auto& [size, bytes_each] : {std::pair{Size{64, 16}, 2}, std::pair{Size{64, 8}, 1}}) {
    Bytes bytes;
    for (int frame = 0; frame < 8; ++frame)
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x)
          for (int byte = 0; byte < bytes_each; ++byte)
            bytes.push_back(static_cast<std::uint8_t>(inspect_test::texture(x + 0.5 * frame, y)));
    const std::int64_t grey = std::int64_t{bytes_each} * size.width * size.height;
    for (const std::int64_t length : {grey, grey * 3 / 2, grey * 2}) {
      const Bytes start(bytes.begin(), bytes.begin() + 4 * grey);
      EXPECT_NO_THROW(inspect_raw_video(start, {size, length, bytes_each, bytes_each, 0, 8 * bytes_each}));
    }
  }
}

TEST(InspectRawVideo, FormsThatCannotBe) {
  const Bytes bytes(64 * 64, 7);
  const auto refused = [&bytes](const RawVideoForm& form) -> std::string {
    try {
      inspect_raw_video(bytes, form);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused({.size = {32, 32}, .frame_bytes = 1024}), "");
  EXPECT_EQ(refused({.size = {32, 32}}).rfind("frame_bytes of the raw video's form is 0: ", 0), 0u);
  EXPECT_EQ(refused({.size = {32, 32}, .frame_bytes = 1023}).rfind("frame_bytes ", 0), 0u);
  EXPECT_EQ(refused({.size = {32, 32}, .frame_bytes = 2049, .luma_step = 2, .sample_bytes = 2}).rfind("frame_", 0), 0u);
  EXPECT_EQ(refused({.size = {32, 32}, .frame_bytes = 1024, .luma_step = 0}).rfind("luma_step ", 0), 0u);
  EXPECT_EQ(refused({.size = {32, 32}, .frame_bytes = 4096, .luma_step = 3}).rfind("luma_step ", 0), 0u);
  EXPECT_EQ(refused({.size = {32, 32}, .frame_bytes = 1024, .sample_bytes = 0}).rfind("sample_bytes ", 0), 0u);
  EXPECT_EQ(refused({.size = {32, 32}, .frame_bytes = 1024, .chroma_planes = 3}).rfind("chroma_planes ", 0), 0u);
  EXPECT_EQ(refused({.size = {32, 32}, .frame_bytes = 1024, .bits = 16}).rfind("bits ", 0), 0u);
}

#if VERGENCE_WITH_IO
std::vector<std::filesystem::path> real_pictures() {
  const std::filesystem::path data(VERGENCE_TEST_DATA);
  std::vector<std::filesystem::path> found;
  for (const char* name :
       {"clips/basketballpass_416x240/f001.png", "flow/rubberwhale/frame10_rgb.png", "stereo/venus/left.png",
        "stereo/tsukuba/right.png", "tracking/sdvbs_cif/01.png", "tracking/sdvbs_sqcif/01.png",
        "flow/rubberwhale/frame07.png", "tracking/openvx_pyrlk/frame0.png"})
    if (std::filesystem::exists(data / name)) found.push_back(data / name);
  return found;
}

TEST(InspectRawVideo, RealColoursReadAsGreyAreToldAndRealGreyIsNot) {
  const std::vector<std::filesystem::path> files = real_pictures();
  if (files.empty()) GTEST_SKIP() << "no pictures in " << VERGENCE_TEST_DATA;
  for (const std::filesystem::path& file : files) {
    const testing::ScopedTrace trace(__FILE__, __LINE__, file.string());
    const Picture grey = std::move(read_grey(file.string()).u8);
    const Image<Rgb> colours = read_rgb(file.string());
    const bool drawn = file.parent_path().filename() == "openvx_pyrlk";  // most neighbours are equal
    if (!drawn) expect_packed_pixels_are_told(grey);
    const auto as_rgb = [&](int, int x, int y) {
      const Rgb one = colours(x, y);
      return std::vector<int>{one.r, one.g, one.b, 255};
    };
    EXPECT_EQ(step_of(grey, 3, as_rgb), drawn ? 0 : 3);
    EXPECT_EQ(step_of(grey, 4, as_rgb), 4);
    const std::int64_t pixels = std::int64_t{grey.width()} * grey.height();
    for (const std::int64_t length : {pixels, pixels * 3 / 2, pixels * 3})
      for (const int step : {3, 4}) {
        const auto found = inspect_raw_video(bytes_of(packed(grey, step, as_rgb)),
                                             {.size = grey.size(), .frame_bytes = length, .chroma_planes = 2});
        EXPECT_TRUE(drawn || found.step == step) << "in its own width, " << length << " bytes: " << found.step;
      }
    Picture part(grey.width() / 12 * 12, std::min(grey.height() / 2, 150));
    for (int y = 0; y < part.height(); ++y) std::copy_n(grey.row(y + grey.height() / 3), part.width(), part.row(y));
    expect_stripes_are_not_told(part);
  }
}

TEST(InspectRawVideo, OtherFormatsOfARealClipAreTold) {
  const std::filesystem::path folder = std::filesystem::path(VERGENCE_TEST_DATA) / "clips" / "basketballpass_416x240";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no pictures in " << folder;
  std::vector<Picture> pictures;
  for (int frame = 1; frame <= 8; ++frame)
    pictures.push_back(read_grey((folder / ("f00" + std::to_string(frame) + ".png")).string()).u8);
  expect_told([&pictures](int frame) { return pictures[static_cast<std::size_t>(frame)].clone(); });
}
#endif

}  // namespace
}  // namespace vergence
