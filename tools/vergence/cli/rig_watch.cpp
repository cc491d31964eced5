// SPDX-License-Identifier: Apache-2.0
// Whether the pairs of a run are rectified, and stay so.
#include "cli/rig_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cli/json.hpp"

namespace vergence::cli {
namespace {

constexpr double harmful_change = 0.5;  // px by which rows move; looks at one rig differ by up to 0.2
constexpr double other_times = 0.75;    // px that no rotation explains; good pairs have up to 0.6
constexpr std::size_t kept_looks = 10;
// Of pairs that are rectified, rows differ by up to 0.7 px, of such as suffer from noise by up to 1. Those whose rows
// are off by more than is searched for are matched by chance, at any row.
constexpr double scattered = 2.5;  // px of pictures up to `looked_at` px wide, the median or the spread
constexpr double looked_at = 1024;
constexpr int enough_scattered = 12;  // points
// Of points that are matched by chance up to 9 % lie within a px of their row (of small pictures, in which few rows are
// searched, a quarter); of rectified pairs of which leaves or brightness spoil many matches 34 % and more.
constexpr double most_in_rows = 0.33;

std::vector<PairPoint> points_in(const StereoFrame& frame, const Rect& part) {
  if (frame.left.depth == Depth::u8)
    return match_pair_points(ImageView<const std::uint8_t>(frame.left.u8.view()).crop(part),
                             ImageView<const std::uint8_t>(frame.right.u8.view()).crop(part));
  return match_pair_points(ImageView<const std::uint16_t>(frame.left.u16.view()).crop(part),
                           ImageView<const std::uint16_t>(frame.right.u16.view()).crop(part), frame.left.max_value);
}

/// To 1 / `parts`, without -0.
double rounded(double value, double parts) { return std::round(value * parts) / parts + 0.0; }

/// "as if the right camera were turned by ...".
std::string turn_text(double pitch, double yaw, double roll, const RigCheckCamera& camera) {
  return fmt::format("as if the right camera were turned by {}{}", angles_text(pitch, yaw, roll),
                     camera.focal_px > 0 ? "" : fmt::format(" (for a focal length of {} px)", camera.size.width));
}

}  // namespace

double in_degrees(double radians) { return radians * 57.29577951308232; }

std::string angles_text(double pitch, double yaw, double roll) {
  constexpr double hundredths = 100;
  return fmt::format("pitch {:.2f}, yaw {:.2f}, roll {:.2f} degrees", rounded(in_degrees(pitch), hundredths),
                     rounded(in_degrees(yaw), hundredths), rounded(in_degrees(roll), hundredths));
}

Json rig_report_json(const RigReport& report) {
  if (report.looks == 0) return {};
  const RigFindings& found = report.first;
  Json json = Json::object();
  json["points"] = found.points;
  json["median"] = json_number(found.median, 3);
  json["spread"] = json_number(found.spread, 3);
  json["known"] = found.known;
  json["offset"] = json_number(found.offset, 3);
  json["error"] = json_number(found.error, 3);
  json["pitch_deg"] = json_number(in_degrees(found.pitch), 4);
  json["yaw_deg"] = json_number(in_degrees(found.yaw), 4);
  json["roll_deg"] = json_number(in_degrees(found.roll), 4);
  json["scale"] = json_number(found.scale, 5);
  json["rest"] = json_number(found.rest, 3);
  json["negative_percent"] = json_number(found.negative_percent, 1);
  json["focal_px"] = report.camera.focal_px > 0 ? json_number(report.camera.focal_px, 3) : Json();
  json["looks"] = report.looks;
  json["moved"] = json_number(report.moved, 3);
  return json;
}

std::string rig_report_text(const RigReport& report) {
  const RigFindings& found = report.first;
  if (report.looks == 0 && report.within)
    return fmt::format("vertical offset: {:.1f} px at most (--json measures it)", *report.within);
  if (found.points == 0) return {};
  const std::string later =
      report.looks > 1 ? fmt::format("; moved by {:.1f} px at most in {} looks", report.moved, report.looks) : "";
  return fmt::format("vertical offset: median {:.1f} px, spread {:.1f} px, of {} point{}{}", rounded(found.median, 10),
                     found.spread, found.points, found.points == 1 ? "" : "s", later);
}

void RigWatch::expect(const RigCheckCamera& camera, const Rect& part) {
  camera_ = camera;
  part_ = part;
}

void RigWatch::pass(const StereoFrame& first, double within) {
  const auto kept = [](const GreyPicture& picture) {
    return GreyPicture{picture.depth, picture.max_value, picture.u8.clone(), picture.u16.clone()};
  };
  report_.within = within;
  passed_ = {first.index, kept(first.left), kept(first.right)};
}

const RigFindings& RigWatch::look(const StereoFrame& frame) {
  if (const StereoFrame passed = std::exchange(passed_, {}); passed.left.width() > 0) look(passed);
  const Size size = frame.left.size();
  const Rect part = part_.empty() ? Rect{0, 0, size.width, size.height} : part_;
  std::vector<PairPoint> points = points_in(frame, part);
  for (PairPoint& point : points) {
    point.left_x += part.x, point.right_x += part.x;
    point.left_y += part.y, point.right_y += part.y;
  }
  report_.camera = camera_;
  report_.camera.size = size;
  now_ = check_rig_points(points, report_.camera);
  if (points_.size() == kept_looks) points_.erase(points_.begin());
  points_.push_back(std::move(points));
  if (report_.looks++ == 0 || !report_.first.known) report_.first = now_;
  report_.moved = std::max(report_.moved, row_change(report_.first, now_, report_.camera));
  return now_;
}

std::string RigWatch::rows_warning(const std::string& what, const std::string& cure) const {
  return fmt::format("{}: {} sample points lie {:.1f} px off their row (root mean square), {}: {}", what, now_.points,
                     now_.offset, explanation(), cure);
}

std::string RigWatch::scatter(const std::string& what, const std::string& cure) const {
  const Size size = report_.camera.size;
  const double unit = std::max(1.0, std::max(size.width, size.height) / looked_at), most = scattered * unit;
  if (now_.known || now_.points < enough_scattered || std::max(std::abs(now_.median), now_.spread) < most) return {};
  const std::vector<PairPoint>& points = points_.back();
  const auto in_rows = std::count_if(points.begin(), points.end(), [unit](const PairPoint& point) {
    return std::abs(point.right_y - point.left_y) <= unit;
  });
  if (static_cast<double>(in_rows) > most_in_rows * now_.points) return {};
  return fmt::format(
      "{}: {} sample points of the left picture lie {:.1f} px {} in the right one in the median, and differ from that "
      "by "
      "{:.1f} px: {}",
      what, now_.points, std::abs(now_.median), now_.median < 0 ? "higher" : "lower", now_.spread, cure);
}

std::string RigWatch::explanation() const {
  if (!now_.known) return {};
  std::string text = turn_text(now_.pitch, now_.yaw, now_.roll, report_.camera);
  if (now_.scale != 1) text += fmt::format(", and saw everything {:.4f} times as large", now_.scale);
  if (now_.rest >= other_times)
    text += fmt::format(", which leaves {:.1f} px: check that both pictures were taken at one time", now_.rest);
  return text;
}

std::string RigWatch::drift_warning() {
  const RigFindings& first = report_.first;
  const double moved = row_change(first, now_, report_.camera);
  if (told_drift_ || moved < harmful_change) return {};
  told_drift_ = true;
  return fmt::format(
      "the cameras have turned against each other: rows have moved by {:.1f} px (root mean square) since the first "
      "look, {}: fix the cameras, and calibrate them anew",
      moved, turn_text(now_.pitch - first.pitch, now_.yaw - first.yaw, now_.roll - first.roll, report_.camera));
}

std::string RigWatch::unknown_warning() const {
  if (now_.known) return {};
  return fmt::format(
      "whether the pair is rectified cannot be told: {} sample points are found in both pictures, and too few of them "
      "agree: give pictures with more texture in both, or leave --require-rectified out",
      now_.points);
}

}  // namespace vergence::cli
