// SPDX-License-Identifier: Apache-2.0
// Calibrated rigs of all formats, complete and broken. Expected values are worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "core/expect_error.hpp"
#include "io/file_support.hpp"
#include "io/rig_texts.hpp"

namespace vergence {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Camera left_camera{{640, 480}, 530, 531, 320.25, 240.5, LensModel::pinhole, {-0.28, 0.07, 1e-3, -2e-4, 0.01}};
const Camera right_camera{{640, 480}, 540, 541, 322, 238, LensModel::pinhole, {1, 2, 3, 4, 5, 6, 7, 8}};
/// What is doubted of its coefficients, which only have to be told apart.
constexpr const char* made_up = "right distortion: p1 = 3 and p2 = 4";
constexpr Matrix3x3 turn{0.8, 0, 0.6, 0, 1, 0, -0.6, 0, 0.8};
constexpr Matrix3x3 back{0.8, 0, -0.6, 0, 1, 0, 0.6, 0, 0.8};
constexpr Matrix3x3 identity{1, 0, 0, 0, 1, 0, 0, 0, 1};

TEST(RigRead, OpencvYaml) {
  const RigFile file = parsed(opencv_yaml);
  EXPECT_EQ(file.format, RigFormat::opencv_yaml);
  EXPECT_EQ(file.rig.left, left_camera);
  EXPECT_EQ(file.rig.right, right_camera);
  EXPECT_EQ(file.rig.rotation, turn);
  EXPECT_THAT(file.rig.translation, ElementsAre(-0.08, 0, 0.06));
  EXPECT_FALSE(file.rig.rectified);
  EXPECT_THAT(file.doubts, ElementsAre(HasSubstr(made_up)));
}

TEST(RigRead, OpencvYamlWithRectification) {
  const RigFile file = parsed(opencv_yaml + opencv_rectification);
  ASSERT_TRUE(file.rig.rectified);
  EXPECT_EQ(file.rig.rectified->r1, identity);
  EXPECT_EQ(file.rig.rectified->r2, back);
  EXPECT_EQ(file.rig.rectified->p1, (Matrix3x4{400, 0, 320, 0, 0, 400, 240, 0, 0, 0, 1, 0}));
  EXPECT_EQ(file.rig.rectified->p2, (Matrix3x4{400, 0, 320, -40, 0, 400, 240, 0, 0, 0, 1, 0}));
  EXPECT_THAT(file.doubts, ElementsAre(HasSubstr(made_up)));
}

TEST(RigRead, OpencvInTwoFilesInAnyOrder) {
  const std::size_t cut = opencv_yaml.find("R: !!");
  const std::string intrinsics = opencv_yaml.substr(0, cut);
  const std::string extrinsics = "%YAML:1.0\n---\n" + opencv_yaml.substr(cut) + opencv_rectification;
  const StereoRig whole = parsed(opencv_yaml + opencv_rectification).rig;
  EXPECT_EQ(parsed(intrinsics, extrinsics).rig, whole);
  EXPECT_EQ(parsed(extrinsics, intrinsics).rig, whole);
  EXPECT_ERROR(parsed(intrinsics, opencv_yaml), ErrorCode::bad_data, "is in l, too");
  EXPECT_ERROR(parsed(extrinsics, "%YAML:1.0\n---\nM1: [1, 0, 0, 0, 1, 0, 0, 0, 1]\n"), ErrorCode::bad_data,
               "M2 is in neither");
}

TEST(RigRead, OpencvByOtherNames) {
  std::string text = opencv_yaml;
  for (const auto& [from, to] : std::initializer_list<std::pair<const char*, const char*>>{
           {"M1:", "cameraMatrix1:"}, {"M2:", "cameraMatrix2:"}, {"D1:", "distCoeffs1:"}, {"D2:", "distCoeffs2:"}})
    text = with(text, from, to);
  text = with(text, "image_width: 640\nimage_height: 480\n", "image_size: [ 640, 480 ]\n");
  EXPECT_EQ(parsed(text).rig, parsed(opencv_yaml).rig);
}

TEST(RigRead, OpencvXml) {
  const RigFile file = parsed(R"(<?xml version="1.0"?>
<opencv_storage>
<!-- by hand -->
<imageSize>640 480</imageSize>
<fisheye_model>1</fisheye_model>
<M1 type_id="opencv-matrix"><rows>3</rows><cols>3</cols><dt>d</dt><data>
    5.3e+02 0. 320.25 0. 531. 240.5 0. 0. 1.</data></M1>
<D1 type_id="opencv-matrix"><rows>4</rows><cols>1</cols><dt>d</dt><data>0.1 0.2 0.3 0.4</data></D1>
<M2 type_id="opencv-matrix"><rows>3</rows><cols>3</cols><dt>d</dt><data>540. 0. 322. 0. 541. 238. 0. 0. 1.</data></M2>
<D2 type_id="opencv-matrix"><rows>4</rows><cols>1</cols><dt>d</dt><data>0. 0. 0. 0.</data></D2>
<R type_id="opencv-matrix"><rows>3</rows><cols>3</cols><dt>d</dt><data>0.8 0. 0.6 0. 1. 0. -0.6 0. 0.8</data></R>
<T><_>-0.08</_><_>0.</_><_>0.06</_></T>
</opencv_storage>
)");
  EXPECT_EQ(file.format, RigFormat::opencv_xml);
  EXPECT_EQ(file.rig.left, (Camera{{640, 480}, 530, 531, 320.25, 240.5, LensModel::fisheye, {0.1, 0.2, 0.3, 0.4}}));
  EXPECT_EQ(file.rig.right, (Camera{{640, 480}, 540, 541, 322, 238, LensModel::fisheye, {}}));
  EXPECT_EQ(file.rig.rotation, turn);
  EXPECT_THAT(file.rig.translation, ElementsAre(-0.08, 0, 0.06));
}

TEST(RigRead, OpencvJson) {
  const RigFile file = parsed(R"({"image_width":640,"image_height":480,
    "M1": {"type_id": "opencv-matrix", "rows": 3, "cols": 3, "dt": "d", "data": [530.0,0,320.25,0,531,240.5,0,0,1]},
    "D1": {"type_id": "opencv-matrix", "rows": 5, "cols": 1, "dt": "d", "data": [-0.28,0.07,1e-3,-2.0e-04,0.01]},
    "M2": {"rows": 3, "cols": 3, "data": [540,0,322,0,541,238,0,0,1]},
    "D2": [1,2,3,4,5,6,7,8], "R": [[0.8,0,0.6],[0,1,0],[-0.6,0,0.8]], "T": [-0.08,0,0.06]})");
  EXPECT_EQ(file.format, RigFormat::opencv_json);
  EXPECT_EQ(file.rig, parsed(opencv_yaml).rig);
}

