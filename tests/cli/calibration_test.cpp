// SPDX-License-Identifier: Apache-2.0
// `calibration`: what it says of files, what it writes, and what it refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "cli/bad_input.hpp"
#include "cli/printed_json.hpp"
#include "cli/program.hpp"
#include "vergence/rig_io.hpp"

namespace vergence::cli_test {
namespace {

/// The right camera 0.1 m away, turned by the angle whose sine is 0.6 about y.
const std::string kalibr = R"(cam0:
  camera_model: pinhole
  distortion_coeffs: [-0.25, 0.0625, 0.0, 0.0]
  distortion_model: radtan
  intrinsics: [320.0, 320.0, 319.5, 239.5]
  resolution: [640, 480]
cam1:
  T_cn_cnm1: [[0.8, 0.0, 0.6, -0.08], [0.0, 1.0, 0.0, 0.0], [-0.6, 0.0, 0.8, 0.06], [0.0, 0.0, 0.0, 1.0]]
  camera_model: pinhole
  distortion_coeffs: [0.0, 0.0, 0.0, 0.0]
  distortion_model: equidistant
  intrinsics: [320.0, 320.0, 319.5, 239.5]
  resolution: [640, 480]
)";

const std::string odometry = "P0: 700 0 600 0 0 700 170 0 0 0 1 0\nP1: 700 0 600 -350 0 700 170 0 0 0 1 0\n";

TEST(CalibrationCommand, ShowSaysItInWords) {
  const Scratch scratch;
  scratch.write("k.yaml", kalibr);
  const Result shown = scratch.run({"calibration", "show", "k.yaml"});
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_EQ(shown.err, "");
  for (const char* part :
       {"format    kalibr\n", "left      640x480, pinhole with radial and tangential distortion\n",
        "focal length 320.00 x 320.00 px, principal point (319.50, 239.50)",
        "sees 90.0 x 73.7 degrees, distortion left aside",  // twice atan(320 / 320), atan(240 / 320)
        "right     640x480, fisheye (equidistant, k1 .. k4)\n",
        "sees 114.6 x 85.9 degrees\n",  // 2 rad, 1.5 rad
        "baseline 0.1 m", "turned by 36.870 degrees: 0.000 about x (right), 36.870 about y", "rectified not told"})
    EXPECT_TRUE(holds(shown.out, part)) << part << " in\n" << shown.out;
}

/// A fisheye's coefficients that were found within 40 degrees of the axis, and fold the picture further out.
TEST(CalibrationCommand, ShowBearsAFisheyeThatFolds) {
  const Scratch scratch;
  const auto shown = [&](const std::string& intrinsics) {
    std::string text = kalibr;
    const auto replace = [&text](const std::string& from, const std::string& to) {
      text.replace(text.rfind(from), from.size(), to);
    };
    replace("[0.0, 0.0, 0.0, 0.0]\n", "[0.0868, -0.6997, 3.5366, -6.171]\n");
    replace("[320.0, 320.0, 319.5, 239.5]", intrinsics);
    scratch.write("k.yaml", text);
    return scratch.run({"calibration", "show", "k.yaml"}).out;
  };
  EXPECT_TRUE(holds(shown("[540.0, 540.0, 319.5, 239.5]"), "sees 67.6 x 50.5 degrees\n"))
      << shown("[540.0, 540.0, 319.5, 239.5]");
  EXPECT_TRUE(holds(shown("[320.0, 320.0, 319.5, 239.5]"), "sees 80.2 x 80.2 degrees\n"))
      << shown("[320.0, 320.0, 319.5, 239.5]");
}

TEST(CalibrationCommand, ShowAsJson) {
  const Scratch scratch;
  scratch.write("k.yaml", kalibr);
  const Json rig = Json::parse(scratch.run({"calibration", "show", "k.yaml", "--json"}).out)["rig"];
  EXPECT_EQ(rig["left"]["distortion"], Json::parse("[-0.25, 0.0625]"));
  EXPECT_EQ(rig["left"]["view_degrees"], Json::parse("[90.0, 73.74]"));
  EXPECT_EQ(rig["right"]["model"], "fisheye");
  EXPECT_NEAR(rig["turn_degrees"][1].get<double>(), 180 / M_PI * std::asin(0.6), 1e-6);
  EXPECT_EQ(rig["translation"], Json::parse("[-0.08, 0.0, 0.06]"));
  EXPECT_DOUBLE_EQ(rig["baseline_m"].get<double>(), 0.1);
  EXPECT_TRUE(rig["rectified"].is_null());
}

/// Half a turn about each axis: the sine is 0 there.
TEST(CalibrationCommand, ShowKnowsHalfTurns) {
  const Scratch scratch;
  const std::string pose = "[[0.8, 0.0, 0.6, -0.08], [0.0, 1.0, 0.0, 0.0], [-0.6, 0.0, 0.8, 0.06], ";
  const std::vector<std::string> turned{"[[1, 0, 0, 1], [0, -1, 0, 0], [0, 0, -1, 0], ",
                                        "[[-1, 0, 0, 1], [0, 1, 0, 0], [0, 0, -1, 0], ",
                                        "[[-1, 0, 0, 1], [0, -1, 0, 0], [0, 0, 1, 0], "};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::string text = kalibr;
    scratch.write("k.yaml", text.replace(text.find(pose), pose.size(), turned[axis]));
    const Json rig = Json::parse(scratch.run({"calibration", "show", "k.yaml", "--json"}).out)["rig"];
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(std::abs(rig["turn_degrees"][i].get<double>()), i == axis ? 180 : 0);
  }
}

