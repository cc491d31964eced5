// SPDX-License-Identifier: Apache-2.0
// What `vergence motion` writes: vectors, and videos of the prediction, of the vectors and of the residue.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/files.hpp"
#include "motion/lane.hpp"
#include "motion/pictures.hpp"
#include "motion/vectors.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {

class Command;

struct MotionOutputArguments {
  std::optional<std::string> vectors, compensated, overlay, residue;
  std::optional<std::string> columns;
  std::optional<std::string> overlay_zoom, overlay_scale, residue_scale;
};

void add_motion_output_options(Command command, MotionOutputArguments& outputs);
/// The outputs that were asked for, in their order.
std::vector<OutputName> motion_output_names(const MotionOutputArguments& outputs);
/// UsageError for endings that an output cannot have, and for what would do nothing or cannot be with these settings.
void check_motion_outputs(const MotionOutputArguments& outputs, const MotionOptions& options, bool all_sizes);

/// The form of the frames of a run.
struct MotionVideo {
  Size size;
  Depth depth = Depth::u8;
  int max_value = 255;
  ChromaFormat chroma = ChromaFormat::none;
  bool full_range = false;
  double rate = 25;
  bool strict = false;  ///< Numbered files get their names when all is well.
};

/// All outputs of a run, open.
class MotionOutputs {
 public:
  /// Opens nothing yet: what fails before the first field leaves no file behind.
  MotionOutputs(const MotionOutputArguments& arguments, const MotionOptions& options, const MotionVideo& video,
                bool checked);
  /// The first call opens the files: it comes alone, and a signal finds them with what it writes. Then several threads
  /// may write, each what was found for a frame.
  void write(std::int64_t frame, const FoundMotion& found, const YuvFrame& current, const Turn& turn);
  bool is_open() const { return open_; }
  /// Gives all files their names.
  void commit();
  /// One line each.
  std::vector<std::string> warnings() const;

 private:
  void open();
  void write_on(std::int64_t frame, const FoundMotion& found, const YuvFrame& current);

  const MotionOutputArguments& arguments_;
  MotionOptions options_;
  MotionVideo video_;
  VectorColumns columns_;
  OverlayStyle overlay_style_;
  double residue_scale_ = 64;
  bool open_ = false;
  std::unique_ptr<VectorFile> vectors_;
  std::optional<NumberedVectors> numbered_;  ///< In its place.
  std::optional<VideoWriter> compensated_, overlay_, residue_;
};

}  // namespace vergence::cli
