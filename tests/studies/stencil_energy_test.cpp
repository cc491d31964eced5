// SPDX-License-Identifier: Apache-2.0
// The study stencil-energy: its kernels, its scalar program and its trackers.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "stencil-energy/host.hpp"
#include "stencil-energy/original.hpp"
#include "stencil-energy/published_device.hpp"
#include "stencil-energy/runner.hpp"
#include "stencil-energy/tracker.hpp"
#include "studies/study_bench.hpp"
#include "vergence/error.hpp"

namespace vergence::studies {
namespace {

using stencil_energy::Choices;
using stencil_energy::Effort;
using stencil_energy::Form;
using stencil_energy::Joules;
using stencil_energy::Pictures;
using stencil_energy::Variant;
using stencil_energy::Worker;
using test::settings_of;

const Study& subject() { return study("stencil-energy"); }

Settings short_settings(std::vector<std::pair<std::string, std::string>> more = {}) {
  more.insert(more.end(), {{"runs", "2"}, {"launches", "1"}, {"search-runs", "1"}, {"energy-ms", "0"}});
  return settings_of(subject(), more);
}

TEST(StencilEnergy, RowsBeginAtVectorsBetweenMargins) {
  for (const int width : {1, 16, 17, 200}) {
    const stencil_energy::Layout layout({width, 3});
    EXPECT_EQ(layout.pitch % 16, 0);
    EXPECT_EQ(layout.origin % 16, 0);
    EXPECT_GE(layout.pitch, width + 32);
    // The last vector that a row needs, and the one after it, lie in the row.
    EXPECT_LE(16 + (width + 15) / 16 * 16 + 16, layout.pitch);
    EXPECT_EQ(layout.floats, static_cast<std::size_t>(layout.pitch) * 7);
  }
}

TEST(StencilEnergy, CutsGoAllTheWay) {
  using stencil_energy::launch_of;
  Variant variant{Form::two_rows, 4, true, 1, 8, 10};
  const auto passes = passes_of(variant.form);
  const auto rows = launch_of(variant, passes[0], {30, 17}), down = launch_of(variant, passes[1], {30, 17});
  EXPECT_EQ(rows.strip, 12);  // whole vectors
  EXPECT_EQ(rows.groups.x, 3u);
  EXPECT_EQ(rows.groups.y, 3u);
  EXPECT_EQ(down.strip, 10);
  EXPECT_EQ(down.groups.x, 1u);
  EXPECT_EQ(down.groups.y, 2u);
  variant.strip = 0;
  EXPECT_EQ(launch_of(variant, passes[0], {30, 17}).strip, 32);
  EXPECT_EQ(launch_of(variant, passes[1], {30, 17}).groups.y, 1u);
}

TEST(StencilEnergy, ScalarProgramsAreTheReference) {
  for (const int points : {25, 9})
    for (const Size size : {Size{1, 1}, Size{37, 11}, Size{200, 9}}) {
      const Pictures pictures(test::noise({40, 30}, 3, 256), size, points);
      std::int64_t zeros = 0;
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) zeros += pictures.after_whole[pictures.layout.at(x, y)] == 0 ? 1 : 0;
      EXPECT_LE(zeros, 1);
      const Effort effort(short_settings());
      Joules joules(effort, "");
      for (const auto& row : stencil_energy::host_rows()) {
        const Cell cell = measure_host(effort, joules, pictures, row, true);
        if (!cell.ran()) continue;  // no AVX
        EXPECT_EQ(cell.differing, 0) << row.name << points << size.width;
        EXPECT_EQ(test::printed(cell.counts)["energy"], "not available: energy-ms is 0");
      }
      std::vector<float> wrong = pictures.after_whole;
      wrong[pictures.layout.at(size.width - 1, size.height - 1)] += 1;
      EXPECT_EQ(pictures.differing(pictures.after_whole, wrong), 1);
    }
}

TEST(StencilEnergy, OrderShowsInTheBits) {
  const Pictures pictures(test::noise({64, 48}, 5, 256), {64, 48}, 25);
  std::vector<float> other = pictures.poison;
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 64; ++x) {
      const float* const p = &pictures.in[pictures.layout.at(x, y)];
      other[pictures.layout.at(x, y)] = (p[-2] + 4 * p[-1] + 6 * p[0] + 4 * p[1] + p[2]) / 16;
    }
  EXPECT_GT(pictures.differing(pictures.after_across, other), 0);
}

