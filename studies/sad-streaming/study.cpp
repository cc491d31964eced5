// SPDX-License-Identifier: Apache-2.0
// Settings, variants and runs of the study sad-streaming.
#include "sad-streaming/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "vergence/error.hpp"

namespace vergence::studies::sad_streaming {
namespace {

constexpr std::array fields{
    Field{"size", "WxH", "434x383", "Built-in scene: pixels [the paper's pictures]"},
    Field{"padding", "WxH", "auto", "Pictures are padded with zeros to this size [auto: powers of 2]"},
    Field{"window", "N", "5", "Window, px [odd, 1 .. 31]"},
    Field{"disparities", "N", "64", "Candidates [1 .. 1024]"},
    Field{"kernels", "LIST", "global,centralised,distributed,vertical,flags", "Which kernels"},
    Field{
        "flags", "LIST", "printed,loaded,chained,reversed",
        "How rows of the kernel flags wait: as the paper prints it, also for what is loaded, also for the group above, "
        "the same with groups from below"},
    Field{"spins", "N", "16384", "Looks at a flag before a wait counts as failed [1 .. 100000000]"},
    Field{"sweep", "LIST", "no",
          "Built-in scene at further sizes, WxH, or no: kernels global, centralised and distributed, 8-bit, unrolled"},
    Field{"inputs", "LIST", "32-bit,8-bit", "Which pixels"},
    Field{"unroll", "LIST", "yes,no", "Window loops written out, or left as loops"},
    Field{"groups", "LIST", "auto", "Work-items in a group [1 .. 65536; auto: 32, 64, ... up to the device's largest]"},
    Field{
        "group-rows", "LIST", "1,4",
        "Rows of a group of the kernels centralised and distributed [1 .. 1024]; more than 1 only with unrolled loops"},
    Field{"tiles", "LIST", "rows,columns,columns-padded",
          "How local memory lies; other than rows only with kernel distributed, 32-bit, unrolled, one row"},
    Field{"per-item", "N", "4", "Pixels of a work-item in kernel vertical [1 .. 16; the paper names none]"},
    Field{"lanes", "N", "128", "Lanes of a compute unit, for the count of rounds [1 .. 4096; the paper's GPU]"},
    Field{"runs", "N", "10", "Timed runs of each variant [1 .. 10000; the paper names none]"},
};

constexpr std::array<std::string_view, 5> kernel_names{"global", "centralised", "distributed", "vertical", "flags"};
constexpr std::array<std::string_view, 4> flag_names{"printed", "loaded", "chained", "reversed"};
constexpr std::array<std::string_view, 2> input_names{"32-bit", "8-bit"};
constexpr std::array<std::string_view, 2> unroll_names{"yes", "no"};
constexpr std::array<std::string_view, 3> tile_names{"rows", "columns", "columns-padded"};

Flags flags_of(const std::string& name) {
  const auto place = std::find(flag_names.begin(), flag_names.end(), name) - flag_names.begin();
  return static_cast<Flags>(place + 1);
}

Tile tile_of(const std::string& name) {
  return name == "rows" ? Tile::rows : name == "columns" ? Tile::columns : Tile::columns_padded;
}

void make_inputs(const Settings& settings, std::vector<Picture>& inputs) {
  make_pair(settings.size("size", 1, 16384), settings.integer("disparities", 1, 1024), inputs);
}

/// The paper's sizes and on: 32, 64, ... `largest`.
std::vector<int> all_groups(std::size_t largest) {
  std::vector<int> groups;
  for (int group = 32; group <= static_cast<int>(std::min<std::size_t>(largest, 65536)); group *= 2)
    groups.push_back(group);
  return groups;
}

/// The map in grey: floor(255 d / (disparities - 1)).
Image<std::uint8_t> grey_of(const Image<std::int32_t>& map, int disparities) {
  Image<std::uint8_t> grey(map.size());
  for (int y = 0; y < map.height(); ++y)
    for (int x = 0; x < map.width(); ++x)
      grey(x, y) = static_cast<std::uint8_t>(map(x, y) * 255 / std::max(disparities - 1, 1));
  return grey;
}

std::int64_t count_differing(const Image<std::int32_t>& expected, const std::vector<std::int32_t>& got) {
  std::int64_t count = 0;
  std::size_t i = 0;
  for (int y = 0; y < expected.height(); ++y)
    for (int x = 0; x < expected.width(); ++x) count += expected(x, y) != got[i++] ? 1 : 0;
  return count;
}

/// Buffers and arguments of a variant.
struct Frame {
  Frame(const Bench& bench, const Problem& p, const Pair& pair, const Variant& variant, const Shape& shape,
        bool counted)
      : pixels(static_cast<std::size_t>(p.padded.width) * static_cast<std::size_t>(p.padded.height)),
        row_bytes(static_cast<std::size_t>(p.padded.width) * shape.element),
        rows(static_cast<std::size_t>(p.padded.height)),
        left_host(variant.bytes ? static_cast<const void*>(pair.left_bytes.data()) : pair.left_words.data()),
        right_host(variant.bytes ? static_cast<const void*>(pair.right_bytes.data()) : pair.right_words.data()),
        left(bench.device().allocate(pixels * shape.element)),
        right(bench.device().allocate(pixels * shape.element)),
        map(static_cast<std::size_t>(p.picture.width) * static_cast<std::size_t>(p.picture.height)),
        disparity(bench.device().allocate(map.size() * 4)) {
    arguments = {*left, *right, *disparity, p.picture.width, p.picture.height};
    if (counted) {
      counters.resize(3 * shape.groups.x * shape.groups.y * static_cast<std::size_t>(variant.group));
      traffic = bench.device().allocate(counters.size() * 4);
      arguments.emplace_back(*traffic);
    }
    if (variant.kernel == "flags") {
      const std::size_t count = shape.groups.x * rows;
      for (auto& buffer : flags) buffer = bench.device().allocate((&buffer == &flags.back() ? 1 : count) * 4);
      for (auto& buffer : flags) arguments.emplace_back(*buffer);
    }
    if (shape.local_bytes > 0) arguments.push_back(gpu::Argument::local(shape.local_bytes));
  }

