// SPDX-License-Identifier: Apache-2.0
// One variant of the study: its memory, its traffic, its launches.
#include <algorithm>
#include <array>
#include <cstring>

#include "gpu/grid.hpp"
#include "ssd-local-memory/study.hpp"

namespace vergence::studies::ssd_local_memory {
namespace {

using Grey = Image<std::uint8_t>;

std::int64_t span(int group, int radius) { return group + 2 * radius; }

/// Pixels of first .. first + count - 1 within 0 .. size - 1.
std::int64_t inside(int first, std::int64_t count, int size) {
  return std::max<std::int64_t>(std::min<std::int64_t>(first + count, size) - std::max(first, 0), 0);
}

gpu::Range groups_of(const Problem& p, const Variant& v) {
  return {gpu::groups_for(p.picture.width, v.group.width), gpu::groups_for(p.picture.height, v.group.height), 1};
}

gpu::Rows rows_of(const Grey& image) {
  const auto width = static_cast<std::size_t>(image.width());
  return {0, width, image.stride(), width, static_cast<std::size_t>(image.height())};
}

std::int64_t count_differing(const Maps& expected, const Grey& checked, const Grey& filled) {
  std::int64_t count = 0;
  for (int y = 0; y < filled.height(); ++y)
    for (int x = 0; x < filled.width(); ++x)
      count += filled(x, y) != expected.filled(x, y) || checked(x, y) != expected.checked(x, y) ? 1 : 0;
  return count;
}

/// Programs and buffers of a variant.
struct Frame {
  Frame(const Bench& bench, const Problem& p, const Variant& v, bool counted)
      : pixels(static_cast<std::size_t>(p.picture.width) * static_cast<std::size_t>(p.picture.height)) {
    const gpu::Defines defines = make_defines(p, v, counted);
    const auto add = [&](const char* name) {
      built.push_back(bench.build(std::string("ssd-local-memory/") + name + ".cl", defines, name));
    };
    if (v.single) {
      add("single");
    } else {
      for (const char* name : {"match", "check", "fill"}) add(name);
    }
    for (auto& buffer : buffers) buffer = bench.device().allocate(pixels);
    if (counted) {
      const gpu::Range groups = groups_of(p, v);
      counters.resize(3 * groups.x * groups.y * static_cast<std::size_t>(v.group.width) *
                      static_cast<std::size_t>(v.group.height));
      traffic = bench.device().allocate(counters.size() * 4);
    }
  }

