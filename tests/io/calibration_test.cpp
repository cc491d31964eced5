// SPDX-License-Identifier: Apache-2.0
// Calibration files of all kinds, complete and broken.
#include "io/calibration.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/expect_error.hpp"
#include "io/file_support.hpp"
#include "io/rig_texts.hpp"

namespace vergence {
namespace {

Calibration parse(const std::string& text) { return io::parse_calibration(text, "c.txt", {}); }

const std::string middlebury =
    "cam0=[1733.74 0 792.27; 0 1733.74 541.89; 0 0 1]\r\ncam1=[1733.74 0 822.27; 0 1733.74 541.89; 0 0 1]\r\n"
    "doffs=30\r\nbaseline=536.62\r\nwidth=1920\r\nheight=1080\r\nndisp=170\r\nvmin=55\r\nvmax=142\r\n";

TEST(Calibration, Middlebury) {
  const Calibration c = parse(middlebury);
  EXPECT_EQ(c.focal_px, 1733.74);
  EXPECT_DOUBLE_EQ(c.baseline_m, 0.53662);
  EXPECT_EQ(c.offset_px, 30);
  EXPECT_EQ(c.center_x, 792.27);
  EXPECT_EQ(c.center_y, 541.89);
  EXPECT_EQ(c.size, (Size{1920, 1080}));
  EXPECT_EQ(c.disparities, 170);
}

/// One of two would win without a word, and so would a default in place of what is no number.
TEST(Calibration, AKeyIsThereOnceAndANumber) {
  EXPECT_ERROR(parse(middlebury + "doffs=31\n"), ErrorCode::bad_data, "doffs is there twice, in lines 3 and 10");
  EXPECT_ERROR(parse(middlebury + "cam0=[1 0 2; 0 1 2; 0 0 1]\n"), ErrorCode::bad_data, "cam0 is there twice");
  EXPECT_ERROR(parse(middlebury + " ndisp = 80\n"), ErrorCode::bad_data, "ndisp is there twice");
  const auto with = [](const char* key, const char* value) {
    std::string text = middlebury;
    const std::size_t at = text.find(key) + std::string(key).size();
    return text.replace(at, text.find('\r', at) - at, value);
  };
  EXPECT_ERROR(parse(with("doffs=", "x30")), ErrorCode::bad_data, "line 3: doffs: \"x30\" is not a number");
  EXPECT_ERROR(parse(with("ndisp=", "3000000000")), ErrorCode::bad_data,
               "ndisp = 3000000000 is too large: at most 1000000000");
  EXPECT_ERROR(parse(with("ndisp=", "64.5")), ErrorCode::bad_data, "ndisp = 64.5 is not a whole number");
  EXPECT_ERROR(parse(with("ndisp=", "")), ErrorCode::bad_data, "ndisp: \"\" is not a number");
  EXPECT_ERROR(parse(with("cam1=", "[1 2]")), ErrorCode::bad_data, "cam1 has 2 numbers instead of 9");
}

const std::string kitti_p =
    "P0: 721.5 0 609.5 0 0 721.5 172.8 0 0 0 1 0\nP1: 721.5 0 609.5 -387.5 0 721.5 172.8 0 0 0 1 0\n"
    "P2: 721.5 0 609.5 44.85 0 721.5 172.8 0.2 0 0 1 0\nP3: 721.5 0 610.5 -339.5 0 721.5 172.8 2.2 0 0 1 0\n";

TEST(Calibration, KittiProjections) {
  const Calibration c = parse(kitti_p);
  EXPECT_EQ(c.focal_px, 721.5);
  EXPECT_DOUBLE_EQ(c.baseline_m, 387.5 / 721.5);
  EXPECT_EQ(c.offset_px, 0);
  const Calibration colour = io::parse_calibration(kitti_p, "c.txt", {2, 3});
  EXPECT_DOUBLE_EQ(colour.baseline_m, (44.85 + 339.5) / 721.5);
  EXPECT_EQ(colour.offset_px, 1);
  EXPECT_ERROR(io::parse_calibration(kitti_p, "c.txt", {3, 2}), ErrorCode::bad_data, "exchanged");
  EXPECT_ERROR(io::parse_calibration(kitti_p, "c.txt", {3, 4}), ErrorCode::bad_data, "P4");
}

TEST(Calibration, AKittiKeyIsThereOnce) {
  EXPECT_ERROR(parse(kitti_p + kitti_p.substr(0, kitti_p.find('\n') + 1)), ErrorCode::bad_data,
               "P0 is there twice, in lines 1 and 5");
}

TEST(Calibration, KittiCamToCam) {
  const Calibration c = parse(
      "calib_time: 09-Jan-2012 13:57:47\nS_02: 1.392e+03 5.12e+02\nS_rect_02: 1.242000e+03 3.750000e+02\n"
      "P_rect_02: 7.215377e+02 0 6.095593e+02 4.485728e+01 0 7.215377e+02 1.728540e+02 2.163791e-01 0 0 1 2.7e-03\n"
      "P_rect_03: 7.215377e+02 0 6.095593e+02 -3.395242e+02 0 7.215377e+02 1.728540e+02 2.199936e+00 0 0 1 2.7e-03\n");
  EXPECT_EQ(c.size, (Size{1242, 375}));
  EXPECT_NEAR(c.baseline_m, 0.5327, 1e-4);
}

const std::string ros_left =
    "image_width: 640\nimage_height: 480\ncamera_name: left\ncamera_matrix:\n  rows: 3\n  cols: 3\n  data: [1, 0, 2, "
    "0, 3, 4, 0, 0, 1]\n"
    "projection_matrix:\n  rows: 3\n  cols: 4\n  data: [400.0, 0, 320.5, 0,\n   0, 400., 240.5, 0, 0, 0, 1, 0]\n";
const std::string ros_right =
    "projection_matrix:\n  rows: 3\n  cols: 4\n  data:\n  - 400.0\n  - 0\n  - 322.5\n  - -48.0\n  - 0\n  - 400\n  - "
    "240.5\n  - 0\n  - 0\n"
    "  - 0\n  - 1\n  - 0\n";

TEST(Calibration, RosPair) {
  const Calibration c = io::parse_calibration_pair(ros_left, "l.yaml", ros_right, "r.yaml");
  EXPECT_EQ(c.focal_px, 400);
  EXPECT_DOUBLE_EQ(c.baseline_m, 0.12);
  EXPECT_EQ(c.offset_px, 2);
  EXPECT_EQ(c.center_y, 240.5);
  EXPECT_EQ(c.size, (Size{640, 480}));
  EXPECT_ERROR(io::parse_calibration_pair(ros_right, "r.yaml", ros_left, "l.yaml"), ErrorCode::bad_data, "exchanged");
  EXPECT_ERROR(io::parse_calibration_pair(ros_left, "l.yaml", "a: 1\n", "r.yaml"), ErrorCode::bad_data, "r.yaml");
}

TEST(Calibration, OpenCvExtrinsics) {
  const Calibration c = parse(
      "%YAML:1.0\n---\nR1: !!opencv-matrix\n   rows: 1\n   cols: 1\n   dt: d\n   data: [ 9. ]\n"
      "P1: !!opencv-matrix\n   rows: 3\n   cols: 4\n   dt: d\n   data: [ 5.3e+02, 0., 3.2e+02, 0., 0., 5.3e+02,\n      "
      " 2.4e+02, 0., 0., 0., 1., 0. ]\n"
      "P2: !!opencv-matrix\n   rows: 3\n   cols: 4\n   dt: d\n   data: [ 5.3e+02, 0., 3.2e+02, -5.3e+01, 0., "
      "5.3e+02,\n       2.4e+02, 0., 0., 0., 1., 0. ]\n");
  EXPECT_EQ(c.focal_px, 530);
  EXPECT_DOUBLE_EQ(c.baseline_m, 0.1);
}

TEST(Calibration, OpenCvXmlAndJson) {
  const std::string sizes = R"("image_width": 640, "image_height": 480, )";
  const std::string left = R"("P1": [530, 0, 320, 0, 0, 530, 240, 0, 0, 0, 1, 0])";
  const std::string right = R"("P2": [530, 0, 322, -53, 0, 530, 240, 0, 0, 0, 1, 0])";
  const Calibration json = parse("{" + sizes + left + ", " + right + "}");
  EXPECT_EQ(json.focal_px, 530);
  EXPECT_DOUBLE_EQ(json.baseline_m, 0.1);
  EXPECT_EQ(json.offset_px, 2);
  EXPECT_EQ(json.size, (Size{640, 480}));
  const Calibration xml = parse(
      "<?xml version=\"1.0\"?>\n<opencv_storage><P1>530 0 320 0 0 530 240 0 0 0 1 0</P1>\n"
      "<P2>530 0 322 -53 0 530 240 0 0 0 1 0</P2></opencv_storage>\n");
  EXPECT_DOUBLE_EQ(xml.baseline_m, 0.1);
  EXPECT_EQ(xml.size, Size{});
  EXPECT_ERROR(parse("{" + left + "}"), ErrorCode::bad_data, "M1 (or");
  EXPECT_ERROR(parse("{" + right + ", \"P1\": [530, 0, 320, -106, 0, 530, 240, 0, 0, 0, 1, 0]}"), ErrorCode::bad_data,
               "exchanged");
}

TEST(Calibration, RefusesSpoiltFiles) {
  const std::pair<std::string, const char*> cases[] = {
      {"", "no calibration"},
      {"hello: world\n", "no calibration"},
      {"cam0=[1 0 2; 0 1 3]\nbaseline=1\n", "cam0"},
      {"cam0=[1 0 2; 0 1 3; 0 0 1]\n", "baseline"},
      {"cam0=[1 0 2; 0 1 3; 0 0 1]\nbaseline=x\n", "baseline"},
      {"cam0=[0 0 2; 0 1 3; 0 0 1]\nbaseline=1\n", "focal length 0"},
      {"cam0=[1 0 2; 0 1 3; 0 0 1]\nbaseline=-1\n", "baseline -0.001"},
      {"cam0=[1 0 2; 0 1 3; 0 0 1]\nbaseline=1\nwidth=-5\n", "width = -5"},
      {"cam0=[1 0 2; 0 1 3; 0 0 1]\nbaseline=1\nndisp=1e300\n", "ndisp"},
      {"cam0=[nan 0 2; 0 1 3; 0 0 1]\nbaseline=1\n", "cam0"},
      {"P0: 1 2 3\nP1: 1 2 3\n", "P0"},
      {"P0: 1 0 0 0 0 1 0 0 0 0 1 0\n", "P1"},
      {"P0: 1 0 0 0 0 1 0 0 0 0 1 0 7\nP1: 1 0 0 -1 0 1 0 0 0 0 1 0\n", "P0"},
      {"P0: 1 0 0 0 0 1 0 0 0 0 1 0\nP1: 2 0 0 -1 0 1 0 0 0 0 1 0\n", "differ"},
      {"P0: 1 0 0 0 0 1 0 0 0 0 1 0\nP1: 1 0 0 0 0 1 0 0 0 0 1 0\n", "baseline is 0 m: give the calibration of both"},
      {"P0: 0 0 0 0 0 1 0 0 0 0 1 0\nP1: 0 0 0 0 0 1 0 0 0 0 1 0\n", "focal length 0"},
  };
  for (const auto& [text, part] : cases) EXPECT_ERROR(parse(text), ErrorCode::bad_data, part);
}

TEST(Calibration, OtherMatricesAreRefused) {
  const auto middlebury_with = [](const std::string& camera) { return "cam0=[" + camera + "]\nbaseline=100\n"; };
  for (const char* camera : {"9 0 0; 0 9 0; 4 3 1", "9 0 4; 0 9 3; 0 0 2", "9 0 4; 0 -9 3; 0 0 1",
                             "9 4 0; 0 9 3; 0 0 1", "0 0 1; 0 9 3; 9 0 4"})
    EXPECT_ERROR(parse(middlebury_with(camera)), ErrorCode::bad_data, "cam0 is no rectified camera's matrix, [f 0 cx;");
  EXPECT_NO_THROW(parse(middlebury_with("9 0.001 4; 0 9 3; 0 0 1")));
  const auto kitti_with = [](const std::string& right) { return "P0: 9 0 4 0 0 9 3 0 0 0 1 0\nP1: " + right + "\n"; };
  for (const char* right : {"9 0 0 0 9 0 4 3 1 -9 0 0", "9 0 4 -9 0 9 3 0 0 0 2 0"})
    EXPECT_ERROR(parse(kitti_with(right)), ErrorCode::bad_data,
                 "the right matrix is no rectified camera's, [f 0 cx tx;");
  EXPECT_ERROR(parse(kitti_with("9 0 4 0 0 9 3 -9 0 0 1 0")), ErrorCode::bad_data,
               "the cameras lie 1 m above each other and 0 m side by side");
  EXPECT_ERROR(parse(kitti_with("9 0 4 -9 0 9 3 0.9 0 0 1 0")), ErrorCode::bad_data, "0.1 m above each other and 1 m");
}

// Spoilt numbers and keys are refused with their line and text, never read in part.
TEST(Calibration, NumbersAreReadWholeOrNotAtAll) {
  const std::string cam0 = "cam0=[160 0 79.5; 0 160 59.5; 0 0 1]\n";
  const std::pair<std::string, const char*> cases[] = {
      {"baseline=187,5\n", "line 2: baseline: \"187,5\" is not a number"},
      {"baseline=1.875D+02\n", "\"1.875D+02\" is not a number"},
      {"baseline=18.75 cm\r\nwidth=1\r\n", "\"18.75 cm\" is not a number"},
      {"baseline=187.5.3\n", "\"187.5.3\" is not a number"},
      {"baseline=0xBB\n", "\"0xBB\" is not a number"},
      {"baseline=\n", "\"\" is not a number"},
      {"baseline=1e400\n", "\"1e400\" is not a number"},
      {"baseline=1\n\ndoffs=abc\n", "line 4: doffs: \"abc\" is not a number"},
      {"baseline=1\rwidth=5x\r", "line 3: width: \"5x\" is not a number"},
      {"baseline=1\nwidth=5\n baseline = 999\n", "baseline is there twice, in lines 2 and 4"},
      {"baseline=1\ncam1=[160 0 79.5; 0 160 59.5; 0 0]\n", "line 3: the 3x3 matrix cam1 has 8 numbers"},
      {"baseline=1\ncam1=[160 0 79.5; 0 160 59.5\n", "line 3: cam1 has no closing bracket"},
  };
  for (const auto& [text, part] : cases) EXPECT_ERROR(parse(cam0 + text), ErrorCode::bad_data, part);
  EXPECT_ERROR(parse("cam0=[160,4 0 79.5; 0 160 59.5; 0 0 1]\nbaseline=1\n"), ErrorCode::bad_data,
               "line 1: cam0: \"160,4\" is not a number");
  EXPECT_ERROR(parse("P0: 7,5 0 0 0 0 1 0 0 0 0 1 0\nP1: 1 0 0 -1 0 1 0 0 0 0 1 0\n"), ErrorCode::bad_data,
               "P0: \"7,5\" is not a number");
  EXPECT_EQ(parse("\xEF\xBB\xBF" + cam0 + "baseline = +187.5; # mm\r\ndoffs=-2.5\n").offset_px, -2.5);
  EXPECT_ERROR(parse("\xFF\xFE" + cam0), ErrorCode::bad_data, "it is text of UTF-16 or UTF-32");
  EXPECT_EQ(parse("cam0=[160, 0, 79.5;\n 0, 160, 59.5; 0, 0, 1]\rbaseline=187.5\rdoffs=1\r").center_y, 59.5);
}

TEST(Calibration, SpoiltMatricesOfYaml) {
  const auto matrix = [](const char* key, const char* rows, const char* columns, const char* first) {
    return fmt::format("{}: !!opencv-matrix\n  rows: {}\n  cols: {}\n  dt: d\n  data: [{},0,3,{},0,5.3,2,0,0,0,1,0]\n",
                       key, rows, columns, first, std::string(key) == "P1" ? "0" : "-1");
  };
  const std::string p1 = matrix("P1", "3", "4", "5.3");
  const std::string p2 = matrix("P2", "3", "4", "5.3");
  EXPECT_EQ(parse(p1 + p2).focal_px, 5.3);
  EXPECT_ERROR(parse(p1 + p2 + p2), ErrorCode::bad_data, "P2 is there twice, in lines 6 and 11");
  EXPECT_ERROR(parse(p1 + matrix("P2", "4", "3", "5.3")), ErrorCode::bad_data, "line 7: P2 is 4x3: 3x4 is wanted");
  EXPECT_ERROR(parse(matrix("P1", "3", "4", "5.3x") + p2), ErrorCode::bad_data, "line 5: P1: \"5.3x\" is not a number");
  EXPECT_ERROR(parse(matrix("P1", "3", "4", "5,3") + p2), ErrorCode::bad_data, "P1 has 13 numbers instead of 12");
  EXPECT_ERROR(io::parse_calibration_pair(ros_left, "l.yaml", "P: [1, 2]\n", "r.yaml"), ErrorCode::bad_data,
               "P has 2 numbers");
  std::string spoilt = ros_right;
  spoilt.replace(spoilt.find("322.5"), 5, "32 25");
  EXPECT_ERROR(io::parse_calibration_pair(ros_left, "l.yaml", spoilt, "r.yaml"), ErrorCode::bad_data,
               "line 7: projection_matrix: \"32 25\" is not a number");
}

TEST(Calibration, EveryTruncationIsHandled) {
  for (const std::string& text : {middlebury, kitti_p})
    test::for_every_beginning(text, [](const std::string& part) {
      try {
        const Calibration c = parse(part);  // a file without its optional end is complete
        EXPECT_GT(c.focal_px, 0);
        EXPECT_GT(c.baseline_m, 0);
      } catch (const Error&) {
      }
    });
}

TEST(Calibration, TwoFilesAreOfOneSizeAndOneCameraEach) {
  const auto sized = [](const std::string& yaml, int width, int height) {
    return "image_width: " + std::to_string(width) + "\nimage_height: " + std::to_string(height) + "\n" + yaml;
  };
  const auto bare = [](std::string yaml) {
    for (const char* key : {"image_width", "image_height"})
      if (const std::size_t at = yaml.find(key); at != std::string::npos) yaml.erase(at, yaml.find('\n', at) + 1 - at);
    return yaml;
  };
  const std::string left = bare(ros_left), right = bare(ros_right);
  const auto pair = [](const std::string& l, const std::string& r) {
    return io::parse_calibration_pair(l, "l.yaml", r, "r.yaml");
  };
  EXPECT_ERROR(pair(sized(left, 640, 480), sized(right, 1280, 960)), ErrorCode::bad_data, "1280x960, and l.yaml");
  EXPECT_EQ(pair(sized(left, 640, 480), sized(right, 640, 480)).size, (Size{640, 480}));
  EXPECT_EQ(pair(sized(left, 640, 480), right).size, (Size{640, 480}));
  EXPECT_EQ(pair(left, sized(right, 640, 480)).size, (Size{640, 480}));
  EXPECT_ERROR(pair(middlebury, middlebury), ErrorCode::bad_data, "give it once");
  EXPECT_ERROR(pair(ros_left, middlebury), ErrorCode::bad_data, "calib.txt, which holds both cameras");
  EXPECT_ERROR(pair("P0: 1\nP1: 1\n", ros_right), ErrorCode::bad_data, "KITTI's calibration, which holds both");
}

TEST(Calibration, ReadsFiles) {
  const test::TemporaryDirectory directory;
  test::write_bytes(directory / "calib.txt", middlebury);
  test::write_bytes(directory / "l.yaml", ros_left);
  test::write_bytes(directory / "r.yaml", ros_right);
  test::write_bytes(directory / "big.txt", std::string((1 << 20) + 1, ' '));
  EXPECT_EQ(read_calibration(directory / "calib.txt").disparities, 170);
  EXPECT_EQ(read_calibration(directory / "l.yaml", directory / "r.yaml").focal_px, 400);
  EXPECT_ERROR(read_calibration(directory / "big.txt"), ErrorCode::bad_data, "1 MB");
  EXPECT_ERROR(read_calibration(directory / "none.txt"), ErrorCode::not_found, "none.txt");
}

/// What users have at hand where a rectified pair is wanted: what it is, and what to do.
TEST(Calibration, SaysWhatOtherCalibrationsAre) {
  const auto refused = [](const std::string& text, const char* part) {
    EXPECT_ERROR(io::parse_calibration(text, "c", {}), ErrorCode::bad_data, part);
  };
  const std::size_t pose = test::opencv_yaml.find("R: !!");
  const std::string intrinsics = test::opencv_yaml.substr(0, pose);
  const std::string extrinsics = "%YAML:1.0\n---\n" + test::opencv_yaml.substr(pose);
  refused(test::kalibr, "it is a calibration (kalibr) of two cameras that are not rectified: rectify the pictures");
  refused(test::opencv_yaml, "it is a calibration (opencv-yaml) of two cameras that are not rectified");
  refused(intrinsics, "it holds a part of OpenCV's calibration (M1), and not P1 and P2");
  refused(extrinsics, "it holds a part of OpenCV's calibration (R), and not P1 and P2");
  refused(test::euroc("0"), "it tells one camera of EuRoC: give --calibration twice");
  refused(test::ros_left, "it tells one camera of ROS: give --calibration twice");
}

/// OpenCV's intrinsics and extrinsics, in any order: P1 and P2 tell the pair.
TEST(Calibration, OpencvInTwoFiles) {
  const std::size_t pose = test::opencv_yaml.find("R: !!");
  const std::string intrinsics = test::opencv_yaml.substr(0, pose);
  const std::string pair = "%YAML:1.0\n---\n" + test::opencv_yaml.substr(pose);
  const std::string rectified = pair + test::opencv_rectification;
  for (const Calibration& c : {io::parse_calibration_pair(intrinsics, "i.yml", rectified, "e.yml"),
                               io::parse_calibration_pair(rectified, "e.yml", intrinsics, "i.yml")}) {
    EXPECT_EQ(c.focal_px, 400);
    EXPECT_DOUBLE_EQ(c.baseline_m, 0.1);
    EXPECT_EQ(c.size, (Size{640, 480}));
  }
  EXPECT_ERROR(io::parse_calibration_pair(intrinsics, "i.yml", pair, "e.yml"), ErrorCode::bad_data,
               "i.yml\" and \"e.yml\": it is a calibration (opencv-yaml) of two cameras that are not rectified");
}

}  // namespace
}  // namespace vergence