  std::size_t pixels, row_bytes, rows;
  const void *left_host, *right_host;
  std::unique_ptr<gpu::Buffer> left, right;
  std::vector<std::int32_t> map;
  std::unique_ptr<gpu::Buffer> disparity, traffic;
  std::array<std::unique_ptr<gpu::Buffer>, 3> flags;  ///< Rows done, rows loaded, whether a wait failed.
  std::vector<std::uint32_t> counters;
  std::vector<gpu::Argument> arguments;
};

Traffic sum_counters(const std::vector<std::uint32_t>& counters) {
  Traffic sum;
  for (std::size_t i = 0; i < counters.size(); i += 3) {
    sum.global_reads += counters[i];
    sum.local_reads += counters[i + 1];
    sum.local_writes += counters[i + 2];
  }
  return sum;
}

Cell describe(const Bench& bench, const Problem& problem, const Variant& variant, const Shape& shape) {
  Cell cell;
  cell.what = {{"kernel", variant.kernel},
               {"input", variant.bytes ? "8-bit" : "32-bit"},
               {"unrolled", variant.unrolled},
               {"group", variant.group},
               {"rows", variant.rows},
               {"tile", shape.local_bytes > 0 ? tile_name(variant.tile) : "none"},
               {"flags", flags_name(variant.flags)},
               {"picture", fmt::format("{}x{}", problem.picture.width, problem.picture.height)}};
  const auto w = static_cast<std::size_t>(shape.group_w), h = static_cast<std::size_t>(shape.group_h);
  cell.local = {w, h, 1};
  cell.global = {shape.groups.x * w, shape.groups.y * h, 1};
  cell.local_bytes = shape.local_bytes;
  cell.counts = counts_json(problem, variant, shape, bench.properties().compute_units);
  cell.must_equal = variant.flags == Flags::none;
  cell.refused = bench.refusal(cell.local, cell.local_bytes);
  return cell;
}

/// The kernels of the paper at other sizes of the built-in scene, in groups of all sizes.
void run_sweep(Context& context, Bench& bench, int runs) {
  if (context.settings.text("sweep") == "no") return;
  const std::vector<int> groups = context.settings.text("groups") == "auto"
                                      ? all_groups(std::min<std::size_t>(bench.properties().largest_group, 1024))
                                      : context.settings.integers("groups", 1, 65536);
  for (const Size size : context.settings.sizes("sweep", 16, 8192)) {
    Settings settings = context.settings;
    settings.set("padding", "auto");
    const Problem problem = make_problem(settings, size);
    std::vector<Picture> inputs;
    make_pair(size, problem.disparities, inputs);
    const Pair pair(problem, inputs[0].pixels, inputs[1].pixels);
    for (const char* const kernel : {"global", "centralised", "distributed"})
      for (const int group : groups) {
        context.report.cells.push_back(
            run_variant(bench, problem, pair, {kernel, true, true, group, 1, Tile::rows}, runs));
        context.cell_done(context.report.cells.back());
      }
  }
}

void run(Context& context) {
  check_pair(context.inputs);
  const Image<std::uint8_t>&left = context.inputs[0].pixels, &right = context.inputs[1].pixels;
  const Problem problem = make_problem(context.settings, left.size());
  const int runs = context.settings.integer("runs", 1, 10000);
  const std::vector<Variant> variants =
      choose_variants(context.settings, context.device.device->properties().largest_group);
  for (const Variant& variant : variants) make_shape(problem, variant);  // refuses before any work
  const Pair pair(problem, left, right);
  context.report.notes["padded"] = Json::array({problem.padded.width, problem.padded.height});
  Bench bench(context.device);
  for (const Variant& variant : variants) {
    context.report.cells.push_back(run_variant(bench, problem, pair, variant, runs));
    context.cell_done(context.report.cells.back());
  }
  run_sweep(context, bench, runs);
  context.results.push_back({"disparity", grey_of(pair.expected, problem.disparities)});
}

/// Runs that ended a wait without its flag, counted beside those whose map differs.
class FlagCounts {
 public:
  void look(gpu::Queue& queue, const Frame& frame, const Pair& pair) {
    std::int32_t failed = 0;
    queue.download(*frame.flags.back(), packed_rows(4, 1), &failed);
    ++runs_;
    failed_ += failed != 0 ? 1 : 0;
    const std::int64_t differing = count_differing(pair.expected, frame.map);
    wrong_ += differing != 0 ? 1 : 0;
    most_ = std::max(most_, differing);
  }
  Json json() const {
    return {{"looked_at", runs_},
            {"runs_with_failed_waits", failed_},
            {"wrong_runs", wrong_},
            {"most_wrong_pixels", most_}};
  }

