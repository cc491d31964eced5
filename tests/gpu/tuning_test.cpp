// SPDX-License-Identifier: Apache-2.0
// Every launch configuration gives the reference's bytes; tunings are kept whole, for their device and driver alone;
// and what is wrong cannot win.
#include "gpu/tuning.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "backend/access.hpp"
#include "core/expect_error.hpp"
#include "core/pictures.hpp"
#include "gpu/backend_device.hpp"
#include "gpu/failing_device.hpp"
#include "gpu/gpu_devices.hpp"
#include "gpu/motion/tuning.hpp"
#include "gpu/stereo/match_tuning.hpp"
#include "gpu/track/tuning.hpp"
#include "support/maps.hpp"
#include "track/track_pictures.hpp"
#include "vergence/motion.hpp"
#include "vergence/stereo.hpp"
#include "vergence/tune.hpp"

namespace vergence::test {
namespace {

/// Candidate 0 is the default; 1 to 3 are others, drawn anew each day.
class GpuCandidates : public testing::TestWithParam<int> {};

void expect_reference(const Device& device, const MotionOptions& options) {
  const Size size{75, 66};
  const Image<std::uint8_t> reference = noise<std::uint8_t>(size, 11, 255), current = shifted(reference, 9);
  const auto found = [&](const Device& one) {
    MotionEstimator estimator(one, size, options);
    Image<MotionVector> vectors(estimator.blocks());
    MotionOutput maps;
    maps.vectors = vectors;
    estimator.compute({current, reference}, maps);
    std::vector<std::pair<int, int>> values;
    for (int y = 0; y < vectors.height(); ++y)
      for (int x = 0; x < vectors.width(); ++x) values.emplace_back(vectors(x, y).dx, vectors(x, y).dy);
    return values;
  };
  EXPECT_EQ(found(Device("reference")), found(device));
}

void expect_reference(const Device& device, const StereoOptions& options) {
  const Size size{131, 37};
  const Image<std::uint8_t> left = noise<std::uint8_t>(size, 11, 255), right = shifted(left, 9);
  Image<std::int16_t> expected(size), got(size);
  StereoMatcher(Device("reference"), size, options).compute({left, right}, {.disparity = expected});
  StereoMatcher(device, size, options).compute({left, right}, {.disparity = got});
  EXPECT_EQ(values_of(expected), values_of(got));
}

void expect_reference(const Device& device, const TrackOptions& options) {
  const Size size{131, 77};
  const Image<std::uint8_t> previous = textured<std::uint8_t>(size, 0, 0);
  const Image<std::uint8_t> current = textured<std::uint8_t>(size, -2.5, 1.25);
  const std::vector<TrackPosition> points = raster(size, 9, 3);
  EXPECT_EQ(follow(previous, current, points, options), follow(previous, current, points, options, {}, device));
}

void expect_reference(const Device& device, const backend::TrackWorkload& tracks) {
  expect_reference(device, tracks.options);
}

void expect_reference(const backend::Tuner& tuner, const backend::TuningEntry& entry,
                      const backend::Tuning& candidate) {
  const Device device = backend::handle(tuner.configured(entry.name, candidate));
  std::visit([&](const auto& workload) { expect_reference(device, workload); }, entry.workload);
}

/// VERGENCE_CANDIDATE_SEED draws others. Which ones are drawn may not depend on the day: GpuAllCandidates runs all.
std::uint32_t seed_of_draw() {
  const char* const seed = std::getenv("VERGENCE_CANDIDATE_SEED");
  return seed != nullptr ? static_cast<std::uint32_t>(std::atoi(seed)) : 1;
}

TEST_P(GpuCandidates, EqualReference) {
  std::string reasons;
  const std::vector<GpuDevice> devices = gpu_devices(reasons);
  if (devices.empty()) GTEST_SKIP() << reasons;
  const std::uint32_t seed = seed_of_draw();
  for (const GpuDevice& gpu : devices) {
    const Device device = backend::handle(gpu::make_device(gpu.name, "opencl", gpu.device));
    backend::Tuner& tuner = *backend::of(device).tuner();
    std::mt19937 random(seed);
    std::vector<backend::TuningEntry> entries = tuner.entries();
    std::shuffle(entries.begin(), entries.end(), random);
    const auto index = static_cast<std::size_t>(GetParam());
    const backend::TuningEntry& entry = entries[index % entries.size()];
    std::vector<backend::Tuning> candidates = entry.candidates;
    ASSERT_GT(candidates.size(), 1u);
    std::shuffle(candidates.begin() + 1, candidates.end(), random);
    const backend::Tuning& candidate = candidates[index % candidates.size()];
    SCOPED_TRACE(
        fmt::format("{}, {}, {}; VERGENCE_CANDIDATE_SEED={}", gpu.name, entry.name, gpu::text_of(candidate), seed));
    expect_reference(tuner, entry, candidate);
  }
}
INSTANTIATE_TEST_SUITE_P(Draw, GpuCandidates, testing::Range(0, 4), testing::PrintToStringParamName());

/// In parts, which processes share: what takes the time is compiling.
class GpuAllCandidates : public testing::TestWithParam<int> {
 public:
  static constexpr int parts = 16;
};
TEST_P(GpuAllCandidates, EqualReference) {
  if (std::getenv("VERGENCE_ALL_CANDIDATES") == nullptr)
    GTEST_SKIP() << "VERGENCE_ALL_CANDIDATES is not set: GpuCandidates runs four of them";
  std::string reasons;
  int index = 0;
  for (const GpuDevice& gpu : gpu_devices(reasons)) {
    const Device device = backend::handle(gpu::make_device(gpu.name, "opencl", gpu.device));
    const backend::Tuner& tuner = *backend::of(device).tuner();
    for (const backend::TuningEntry& entry : tuner.entries())
      for (const backend::Tuning& candidate : entry.candidates) {
        if (index++ % parts != GetParam()) continue;
        SCOPED_TRACE(gpu.name + ", " + entry.name + ", " + gpu::text_of(candidate));
        expect_reference(tuner, entry, candidate);
      }
  }
}
INSTANTIATE_TEST_SUITE_P(Part, GpuAllCandidates, testing::Range(0, GpuAllCandidates::parts),
                         testing::PrintToStringParamName());

/// A device of its own cache folder.
class GpuTuning : public testing::Test {
 protected:
  void SetUp() override {
    std::string reasons;
    const std::vector<GpuDevice> devices = gpu_devices(reasons);
    if (devices.empty()) GTEST_SKIP() << reasons;
    if (const char* const value = std::getenv("VERGENCE_CACHE")) before_ = value;
    device_ = std::make_shared<FailingDevice>(std::make_shared<Workshop>(devices.front().device), faults_);
    device_->use_cache(true);
    folder_ = std::filesystem::path(testing::TempDir()) / fmt::format("vergence-tuning-{}", getpid());
    setenv("VERGENCE_CACHE", folder_.c_str(), 1);
  }
  void TearDown() override {
    if (before_.empty())
      unsetenv("VERGENCE_CACHE");
    else
      setenv("VERGENCE_CACHE", before_.c_str(), 1);
    std::filesystem::remove_all(folder_);
  }
  backend::Tuning used() const {
    return gpu::numbers_of(gpu::best_tuning(make_stereo_plan({64, 48}, {.disparities = 8}), *device_));
  }
  backend::Tuning usual() const { return gpu::numbers_of(gpu::default_match_tuning(device_->properties())); }
  backend::Tuning other() const { return gpu::numbers_of(gpu::match_candidates(device_->properties()).at(2)); }

