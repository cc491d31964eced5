// SPDX-License-Identifier: Apache-2.0
// Settings and runs of the study stencil-energy.
#include "stencil-energy/study.hpp"

#include <array>
#include <map>
#include <tuple>

#include "stencil-energy/host.hpp"
#include "stencil-energy/runner.hpp"
#include "stencil-energy/tracker.hpp"
#include "synth/scene.hpp"
#include "vergence/error.hpp"

namespace vergence::studies::stencil_energy {
namespace {

constexpr std::array fields{
    Field{"sizes", "LIST", "1920x1080,640x480,64x48,160x128",
          "Pictures [the paper's two, one that fits a first-level cache of 32 KiB, one that fits a GPU's cache of 256 "
          "KiB]"},
    Field{"points", "LIST", "25,9", "Stencils [25: blur, 9: Sobel's gradient]"},
    Field{"widths", "LIST", "1,4,8,16", "Floats of a vector [1, 4, 8, 16; 1: no vectors]"},
    Field{"taps", "LIST", "shuffles,loads", "How vectors get their neighbours [shuffles, loads]"},
    Field{"unroll", "LIST", "1,2,4,8", "Steps written one after the other [1, 2, 4, 8]"},
    Field{"groups", "LIST", "8,32,64,128,256", "Work-items of a group that are tried [1 .. 65536]"},
    Field{"strip", "LIST", "0,8,64", "Pixels that an item goes through [0 .. 1048576; 0: all, as in the paper]"},
    Field{"search", "yes|no", "yes", "Search for the best of unroll, groups and strip; else the first of each"},
    Field{"search-runs", "N", "5", "Runs of each configuration in the search [1 .. 1000]"},
    Field{"launches", "N", "10", "Rounds of runs [1 .. 1000]"},
    Field{"runs", "N", "100", "Runs of a round [1 .. 100000]"},
    Field{"host", "yes|no", "yes", "Run the scalar program, and this library's filter on 1 to all threads"},
    Field{"tracker", "yes|no", "yes", "Run the whole tracker"},
    Field{"scene", "WxH", "1920x1080", "Size of the built-in clip"},
    Field{"clip-frames", "N", "10", "Frames of the clip, which is played forward and back [1 .. 10000]"},
    Field{"frames", "N", "200", "Frames that are followed [1 .. 100000]"},
    Field{"slow-frames", "N", "200", "Of these for trackers on one core that are not built for speed [1 .. 100000]"},
    Field{"sweep-frames", "N", "50", "Frames for each number of features and window [0 .. 100000; 0: no sweep]"},
    Field{"windows", "LIST", "48,8,16,32", "Windows; the first is that of the table of trackers [8, 16, 32, 48, odd]"},
    Field{"features", "LIST", "500,20,100", "Features; the first is that of the table of trackers [1 .. 100000]"},
    Field{"energy-ms", "N", "2500", "Time over which joules are counted [0 .. 2^30 ms; 0: not at all]"},
    Field{"cell-ms", "N", "0", "Fewer runs where those of a variant would take longer [0 .. 2^30 ms; 0: no bound]"},
    Field{"seconds", "N", "0", "Leave out what has not begun by then [0 .. 2^30 s; 0: no bound]"},
};

bool yes(const Settings& settings, const char* name) {
  static constexpr std::array<std::string_view, 2> words{"yes", "no"};
  return settings.words(name, words).front() == "yes";
}

/// Refuses impossible settings before anything is made or read; returns how many frames of the clip are wanted.
int check_settings(const Settings& settings) {
  Effort{settings};
  Choices{settings};
  settings.sizes("sizes", 1, 16384);
  for (const int points : settings.integers("points", 9, 25))
    if (points != 9 && points != 25) throw Error(ErrorCode::invalid_argument, "points: allowed are 25 and 9");
  for (const char* name : {"search", "host", "tracker"}) yes(settings, name);
  for (const char* name : {"frames", "slow-frames"}) settings.integer(name, 1, 100000);
  settings.integer("sweep-frames", 0, 100000);
  settings.integers("windows", 1, 63);
  settings.integers("features", 1, 100000);
  settings.size("scene", 64, 16384);
  return settings.integer("clip-frames", 1, 10000);
}

void make_inputs(const Settings& settings, std::vector<Picture>& inputs) {
  synth::SceneOptions options;
  options.frames = check_settings(settings);
  options.size = settings.size("scene", 64, 16384);
  options.noise_sigma = 1;
  options.samples = 1;
  const synth::Scene scene(options);
  const int wanted = yes(settings, "tracker") ? options.frames : 1;
  for (int i = 0; i < wanted; ++i) inputs.push_back({"scene", std::move(scene.render(i).left)});
}

/// All variants of one stencil at one size.
class Table {
 public:
  Table(Context& context, Bench& bench, const Effort& effort, Joules& joules)
      : context_(context),
        effort_(effort),
        joules_(joules),
        choices_(context.settings),
        runner_(bench, effort, joules),
        search_(yes(context.settings, "search")) {}