TEST(CalibrationCommand, ConvertsThereAndBackWithTheSameBits) {
  const Scratch scratch;
  scratch.write("p.txt", odometry);
  const StereoRig rig = read_rig({scratch.path("p.txt")}).rig;
  for (const std::vector<std::string>& files : {std::vector<std::string>{"a.yml"}, {"a.yaml"}, {"a.xml"}, {"a.json"}}) {
    const Result made = scratch.run({"calibration", "convert", "p.txt", "-o", files[0]});
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_EQ(read_rig({scratch.path(files[0])}).rig, rig) << files[0];
  }
  const Result back = scratch.run({"calibration", "convert", "a.xml", "-o", "q.txt", "--format", "kitti-odometry"});
  EXPECT_EQ(back.status, 0) << back.err;
  EXPECT_EQ(read_rig({scratch.path("q.txt")}).rig, rig);
}

TEST(CalibrationCommand, WritesTwoFilesAndScales) {
  const Scratch scratch;
  std::string text = kalibr;
  scratch.write("k.yaml", text.replace(text.find("equidistant"), 11, "radtan"));
  const Result made = scratch.run({"calibration", "convert", "k.yaml", "-o", "l.yaml", "--other", "r.yaml", "--format",
                                   "euroc", "--size", "320x240", "--json"});
  ASSERT_EQ(made.status, 0) << made.err;
  const Json report = Json::parse(made.out);
  EXPECT_EQ(report["outputs"], Json::parse(R"(["l.yaml", "r.yaml"])"));
  EXPECT_EQ(report["format"], "kalibr");
  EXPECT_EQ(report["written"], "euroc");
  EXPECT_EQ(report["left_out"], "");
  const StereoRig rig = read_rig({scratch.path("l.yaml"), scratch.path("r.yaml")}).rig;
  EXPECT_EQ(rig.left.size, (Size{320, 240}));
  EXPECT_EQ(rig.left.fx, 160);
  EXPECT_EQ(rig.left.cx, 159.5);
  EXPECT_EQ(rig.translation, (std::array<double, 3>{-0.08, 0, 0.06}));
}

TEST(CalibrationCommand, SizeIsTakenWhereTheFileTellsNone) {
  const Scratch scratch;
  scratch.write("p.txt", odometry);
  const Result made =
      scratch.run({"calibration", "convert", "p.txt", "-o", "k.yaml", "--format", "kalibr", "--size", "1241x376"});
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_TRUE(holds(made.out, "left out  the rectification")) << made.out;
  const StereoRig rig = read_rig({scratch.path("k.yaml")}).rig;
  EXPECT_EQ(rig.right.size, (Size{1241, 376}));
  EXPECT_EQ(rig.left.fx, 700);
  const Result small = scratch.run({"calibration", "show", "p.txt", "--size", "320x200"});
  EXPECT_TRUE(holds(small.err, "left cx = 600 lies outside the picture of 320 px")) << small.err;
}