TEST(RigRead, UnitsOfTranslations) {
  const std::string text =
      with(opencv_yaml, "[ -0.08, 0., 0.06 ]", "[ -80., 0., 60. ]") + with(opencv_rectification, "-40.", "-40000.");
  EXPECT_THAT(parsed(text).doubts, ElementsAre(HasSubstr(made_up), HasSubstr("the baseline is 100 m")));
  const RigFile file = parsed(text, RigReadOptions{.metres_per_unit = 0.001});
  EXPECT_THAT(file.doubts, ElementsAre(HasSubstr(made_up)));
  EXPECT_DOUBLE_EQ(file.rig.translation[0], -0.08);
  EXPECT_DOUBLE_EQ(file.rig.rectified->p2[3], -40);
}

TEST(RigRead, FourCoefficientsMayBeAFisheyes) {
  const auto four = [](const char* numbers) {
    const std::string d1 = with(opencv_yaml, "cols: 5\n   dt: d\n   data: [ -0.28, 0.07, 1.0e-03, -2.0e-04, 0.01 ]",
                                std::string("cols: 4\n   dt: d\n   data: [ ") + numbers + " ]");
    return with(d1, "cols: 8\n   dt: d\n   data: [ 1., 2., 3., 4., 5., 6., 7., 8. ]",
                "cols: 4\n   dt: d\n   data: [ 0.1, 0., 0., 0. ]");
  };
  EXPECT_THAT(parsed(four("0.1, -0.2, 0.3, -0.05")).doubts, ElementsAre(HasSubstr("fisheye_model: 1")));
  const std::string text = four("0.1, -0.2, 0.03, -0.05");
  EXPECT_EQ(parsed(text).rig.left.model, LensModel::pinhole);
  EXPECT_THAT(parsed(text).doubts, ElementsAre(HasSubstr("p1 = 0.03 and p2 = -0.05, and lenses have up to 0.02")));
  const RigFile fisheye = parsed(text, RigReadOptions{.fisheye = true});
  EXPECT_THAT(fisheye.doubts, IsEmpty());
  EXPECT_EQ(fisheye.rig.left.model, LensModel::fisheye);
  EXPECT_EQ(fisheye.rig.left.distortion[3], -0.05);
  EXPECT_THAT(parsed(four("0.1, -0.2, 0.01, -0.01")).doubts, IsEmpty());
  EXPECT_ERROR(parsed(opencv_yaml, RigReadOptions{.fisheye = true}), ErrorCode::bad_data, "a fisheye has 4");
}

