// SPDX-License-Identifier: Apache-2.0
// One stream on several devices gives the bytes of one device, in the same order, whichever devices there are: stereo
// and motion handed to devices in turn, tracks in stages.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/expect_error.hpp"
#include "pipeline/lossy_device.hpp"
#include "support/fault_count.hpp"
#include "support/maps.hpp"
#include "track/track_pictures.hpp"
#include "vergence/motion.hpp"
#include "vergence/pipeline.hpp"
#include "vergence/stereo.hpp"
#include "vergence/track.hpp"

namespace vergence {
namespace {

constexpr Size scheduler_size{72, 48};

std::vector<Image<std::uint8_t>> make_frames(int count, double step) {
  std::vector<Image<std::uint8_t>> frames;
  for (int i = 0; i < count; ++i) frames.push_back(test::textured<std::uint8_t>(scheduler_size, step * i, 0.5 * i));
  return frames;
}

/// Sets of devices of this machine: those in host memory, also under names that hide it, so that both work from the
/// beginning, and one OpenCL device beside them where there is one.
std::vector<std::vector<Device>> device_sets() {
  const auto never = std::make_shared<test::Loss>(0);
  std::vector<std::vector<Device>> sets{{Device("cpu", {.threads = 1}), Device("reference")},
                                        {test::lossy_device("one", Device("cpu", {.threads = 1}), never),
                                         test::lossy_device("other", Device("reference"), never)}};
  for (const DeviceInfo& info : Device::list())
    if (info.available && info.gpu) {
      sets.push_back({Device("cpu", {.threads = 2}), Device(info.name), Device("reference")});
      break;
    }
  return sets;
}

// ------------------------------------------------------------------------------------------------------------ stereo

using Maps = std::vector<test::Values>;

StereoOptions stereo_options() {
  StereoOptions options;
  options.disparities = 16;
  options.window = {5, 5};
  return options;
}

/// Two workers for each device, frames of many more than there are slots.
Maps match(const std::vector<Device>& devices, PipelineReport& report, const PipelineOptions& options = {}) {
  static const std::vector<Image<std::uint8_t>> frames = make_frames(24, 1.5);
  constexpr int slots = 6;
  std::vector<Image<std::int16_t>> maps;
  for (int i = 0; i < slots; ++i) maps.emplace_back(scheduler_size);
  std::vector<std::size_t> numbers(slots);
  std::vector<std::unique_ptr<StereoMatcher>> matchers;
  PipelineStage stage{"match", {}};
  for (const Device& device : devices)
    for (int i = 0; i < 2; ++i) {
      matchers.push_back(std::make_unique<StereoMatcher>(device, scheduler_size, stereo_options()));
      stage.workers.push_back(
          {device.name(), [&, matcher = matchers.back().get()](int slot) {
             const auto at = static_cast<std::size_t>(slot);
             matcher->compute({frames[numbers[at] + 1], frames[numbers[at]]}, {.disparity = maps[at]});
           }});
    }
  std::size_t next = 0;
  const auto read = [&](int slot) {
    if (next + 1 == frames.size()) return false;
    numbers[static_cast<std::size_t>(slot)] = next++;
    return true;
  };
  Maps all;
  report = run_pipeline(
      slots, read, std::vector{stage},
      [&](int slot) { all.push_back(test::values_of(maps[static_cast<std::size_t>(slot)])); }, options);
  return all;
}

TEST(Dealing, StereoGivesTheSameBytesOnAnyDevices) {
  PipelineReport report;
  const Maps expected = match({Device("reference")}, report);
  ASSERT_EQ(expected.size(), 23U);
  ASSERT_NE(expected[3], expected[4]);
  for (const std::vector<Device>& devices : device_sets()) {
    EXPECT_EQ(match(devices, report), expected);
    EXPECT_EQ(report.shares.size(), devices.size());
  }
}

/// Many frames that are read and written in no time: threads then do a frame each from reading to writing.
TEST(Dealing, AStreamOfShortFramesGivesTheSameBytes) {
  static const std::vector<Image<std::uint8_t>> frames = make_frames(6, 1.5);
  constexpr int slots = 9;
  constexpr std::size_t many = 1200;
  const std::size_t pairs = frames.size() - 1;
  const Device cpu("cpu", {.threads = 1});
  std::vector<Image<std::int16_t>> expected, maps;
  StereoMatcher first(cpu, scheduler_size, stereo_options());
  for (std::size_t i = 0; i < pairs; ++i) {
    expected.emplace_back(scheduler_size);
    first.compute({frames[i + 1], frames[i]}, {.disparity = expected.back()});
  }
  for (int i = 0; i < slots; ++i) maps.emplace_back(scheduler_size);
  std::vector<std::size_t> numbers(slots);
  PipelineStage stage{"match", {}};
  for (int i = 0; i < 3; ++i)
    stage.workers.push_back(
        {"cpu", [&, matcher = std::make_shared<StereoMatcher>(cpu, scheduler_size, stereo_options())](int slot) {
           const auto at = static_cast<std::size_t>(slot);
           const std::size_t pair = numbers[at] % pairs;
           matcher->compute({frames[pair + 1], frames[pair]}, {.disparity = maps[at]});
         }});
  std::size_t next = 0, written = 0, wrong = 0;
  run_pipeline(
      slots,
      [&](int slot) {
        numbers[static_cast<std::size_t>(slot)] = next;
        return next++ < many;
      },
      std::vector{stage},
      [&](int slot) {
        const Image<std::int16_t>&map = maps[static_cast<std::size_t>(slot)], &right = expected[written++ % pairs];
        for (int y = 0; y < scheduler_size.height; ++y)
          wrong +=
              std::memcmp(map.row(y), right.row(y), 2 * static_cast<std::size_t>(scheduler_size.width)) != 0 ? 1U : 0U;
      });
  EXPECT_EQ(written, many);
  EXPECT_EQ(wrong, 0U);
}

TEST(Dealing, StereoGoesOnWithoutALostDevice) {
  PipelineReport report;
  const Maps expected = match({Device("reference")}, report);
  int lost = 0;
  for (int call = 1; call <= 23; ++call) {
    const auto loss = std::make_shared<test::Loss>(call);
    const Maps got =
        match({test::lossy_device("lossy", Device("cpu", {.threads = 1}), loss), Device("cpu", {.threads = 1})}, report,
              {.on_device_loss = OnDeviceLoss::go_on});
    EXPECT_EQ(got, expected) << call;
    EXPECT_EQ(report.shares[0].device, "lossy");
    EXPECT_EQ(report.shares[0].lost, loss->calls >= call);
    EXPECT_EQ(report.shares[0].frames + report.shares[1].frames, 23);
    lost += loss->calls >= call ? 1 : 0;
  }
  EXPECT_GT(lost, 20);
  test::print_faults("a device lost in a stream", lost, lost);
}

// ------------------------------------------------------------------------------------------------------------ motion

/// Of every frame, the vectors and then the prediction.
using Fields = std::vector<test::Values>;

struct FoundField {
  Image<MotionVector> vectors;
  Image<std::uint8_t> prediction{scheduler_size};
};

test::Values values_of(const FoundField& found) {
  test::Values values;
  for (int y = 0; y < found.vectors.height(); ++y)
    for (int x = 0; x < found.vectors.width(); ++x)
      values.insert(values.end(), {found.vectors(x, y).dx, found.vectors(x, y).dy});
  const test::Values pixels = test::values_of(found.prediction);
  values.insert(values.end(), pixels.begin(), pixels.end());
  return values;
}

/// Frames are searched in one stage and predicted in the next.
Fields search(const std::vector<Device>& devices, PipelineReport& report, const PipelineOptions& pipeline = {}) {
  static const std::vector<Image<std::uint8_t>> frames = make_frames(10, 2);
  MotionOptions options;
  options.search = MotionSearch::full;
  options.range_x = options.range_y = {-4, 4};
  constexpr int slots = 5;
  std::vector<FoundField> fields(slots);
  std::vector<std::size_t> numbers(slots);
  std::vector<PipelineStage> stages{{"search", {}}, {"predict", {}}};
  for (const Device& device : devices)
    for (PipelineStage& stage : stages) {
      const auto estimator = std::make_shared<MotionEstimator>(device, scheduler_size, options);
      stage.workers.push_back({device.name(), [&, estimator, searches = &stage == stages.data()](int slot) {
                                 const auto at = static_cast<std::size_t>(slot);
                                 FoundField& found = fields[at];
                                 if (found.vectors.empty()) found.vectors = Image<MotionVector>(estimator->blocks());
                                 const Image<std::uint8_t>& reference = frames[numbers[at] - 1];
                                 MotionOutput maps;
                                 maps.vectors = found.vectors.view();
                                 if (searches)
                                   estimator->compute({frames[numbers[at]], reference}, maps);
                                 else
                                   estimator->predict(reference, found.vectors, found.prediction);
                               }});
    }
  std::size_t next = 1;
  Fields all;
  report = run_pipeline(
      slots,
      [&](int slot) {
        if (next == frames.size()) return false;
        numbers[static_cast<std::size_t>(slot)] = next++;
        return true;
      },
      stages, [&](int slot) { all.push_back(values_of(fields[static_cast<std::size_t>(slot)])); }, pipeline);
  return all;
}

TEST(Dealing, MotionGivesTheSameVectorsOnAnyDevices) {
  PipelineReport report;
  const Fields expected = search({Device("reference")}, report);
  ASSERT_EQ(expected.size(), 9U);
  for (const std::vector<Device>& devices : device_sets()) EXPECT_TRUE(search(devices, report) == expected);
}

TEST(Dealing, MotionGoesOnWithoutALostDevice) {
  PipelineReport report;
  const Fields expected = search({Device("reference")}, report);
  int lost = 0;
  for (int call = 1; call <= 18; ++call) {
    const auto loss = std::make_shared<test::Loss>(call);
    const Fields got = search({test::lossy_device("lossy", Device("reference"), loss), Device("cpu", {.threads = 1})},
                              report, {.on_device_loss = OnDeviceLoss::go_on});
    EXPECT_TRUE(got == expected) << call;
    EXPECT_EQ(report.shares[0].lost || report.shares[2].lost, loss->calls >= call) << call;
    EXPECT_EQ(report.shares[0].frames + report.shares[1].frames, 9);
    EXPECT_EQ(report.shares[2].frames + report.shares[3].frames, 9);
    lost += loss->calls >= call ? 1 : 0;
  }
  EXPECT_GT(lost, 8);
  test::print_faults("a device lost in a stream", lost, lost);
}

TEST(Dealing, ALostDeviceIsNamedWithTheFrame) {
  PipelineReport report;
  const auto loss = std::make_shared<test::Loss>(1);
  EXPECT_ERROR(search({test::lossy_device("lossy", Device("reference"), loss)}, report, {.first_frame = 41}),
               ErrorCode::device, "device lossy failed at frame 41 of the stream, in stage search");
}

// ------------------------------------------------------------------------------------------------------------ tracks

std::vector<Track> follow(const Device& prepares, const Device& updates) {
  static const std::vector<Image<std::uint8_t>> frames = make_frames(12, 1.25);
  TrackOptions options;
  options.points = 30;
  constexpr int slots = 4;
  PointFlow flow(prepares, scheduler_size, options);
  PointTracker tracker(updates, scheduler_size, options);
  std::vector<PreparedFrame> prepared(slots);
  std::vector<std::size_t> numbers(slots);
  std::vector<std::vector<Track>> tracks(slots);
  const std::vector<PipelineStage> stages{
      {"prepare",
       {{prepares.name(),
         [&](int slot) {
           flow.push(frames[numbers[static_cast<std::size_t>(slot)]]);
           flow.read(prepared[static_cast<std::size_t>(slot)]);
         }}}},
      {"update", {{updates.name(), [&](int slot) {
                     const auto now = tracker.next(prepared[static_cast<std::size_t>(slot)]);
                     tracks[static_cast<std::size_t>(slot)].assign(now.begin(), now.end());
                   }}}}};
  std::size_t next = 0;
  std::vector<Track> all;
  run_pipeline(
      slots,
      [&](int slot) {
        if (next == frames.size()) return false;
        numbers[static_cast<std::size_t>(slot)] = next++;
        return true;
      },
      stages,
      [&](int slot) {
        const std::vector<Track>& now = tracks[static_cast<std::size_t>(slot)];
        all.insert(all.end(), now.begin(), now.end());
      });
  return all;
}

TEST(Dealing, TracksAreTheSameWhereverTheirStagesAre) {
  const std::vector<Track> expected = follow(Device("reference"), Device("reference"));
  ASSERT_GT(expected.size(), 100U);
  std::vector<Device> devices{Device("reference"), Device("cpu", {.threads = 2})};
  for (const DeviceInfo& info : Device::list()) {
    if (!info.available || !info.gpu) continue;
    const Device device(info.name);
    try {
      const PointFlow flow(device, scheduler_size);
      devices.push_back(device);
      break;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::unsupported) << error.what();
    }
  }
  for (const Device& prepares : devices)
    for (const Device& updates : devices) {
      const std::vector<Track> got = follow(prepares, updates);
      ASSERT_EQ(got.size(), expected.size()) << prepares.name() << ", " << updates.name();
      for (std::size_t i = 0; i < got.size(); ++i) {
        ASSERT_EQ(got[i].id, expected[i].id);
        ASSERT_EQ(got[i].position, expected[i].position) << prepares.name() << ", " << updates.name();
        ASSERT_EQ(got[i].residual, expected[i].residual);
        ASSERT_EQ(got[i].status, expected[i].status);
      }
    }
}

}  // namespace
}  // namespace vergence
