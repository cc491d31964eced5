// SPDX-License-Identifier: Apache-2.0
// `calibrate`: drawn and real boards, what it writes, and what it refuses.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cli/printed_json.hpp"
#include "cli/program.hpp"
#include "support/board_scene.hpp"
#include "vergence/io.hpp"
#include "vergence/rig_io.hpp"

namespace vergence::cli_test {
namespace {

constexpr Size board_picture{320, 240};

calibrate::Board drawn_board(bool charuco) {
  calibrate::Board board = test::chessboard(7, 5, 0.03);
  if (charuco) board.kind = calibrate::Board::Kind::charuco;
  board.marker_m = 0.0225;
  return board;
}

/// Both pictures of eight views.
struct DrawnViews {
  std::vector<Image<std::uint8_t>> left, right;
};
DrawnViews draw_views(bool charuco, double pixel_height = 1) {
  StereoRig rig = test::board_rig(board_picture);
  for (Camera* camera : {&rig.left, &rig.right}) camera->fy /= pixel_height;
  const test::BoardPainter left(rig.left), right(rig.right);
  const calibrate::Board board = drawn_board(charuco);
  DrawnViews views;
  for (const calibrate::Pose& pose : test::board_poses(board, 8)) {
    views.left.push_back(left.paint(board, pose));
    views.right.push_back(right.paint(board, test::pose_beside(rig, pose)));
  }
  return views;
}

class CalibrateCommand : public testing::Test {
 protected:
  void SetUp() override {
#ifndef VERGENCE_TEST_SOLVER
    GTEST_SKIP() << "this build has no calibration: OpenCV's calib3d is not installed";
#endif
  }
  static const DrawnViews& views() {
    static const DrawnViews drawn = draw_views(false);
    return drawn;
  }
  /// left_1.pgm .. left_9.pgm without 4, and right.
  void write_views(const DrawnViews& drawn) const {
    int number = 0;
    for (std::size_t i = 0; i < drawn.left.size(); ++i) {
      number += number == 3 ? 2 : 1;
      write_picture(scratch.path("left_" + std::to_string(number) + ".pgm"), drawn.left[i].view());
      write_picture(scratch.path("right_" + std::to_string(number) + ".pgm"), drawn.right[i].view());
    }
  }
  /// The first `count` views, then the first three of them once more.
  static DrawnViews views_copied(std::size_t count) {
    DrawnViews copied;
    for (std::size_t i = 0; i < count + 3; ++i) {
      copied.left.push_back(views().left[i < count ? i : i - count].clone());
      copied.right.push_back(views().right[i < count ? i : i - count].clone());
    }
    return copied;
  }
  Result calibrate(const std::vector<std::string>& more, const std::string& board = "7x5") const {
    std::vector<std::string> all{"calibrate", "left_%d.pgm", "right_%d.pgm", "--board", board, "--square", "30mm"};
    all.insert(all.end(), more.begin(), more.end());
    return scratch.run(all);
  }
  /// Fails with this text, and writes nothing.
  void refuses(const Result& result, int status, const std::string& text) const {
    EXPECT_EQ(result.status, status) << result.err;
    EXPECT_TRUE(holds(result.err, text)) << result.err;
    EXPECT_EQ(lines(result.err), 1U) << result.err;
    EXPECT_FALSE(scratch.has("rig.yml"));
  }

