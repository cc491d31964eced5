// SPDX-License-Identifier: Apache-2.0
// Settings and runs of the study motion-cuda.
#include "motion-cuda/study.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "motion-cuda/encode.hpp"
#include "motion-cuda/ours.hpp"
#include "vergence/error.hpp"

namespace vergence::studies::motion_cuda {
namespace {

constexpr std::array fields{
    Field{"sizes", "LIST", "416x240,832x480,1920x1080",
          "Built-in scene: a clip of each size [the paper states the first; HEVC's classes have the others]"},
    Field{"scale", "LIST", "no", "Scale clips down first: for each clip WxH (its middle in that shape), or no"},
    Field{"frames", "N", "2",
          "Frames of each clip that are searched, each in the one before [1 .. 1000; the paper does not say]"},
    Field{"block", "N", "32", "Side of a block, px [8, 16, 32, 64]"},
    Field{"reach", "N", "64", "Vectors go from -N to N - 1 px [8, 16, 32, 64, 128]"},
    Field{"rungs", "LIST", "all", "Which rungs of the ladder [all, none]"},
    Field{"clock-rungs", "LIST", "none", "Rungs, besides, that are run by the device's clock alone [all, none]"},
    Field{"streams", "LIST", "1,2,4,8",
          "Queues of the rungs streams-portions and streams-reduced [1 .. 32; divide twice the reach]"},
    Field{"lanes", "LIST", "32,256", "Work-items for one SAD in step searches and test zones with z [32, 256]"},
    Field{"groups", "LIST", "128x1,32x1,64x1,1x128,1x32,8x8,16x16,32x8,8x32,32x32",
          "Groups of the rung all-on-device; the first one is that of all rungs with one candidate to a work-item"},
    Field{"host-code", "LIST", "vectors,plain",
          "How border blocks on the host are compiled; from the second on for the rung search alone [vectors, plain]"},
    Field{"scalar", "yes|no", "yes", "Run the scalar program, compiled both ways"},
    Field{"ours", "yes|no", "yes", "Run this library's searches"},
    Field{"baseline-blocks", "N", "0",
          "The scalar program's full search, and the rung search's border blocks in plain code: so many blocks of a "
          "frame, others in each frame [0 .. 1000000; 0: all]"},
    Field{"blocks", "N", "0", "Search so many blocks of a frame at most, and extrapolate [0 .. 1000000; 0: all]"},
    Field{"borders", "yes|no", "yes",
          "Search blocks whose area crosses the border, too; no: leaves the device's part of rungs with streams"},
    Field{"launches", "N", "32768",
          "The paper's rungs with a launch for each candidate: so many at most, at least those of one block, and "
          "extrapolate [0 .. 2000000000; 0: those of a frame]"},
    Field{"launches-between", "N", "32768", "The same of the rungs between them, sad-flat, sad-block and sad-area"},
    Field{"cell-seconds", "N", "0", "No further frame of a rung after so many seconds [0 .. 100000; 0: all frames]"},
    Field{"turns", "yes|no", "no",
          "A frame of each rung and of the scalar program in turn, then the next: they meet the same changes of the "
          "host's speed; cell-seconds: no further round"},
    Field{"events", "yes|no", "yes", "Frames a second time, by the device's clock, without blocks on the host"},
    Field{"event-frames", "N", "2",
          "So many of them [1 .. 1000]; of a rung with a launch for each candidate 16 blocks together, or one of each"},
    Field{"transfers", "N", "16777216", "Copies, pinned and pageable, up to so many bytes [0 .. 1073741824; 0: none]"},
    Field{"rounds", "N", "5", "This library's searches and copies: the least of so many runs [1 .. 10000]"},
    Field{"save-clips", "yes|no", "no",
          "Write the clips, as several PGM pictures to a file, for vergence_study, and do nothing else"},
};

bool yes(const Settings& settings, const char* name) {
  static constexpr std::array<std::string_view, 2> words{"yes", "no"};
  return settings.words(name, words).front() == "yes";
}

Effort effort_of(const Settings& settings) {
  Effort effort;
  effort.blocks = settings.integer("blocks", 0, 1000000);
  effort.borders = yes(settings, "borders");
  effort.launches = settings.integer("launches", 0, 2000000000);
  effort.launches_between = settings.integer("launches-between", 0, 2000000000);
  effort.baseline_blocks = settings.integer("baseline-blocks", 0, 1000000);
  effort.cell_ms = 1000.0 * settings.integer("cell-seconds", 0, 100000);
  const int event_frames = settings.integer("event-frames", 1, 1000);
  effort.event_frames = yes(settings, "events") ? event_frames : 0;
  return effort;
}

/// Refuses impossible settings before frames are made or read; returns how many frames of a clip are wanted.
int check_settings(const Settings& settings) {
  const Effort effort = effort_of(settings);
  for (const Variant& variant : choose_variants(settings))
    if (variant.clock_only && effort.event_frames == 0)
      throw Error(ErrorCode::invalid_argument, "clock-rungs need events");
  geometry_of(settings);
  scale_sizes(settings);
  for (const char* name : {"scalar", "ours", "save-clips", "turns"}) yes(settings, name);
  settings.integer("transfers", 0, 1 << 30);
  settings.integer("rounds", 1, 10000);
  return settings.integer("frames", 1, 1000) + 1;
}

void make_inputs(const Settings& settings, std::vector<Picture>& inputs) {
  check_settings(settings);
  make_clips(settings, inputs);
}

/// The last frame of a clip as the program's vectors rebuild it.
Image<std::uint8_t> rebuilt(const Clip& clip, const Truth& truth) {
  Image<std::uint8_t> picture(clip.size(), 0);
  for (int i = 0; i < clip.steps(); ++i)
    exact::reconstruct(clip.pair(i).reference, truth.full(i), picture, clip.geometry);
  return picture;
}

/// A clip, and what is run on it.
struct Task {
  const Clip& clip;
  std::vector<Variant> variants;
  Truth truth;
};

Task task_of(const Clip& clip, std::vector<Variant> variants, bool is_first) {
  // A launch for each candidate takes minutes on large frames; the paper times it on its first video alone.
  if (!is_first) std::erase_if(variants, [](const Variant& variant) { return variant.unit == Unit::sad; });
  Truth truth(clip, variants, true);
  return {clip, std::move(variants), std::move(truth)};
}

void add(Context& context, Cell cell) {
  context.report.cells.push_back(std::move(cell));
  context.cell_done(context.report.cells.back());
}

void one_by_one(Context& context, Bench& bench, const Task& task, const Effort& effort) {
  if (yes(context.settings, "scalar"))
    for (const Search search : {Search::full, Search::step, Search::zones})
      for (const Code code : {Code::plain, Code::vectors})
        add(context, encode_scalar(task.clip, task.truth, search, code, effort));
  for (const Variant& variant : task.variants) add(context, encode(bench, task.clip, task.truth, variant, effort));
}

Search search_of(const Variant& variant) {
  return variant.is_full() ? Search::full : variant.zones ? Search::zones : Search::step;
}

/// All of a clip that take turns: of the scalar program the searches that a variant has.
std::vector<std::unique_ptr<Timed>> start(const Context& context, Bench& bench, const Task& task,
                                          const Effort& effort) {
  std::vector<std::unique_ptr<Timed>> started;
  const auto has = [&](Search search) {
    return std::any_of(task.variants.begin(), task.variants.end(),
                       [&](const Variant& variant) { return search_of(variant) == search; });
  };
  if (yes(context.settings, "scalar"))
    for (const Search search : {Search::full, Search::step, Search::zones})
      for (const Code code : {Code::plain, Code::vectors})
        if (has(search)) started.push_back(start_scalar(task.clip, task.truth, search, code, effort));
  for (const Variant& variant : task.variants)
    started.push_back(start_encode(bench, task.clip, task.truth, variant, effort));
  return started;
}

/// A frame of all on each clip, then the next; every other round backwards, so that nothing always follows the same.
void in_turns(Context& context, Bench& bench, const std::vector<Task>& tasks, const Effort& effort) {
  struct One {
    int steps;
    std::unique_ptr<Timed> timed;
  };
  std::vector<One> all;
  int rounds = 0;
  for (const Task& task : tasks) {
    for (auto& timed : start(context, bench, task, effort)) all.push_back({task.clip.steps(), std::move(timed)});
    rounds = std::max(rounds, task.clip.steps());
  }
  double spent = 0;
  for (int step = 0; step < rounds && (step == 0 || effort.cell_ms <= 0 || spent < effort.cell_ms); ++step)
    spent += milliseconds([&] {
      for (std::size_t i = 0; i < all.size(); ++i) {
        const One& one = all[step % 2 == 0 ? i : all.size() - 1 - i];
        if (step < one.steps) one.timed->frame(step);
      }
    });
  for (const One& one : all) add(context, one.timed->finish());
}

void run(Context& context) {
  scale_inputs(context.settings, context.inputs);
  const std::vector<Clip> clips = clips_of(context.inputs, geometry_of(context.settings));
  if (yes(context.settings, "save-clips")) {
    for (std::size_t i = 0; i < context.inputs.size(); ++i)
      context.results.push_back({"clip" + std::to_string(context.inputs[i].input), context.inputs[i].pixels.clone(),
                                 context.inputs[i].input});
    return;
  }
  const std::vector<Variant> variants = choose_variants(context.settings);
  context.report.notes["clips"] = Json::array();
  for (const Clip& clip : clips)
    context.report.notes["clips"].push_back({{"name", clip.name},
                                             {"width", clip.size().width},
                                             {"height", clip.size().height},
                                             {"frames", clip.frames.size()}});
  const int largest = context.settings.integer("transfers", 0, 1 << 30);
  context.report.notes["transfers"] =
      transfers(context.device, static_cast<std::size_t>(largest), context.settings.integer("rounds", 1, 10000));
  Bench bench(context.device);
  const Effort effort = effort_of(context.settings);
  const bool turns = yes(context.settings, "turns");
  std::vector<Task> tasks;
  for (const Clip& clip : clips) {
    tasks.push_back(task_of(clip, variants, &clip == &clips.front()));
    if (!turns) one_by_one(context, bench, tasks.back(), effort);
  }
  if (turns) in_turns(context, bench, tasks, effort);
  for (const Task& task : tasks) {
    if (yes(context.settings, "ours"))
      for (Cell& cell : encode_ours(context.device.name, task.clip, context.settings.integer("rounds", 1, 10000)))
        add(context, std::move(cell));
    context.results.push_back({"rebuilt-" + task.clip.name, rebuilt(task.clip, task.truth), 0});
  }
}

}  // namespace

Study study() {
  return {"motion-cuda",
          "A video encoder's block motion on a GPU, from one launch per difference of blocks to the whole search",
          "CLIP...",
          16,
          fields,
          make_inputs,
          run,
          check_settings};
}

}  // namespace vergence::studies::motion_cuda