  std::size_t pixels;
  std::vector<Built> built;
  std::array<std::unique_ptr<gpu::Buffer>, 6> buffers;  ///< left, right, left map, right map, checked, filled.
  std::vector<std::uint32_t> counters;
  std::unique_ptr<gpu::Buffer> traffic;
};

void launch(const Bench& bench, const Problem& p, const Variant& v, const Frame& frame, std::size_t local) {
  const auto& [left, right, left_map, right_map, checked, filled] = frame.buffers;
  const gpu::Range groups = groups_of(p, v),
                   group{static_cast<std::size_t>(v.group.width), static_cast<std::size_t>(v.group.height), 1};
  std::vector<gpu::Argument> arguments{*left, *right, *left_map, *right_map};
  if (v.single) {
    arguments.emplace_back(*checked);
    arguments.emplace_back(*filled);
  }
  arguments.emplace_back(p.picture.width);
  arguments.emplace_back(p.picture.height);
  if (frame.traffic != nullptr) arguments.emplace_back(*frame.traffic);
  if (local > 0) arguments.push_back(gpu::Argument::local(local));
  bench.queue().launch(*frame.built[0].kernel, groups, group, arguments);
  if (v.single) return;
  const std::array<gpu::Argument, 5> check{*left_map, *right_map, *checked, p.picture.width, p.picture.height};
  bench.queue().launch(*frame.built[1].kernel, groups, group, check);
  const std::array<gpu::Argument, 4> fill{*checked, *filled, p.picture.width, p.picture.height};
  bench.queue().launch(*frame.built[2].kernel, groups, group, fill);
}

Json counts_json(const Problem& p, const Variant& v) {
  const Traffic traffic = count_traffic(p, v);
  const auto pixels = static_cast<double>(p.picture.width) * p.picture.height;
  const std::int64_t taps = (v.memory == Memory::none ? traffic.global_reads : traffic.local_reads) / 2;
  return Json{{"paper_local_bytes", local_bytes(p, {Memory::uchar4, v.group, v.single})},
              {"differences", taps},
              {"global_reads_per_pixel", static_cast<double>(traffic.global_reads) / pixels},
              {"local_reads_per_pixel", static_cast<double>(traffic.local_reads) / pixels},
              {"local_writes_per_pixel", static_cast<double>(traffic.local_writes) / pixels}};
}

Cell describe(const Bench& bench, const Problem& p, const Variant& v) {
  Cell cell;
  cell.what = {{"window", 2 * p.radius + 1},
               {"disparities", p.disparities},
               {"memory", memory_name(v.memory)},
               {"group", std::to_string(v.group.width) + "x" + std::to_string(v.group.height)},
               {"form", v.single ? "single" : "separate"}};
  const gpu::Range groups = groups_of(p, v);
  cell.local = {static_cast<std::size_t>(v.group.width), static_cast<std::size_t>(v.group.height), 1};
  cell.global = {groups.x * cell.local.x, groups.y * cell.local.y, 1};
  cell.local_bytes = local_bytes(p, v);
  cell.counts = counts_json(p, v);
  cell.must_equal = !v.single;
  cell.launches = v.single ? 1 : 3;
  cell.refused = bench.refusal(cell.local, cell.local_bytes);
  return cell;
}

void measure_variant(Cell& cell, const Bench& bench, const Problem& p, const Variant& v, const Grey& left,
                     const Grey& right, const Maps& expected, int runs, Traffic* traffic) {
  std::unique_ptr<Frame> frame;
  cell.setup_ms = milliseconds([&] { frame = std::make_unique<Frame>(bench, p, v, traffic != nullptr); });
  for (const Built& built : frame->built) {
    cell.compile_ms += built.compile_ms;
    cell.code_bytes += built.code_bytes;
    cell.code_kind = built.code_kind;
  }
  cell.bytes_up = 2 * frame->pixels;
  cell.bytes_down = frame->pixels;
  gpu::Queue& queue = bench.queue();
  Grey filled(p.picture), checked(p.picture);
  Work work;
  // A map of the run before would hide what is missing; a single launch reads what is not there yet as 0.
  work.prepare = [&] {
    for (std::size_t i = 2; i < frame->buffers.size(); ++i) queue.fill(*frame->buffers[i], v.single ? 0 : 0xA5);
  };
  work.upload = [&] {
    queue.upload(*frame->buffers[0], rows_of(left), left.data());
    queue.upload(*frame->buffers[1], rows_of(right), right.data());
  };
  work.launch = [&] { launch(bench, p, v, *frame, cell.local_bytes); };
  work.download = [&] { queue.download(*frame->buffers[5], rows_of(filled), filled.data()); };
  cell.runs = bench.measure(runs, work);
  queue.download(*frame->buffers[4], rows_of(checked), checked.data());
  cell.differing = count_differing(expected, checked, filled);
  if (traffic != nullptr) {
    queue.download(*frame->traffic, packed_rows(frame->counters.size() * 4, 1), frame->counters.data());
    for (std::size_t i = 0; i < frame->counters.size(); i += 3) {
      traffic->global_reads += frame->counters[i];
      traffic->local_reads += frame->counters[i + 1];
      traffic->local_writes += frame->counters[i + 2];
    }
  }
}

}  // namespace

const char* memory_name(Memory memory) {
  return memory == Memory::none ? "none" : memory == Memory::bytes ? "bytes" : "uchar4";
}

std::size_t local_bytes(const Problem& p, const Variant& v) {
  if (v.memory == Memory::none) return 0;
  return static_cast<std::size_t>(2 * (span(v.group.width, p.radius) + p.disparities) * span(v.group.height, p.radius) *
                                  (v.memory == Memory::uchar4 ? 4 : 1));
}

Traffic count_traffic(const Problem& p, const Variant& v) {
  const std::int64_t window = 2 * p.radius + 1, rows = std::max(p.picture.height - 2 * p.radius, 0);
  std::int64_t candidates = 0;
  for (int x = p.radius; x < p.picture.width - p.radius; ++x)
    candidates += std::min(p.disparities, x - p.radius + 1) + std::min(p.disparities, p.picture.width - p.radius - x);
  const std::int64_t reads = 2 * candidates * rows * window * window;
  Traffic traffic;
  (v.memory == Memory::none ? traffic.global_reads : traffic.local_reads) = reads;
  if (v.memory == Memory::none) return traffic;
  const std::int64_t width = span(v.group.width, p.radius) + p.disparities, height = span(v.group.height, p.radius);
  const gpu::Range groups = groups_of(p, v);
  for (std::size_t gy = 0; gy < groups.y; ++gy)
    for (std::size_t gx = 0; gx < groups.x; ++gx) {
      const int x = static_cast<int>(gx) * v.group.width - p.radius,
                y = static_cast<int>(gy) * v.group.height - p.radius;
      traffic.global_reads += inside(y, height, p.picture.height) *
                              (inside(x, width, p.picture.width) + inside(x - p.disparities, width, p.picture.width));
      traffic.local_writes += 2 * width * height;
    }
  return traffic;
}

gpu::Defines make_defines(const Problem& p, const Variant& v, bool counted) {
  gpu::Defines defines;
  defines.set("RADIUS", p.radius)
      .set("DISPARITIES", p.disparities)
      .set("GROUP_W", v.group.width)
      .set("GROUP_H", v.group.height)
      .set("MEMORY", static_cast<int>(v.memory))
      .set("THRESHOLD", p.threshold)
      .set("FILL_RADIUS", p.fill_radius)
      .set("FILL_ALL", p.fill_all ? 1 : 0)
      .set("COUNTED", counted ? 1 : 0);
  return defines;
}

Cell run_variant(Bench& bench, const Problem& p, const Variant& v, const Grey& left, const Grey& right,
                 const Maps& expected, int runs, Traffic* traffic) {
  Cell cell = describe(bench, p, v);
  if (cell.ran()) bench.guard(cell, [&] { measure_variant(cell, bench, p, v, left, right, expected, runs, traffic); });
  return cell;
}

}  // namespace vergence::studies::ssd_local_memory
