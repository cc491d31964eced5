// SPDX-License-Identifier: Apache-2.0
// Middlebury's .flo.
#include "io/flo.hpp"

#include <gtest/gtest.h>

#include "core/expect_error.hpp"
#include "io/file_support.hpp"

namespace vergence {
namespace {

using namespace std::string_literals;

Image<FlowVector> parse(const std::string& bytes) {
  io::ByteReader reader("x.flo", test::as_bytes(bytes));
  return io::read_flo(reader);
}

const std::string one_pixel = "PIEH\1\0\0\0\1\0\0\0\0\0\x80\x3F\0\0\0\xC0"s;  // (1, -2)

TEST(Flo, ReadsAKnownFile) {
  const Image<FlowVector> flow = parse(one_pixel);
  ASSERT_EQ(flow.size(), (Size{1, 1}));
  EXPECT_EQ(flow(0, 0).u, 1.0f);
  EXPECT_EQ(flow(0, 0).v, -2.0f);
}

TEST(Flo, RoundTripIsByteForByte) {
  const test::TemporaryDirectory directory;
  write_flo(directory / "a.flo", parse(one_pixel).view());
  EXPECT_EQ(test::read_bytes(directory / "a.flo"), one_pixel);
  Image<FlowVector> flow(5, 3);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 5; ++x) flow(x, y) = {static_cast<float>(x) / 3, static_cast<float>(-y) * 1e10f};
  write_flo(directory / "b.flo", flow);
  const Image<FlowVector> read = read_flo(directory / "b.flo");
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 5; ++x) {
      EXPECT_EQ(read(x, y).u, flow(x, y).u);
      EXPECT_EQ(read(x, y).v, flow(x, y).v);
    }
  EXPECT_EQ(read_values(directory / "b.flo").channels, 2);
}

TEST(Flo, RowsThatAreMadeAsTheyAreWrittenGiveTheSameFile) {
  const test::TemporaryDirectory directory;
  constexpr Size size{3, 4};
  Image<FlowVector> flow(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) flow(x, y) = {static_cast<float>(x), static_cast<float>(y / 2)};
  write_flo(directory / "whole.flo", flow);
  std::vector<FlowVector> row(3);
  std::vector<int> asked;
  write_flo(directory / "rows.flo", size, [&](int y) {
    asked.push_back(y);
    std::copy_n(flow.row(y), size.width, row.begin());
    return row.data();
  });
  EXPECT_EQ(asked, (std::vector{0, 1, 2, 3}));
  EXPECT_EQ(test::read_bytes(directory / "rows.flo"), test::read_bytes(directory / "whole.flo"));
  EXPECT_ERROR(write_flo(directory / "none.flo", {0, 4}, [&](int) { return row.data(); }), ErrorCode::invalid_argument,
               "at least 1x1");
}

TEST(Flo, RefusesBadFiles) {
  const std::pair<std::string, const char*> cases[] = {
      {"PIEG" + one_pixel.substr(4), "does not start"},
      {"PIEH\0\0\0\0\1\0\0\0"s, "0x1"},
      {"PIEH\xFF\xFF\xFF\xFF\1\0\0\0"s, "-1x1"},
      {"PIEH\xFF\xFF\xFF\x7F\1\0\0\0"s, "allowed are 1x1 .. "},
      {"PIEH\xFF\xFF\xFF\x3F\xFF\xFF\xFF\x7F"s, "need more"},
      {one_pixel + "x", "9 bytes follow"},
  };
  for (const auto& [bytes, text] : cases) EXPECT_ERROR(parse(bytes), ErrorCode::bad_data, text);
  test::for_every_beginning(one_pixel,
                            [](const std::string& part) { EXPECT_THROW(parse(part), Error) << part.size(); });
}

TEST(Flo, ReadsRealFlow) {
  const std::string path = VERGENCE_TEST_DATA "/flow/rubberwhale/flow10.flo";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here";
  EXPECT_EQ(read_flo(path).size(), (Size{584, 388}));
}

}  // namespace
}  // namespace vergence
