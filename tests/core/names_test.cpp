// SPDX-License-Identifier: Apache-2.0
// Which names a mistyped or foreign one is probably meant to be.
#include "vergence/names.hpp"

#include <gmock/gmock.h>

namespace vergence {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string> options{"window",
                                       "disparities",
                                       "min-disparity",
                                       "max-disparity",
                                       "left-right",
                                       "left-right-unit",
                                       "speckle-size",
                                       "speckle-range",
                                       "p1",
                                       "p2"};

TEST(LikelyNames, OtherProgramsCallThemSo) {
  EXPECT_THAT(likely_names("numDisparities", options), ElementsAre("disparities"));
  EXPECT_THAT(likely_names("--block_size", options), ElementsAre("window"));
  EXPECT_THAT(likely_names("max-disp", options), ElementsAre("disparities", "max-disparity"));
}

TEST(LikelyNames, AreWrittenALittleDifferently) {
  EXPECT_THAT(likely_names("--Left_Right", options), ElementsAre("left-right"));
  EXPECT_THAT(likely_names("widnow", options), ElementsAre("window"));
  EXPECT_THAT(likely_names("speckle", options), ElementsAre("speckle-size", "speckle-range"));
  EXPECT_THAT(likely_names("left-right-check", options), ElementsAre("left-right"));
}

TEST(LikelyNames, AreNotGuessed) {
  EXPECT_THAT(likely_names("", options), IsEmpty());
  EXPECT_THAT(likely_names("--", options), IsEmpty());
  EXPECT_THAT(likely_names("q", options), IsEmpty()) << "one letter is no likeness";
  EXPECT_THAT(likely_names("bframes", options), IsEmpty()) << "what only others have";
  EXPECT_THAT(likely_names("window", {}), IsEmpty());
  EXPECT_THAT(likely_names("ab-c", {"ab-1", "ab-2", "ab-3", "ab-4"}), IsEmpty()) << "four are too many to name";
}

TEST(SortedByLikeness, HasAllOfThem) {
  EXPECT_THAT(sorted_by_likeness("p3", {"window", "p1", "p2"}), ElementsAre("p1", "p2", "window"));
  EXPECT_THAT(sorted_by_likeness("x", {}), IsEmpty());
}

}  // namespace
}  // namespace vergence
