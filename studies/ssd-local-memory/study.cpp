// SPDX-License-Identifier: Apache-2.0
// Settings and runs of the study ssd-local-memory.
#include "ssd-local-memory/study.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace vergence::studies::ssd_local_memory {
namespace {

constexpr std::array fields{
    Field{"size", "WxH", "427x370", "Built-in scene: pixels [the paper gives no size; a common one of its time]"},
    Field{"windows", "LIST", "11,15", "Windows, px [odd, 1 .. 63]"},
    Field{"disparities", "LIST", "60,90", "Candidates [1 .. 255]"},
    Field{"memory", "LIST", "uchar4,bytes,none", "How pixels lie in local memory; none: no local memory"},
    Field{"groups", "LIST", "32x16,32x32", "Work-items in a group [1x1 .. 1024x1024]"},
    Field{"forms", "LIST", "separate,single", "Three launches, or the paper's one, which cannot be exact"},
    Field{"threshold", "N", "125", "Cross-check: largest difference in grey levels [0 .. 255]"},
    Field{"fill-window", "N", "11", "Occlusion filling: window, px [odd, 1 .. 63]"},
    Field{"fill", "WORD", "mean", "Mean of what is no hole, or mean-all: zeros counted, centre left out"},
    Field{"runs", "N", "10", "Timed runs of each variant [1 .. 10000; the paper names none]"},
    Field{"baseline-runs", "N", "3", "Timed runs of the program in C on one core [1 .. 100]"},
};

constexpr std::array<std::string_view, 3> memory_names{"uchar4", "bytes", "none"};
constexpr std::array<std::string_view, 2> form_names{"separate", "single"};
constexpr std::array<std::string_view, 2> fill_names{"mean", "mean-all"};

void make_inputs(const Settings& settings, std::vector<Picture>& inputs) {
  const std::vector<int> disparities = settings.integers("disparities", 1, 255);
  make_pair(settings.size("size", 1, 16384), *std::min_element(disparities.begin(), disparities.end()), inputs);
}

struct Choice {
  std::vector<int> windows, disparities;
  std::vector<Variant> variants;
  Problem problem;
  int runs = 0, baseline_runs = 0;
};

Choice read_settings(const Settings& settings) {
  Choice choice;
  choice.windows = settings.integers("windows", 1, 63);
  for (const int window : choice.windows)
    if (window % 2 == 0)
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("windows is '{}': allowed are odd numbers 1 .. 63", settings.text("windows")));
  choice.disparities = settings.integers("disparities", 1, 255);
  choice.problem.threshold = settings.integer("threshold", 0, 255);
  choice.problem.fill_radius = settings.odd("fill-window", 1, 63) / 2;
  choice.problem.fill_all = settings.words("fill", fill_names).front() == "mean-all";
  choice.runs = settings.integer("runs", 1, 10000);
  choice.baseline_runs = settings.integer("baseline-runs", 1, 100);
  for (const std::string& form : settings.words("forms", form_names))
    for (const std::string& memory : settings.words("memory", memory_names))
      for (const Size group : settings.sizes("groups", 1, 1024))
        choice.variants.push_back({memory == "none"    ? Memory::none
                                   : memory == "bytes" ? Memory::bytes
                                                       : Memory::uchar4,
                                   group, form == "single"});
  return choice;
}

/// Of the pixels with a whole window: those that the check rejected, which of these are still 0 after filling, and all
/// that are 0 then, those of disparity 0 among them.
Json holes_json(const Problem& p, const Maps& maps) {
  std::int64_t valid = 0, rejected = 0, unfilled = 0, zeros = 0;
  for (int y = p.radius; y < p.picture.height - p.radius; ++y)
    for (int x = p.radius; x < p.picture.width - p.radius; ++x) {
      ++valid;
      const bool is_rejected = maps.checked(x, y) == 0 && maps.left(x, y) * 255 / p.disparities != 0;
      const bool is_zero = maps.filled(x, y) == 0;
      rejected += is_rejected ? 1 : 0;
      unfilled += is_rejected && is_zero ? 1 : 0;
      zeros += is_zero ? 1 : 0;
    }
  return Json{{"valid_pixels", valid},
              {"rejected", rejected},
              {"rejected_still_0", unfilled},
              {"still_0_after_filling", zeros}};
}

/// The plain program, timed; its maps are what all variants have to give.
Maps run_baseline(Context& context, const Choice& choice, const Problem& problem) {
  const Image<std::uint8_t>&left = context.inputs[0].pixels, &right = context.inputs[1].pixels;
  Maps maps;
  std::vector<Times> runs;
  for (int i = 0; i < choice.baseline_runs; ++i) {
    Times one;
    one.wall = milliseconds([&] { maps = reference(problem, left, right); });
    runs.push_back(one);
  }
  Json baseline{{"window", 2 * problem.radius + 1},
                {"disparities", problem.disparities},
                {"median_ms", std::round(median_of(runs).wall * 1000) / 1000},
                {"holes", holes_json(problem, maps)}};
  context.report.notes["c_program"].push_back(std::move(baseline));
  const std::string name = fmt::format("{}x{}-{}", 2 * problem.radius + 1, 2 * problem.radius + 1, problem.disparities);
  context.results.push_back({name + "-before-filling", maps.checked.clone()});
  context.results.push_back({name, maps.filled.clone()});
  return maps;
}

void run(Context& context) {
  check_pair(context.inputs);
  const Choice choice = read_settings(context.settings);
  Bench bench(context.device);
  context.report.notes["c_program"] = Json::array();
  for (const int disparities : choice.disparities)
    for (const int window : choice.windows) {
      Problem problem = choice.problem;
      problem.picture = context.inputs[0].pixels.size();
      problem.radius = window / 2;
      problem.disparities = disparities;
      const Maps expected = run_baseline(context, choice, problem);
      for (const Variant& variant : choice.variants) {
        context.report.cells.push_back(run_variant(bench, problem, variant, context.inputs[0].pixels,
                                                   context.inputs[1].pixels, expected, choice.runs));
        context.cell_done(context.report.cells.back());
      }
    }
}

}  // namespace

Study study() {
  return {"ssd-local-memory",
          "SSD of both views with cross-check and filling: uchar4 or packed bytes in local memory, or none",
          "LEFT RIGHT",
          2,
          fields,
          make_inputs,
          run};
}

}  // namespace vergence::studies::ssd_local_memory
