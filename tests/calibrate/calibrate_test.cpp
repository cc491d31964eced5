// SPDX-License-Identifier: Apache-2.0
// Rigs from exact and noisy corners of boards, and views that give none.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include "support/board_scene.hpp"
#include "vergence/error.hpp"

namespace vergence::test {
namespace {

using calibrate::Calibrated;
using calibrate::Lens;
using calibrate::View;

constexpr Size vga{640, 480};

class CalibrateRig : public testing::Test {
 protected:
  void SetUp() override {
    try {
      solver = &calibrate::solver();
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
    settings.board = chessboard(9, 6, 0.025);
    random.seed(seed);
  }

  std::vector<View> views_of(const StereoRig& rig, const std::vector<calibrate::Pose>& poses, double noise_px) {
    std::vector<View> views;
    for (const calibrate::Pose& pose : poses) {
      View view;
      view.number = std::ssize(views) + 1;
      view.left = seen_corners(rig.left, pose, settings.board, noise_px, random);
      view.right = seen_corners(rig.right, pose_beside(rig, pose), settings.board, noise_px, random);
      views.push_back(view);
    }
    return views;
  }
  std::vector<View> usual_views(const StereoRig& rig, double noise_px, int count = 12) {
    return views_of(rig, board_poses(settings.board, count), noise_px);
  }
  Calibrated calibrated(const std::vector<View>& views) { return calibrate_rig(*solver, settings, vga, views); }
  std::string refusal(const std::vector<View>& views) {
    try {
      calibrated(views);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_data);
      return error.what();
    }
    return "no error";
  }

  static constexpr unsigned seed = 7;
  std::mt19937 random;
  calibrate::Solver* solver = nullptr;
  calibrate::Settings settings;
};

void expect_rig(const StereoRig& got, const StereoRig& is, double px, double metres) {
  for (const auto& [a, b] : {std::pair{&got.left, &is.left}, {&got.right, &is.right}}) {
    EXPECT_EQ(a->size, b->size);
    EXPECT_EQ(a->model, b->model);
    EXPECT_NEAR(a->fx, b->fx, px);
    EXPECT_NEAR(a->fy, b->fy, px);
    EXPECT_NEAR(a->cx, b->cx, px);
    EXPECT_NEAR(a->cy, b->cy, px);
    EXPECT_NEAR(a->distortion[0], b->distortion[0], px / 100);
  }
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(got.rotation[i], is.rotation[i], px / 300);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(got.translation[i], is.translation[i], metres);
}

/// Corners come as float, to 1/30000 px.
class CalibrateLens : public CalibrateRig, public testing::WithParamInterface<Lens> {};
TEST_P(CalibrateLens, IsFoundFromExactCorners) {
  settings.lens = GetParam();
  const StereoRig rig = board_rig(vga, settings.lens == Lens::fisheye ? LensModel::fisheye : LensModel::pinhole);
  const Calibrated result = calibrated(usual_views(rig, 0, 9));
  // k4 k5 k6 of the rational model make up for k1 k2 k3: places agree, numbers need not.
  if (settings.lens != Lens::rational) expect_rig(result.rig, rig, 0.05, 1e-5);
  EXPECT_LT(result.left.rms_px, 1e-3);
  EXPECT_LT(result.right.rms_px, 1e-3);
  EXPECT_LT(result.pair_rms_px, 1e-3);
  EXPECT_LT(result.rows.largest, 1e-2);
  ASSERT_TRUE(result.held_out);
  EXPECT_LT(result.held_out->largest, 3e-2);
  EXPECT_EQ(result.pair_views.size(), 9U);
  ASSERT_TRUE(result.rig.rectified);
}
INSTANTIATE_TEST_SUITE_P(Models, CalibrateLens, testing::Values(Lens::pinhole5, Lens::rational, Lens::fisheye),
                         [](const auto& lens) {
                           return lens.param == Lens::fisheye    ? "Fisheye"
                                  : lens.param == Lens::rational ? "Rational"
                                                                 : "Pinhole";
                         });

/// k3 is not solved for, and is 0 in truth.
TEST_F(CalibrateRig, LeavesK3OutWhereAsked) {
  settings.lens = Lens::pinhole4;
  StereoRig rig = board_rig(vga);
  rig.left.distortion[4] = rig.right.distortion[4] = 0;
  const Calibrated result = calibrated(usual_views(rig, 0));
  expect_rig(result.rig, rig, 0.05, 1e-5);
  EXPECT_EQ(result.rig.left.distortion[4], 0);
}

TEST_F(CalibrateRig, SaysTheErrorThatCornersHave) {
  constexpr double noise = 0.2;
  SCOPED_TRACE(seed);
  const StereoRig rig = board_rig(vga);
  const Calibrated result = calibrated(usual_views(rig, noise));
  const double expected = noise * std::sqrt(2.0);  // of a distance in two coordinates
  EXPECT_NEAR(result.left.rms_px, expected, 0.03);
  EXPECT_NEAR(result.pair_rms_px, expected, 0.03);
  EXPECT_NEAR(result.rows.rms, expected, 0.04);  // a difference of two ys
  EXPECT_NEAR(result.held_out->rms, expected, 0.06);
  expect_rig(result.rig, rig, 8, 3e-3);
}

/// Gives up on views that begin from a camera, as held-out parts do: on the first `times` of them.
class GivesUp final : public calibrate::Solver {
 public:
  GivesUp(calibrate::Solver& real, int times) : real_(real), left_(times) {}
  std::string name() const override { return real_.name(); }
  bool reads_charuco() const override { return real_.reads_charuco(); }
  calibrate::Corners find(ImageView<const std::uint8_t> picture, const calibrate::Board& board,
                          calibrate::Effort effort) override {
    return real_.find(picture, board, effort);
  }
  calibrate::CameraFit fit_camera(const std::vector<calibrate::Corners>& views, const calibrate::Board& board,
                                  Size size, Lens lens, const Camera* start) override {
    if (start != nullptr && left_-- > 0) throw std::runtime_error("too few");
    return real_.fit_camera(views, board, size, lens, start);
  }
  calibrate::PairFit fit_pair(const std::vector<calibrate::PairCorners>& views, const calibrate::Board& board,
                              const Camera& left, const Camera& right, Lens lens, bool refine) override {
    return real_.fit_pair(views, board, left, right, lens, refine);
  }