TEST(StencilEnergy, RefusesWhatIsNoChoice) {
  EXPECT_THROW(Choices(settings_of(subject(), {{"widths", "2"}})), Error);
  EXPECT_THROW(Choices(settings_of(subject(), {{"unroll", "3"}})), Error);
  EXPECT_THROW(Choices(settings_of(subject(), {{"taps", "none"}})), Error);
  for (const auto& [name, value] :
       {std::pair{"points", "16"}, std::pair{"windows", "0"}, std::pair{"search", "perhaps"}})
    EXPECT_THROW(subject().frames(settings_of(subject(), {{name, value}})), Error) << name;
  const Choices choices(settings_of(subject(), {{"widths", "1,4"}}));
  EXPECT_EQ(choices.paper_width(), 4);
  EXPECT_EQ(choices.ways(Form::one_pass).size(), 3u);
  EXPECT_EQ(choices.ways(Form::down_alone).size(), 2u);
}

TEST(StencilEnergy, BoundsRuns) {
  const Effort free(settings_of(subject(), {})), bound(settings_of(subject(), {{"cell-ms", "1000"}}));
  EXPECT_EQ(free.runs_within(1e6), 100);
  EXPECT_EQ(bound.runs_within(5), 20);
  EXPECT_EQ(bound.runs_within(1e6), 1);
  EXPECT_EQ(bound.runs_within(0.001), 100);
  EXPECT_FALSE(bound.over());
}

class StencilEnergyOnDevices : public test::OnEveryDevice {};
class StencilEnergyForm : public test::OnEveryDevice, public ::testing::WithParamInterface<Form> {};

