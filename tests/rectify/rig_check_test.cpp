// SPDX-License-Identifier: Apache-2.0
// Rotations of the right camera, seen in pictures of the built-in scene: what is told of them, and what mends them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>

#include "core/expect_error.hpp"
#include "rectify/turned_camera.hpp"
#include "support/raw_scene.hpp"
#include "vergence/rig_check.hpp"

namespace vergence::test {
namespace {

using Bytes = Image<std::uint8_t>;

constexpr Size size{240, 180};

/// A scene as two cameras without distortion see it, the right one turned.
class TurnedScene {
 public:
  explicit TurnedScene(std::uint64_t seed) : world_(synth::furnish(options(seed))), random_(seed) {
    const Size whole{size.width + 2 * raw_scene::margin, size.height + 2 * raw_scene::margin};
    left_.emplace(world_, whole, synth::Eye::left, 0);
    right_.emplace(world_, whole, synth::Eye::right, 0);
  }
  RigCheckCamera camera() const { return {size, world_.focal, (size.width - 1) / 2.0, (size.height - 1) / 2.0}; }
  Bytes left() { return picture(*left_, {}); }
  Bytes right(const Angles& turned) { return picture(*right_, turned); }

  /// Root of the mean square of the rows by which the turn moves what both cameras see.
  double offset(const Angles& turned) const {
    const RigCheckCamera c = camera();
    const Matrix3x3 turn = turn_by(turned);
    double sum = 0;
    int count = 0;
    constexpr int step = 6, m = raw_scene::margin;
    for (int y = step / 2; y < size.height; y += step)
      for (int x = step / 2; x < size.width; x += step) {
        const double there = x - c.focal_px * world_.baseline / left_->trace(x + m, y + m).depth;
        if (there < 0) continue;
        const double v = (y - c.center_y) / c.focal_px;
        const double lowered = c.focal_px * (seen_at(turn, (there - c.center_x) / c.focal_px, v)[1] - v);
        sum += lowered * lowered;
        ++count;
      }
    return std::sqrt(sum / count);
  }
  /// Of -1 .. 1.
  double draw() { return static_cast<double>(random_() >> 11) / 4503599627370496.0 - 1; }
  /// Turns that move rows by 0.2 to 5 px, or so.
  Angles draw_turn() {
    const double most = std::pow(5.0, draw()), focal = world_.focal;
    return {draw() * most / focal, 4 * draw() * most / focal, 4 * draw() * most / size.width};
  }

 private:
  static synth::SceneOptions options(std::uint64_t seed) {
    synth::SceneOptions options;
    options.size = {size.width + 2 * raw_scene::margin, size.height + 2 * raw_scene::margin};
    options.seed = seed;
    options.min_disparity = 2;
    options.max_disparity = 24;
    return options;
  }
  Bytes picture(const synth::View& view, const Angles& turned) {
    const double f = world_.focal, cx = (size.width - 1) / 2.0, cy = (size.height - 1) / 2.0;
    const Camera camera{size, f, f, cx, cy, LensModel::pinhole, {}};
    // Rays are turned; what is seen along one comes from where the inverse leads.
    const Matrix3x3 back = transposed(turn_by(turned));
    Bytes seen = raw_scene::picture(view, camera, back, {f, 0, cx, 0, 0, f, cy, 0, 0, 0, 1, 0});
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x)
        seen(x, y) = static_cast<std::uint8_t>(std::clamp(seen(x, y) + static_cast<int>(random_() % 7) - 3, 0, 255));
    return seen;
  }