 private:
  calibrate::Solver& real_;
  int left_;
};

TEST_F(CalibrateRig, APartThatCannotBeHeldOutRefusesNothing) {
  const StereoRig rig = board_rig(vga);
  const std::vector<View> views = usual_views(rig, 0);
  GivesUp once(*solver, 1), always(*solver, 1000);
  const Calibrated of_two_parts = calibrate_rig(once, settings, vga, views);
  ASSERT_TRUE(of_two_parts.held_out);
  EXPECT_LT(of_two_parts.held_out->largest, 3e-2);
  const Calibrated of_none = calibrate_rig(always, settings, vga, views);
  EXPECT_FALSE(of_none.held_out);
  expect_rig(of_none.rig, rig, 0.05, 1e-5);
}

/// OpenCV gives up on such fisheyes where corners are more than 50 px off.
TEST_F(CalibrateRig, FisheyePicturesOfOtherMomentsAreRefused) {
  settings.lens = Lens::fisheye;
  const std::vector<View> right = usual_views(board_rig(vga, LensModel::fisheye), 0);
  std::vector<View> views = right;
  for (std::size_t i = 0; i < views.size(); ++i) views[i].right = right[(i + 5) % right.size()].right;
  const std::string text = refusal(views);
  EXPECT_NE(text.find("do not belong together"), std::string::npos) << text;
  EXPECT_EQ(text.find("threshold"), std::string::npos) << text;
}

TEST_F(CalibrateRig, LeavesOutAViewThatIsFarWorse) {
  const StereoRig rig = board_rig(vga);
  std::vector<View> views = usual_views(rig, 0.1);
  for (calibrate::Corner& corner : views[3].left) corner.x += 4 * std::sin(corner.index * 1.7);
  for (calibrate::Corner& corner : views[8].right) corner.y += 3;  // the pair alone shows it: the board moved
  const Calibrated result = calibrated(views);
  for (std::size_t i = 0; i < views.size(); ++i) EXPECT_EQ(result.views[i].left_out, i == 3 || i == 8) << i;
  EXPECT_GT(*result.views[8].rows_px, 2);
  EXPECT_EQ(result.left_views.size(), 11U);
  EXPECT_EQ(result.pair_views.size(), 10U);
  EXPECT_LT(result.rows.rms, 0.2);
  settings.keep_all = true;
  const Calibrated all = calibrated(views);
  EXPECT_EQ(all.pair_views.size(), 12U);
  EXPECT_GT(all.rows.rms, 0.5);
}

TEST_F(CalibrateRig, UsesViewsOfOneCameraForThatCamera) {
  const StereoRig rig = board_rig(vga);
  std::vector<View> views = usual_views(rig, 0);
  views[0].left.clear();
  views[1].right.clear();
  const Calibrated result = calibrated(views);
  EXPECT_EQ(result.left_views.size(), 11U);
  EXPECT_EQ(result.right_views.size(), 11U);
  EXPECT_EQ(result.pair_views.size(), 10U);
  EXPECT_FALSE(result.views[0].left_px);
  EXPECT_TRUE(result.views[0].right_px);
  EXPECT_FALSE(result.views[0].rows_px);
  expect_rig(result.rig, rig, 0.05, 1e-5);
}

/// Parts of the board, as ChArUco gives them: the corners that both pictures show, of some views fewer than of others.
TEST_F(CalibrateRig, TakesBoardsSeenInPart) {
  for (const LensModel model : {LensModel::pinhole, LensModel::fisheye}) {
    settings.lens = model == LensModel::fisheye ? Lens::fisheye : Lens::pinhole5;
    const StereoRig rig = board_rig(vga, model);
    std::vector<View> views = usual_views(rig, 0);
    for (View& view : views) {
      const int last = view.number % 2 == 0 ? 7 : 8;
      std::erase_if(view.left, [&](const auto& corner) { return corner.index % 9 < 2 || corner.index % 9 > last; });
      std::erase_if(view.right, [](const auto& corner) { return corner.index / 9 > 3; });
    }
    EXPECT_EQ(calibrate::common_corners(views[0]).left.size(), 28U);
    EXPECT_EQ(calibrate::common_corners(views[1]).left.size(), 24U);
    expect_rig(calibrated(views).rig, rig, 0.1, 3e-5);
  }
}

/// No pose follows from them: OpenCV gives up on all views then.
TEST_F(CalibrateRig, LeavesViewsOfOneRowAside) {
  for (const LensModel model : {LensModel::pinhole, LensModel::fisheye}) {
    settings.lens = model == LensModel::fisheye ? Lens::fisheye : Lens::pinhole5;
    const StereoRig rig = board_rig(vga, model);
    std::vector<View> views = usual_views(rig, 0);
    std::erase_if(views[2].left, [](const auto& corner) { return corner.index / 9 != 2; });
    std::erase_if(views[7].right, [](const auto& corner) { return corner.index / 9 != 5 && corner.index != 0; });
    const Calibrated result = calibrated(views);
    EXPECT_EQ(result.left_views.size(), 11U);
    EXPECT_EQ(result.right_views.size(), 11U);
    EXPECT_EQ(result.pair_views.size(), 10U);
    EXPECT_FALSE(result.views[2].left_px);
    EXPECT_FALSE(result.views[7].right_px);
    expect_rig(result.rig, rig, 0.05, 1e-5);
  }
}

TEST_F(CalibrateRig, OfCamerasAboveEachOther) {
  StereoRig rig = board_rig(vga);
  rig.translation = {0.001, -0.1, 0.002};
  const Calibrated result = calibrated(usual_views(rig, 0));
  expect_rig(result.rig, rig, 0.05, 1e-5);
  EXPECT_LT(result.rows.largest, 1e-2);  // columns, there
}

TEST_F(CalibrateRig, RefusesViewsThatTellTooLittle) {
  const StereoRig rig = board_rig(vga);
  const auto says = [&](const std::vector<View>& views, const char* text) {
    const std::string error = refusal(views);
    EXPECT_NE(error.find(text), std::string::npos) << error;
  };
  says(usual_views(rig, 0, 3), "seen in 3 views of the left camera, and 4 are needed");
  std::vector<View> views = usual_views(rig, 0);
  for (std::size_t i = 0; i < views.size(); ++i) (i % 2 == 0 ? views[i].left : views[i].right).clear();
  says(views, "seen in 0 views of both cameras");
  std::vector<calibrate::Pose> parallel;
  using matrix::operator*;
  for (int i = 0; i < 8; ++i)  // turned about the board's own normal
    parallel.push_back(board_pose(settings.board, turned_by(0.3, 0.1, 0) * turned_by(0, 0, 0.2 * i), 0.02 * i - 0.08, 0,
                                  0.4 + 0.02 * i));
  says(views_of(rig, parallel, 0.05), "the board is parallel in all views of the left camera");
}

TEST_F(CalibrateRig, RefusesPicturesThatDoNotBelongTogether) {
  const StereoRig rig = board_rig(vga);
  std::vector<View> views = usual_views(rig, 0.1);
  const calibrate::Corners first = views.front().right;
  for (std::size_t i = 0; i + 1 < views.size(); ++i) views[i].right = views[i + 1].right;
  views.back().right = first;
  const std::string error = refusal(views);
  EXPECT_NE(error.find("do not belong together"), std::string::npos) << error;
}

/// As previews show them; corners are then numbered from the other end of their columns.
TEST_F(CalibrateRig, NamesMirroredPictures) {
  std::vector<View> views = usual_views(board_rig(vga), 0.1);
  for (View& view : views) {
    for (calibrate::Corner& corner : view.right) {
      const int row = corner.index / settings.board.columns, column = corner.index % settings.board.columns;
      corner.index = (settings.board.rows - 1 - row) * settings.board.columns + column;
      corner.x = vga.width - 1 - corner.x;
    }
    std::sort(view.right.begin(), view.right.end(),
              [](const calibrate::Corner& a, const calibrate::Corner& b) { return a.index < b.index; });
  }
  const std::string error = refusal(views);
  EXPECT_NE(error.find("the pictures of LEFT or of RIGHT are mirrored"), std::string::npos) << error;
}

}  // namespace
}  // namespace vergence::test