  void run(Size size, int points) {
    const Pictures pictures(context_.inputs.front().pixels, size, points);
    runner_.take(pictures);
    if (size == context_.settings.sizes("sizes", 1, 16384).front())
      context_.results.push_back({is_blur(points) ? "blur" : "gradient", pictures.grey()});
    const bool main = points == 25 && size.width * size.height >= 640 * 480,
               counts = points == 25 && size.width == 1920;
    if (yes(context_.settings, "host"))
      for (const HostRow& row : host_rows()) add(measure_host(effort_, joules_, pictures, row, counts));
    for (const Form form :
         {Form::one_pass, Form::two_rows, Form::two_columns, Form::rows_alone, Form::columns_alone, Form::down_alone})
      for (const Variant& way : choices_.ways(form)) {
        const bool paper = way.is_scalar() || way.width == choices_.paper_width();
        // Small pictures and the small stencil: the paper's rows, and all vectors in one pass.
        if (!main && !paper && form != Form::one_pass) continue;
        measure(way, size, points, counts && paper && way.shuffled != way.is_scalar());
      }
  }
  const Json& searched() const { return searched_; }

 private:
  void measure(const Variant& way, Size size, int points, bool counts) {
    Variant best = choice(way, size, points);
    Variant plain = best;
    plain.unrolled = 1;
    if (plain != best) add(runner_.measure(plain, counts));
    add(runner_.measure(best, counts));
    // The paper's items go all the way.
    Variant whole = best;
    whole.strip = 0;
    if (whole != best && points == 25 && way.width == choices_.paper_width()) add(runner_.measure(whole, false));
  }
  /// The best launch configuration: found with 25 points, and used with 9.
  Variant choice(const Variant& way, Size size, int points) {
    const std::string key = what_of("", "", size, 0, way).dump();
    const auto known = chosen_.find(key);
    if (known != chosen_.end()) return known->second;
    Variant best = way;
    const bool all = way.form == Form::one_pass && way.width == choices_.paper_width() && way.shuffled &&
                     size.width * size.height >= 640 * 480 && points == 25;
    if (search_ && !effort_.over()) best = runner_.best(way, choices_, all, searched_);
    return chosen_[key] = best;
  }
  void add(Cell cell) {
    context_.report.notes["search"] = searched_;
    context_.report.cells.push_back(std::move(cell));
    context_.cell_done(context_.report.cells.back());
  }