  synth::World world_;
  std::mt19937_64 random_;
  std::optional<synth::View> left_, right_;
};

RigFindings look(const Bytes& left, const Bytes& right, const RigCheckCamera& camera) {
  return check_rig_points(match_pair_points(left.view(), right.view()), camera);
}

/// Ten blocks of five scenes with four rotations: all with VERGENCE_ALL_CANDIDATES, else the first one of each block.
class RigDraws : public testing::TestWithParam<int> {};

TEST_P(RigDraws, RowsThatAreOffAreToldAndOthersAreNot) {
  const bool all = std::getenv("VERGENCE_ALL_CANDIDATES") != nullptr;
  const int scenes = all ? 5 : 1, turns = all ? 4 : 1;
  int off = 0, nearly = 0, nearly_told = 0;
  for (int i = 0; i < scenes; ++i) {
    const auto seed = static_cast<std::uint64_t>(10 * GetParam() + i + 1);
    TurnedScene scene(seed);
    const Bytes left = scene.left();
    const RigFindings good = look(left, scene.right({}), scene.camera());
    EXPECT_TRUE(good.known) << "seed " << seed;
    EXPECT_FALSE(good.off) << "seed " << seed << ": " << good.offset << " px";
    for (int k = 0; k < turns; ++k) {
      const Angles turn = scene.draw_turn();
      const double truth = scene.offset(turn);
      const RigFindings found = look(left, scene.right(turn), scene.camera());
      if (truth >= 0.7) {
        ++off;
        EXPECT_TRUE(found.off) << "seed " << seed << ", turn " << k << ": " << found.offset << " of " << truth << " px";
      }
      if (truth >= 0.5 && truth < 0.7) {
        ++nearly;
        nearly_told += found.off ? 1 : 0;
      }
      EXPECT_FALSE(truth < 0.5 && found.off) << "seed " << seed << ", turn " << k << ": " << found.offset << " px";
    }
  }
  RecordProperty("off", off);
  RecordProperty("nearly_off", nearly);
  RecordProperty("nearly_off_told", nearly_told);
}

INSTANTIATE_TEST_SUITE_P(Block, RigDraws, testing::Range(0, 10));

TEST(MatchPairPoints, OfPicturesWithoutAnythingInThem) {
  const Bytes flat({200, 100}, 7), one({1, 1}, 3), thin({63, 400}, 3), wide({300, 50}, 9);
  for (const Bytes* const picture : {&flat, &one, &thin, &wide})
    EXPECT_TRUE(match_pair_points(picture->view(), picture->view()).empty());
  EXPECT_ERROR(match_pair_points(flat.view(), wide.view()), ErrorCode::invalid_argument, "200x100");
  EXPECT_ERROR(match_pair_points(Bytes().view(), Bytes().view()), ErrorCode::invalid_argument, "one size");
}

/// Rows of a view may lie apart; what is between them is not read.
TEST(MatchPairPoints, StridesAreFree) {
  TurnedScene scene(4);
  const Bytes left = scene.left(), right = scene.right({});
  Bytes guarded_left({size.width + 13, size.height}, 255), guarded_right({size.width + 5, size.height}, 0);
  for (int y = 0; y < size.height; ++y) {
    std::copy_n(left.row(y), size.width, guarded_left.row(y));
    std::copy_n(right.row(y), size.width, guarded_right.row(y));
  }
  const Rect part{0, 0, size.width, size.height};
  EXPECT_EQ(match_pair_points(ImageView<const std::uint8_t>(guarded_left.view()).crop(part),
                              ImageView<const std::uint8_t>(guarded_right.view()).crop(part)),
            match_pair_points(left.view(), right.view()));
}

/// A right camera that was knocked after the calibration: the pictures tell by how much.
TEST(MendedRig, StandsWhereThePicturesSay) {
  const RawScene scene = make_raw_scene();
  for (const bool told : {true, false}) {
    StereoRig truth = scene.rig;
    if (!told) truth.rectified.reset();
    const StereoRig knocked = knocked_rig(truth, {-0.006, 0, 0.012});
    const auto found_by = [&](const StereoRig& rig, RectifiedRig& rectified) {
      StereoRectifier rectifier(Device("cpu"), rig);
      Bytes left(rectifier.size()), right(rectifier.size());
      rectifier.rectify(scene.left, scene.right, left, right);
      rectified = rectifier.rig();
      const Matrix3x4& p = rectified.projections.p2;
      return look(left, right, {left.size(), p[0], p[2], p[6]});
    };
    RectifiedRig rectified;
    const RigFindings before = found_by(knocked, rectified);
    ASSERT_TRUE(before.off) << told;
    const StereoRig mended = mended_rig(knocked, rectified, before);
    EXPECT_TRUE(check_rig(mended).empty());
    EXPECT_EQ(mended.rectified.has_value(), told);
    EXPECT_NEAR(mended.baseline_m(), truth.baseline_m(), 1e-12);
    for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(mended.rotation[i], truth.rotation[i], 1e-3) << told << ' ' << i;
    const RigFindings after = found_by(mended, rectified);
    EXPECT_TRUE(after.known && !after.off) << told;
    EXPECT_LT(after.offset, 0.15) << told << ", before " << before.offset;
    EXPECT_EQ(mended_rig(knocked, rectified, {}), knocked);
  }
}

}  // namespace
}  // namespace vergence::test