TEST(CalibrationCommand, SaysWhatIsLeftOutAndWarns) {
  const Scratch scratch;
  scratch.write("p.txt", odometry);
  scratch.write("far.txt", "P0: 700 0 600 0 0 700 170 0 0 0 1 0\nP1: 700 0 600 -35000 0 700 170 0 0 0 1 0\n");
  const Result far = scratch.run({"calibration", "show", "far.txt"});
  EXPECT_EQ(far.status, 0);
  EXPECT_TRUE(holds(far.err, "vergence: warning: the baseline is 50 m: is it in another unit")) << far.err;
  EXPECT_EQ(scratch.run({"calibration", "show", "far.txt", "--unit", "cm"}).err, "");
  const Result strict = scratch.run({"calibration", "convert", "far.txt", "-o", "x.yml", "--strict"});
  EXPECT_EQ(strict.status, 1);
  EXPECT_FALSE(scratch.has("x.yml"));
  const Result refused = scratch.run({"calibration", "convert", "p.txt", "-o", "k.yaml", "--format", "kalibr"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(holds(refused.err, "kalibr needs the size of the pictures")) << refused.err;
}

/// What follows from the size is told of the size that is given, and once.
TEST(CalibrationCommand, WarnsOfCamerasThatNobodyHas) {
  const Scratch scratch;
  scratch.write("x.txt", "P0: 700 0 600 0 0 700 170 0 0 0 1 0\nP1: 700 0 600 350 0 700 170 0 0 0 1 0\n");
  const Result exchanged = scratch.run({"calibration", "show", "x.txt"});
  EXPECT_EQ(exchanged.status, 0);
  EXPECT_TRUE(holds(exchanged.err, "the right camera stands 0.5 m left of the left one: exchange")) << exchanged.err;
  EXPECT_EQ(lines(exchanged.err), 1u) << exchanged.err;
  scratch.write("mm.txt", "P0: 4 0 600 0 0 4 170 0 0 0 1 0\nP1: 4 0 600 -2 0 4 170 0 0 0 1 0\n");
  const Result unit = scratch.run({"calibration", "show", "mm.txt", "--size", "1241x376"});
  EXPECT_TRUE(holds(unit.err, "left fx = 4 px is 0.0032 times the pictures' width of 1241 px")) << unit.err;
  EXPECT_EQ(lines(unit.err), 2u) << unit.err;  // left and right
}

/// Middlebury's files say themselves what they count in.
TEST(CalibrationCommand, UnitsThatDoNothing) {
  const Scratch scratch;
  scratch.write("calib.txt",
                "cam0=[700 0 320; 0 700 240; 0 0 1]\ncam1=[700 0 330; 0 700 240; 0 0 1]\ndoffs=10\nbaseline=120\n"
                "width=640\nheight=480\n");
  EXPECT_EQ(scratch.run({"calibration", "show", "calib.txt"}).err, "");
  EXPECT_EQ(scratch.run({"calibration", "show", "calib.txt", "--unit", "mm"}).err, "");
  const Result shown = scratch.run({"calibration", "show", "calib.txt", "--unit", "m"});
  EXPECT_TRUE(holds(shown.err, "--unit m does nothing: Middlebury's files are in mm, and the baseline is 0.12 m"))
      << shown.err;
  scratch.write("a.pgm", pgm(640, 480, 255, [](int x, int y) { return (x * 37 + y * 91 + x * y * 7) & 255; }));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"stereo", "a.pgm", "a.pgm", "--depth", "z.pfm", "--disparities", "8"},
        {"rectify", "a.pgm", "a.pgm", "-o", "l.pgm", "--other", "r.pgm"}}) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--calibration", "calib.txt", "--unit", "cm"});
    const Result result = scratch.run(all);
    EXPECT_TRUE(holds(result.err, "--unit cm does nothing: Middlebury's files are in mm")) << result.err;
  }
  const std::vector<std::string> strict{"calibration", "convert", "calib.txt", "-o",
                                        "x.yml",       "--unit",  "cm",        "--strict"};
  EXPECT_EQ(scratch.run(strict).status, 1);
  EXPECT_FALSE(scratch.has("x.yml"));
}

