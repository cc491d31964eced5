// SPDX-License-Identifier: Apache-2.0
// `vergence eval-tracks` of tracks whose identities, positions or frames are not what they seem.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "vergence/io.hpp"

namespace vergence::cli_test {
namespace {

constexpr Size doubt_field{128, 96};
constexpr int doubt_frames = 5, doubt_columns = 10, doubt_points = doubt_columns * 7;

FlowVector doubt_moves(double x, double y) {
  return {static_cast<float>(0.7 + x / 200), static_cast<float>(0.8 - y / 100)};
}

class OddTracks : public testing::Test {
 protected:
  OddTracks() { write_flow(doubt_moves, doubt_frames - 1); }
  void write_flow(const std::function<FlowVector(double, double)>& at, int files, Size size = doubt_field) const {
    for (int i = 0; i < files; ++i) {
      Image<FlowVector> flow(size);
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) flow(x, y) = at(x, y);
      write_flo(scratch.path(fmt::format("flow_{}.flo", i)), flow.view());
    }
  }
  /// `id_at` gives the identity of a point in a frame; frames are counted from `first`.
  void write_tracks(const std::function<int(int frame, int point)>& id_at, int first = 0, bool move = true) const {
    std::string rows = "frame,id,x,y,status,residual,age\n";
    for (int frame = 0; frame < doubt_frames; ++frame)
      for (int point = 0; point < doubt_points; ++point) {
        double x = 6 + 11 * (point % doubt_columns), y = 6 + 12 * (point / doubt_columns);
        for (int i = 0; i < frame && move; ++i) {
          const FlowVector step = doubt_moves(x, y);
          x += static_cast<double>(step.u);
          y += static_cast<double>(step.v);
        }
        rows += fmt::format("{},{},{},{},tracked,0,{}\n", first + frame, id_at(frame, point), x, y, frame);
      }
    scratch.write("t.csv", rows);
  }
  std::string said() const {
    const Result result = scratch.run({"eval-tracks", "t.csv", "flow_%d.flo"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_LE(lines(result.err), 1u) << result.err;
    return result.err;
  }
  static int same(int /*frame*/, int point) { return point; }
  const Scratch scratch;
};

TEST_F(OddTracks, SomeThatStandStill) {
  write_tracks(same);
  std::istringstream rows(scratch.read("t.csv"));
  std::string spoilt;
  std::map<std::string, std::string> first;  // x and y of each third point
  for (std::string row; std::getline(rows, row);) {
    std::vector<std::string> fields;
    std::istringstream of_row(row);
    for (std::string field; std::getline(of_row, field, ',');) fields.push_back(field);
    const bool stuck = fields[0] != "frame" && std::stoi(fields[1]) % 3 == 0;
    if (stuck) {
      const std::string place = first.try_emplace(fields[1], fields[2] + "," + fields[3]).first->second;
      row = fields[0] + "," + fields[1] + "," + place + ",tracked,0," + fields[6];
    }
    spoilt += row + "\n";
  }
  scratch.write("t.csv", spoilt);
  EXPECT_NE(said().find("of points that the flow leads half a px away and more are 0, bit for bit"), std::string::npos)
      << said();
}

TEST_F(OddTracks, FramesThatDoNotFollowEachOther) {
  write_tracks(same);
  std::string rows = scratch.read("t.csv");
  for (int frame = doubt_frames - 1; frame > 0; --frame)
    for (std::size_t at = 0; (at = rows.find(fmt::format("\n{},", frame), at)) != std::string::npos;)
      rows.replace(at, 2, fmt::format("\n{}0", frame));
  scratch.write("t.csv", rows);
  const Result result = scratch.run({"eval-tracks", "t.csv", "flow_%d.flo"});
  EXPECT_NE(result.err.find("no flow leads from a frame of the tracks to their next one"), std::string::npos)
      << result.err;
}

TEST_F(OddTracks, OneVectorBeside) {
  write_tracks(same);
  write_flow(
      [](double x, double y) {
        const FlowVector step = doubt_moves(x, y);
        return FlowVector{step.u + 1.2F, step.v - 0.7F};
      },
      doubt_frames - 1);
  EXPECT_NE(said().find("by about one and the same vector, (-1.2, 0.7) px a step"), std::string::npos) << said();
}

TEST_F(OddTracks, OfSmallerPictures) {
  write_tracks(same);
  // The same scene in 1.25 times the size.
  write_flow(
      [](double x, double y) {
        const FlowVector step = doubt_moves(x * 0.8, y * 0.8);
        return FlowVector{step.u * 1.25F, step.v * 1.25F};
      },
      doubt_frames - 1, {160, 120});
  EXPECT_NE(said().find("tracks seem to be of pictures of 0.8 times the size"), std::string::npos) << said();
}

TEST_F(OddTracks, GoodOnesAreNotTold) {
  write_tracks(same);
  EXPECT_EQ(said(), "");
}

TEST_F(OddTracks, IdentitiesThatChange) {
  write_tracks([](int frame, int point) { return frame < 3 ? point : point * 13 % doubt_points; });
  EXPECT_TRUE(holds(said(), "identities in t.csv change: of 280 steps")) << said();
  EXPECT_TRUE(holds(said(), "first from frame 2 to 3"));
  write_tracks([](int frame, int point) { return (point + 9 * frame) % doubt_points; });
  EXPECT_TRUE(holds(said(), "first from frame 0 to 1"));
}

TEST_F(OddTracks, OneFrameOfOthers) {
  write_tracks(same);
  Image<FlowVector> flow(doubt_field);
  flow.fill({9, -7});
  write_flo(scratch.path("flow_2.flo"), flow.view());
  EXPECT_TRUE(holds(said(), "from frame 2 to 3, points of t.csv are off the truth flow_%d.flo by ")) << said();
}

TEST_F(OddTracks, PointsThatDoNotMove) {
  write_tracks(same, 0, false);
  EXPECT_TRUE(holds(said(), "280 of 280 steps of points in t.csv are 0, where the flow leads ")) << said();
}

TEST_F(OddTracks, FramesCountedFrom1) {
  write_tracks(same, 1);
  EXPECT_TRUE(holds(said(), "the frames of t.csv seem to be counted from 1: flow_%d.flo begins at 0")) << said();
}

TEST_F(OddTracks, FlowOfTwiceTheSize) {
  write_tracks(same);
  write_flow(doubt_moves, doubt_frames - 1, {220, 162});
  EXPECT_TRUE(holds(said(), "they seem to be of pictures of half the size")) << said();
}

TEST_F(OddTracks, FlowOfNothingInAPartOrAlongAnAxis) {
  write_tracks(same);
  write_flow([](double x, double y) { return x < 32 ? FlowVector{0, 0} : doubt_moves(x, y); }, doubt_frames - 1);
  EXPECT_TRUE(holds(said(), "is (0, 0) at ")) << said();
  write_flow([](double x, double y) { return FlowVector{doubt_moves(x, y).u, 0}; }, doubt_frames - 1);
  EXPECT_TRUE(holds(said(), "the y of the vectors of flow_%d.flo is 0 at all 280 points")) << said();
}

TEST_F(OddTracks, FlowOfHalfTheLength) {
  write_tracks(same);
  write_flow(
      [](double x, double y) {
        return FlowVector{doubt_moves(x, y).u / 2, doubt_moves(x, y).v / 2};
      },
      doubt_frames - 1);
  EXPECT_TRUE(holds(said(), "is 0.5 times as long as what the points move")) << said();
}

TEST_F(OddTracks, SingleWrongVectors) {
  write_tracks(same);
  const auto with_every = [this](int n) {
    write_flow(
        [n](double x, double y) {
          const bool wrong = static_cast<int>(x * 7 + y * 5) % n == 0;
          return wrong ? FlowVector{-9, 8} : doubt_moves(x, y);
        },
        doubt_frames - 1);
    return said();
  };
  const std::string line = with_every(9);
  EXPECT_TRUE(holds(line, "holds single vectors that stand more than 2 px apart from all four beside them")) << line;
  EXPECT_EQ(with_every(199), "");
}

TEST_F(OddTracks, FlowWithoutWhatTheCameraMoves) {
  write_tracks(same);
  for (int i = 0; i < doubt_frames - 1; ++i) {
    Image<FlowVector> flow(doubt_field);
    for (int y = 0; y < flow.height(); ++y)
      for (int x = 0; x < flow.width(); ++x) {
        const FlowVector at = doubt_moves(x, y);
        flow(x, y) = {at.u + (i % 2 == 0 ? 2.0F : -2.0F), at.v - static_cast<float>(i)};
      }
    write_flo(scratch.path(fmt::format("flow_{}.flo", i)), flow.view());
  }
  EXPECT_TRUE(holds(said(), "by about one vector in each step, another one from step to step")) << said();
}

TEST_F(OddTracks, FlowInWholePx) {
  write_tracks(same);
  write_flow(
      [](double x, double y) {
        return FlowVector{std::round(doubt_moves(x, y).u), std::round(doubt_moves(x, y).v)};
      },
      doubt_frames - 1);
  EXPECT_TRUE(holds(said(), "holds whole px at 280 of 280 points")) << said();
}

/// Without the rows of every fifth one, and with the positions of a frame in place of the next one's.
TEST_F(OddTracks, RowsThatAreMissingOrComeAgain) {
  write_tracks(same);
  const std::string whole = scratch.read("t.csv");
  std::string rows;
  std::istringstream lines_of(whole);
  int number = 0;
  for (std::string line; std::getline(lines_of, line); ++number)
    if (number == 0 || number % 11 != 5) rows += line + '\n';
  scratch.write("t.csv", rows);
  EXPECT_TRUE(holds(said(), "come again after frames in which the file holds no line")) << said();
  write_tracks(same);
  rows.clear();
  std::istringstream again(whole);
  std::vector<std::string> before;  // what follows the frame's number
  for (std::string line; std::getline(again, line);) {
    if (line.starts_with("1,")) before.push_back(line.substr(1));
    if (line.starts_with("2,")) line = "2" + before[static_cast<std::size_t>(std::stoi(line.substr(2)))];
    rows += line + '\n';
  }
  scratch.write("t.csv", rows);
  EXPECT_TRUE(holds(said(), "positions of frame 2 in t.csv are those of frame 1 once more, bit for bit, at 70 of 70"))
      << said();
}

TEST_F(OddTracks, FlowASecond) {
  write_tracks(same);
  write_flow(
      [](double x, double y) {
        return FlowVector{25 * doubt_moves(x, y).u, 25 * doubt_moves(x, y).v};
      },
      doubt_frames - 1);
  EXPECT_TRUE(holds(said(), "is 25 times as long as what the points move")) << said();
}

}  // namespace
}  // namespace vergence::cli_test