TEST(RigRead, RosOfAPartOfThePictureIsRefused) {
  EXPECT_ERROR(parsed(ros_left, with(ros_right, "binning_x: 0", "binning_x: 2")), ErrorCode::bad_data,
               "binning_x is 2");
  EXPECT_ERROR(parsed(ros_left, with(ros_right, "height: 0, width: 0", "height: 90, width: 80")), ErrorCode::bad_data,
               "roi chooses a part");
}

/// R = R2^T R1, T = R2^T (-40 / 400, 0, 0).
TEST(RigRead, Ros) {
  const RigFile file = parsed(ros_left, ros_right);
  EXPECT_EQ(file.format, RigFormat::ros);
  EXPECT_EQ(file.rig.left, left_camera);
  EXPECT_EQ(file.rig.right, right_camera);
  EXPECT_EQ(file.rig.rotation, turn);
  EXPECT_DOUBLE_EQ(file.rig.translation[0], -0.08);
  EXPECT_DOUBLE_EQ(file.rig.translation[2], 0.06);
  EXPECT_EQ(file.rig.rectified->r2, back);
  EXPECT_EQ(file.rig.rectified->p2[3], -40);
  EXPECT_THAT(file.doubts, ElementsAre(HasSubstr(made_up)));
  EXPECT_ERROR(parsed(ros_left), ErrorCode::bad_data, "it tells one camera of ROS: give two files");
}

TEST(RigRead, Kalibr) {
  const RigFile file = parsed(kalibr);
  EXPECT_EQ(file.format, RigFormat::kalibr);
  EXPECT_EQ(file.rig.left,
            (Camera{{640, 480}, 530, 531, 320.25, 240.5, LensModel::pinhole, {-0.28, 0.07, 1e-3, -2e-4}}));
  EXPECT_EQ(file.rig.right, (Camera{{640, 480}, 540, 541, 322, 238, LensModel::fisheye, {0.1, 0.2, 0.3, 0.4}}));
  EXPECT_EQ(file.rig.rotation, turn);
  EXPECT_THAT(file.rig.translation, ElementsAre(-0.08, 0, 0.06));
  EXPECT_ERROR(parsed(with(kalibr, "pinhole", "omni")), ErrorCode::unsupported, "cam0.camera_model is 'omni'");
  EXPECT_ERROR(parsed(with(kalibr, "radtan", "fov")), ErrorCode::unsupported, "cam0.distortion_model is 'fov'");
  EXPECT_ERROR(parsed(kalibr, RigReadOptions{.left_camera = 1}), ErrorCode::bad_data, "cam2 is missing");
  EXPECT_ERROR(parsed(kalibr, RigReadOptions{.left_camera = 0, .right_camera = 3}), ErrorCode::unsupported,
               "neighbours");
}

