// SPDX-License-Identifier: Apache-2.0
// What all studies share: settings, sizes of code, medians, what a device refuses, and whole runs.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "studies/study_bench.hpp"
#include "vergence/error.hpp"

namespace vergence::studies {
namespace {

constexpr Field fields[] = {
    {"runs", "N", "10", ""}, {"groups", "LIST", "32x16,32x32", ""}, {"memory", "LIST", "a,b", ""}};

TEST(StudySettings, AreReadWhole) {
  Settings settings(fields);
  EXPECT_EQ(settings.integer("runs", 1, 10), 10);
  EXPECT_EQ(settings.sizes("groups", 1, 64), (std::vector<Size>{{32, 16}, {32, 32}}));
  constexpr std::string_view known[] = {"a", "b"};
  EXPECT_EQ(settings.words("memory", known), (std::vector<std::string>{"a", "b"}));
  EXPECT_THROW(settings.integer("runs", 1, 9), Error);
  EXPECT_THROW(settings.set("run", "1"), Error);
  for (const char* wrong : {"", "1,", "x", "1 ", "1.5", "99999999999999999999"}) {
    settings.set("runs", wrong);
    EXPECT_THROW(settings.integer("runs", 1, 1000), Error) << wrong;
    EXPECT_THROW(settings.integers("runs", 1, 1000), Error) << wrong;
  }
  settings.set("memory", "a,c");
  EXPECT_THROW(settings.words("memory", known), Error);
  settings.set("groups", "32x,4");
  EXPECT_THROW(settings.sizes("groups", 1, 64), Error);
}

TEST(StudyReport, MedianOfEvenAndOddNumbers) {
  EXPECT_DOUBLE_EQ(median_of({{0, 3, 0, 9}, {0, 1, 0, 5}, {0, 2, 0, 7}}).kernel, 2);
  EXPECT_DOUBLE_EQ(median_of({{0, 1, 0, 9}, {0, 2, 0, 5}}).wall, 7);
}

TEST(StudyBench, CodeOfACubinIsItsText) {
  // An ELF-64 file of CUDA's machine with the sections "", ".text.k" (48 bytes) and ".shstrtab".
  std::vector<std::byte> file(64 + 3 * 64 + 32);
  const auto put = [&](std::size_t at, std::uint64_t value, std::size_t bytes) {
    std::memcpy(&file[at], &value, bytes);
  };
  std::memcpy(file.data(), "\x7f\x45LF\x02", 5);
  put(18, 190, 2);
  put(40, 64, 8);
  put(58, 64, 2);
  put(60, 3, 2);
  put(62, 2, 2);
  put(64 + 64, 1, 4);
  put(64 + 64 + 32, 48, 8);
  put(64 + 128, 9, 4);
  put(64 + 128 + 24, 64 + 192, 8);
  std::memcpy(&file[64 + 192], "\0.text.k\0.shstrtab", 19);
  EXPECT_EQ(code_size(file).bytes, 48u);
  EXPECT_STREQ(code_size(file).kind, "machine code");
  const std::string ptx = ".version 8.0\n.entry f()";
  EXPECT_STREQ(code_size(std::as_bytes(std::span(ptx))).kind, "PTX");
}

class StudyOnDevices : public test::OnEveryDevice {};

TEST_F(StudyOnDevices, RefusalsNameTheLimit) {
  const Bench bench(devices.front());
  EXPECT_EQ(bench.refusal({1, 1, 1}, 16), "");
  EXPECT_NE(bench.refusal({bench.properties().largest_group + 1, 1, 1}, 0).find("work-groups"), std::string::npos);
  EXPECT_NE(bench.refusal({1, 1, 1}, bench.properties().local_memory + 1).find("local memory"), std::string::npos);
}

TEST_F(StudyOnDevices, AVariantThatFailsEndsNoStudyButFailsIt) {
  Bench bench(devices.front());
  Report report;
  report.cells.emplace_back();
  bench.guard(report.cells.back(), [] { throw Error(ErrorCode::device, "no resources"); });
  EXPECT_EQ(report.cells.back().refused, "failed: no resources");
  report.cells.emplace_back();
  report.cells.back().local = {32, 4, 1};
  report.cells.back().local_bytes = 96;
  bench.guard(report.cells.back(), [] { throw Error(ErrorCode::device, "no resources"); });
  EXPECT_EQ(report.cells.back().refused,
            "failed: no resources (groups of 128 work-items with 96 bytes of local memory)");
  EXPECT_FALSE(report.all_equal());
  EXPECT_NO_THROW(bench.queue().finish());
  EXPECT_THROW(bench.guard(report.cells.back(), [] { throw Error(ErrorCode::invalid_argument, "wrong"); }), Error);
}

TEST_F(StudyOnDevices, ARunLeavesFiguresAndPictures) {
  const std::string folder = ::testing::TempDir() + "/vergence-study-run";
  std::filesystem::remove_all(folder);
  Request request;
  request.device = devices.front().name;
  request.values = {{"size", "40x30"}, {"disparities", "8"}, {"groups", "32"},   {"kernels", "global"},
                    {"runs", "2"},     {"unroll", "yes"},    {"inputs", "8-bit"}};
  request.output = folder;
  std::string printed;
  request.print = [&](std::string_view text) { printed += text; };
  EXPECT_TRUE(run(study("sad-streaming"), request));
  EXPECT_NE(printed.find("equal"), std::string::npos);
  const auto json = test::printed_file(folder + "/sad-streaming.json");
  EXPECT_EQ(json["study"], "sad-streaming");
  EXPECT_FALSE(json["commit"].get<std::string>().empty());
  EXPECT_GE(json["machine"]["threads"].get<int>(), 1);
  EXPECT_FALSE(json["machine"]["processor"].get<std::string>().empty());
  EXPECT_EQ(json["device"]["name"], devices.front().name);
  ASSERT_EQ(json["cells"].size(), 1u);
  EXPECT_EQ(json["cells"][0]["runs"].size(), 2u);
  EXPECT_EQ(json["cells"][0]["bytes_up"], 2 * 64 * 32);
  EXPECT_EQ(json["settings"]["window"], "5");
  EXPECT_TRUE(std::filesystem::exists(folder + "/disparity.pgm"));
  EXPECT_FALSE(std::filesystem::exists(folder + "/sad-streaming.partial.json"));
  request.inputs = {"one"};
  EXPECT_THROW(run(study("sad-streaming"), request), Error);
  std::filesystem::remove_all(folder);
  request.inputs.clear();
  request.values.emplace_back("kernels", "no such");
  EXPECT_THROW(run(study("sad-streaming"), request), Error);
  EXPECT_FALSE(std::filesystem::exists(folder));  // a run that fails leaves nothing
}

TEST_F(StudyOnDevices, ARunThatEndsEarlyLeavesTheCellsThatAreDone) {
  const std::string folder = ::testing::TempDir() + "/vergence-study-partial";
  std::filesystem::remove_all(folder);
  Request request;
  request.device = devices.front().name;
  request.values = {{"size", "40x30"}, {"disparities", "8"}, {"groups", "32,64"}, {"kernels", "global"},
                    {"runs", "2"},     {"unroll", "yes"},    {"inputs", "8-bit"}};
  request.output = folder;
  int cells = 0;
  request.print = [&](std::string_view) {
    if (++cells == 2) throw Error(ErrorCode::io, "enough");
  };
  EXPECT_THROW(run(study("sad-streaming"), request), Error);
  EXPECT_FALSE(std::filesystem::exists(folder + "/sad-streaming.json"));
  EXPECT_EQ(test::printed_file(folder + "/sad-streaming.partial.json")["cells"].size(), 1u);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace vergence::studies
