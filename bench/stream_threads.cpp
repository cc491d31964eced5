// SPDX-License-Identifier: Apache-2.0
// What a processor that joins fast devices costs while it gets no frames: streams of two simulated devices, whose
// frames take 100 us of sleep, alone and with workers of the processor besides. Frames, processor time and voluntary
// switches of threads are counted by getrusage; both take turns, and medians are printed. Usage: stream_threads [ROUNDS
// [SECONDS [WORKERS]]]      default: 5 rounds of 1 s, 32 workers
#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "gpu_rounds.hpp"
#include "vergence/pipeline.hpp"

namespace vergence::bench {
namespace {

struct Usage {
  double cpu_us = 0, switches = 0;
};

Usage usage_now() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto us = [](const timeval& time) {
    return 1e6 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec);
  };
  return {us(usage.ru_utime) + us(usage.ru_stime), static_cast<double>(usage.ru_nvcsw)};
}

void sleep_us(int us) {
  thread_local const int precise = prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  if (precise == 0) std::this_thread::sleep_for(std::chrono::microseconds(us));
}

struct Found {
  std::vector<double> rates, cpu_us, switches;
  std::int64_t of_processor = 0, frames = 0;
};

void stream(int of_processor, double seconds, Found& found) {
  PipelineStage stage{"work", {}};
  for (const char* const device : {"gpu:0", "gpu:1"})
    for (int lane = 0; lane < 4; ++lane) stage.workers.push_back({device, [](int) { sleep_us(100); }});
  for (int worker = 0; worker < of_processor; ++worker) stage.workers.push_back({"cpu", [](int) { sleep_us(5000); }});
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  const Usage before = usage_now();
  const PipelineReport report = run_pipeline(
      256, [&](int) { return std::chrono::steady_clock::now() < end; }, std::vector{stage}, [](int) {});
  const Usage after = usage_now();
  const auto frames = static_cast<double>(report.frames);
  found.rates.push_back(frames / report.seconds);
  found.cpu_us.push_back((after.cpu_us - before.cpu_us) / frames);
  found.switches.push_back((after.switches - before.switches) / frames);
  found.of_processor += of_processor > 0 ? report.shares.back().frames : 0;
  found.frames += report.frames;
}

}  // namespace
}  // namespace vergence::bench

int main(int argc, char** argv) {
  using namespace vergence::bench;
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  const double seconds = argc > 2 ? std::atof(argv[2]) : 1;
  const int workers = argc > 3 ? std::atoi(argv[3]) : 32;
  Found alone, both;
  for (int round = 0; round < rounds; ++round) {
    stream(0, seconds, alone);
    stream(workers, seconds, both);
  }
  std::printf(
      "| stream | frames/s | processor time of a frame, us | voluntary switches of a frame | frames of cpu |\n");
  std::printf("|---|---|---|---|---|\n");
  for (const Found* const found : {&alone, &both})
    std::printf("| %s | %.0f | %.2f | %.2f | %.2f %% |\n",
                found == &alone ? "devices alone" : ("and cpu, " + std::to_string(workers) + " workers").c_str(),
                median(found->rates), median(found->cpu_us), median(found->switches),
                100.0 * static_cast<double>(found->of_processor) / static_cast<double>(found->frames));
}