/// Both cameras are turned alike; the right one lies 0.11 m further along the body's y, the cameras' x.
TEST(RigRead, Euroc) {
  const RigFile file = parsed(euroc("-0.25"), euroc("0.25"));
  EXPECT_EQ(file.format, RigFormat::euroc);
  EXPECT_EQ(file.rig.left,
            (Camera{{752, 480}, 458.5, 457.5, 367.25, 248.5, LensModel::pinhole, {-0.28, 0.07, 2e-4, 1.75e-5}}));
  EXPECT_EQ(file.rig.rotation, identity);
  EXPECT_THAT(file.rig.translation, ElementsAre(-0.5, 0, 0));
  EXPECT_ERROR(parsed(euroc("0.25")), ErrorCode::bad_data, "one camera of EuRoC");
}

/// R = R_03 R_02^T, T = T_03 - R T_02 = (-0.5, 0, 0) - R (0.25, 0, 0) = (-0.5, 0.25, 0).
TEST(RigRead, KittiRaw) {
  const RigFile file = parsed(kitti_raw);
  EXPECT_EQ(file.format, RigFormat::kitti_raw);
  EXPECT_EQ(file.rig.left,
            (Camera{{1392, 512}, 960, 950, 700, 220, LensModel::pinhole, {-0.36, 0.2, 1.5e-3, -3e-4, -0.06}}));
  EXPECT_EQ(file.rig.right.fx, 970);
  EXPECT_EQ(file.rig.rotation, (Matrix3x3{0, 1, 0, -1, 0, 0, 0, 0, 1}));
  EXPECT_THAT(file.rig.translation, ElementsAre(-0.5, 0.25, 0));
  EXPECT_EQ(file.rig.rectified->r1, (Matrix3x3{0, 1, 0, -1, 0, 0, 0, 0, 1}));
  EXPECT_EQ(file.rig.rectified->p2[7], 175);
  EXPECT_EQ(file.rig.rectified->size, (Size{1242, 375}));
  EXPECT_THAT(file.doubts,
              ElementsAre(HasSubstr(made_up), HasSubstr("turned by -90.0 degrees about its axis of view")));
  EXPECT_ERROR(parsed(kitti_raw, RigReadOptions{.left_camera = 0}), ErrorCode::bad_data, "K_00 is missing");
}

TEST(RigRead, KittiOdometry) {
  const RigFile file = parsed(kitti_odometry);
  EXPECT_EQ(file.format, RigFormat::kitti_odometry);
  EXPECT_EQ(file.rig.left, (Camera{{}, 718.5, 718.5, 607.25, 185.5, LensModel::pinhole, {}}));
  EXPECT_EQ(file.rig.rotation, identity);
  EXPECT_THAT(file.rig.translation, ElementsAre(-0.5, 0, 0));
  EXPECT_EQ(file.rig.rectified->p2[3], -359.25);
  EXPECT_ERROR(parsed(kitti_odometry, kitti_odometry), ErrorCode::bad_data, "it holds both cameras");
}

TEST(RigRead, Middlebury) {
  const RigFile file = parsed(middlebury);
  EXPECT_EQ(file.format, RigFormat::middlebury);
  EXPECT_EQ(file.rig.left, (Camera{{1920, 1080}, 1733.74, 1733.75, 792.27, 541.89, LensModel::pinhole, {}}));
  EXPECT_EQ(file.rig.right.cx, 822.27);
  EXPECT_THAT(file.rig.translation, ElementsAre(-0.53662, 0, 0));
  EXPECT_DOUBLE_EQ(file.rig.rectified->p2[3], -0.53662 * 1733.74);
  EXPECT_THAT(file.doubts, IsEmpty());
  EXPECT_ERROR(parsed(with(middlebury, "536.62", "-536.62")), ErrorCode::bad_data, "exchanged");
  EXPECT_ERROR(parsed(with(middlebury, "baseline", "base")), ErrorCode::bad_data, "baseline is missing");
}

