// SPDX-License-Identifier: Apache-2.0
// Files of tracks and the overlay. Numbers are written with fmt, which knows no locale.
#include "track/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/canvas.hpp"
#include "cli/command.hpp"
#include "cli/json.hpp"
#include "cli/json_rows.hpp"
#include "cli/program.hpp"
#include "cli/signals.hpp"
#include "track/settings.hpp"

namespace vergence::cli {
namespace {

constexpr const char* columns[] = {"frame", "id", "x", "y", "status", "residual", "age"};
constexpr int default_tail = 20;
constexpr double default_scale = 50;  // frames

/// Positions are exact: 1/1024 px has ten decimals. Four decimals tell every residual.
void add_track(std::string& text, std::int64_t frame, const Track& track, std::string_view quote) {
  fmt::format_to(std::back_inserter(text), "{},{},{:.10f},{:.10f},{}{}{},{:.4f},{}", frame, track.id,
                 position_to_pixels(track.position.x), position_to_pixels(track.position.y), quote,
                 to_text(track.status), quote, track.residual / 1024.0, track.age);
}

class CsvFile final : public TrackFile {
 public:
  explicit CsvFile(const std::string& path) : file_(path, AtomicFile::Mode::stream) {
    file_.write(fmt::format("{}\n", fmt::join(columns, ",")));
  }
  void write(std::int64_t frame, std::span<const Track> tracks) override {
    std::string text;
    for (const Track& track : tracks) {
      add_track(text, frame, track, "");
      text += '\n';
    }
    file_.write(text);
    file_.flush();
  }
  void commit() override { file_.commit(); }

 private:
  AtomicFile file_;
};

class JsonFile final : public TrackFile {
 public:
  JsonFile(const std::string& path, const TrackOptions& options, Size size)
      : rows_(path, head(options, size), "tracks") {}
  void write(std::int64_t frame, std::span<const Track> tracks) override {
    std::string text;
    for (const Track& track : tracks) {
      rows_.begin_row(text);
      add_track(text, frame, track, "\"");
      text += ']';
    }
    rows_.write(text);
    rows_.flush();
  }
  void commit() override { rows_.commit(); }

 private:
  static Json head(const TrackOptions& options, Size size) {
    Json head = json_report();
    head["settings"] = track_settings_json(options);
    head["size"] = Json{{"width", size.width}, {"height", size.height}};
    head["columns"] = columns;
    return head;
  }

  JsonRows rows_;
};

class NpyFile final : public TrackFile {
 public:
  explicit NpyFile(const std::string& path)
      : writer_(path, {static_cast<int>(std::size(columns))}, NpyWriter::Type::f64) {}
  void write(std::int64_t frame, std::span<const Track> tracks) override {
    values_.clear();
    for (const Track& track : tracks)
      values_.insert(values_.end(),
                     {static_cast<double>(frame), static_cast<double>(track.id), position_to_pixels(track.position.x),
                      position_to_pixels(track.position.y), static_cast<double>(track.status), track.residual / 1024.0,
                      static_cast<double>(track.age)});
    writer_.write_entries(values_);
  }
  void commit() override { writer_.commit(); }