  SharedFaults faults_ = std::make_shared<Faults>();
  std::shared_ptr<FailingDevice> device_;
  std::filesystem::path folder_;
  std::string before_;
};

TEST_F(GpuTuning, WhatIsKeptIsUsedByThisDeviceAndDriverAndEntry) {
  EXPECT_EQ(used(), usual());
  gpu::keep_tuning(*device_, "match-sad", other());
  EXPECT_NE(used(), usual());
  EXPECT_EQ(used(), other());
  const auto ssd = make_stereo_plan({64, 48}, {.cost = StereoCost::ssd, .disparities = 8});
  EXPECT_EQ(gpu::numbers_of(gpu::best_tuning(ssd, *device_)), usual());
  device_->use_cache(false);
  EXPECT_EQ(used(), usual());
  device_->use_cache(true);
  device_->set_properties([](gpu::Properties& p) { p.driver += "+1"; });
  EXPECT_EQ(used(), usual()) << "another driver";
}

TEST_F(GpuTuning, BrokenAndForeignFilesAreIgnored) {
  gpu::keep_tuning(*device_, "match-sad", other());
  std::filesystem::path path;
  for (const auto& file : std::filesystem::directory_iterator(folder_)) path = file.path();
  const std::string bytes = [&] {
    std::ifstream stream(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  }();
  ASSERT_GT(bytes.size(), 60u);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string broken = bytes;
    broken[i] = static_cast<char>(broken[i] ^ 1);
    std::ofstream(path, std::ios::binary) << broken;
    EXPECT_EQ(used(), usual()) << "byte " << i;
    std::ofstream(path, std::ios::binary) << bytes.substr(0, i);
    EXPECT_EQ(used(), usual()) << i << " bytes";
  }
  // Whole, but of another version: a number more, one that is no candidate, and what is no number.
  backend::Tuning foreign = other();
  foreign.emplace_back("unheard_of", 1);
  gpu::keep_tuning(*device_, "match-sad", foreign);
  EXPECT_EQ(used(), usual());
  foreign = other();
  foreign.front().second = 12345;
  gpu::keep_tuning(*device_, "match-sad", foreign);
  EXPECT_EQ(used(), usual());
  const gpu::DiskCache cache;
  const std::string text = "group many\n";
  cache.write(path.filename(), std::as_bytes(std::span(text)));
  EXPECT_EQ(used(), usual());
  EXPECT_EQ(gpu::stored_tuning(*device_, "match-sad"), std::nullopt);
}

TEST_F(GpuTuning, SaysWhereNothingCanBeKept) {
  std::ofstream(folder_) << "a file in the place of the folder";
  EXPECT_ERROR(gpu::keep_tuning(*device_, "match-sad", other()), ErrorCode::io, folder_.string());
  setenv("VERGENCE_CACHE", "off", 1);
  EXPECT_ERROR(gpu::keep_tuning(*device_, "match-sad", other()), ErrorCode::io, "no cache folder");
  const Device device = backend::handle(gpu::make_device("tuned:0", "opencl", device_));
  EXPECT_ERROR(tune(device, "match-sad"), ErrorCode::io, "no cache folder");
}

TEST_F(GpuTuning, WhatIsWrongCannotWin) {
  device_->set_properties([](gpu::Properties& p) { p.largest_group = 64; });  // few candidates
  const Device device = backend::handle(gpu::make_device("tuned:0", "opencl", device_));
  faults_->corrupt_download = 2;  // the first candidate's second picture
  const TuneResult result = tune(device, "match-sad", {.size = {96, 48}, .repeat = 1});
  ASSERT_GT(result.candidates.size(), 2u);
  EXPECT_NE(result.candidates[0].wrong.find("must be"), std::string::npos) << result.candidates[0].wrong;
  EXPECT_EQ(result.candidates[0].ms, 0.0);
  EXPECT_NE(result.winner, 0u);
  for (std::size_t i = 1; i < result.candidates.size(); ++i) {
    EXPECT_EQ(result.candidates[i].wrong, "");
    EXPECT_GT(result.candidates[i].ms, 0.0);
    EXPECT_LE(result.candidates[result.winner].ms, result.candidates[i].ms);
  }
  EXPECT_EQ(used(), result.candidates[result.winner].numbers);
  EXPECT_EQ(result.folder, folder_.string());

  faults_->fail_at = faults_->calls + 1;  // from now on everything fails
  faults_->lost = true;
  EXPECT_ERROR(tune(device, "match-sad", {.size = {96, 48}, .repeat = 1}), ErrorCode::device,
               "no launch configuration");
  EXPECT_EQ(used(), result.candidates[result.winner].numbers) << "what was kept stays";
}

TEST_F(GpuTuning, MotionHasItsOwnWinner) {
  const auto plan = [](MotionSearch search) {
    MotionOptions options;
    options.search = search;
    return make_motion_plan({64, 64}, options);
  };
  const auto best = [&](MotionSearch search) { return gpu::numbers_of(gpu::best_tuning(plan(search), *device_)); };
  const backend::Tuning usual_motion = gpu::numbers_of(gpu::default_motion_tuning(device_->properties()));
  device_->set_properties([](gpu::Properties& p) { p.largest_group = 16; });  // few candidates, since each is compiled
  const Device device = backend::handle(gpu::make_device("tuned:0", "opencl", device_));
  faults_->corrupt_download = 3;  // the vectors of the first candidate's second pair
  const TuneResult result = tune(device, "motion-search", {.size = {96, 64}, .repeat = 1});
  ASSERT_GT(result.candidates.size(), 1u);
  EXPECT_NE(result.candidates[0].wrong.find("must move"), std::string::npos) << result.candidates[0].wrong;
  EXPECT_EQ(result.candidates[0].ms, 0.0);
  EXPECT_NE(result.winner, 0u);
  for (std::size_t i = 1; i < result.candidates.size(); ++i) {
    EXPECT_EQ(result.candidates[i].wrong, "");
    EXPECT_GT(result.candidates[i].ms, 0.0);
  }
  const backend::Tuning winner = result.candidates[result.winner].numbers;
  EXPECT_EQ(best(MotionSearch::tz), winner);
  EXPECT_EQ(best(MotionSearch::step), winner);
  EXPECT_EQ(best(MotionSearch::full), usual_motion);
  EXPECT_EQ(used(), usual()) << "stereo";
  backend::Tuning foreign = winner;
  foreign.front().second = 12345;
  gpu::keep_tuning(*device_, "motion-search", foreign);
  EXPECT_EQ(best(MotionSearch::tz), usual_motion);
}

TEST_F(GpuTuning, TracksHaveTwoWinners) {
  const gpu::Properties& properties = device_->properties();
  const gpu::TrackTuning usual_track = gpu::default_track_tuning(properties);
  const auto entry_of = [](const std::string& name) -> const gpu::TunedEntry<gpu::TrackTuning>& {
    return gpu::track_entries().at(name == "track-prepare" ? 0 : 1);
  };
  const auto best = [&](const std::string& entry) { return entry_of(entry).numbers(gpu::best_track_tuning(*device_)); };
  const auto usual_of = [&](const std::string& entry) { return entry_of(entry).numbers(usual_track); };
  const auto last_of = [&](const std::string& entry) {
    return entry_of(entry).numbers(entry_of(entry).candidates(properties).back());
  };
  gpu::keep_tuning(*device_, "track-points", last_of("track-points"));
  EXPECT_NE(last_of("track-points"), usual_of("track-points"));
  EXPECT_EQ(best("track-points"), last_of("track-points"));
  EXPECT_EQ(best("track-prepare"), usual_of("track-prepare"));
  gpu::keep_tuning(*device_, "track-prepare", last_of("track-prepare"));
  EXPECT_EQ(best("track-points"), last_of("track-points"));
  EXPECT_EQ(best("track-prepare"), last_of("track-prepare"));
  gpu::keep_tuning(*device_, "track-prepare", {{"threads", 3}});
  EXPECT_EQ(best("track-prepare"), usual_of("track-prepare"));

  const Device device = backend::handle(gpu::make_device("tuned:0", "opencl", device_));
  faults_->corrupt_download = 3;  // of the first candidate's first levels
  const TuneResult result = tune(device, "track-prepare", {.size = {96, 64}, .repeat = 1});
  ASSERT_GE(result.candidates.size(), 3u);
  EXPECT_NE(result.candidates[0].wrong.find("must be"), std::string::npos) << result.candidates[0].wrong;
  EXPECT_NE(result.winner, 0u);
  for (std::size_t i = 1; i < result.candidates.size(); ++i) {
    EXPECT_EQ(result.candidates[i].wrong, "");
    EXPECT_GT(result.candidates[i].ms, 0.0);
  }
  EXPECT_EQ(best("track-prepare"), result.candidates[result.winner].numbers);
}

TEST_F(GpuTuning, WhatCannotBeIsRefused) {
  const Device device = backend::handle(gpu::make_device("tuned:0", "opencl", device_));
  const std::vector<std::string> names{"match-sad",   "match-ssd",     "match-census",  "match-sgm",
                                       "motion-full", "motion-search", "track-prepare", "track-points"};
  EXPECT_EQ(tune_entries(device), names);
  EXPECT_TRUE(tune_entries(Device("cpu")).empty());
  EXPECT_ERROR(tune(Device("cpu"), "match-sad"), ErrorCode::unsupported, "device cpu has nothing to tune");
  EXPECT_ERROR(tune(device, "speckle"), ErrorCode::not_found, "'speckle': there are match-sad");
  EXPECT_ERROR(tune(device, "match-sad", {.size = {63, 64}}), ErrorCode::invalid_argument, "63x64");
  EXPECT_ERROR(tune(device, "match-sad", {.repeat = 0}), ErrorCode::invalid_argument, "repeat is 0");
  EXPECT_ERROR(backend::of(device).tuner()->configured("match-sad", {{"group", 7}}), ErrorCode::invalid_argument,
               "group 7");
  EXPECT_ERROR(backend::of(device).tuner()->configured("motion-full", {{"group", 7}}), ErrorCode::invalid_argument,
               "group 7");
  EXPECT_ERROR(backend::of(device).tuner()->configured("track-prepare", {{"threads", 3}}), ErrorCode::invalid_argument,
               "threads 3");
}

}  // namespace
}  // namespace vergence::test