TEST(RigRead, NamesWhatIsMissing) {
  for (const char* const key : {"M1:", "D1:", "M2:", "D2:", "R:", "T:"})
    EXPECT_ERROR(parsed(with(opencv_yaml, key, "x:")), ErrorCode::bad_data, std::string(key, std::strlen(key) - 1));
  for (const char* const key : {"R1:", "R2:", "P1:", "P2:"})
    EXPECT_ERROR(parsed(opencv_yaml + with(opencv_rectification, key, "x:")), ErrorCode::bad_data,
                 std::string(key, 2) + " is missing");
  for (const char* const key : {"camera_matrix", "distortion_coefficients", "rectification_matrix", "image_width"})
    EXPECT_ERROR(parsed(with(ros_left, key, "x"), ros_right), ErrorCode::bad_data, std::string(key) + " (or");
  EXPECT_ERROR(parsed(with(ros_left, "distortion_model", "x"), ros_right), ErrorCode::bad_data,
               "distortion_model is missing");
  for (const char* const key : {"camera_model", "distortion_coeffs", "distortion_model", "resolution"})
    EXPECT_ERROR(parsed(with(kalibr, key, "x")), ErrorCode::bad_data, std::string("cam0.") + key + " is missing");
  EXPECT_ERROR(parsed(with(kalibr, "T_cn_cnm1", "x")), ErrorCode::bad_data, "cam1.T_cn_cnm1 is missing");
  for (const char* const key : {"intrinsics", "distortion_coefficients", "resolution"})
    EXPECT_ERROR(parsed(with(euroc("0"), key, "x"), euroc("1")), ErrorCode::bad_data, std::string(key) + " is missing");
  for (const char* const key : {"K_03", "D_02", "R_02", "T_03", "R_rect_02", "P_rect_03"})
    EXPECT_ERROR(parsed(with(kitti_raw, key, "x")), ErrorCode::bad_data, std::string(key) + " is missing");
  EXPECT_ERROR(parsed(with(kitti_odometry, "P1", "x")), ErrorCode::bad_data, "P1 is missing");
}

TEST(RigRead, RefusesWhatCannotBeByTheFilesOwnNames) {
  const auto changed = [](const char* from, const char* to) { return with(opencv_yaml, from, to); };
  EXPECT_ERROR(parsed(changed("0.8, 0., 0.6", "0.9, 0., 0.6")), ErrorCode::bad_data,
               "R: rotation is no rotation matrix");
  EXPECT_ERROR(parsed(changed("-0.08, 0., 0.06", "0., 0., 0.")), ErrorCode::bad_data, "T: translation is 0");
  EXPECT_ERROR(parsed(changed("5.3e+02", ".Nan")), ErrorCode::bad_data, "line 9: M1 holds \".Nan\"");
  EXPECT_ERROR(parsed(changed("5.3e+02", "0.")), ErrorCode::bad_data, "left fx is 0");
  EXPECT_ERROR(parsed(changed("5.3e+02, 0.", "5.3e+02, 0.5")), ErrorCode::bad_data, "M1 has a skew of 0.5");
  EXPECT_ERROR(parsed(changed("[ -0.08, 0., 0.06 ]", "[ -0.08, 0. ]")), ErrorCode::bad_data, "T is 3x1 and has 2");
  EXPECT_ERROR(parsed(changed("cols: 5", "cols: 6")), ErrorCode::bad_data, "D1 is 1x6 and has 5 numbers");
  EXPECT_ERROR(parsed(changed("cols: 5", "cols: 4")), ErrorCode::bad_data,
               "D1 is 1x4 and has 5 numbers: a decimal comma makes two of one");
  EXPECT_ERROR(parsed(changed("640", "640.5")), ErrorCode::bad_data, "image_width is 640.5");
  EXPECT_ERROR(parsed(with(kalibr, "[0.8, 0.0", "[0.7, 0.0")), ErrorCode::bad_data,
               "T_cn_cnm1: rotation is no rotation");
  EXPECT_ERROR(parsed(with(kalibr, "0.0, 0.0, 0.0, 1.0]", "0.0, 0.0, 0.0, 2.0]")), ErrorCode::bad_data, "last row");
  EXPECT_ERROR(parsed(with(kalibr, "[640, 480]", "[640]")), ErrorCode::bad_data, "cam0.resolution has 1 numbers");
  EXPECT_ERROR(parsed(with(ros_left, "plumb_bob", "fov"), ros_right), ErrorCode::unsupported,
               "distortion_model is 'fov'");
  EXPECT_ERROR(parsed(with(ros_left, "[400.0", "[0.0"), ros_right), ErrorCode::bad_data, "projection_matrix is no");
}

