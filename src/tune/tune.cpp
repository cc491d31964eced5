// SPDX-License-Identifier: Apache-2.0
// vergence::tune: candidates are checked, then timed, and the best is kept.
#include "vergence/tune.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "backend/access.hpp"
#include "backend/device.hpp"
#include "tune/tune_work.hpp"
#include "vergence/error.hpp"

namespace vergence {
namespace {

constexpr double margin = 0.98;  ///< Times vary: the default is replaced only by what is clearly faster.
TuneCandidate try_candidate(const backend::Tuner& tuner, const std::string& entry, const backend::Tuning& tuning,
                            const TuneWork& work) {
  TuneCandidate candidate{tuning, 0, {}};
  try {
    candidate.wrong = work.run(backend::handle(tuner.configured(entry, tuning)), candidate.ms);
  } catch (const Error& error) {
    candidate.wrong = error.what();
  }
  if (!candidate.wrong.empty()) candidate.ms = 0;
  return candidate;
}

void check(const TuneOptions& options) {
  const Size size = options.size;
  if (size.width < 64 || size.height < 16 || size.width > 16384 || size.height > 16384)
    throw Error(ErrorCode::invalid_argument, fmt::format("the size of the pictures to tune by is {}x{}: allowed are "
                                                         "64x16 .. 16384x16384",
                                                         size.width, size.height));
  if (options.repeat < 1 || options.repeat > 1000)
    throw Error(ErrorCode::invalid_argument, fmt::format("repeat is {}: allowed are 1 .. 1000", options.repeat));
}

const backend::TuningEntry& find(const std::vector<backend::TuningEntry>& entries, const std::string& name) {
  std::string names;
  for (const backend::TuningEntry& one : entries) {
    if (one.name == name) return one;
    names.append(names.empty() ? "" : ", ").append(one.name);
  }
  throw Error(ErrorCode::not_found, fmt::format("nothing to tune is called '{}': there are {}", name, names));
}

}  // namespace

std::vector<std::string> tune_entries(const Device& device) {
  std::vector<std::string> names;
  if (const backend::Tuner* const tuner = backend::of(device).tuner(); tuner != nullptr)
    for (const backend::TuningEntry& one : tuner->entries()) names.push_back(one.name);
  return names;
}

TuneResult tune(const Device& device, const std::string& entry, const TuneOptions& options) {
  check(options);
  backend::Tuner* const tuner = backend::of(device).tuner();
  if (tuner == nullptr)
    throw Error(ErrorCode::unsupported,
                fmt::format("device {} has nothing to tune: choose an OpenCL or CUDA device", device.name()));
  const std::vector<backend::TuningEntry> entries = tuner->entries();
  const backend::TuningEntry& chosen = find(entries, entry);
  TuneResult result{entry, {}, 0, tuner->folder()};
  const std::unique_ptr<TuneWork> work =
      std::visit([&](const auto& workload) { return make_work(workload, options); }, chosen.workload);
  for (const backend::Tuning& tuning : chosen.candidates)
    result.candidates.push_back(try_candidate(*tuner, entry, tuning, *work));
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < result.candidates.size(); ++i) {
    const TuneCandidate& one = result.candidates[i];
    if (!one.wrong.empty()) continue;
    const double bar = !best ? one.ms : result.candidates[*best].ms * (*best == 0 ? margin : 1.0);
    if (!best || one.ms < bar) best = i;
  }
  if (!best)
    throw Error(ErrorCode::device, fmt::format("no launch configuration of {} is right on {}: {}", entry, device.name(),
                                               result.candidates.front().wrong));
  result.winner = *best;
  tuner->keep(entry, result.candidates[*best].numbers);
  return result;
}

}  // namespace vergence