TEST_P(StencilEnergyForm, HasTheReferencesBits) {
  const Settings settings = short_settings();
  const Effort effort(settings);
  // Scalar; both ways of taps; every vector; unrolls with rests.
  const std::vector<std::pair<int, Variant>> variants{{25, {GetParam(), 1, false, 2, 8, 5}},
                                                      {25, {GetParam(), 8, true, 4, 4, 0}},
                                                      {25, {GetParam(), 4, false, 1, 8, 7}},
                                                      {9, {GetParam(), 16, true, 2, 8, 6}}};
  const Image<std::uint8_t> source = test::noise({50, 20}, 7, 256);
  for (const gpu::Opened& device : devices) {
    Bench bench(device);
    Joules joules(effort, "");
    stencil_energy::Runner runner(bench, effort, joules);
    const Pictures blur(source, {53, 19}, 25), sobel(source, {53, 19}, 9);
    for (const auto& [points, variant] : variants) {
      runner.take(points == 25 ? blur : sobel);
      const Cell cell = runner.measure(variant, false);
      ASSERT_TRUE(cell.ran()) << cell.refused;
      EXPECT_EQ(cell.differing, 0) << device.name << " " << cell.what.dump();
      EXPECT_EQ(cell.runs.size(), 1u);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Forms, StencilEnergyForm,
                         ::testing::Values(Form::one_pass, Form::two_rows, Form::columns_alone, Form::down_alone));

TEST_F(StencilEnergyOnDevices, SeesWrongBitsAndRefusesLargeGroups) {
  const Settings settings = short_settings();
  const Effort effort(settings);
  Bench bench(devices.front());
  Joules joules(effort, "");
  stencil_energy::Runner runner(bench, effort, joules);
  Pictures pictures(test::noise({20, 20}, 1, 256), {20, 20}, 9);
  pictures.after_whole[pictures.layout.at(3, 4)] += 1;
  runner.take(pictures);
  const Variant variant{Form::one_pass, 4, true, 1, 8, 0};
  EXPECT_EQ(runner.measure(variant, false).differing, 1);
  Json found = Json::array();
  EXPECT_GT(runner.look(variant, found), 0);
  EXPECT_EQ(test::printed(found)[0]["differing"], 1);
  Variant large = variant;
  large.group = static_cast<int>(bench.properties().largest_group) + 1;
  EXPECT_FALSE(runner.measure(large, false).ran());
  EXPECT_LT(runner.look(large, found), 0);
}

TEST(StencilEnergyTracker, PlaysForwardAndBack) {
  std::vector<Image<std::uint8_t>> frames;
  for (unsigned i = 0; i < 3; ++i) frames.push_back(test::noise({8, 8}, i, 256));
  const stencil_energy::Stream stream({frames[0], frames[1], frames[2]});
  const int expected[] = {0, 1, 2, 1, 0, 1};
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(stream.frame(i).data(), frames[static_cast<std::size_t>(expected[i])].data()) << i;
  const stencil_energy::Stream still({frames[0]});
  EXPECT_EQ(still.frame(5).data(), frames[0].data());
}

TEST(StencilEnergyTracker, FollowsOnEachWorker) {
  // A picture that stands still: nothing is lost by the library's tracker.
  const Image<std::uint8_t> frame = test::noise({96, 80}, 2, 256);
  const stencil_energy::Stream stream({frame, frame});
  const Effort effort(short_settings());
  Joules joules(effort, "");
  const stencil_energy::Following following{8, 20, 3, 0};
  using stencil_energy::Tracker;
  cli_test::Json last;
  for (const Tracker& tracker : {Tracker{"exact-sdvbs", "one core", "one core", Worker::processor, 0},
                                 Tracker{"ours", "reference", "reference", Worker::processor, 0},
                                 Tracker{"ours", "cpu", "cpu", Worker::processor, 2},
                                 Tracker{"ours", "reference", "cpu", Worker::processor, 0}}) {
    const Cell cell = measure_tracker(effort, joules, stream, tracker, following, {2, 3, true}, [&] {
      return tracker.name == "ours" ? make_ours(stream, following, tracker.prepare, tracker.update, tracker.threads)
                                    : stencil_energy::make_exact(stream, following);
    });
    ASSERT_TRUE(cell.ran()) << cell.refused;
    const auto counts = test::printed(cell.counts);
    EXPECT_EQ(cell.runs.size(), 2u);
    EXPECT_EQ(cell.differing, 0) << tracker.on();  // both rounds end at the same places
    EXPECT_GT(counts["found"].get<int>(), 0) << tracker.name;
    EXPECT_GT(counts["frames_per_s"].get<double>(), 0);
    EXPECT_EQ(counts["energy"], "not available: energy-ms is 0");
    EXPECT_EQ(counts["energy_detection"], "not available: energy-ms is 0");
    EXPECT_EQ(counts.contains("hand_over_ms"), tracker.prepare != tracker.update);
    if (tracker.name == "ours") {
      EXPECT_NE(counts["last"], std::string(16, '0'));
      if (!last.is_null()) {
        EXPECT_EQ(counts["last"], last) << tracker.on();
      }
      last = counts["last"];
      EXPECT_EQ(counts["found"], counts["left"]);
      EXPECT_EQ(counts["found"], 20);
    }
  }
}

TEST(StencilEnergyTracker, DriftsByHundredths) {
  Image<std::uint8_t> ramp(20, 10);
  for (int y = 0; y < 10; ++y)
    for (int x = 0; x < 20; ++x) ramp(x, y) = static_cast<std::uint8_t>(10 * x);
  const auto frames = stencil_energy::drifting(ramp, 50, 4);
  ASSERT_EQ(frames.size(), 4u);
  EXPECT_EQ(frames[0](10, 5), 100);
  EXPECT_EQ(frames[1](10, 5), 95);
  EXPECT_EQ(frames[3](10, 5), 85);
  EXPECT_EQ(stencil_energy::farthest({{1, 2}, {3, 4}}, {{1, 2}, {6, 8}}), 5);
  EXPECT_LT(stencil_energy::farthest({{1, 2}}, {}), 0);
}

TEST(StencilEnergyJoules, NeedACounterOfWhatWorks) {
  const Effort effort(settings_of(subject(), {{"energy-ms", "100"}}));
  Joules joules(effort, "");
  EXPECT_NE(joules.reason(Worker::board), "");  // no board is named
  const auto about = test::printed(joules.about());
  if (const std::string why = joules.reason(Worker::processor); !why.empty()) {
    EXPECT_NE(why.find("processor has no counter"), std::string::npos) << why;
    EXPECT_EQ(about["processor"], why);
    EXPECT_EQ(test::printed(joules.around(
                  Worker::processor, [] {}, 1, 1, 1, 0)),
              "not available: " + why);
  }
}

TEST_F(StencilEnergyOnDevices, PublishedFiltersHaveTheProgramsBits) {
  const reference::exact_sdvbs::Settings settings{4, 50, 20, 2, 0.03F};
  for (const gpu::Opened& device : devices)
    // Odd sizes, and pictures that are narrower than a vector or too low for a sum.
    for (const auto& [size, unrolled] :
         {std::pair{Size{53, 37}, 2}, {Size{64, 48}, 8}, {Size{6, 5}, 2}, {Size{30, 3}, 2}}) {
      const Image<std::uint8_t> frame = test::noise(size, 3, 256);
      const auto expected = reference::exact_sdvbs::levels(frame);
      stencil_energy::PublishedDevice tried(device, size, {settings, {Form::one_pass, 8, true, unrolled, 8, 0}, true});
      stencil_energy::HostPlanes host(tried.layout(), tried.device());
      auto planes = tried.planes(nullptr);
      tried.prepare(frame, planes);
      tried.download(planes, host);
      for (std::size_t i = 0; i < stencil_energy::published_planes; ++i) {
        const auto& kind = i / 2 == 0 ? expected.pictures : i / 2 == 1 ? expected.dx : expected.dy;
        const Image<float>& plane = kind[i % 2];
        const auto& layout = tried.layout().of(i);
        for (int y = 0; y < plane.height(); ++y)
          for (int x = 0; x < plane.width(); ++x)
            ASSERT_EQ(host.data(i)[layout.at(x, y)], plane(x, y)) << device.name << " plane " << i << " at " << x << ","
                                                                  << y << " of " << size.width << "x" << size.height;
      }
    }
}

TEST_F(StencilEnergyOnDevices, PublishedTrackerKeepsTheProgramsFeatures) {
  // Smooth texture, so that features are kept.
  Image<std::uint8_t> first(160, 120);
  for (int y = 0; y < 120; ++y)
    for (int x = 0; x < 160; ++x)
      first(x, y) = static_cast<std::uint8_t>(128 + 60 * std::sin(x * 0.35) * std::cos(y * 0.3) + (x * y) % 13);
  const auto frames = stencil_energy::drifting(first, 3, 4);
  const stencil_energy::Stream stream({frames[0], frames[1], frames[2], frames[3]});
  const stencil_energy::Following following{8, 2000, 5, 0};
  const auto exact = stencil_energy::make_exact(stream, following);
  const int found = exact->detect();
  EXPECT_GT(found, 10);
  const auto expected = exact->follow();
  EXPECT_GT(expected.left, 5);
  const gpu::Opened& device = devices.front();
  const gpu::Opened other{device.name + " again", device.device};
  const Variant filters{Form::one_pass, 8, true, 4, 16, 0};
  std::uint64_t last = 0;
  for (const stencil_energy::Mapping& mapping : {stencil_energy::Mapping{device, device, filters, true, true},
                                                 {device, other, filters, true, true},
                                                 {device, other, filters, true, false},
                                                 {device, other, filters, false, true}}) {
    const auto follower = make_published(stream, following, mapping);
    EXPECT_EQ(follower->detect(), found);
    const auto spent = follower->follow();
    EXPECT_EQ(spent.left, expected.left);
    EXPECT_EQ(spent.followed, expected.followed);
    EXPECT_LE(stencil_energy::farthest(spent.places, expected.places), 0.001);
    EXPECT_GE(stencil_energy::farthest(spent.places, expected.places), 0);
    if (last == 0) last = spent.last;
    EXPECT_EQ(spent.last, last);
    EXPECT_EQ(follower->follow().last, last);
  }
}

TEST_F(StencilEnergyOnDevices, ARunHasEveryPart) {
  const std::string folder = ::testing::TempDir() + "/vergence-stencil-energy";
  std::filesystem::remove_all(folder);
  Request request;
  request.device = devices.front().name;
  request.values = {{"sizes", "40x30"},    {"widths", "4"},      {"taps", "shuffles"}, {"unroll", "1"},
                    {"groups", "8"},       {"strip", "0"},       {"points", "25"},     {"runs", "2"},
                    {"launches", "1"},     {"search-runs", "1"}, {"scene", "128x96"},  {"windows", "8"},
                    {"features", "10"},    {"frames", "3"},      {"slow-frames", "2"}, {"clip-frames", "2"},
                    {"sweep-frames", "2"}, {"energy-ms", "0"},   {"strongest", "100"}};
  request.output = folder;
  request.print = [](std::string_view) {};
  EXPECT_TRUE(run(subject(), request));
  const auto json = test::printed_file(folder + "/stencil-energy.json");
  EXPECT_GT(json["limits"]["peak_gflops"].get<double>(), 0);
  EXPECT_GT(json["limits"]["copy_1080p_gbs"].get<double>(), 0);
  EXPECT_EQ(json["energy"]["processor"], "energy-ms is 0");
  int stencils = 0, trackers = 0, shared = 0;
  for (const auto& cell : json["cells"].elements())
    ++(cell["part"] == "tracker" ? trackers : cell["part"] == "sharing" ? shared : stencils);
  EXPECT_GE(stencils, 9);
  EXPECT_GE(trackers, 11);
  if (devices.front().device->dialect() == gpu::Dialect::opencl) {
    EXPECT_EQ(shared, 6);
  }
  EXPECT_EQ(json["search"].size(), 6u);
  EXPECT_TRUE(std::filesystem::exists(folder + "/blur.pgm"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace vergence::studies
