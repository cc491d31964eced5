// SPDX-License-Identifier: Apache-2.0
// Settings and runs of the study stencil-energy.
#include "stencil-energy/study.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "stencil-energy/host.hpp"
#include "stencil-energy/runner.hpp"
#include "stencil-energy/sharing.hpp"
#include "stencil-energy/trackers.hpp"
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
    Field{
        "strip", "LIST", "0,8,64",
        "Pixels that an item of our cut goes through [0 .. 1048576; 0: the paper's, all the way, is always measured]"},
    Field{"forms", "LIST", "1P,2P-rows,2P-columns,rows,columns,down",
          "Passes over the picture; the last three are one of two passes, alone"},
    Field{"search", "yes|no", "yes", "Search for the best of unroll, groups and strip; else the first of each"},
    Field{"search-runs", "N", "5", "Runs of each configuration in the search [1 .. 1000]"},
    Field{"launches", "N", "10", "Rounds of runs [1 .. 1000]"},
    Field{"runs", "N", "100", "Runs of a round [1 .. 100000]"},
    Field{"host", "yes|no", "yes", "Run the scalar program, and this library's filter on 1 to all threads"},
    Field{"tracker", "LIST", "published,ours",
          "Whole trackers: the published program's phases, ours; given: that program on the clip as given alone "
          "[no: none]"},
    Field{"scene", "WxH", "1920x1080", "Size of the built-in clip"},
    Field{"clip-frames", "N", "10", "Frames of the clip, which is played forward and back [1 .. 10000]"},
    Field{"frames", "N", "200", "Frames that are followed [1 .. 100000]"},
    Field{"slow-frames", "N", "200", "Of these for trackers on one core [1 .. 100000]"},
    Field{"drift", "N", "3",
          "Motion of the published tracker's clip, which is the first frame moved [0 .. 100; 1/100 px a frame]"},
    Field{"strongest", "LIST", "500,20000",
          "The published tracker's strongest pixels; the first is that of its table [1 .. 1000000]"},
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

/// Whether a tracker is to be run.
bool wants(const Settings& settings, std::string_view which) {
  static constexpr std::array<std::string_view, 4> words{"published", "ours", "given", "no"};
  const std::vector<std::string> chosen = settings.words("tracker", words);
  return std::find(chosen.begin(), chosen.end(), which) != chosen.end();
}

std::vector<Form> forms_of(const Settings& settings) {
  static constexpr std::array<std::string_view, 6> names{"1P", "2P-rows", "2P-columns", "rows", "columns", "down"};
  static constexpr std::array forms{Form::one_pass,   Form::two_rows,      Form::two_columns,
                                    Form::rows_alone, Form::columns_alone, Form::down_alone};
  std::vector<Form> chosen;
  for (const std::string& word : settings.words("forms", names))
    chosen.push_back(forms[static_cast<std::size_t>(std::find(names.begin(), names.end(), word) - names.begin())]);
  return chosen;
}

/// Refuses impossible settings before anything is made or read; returns how many frames of the clip are wanted.
int check_settings(const Settings& settings) {
  Effort{settings};
  Choices{settings};
  forms_of(settings);
  settings.sizes("sizes", 1, 16384);
  for (const int points : settings.integers("points", 9, 25))
    if (points != 9 && points != 25) throw Error(ErrorCode::invalid_argument, "points: allowed are 25 and 9");
  for (const char* name : {"search", "host"}) yes(settings, name);
  wants(settings, "ours");
  settings.integer("drift", 0, 100);
  settings.integers("strongest", 1, 1000000);
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
  const int wanted = wants(settings, "ours") ? options.frames : 1;
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
        search_(yes(context.settings, "search")),
        two_pass_(bench.properties().is_cpu ? Form::two_rows : Form::two_columns) {}

  void run(Size size, int points) {
    const Pictures pictures(context_.inputs.front().pixels, size, points);
    runner_.take(pictures);
    if (size == context_.settings.sizes("sizes", 1, 16384).front())
      context_.results.push_back({is_blur(points) ? "blur" : "gradient", pictures.grey()});
    const bool main = points == 25 && size.width * size.height >= 640 * 480,
               counts = points == 25 && size.width == 1920;
    if (yes(context_.settings, "host"))
      for (const HostRow& row : host_rows()) add(measure_host(effort_, joules_, pictures, row, counts));
    for (const Form form : forms_of(context_.settings))
      for (const Variant& way : choices_.ways(form)) {
        const bool paper = way.is_scalar() || way.width == choices_.paper_width();
        // Small pictures and the small stencil: the paper's rows, and all vectors in one pass.
        if (!main && !paper && form != Form::one_pass) continue;
        const bool named = form == Form::one_pass || form == two_pass_;  // rows of the paper's table II
        measure(way, size, points, counts && paper && named && way.shuffled != way.is_scalar());
      }
  }
  const Json& searched() const { return searched_; }

 private:
  /// The paper's items, which go all the way, without unrolling and with; then our cut, the faster of both.
  void measure(const Variant& way, Size size, int points, bool counts) {
    const Best paper = choice(way, size, points, {0});
    if (paper.plain) add(runner_.measure(*paper.plain, counts));
    if (paper.unrolled && !way.is_scalar()) add(runner_.measure(*paper.unrolled, counts));
    std::vector<int> strips;
    for (const int strip : choices_.strips)  // as long as the picture: the same as 0
      if (strip != 0 && strip < std::max(size.width, size.height)) strips.push_back(strip);
    if (strips.empty()) return;
    const Best ours = choice(way, size, points, strips);
    if (ours.either()) add(runner_.measure(*ours.either(), counts && way.form == Form::one_pass));
  }
  /// The best launch configuration: found with 25 points, and used with 9. Of the paper's ways all are tried.
  Best choice(const Variant& way, Size size, int points, const std::vector<int>& strips) {
    const std::string key = what_of("", "", size, strips.front(), way).dump();
    const auto known = chosen_.find(key);
    if (known != chosen_.end()) return known->second;
    const bool all = points == 25 && (way.is_scalar() || (way.shuffled && way.width == choices_.paper_width()));
    Best best;
    if (search_) {
      best = runner_.best(way, strips, choices_, all, searched_);
    } else {
      Variant one = way;
      one.strip = strips.front();
      one.unrolled = choices_.unrolls.front();
      (one.unrolled == 1 ? best.plain : best.unrolled) = one;
    }
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
  Form two_pass_;  ///< The better one, says the paper.
  Json searched_ = Json::array();
  std::map<std::string, Best> chosen_;
};

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
  // What the paper claims most of comes first, in case time is over.
  table.run(sizes.front(), points.front());
  if (wants(context.settings, "published")) run_published(context, effort, joules);
  if (wants(context.settings, "given")) run_given(context, effort, joules);
  if (context.device.device->dialect() == gpu::Dialect::opencl) run_sharing(context, bench, effort);
  for (const Size size : sizes)
    if (size != sizes.front()) table.run(size, points.front());
  if (wants(context.settings, "ours")) run_ours(context, effort, joules);
  for (const int stencil : points)
    if (stencil != points.front())
      for (const Size size : sizes) table.run(size, stencil);
  for (const Json& row : table.searched().elements()) {
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