  const Scratch scratch;
};

#ifndef VERGENCE_TEST_SOLVER
TEST(CalibrateLeftOut, SaysHowToGetIt) {
  const Scratch scratch;
  const Result result =
      scratch.run({"calibrate", "l_%d.png", "r_%d.png", "--board", "9x6", "--square", "25mm", "-o", "rig.yml"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(holds(result.err, "this build has no calibration: it needs OpenCV's calib3d")) << result.err;
  EXPECT_EQ(lines(result.err), 1U);
}
#endif

void expect_drawn_rig(const StereoRig& got, double px = 2) {
  const StereoRig is = test::board_rig(board_picture);
  EXPECT_EQ(got.left.size, board_picture);
  EXPECT_NEAR(got.left.fx, is.left.fx, px);
  EXPECT_NEAR(got.right.fx, is.right.fx, px);
  EXPECT_NEAR(got.left.cx, is.left.cx, px);
  EXPECT_NEAR(got.right.cy, is.right.cy, px);
  EXPECT_NEAR(got.baseline_m(), is.baseline_m(), 0.001);
}

TEST_F(CalibrateCommand, FindsTheRigAndWritesIt) {
  write_views(views());
  const Result result = calibrate({"-o", "rig.yml", "-o", "rig.xml", "-o", "opencv-json:rig.txt", "-o",
                                   "ros:l.yaml,r.yaml", "-o", "kitti-odometry:k.txt", "--coverage", "c.png", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const Json report = Json::parse(result.out);
  EXPECT_EQ(report["pictures"], 8);
  EXPECT_EQ(report["views"].size(), 8U);
  EXPECT_EQ(report["views"][3]["number"], 5);  // 4 is not there
  EXPECT_EQ(report["pair"]["views"], 8);
  EXPECT_LT(report["pair"]["rms_px"].get<double>(), 0.15);
  EXPECT_LT(report["rows"]["median_px"].get<double>(), 0.1);
  EXPECT_LT(report["held_out"]["median_px"].get<double>(), 0.15);
  EXPECT_GT(report["left"]["coverage"].get<double>(), 0.15);
  EXPECT_EQ(report["outputs"].size(), 5U);
  const StereoRig rig = read_rig({scratch.path("rig.yml")}).rig;
  expect_drawn_rig(rig);
  ASSERT_TRUE(rig.rectified);
  EXPECT_EQ(read_rig({scratch.path("rig.xml")}).rig, rig);
  EXPECT_EQ(read_rig({scratch.path("rig.txt")}).rig, rig);
  EXPECT_NEAR(read_rig({scratch.path("l.yaml"), scratch.path("r.yaml")}).rig.baseline_m(), rig.baseline_m(), 1e-9);
  EXPECT_TRUE(scratch.has("k.txt"));
  const Image<Rgb> coverage = read_rgb(scratch.path("c.png"));
  EXPECT_GT(coverage.width(), 1200);
  EXPECT_GT(coverage.height(), 450);
  // Its rows meet: the same corner in the rectified pictures.
  const Result rectified = scratch.run({"rectify", "left_1.pgm", "right_1.pgm", "--calibration", "rig.yml", "-o",
                                        "a.png", "--other", "b.png", "--strict"});
  EXPECT_EQ(rectified.status, 0) << rectified.err;
}

TEST_F(CalibrateCommand, SaysHowGoodItIsAndWhatLacks) {
  write_views(views());
  const Result result = calibrate({"-o", "kalibr:camchain.yaml", "-o", "euroc:l.yaml,r.yaml", "--lens", "pinhole-4"});
  ASSERT_EQ(result.status, 0) << result.err;
  for (const char* part :
       {"board     7x5 inner corners, squares of 0.03 m\n", "pictures  8 pairs, the board in 8 left and 8 right ones\n",
        "left fit  RMS ", "pair fit  RMS ", "rows      median ", "held out  median ", "pose      baseline 0.1",
        "photograph more pairs: 8 are used", "wrote     kalibr: camchain.yaml; left out: the rectification",
        "wrote     euroc: l.yaml, r.yaml"})
    EXPECT_TRUE(holds(result.out, part)) << part << " in\n" << result.out;
  expect_drawn_rig(read_rig({scratch.path("camchain.yaml")}).rig);
}

/// Each view is shown in three frames, of which the middle one is sharp.
TEST_F(CalibrateCommand, ChoosesSharpFramesOfAVideo) {
  const Size both{2 * board_picture.width, board_picture.height};
  VideoWriter video(scratch.path("both.y4m"), {.size = both, .rate = 6, .chroma = ChromaFormat::none});
  for (std::size_t i = 0; i < views().left.size(); ++i)
    for (int frame = 0; frame < 3; ++frame) {
      YuvFrame next;
      next.luma.u8 = Image<std::uint8_t>(both);
      next.full_range = false;
      const bool sharp = frame == 1;
      const auto left = sharp ? views().left[i].clone() : test::blurred(views().left[i], 2);
      const auto right = sharp ? views().right[i].clone() : test::blurred(views().right[i], 2);
      for (int y = 0; y < both.height; ++y) {
        std::copy_n(left.row(y), left.width(), next.luma.u8.row(y));
        std::copy_n(right.row(y), right.width(), next.luma.u8.row(y) + left.width());
      }
      video.write(next);
    }
  video.commit();
  const Result result = scratch.run({"calibrate", "both.y4m", "--layout", "side-by-side", "--board", "7x5", "--square",
                                     "3cm", "-o", "rig.yml", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const Json report = Json::parse(result.out);
  EXPECT_EQ(report["pictures"], 24);
  EXPECT_GE(report["views"].size(), 7U);
  for (const Json& view : report["views"].elements()) EXPECT_EQ(view["number"].get<int>() % 3, 1) << view;
  expect_drawn_rig(read_rig({scratch.path("rig.yml")}).rig);
}

TEST_F(CalibrateCommand, ReadsCharucoBoards) {
  write_views(draw_views(true));
  const Result result =
      calibrate({"-o", "rig.yml", "--marker", "22.5mm", "--dictionary", "dict_4x4_50", "--json"}, "charuco:8x6");
  if (holds(result.err, "built without ChArUco"))
    GTEST_SKIP() << "this build has no ChArUco: OpenCV's contrib modules are not installed";
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_LT(Json::parse(result.out)["rows"]["median_px"].get<double>(), 0.25);
  expect_drawn_rig(read_rig({scratch.path("rig.yml")}).rig, 6);
}

TEST_F(CalibrateCommand, RefusesAnotherBoard) {
  write_views(views());
  const auto some = [&](const std::string& board) { return calibrate({"-o", "rig.yml", "--frames", "1:5"}, board); };
  refuses(some("8x6"), 1, "one of 7x5 is seen: give --board 7x5 (inner corners, not squares)");
  refuses(some("6x5"), 1, "give --board 7x5");  // a part of the board may be found, but not taken for it
}

/// Copies of three views are three views.
TEST_F(CalibrateCommand, CopiesAreNoViews) {
  write_views(views_copied(8));
  const Result result = calibrate({"-o", "rig.yml"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(holds(result.err,
                    "3 of 11 pairs show the board where another pair does, to the last bit, and are left "
                    "out, such as number 10, which is number 1 once more: give each view once"))
      << result.err;
  EXPECT_EQ(calibrate({"-o", "strict.yml", "--strict"}).status, 1);
  EXPECT_FALSE(scratch.has("strict.yml"));
}

/// Of a board that was printed longer one way, or of squeezed pictures.
TEST_F(CalibrateCommand, PixelsThatAreNotSquareAreDoubtful) {
  write_views(draw_views(false, 0.94));
  const Result run = calibrate({"-o", "rig.yml"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(holds(run.err, "focal lengths along rows are 6 % shorter than along columns in both cameras")) << run.err;
}

TEST_F(CalibrateCommand, RefusesFewViewsThatWereCopied) {
  write_views(views_copied(3));
  const Result result = calibrate({"-o", "rig.yml"});
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(holds(result.err, "3 of 6 pairs show the board where another pair does")) << result.err;
  EXPECT_TRUE(holds(result.err, "seen in 3 views of the left camera, and 4 are needed")) << result.err;
  EXPECT_FALSE(scratch.has("rig.yml"));
}

TEST_F(CalibrateCommand, RefusesPicturesWithoutABoard) {
  write_views(views());
  const auto blank = [&](const std::string& name) {
    for (const int i : {1, 2, 3, 5})
      scratch.write(name + std::to_string(i) + ".pgm", pgm(320, 240, 255, [](int x, int) { return x % 200; }));
  };
  blank("left_");
  refuses(calibrate({"-o", "rig.yml", "--frames", "1:5"}), 1, "seen in 0 views of the left camera, and 4 are needed");
  blank("right_");
  refuses(calibrate({"-o", "rig.yml", "--frames", "1:5"}), 1, "none of 4 pairs of pictures shows a chessboard of 7x5");
}

TEST_F(CalibrateCommand, RefusesPicturesThatDoNotFit) {
  write_views(views());
  refuses(calibrate({"-o", "rig.yml", "--frames", "1:3"}), 1, "seen in 3 views of the left camera, and 4 are needed");
  const Result same =
      scratch.run({"calibrate", "left_%d.pgm", "left_%d.pgm", "--board", "7x5", "--square", "30mm", "-o", "rig.yml"});
  refuses(same, 1, "LEFT and RIGHT");
  const Result single =
      scratch.run({"calibrate", "left_1.pgm", "right_1.pgm", "--board", "7x5", "--square", "30mm", "-o", "rig.yml"});
  refuses(single, 2, "left_1.pgm is a single picture: give numbered ones");
  const Result none =
      scratch.run({"calibrate", "l_%d.pgm", "r_%d.pgm", "--board", "7x5", "--square", "30mm", "-o", "rig.yml"});
  refuses(none, 1, "no picture is called l_%d.pgm");
  refuses(calibrate({"-o", "opencv-yaml:right_5.pgm"}), 2, "would overwrite the input 'right_5.pgm'");
  refuses(calibrate({"-o", "opencv-yaml:right_5.pgm", "--frames", "1:4"}), 2,
          "would overwrite 'right_5.pgm', a frame of the input 'right_%d.pgm' that this run does not read");
  scratch.write("left_10.pgm", pgm(320, 240, 255, [](int, int) { return 9; }));
  refuses(calibrate({"-o", "rig.yml"}), 1,
          "left_%d.pgm has 9 pictures and right_%d.pgm has 8: right_%d.pgm lacks the numbers 10");
  scratch.write("right_10.pgm", pgm(300, 240, 255, [](int, int) { return 9; }));
  refuses(calibrate({"-o", "rig.yml"}), 1, "300x240");
  scratch.write("left_10.pgm", pgm(300, 240, 255, [](int, int) { return 9; }));
  refuses(calibrate({"-o", "rig.yml"}), 1, "left_10.pgm has 300x240 pixels and left_1.pgm 320x240");
}

TEST_F(CalibrateCommand, RefusesWhatCannotBeMeant) {
  const std::vector<std::string> start{"calibrate", "left_%d.pgm", "right_%d.pgm"};
  const auto refused = [&](std::vector<std::string> more, const char* text) {
    more.insert(more.begin(), start.begin(), start.end());
    refuses(scratch.run(more), 2, text);
  };
  const std::vector<std::pair<std::vector<std::string>, const char*>> cases{
      {{"--board", "9", "--square", "25mm", "-o", "rig.yml"}, "--board is '9'"},
      {{"--board", "2x6", "--square", "25mm", "-o", "rig.yml"}, "--board is '2x6'"},
      {{"--board", "9x6", "--square", "25", "-o", "rig.yml"},
       "--square is '25': give a length with its unit, such as 25mm"},
      {{"--board", "9x6", "--square", "-1mm", "-o", "rig.yml"}, "--square"},
      {{"--board", "9x6", "--square", "25mm", "-o", "rig.txt"},
       "--output is 'rig.txt', which does not tell its format"},
      {{"--board", "9x6", "--square", "25mm", "-o", "ros:rig.yml"},
       "ros has two files, such as ros:left.yaml,right.yaml"},
      {{"--board", "9x6", "--square", "25mm", "-o", "kitti-raw:rig.yml"}, "kitti-raw is read only"},
      {{"--board", "9x6", "--square", "25mm", "-o", "kalibr:rig.yml"}, "give --lens pinhole-4 or fisheye"},
      {{"--board", "9x6", "--square", "25mm", "-o", "rig.yml", "--lens", "wide"}, "--lens is 'wide'"},
      {{"--board", "9x6", "--square", "25mm", "-o", "rig.yml", "--views", "3"}, "--views"},
      {{"--board", "9x6", "--square", "25mm", "-o", "rig.yml", "--marker", "9mm"}, "for ChArUco boards"},
      {{"--board", "charuco:9x6", "--square", "25mm", "-o", "rig.yml"}, "needs --marker"},
      {{"--board", "charuco:9x6", "--square", "25mm", "--marker", "3cm", "--dictionary", "4X4_50", "-o", "rig.yml"},
       "a marker lies inside a square"},
      {{"--board", "9x6", "--square", "25mm", "-o", "rig.yml", "--coverage", "c.gif"}, "--coverage"},
      {{"--board", "9x6", "--square", "25mm"}, "--output"}};
  for (const auto& [more, text] : cases) refused(more, text);
}

/// OpenCV's own stereo_calib gives an RMS of 0.634 px there, and rows that differ by 0.164 px (median).
TEST_F(CalibrateCommand, CalibratesARealPair) {
  std::string folder;
  for (const char* place : {VERGENCE_TEST_DEMO, "/usr/share/doc/opencv-doc/examples/data"})
    if (folder.empty() && std::filesystem::exists(std::string(place) + "/right14.jpg")) folder = place;
  if (folder.empty()) GTEST_SKIP() << "no chessboard pictures: scripts/demo brings them, or install opencv-doc";
  const Result result = scratch.run({"calibrate", folder + "/left%02d.jpg", folder + "/right%02d.jpg", "--board", "9x6",
                                     "--square", "25mm", "-o", "rig.yml", "--json", "--strict"});
  ASSERT_EQ(result.status, 0) << result.err;
  const Json report = Json::parse(result.out);
  EXPECT_EQ(report["pair"]["views"], 13);
  EXPECT_LT(report["left"]["rms_px"].get<double>(), 0.2);
  EXPECT_LT(report["right"]["rms_px"].get<double>(), 0.2);
  EXPECT_LT(report["pair"]["rms_px"].get<double>(), 0.22);
  EXPECT_LT(report["rows"]["median_px"].get<double>(), 0.1);
  EXPECT_LT(report["held_out"]["median_px"].get<double>(), 0.12);
  EXPECT_NEAR(report["rig"]["baseline_m"].get<double>(), 0.0832, 0.0005);
}

/// OpenCV's libraries are many: they are opened by what needs them.
TEST_F(CalibrateCommand, OpensOpenCvOnlyWhereItIsNeeded) {
  RunOptions options;
  options.environment = {{"LD_DEBUG", "files"}};
  EXPECT_FALSE(holds(scratch.run({"--version"}, options).err, "opencv"));
  const Result asked = scratch.run(
      {"calibrate", "left_%d.pgm", "right_%d.pgm", "--board", "7x5", "--square", "30mm", "-o", "rig.yml"}, options);
  EXPECT_TRUE(holds(asked.err, "no picture is called")) << asked.err;
  EXPECT_TRUE(holds(asked.err, "vergence_opencv.so")) << "the loader says nothing";
}

}  // namespace
}  // namespace vergence::cli_test
