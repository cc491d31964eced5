// SPDX-License-Identifier: Apache-2.0
// vergence::tune: candidates are checked, then timed, and the best is kept.
#include "vergence/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "backend/device.hpp"
#include "tune/tune_work.hpp"
#include "vergence/error.hpp"
#include "vergence/motion.hpp"
#include "vergence/stereo.hpp"
#include "verify/random.hpp"

namespace vergence {
namespace {

constexpr double margin = 0.98;  ///< Clocks wander: the default gives way only to what is clearly faster.
/// Odd sizes, for every edge of strips and groups; small enough for the reference.
constexpr Size check_sizes[] = {{131, 37}, {67, 71}};

/// A pair of smooth noise 7 px apart, and what a right candidate makes of it.
struct Trial {
  Trial(Size size, std::uint64_t seed, const char* judge, const StereoOptions& options)
      : left(size), right(size), expected(size) {
    Random random(seed);
    for (int y = 0; y < size.height; ++y) {
      int value = 128;
      for (int x = 0; x < size.width; ++x) {
        value = std::clamp(value + random.within(-40, 40), 0, 255);
        left(x, y) = static_cast<std::uint8_t>(value);
      }
      for (int x = 0; x < size.width; ++x)
        right(x, y) =
            static_cast<std::uint8_t>(std::min(255, left(std::min(x + 7, size.width - 1), y) + random.within(0, 3)));
    }
    StereoMatcher(Device(judge), size, options).compute({left, right}, {.disparity = expected});
  }
  Image<std::uint8_t> left, right;
  Image<std::int16_t> expected;
};

std::string first_difference(const Image<std::int16_t>& expected, const Image<std::int16_t>& got) {
  for (int y = 0; y < got.height(); ++y)
    for (int x = 0; x < got.width(); ++x)
      if (got(x, y) != expected(x, y))
        return fmt::format("at x {}, y {} of {}x{} it gives {}, must be {}", x, y, got.width(), got.height(), got(x, y),
                           expected(x, y));
  return {};
}

class StereoWork final : public TuneWork {
 public:
  StereoWork(const StereoOptions& stereo, const TuneOptions& options) : stereo_(stereo), repeat_(options.repeat) {
    for (const Size size : check_sizes) trials_.emplace_back(size, options.seed, "reference", stereo_);
    trials_.emplace_back(options.size, options.seed, "cpu", stereo_);  // which tests and verify hold to the reference
  }
  std::string run(const Device& device, double& ms) const override {
    for (const Trial& trial : trials_) {
      StereoMatcher matcher(device, trial.left.size(), stereo_);
      Image<std::int16_t> got(trial.left.size());
      const auto once = [&] { matcher.compute({trial.left, trial.right}, {.disparity = got}); };
      once();
      std::string wrong = first_difference(trial.expected, got);
      if (!wrong.empty()) return wrong;
      if (&trial == &trials_.back()) ms = least_ms(matcher, repeat_, once);
    }
    return {};
  }

 private:
  StereoOptions stereo_;
  int repeat_;
  std::vector<Trial> trials_;
};

TuneCandidate try_candidate(const backend::Tuner& tuner, const std::string& entry, const backend::Tuning& tuning,
                            const TuneWork& work) {
  TuneCandidate candidate{tuning, 0, {}};
  try {
    candidate.wrong = work.run(Device(tuner.cut(entry, tuning)), candidate.ms);
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

}  // namespace

std::vector<std::string> tune_entries(const Device& device) {
  const backend::Tuner* const tuner = device.backend().tuner();
  return tuner != nullptr ? tuner->entries() : std::vector<std::string>();
}

TuneResult tune(const Device& device, const std::string& entry, const TuneOptions& options) {
  check(options);
  backend::Tuner* const tuner = device.backend().tuner();
  if (tuner == nullptr)
    throw Error(ErrorCode::unsupported,
                fmt::format("device {} has nothing to tune: choose an OpenCL or CUDA device", device.name()));
  std::string names;
  for (const std::string& one : tuner->entries()) names.append(names.empty() ? "" : ", ").append(one);
  const std::vector<std::string> entries = tuner->entries();
  if (std::find(entries.begin(), entries.end(), entry) == entries.end())
    throw Error(ErrorCode::not_found, fmt::format("nothing to tune is called '{}': there are {}", entry, names));
  TuneResult result{entry, {}, 0, tuner->folder()};
  std::unique_ptr<TuneWork> work;
  if (tuner->is_motion(entry))
    work = make_motion_work(tuner->motion_workload(entry), options);
  else if (is_track_work(entry))
    work = make_track_work(entry, options);
  else
    work = std::make_unique<StereoWork>(tuner->workload(entry), options);
  for (const backend::Tuning& tuning : tuner->candidates(entry))
    result.candidates.push_back(try_candidate(*tuner, entry, tuning, *work));
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < result.candidates.size(); ++i) {
    const TuneCandidate& one = result.candidates[i];
    if (!one.wrong.empty()) continue;
    const double bar = !best ? one.ms : result.candidates[*best].ms * (*best == 0 ? margin : 1.0);
    if (!best || one.ms < bar) best = i;
  }
  if (!best)
    throw Error(ErrorCode::device, fmt::format("no way of cutting {} is right on {}: {}", entry, device.name(),
                                               result.candidates.front().wrong));
  result.winner = *best;
  tuner->keep(entry, result.candidates[*best].numbers);
  return result;
}

}  // namespace vergence
