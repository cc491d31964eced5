// SPDX-License-Identifier: Apache-2.0
// The study ssd-local-memory: its reference against the library's, its kernels against its reference, its counts
// against counters inside the kernels, and the one launch that is not exact.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "ssd-local-memory/study.hpp"
#include "studies/study_bench.hpp"
#include "vergence/error.hpp"
#include "vergence/stereo.hpp"

namespace vergence::studies {
namespace {

using ssd_local_memory::Maps;
using ssd_local_memory::Memory;
using ssd_local_memory::Problem;
using ssd_local_memory::Traffic;
using ssd_local_memory::Variant;
using test::noise;

constexpr Memory memories[] = {Memory::uchar4, Memory::bytes, Memory::none};

TEST(SsdLocalMemory, WinnersOfTheReferenceAreTheLibrarys) {
  const Size size{60, 33};
  std::vector<Picture> pair;
  make_pair(size, 12, pair);
  Problem problem;
  problem.picture = size;
  problem.radius = 3;
  problem.disparities = 12;
  const Maps maps = ssd_local_memory::reference(problem, pair[0].pixels, pair[1].pixels);
  StereoOptions options = stereo_preset("ssd-cross-check").options;
  options.window = {7, 7};
  options.disparities = 12;
  options.left_right = -1;
  options.fill = StereoFill::none;
  for (const bool of_left : {true, false}) {
    options.reference = of_left ? StereoView::left : StereoView::right;
    Image<std::int16_t> expected(size);
    StereoMatcher(Device("reference"), size, options)
        .compute({pair[0].pixels, pair[1].pixels}, {.disparity = expected});
    const Image<std::uint8_t>& map = of_left ? maps.left : maps.right;
    for (int y = 3; y < size.height - 3; ++y)
      for (int x = 3; x < size.width - 3; ++x) ASSERT_EQ(map(x, y) * 16, expected(x, y)) << of_left << x << ", " << y;
  }
}

/// What the preset must give, from the study's winners: the check in exact grey levels, holes filled by the mean of
/// what the check left in the window, in 1/16 px; -16 where the window is not whole.
Image<std::int16_t> preset_of(const Maps& maps, const StereoOptions& options) {
  const int w = maps.left.width(), h = maps.left.height(), r = options.window.width / 2, far = options.fill_window / 2;
  Image<std::int16_t> checked(w, h, -16), filled(w, h, -16);
  for (int y = r; y < h - r; ++y)
    for (int x = r; x < w - r; ++x) {
      const int d = maps.left(x, y), other = maps.right(x - d, y);
      if (255 * std::abs(d - other) <= options.left_right * options.disparities)
        checked(x, y) = static_cast<std::int16_t>(16 * d);
    }
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      filled(x, y) = checked(x, y);
      if (checked(x, y) >= 0) continue;
      int sum = 0, count = 0;
      for (int v = std::max(y - far, 0); v <= std::min(y + far, h - 1); ++v)
        for (int u = std::max(x - far, 0); u <= std::min(x + far, w - 1); ++u)
          if (checked(u, v) >= 0) sum += checked(u, v), ++count;
      if (count > 0) filled(x, y) = static_cast<std::int16_t>((2 * sum + count) / (2 * count));
    }
  return filled;
}

/// The preset as a whole, check and filling on, is the study's where neither has a hole: the study's maps are grey
/// levels whose 0 is a hole too, as in the paper.
TEST(SsdLocalMemory, ThePresetAsAWhole) {
  const Size size{150, 70};
  std::vector<Picture> pair;
  make_pair(size, 24, pair);
  StereoOptions options = stereo_preset("ssd-cross-check").options;
  options.window = {7, 7};
  options.disparities = 24;
  Problem problem;
  problem.picture = size;
  problem.radius = 3;
  problem.disparities = 24;
  ASSERT_EQ(options.left_right, problem.threshold);
  ASSERT_EQ(options.fill_window, 2 * problem.fill_radius + 1);
  const Maps maps = ssd_local_memory::reference(problem, pair[0].pixels, pair[1].pixels);
  const Image<std::int16_t> expected = preset_of(maps, options);
  Image<std::int16_t> got(size);
  StereoMatcher(Device("reference"), size, options).compute({pair[0].pixels, pair[1].pixels}, {.disparity = got});
  int same = 0, holes = 0;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      ASSERT_EQ(got(x, y), expected(x, y)) << x << ", " << y;
      const bool whole = x >= 3 && y >= 3 && x < size.width - 3 && y < size.height - 3;
      if (!whole) continue;
      const int grey = maps.checked(x, y);
      holes += grey == 0 ? 1 : 0;
      if (grey == 0 || got(x, y) % 16 != 0 || got(x, y) != 16 * maps.left(x, y)) continue;
      EXPECT_EQ(maps.filled(x, y), got(x, y) / 16 * 255 / 24);
      ++same;
    }
  EXPECT_GT(holes, 20);  // there was something to check and to fill
  EXPECT_GE(same + holes,
            (size.width - 6) * (size.height - 6) - 5);  // grey levels are rounded down before they are compared
}

