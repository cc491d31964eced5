// SPDX-License-Identifier: Apache-2.0
// --refine-calibration.
#include "cli/rig_refine.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cli/json.hpp"
#include "cli/program.hpp"
#include "cli/rig_doubts.hpp"
#include "cli/rig_option.hpp"

namespace vergence::cli {

void add_refine_option(Command command, std::vector<std::string>& files, const std::string& group) {
  Option option = command.add(
      "--refine-calibration", files,
      "Write the calibration with the right camera turned to where these pictures say it is; twice: left and right of "
      "ROS or EuRoC [.yml, .yaml, .xml, .json]");
  option.type("FILE").repeatable();
  if (!group.empty()) option.group(group);
}

std::vector<OutputName> refined_outputs(const std::vector<std::string>& files) {
  if (files.size() > 2)
    throw UsageError(fmt::format("--refine-calibration is given {} times: allowed are one file, or two (left, right)",
                                 files.size()));
  std::vector<OutputName> outputs;
  for (const std::string& file : files) {
    const bool first = outputs.empty();
    outputs.push_back({"--refine-calibration",
                       first ? "refined calibration" : "refined calibration of the right camera",
                       first ? "refined_calibration" : "refined_calibration_right", file, false});
    check_ending(outputs.back(), ".yml .yaml .xml .json");
  }
  return outputs;
}

RigFormat refined_format(const std::vector<std::string>& files, RigFormat read) {
  const bool two = read == RigFormat::ros || read == RigFormat::euroc;
  if (files.size() == 2 && two) return read;
  if (files.size() == 2)
    throw UsageError(fmt::format("--refine-calibration is given twice: the calibration is of {}, which has one file",
                                 rig_format_name(read)));
  const RigFormat format = opencv_format(files[0]).value();
  return format == RigFormat::opencv_yaml && read == RigFormat::kalibr ? read : format;
}

RigFindings refine_calibration(const std::vector<std::string>& files, const RigFile& read,
                               const RectifiedRig& rectified, const RigWatch& watch, Size pictures) {
  std::vector<PairPoint> points;
  for (const std::vector<PairPoint>& look : watch.points()) points.insert(points.end(), look.begin(), look.end());
  const RigFindings found = points.empty() ? RigFindings{} : check_rig_points(points, watch.report().camera);
  if (!found.known)
    throw Error(
        ErrorCode::bad_data,
        fmt::format("--refine-calibration: the pictures do not tell how the cameras stand: {} sample points are "
                    "found in both, and too few of them agree: {} is not written; give pictures with more "
                    "texture, or leave it out",
                    found.points, fmt::join(files, " and ")));
  write_rig(files, mended_rig(with_size(read.rig, pictures), rectified, found), refined_format(files, read.format));
  return found;
}

std::string yaw_warning(const RigFindings& found, const RigCheckCamera& camera) {
  constexpr double harmful = 2;  // px of all disparities
  const double focal = camera.focal_px > 0 ? camera.focal_px : camera.size.width;
  const double moved = focal * std::abs(std::tan(found.yaw));
  if (moved < harmful) return {};
  return fmt::format(
      "the refined calibration turns the right camera by a yaw of {:.2f} degrees, which moves all disparities by about "
      "{:.0f} px, and depths with them: lenses with other coefficients than the cameras' make rows bend in the same "
      "way: check the coefficients and the model, and measure a known distance",
      in_degrees(found.yaw), moved);
}

std::string refined_text(const RigFindings& found) {
  return fmt::format("right camera turned by {}: rows were off by {:.2f} px, and a spread of {:.2f} px is left",
                     angles_text(found.pitch, found.yaw, found.roll), found.offset, found.rest);
}

Json refined_json(const RigFindings& found) {
  Json json = Json::object();
  json["points"] = found.points;
  json["pitch_deg"] = json_number(in_degrees(found.pitch), 4);
  json["yaw_deg"] = json_number(in_degrees(found.yaw), 4);
  json["roll_deg"] = json_number(in_degrees(found.roll), 4);
  json["offset"] = json_number(found.offset, 3);
  json["rest"] = json_number(found.rest, 3);
  return json;
}

}  // namespace vergence::cli
