// SPDX-License-Identifier: Apache-2.0
// The study sad-streaming: its reference against the library's, its kernels against its reference, its counts against
// counters inside the kernels.
#include <gtest/gtest.h>

#include <filesystem>

#include "sad-streaming/study.hpp"
#include "studies/study_bench.hpp"
#include "vergence/error.hpp"
#include "vergence/stereo.hpp"

namespace vergence::studies {
namespace {

using sad_streaming::Tile;
using sad_streaming::Traffic;
using sad_streaming::Variant;
using test::noise;
using test::settings_of;

const Study& subject() { return study("sad-streaming"); }

std::string describe(const Variant& v) {
  return v.kernel + (v.bytes ? ", 8-bit" : ", 32-bit") + (v.unrolled ? ", unrolled" : "") + ", group " +
         std::to_string(v.group) + ", rows " + std::to_string(v.rows) + ", " + sad_streaming::tile_name(v.tile);
}

TEST(SadStreaming, ReferenceIsThePresetOfTheLibrary) {
  std::vector<Picture> pair;
  make_pair({70, 40}, 16, pair);
  const Settings settings = settings_of(subject(), {{"disparities", "16"}});
  const auto problem = sad_streaming::make_problem(settings, {70, 40});
  const auto map = sad_streaming::reference(problem, pair[0].pixels, pair[1].pixels);
  StereoOptions options = stereo_preset("sad-2018").options;
  options.disparities = 16;
  Image<std::int16_t> expected(map.size());
  StereoMatcher(Device("reference"), map.size(), options)
      .compute({pair[0].pixels, pair[1].pixels}, {.disparity = expected});
  for (int y = 2; y < map.height() - 2; ++y)
    for (int x = 2; x < map.width() - 2; ++x) ASSERT_EQ(map(x, y) * 16, expected(x, y)) << x << ", " << y;
}

TEST(SadStreaming, ReferenceByHand) {
  // One dot at column 6 of the left picture and column 4 of the right one: disparity 2 wherever the window holds it.
  Image<std::uint8_t> left(9, 5, 10), right(9, 5, 10);
  left(6, 2) = 200;
  right(4, 2) = 200;
  const Settings settings = settings_of(subject(), {{"disparities", "4"}, {"window", "3"}});
  const auto map = sad_streaming::reference(sad_streaming::make_problem(settings, {9, 5}), left, right);
  EXPECT_EQ(map(4, 2), 2);
  EXPECT_EQ(map(3, 1), 2);
  EXPECT_EQ(map(1, 2), 0);  // flat: the first candidate
  EXPECT_EQ(map(0, 2), 0);  // the border is not computed
  EXPECT_EQ(map(4, 4), 0);
}

TEST(SadStreaming, PaperShapes) {
  const Settings settings = settings_of(subject(), {});
  const auto problem = sad_streaming::make_problem(settings, {434, 383});
  EXPECT_EQ(problem.padded, (Size{512, 512}));
  const auto shape = sad_streaming::make_shape(problem, {"distributed", false, true, 512, 1, Tile::rows});
  EXPECT_EQ(shape.local_bytes, 20480u);
  EXPECT_EQ(sad_streaming::make_shape(problem, {"distributed", true, true, 512, 1, Tile::rows}).local_bytes, 5120u);
  EXPECT_EQ(sad_streaming::bank_conflicts({"distributed", false, true, 512, 1, Tile::rows}, shape), 1);
  const Variant meeting{"distributed", false, true, 512, 1, Tile::columns};
  EXPECT_EQ(sad_streaming::bank_conflicts(meeting, sad_streaming::make_shape(problem, meeting)), 8);
  const Variant padded{"distributed", false, true, 512, 1, Tile::columns_padded};
  EXPECT_EQ(sad_streaming::bank_conflicts(padded, sad_streaming::make_shape(problem, padded)), 1);
  const auto counts = test::printed(sad_streaming::counts_json(problem, meeting, shape, 3));
  EXPECT_EQ(counts["working_set_bytes"], 20480);
  EXPECT_EQ(counts["differences_per_disparity"], 25);
  // 162,222 work-items in rounds of 384, as the paper has it.
  auto printed = problem;
  printed.picture = {162222, 1};
  EXPECT_EQ(test::printed(sad_streaming::counts_json(printed, meeting, shape, 3))["occupancy_rounds"], 423);
}

TEST(SadStreaming, RefusesWhatCannotBe) {
  const auto problem_of = [](const char* name, const char* value) {
    return sad_streaming::make_problem(settings_of(subject(), {{name, value}}), {434, 383});
  };
  EXPECT_THROW(problem_of("padding", "496x512"), Error);  // the last window needs 434 + 63 columns
  EXPECT_NO_THROW(problem_of("padding", "497x383"));
  EXPECT_THROW(problem_of("window", "4"), Error);
  EXPECT_THROW(problem_of("disparities", "0"), Error);
  EXPECT_THROW(problem_of("disparities", "64x"), Error);
  const auto problem = problem_of("window", "5");
  EXPECT_THROW(sad_streaming::make_shape(problem, {"global", false, true, 96, 1, Tile::rows}), Error);
}

class SadStreamingOnDevices : public test::OnEveryDevice {};
class SadStreamingKernel : public test::OnEveryDevice, public ::testing::WithParamInterface<const char*> {};

TEST_P(SadStreamingKernel, GivesTheReferenceAndReadsWhatIsSaid) {
  const Settings settings = settings_of(
      subject(),
      {{"kernels", GetParam()}, {"window", "3"}, {"disparities", "7"}, {"groups", "32"}, {"group-rows", "1,4"}});
  const auto problem = sad_streaming::make_problem(settings, {41, 23});
  const sad_streaming::Pair pair(problem, noise({41, 23}, 1, 3), noise({41, 23}, 2, 3));
  for (const gpu::Opened& device : devices) {
    Bench bench(device);
    for (const Variant& variant : sad_streaming::choose_variants(settings, 64)) {
      if (!variant.unrolled && !variant.bytes) continue;  // compiling takes the time
      SCOPED_TRACE(device.name + ", " + describe(variant));
      Traffic counted;
      const Cell cell = sad_streaming::run_variant(bench, problem, pair, variant, 1, &counted);
      ASSERT_TRUE(cell.ran()) << cell.refused;
      EXPECT_EQ(cell.differing, 0);
      const Traffic said = sad_streaming::count_traffic(problem, variant, sad_streaming::make_shape(problem, variant));
      EXPECT_EQ(counted.global_reads, said.global_reads);
      EXPECT_EQ(counted.local_reads, said.local_reads);
      EXPECT_EQ(counted.local_writes, said.local_writes);
    }
  }
}

std::string kernel_name(const ::testing::TestParamInfo<const char*>& parameter) { return parameter.param; }
INSTANTIATE_TEST_SUITE_P(All, SadStreamingKernel, ::testing::Values("global", "centralised", "distributed", "vertical"),
                         kernel_name);

/// The largest groups take several rows of a padded picture; pictures may be smaller than a window.
TEST_F(SadStreamingOnDevices, OddShapes) {
  const Settings settings = settings_of(subject(), {{"disparities", "4"}, {"per-item", "2"}});
  Bench bench(devices.front());
  for (const Size size : {Size{1, 1}, Size{4, 9}, Size{29, 6}}) {
    const auto problem = sad_streaming::make_problem(settings, size);
    const sad_streaming::Pair pair(problem, noise(size, 5, 2), noise(size, 6, 2));
    for (const Variant& variant : {Variant{"distributed", true, true, 4 * problem.padded.height, 1, Tile::rows},
                                   Variant{"vertical", false, false, problem.padded.width, 1, Tile::rows}}) {
      if (variant.kernel == "vertical" && problem.padded.height < 2) continue;
      SCOPED_TRACE(describe(variant) + ", " + std::to_string(size.width) + "x" + std::to_string(size.height));
      const Cell cell = sad_streaming::run_variant(bench, problem, pair, variant, 1);
      ASSERT_TRUE(cell.ran()) << cell.refused;
      EXPECT_EQ(cell.differing, 0);
    }
  }
}

/// Flags in the place of barriers: no wait goes on for ever, one that fails is reported, and maps that are right are
/// those of runs in which no wait failed.
TEST_F(SadStreamingOnDevices, FlagsEndTheirWaits) {
  const Settings settings =
      settings_of(subject(), {{"kernels", "flags"}, {"disparities", "4"}, {"groups", "32"}, {"spins", "64"}});
  const auto problem = sad_streaming::make_problem(settings, {41, 23});
  const sad_streaming::Pair pair(problem, noise({41, 23}, 1, 3), noise({41, 23}, 2, 3));
  const std::vector<Variant> variants = sad_streaming::choose_variants(settings, 64);
  ASSERT_EQ(variants.size(), 4u);
  for (const gpu::Opened& device : devices) {
    Bench bench(device);
    for (const Variant& variant : variants) {
      SCOPED_TRACE(device.name + ", " + sad_streaming::flags_name(variant.flags));
      const Cell cell = sad_streaming::run_variant(bench, problem, pair, variant, 2);
      ASSERT_TRUE(cell.ran()) << cell.refused;
      EXPECT_FALSE(cell.must_equal);
      const auto flags = test::printed(cell.counts)["flags"];
      EXPECT_EQ(flags["looked_at"], 5);  // a first run, and each timed one twice
      // Work-items of a PoCL group run one after the other, its groups in their order by each thread: rows within a
      // group are in order, groups numbered from below are not.
      if (!bench.properties().is_cpu) continue;
      if (variant.flags == sad_streaming::Flags::printed || variant.flags == sad_streaming::Flags::loaded) {
        EXPECT_EQ(flags["runs_with_failed_waits"], 0);
        EXPECT_EQ(cell.differing, 0);
      }
      if (variant.flags == sad_streaming::Flags::reversed) {
        EXPECT_GT(flags["runs_with_failed_waits"], 0);
      }
    }
  }
}

TEST_F(SadStreamingOnDevices, OtherSizesAreSwept) {
  Request request;
  request.device = devices.front().name;
  request.output = ::testing::TempDir() + "/vergence-sad-sweep";
  request.print = [](std::string_view) {};
  request.values = {{"size", "40x30"}, {"disparities", "8"}, {"groups", "32"},    {"kernels", "global"},
                    {"runs", "1"},     {"unroll", "yes"},    {"inputs", "8-bit"}, {"sweep", "56x20"}};
  EXPECT_TRUE(run(subject(), request));
  const auto json = test::printed_file(request.output + "/sad-streaming.json");
  int swept = 0;
  for (const auto& cell : json["cells"].elements())
    if (cell["picture"] == "56x20") ++swept;
  EXPECT_EQ(swept, 3);
  EXPECT_EQ(json["cells"][0]["picture"], "40x30");
  std::filesystem::remove_all(request.output);
}

TEST_F(SadStreamingOnDevices, DifferencesAreSeen) {
  const Settings settings = settings_of(subject(), {{"disparities", "5"}, {"window", "3"}});
  const auto problem = sad_streaming::make_problem(settings, {20, 9});
  sad_streaming::Pair pair(problem, noise({20, 9}, 3, 256), noise({20, 9}, 4, 256));
  pair.expected(7, 4) += 1;
  pair.expected(0, 0) = 9;
  Bench bench(devices.front());
  const Cell cell = sad_streaming::run_variant(bench, problem, pair, {"global", true, true, 16, 1, Tile::rows}, 1);
  EXPECT_EQ(cell.differing, 2);
  Report report;
  report.cells.push_back(cell);
  EXPECT_FALSE(report.all_equal());
}

}  // namespace
}  // namespace vergence::studies