TEST(SsdLocalMemory, CheckAndFillByHand) {
  // Windows of one pixel. Left row: 10 20 30 40; the right row has 30 where disparity 2 leads, and the rest far away.
  Image<std::uint8_t> left(4, 1), right(4, 1);
  const int left_row[] = {10, 20, 30, 40}, right_row[] = {30, 200, 210, 220};
  for (int x = 0; x < 4; ++x) {
    left(x, 0) = static_cast<std::uint8_t>(left_row[x]);
    right(x, 0) = static_cast<std::uint8_t>(right_row[x]);
  }
  Problem problem;
  problem.picture = {4, 1};
  problem.radius = 0;
  problem.disparities = 3;
  problem.fill_radius = 1;
  problem.threshold = 84;
  const Maps maps = ssd_local_memory::reference(problem, left, right);
  // Left: 10 has right 30 alone; 20 prefers 30 (d 1); 30 finds 30 (d 2); 40 may not go beyond d 2: right 200 (d 2).
  EXPECT_EQ(maps.left(0, 0), 0);
  EXPECT_EQ(maps.left(1, 0), 1);
  EXPECT_EQ(maps.left(2, 0), 2);
  EXPECT_EQ(maps.left(3, 0), 2);
  // Right: 30 finds left 30 (d 2); 200 prefers left 40 (d 2); 210 left 40 (d 1); 220 left 40 (d 0).
  EXPECT_EQ(maps.right(0, 0), 2);
  EXPECT_EQ(maps.right(1, 0), 2);
  // Grey levels are 85 d: pixel 1 (85) meets right pixel 0 (170), 85 > 84; pixels 2 and 3 meet their equals.
  EXPECT_EQ(maps.checked(1, 0), 0);
  EXPECT_EQ(maps.checked(2, 0), 170);
  EXPECT_EQ(maps.checked(3, 0), 170);
  EXPECT_EQ(maps.filled(1, 0), 170);  // the mean of 0, 0, 170 without the zeros
  EXPECT_EQ(maps.filled(0, 0), 0);    // nothing around but holes
  problem.fill_all = true;
  EXPECT_EQ(ssd_local_memory::reference(problem, left, right).filled(1, 0), 170 / 8);
  problem.threshold = 85;
  EXPECT_EQ(ssd_local_memory::reference(problem, left, right).checked(1, 0), 85);
}

TEST(SsdLocalMemory, ThePapersLocalMemory) {
  const auto bytes = [](int window, int disparities, Size group, Memory memory) {
    Problem problem;
    problem.radius = window / 2;
    problem.disparities = disparities;
    return ssd_local_memory::local_bytes(problem, {memory, group, false});
  };
  EXPECT_EQ(bytes(15, 90, {32, 16}, Memory::uchar4), 32640u);
  EXPECT_EQ(bytes(15, 90, {32, 32}, Memory::uchar4), 50048u);  // more than the 49,152 of the paper's GPU
  EXPECT_EQ(bytes(11, 90, {32, 32}, Memory::uchar4), 44352u);
  EXPECT_EQ(bytes(15, 60, {32, 32}, Memory::uchar4), 39008u);
  EXPECT_EQ(bytes(15, 90, {32, 16}, Memory::bytes), 8160u);
  EXPECT_EQ(bytes(15, 90, {32, 16}, Memory::none), 0u);
}

class SsdLocalMemoryOnDevices : public test::OnEveryDevice {
 protected:
  static Problem small(Size size) {
    Problem problem;
    problem.picture = size;
    problem.radius = 2;
    problem.disparities = 9;
    problem.fill_radius = 2;
    problem.threshold = 60;
    return problem;
  }
};