 private:
  int runs_ = 0, failed_ = 0, wrong_ = 0;
  std::int64_t most_ = 0;
};

void measure_variant(Cell& cell, const Bench& bench, const Problem& problem, const Pair& pair, const Variant& variant,
                     const Shape& shape, int runs, Traffic* traffic) {
  Built built;
  std::unique_ptr<Frame> frame;
  cell.setup_ms = milliseconds([&] {
    built = bench.build("sad-streaming/" + variant.kernel + ".cl",
                        make_defines(problem, variant, shape, traffic != nullptr), "sad_" + variant.kernel);
    frame = std::make_unique<Frame>(bench, problem, pair, variant, shape, traffic != nullptr);
  });
  cell.compile_ms = built.compile_ms;
  cell.code_bytes = built.code_bytes;
  cell.code_kind = built.code_kind;
  cell.launches = 1;
  cell.bytes_up = 2 * frame->pixels * shape.element;
  cell.bytes_down = frame->map.size() * 4;
  const gpu::Rows rows = packed_rows(frame->row_bytes, frame->rows);
  gpu::Queue& queue = bench.queue();
  Work work;
  FlagCounts flag_counts;
  bool has_run = false;
  work.prepare = [&] {
    const bool has_flags = variant.flags != Flags::none;
    if (has_flags && std::exchange(has_run, true)) flag_counts.look(queue, *frame, pair);
    queue.fill(*frame->disparity, 0xA5);  // what a kernel leaves out must not look right
    for (auto& buffer : frame->flags)
      if (buffer != nullptr) queue.fill(*buffer, 0);
  };
  work.upload = [&] {
    queue.upload(*frame->left, rows, frame->left_host);
    queue.upload(*frame->right, rows, frame->right_host);
  };
  work.launch = [&] { queue.launch(*built.kernel, shape.groups, cell.local, frame->arguments); };
  work.download = [&] { queue.download(*frame->disparity, packed_rows(frame->map.size() * 4, 1), frame->map.data()); };
  cell.runs = bench.measure(runs, work);
  cell.differing = count_differing(pair.expected, frame->map);
  if (variant.flags != Flags::none) {
    flag_counts.look(queue, *frame, pair);
    cell.counts["flags"] = flag_counts.json();
  }
  if (traffic != nullptr) {
    queue.download(*frame->traffic, packed_rows(frame->counters.size() * 4, 1), frame->counters.data());
    *traffic = sum_counters(frame->counters);
  }
}

}  // namespace

Study study() {
  return {"sad-streaming",
          "SAD 5x5 by one work-item per pixel: global memory against three ways of filling local memory",
          "LEFT RIGHT",
          2,
          fields,
          make_inputs,
          run};
}

std::vector<Variant> choose_variants(const Settings& settings, std::size_t largest_group) {
  const auto kernels = settings.words("kernels", kernel_names), inputs = settings.words("inputs", input_names),
             unroll = settings.words("unroll", unroll_names), tiles = settings.words("tiles", tile_names);
  std::vector<Flags> flags;
  for (const std::string& word : settings.words("flags", flag_names)) flags.push_back(flags_of(word));
  const std::vector<int> groups = settings.text("groups") == "auto" ? all_groups(largest_group)
                                                                    : settings.integers("groups", 1, 65536),
                         group_rows = settings.integers("group-rows", 1, 1024);
  std::vector<Variant> all;
  for (const std::string& kernel : kernels)
    for (const std::string& tile : tiles)
      for (const int rows : group_rows)
        for (const std::string& input : inputs)
          for (const std::string& unrolled : unroll)
            for (const int group : groups) {
              const Variant one{kernel, input == "8-bit", unrolled == "yes", group, rows, tile_of(tile)};
              const bool has_ring = kernel == "centralised" || kernel == "distributed" || kernel == "flags";
              if (rows != group_rows.front() && (!has_ring || !one.unrolled)) continue;
              if (one.tile != Tile::rows && (kernel != "distributed" || one.bytes || !one.unrolled || rows != 1))
                continue;
              if (kernel == "flags") {  // rows of a group wait for each other: there must be several
                if (one.bytes || !one.unrolled || one.tile != Tile::rows || rows != group_rows.back()) continue;
                for (const Flags how : flags) all.push_back(one), all.back().flags = how;
                continue;
              }
              all.push_back(one);
              if (!has_ring) all.back().rows = 1;
            }
  return all;
}

Cell run_variant(Bench& bench, const Problem& problem, const Pair& pair, const Variant& variant, int runs,
                 Traffic* traffic) {
  const Shape shape = make_shape(problem, variant);
  Cell cell = describe(bench, problem, variant, shape);
  if (cell.ran())
    bench.guard(cell, [&] { measure_variant(cell, bench, problem, pair, variant, shape, runs, traffic); });
  return cell;
}

}  // namespace vergence::studies::sad_streaming
