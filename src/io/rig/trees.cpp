// SPDX-License-Identifier: Apache-2.0
// Rigs of trees: OpenCV's FileStorage, ROS's camera_info, Kalibr's camchain, EuRoC's sensor.yaml.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/matrix.hpp"
#include "io/bytes.hpp"
#include "io/rig/formats.hpp"
#include "io/rig/projection.hpp"

namespace vergence::io::rig {

using namespace matrix;
namespace {

[[noreturn]] void fail_lens(const Entry& where, const std::string& allowed) {
  fail_read(ErrorCode::unsupported, where.file(),
            fmt::format("{} is '{}': allowed are {}", where.path(), shown(where.word()), allowed));
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Size pair_size(const Entry& entry) {
  const std::vector<double> numbers = entry.numbers(2);
  constexpr double most = 1e9;
  for (const double number : numbers)
    if (!(number >= 1 && number <= most && number == static_cast<int>(number)))
      entry.fail(fmt::format("holds {}: width and height in whole px are wanted", number));
  return {static_cast<int>(numbers[0]), static_cast<int>(numbers[1])};
}

Size named_size(const Entry& at, std::initializer_list<std::string_view> width,
                std::initializer_list<std::string_view> height) {
  const auto wide = at.find_any(width), high = at.find_any(height);
  if (!wide && !high) return {};
  return {at.require(width).pixels(), at.require(height).pixels()};
}

/// fu fv pu pv.
void set_four(Camera& camera, const Entry& entry) {
  const std::vector<double> numbers = entry.numbers(4);
  camera.fx = numbers[0];
  camera.fy = numbers[1];
  camera.cx = numbers[2];
  camera.cy = numbers[3];
}

/// Kalibr's and EuRoC's words for lenses, and their numbers.
void set_named_lens(Camera& camera, const Entry& at, const char* coefficients) {
  const Entry kind = at.require({"camera_model"});
  if (kind.word() != "pinhole") fail_lens(kind, "pinhole");
  set_four(camera, at.require({"intrinsics"}));
  const Entry lens = at.require({"distortion_model"});
  if (lens.word() == "none") return;
  const bool fisheye = lens.word() == "equidistant";
  if (!fisheye && !is_one_of(lens.word(), {"radtan", "radial-tangential", "plumb_bob"}))
    fail_lens(lens, "radtan, radial-tangential, equidistant, none");
  set_lens(camera, fisheye ? LensModel::fisheye : LensModel::pinhole, at.require({coefficients}));
}

// --------------------------------------------------------------------------------------------------------- OpenCV

using Keys = std::initializer_list<std::string_view>;

/// What stands in one of two files.
class OpencvFiles {
 public:
  explicit OpencvFiles(const std::vector<Tree>& trees) : trees_(trees) {}

  std::optional<Entry> find(Keys keys) const {
    std::optional<Entry> found;
    for (const Tree& tree : trees_) {
      const auto entry = tree.root().find_any(keys);
      if (entry && found) entry->fail(fmt::format("is in {}, too: leave one of them", found->file()));
      if (entry) found = entry;
    }
    return found;
  }
  Entry require(Keys keys) const {
    if (const auto entry = find(keys)) return *entry;
    if (trees_.size() == 1) return trees_[0].root().require(keys);
    fail_read(ErrorCode::bad_data, trees_[0].file() + "\" and \"" + trees_[1].file(),
              fmt::format("{} is in neither: give the files of intrinsics and of extrinsics", *keys.begin()));
  }
  Size size() const {
    if (const auto entry = find({"image_size", "imageSize", "img_size", "size"})) return pair_size(*entry);
    return both({"image_width", "width"}, {"image_height", "height"});
  }
  Size rectified_size() const { return both({"rectified_width"}, {"rectified_height"}); }

 private:
  Size both(Keys width, Keys height) const {
    if (!find(width) && !find(height)) return {};
    return {require(width).pixels(), require(height).pixels()};
  }
  const std::vector<Tree>& trees_;
};

const Keys left_matrix = {"M1", "cameraMatrix1", "camera_matrix_1",    "camera_matrix1",
                          "K1", "cameraMatrixL", "camera_matrix_left", "left_camera_matrix"};
const Keys right_matrix = {"M2", "cameraMatrix2", "camera_matrix_2",     "camera_matrix2",
                           "K2", "cameraMatrixR", "camera_matrix_right", "right_camera_matrix"};
const Keys left_coefficients = {"D1",          "distCoeffs1",      "dist_coeffs_1",   "dist_coeffs1",
                                "distCoeffsL", "dist_coeffs_left", "left_dist_coeffs"};
const Keys right_coefficients = {"D2",          "distCoeffs2",       "dist_coeffs_2",    "dist_coeffs2",
                                 "distCoeffsR", "dist_coeffs_right", "right_dist_coeffs"};

std::optional<RigRectification> opencv_rectification(const OpencvFiles& files) {
  if (!files.find({"R1"}) && !files.find({"R2"}) && !files.find({"P1"}) && !files.find({"P2"})) return std::nullopt;
  RigRectification rectified;
  rectified.r1 = matrix3x3(files.require({"R1"}));
  rectified.r2 = matrix3x3(files.require({"R2"}));
  rectified.p1 = matrix3x4(files.require({"P1"}));
  rectified.p2 = matrix3x4(files.require({"P2"}));
  rectified.size = files.rectified_size();
  return rectified;
}

// ------------------------------------------------------------------------------------------------------------ ROS

struct RosCamera {
  Camera camera;
  Matrix3x3 rotation{};
  Matrix3x4 projection{};
};

RosCamera ros_camera(const Tree& tree) {
  const Entry root = tree.root();
  for (const char* const key : {"binning_x", "binning_y"})
    if (const auto binning = root.find(key); binning && binning->number() > 1)
      binning->fail(fmt::format("is {}: give the calibration of whole pictures", binning->word()));
  if (const auto part = root.find("roi"); part && part->find("width") && part->find("width")->number() != 0)
    part->fail("chooses a part of the picture: give the calibration of whole pictures");
  RosCamera result;
  Camera& camera = result.camera;
  camera.size = named_size(root, {"image_width", "width"}, {"image_height", "height"});
  const Entry matrix = root.require({"camera_matrix", "K", "k"});
  set_matrix(camera, matrix.numbers(9), matrix);
  const Entry lens = root.require({"distortion_model"});
  const bool fisheye = is_one_of(lens.word(), {"equidistant", "fisheye", "kannala_brandt"});
  if (!fisheye && !is_one_of(lens.word(), {"plumb_bob", "rational_polynomial", "thin_prism", ""}))
    fail_lens(lens, "plumb_bob, rational_polynomial, equidistant");
  set_lens(camera, fisheye ? LensModel::fisheye : LensModel::pinhole,
           root.require({"distortion_coefficients", "D", "d"}));
  result.rotation = matrix3x3(root.require({"rectification_matrix", "R", "r"}));
  const Entry projection = root.require({"projection_matrix", "P", "p"});
  result.projection = matrix3x4(projection);
  if (!is_projection(result.projection))
    projection.fail("is no rectified camera's matrix, [f 0 cx tx; 0 f cy ty; 0 0 1 0] row by row");
  return result;
}

}  // namespace

void set_lens(Camera& camera, LensModel model, const Entry& where) {
  const std::vector<double> numbers = where.numbers();
  camera.model = model;
  const std::size_t count = numbers.size();
  const bool fits = model == LensModel::fisheye
                        ? count == 4
                        : count == 0 || count == 4 || count == 5 || count == 8 || count == 12 || count == 14;
  if (!fits)
    where.fail(fmt::format("has {} coefficients: {}", count,
                           model == LensModel::fisheye ? "a fisheye has 4, k1 k2 k3 k4"
                                                       : "4, 5, 8, 12 or 14 are wanted, in OpenCV's order"));
  std::copy(numbers.begin(), numbers.end(), camera.distortion.begin());
}

void set_matrix(Camera& camera, const std::vector<double>& k, const Entry& where) {
  if (k[1] != 0) where.fail(fmt::format("has a skew of {}, which no camera model here has: 0 is wanted", k[1]));
  if (k[3] != 0 || k[6] != 0 || k[7] != 0 || k[8] != 1)
    where.fail("is no camera's matrix, [fx 0 cx; 0 fy cy; 0 0 1] row by row");
  camera.fx = k[0];
  camera.fy = k[4];
  camera.cx = k[2];
  camera.cy = k[5];
}

Matrix3x3 matrix3x3(const Entry& entry) {
  const std::vector<double> numbers = entry.numbers(9);
  Matrix3x3 matrix{};
  std::copy(numbers.begin(), numbers.end(), matrix.begin());
  return matrix;
}

Matrix3x4 matrix3x4(const Entry& entry) {
  const std::vector<double> numbers = entry.numbers(12);
  Matrix3x4 matrix{};
  std::copy(numbers.begin(), numbers.end(), matrix.begin());
  return matrix;
}

void set_pose(Matrix3x3& rotation, std::array<double, 3>& translation, const Entry& entry) {
  const std::vector<double> m = entry.numbers(16);
  if (m[12] != 0 || m[13] != 0 || m[14] != 0 || m[15] != 1)
    entry.fail("is no transformation: its last row must be 0 0 0 1");
  rotation = {m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]};
  translation = {m[3], m[7], m[11]};
}

bool is_opencv(const Tree& tree) {
  return tree.root().find_any(left_matrix) || tree.root().find("P1") || tree.root().find("T") ||
         tree.root().find_any(right_matrix);
}

ParsedRig parse_opencv(const std::vector<Tree>& trees, const RigReadOptions& options) {
  const OpencvFiles files(trees);
  if (!files.find(left_matrix) && !files.find(right_matrix) && files.find({"P1"}) && files.find({"P2"}) &&
      !files.find({"R1"})) {
    const Entry first = files.require({"P1"}), second = files.require({"P2"});
    const Matrix3x4 p1 = matrix3x4(first), p2 = matrix3x4(second);
    if (!is_projection(p1)) first.fail("is no rectified camera's matrix, [f 0 cx tx; 0 f cy ty; 0 0 1 0] row by row");
    if (!is_projection(p2)) second.fail("is no rectified camera's matrix, [f 0 cx tx; 0 f cy ty; 0 0 1 0] row by row");
    return {rectified_pair({.p1 = p1, .p2 = p2, .size = files.size()}), "P1", "P2"};
  }
  ParsedRig parsed;
  StereoRig& rig = parsed.rig;
  const auto flag = files.find({"fisheye_model", "fisheye"});
  const LensModel model = options.fisheye || (flag && flag->number() != 0) ? LensModel::fisheye : LensModel::pinhole;
  const Entry left = files.require(left_matrix), right = files.require(right_matrix);
  set_matrix(rig.left, left.numbers(9), left);
  set_matrix(rig.right, right.numbers(9), right);
  for (const auto& [camera, keys] : {std::pair{&rig.left, left_coefficients}, {&rig.right, right_coefficients}})
    set_lens(*camera, model, files.require(keys));
  rig.left.size = rig.right.size = files.size();
  rig.rotation = matrix3x3(files.require({"R", "rotation", "rotation_matrix"}));
  const std::vector<double> t = files.require({"T", "translation", "translation_vector"}).numbers(3);
  std::copy(t.begin(), t.end(), rig.translation.begin());
  rig.rectified = opencv_rectification(files);
  return parsed;
}

bool is_ros(const Tree& tree) {
  return tree.root().find_any({"projection_matrix", "P", "p", "rectification_matrix"}).has_value();
}

ParsedRig parse_ros(const Tree& left_tree, const Tree& right_tree) {
  const RosCamera left = ros_camera(left_tree), right = ros_camera(right_tree);
  ParsedRig parsed{{}, "rectification_matrix (R)", "projection_matrix (P)"};
  StereoRig& rig = parsed.rig;
  rig.left = left.camera;
  rig.right = right.camera;
  const Matrix3x3 back = transposed(right.rotation);
  rig.rotation = back * left.rotation;
  rig.translation = back * (origin_of(right.projection) - origin_of(left.projection));
  rig.rectified = RigRectification{left.rotation, right.rotation, left.projection, right.projection, {}};
  return parsed;
}

bool is_kalibr(const Tree& tree) {
  const auto camera = tree.root().find("cam0");
  return camera && camera->find("intrinsics");
}

ParsedRig parse_kalibr(const Tree& tree, const RigReadOptions& options) {
  const int left = options.left_camera.value_or(0), right = options.right_camera.value_or(left + 1);
  if (right != left + 1)
    fail_read(ErrorCode::unsupported, tree.file(),
              fmt::format("cameras {} and {} are no neighbours in the chain: choose N and N + 1", left, right));
  ParsedRig parsed{{}, "T_cn_cnm1", "T_cn_cnm1"};
  const auto camera = [&tree](int number, Camera& result) {
    Entry at = tree.root().require({fmt::format("cam{}", number)});
    set_named_lens(result, at, "distortion_coeffs");
    result.size = pair_size(at.require({"resolution"}));
    return at;
  };
  camera(left, parsed.rig.left);
  const Entry second = camera(right, parsed.rig.right);
  set_pose(parsed.rig.rotation, parsed.rig.translation, second.require({"T_cn_cnm1"}));
  return parsed;
}

bool is_euroc(const Tree& tree) { return tree.root().find("T_BS").has_value(); }

ParsedRig parse_euroc(const Tree& left, const Tree& right) {
  ParsedRig parsed{{}, "T_BS", "T_BS"};
  StereoRig& rig = parsed.rig;
  Matrix3x3 first{}, second{};
  std::array<double, 3> at_first{}, at_second{};
  const auto camera = [](const Tree& tree, Camera& result, Matrix3x3& rotation, std::array<double, 3>& place) {
    set_named_lens(result, tree.root(), "distortion_coefficients");
    result.size = pair_size(tree.root().require({"resolution"}));
    set_pose(rotation, place, tree.root().require({"T_BS"}));
  };
  camera(left, rig.left, first, at_first);
  camera(right, rig.right, second, at_second);
  const Matrix3x3 back = transposed(second);
  rig.rotation = back * first;
  rig.translation = back * (at_first - at_second);
  return parsed;
}

}  // namespace vergence::io::rig
