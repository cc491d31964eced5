// SPDX-License-Identifier: Apache-2.0
// Rows of the study that run on the processor alone.
#include "stencil-energy/host.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <memory>

#include "core/parallel.hpp"
#include "stencil-energy/original.hpp"
#include "stencil-energy/runner.hpp"
#include "vergence/filter.hpp"

namespace vergence::studies::stencil_energy {
namespace {

/// original.cpp is compiled for processors with AVX.
bool runs_original() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx") != 0;
#else
  return true;
#endif
}

std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unknown";
}

/// The scalar program with its pictures.
class Original {
 public:
  Original(const Pictures& pictures, bool restricted)
      : pictures_(pictures), restricted_(restricted), between_(pictures.poison), out_(pictures.poison) {}
  void run() {
    const Layout& layout = pictures_.layout;
    const auto origin = static_cast<std::size_t>(layout.origin);
    const Plane plane{&pictures_.in[origin], &between_[origin], &out_[origin],
                      layout.size.height,    layout.size.width, layout.pitch};
    if (is_blur(pictures_.points))
      restricted_ ? restrict_blur(plane) : original_blur(plane);
    else
      restricted_ ? restrict_sobel(plane) : original_sobel(plane);
  }
  std::int64_t differing() const { return pictures_.differing(pictures_.after_whole, out_); }

 private:
  const Pictures& pictures_;
  bool restricted_;
  std::vector<float> between_, out_;
};

void measure(Cell& cell, const Effort& effort, Joules& joules, const Pictures& pictures,
             const std::function<void()>& once, bool with_energy) {
  cell.setup_ms = milliseconds(once);
  const int runs = effort.runs_within(milliseconds(once));
  const auto all = [&] {
    for (int i = 0; i < runs; ++i) once();
  };
  cell.runs.resize(static_cast<std::size_t>(effort.launches));
  for (Times& times : cell.runs) times.kernel = times.wall = milliseconds(all) / runs;
  cell.counts = counts_of(pictures.points, pictures.layout.size, 1, 8, cell.median().kernel);
  cell.counts["runs"] = runs;
  if (with_energy)
    cell.counts["energy"] = joules.around(Worker::processor, all, runs, 100, 1000, cell.counts["flop"].number());
}

}  // namespace

std::vector<HostRow> host_rows() {
  std::vector<HostRow> rows{{"C", 1}, {"C restrict", 1}};
  const int all = Threads().count();
  for (int threads = 1; threads < all; threads *= 2) rows.push_back({"ours", threads});
  rows.push_back({"ours", all});
  return rows;
}

Cell measure_host(const Effort& effort, Joules& joules, const Pictures& pictures, const HostRow& row,
                  bool with_energy) {
  Cell cell;
  const Size size = pictures.layout.size;
  cell.what = what_of("stencil", row.threads == 1 ? "one core" : fmt::format("{} threads", row.threads), size,
                      pictures.points, {});
  cell.what["form"] = row.name;
  for (const char* key : {"width", "taps", "unrolled", "group", "strip"}) cell.what[key] = "-";
  if (effort.over()) cell.refused = time_is_over;
  if (row.name == "ours") {
    if (!cell.ran()) return cell;
    DeviceOptions options;
    options.threads = row.threads;
    PictureFilter filter(Device("cpu", options), size);
    Image<float> out(size);
    const auto once = [&] {
      if (is_blur(pictures.points))
        filter.blur(pictures.plain, out, FilterBorder::zero);
      else
        filter.sobel(pictures.plain, out, {}, FilterBorder::zero);
    };
    measure(cell, effort, joules, pictures, once, with_energy);
    cell.differing = pictures.differing(out);
    return cell;
  }
  if (!runs_original()) cell.refused = "not available: this processor has no AVX";
  if (!cell.ran()) return cell;
  Original original(pictures, row.name == "C restrict");
  measure(
      cell, effort, joules, pictures, [&] { original.run(); }, with_energy);
  cell.differing = original.differing();
  return cell;
}

Json host_limits() {
  Json json{{"processor", processor_name()}, {"threads", Threads().count()}};
  constexpr int steps = 100000;
  if (runs_original()) {
    double least = 1e30;
    volatile float keep = 0;
    for (int i = 0; i < 30; ++i) least = std::min(least, milliseconds([&] { keep = host_peak(steps); }));
    json["core_peak_gflops"] = host_peak_flop * steps / least * 1e-6;
  }
  const auto bytes = [](int name) {
    const long value = sysconf(name);
    return value > 0 ? Json(value) : Json(nullptr);
  };
  json["l1_bytes"] = bytes(_SC_LEVEL1_DCACHE_SIZE);
  json["l2_bytes"] = bytes(_SC_LEVEL2_CACHE_SIZE);
  json["l3_bytes"] = bytes(_SC_LEVEL3_CACHE_SIZE);
  return json;
}

}  // namespace vergence::studies::stencil_energy
