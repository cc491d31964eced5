// SPDX-License-Identifier: Apache-2.0
// Motion on the device cpu gives the bytes of the reference.
#include "stage/cpu_motion.hpp"
#define SUITE CpuMotion
#define SUITE_OF_SEEDS CpuMotionSeeds
#include "stage/motion.hpp"

namespace vergence {
namespace {

TEST_F(CpuMotion, MemoryIsCounted) {
  MotionOptions options;
  options.range_x = options.range_y = {-8, 8};
  const MotionEstimator estimator(Device("cpu"), {64, 48}, options);
  EXPECT_GE(estimator.memory(), std::size_t{64 * 48});
}

/// Sums of words are rounded: elimination against brute force, from smooth pictures to noise and to the largest sums.
TEST_F(CpuMotion, EliminationOfWordsFindsWhatBruteForceFinds) {
  constexpr Size blocks[] = {{16, 16}, {32, 32}, {64, 64}, {24, 12}, {60, 44}};
  unsigned seed = 0;
  for (const int bits : {8, 9, 10, 12, 13, 16})
    for (const Size block : blocks) {
      Random random(++seed);
      const int most = (1 << bits) - 1, grain = random.within(1, 12);
      const int noise = seed % 3 == 0 ? most : seed % 3 == 1 ? most / 16 : 0;
      const auto pixel = [&](int x, int y) {  // squares of black, white and grey
        const unsigned cell = static_cast<unsigned>(y / grain * 1000 + x / grain) * 2654435761u >> 16;
        const int grey = cell % 3 == 0 ? 0 : cell % 3 == 1 ? most : static_cast<int>(cell) * most / 65535;
        return static_cast<std::uint16_t>(std::min(grey + random.within(0, noise), most));
      };
      Image<std::uint16_t> current(137, 101), reference(137, 101);
      for (int y = 0; y < 101; ++y)
        for (int x = 0; x < 137; ++x) {
          reference(x, y) = pixel(x, y);
          current(x, y) = pixel(x + (x < 60 ? 5 : 21), y + 7);
        }
      MotionOptions options;
      options.block = block;
      options.range_x = options.range_y = {-24, 24};
      options.border = seed % 2 == 0 ? MotionBorder::pad : MotionBorder::inside;
      options.lambda = seed % 4 == 0 ? 1 << 17 : 0;
      options.depth = Depth::u16;
      options.max_value = most;
      for (const Device& device : devices())
        ASSERT_NO_FATAL_FAILURE(expect_same(search(device, current, reference, options, {}, true),
                                            search(device, current, reference, options, {}, false),
                                            where("bits", bits, device)));
    }
}

/// Sums that are rounded down differ by 1 where the pixels of a cell do, too, which stands for more: the best candidate
/// must not be left out for it. One pixel of a cell is darker there, two are elsewhere.
TEST_F(CpuMotion, RoundedSumsLeaveTheBestCandidate) {
  for (const int bits : {10, 12, 16}) {
    const auto grey = static_cast<std::uint16_t>(1 << (bits - 1));
    const Image<std::uint16_t> current(96, 96, grey);
    Image<std::uint16_t> reference(96, 96, grey);
    const int block = 32, best_x = 21, best_y = -19;
    for (int y = 0; y < 96; ++y)
      for (int x = 0; x < 96; ++x) {
        const int from_x = x - block - best_x, from_y = y - block - best_y;
        const bool is_best = from_x >= 0 && from_x < 16 && from_y >= 0 && from_y < 16;
        const int cell_x = (from_x + 96) % 4, cell_y = (from_y + 96) % 4;
        if ((cell_x == 0 && cell_y == 0) || (cell_x == 2 && cell_y == 2 && !is_best)) --reference(x, y);
      }
    MotionOptions options;
    options.block = {16, 16};
    options.range_x = options.range_y = {-24, 24};
    options.depth = Depth::u16;
    options.max_value = (1 << bits) - 1;
    for (const Device& device : devices()) {
      const Found found = search(device, current, reference, options, {}, false);
      EXPECT_EQ(found.cost(2, 2), 16u) << device.description();
      expect_same(search(device, current, reference, options, {}, true), found, where("bits", bits, device));
    }
  }
}

/// White against black, in the sums of a block and of its cells.
TEST_F(CpuMotion, LargestCostsOfWords) {
  for (const int bits : {10, 12, 16}) {
    const int most = (1 << bits) - 1;
    const Image<std::uint16_t> white(80, 72, static_cast<std::uint16_t>(most)), black(80, 72, std::uint16_t{0});
    MotionOptions options;
    options.block = {64, 64};
    options.range_x = options.range_y = {-4, 4};
    options.depth = Depth::u16;
    options.max_value = most;
    for (const Device& device : devices()) {
      const Found found = search(device, white, black, options, {}, false);
      EXPECT_EQ(found.cost(0, 0), std::uint64_t{64 * 64} * static_cast<unsigned>(most)) << device.description();
      EXPECT_EQ(found.vectors(0, 0), MotionVector{}) << device.description();
    }
  }
}

}  // namespace
}  // namespace vergence