TEST(CalibrationCommand, FisheyesOfOpencv) {
  const Scratch scratch;
  const std::string lens = "[320, 0, 319.5, 0, 320, 239.5, 0, 0, 1]";
  scratch.write("f.json", "{\"M1\": " + lens + ", \"M2\": " + lens +
                              ", \"D1\": [0.1, 0.2, 0.3, 0.4], \"D2\": [0, 0, 0, 0], \"R\": [1, 0, 0, 0, 1, 0, 0, 0, "
                              "1], \"T\": [-0.1, 0, 0]}");
  const Result doubted = scratch.run({"calibration", "show", "f.json", "--size", "640x480"});
  EXPECT_TRUE(holds(doubted.err, "vergence: warning: left distortion: p1 = 0.3 and p2 = 0.4")) << doubted.err;
  EXPECT_EQ(lines(doubted.err), 1u) << doubted.err;
  const Result shown = scratch.run({"calibration", "show", "f.json", "--fisheye"});
  EXPECT_EQ(shown.err, "");
  EXPECT_TRUE(holds(shown.out, "fisheye (equidistant")) << shown.out;
}

TEST(CalibrationCommand, RefusesWhatCannotBe) {
  const Scratch scratch;
  scratch.write("k.yaml", kalibr);
  scratch.write("p.txt", odometry);
  scratch.write("text.txt", "hello\n");
  const std::vector<BadCase> cases{
      {"nothing", {"calibration"}, 2, {"ACTION"}},
      {"action", {"calibration", "print", "k.yaml"}, 2, {"'print'", "show, convert"}},
      {"no_file", {"calibration", "show"}, 2, {"FILE"}},
      {"three", {"calibration", "show", "a", "b", "c"}, 2, {"3 files"}},
      {"missing", {"calibration", "show", "none.yml"}, 1, {"none.yml", "no such file"}},
      {"text", {"calibration", "show", "text.txt"}, 1, {"text.txt", "no names"}},
      {"directory", {"calibration", "show", "."}, 1, {"directory"}},
      {"show_output", {"calibration", "show", "k.yaml", "-o", "x.yml"}, 2, {"--output is for `convert`"}},
      {"no_output", {"calibration", "convert", "k.yaml"}, 2, {"--output"}},
      {"ending", {"calibration", "convert", "k.yaml", "-o", "x.txt"}, 2, {"--format"}},
      {"format", {"calibration", "convert", "k.yaml", "-o", "x", "--format", "matlab"}, 2, {"'matlab'", "kalibr"}},
      {"raw", {"calibration", "convert", "p.txt", "-o", "x", "--format", "kitti-raw"}, 1, {"kitti-raw is read, not"}},
      {"one", {"calibration", "convert", "k.yaml", "-o", "x", "--format", "euroc"}, 2, {"--other"}},
      {"two", {"calibration", "convert", "k.yaml", "-o", "x", "--other", "y", "--format", "kalibr"}, 2, {"one file"}},
      {"same", {"calibration", "convert", "k.yaml", "-o", "x", "--other", "x", "--format", "euroc"}, 2, {"'x'"}},
      {"itself", {"calibration", "convert", "k.yaml", "-o", "k.yaml"}, 2, {"overwrite the input"}},
      {"unit", {"calibration", "show", "k.yaml", "--unit", "inch"}, 2, {"'inch'", "m, cm, mm"}},
      {"size", {"calibration", "show", "k.yaml", "--size", "640x360"}, 1, {"640x480", "640x360", "one factor"}},
      {"cameras", {"calibration", "show", "p.txt", "--cameras", "1:1"}, 2, {"--cameras", "1:1"}},
      {"camera_missing", {"calibration", "show", "p.txt", "--cameras", "1:2"}, 1, {"P2 is missing"}},
      {"mixed", {"calibration", "convert", "k.yaml", "-o", "x.yml"}, 1, {"two fisheyes or none"}},
  };
  for (const BadCase& bad : cases) {
    SCOPED_TRACE(bad.name);
    expect_refused(scratch, bad);
  }
}

}  // namespace
}  // namespace vergence::cli_test
