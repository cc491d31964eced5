// SPDX-License-Identifier: Apache-2.0
// `vergence eval-tracks` beside flow that is turned, in shares of the picture, or holds a number for unknown.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>

#include "cli/program.hpp"
#include "vergence/io.hpp"

namespace vergence::cli_test {
namespace {

constexpr Size field_size{128, 96};

/// What everything moves by.
FlowVector field_at(int x, int y) { return {1 + static_cast<float>(x) / 16, static_cast<float>(y) / 8 - 2}; }

class TurnedFlow : public testing::Test {
 protected:
  /// Points every 12 px, which follow the field.
  TurnedFlow() {
    std::string before = "frame,id,x,y,status,residual,age\n", after;
    int id = 0;
    for (int y = 6; y < field_size.height; y += 12)
      for (int x = 6; x < field_size.width; x += 12, ++id) {
        const FlowVector at = field_at(x, y);
        before += fmt::format("0,{},{},{},tracked,0,0\n", id, x, y);
        after +=
            fmt::format("1,{},{},{},tracked,0,1\n", id, static_cast<float>(x) + at.u, static_cast<float>(y) + at.v);
      }
    scratch.write("t.csv", before + after);
  }
  template <class FlowAt>
  std::string said(FlowAt flow_at) const {
    Image<FlowVector> flow(field_size);
    for (int y = 0; y < flow.height(); ++y)
      for (int x = 0; x < flow.width(); ++x) flow(x, y) = flow_at(x, y);
    write_flo(scratch.path("flow.flo"), flow.view());
    const Result result = scratch.run({"eval-tracks", "t.csv", "flow.flo", "--frame", "0"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_LE(lines(result.err), 1u) << result.err;
    return result.err;
  }
  Scratch scratch;
};

TEST_F(TurnedFlow, OfAPartAreTold) {
  EXPECT_NE(said([](int x, int y) {
              const FlowVector at = field_at(x, y);
              return x < 64 ? at : FlowVector{-at.u, -at.v};
            }).find("seems to have vectors of the opposite sign right of x = 64"),
            std::string::npos);
  EXPECT_NE(said([](int x, int y) {
              const FlowVector at = field_at(x, y);
              return y < 48 ? at : FlowVector{at.u / 2, at.v / 2};
            }).find("seems to have vectors of half the length below y = 48"),
            std::string::npos);
}

TEST_F(TurnedFlow, PositionsInWholePxAreTold) {
  std::string rows = scratch.read("t.csv"), rounded = rows.substr(0, rows.find("1,0,"));
  int id = 0;
  for (int y = 6; y < field_size.height; y += 12)
    for (int x = 6; x < field_size.width; x += 12, ++id) {
      const FlowVector at = field_at(x, y);
      rounded += fmt::format("1,{},{},{},tracked,0,1\n", id, std::lround(static_cast<float>(x) + at.u),
                             std::lround(static_cast<float>(y) + at.v));
    }
  scratch.write("t.csv", rounded);
  EXPECT_NE(said(field_at).find("positions of t.csv are whole px"), std::string::npos);
  // What moves by whole px is found there.
  EXPECT_EQ(said([](int x, int y) {
              const FlowVector at = field_at(x, y);
              return FlowVector{std::round(at.u), std::round(at.v)};
            }),
            "");
}

TEST_F(TurnedFlow, TheOrderOfRowsAndColumnsIsTold) {
  EXPECT_EQ(said(field_at), "");
  const auto holds = [](const std::string& text, const char* words) { return text.find(words) != std::string::npos; };
  const int right = field_size.width - 1, bottom = field_size.height - 1;
  EXPECT_TRUE(holds(said([=](int x, int y) { return field_at(x, bottom - y); }), "flow.flo seems to be upside down"));
  EXPECT_TRUE(holds(said([=](int x, int y) { return field_at(right - x, y); }), "flow.flo seems to be mirrored"));
  EXPECT_TRUE(holds(said([=](int x, int y) { return field_at(right - x, bottom - y); }), "seems to be turned by 180"));
  // All x, then all y.
  const auto number = [](int index) {
    const int pixel = index % (field_size.width * field_size.height);
    const FlowVector at = field_at(pixel % field_size.width, pixel / field_size.width);
    return index == pixel ? at.u : at.v;
  };
  const std::string planes = said([&](int x, int y) {
    const int index = 2 * (y * field_size.width + x);
    return FlowVector{number(index), number(index + 1)};
  });
  EXPECT_TRUE(holds(planes, "flow.flo seems to hold all x before all y")) << planes;
  const std::string upwards = said([=](int x, int y) {
    const FlowVector at = field_at(x, bottom - y);
    return FlowVector{at.u, -at.v};
  });
  EXPECT_TRUE(holds(upwards, "is not counted as the tracks are, which seem to have y from the lower edge upwards"))
      << upwards;
}

TEST_F(TurnedFlow, NumbersOfTheOtherByteOrderAreTold) {
  const auto swapped = [](float value) {
    std::array<char, 4> bytes{};
    std::memcpy(bytes.data(), &value, 4);
    std::reverse(bytes.begin(), bytes.end());
    std::memcpy(&value, bytes.data(), 4);
    return value;
  };
  const std::string text = said([&](int x, int y) {
    const FlowVector at = field_at(x, y);
    return FlowVector{swapped(at.u * 1.0123457F), swapped(at.v * 1.0123457F + 0.01F)};
  });
  EXPECT_NE(text.find("px, in the byte order of this machine"), std::string::npos) << text;
}

TEST_F(TurnedFlow, SharesOfThePictureAreTold) {
  const std::string text = said([](int x, int y) {
    const FlowVector at = field_at(x, y);
    return FlowVector{at.u / static_cast<float>(field_size.width), at.v / static_cast<float>(field_size.height)};
  });
  EXPECT_NE(text.find("flow.flo seems to be in shares of the width and height"), std::string::npos) << text;
  EXPECT_NE(text.find("multiplied by 128 and 96"), std::string::npos) << text;
}

TEST_F(TurnedFlow, ANumberForUnknownIsTold) {
  for (const float number : {0.0f, 666.66f, 1e6f}) {
    const std::string text = said([&](int x, int y) { return x > 90 ? FlowVector{number, number} : field_at(x, y); });
    EXPECT_NE(text.find(fmt::format("truth flow.flo is ({0:.6g}, {0:.6g}) at ", number)), std::string::npos) << text;
  }
}

/// Points that move by `step`, beside flow that is 0.
std::string beside_no_flow(double step) {
  const Scratch scratch;
  std::string before = "frame,id,x,y,status,residual,age\n", after;
  for (int id = 0; id < 40; ++id) {
    before += fmt::format("0,{},{},{},tracked,0,0\n", id, 10 + 14 * (id % 8), 10 + 18 * (id / 8));
    after += fmt::format("1,{},{},{},tracked,0,1\n", id, 10 + 14 * (id % 8) + step, 10 + 18 * (id / 8));
  }
  scratch.write("t.csv", before + after);
  write_flo(scratch.path("flow.flo"), Image<FlowVector>(field_size, FlowVector{0, 0}).view());
  const Result result = scratch.run({"eval-tracks", "t.csv", "flow.flo", "--frame", "0"});
  EXPECT_EQ(result.status, 0) << result.err;
  return result.err;
}

/// Below 0.1 px lies what noise moves points by in a still scene.
TEST(FlowOfNothing, IsTold) {
  for (const double step : {0.125, 0.25, 1.0, 12.0})
    EXPECT_NE(
        beside_no_flow(step).find(fmt::format("truth flow.flo is 0 at all 40 points, which move by {:.3g} px", step)),
        std::string::npos)
        << step << beside_no_flow(step);
  EXPECT_EQ(beside_no_flow(0.0625), "");
  EXPECT_EQ(beside_no_flow(0), "");
}

TEST_F(TurnedFlow, OneVectorForAllIsTold) {
  const std::string line = said([](int, int) { return FlowVector{4, 1}; });
  EXPECT_TRUE(holds(line, "truth flow.flo is (4, 1) px at all ")) << line;
}

TEST_F(TurnedFlow, FlowThatWasClippedIsTold) {
  const auto clipped_at = [](float limit) {
    return [limit](int x, int y) {
      const FlowVector at = field_at(x, y);
      return FlowVector{std::clamp(at.u, -limit, limit), std::clamp(at.v, -limit, limit)};
    };
  };
  for (const float limit : {1.0F, 3.0F, 6.0F}) {
    const std::string line = said(clipped_at(limit));
    EXPECT_TRUE(holds(line, fmt::format("truth flow.flo ends at {:.6g} px: ", limit))) << line;
  }
  EXPECT_EQ(said(clipped_at(12)), "");
}

TEST_F(TurnedFlow, PositionsFromTheMiddleAreTold) {
  std::string rows = "frame,id,x,y,status,residual,age\n";
  for (int frame = 0; frame < 2; ++frame)
    for (int id = 0; id < 88; ++id) {
      const int x = 4 + id % 11 * 12 - field_size.width / 2, y = 4 + id / 11 * 12 - field_size.height / 2;
      rows += fmt::format("{},{},{},{},tracked,0,{}\n", frame, id, x + frame, y, frame);
    }
  scratch.write("t.csv", rows);
  const std::string line = said([](int, int) { return FlowVector{1, 0}; });
  EXPECT_TRUE(holds(line, "they seem to be counted from the middle of the picture")) << line;
}

TEST_F(TurnedFlow, FlowThatFitsExactlyIsNotDoubted) {
  std::string lines = "frame,id,x,y,status,residual,age\n";
  for (const int frame : {0, 1})
    for (int id = 0; id < 80; ++id)
      lines += fmt::format("{},{},{},{},tracked,0,{}\n", frame, id, 8 + 10 * (id % 10) + 2 * frame, 8 + 10 * (id / 10),
                           frame);
  scratch.write("t.csv", lines);
  EXPECT_EQ(said([](int, int) { return FlowVector{2, 0}; }), "");
}

/// Two things before a background: points on them move otherwise, and those beside them do where flow lies beside them.
TEST_F(TurnedFlow, FlowThatLiesBesideIsTold) {
  const auto field = [](int x, int y) {
    const bool thing = (x > 20 && x < 52 && y > 8 && y < 44) || (x > 76 && x < 108 && y > 30 && y < 64);
    const float slope = static_cast<float>(x + y) / 1000;  // no two vectors are the same
    return thing ? FlowVector{4 + slope, 0.2f} : FlowVector{1 + slope, 0.15f};
  };
  std::string before = "frame,id,x,y,status,residual,age\n", after;
  int id = 0;
  for (int y = 4; y < field_size.height; y += 8)
    for (int x = 4; x < field_size.width; x += 8, ++id) {
      const FlowVector at = field(x, y);
      before += fmt::format("0,{},{},{},tracked,0,0\n", id, x, y);
      after += fmt::format("1,{},{},{},tracked,0,1\n", id, static_cast<float>(x) + at.u + 0.01f,
                           static_cast<float>(y) + at.v + 0.01f);
    }
  scratch.write("t.csv", before + after);
  const auto holds = [](const std::string& text, const char* words) { return text.find(words) != std::string::npos; };
  EXPECT_EQ(said(field), "");
  const std::string moved = said([&](int x, int y) { return field(x - 20, y + 12); });
  EXPECT_TRUE(holds(moved, "flow.flo seems to lie beside the tracks")) << moved;
  EXPECT_TRUE(holds(moved, "20 px to the right and 12 px up")) << moved;
  const std::string upwards = said([&](int x, int y) { return FlowVector{field(x, y).u, -field(x, y).v}; });
  EXPECT_TRUE(holds(upwards, "seems to have y of the opposite sign")) << upwards;
}

}  // namespace
}  // namespace vergence::cli_test
