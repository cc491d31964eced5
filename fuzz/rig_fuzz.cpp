// SPDX-License-Identifier: Apache-2.0
// Any text as the calibration of a rig, alone and as two files. What is taken is written in every format that can hold
// it, and read back with the same bits.
#include <string_view>

#include "io/rig/formats.hpp"
#include "map_consumers.hpp"

namespace {

using namespace vergence;

void check(const RigFile& file) {
  fuzz::require(file.rig.left.fx > 0 && file.rig.right.fy > 0 && file.rig.baseline_m() > 0);
  for (const RigFormat format :
       {RigFormat::opencv_yaml, RigFormat::opencv_xml, RigFormat::opencv_json, RigFormat::ros, RigFormat::kalibr,
        RigFormat::euroc, RigFormat::kitti_odometry, RigFormat::middlebury}) {
    std::vector<std::string> texts;
    try {
      texts = io::rig::rig_texts(file.rig, format);
    } catch (const Error& error) {
      fuzz::require(error.code() == ErrorCode::unsupported);
      continue;
    }
    std::vector<io::rig::NamedText> files;
    for (std::string& text : texts) files.push_back({std::move(text), "x"});
    const bool whole =
        format == RigFormat::opencv_yaml || format == RigFormat::opencv_xml || format == RigFormat::opencv_json;
    if (whole)
      fuzz::require(io::rig::parse_rig(files, {}).rig == file.rig);
    else
      fuzz::accept_errors([&] { io::rig::parse_rig(files, {}); });  // a pose that others derive may be beyond doubles
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = std::min(text.find('\f'), size);  // between two files
  fuzz::accept_errors([&] { check(io::rig::parse_rig({{std::string(text), "x"}}, {})); });
  if (cut == size) return 0;
  const std::string left(text.substr(0, cut)), right(text.substr(cut + 1));
  fuzz::accept_errors([&] { check(io::rig::parse_rig({{left, "l"}, {right, "r"}}, {})); });
  return 0;
}
