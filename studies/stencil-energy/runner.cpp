// SPDX-License-Identifier: Apache-2.0
// Variants on the device.
#include "stencil-energy/runner.hpp"

#include <algorithm>

namespace vergence::studies::stencil_energy {
namespace {

double pixels_of(Size size) { return static_cast<double>(size.width) * size.height; }
bool ends_across(Form form) { return form == Form::rows_alone || form == Form::columns_alone; }

}  // namespace

Json counts_of(int points, Size size, double share, double bytes_per_pixel, double run_ms) {
  const double flop = share * counted_flop(points) * pixels_of(size);
  return {{"flop", flop},
          {"executed_flop", share * executed_flop(points) * pixels_of(size)},
          {"bytes_moved", bytes_per_pixel * pixels_of(size)},
          {"gflops", run_ms > 0 ? Json(flop / run_ms * 1e-6) : Json(nullptr)}};
}

Runner::Runner(Bench& bench, const Effort& effort, Joules& joules) : bench_(bench), effort_(effort), joules_(joules) {}

void Runner::take(const Pictures& pictures) {
  pictures_ = &pictures;
  const std::size_t bytes = pictures.layout.bytes();
  in_ = bench_.device().allocate(bytes);
  between_ = bench_.device().allocate(bytes);
  out_ = bench_.device().allocate(bytes);
  result_.resize(pictures.layout.floats);
  bench_.queue().upload(*in_, packed_rows(bytes, 1), pictures.in.data());
  bench_.queue().finish();
}

int Runner::repeats() const {
  constexpr double small = 256 << 10;  // bytes of a picture and its result
  return pixels_of(pictures_->layout.size) * 2 * sizeof(float) <= small ? effort_.runs : 1;
}

const Built& Runner::built(const Variant& variant, const Pass& pass) {
  const gpu::Defines defines = defines_of(variant, pictures_->points);
  const std::string key = pass.kernel + defines.lines();
  auto found = programs_.find(key);
  if (found == programs_.end()) found = programs_.emplace(key, bench_.build(file_of(pass), defines, pass.kernel)).first;
  return found->second;
}

void Runner::prepare(const Variant& variant) {
  const gpu::Rows rows = packed_rows(pictures_->layout.bytes(), 1);
  const bool reads_between = variant.form == Form::down_alone;
  bench_.queue().upload(*between_, rows, reads_between ? pictures_->after_across.data() : pictures_->poison.data());
  bench_.queue().upload(*out_, rows, pictures_->poison.data());
}

void Runner::launch(const Variant& variant, int runs) {
  const Layout& layout = pictures_->layout;
  const int inside = std::min(repeats(), runs);
  for (int done = 0; done < runs; done += inside)
    for (const Pass& pass : passes_of(variant.form)) {
      const Launch launch = launch_of(variant, pass, layout.size);
      const gpu::Argument arguments[] = {pass.from_between ? *between_ : *in_,
                                         pass.to_between ? *between_ : *out_,
                                         layout.origin,
                                         layout.pitch,
                                         layout.size.width,
                                         layout.size.height,
                                         launch.strip,
                                         std::min(inside, runs - done)};
      bench_.queue().launch(*built(variant, pass).kernel, launch.groups, launch.group, arguments);
    }
}

std::int64_t Runner::differing(const Variant& variant) {
  const bool across = ends_across(variant.form);
  bench_.queue().download(across ? *between_ : *out_, packed_rows(pictures_->layout.bytes(), 1), result_.data());
  return pictures_->differing(across ? pictures_->after_across : pictures_->after_whole, result_);
}

double Runner::look(const Variant& variant, Json& found) {
  Cell cell;
  cell.refused = bench_.refusal({static_cast<std::size_t>(variant.group), 1, 1}, 0);
  double best = -1;
  std::int64_t wrong = 0;
  if (cell.ran())
    bench_.guard(cell, [&] {
      gpu::Queue& queue = bench_.queue();
      prepare(variant);
      const int runs = repeats();
      launch(variant, runs);
      queue.finish();
      queue.measure(true);
      queue.timing();
      for (int i = 0; i < effort_.search_runs; ++i) {
        launch(variant, runs);
        queue.finish();
        const double ms = queue.timing().kernel / runs;
        best = best < 0 ? ms : std::min(best, ms);
      }
      queue.measure(false);
      wrong = differing(variant);
    });
  if (!cell.ran()) best = -1;
  Json row = what_of("search", "device", pictures_->layout.size, pictures_->points, variant);
  row["ms"] = best < 0 ? Json(nullptr) : Json(best);
  row["differing"] = cell.failed ? Json(cell.refused) : Json(wrong);
  found.push_back(std::move(row));
  return best;
}

Best Runner::best(const Variant& way, const std::vector<int>& strips, const Choices& choices, bool all, Json& found) {
  Best best;
  const auto attempt = [&](const Variant& one) {
    if (effort_.over()) return;
    const double ms = look(one, found);
    std::optional<Variant>& place = one.unrolled == 1 ? best.plain : best.unrolled;
    double& least = one.unrolled == 1 ? best.plain_ms : best.unrolled_ms;
    if (ms < 0 || (place && ms >= least)) return;
    least = ms;
    place = one;
  };
  Variant one = way;
  for (const int group : choices.groups)
    for (const int strip : strips)
      for (const int unroll : choices.unrolls) {
        if (!all && unroll != choices.unrolls.front()) continue;
        one.group = group;
        one.strip = strip;
        one.unrolled = unroll;
        attempt(one);
      }
  if (all) return best;
  const std::optional<Variant> first = best.plain ? best.plain : best.unrolled;
  for (const int unroll : choices.unrolls) {
    if (!first || unroll == choices.unrolls.front()) continue;
    one = *first;
    one.unrolled = unroll;
    attempt(one);
  }
  return best;
}

Cell Runner::measure(const Variant& variant, bool with_energy) {
  Cell cell;
  const Size size = pictures_->layout.size;
  cell.what = what_of("stencil", "device", size, pictures_->points, variant);
  cell.refused = effort_.over() ? time_is_over : bench_.refusal({static_cast<std::size_t>(variant.group), 1, 1}, 0);
  if (!cell.ran()) return cell;
  bench_.guard(cell, [&] {
    const std::vector<Pass> passes = passes_of(variant.form);
    for (const Pass& pass : passes) {
      const Launch launch = launch_of(variant, pass, size);
      const Built& one = built(variant, pass);
      cell.global = {launch.groups.x * launch.group.x, launch.groups.y, 1};
      cell.local = launch.group;
      cell.compile_ms += one.compile_ms;
      cell.code_bytes += one.code_bytes;
      cell.code_kind = one.code_kind;
    }
    prepare(variant);
    cell.setup_ms = milliseconds([&] {
                      launch(variant, 1);
                      bench_.queue().finish();
                    }) +
                    cell.compile_ms;
    const double once = milliseconds([&] {
      launch(variant, repeats());
      bench_.queue().finish();
    });
    const int runs = effort_.runs_within(once / repeats());
    cell.launches = static_cast<int>(passes.size()) * ((runs + repeats() - 1) / repeats());
    cell.bytes_up = cell.bytes_down = pictures_->layout.bytes();
    measure_times(cell, variant, runs);
    cell.differing = differing(variant);
    const double share = variant.form == Form::one_pass || passes.size() == 2 ? 1 : 0.5;
    cell.counts =
        counts_of(pictures_->points, size, share, static_cast<double>(8 * passes.size()), cell.median().kernel);
    cell.counts["runs"] = runs;
    cell.counts["repeats_in_a_launch"] = std::min(repeats(), runs);
    if (with_energy) {
      const int key = key_;  // kept by measure_times
      const double flop = cell.counts["flop"].number();
      cell.counts["energy"] = joules_.around(
          bench_.properties().is_cpu ? Worker::processor : Worker::board,
          [&] {
            bench_.queue().begin_capture(key);
            launch(variant, runs);
            bench_.queue().end_capture();
            bench_.queue().finish();
          },
          runs, 100, 1000, flop);
    }
  });
  return cell;
}

void Runner::measure_times(Cell& cell, const Variant& variant, int runs) {
  gpu::Queue& queue = bench_.queue();
  ++key_;
  const auto work = [&] {
    queue.begin_capture(key_);
    launch(variant, runs);
    queue.end_capture();
    queue.finish();
  };
  if (!bench_.properties().is_cpu) work();  // the graph is captured
  cell.runs.resize(static_cast<std::size_t>(effort_.launches));
  for (Times& times : cell.runs) times.wall = milliseconds(work) / runs;
  queue.measure(true);
  queue.timing();
  const gpu::Rows rows = packed_rows(pictures_->layout.bytes(), 1);
  for (Times& times : cell.runs) {
    queue.upload(*in_, rows, pictures_->in.data());
    launch(variant, runs);
    queue.finish();
    const bool across = ends_across(variant.form);
    queue.download(across ? *between_ : *out_, rows, result_.data());
    const gpu::Timing timing = queue.timing();
    times.upload = timing.upload;
    times.kernel = timing.kernel / runs;
    times.download = timing.download;
  }
  queue.measure(false);
}

Json device_limits(Bench& bench) {
  gpu::Queue& queue = bench.queue();
  const gpu::Properties& p = bench.properties();
  const std::size_t group = std::min<std::size_t>(p.largest_group, p.is_cpu ? 16 : 256),
                    groups = static_cast<std::size_t>(std::max(p.compute_units, 1)) * 8;
  constexpr int chains = 16, steps = 2000;
  const auto seconds_of = [&](const gpu::Kernel& kernel, std::vector<gpu::Argument> arguments) {
    double least = 1e30;
    queue.measure(true);
    for (int i = 0; i < 20; ++i) {
      queue.timing();
      queue.launch(kernel, {groups, 1, 1}, {group, 1, 1}, arguments);
      queue.finish();
      least = std::min(least, queue.timing().kernel / 1000);
    }
    queue.measure(false);
    return least;
  };
  double separate = 0, fused = 0, copied = 0;
  for (const int width : {1, 4, 8, 16}) {
    const std::size_t floats = group * groups * chains * static_cast<std::size_t>(width);
    const auto out = bench.device().allocate(floats * sizeof(float));
    queue.fill(*out, 0);
    const double flop = 2.0 * static_cast<double>(floats) * steps;
    const Built built = bench.build("stencil-energy/peak.cl", gpu::Defines().set("WIDTH", width), "peak_separate");
    const auto second = built.program->kernel("peak_fused"), copy = built.program->kernel("copy_floats");
    separate = std::max(separate, flop / seconds_of(*built.kernel, {*out, steps}) * 1e-9);
    fused = std::max(fused, flop / seconds_of(*second, {*out, steps}) * 1e-9);
    constexpr std::int32_t count = 1920 * 1080;
    const auto from = bench.device().allocate(sizeof(float) * count),
               to = bench.device().allocate(sizeof(float) * count);
    queue.fill(*from, 0);
    copied = std::max(copied, 8.0 * count / seconds_of(*copy, {*from, *to, count}) * 1e-9);
  }
  return {{"peak_gflops", separate}, {"peak_fused_gflops", fused}, {"copy_1080p_gbs", copied}, {"is_cpu", p.is_cpu}};
}

}  // namespace vergence::studies::stencil_energy
