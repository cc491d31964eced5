// SPDX-License-Identifier: Apache-2.0
// What lies between the readings of a counter: growth, turns, and counters that were set back.
#include "energy/counter.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "vergence/error.hpp"

namespace vergence::energy {
namespace {

constexpr std::uint64_t fails = ~std::uint64_t{0};

/// Gives the numbers that it was told, in order.
class Told final : public Counter {
 public:
  Told(std::vector<std::uint64_t> numbers, std::uint64_t range)
      : Counter({"package-0", "RAPL", "here", "", "", 0.001, false}, 1e-6, range), numbers_(std::move(numbers)) {}
  std::uint64_t read() override {
    const std::uint64_t number = numbers_.at(at_++);
    if (number == fails) throw Error(ErrorCode::io, "the file went away");
    return number;
  }

 private:
  std::vector<std::uint64_t> numbers_;
  std::size_t at_ = 0;
};

EnergyReading after(const std::vector<std::uint64_t>& numbers, std::uint64_t range) {
  Told counter(numbers, range);
  counter.start();
  for (std::size_t i = 1; i < numbers.size(); ++i) counter.look();
  return counter.reading();
}

TEST(EnergyCounter, CountsWhatLiesBetweenReadings) {
  EXPECT_DOUBLE_EQ(*after({5'000'000, 7'500'000}, 10'000'000).joules, 2.5);
  EXPECT_DOUBLE_EQ(*after({5, 5}, 10).joules, 0);
  EXPECT_DOUBLE_EQ(*after({0, 3, 4, 9}, 0).joules, 9e-6);
}

TEST(EnergyCounter, StartsAgainAfterItsRange) {
  EXPECT_DOUBLE_EQ(*after({9'000'000, 2'000'000}, 10'000'000).joules, 3);
  EXPECT_DOUBLE_EQ(*after({9'000'000, 2'000'000, 8'000'000, 1'000'000}, 10'000'000).joules, 3 + 6 + 3);
  EXPECT_DOUBLE_EQ(*after({10, 0}, 10).joules, 0);
  EXPECT_TRUE(Told({}, 10).wraps());
  EXPECT_FALSE(Told({}, 0).wraps());
}

TEST(EnergyCounter, OneThatWasSetBackHasNoFigure) {
  for (const std::uint64_t range : {std::uint64_t{0}, std::uint64_t{8}}) {  // 9 is beyond 8: this was no turn
    const EnergyReading reading = after({9, 2, 5}, range);
    EXPECT_FALSE(reading.joules);
    EXPECT_EQ(reading.note, "the counter fell from 9 to 2: it was set back");
  }
}

TEST(EnergyCounter, AFailedReadingIsSaidAndForgottenAtTheNextStart) {
  EXPECT_EQ(after({1, fails, 3}, 10).note, "the file went away");
  EXPECT_FALSE(after({1, fails, 3}, 10).joules);
  EXPECT_FALSE(after({fails, 1}, 10).joules);
  Told counter({fails, 4, 6}, 10);
  counter.start();
  counter.start();
  counter.look();
  EXPECT_DOUBLE_EQ(*counter.reading().joules, 2e-6);
  EXPECT_EQ(counter.reading().note, "");
  EXPECT_GE(counter.reading().seconds, 0);
}

}  // namespace
}  // namespace vergence::energy