TEST(RigRead, RefusesWhatIsNoCalibration) {
  EXPECT_ERROR(parsed(""), ErrorCode::bad_data, "empty");
  EXPECT_ERROR(parsed("hello"), ErrorCode::bad_data, "no names");
  EXPECT_ERROR(parsed("a: 1\n"), ErrorCode::bad_data, "no calibration of two cameras");
  EXPECT_ERROR(parsed("a: [1,\n2\n"), ErrorCode::bad_data, "it is not YAML");
  EXPECT_ERROR(parsed("<a><b></a>"), ErrorCode::bad_data, "it is not XML");
  EXPECT_ERROR(parsed("a: 1\na: 2\n"), ErrorCode::bad_data, "a is there twice");
  EXPECT_ERROR(parsed(std::string(100, '[')), ErrorCode::bad_data, "nested too deeply");
  EXPECT_ERROR(parsed(R"(a: &a [1, 2])"
                      "\nb: *c\n"),
               ErrorCode::bad_data, "");
}

/// Each level names the one before it nine times: written out, 9^9 numbers.
TEST(RigRead, AliasesAreBounded) {
  std::string text = "l0: &l0 []\n";
  for (int i = 1; i < 10; ++i) {
    text += "l" + std::to_string(i) + ": &l" + std::to_string(i) + " [";
    for (int j = 0; j < 9; ++j) text += "*l" + std::to_string(i - 1) + (j < 8 ? ", " : "]\n");
  }
  EXPECT_ERROR(parsed(with(text, "l9", "M1")), ErrorCode::bad_data, "M2");
  EXPECT_ERROR(parsed(text + "M2: *l9\nM1: *l9\n"), ErrorCode::bad_data, "nested too deeply");
  EXPECT_EQ(parsed(with(with(kalibr, "resolution: [640", "resolution: &r [640"), "cam1:", "x: *r\ncam1:")).rig,
            parsed(kalibr).rig);
}

/// Such a file is a rig's with a mistake; others may be those of rectified pairs.
TEST(RigRead, AnErrorTellsWhetherTheFileSpeaksOfLenses) {
  const TemporaryDirectory directory;
  const auto field_of = [&](std::string_view text) {
    write_bytes(directory / "a.txt", text);
    try {
      read_rig({directory / "a.txt"});
    } catch (const Error& error) {
      return std::string(error.field());
    }
    return std::string("no error");
  };
  EXPECT_EQ(field_of("focal: 500\n"), "");
  for (const std::string word : {"distortion_coefficients", "distCoeffs", "dist_coeffs1", "D1", "D_00"})
    EXPECT_EQ(field_of("focal: 500\n" + word + ": [0, 0]\n"), "distortion") << word;
}

TEST(RigRead, FilesAreBounded) {
  const TemporaryDirectory directory;
  write_bytes(directory / "a.yml", opencv_yaml);
  write_bytes(directory / "large.yml", opencv_yaml + std::string(1 << 20, ' '));
  EXPECT_EQ(read_rig({directory / "a.yml"}).rig, parsed(opencv_yaml).rig);
  EXPECT_ERROR(read_rig({directory / "large.yml"}), ErrorCode::bad_data, "larger than 1 MB");
  EXPECT_ERROR(read_rig({directory / "none.yml"}), ErrorCode::not_found, "none.yml");
  EXPECT_ERROR(read_rig({}), ErrorCode::invalid_argument, "0 calibration files");
  EXPECT_ERROR(read_rig({directory / "a.yml"}, RigReadOptions{.metres_per_unit = 0}), ErrorCode::invalid_argument,
               "unit");
}

}  // namespace
}  // namespace vergence