TEST_F(SsdLocalMemoryOnDevices, SeparateLaunchesGiveTheReferenceAndReadWhatIsSaid) {
  Problem problem = small({45, 21});
  const auto left = noise(problem.picture, 7, 4), right = noise(problem.picture, 8, 4);
  for (const bool all : {false, true}) {
    problem.fill_all = all;
    const Maps expected = ssd_local_memory::reference(problem, left, right);
    for (const gpu::Opened& device : devices)
      for (const Memory memory : memories) {
        if (all && memory != Memory::none) continue;  // compiling takes the time
        SCOPED_TRACE(device.name + ", " + ssd_local_memory::memory_name(memory));
        const Variant variant{memory, all ? Size{16, 4} : Size{8, 8}, false};
        Bench bench(device);
        Traffic counted;
        const Cell cell = ssd_local_memory::run_variant(bench, problem, variant, left, right, expected, 1, &counted);
        ASSERT_TRUE(cell.ran()) << cell.refused;
        EXPECT_TRUE(cell.must_equal);
        EXPECT_EQ(cell.differing, 0);
        const Traffic said = ssd_local_memory::count_traffic(problem, variant);
        EXPECT_EQ(counted.global_reads, said.global_reads);
        EXPECT_EQ(counted.local_reads, said.local_reads);
        EXPECT_EQ(counted.local_writes, said.local_writes);
      }
  }
}

/// Where one group holds the whole picture, its barriers are enough; elsewhere nothing is promised.
TEST_F(SsdLocalMemoryOnDevices, TheSingleLaunchIsExactWithinOneGroup) {
  const Problem problem = small({16, 12});
  const auto left = noise(problem.picture, 9, 4), right = noise(problem.picture, 10, 4);
  const Maps expected = ssd_local_memory::reference(problem, left, right);
  for (const gpu::Opened& device : devices)
    for (const Memory memory : memories) {
      Bench bench(device);
      const Cell cell =
          ssd_local_memory::run_variant(bench, problem, {memory, {16, 12}, true}, left, right, expected, 1);
      ASSERT_TRUE(cell.ran()) << cell.refused;
      EXPECT_EQ(cell.differing, 0) << device.name << ", " << ssd_local_memory::memory_name(memory);
      EXPECT_FALSE(cell.must_equal);
    }
}

TEST_F(SsdLocalMemoryOnDevices, DifferencesAreSeenButInTheSingleLaunch) {
  const Problem problem = small({16, 12});
  const auto left = noise(problem.picture, 11, 4), right = noise(problem.picture, 12, 4);
  Maps expected = ssd_local_memory::reference(problem, left, right);
  expected.checked(3, 3) ^= 1;
  expected.filled(8, 8) ^= 1;
  Bench bench(devices.front());
  Report report;
  report.cells.push_back(
      ssd_local_memory::run_variant(bench, problem, {Memory::bytes, {16, 12}, true}, left, right, expected, 1));
  EXPECT_EQ(report.cells.back().differing, 2);
  EXPECT_TRUE(report.all_equal());
  report.cells.push_back(
      ssd_local_memory::run_variant(bench, problem, {Memory::bytes, {8, 8}, false}, left, right, expected, 1));
  EXPECT_EQ(report.cells.back().differing, 2);
  EXPECT_FALSE(report.all_equal());
}

TEST_F(SsdLocalMemoryOnDevices, ARunSavesTheMapsBeforeAndAfterFilling) {
  const Study& subject = study("ssd-local-memory");
  const Settings settings = test::settings_of(subject, {{"size", "40x24"},
                                                        {"windows", "3,5"},
                                                        {"disparities", "6"},
                                                        {"groups", "8x4"},
                                                        {"memory", "bytes"},
                                                        {"runs", "1"}});
  std::vector<Picture> inputs, results;
  subject.make_inputs(settings, inputs);
  Report report;
  int cells = 0;
  Context context{devices.front(), settings, inputs, report, results, [&](const Cell&) { ++cells; }};
  subject.run(context);
  EXPECT_EQ(cells, 4);
  EXPECT_TRUE(report.all_equal());
  ASSERT_EQ(results.size(), 4u);
  EXPECT_EQ(results[0].name, "3x3-6-before-filling");
  EXPECT_EQ(results[3].name, "5x5-6");
  EXPECT_EQ(report.notes["c_program"].elements().size(), 2u);
  const Settings wrong = test::settings_of(subject, {{"windows", "10"}});
  Context other{devices.front(), wrong, inputs, report, results, [](const Cell&) {}};
  EXPECT_THROW(subject.run(other), Error);
}

}  // namespace
}  // namespace vergence::studies
