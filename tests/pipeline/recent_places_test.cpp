// SPDX-License-Identifier: Apache-2.0
// Places for results: the one that was given back last comes first, none is in two hands, and misuse is refused.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "core/expect_error.hpp"
#include "vergence/pipeline.hpp"

namespace vergence {
namespace {

TEST(RecentPlaces, GiveTheOneThatWasUsedLast) {
  RecentPlaces places(4);
  EXPECT_EQ(places.take(), 0);
  EXPECT_EQ(places.take(), 1);
  EXPECT_EQ(places.take(), 2);
  places.give_back(1);
  places.give_back(0);
  EXPECT_EQ(places.take(), 0);
  EXPECT_EQ(places.take(), 1);
  EXPECT_EQ(places.take(), 3);
}

TEST(RecentPlaces, RefuseWhatIsNotThere) {
  EXPECT_ERROR(RecentPlaces(0), ErrorCode::invalid_argument, "0 places");
  RecentPlaces places(2);
  EXPECT_ERROR(places.give_back(0), ErrorCode::invalid_argument,
               "place 0 for results is given back, but was not taken");
  places.take();
  places.take();
  EXPECT_ERROR(places.take(), ErrorCode::invalid_argument, "all 2 places");
  for (int place : {-1, 2}) EXPECT_ERROR(places.give_back(place), ErrorCode::invalid_argument, "was not taken");
  places.give_back(1);
  EXPECT_ERROR(places.give_back(1), ErrorCode::invalid_argument, "place 1");
  EXPECT_EQ(places.take(), 1);
}

TEST(RecentPlaces, AreInOneHandAtATime) {
  constexpr int threads = 4;
  RecentPlaces places(threads);
  std::vector<std::atomic<int>> users(threads);
  std::atomic<int> doubled = 0;
  {
    std::vector<std::jthread> all;
    for (int thread = 0; thread < threads; ++thread)
      all.emplace_back([&] {
        for (int i = 0; i < 2000; ++i) {
          const int place = places.take();
          if (users.at(static_cast<std::size_t>(place))++ != 0) ++doubled;
          --users.at(static_cast<std::size_t>(place));
          places.give_back(place);
        }
      });
  }
  EXPECT_EQ(doubled, 0);
}

}  // namespace
}  // namespace vergence
