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
constexpr std::int64_t most_default_scale = 50;  // frames

/// Positions are exact: 1/1024 px has ten decimals. Four decimals tell every residual.
void add_track(std::string& text, std::int64_t frame, const Track& track, std::string_view quote) {
  text += fmt::format("{},{},{:.10f},{:.10f},{}{}{},{:.4f},{}", frame, track.id, position_to_pixels(track.position.x),
                      position_to_pixels(track.position.y), quote, to_text(track.status), quote,
                      track.residual / 1024.0, track.age);
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
    head["columns"] = std::vector<std::string>(std::begin(columns), std::end(columns));
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
      "Age that has the scale's last colour, as older ones have [above 0, up to 1000000; default: the greatest that "
      "the video's length allows, at most 50]");
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

namespace {

/// Ages up to the greatest that can be, if it is not too great.
FrameScale scale_of_ages(const TrackOutputArguments& arguments, const TrackFrames& frames) {
  FrameScale scale;
  const std::int64_t most = std::max<std::int64_t>(1, frames.greatest_age.value_or(most_default_scale));
  scale.high = arguments.overlay_scale ? parse_positive("--overlay-scale", *arguments.overlay_scale, 1e6)
                                       : static_cast<double>(std::min(most, most_default_scale));
  scale.open = !frames.greatest_age || static_cast<double>(most) > scale.high;
  scale.legend.unit = "frames";
  scale.legend.name = "age";
  scale.legend.note = "x lost";
  scale.legend.whole = true;
  return scale;
}

}  // namespace

TrackOutputs::TrackOutputs(const TrackOutputArguments& arguments, const TrackOptions& options,
                           const TrackFrames& frames)
    : arguments_(arguments), rate_(frames.rate), tail_(overlay_tail(arguments)) {
  zoom_ = arguments.overlay_zoom ? static_cast<int>(parse_integer("--overlay-zoom", *arguments.overlay_zoom, 1, 8))
                                 : overlay_zoom(frames.size);
  scale_ = scale_of_ages(arguments, frames);
  if (!arguments.tracks) return;
  const WriteGuard guard;
  const std::string kind = ending(*arguments.tracks);
  if (kind == ".csv")
    file_ = std::make_unique<CsvFile>(*arguments.tracks);
  else if (kind == ".json")
    file_ = std::make_unique<JsonFile>(*arguments.tracks, options, frames.size);
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
    dot = pixels(2.45, 1);
    outline = dot + pixels(0.8, 1);
    tail = pixels(0.5, 0);
    cross = pixels(4.5, 2);
  }
  int dot, outline;  ///< Radii.
  int tail;          ///< A line is as thick as 2 tail + 1.
  int cross;         ///< Half of its side.
};

}  // namespace

/// A tail has its track's colour, not one from light to dark, which would hide ages. Lost tracks end in a cross, which
/// lies above all others, as points lie above tails.
Image<Rgb> TrackOutputs::draw(const TrackSnapshot& now, const GreyPicture& picture) const {
  constexpr Rgb black{0, 0, 0}, white{255, 255, 255};
  const Size size{picture.width() * zoom_, picture.height() * zoom_};
  const Marks marks(size);
  Image<Rgb> out = draw_frame(picture, zoom_, scale_);
  Canvas canvas(out, size);
  // The middle of a pixel lies half a pixel from its edge.
  const auto place = [this](std::int32_t component) { return zoom_ * (position_to_pixels(component) + 0.5) - 0.5; };
  const auto nearest = [&](std::int32_t component) { return static_cast<int>(std::lround(place(component))); };
  const auto colour_of = [this](const Track& track) { return scale_colour(track.age / scale_.high); };
  const auto each = [&now](bool tracked, const auto& draw) {
    for (std::size_t i = 0; i < now.tracks.size(); ++i)
      if ((now.tracks[i].status == TrackStatus::tracked) == tracked) draw(i, now.tracks[i]);
  };
  each(true, [&](std::size_t i, const Track& track) {
    const auto history = now.history(i);
    const auto shown = std::min(history.size(), static_cast<std::size_t>(tail_));
    for (std::size_t k = history.size() - shown + 1; k < history.size(); ++k)
      canvas.line(place(history[k - 1].x), place(history[k - 1].y), place(history[k].x), place(history[k].y),
                  marks.tail, colour_of(track));
  });
  each(true, [&](std::size_t, const Track& track) {
    const Rgb colour = colour_of(track);
    canvas.disc(nearest(track.position.x), nearest(track.position.y), marks.outline, outline_of(colour));
    canvas.disc(nearest(track.position.x), nearest(track.position.y), marks.dot, colour);
  });
  each(false, [&](std::size_t, const Track& track) {
    const double x = place(track.position.x), y = place(track.position.y);
    for (const bool inner : {false, true})
      for (const int side : {-1, 1}) {
        const int arm = marks.cross * side;
        canvas.line(x - marks.cross, y - arm, x + marks.cross, y + arm, marks.tail + (inner ? 0 : 1),
                    inner ? black : white);
      }
  });
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
