// SPDX-License-Identifier: Apache-2.0
// What the GPU benchmarks share: the host's clock, medians, and the walk over the devices that were asked for.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gpu/devices.hpp"

namespace vergence::bench {

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// Of one call, of `times`.
inline double microseconds(const std::function<void()>& work, int times) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  for (int i = 0; i < times; ++i) work();
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count() / times;
}

/// Times of `work`, which puts kernels into `queue`, in us, one of each round.
struct QueueTimes {
  std::vector<double> kernels;       ///< By the device's own clock.
  std::vector<double> back_to_back;  ///< By the host's clock, of one among `times`.
};
inline QueueTimes time_queue(gpu::Queue& queue, const std::function<void()>& work, int rounds, int times) {
  QueueTimes result;
  const auto all = [&] {
    for (int i = 0; i < times; ++i) work();
    queue.finish();
  };
  for (int i = 0; i < rounds; ++i) result.back_to_back.push_back(microseconds(all, 1) / times);
  queue.measure(true);
  queue.timing();
  for (int i = 0; i < rounds; ++i) {
    work();
    result.kernels.push_back(queue.timing().kernel * 1000);
  }
  queue.measure(false);
  return result;
}

/// Runs `run` on each device that the command line names, or on all of them; the exit status.
inline int run_on_devices(int argc, char** argv,
                          const std::function<void(const gpu::Found&, const std::shared_ptr<gpu::Device>&)>& run) try {
  const std::vector<std::string> wanted(argv + 1, argv + argc);
  const auto each = [&](const std::vector<gpu::Found>& all, std::shared_ptr<gpu::Device> (*open)(int)) {
    int index = 0;
    for (const gpu::Found& found : all) {
      const bool chosen = wanted.empty() || std::find(wanted.begin(), wanted.end(), found.name) != wanted.end();
      if (!found.available)
        std::fprintf(stderr, "%s: %s\n", found.name.c_str(), found.reason.c_str());
      else if (chosen)
        run(found, open(index));
      ++index;
    }
  };
  each(gpu::opencl::find(), gpu::opencl::open);
  each(gpu::cuda::find(), gpu::cuda::open);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
  return 1;
}

}  // namespace vergence::bench
