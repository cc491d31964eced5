// SPDX-License-Identifier: Apache-2.0
// The outputs of `vergence motion`.
#include "motion/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/canvas.hpp"
#include "cli/command.hpp"
#include "cli/program.hpp"
#include "cli/signals.hpp"

namespace vergence::cli {
namespace {

constexpr const char* video_endings = ".mp4 .y4m";

/// Such that a block is at least 16 pixels and the picture some 1000 wide, at most 3840.
int default_zoom(Size frame, Size block) {
  const int side = std::max(1, std::min(block.width, block.height));  // blocks of 0 are refused later
  const int wanted = std::max((16 + side - 1) / side, overlay_zoom(frame));
  return std::clamp(wanted, 1, std::clamp(3840 / std::max(frame.width, 1), 1, 8));
}

}  // namespace

void add_motion_output_options(Command command, MotionOutputArguments& outputs) {
  const auto add = [&command](const char* name, std::optional<std::string>& value, const char* type, const char* help) {
    command.add(name, value, help).type(type).group("Outputs");
  };
  add("-o,--output", outputs.vectors, "FILE",
      "Vectors: .csv, .json (px), .npy (quarter px); with a %d in the name one file per field, with the number of its "
      "frame; .flo (px, per pixel) needs it");
  add("--columns", outputs.columns, "LIST",
      "More columns of .csv and .json, with commas between them [j, second-j, confidence; default: none]");
  add("--compensated", outputs.compensated, "FILE",
      "Each frame as its vectors predict it, with the video's chroma; grey for numbered pictures [.mp4 .y4m]");
  add("--overlay", outputs.overlay, "FILE", "Frames with block edges and arrows coloured by length [.mp4 .y4m]");
  add("--overlay-zoom", outputs.overlay_zoom, "N",
      "Pixels of the overlay per pixel of the frame [1 .. 8; default: such that a block is at least 16 and the overlay "
      "some 1000 wide]");
  add("--overlay-scale", outputs.overlay_scale, "PX",
      "Length that has the scale's last colour, as longer ones have [above 0, up to 1024; unit: px; default: 16]");
  add("--residue", outputs.residue, "FILE", "|frame - prediction| as heat [.mp4 .y4m]");
  add("--residue-scale", outputs.residue_scale, "LEVELS",
      "Residue that has the scale's last colour [above 0, up to 255; unit: grey levels of 8 bits; default: 64]");
}

std::vector<OutputName> motion_output_names(const MotionOutputArguments& outputs) {
  std::vector<OutputName> names;
  if (outputs.vectors) names.push_back({"--output", "vectors", "vectors", *outputs.vectors, true, true});
  if (outputs.compensated)
    names.push_back({"--compensated", "compensated video", "compensated", *outputs.compensated, false, true});
  if (outputs.overlay) names.push_back({"--overlay", "overlay", "overlay", *outputs.overlay, false, true});
  if (outputs.residue) names.push_back({"--residue", "residue", "residue", *outputs.residue, false, true});
  return names;
}

void check_motion_outputs(const MotionOutputArguments& outputs, const MotionOptions& options, bool all_sizes) {
  for (const OutputName& name : motion_output_names(outputs)) {
    check_ending(name, name.key == "vectors" ? ".csv .json .npy .flo" : video_endings);
    if (all_sizes && (name.key != "vectors" || ending(name.path) == ".npy" || ending(name.path) == ".flo"))
      throw UsageError(
          fmt::format("{} '{}' cannot hold the four block sizes of all-sizes: write .csv or .json, or "
                      "choose one block size",
                      name.option, name.path));
  }
  require_output(outputs.columns, "--columns", outputs.vectors, "--output");
  require_output(outputs.overlay_zoom, "--overlay-zoom", outputs.overlay, "--overlay");
  require_output(outputs.overlay_scale, "--overlay-scale", outputs.overlay, "--overlay");
  require_output(outputs.residue_scale, "--residue-scale", outputs.residue, "--residue");
  if (!outputs.vectors) return;
  const std::string kind = ending(*outputs.vectors);
  if (kind == ".flo" && !has_frame_number(*outputs.vectors))
    throw UsageError(
        fmt::format("--output is '{}': a .flo file holds one field, so the name needs the frame's number, "
                    "such as flow_%04d.flo",
                    *outputs.vectors));
  if (outputs.columns) {
    if (kind != ".csv" && kind != ".json")
      throw UsageError(
          fmt::format("--columns is given, but --output '{}' has no columns: write .csv or .json", *outputs.vectors));
    if (parse_columns(*outputs.columns).second_j && options.search != MotionSearch::full)
      throw UsageError(fmt::format("--columns has second-j, which search full alone knows; search is {}",
                                   motion_get(options, "search")));
  }
}

MotionOutputs::MotionOutputs(const MotionOutputArguments& arguments, const MotionOptions& options,
                             const MotionVideo& video, bool checked)
    : arguments_(arguments), options_(options), video_(video) {
  if (arguments.columns) columns_ = parse_columns(*arguments.columns);
  columns_.j = columns_.j || options.lambda != 0;
  columns_.consistent = checked;
  overlay_style_.zoom = arguments.overlay_zoom
                            ? static_cast<int>(parse_integer("--overlay-zoom", *arguments.overlay_zoom, 1, 8))
                            : default_zoom(video.size, options.block);
  if (arguments.overlay_scale) overlay_style_.scale = parse_positive("--overlay-scale", *arguments.overlay_scale, 1024);
  if (arguments.residue_scale) residue_scale_ = parse_positive("--residue-scale", *arguments.residue_scale, 255);
}

void MotionOutputs::open() {
  open_ = true;
  if (arguments_.compensated) {  // first, because it alone may refuse these frames
    VideoFormat format;
    format.size = video_.size;
    format.rate = video_.rate;
    format.chroma = video_.chroma;
    format.depth = video_.depth;
    format.max_value = video_.max_value;
    format.full_range = video_.full_range;
    compensated_.emplace(*arguments_.compensated, format);
  }
  if (!arguments_.vectors) return;
  const VectorContext context{video_.size, options_, columns_, video_.strict};
  if (has_frame_number(*arguments_.vectors))
    numbered_.emplace(*arguments_.vectors, context);
  else
    vectors_ = open_vectors(*arguments_.vectors, context);
}

void MotionOutputs::write(std::int64_t frame, const FoundMotion& found, const YuvFrame& current, const Turn& turn) {
  const bool first = !open_;
  if (first) {
    const WriteGuard guard;
    open();
    write_on(frame, found, current);
  }
  if (numbered_) numbered_->write(frame, found.fields, turn);
  if (first) return;
  turn();
  const WriteGuard guard;
  write_on(frame, found, current);
}

void MotionOutputs::write_on(std::int64_t frame, const FoundMotion& found, const YuvFrame& current) {
  if (vectors_) vectors_->write(frame, found.fields);
  if (compensated_) compensated_->write(*found.prediction);
  const BlockField& field = found.fields.front();
  if (arguments_.overlay)
    add_picture(overlay_, *arguments_.overlay, video_.rate,
                draw_overlay(current.luma, field.vectors.view(), field.block, overlay_style_));
  if (arguments_.residue)
    add_picture(residue_, *arguments_.residue, video_.rate,
                draw_residue(current.luma, found.prediction->luma, residue_scale_));
}

void MotionOutputs::commit() {
  const WriteGuard guard;
  if (vectors_) vectors_->commit();
  if (numbered_) numbered_->commit();
  for (std::optional<VideoWriter>* video : {&compensated_, &overlay_, &residue_})
    if (*video) (*video)->commit();
}

std::vector<std::string> MotionOutputs::warnings() const {
  std::vector<std::string> lines;
  const bool odd = video_.size.width % 2 != 0 || (video_.size.height % 2 != 0 && video_.chroma != ChromaFormat::c422);
  if (arguments_.compensated && ending(*arguments_.compensated) == ".mp4" && odd && video_.chroma != ChromaFormat::c444)
    lines.push_back(
        fmt::format("{}: MP4 holds even sizes, so the last column or row of {}x{} is repeated; .y4m holds "
                    "the size as it is",
                    *arguments_.compensated, video_.size.width, video_.size.height));
  return lines;
}

}  // namespace vergence::cli