  Context& context_;
  const Effort& effort_;
  Joules& joules_;
  Choices choices_;
  Runner runner_;
  bool search_;
  Json searched_ = Json::array();
  std::map<std::string, Variant> chosen_;
};

/// Table III's rows, then the sweep over windows and numbers of features.
void run_trackers(Context& context, const Effort& effort, Joules& joules) {
  const Settings& settings = context.settings;
  std::vector<ImageView<const std::uint8_t>> clip;
  for (const Picture& picture : context.inputs) clip.push_back(picture.pixels);
  const Stream stream(clip);
  for (const ImageView<const std::uint8_t>& frame : clip)
    if (frame.size() != stream.size())
      throw Error(ErrorCode::invalid_argument, "the clip's frames differ in size: give a clip of one size");
  const std::vector<int> windows = settings.integers("windows", 1, 63),
                         features = settings.integers("features", 1, 100000);
  const int frames = settings.integer("frames", 1, 100000),
            slow = std::min(frames, settings.integer("slow-frames", 1, 100000)),
            sweep = settings.integer("sweep-frames", 0, 100000);
  const std::string device = context.device.name;
  std::map<std::tuple<int, int, int>, Json> ends;
  const auto add = [&](const Tracker& tracker, const Following& following, int energy_frames) {
    Cell cell = measure_tracker(effort, joules, stream, tracker, following, energy_frames);
    if (tracker.name == "ours" && cell.ran()) {
      Json& end = ends[{following.window, following.features, following.frames}];
      if (end.is_null()) end = cell.counts["last"];
      cell.differing = end == cell.counts["last"] ? 0 : 1;  // tracks are the same on all devices
    }
    context.report.cells.push_back(std::move(cell));
    context.cell_done(context.report.cells.back());
  };
  const Following first{windows.front(), features.front(), frames};
  for (const Tracker& tracker :
       {Tracker{"ours", "cpu", "cpu", 0}, Tracker{"ours", device, device, 0}, Tracker{"ours", "cpu", device, 0},
        Tracker{"ours", device, "cpu", 0}, Tracker{"ours", "cpu", "cpu", 1}})
    add(tracker, first, frames);
  Following few = first;
  few.frames = slow;
  for (const Tracker& tracker :
       {Tracker{"exact-sdvbs", "reference", "reference", 1}, Tracker{"ours", "reference", "reference", 0}})
    add(tracker, few, frames);
  if (sweep == 0) return;
  for (const int window : windows)
    for (const int number : features)
      for (const Tracker& tracker : {Tracker{"ours", "cpu", "cpu", 0}, Tracker{"ours", device, device, 0}})
        add(tracker, {window, number, sweep}, 0);
}

void run(Context& context) {
  check_settings(context.settings);
  const Effort effort(context.settings);
  Bench bench(context.device);
  Joules joules(effort, bench.properties().pci_address);
  context.report.notes["host"] = host_limits();
  context.report.notes["limits"] = device_limits(bench);
  context.report.notes["energy"] = joules.about();
  context.report.notes["idle"] = joules.idle();
  context.report.notes["search"] = Json::array();
  Table table(context, bench, effort, joules);
  const std::vector<Size> sizes = context.settings.sizes("sizes", 1, 16384);
  const std::vector<int> points = context.settings.integers("points", 9, 25);
  table.run(sizes.front(), points.front());
  if (yes(context.settings, "tracker")) run_trackers(context, effort, joules);
  for (const int stencil : points)
    for (const Size size : sizes)
      if (stencil != points.front() || size != sizes.front()) table.run(size, stencil);
  for (const Json& row : table.searched()) {
    if (row["differing"] == 0) continue;
    Cell cell;
    cell.what = row;
    cell.refused = "a launch configuration of the search gave other bits, or failed";
    cell.failed = true;
    context.report.cells.push_back(std::move(cell));
  }
  context.report.notes["search"] = table.searched();
}

}  // namespace

Study study() {
  return {"stencil-energy",
          "A 25-point and a 9-point stencil in every form, and the tracker around them: GFlop/s, frames/s, joules",
          "CLIP",
          1,
          fields,
          make_inputs,
          run,
          check_settings};
}

}  // namespace vergence::studies::stencil_energy