 private:
  NpyWriter writer_;
  std::vector<double> values_;
};

}  // namespace

void add_track_output_options(Command command, TrackOutputArguments& outputs) {
  const auto add = [&command](const char* name, std::optional<std::string>& value, const char* type, const char* help) {
    command.add(name, value, help).type(type).group("Outputs");
  };
  add("-o,--output", outputs.tracks, "FILE", "Tracks, a line for each in each frame [.csv .json .npy]");
  add("--overlay", outputs.overlay, "FILE", "Frames with the tracks, coloured by age, with tails [.mp4 .y4m]");
  add("--overlay-zoom", outputs.overlay_zoom, "N",
      "Pixels of the overlay per pixel of the frame [1 .. 8; default: such that the overlay is some 1000 wide]");
  add("--overlay-tail", outputs.overlay_tail, "N", "Positions that a tail shows [1 .. 1000; default: 20]");
  add("--overlay-scale", outputs.overlay_scale, "FRAMES",
      "Age that has the scale's last colour, as older ones have [above 0, up to 1000000; default: 50]");
}

std::vector<OutputName> track_output_names(const TrackOutputArguments& outputs) {
  std::vector<OutputName> names;
  if (outputs.tracks) names.push_back({"--output", "tracks", "tracks", *outputs.tracks, false, true});
  if (outputs.overlay) names.push_back({"--overlay", "overlay", "overlay", *outputs.overlay, false, true});
  return names;
}

int overlay_tail(const TrackOutputArguments& outputs) {
  if (!outputs.overlay) return 0;
  if (!outputs.overlay_tail) return default_tail;
  return static_cast<int>(parse_integer("--overlay-tail", *outputs.overlay_tail, 1, 1000));
}

void check_track_outputs(const TrackOutputArguments& outputs) {
  for (const OutputName& name : track_output_names(outputs))
    check_ending(name, name.key == "tracks" ? ".csv .json .npy" : ".mp4 .y4m");
  require_output(outputs.overlay_zoom, "--overlay-zoom", outputs.overlay, "--overlay");
  require_output(outputs.overlay_tail, "--overlay-tail", outputs.overlay, "--overlay");
  require_output(outputs.overlay_scale, "--overlay-scale", outputs.overlay, "--overlay");
  overlay_tail(outputs);
  if (outputs.overlay_zoom) parse_integer("--overlay-zoom", *outputs.overlay_zoom, 1, 8);
  if (outputs.overlay_scale) parse_positive("--overlay-scale", *outputs.overlay_scale, 1e6);
}

void TrackSnapshot::take(const PointTracker& tracker, bool with_history) {
  const auto now = tracker.tracks();
  tracks.assign(now.begin(), now.end());
  positions.clear();
  ends.clear();
  for (std::size_t i = 0; with_history && i < now.size(); ++i) {
    const auto history = tracker.history(i);
    positions.insert(positions.end(), history.begin(), history.end());
    ends.push_back(positions.size());
  }
}
std::span<const TrackPosition> TrackSnapshot::history(std::size_t i) const {
  const std::size_t first = i == 0 ? 0 : ends[i - 1];
  return std::span(positions).subspan(first, ends[i] - first);
}

TrackOutputs::TrackOutputs(const TrackOutputArguments& arguments, const TrackOptions& options, Size size, double rate)
    : arguments_(arguments), rate_(rate), tail_(overlay_tail(arguments)) {
  zoom_ = arguments.overlay_zoom ? static_cast<int>(parse_integer("--overlay-zoom", *arguments.overlay_zoom, 1, 8))
                                 : std::clamp(1200 / size.width, 1, 4);
  scale_ = arguments.overlay_scale ? parse_positive("--overlay-scale", *arguments.overlay_scale, 1e6) : default_scale;
  if (!arguments.tracks) return;
  const WriteGuard guard;
  const std::string kind = ending(*arguments.tracks);
  if (kind == ".csv")
    file_ = std::make_unique<CsvFile>(*arguments.tracks);
  else if (kind == ".json")
    file_ = std::make_unique<JsonFile>(*arguments.tracks, options, size);
  else
    file_ = std::make_unique<NpyFile>(*arguments.tracks);
}

namespace {

/// Lengths of what is drawn, which grow with the overlay, as its scale of colours does: it shows the same on every
/// screen that it fills.
struct Marks {
  explicit Marks(Size overlay) {
    const double unit = std::max(overlay.width, overlay.height * 4 / 3) / 960.0;
    const auto pixels = [unit](double length, int least) {
      return std::max(least, static_cast<int>(std::lround(length * unit)));
    };
    dot = pixels(1.2, 0);
    outline = pixels(2.2, dot + 1);
    tail = pixels(0.5, 1) - 1;
    cross = pixels(3.5, 1);
  }
  int dot, outline;  ///< Radii.
  int tail;          ///< A line is as thick as 2 tail + 1.
  int cross;         ///< Half of its side.
};

}  // namespace

/// Tails from light to dark would hide ages, so they are thin and of the track's colour; lost tracks end in a cross.
Image<Rgb> TrackOutputs::draw(const TrackSnapshot& now, const GreyPicture& picture) const {
  constexpr Rgb outline{0, 0, 0};
  const Size size{picture.width() * zoom_, picture.height() * zoom_};
  const Marks marks(size);
  Image<Rgb> out = draw_frame(picture, zoom_, scale_, "frames");
  Canvas canvas(out, size);
  // The middle of a pixel lies half a pixel from its edge.
  const auto place = [this](std::int32_t component) { return zoom_ * (position_to_pixels(component) + 0.5) - 0.5; };
  const std::vector<Track>& tracks = now.tracks;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const Track& track = tracks[i];
    const double x = place(track.position.x), y = place(track.position.y);
    if (track.status != TrackStatus::tracked) {
      const int arm = marks.cross;
      canvas.line(x - arm, y - arm, x + arm, y + arm, marks.tail, outline);
      canvas.line(x - arm, y + arm, x + arm, y - arm, marks.tail, outline);
      continue;
    }
    const Rgb colour = scale_colour(std::min(1.0, track.age / scale_));
    const auto history = now.history(i);
    const std::size_t first =
        history.size() > static_cast<std::size_t>(tail_) ? history.size() - static_cast<std::size_t>(tail_) : 0;
    for (std::size_t k = first + 1; k < history.size(); ++k)
      canvas.line(place(history[k - 1].x), place(history[k - 1].y), place(history[k].x), place(history[k].y),
                  marks.tail, colour);
    canvas.disc(static_cast<int>(std::lround(x)), static_cast<int>(std::lround(y)), marks.outline, outline);
    canvas.disc(static_cast<int>(std::lround(x)), static_cast<int>(std::lround(y)), marks.dot, colour);
  }
  return out;
}

void TrackOutputs::write(std::int64_t frame, const TrackSnapshot& tracks, const GreyPicture& picture) {
  const WriteGuard guard;
  if (file_) file_->write(frame, tracks.tracks);
  if (!arguments_.overlay) return;
  add_picture(overlay_, *arguments_.overlay, rate_, draw(tracks, picture));
}

void TrackOutputs::copy(std::int64_t frame, std::span<const Track> tracks) {
  const WriteGuard guard;
  if (file_) file_->write(frame, tracks);
}

void TrackOutputs::commit() {
  const WriteGuard guard;
  if (file_) file_->commit();
  if (overlay_) overlay_->commit();
}

}  // namespace vergence::cli
