// SPDX-License-Identifier: Apache-2.0
// Gradients by hand: ramps, steps, edges, the deepest pixels.
#include <gtest/gtest.h>

#include <functional>

#include "reference/track/stages.hpp"

namespace vergence {
namespace {

template <class P>
TrackFrame<P> make(Size size, const std::function<int(int, int)>& pixel, TrackOptions options = {}) {
  Image<P> picture(size);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) picture(x, y) = static_cast<P>(pixel(x, y));
  options.window = 3;
  options.levels = 1;
  const TrackPlan plan = make_track_plan(size, options);
  TrackFrame<P> frame(plan);
  reference::pyramid(plan, ImageView<const P>(picture.view()), frame);
  reference::gradients(plan, frame);
  return frame;
}

TEST(TrackGradients, ARampRises32PerLevel) {
  const auto frame = make<std::uint8_t>({12, 10}, [](int x, int y) { return 5 * x + 7 * y; });
  EXPECT_EQ(frame.dx[0](4, 4), 160);
  EXPECT_EQ(frame.dy[0](4, 4), 224);
  // Mirrored at the edge, nothing rises there; along it, everything does.
  EXPECT_EQ(frame.dx[0](0, 4), 0);
  EXPECT_EQ(frame.dx[0](11, 4), 0);
  EXPECT_EQ(frame.dy[0](0, 4), 224);
  EXPECT_EQ(frame.dx[0](4, 0), 160);
  EXPECT_EQ(frame.dy[0](4, 9), 0);
  // A level above, pixels are two apart.
  EXPECT_EQ(frame.dx[1](3, 2), 320);
  EXPECT_EQ(frame.dy[1](3, 2), 448);
}

TEST(TrackGradients, AnImpulseShowsTheWeights) {
  const auto frame = make<std::uint8_t>({9, 9}, [](int x, int y) { return x == 4 && y == 4 ? 10 : 0; });
  const int dx[3][3] = {{30, 0, -30}, {100, 0, -100}, {30, 0, -30}};
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x) {
      EXPECT_EQ(frame.dx[0](4 + x, 4 + y), dx[y + 1][x + 1]) << x << " " << y;
      EXPECT_EQ(frame.dy[0](4 + x, 4 + y), dx[x + 1][y + 1]) << x << " " << y;
    }
}

TEST(TrackGradients, DeepPixelsFit16Bits) {
  TrackOptions options;
  options.depth = Depth::u16;
  const auto step = [](int x, int) { return x < 4 ? 0 : 65535; };
  const auto frame = make<std::uint16_t>({8, 8}, step, options);
  EXPECT_EQ(frame.dx[0](4, 4), 32760);
  const auto fall = make<std::uint16_t>(
      {8, 8}, [&](int x, int y) { return 65535 - step(x, y); }, options);
  EXPECT_EQ(fall.dx[0](3, 4), -32760);
  options.max_value = 2047;
  const auto eleven = make<std::uint16_t>(
      {8, 8}, [&](int x, int) { return x < 4 ? 0 : 2047; }, options);
  EXPECT_EQ(eleven.dx[0](3, 4), 32752);
}

}  // namespace
}  // namespace vergence
