// SPDX-License-Identifier: Apache-2.0
// Which devices gpu_together lets work on a stream, alone and together.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "vergence/device.hpp"

namespace vergence::bench {

inline double number(const char* name, double otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::atof(text);
}
inline int all_threads() {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  return std::max(static_cast<int>(number("THREADS", cores)), 1);
}

/// Whether maps take their places in host memory when they come home from a GPU.
inline bool late_places() { return number("LATE", 1) != 0; }

/// A device, and how many frames it works on at a time.
struct Use {
  Device device;
  int lanes = 1;
};
struct Configuration {
  std::string name;
  std::vector<Use> uses;
  bool together = false;
};

/// The processor in several forms, the GPUs, and both.
inline std::vector<Configuration> configurations(const std::vector<std::string>& gpus) {
  const int threads = all_threads(), lanes = static_cast<int>(number("LANES", 4));
  const bool alone = number("ALONE", 1) != 0, processor = number("CPU", 1) != 0;
  std::vector<Configuration> all;
  std::vector<std::string> names;
  std::vector<Use> forms;
  for (int workers : {threads, threads / 4, 1}) {
    if (!processor || workers < 1 || (!forms.empty() && workers == forms.back().lanes)) continue;
    forms.push_back({Device("cpu", {.threads = threads / workers}), workers});
    names.push_back("cpu, " + std::to_string(workers) + " x " + std::to_string(threads / workers) + " threads");
    if (alone) all.push_back({names.back(), {forms.back()}});
  }
  std::vector<Use> every;
  for (const std::string& name : gpus) {
    every.push_back({Device(name), lanes});
    if (alone || gpus.size() == 1) all.push_back({name, {every.back()}});
  }
  if (every.size() > 1) all.push_back({"all GPUs", every, alone});
  for (std::size_t i = 0; i < forms.size() && i < 2; ++i) {
    std::vector<Use> uses = every;
    uses.push_back(forms[i]);
    all.push_back({"together with " + names[i], uses, true});
  }
  return all;
}

}  // namespace vergence::bench
