// SPDX-License-Identifier: Apache-2.0
// The study motion-cuda: its scalar program and its kernels against the reference, block by block.
#include <gtest/gtest.h>

#include <cctype>
#include <cstring>
#include <filesystem>
#include <tuple>
#include <utility>

#include "io/pnm.hpp"
#include "motion-cuda/encode.hpp"
#include "motion-cuda/ours.hpp"
#include "studies/study_bench.hpp"
#include "vergence/error.hpp"

namespace vergence::studies {
namespace {

using motion_cuda::Clip;
using motion_cuda::Effort;
using motion_cuda::Truth;
using motion_cuda::Variant;
using test::noise;
using test::settings_of;
namespace exact = reference::exact_lab;

const Study& subject() { return study("motion-cuda"); }

/// Frames of few grey levels, so that costs tie often.
std::vector<Picture> noisy_clip(Size size, int frames, unsigned seed) {
  std::vector<Picture> pictures;
  for (int i = 0; i < frames; ++i) pictures.push_back({"noise", noise(size, seed + static_cast<unsigned>(i), 3)});
  return pictures;
}

std::vector<Variant> variants_of(const std::string& rungs) {
  return motion_cuda::choose_variants(
      settings_of(subject(), {{"rungs", rungs}, {"streams", "4"}, {"lanes", "256"}, {"groups", "8x4"}}));
}

/// All searches of the program, compiled both ways, against the reference.
void expect_the_reference(const Clip& clip) {
  const motion_cuda::Geometry& g = clip.geometry;
  const auto [current, reference] = clip.pair(0);
  const auto full = exact::full(current, reference, exact::Scan::rows, g),
             columns = exact::full(current, reference, exact::Scan::columns, g),
             step = exact::step(current, reference, exact::Grid::g3x3, exact::Scan::rows, g),
             large = exact::step(current, reference, exact::Grid::g13x13, exact::Scan::columns, g),
             zones = exact::test_zones(current, reference, g);
  for (int i = 0; i < clip.block_count(); ++i)
    for (const motion_cuda::Code code : {motion_cuda::Code::plain, motion_cuda::Code::vectors}) {
      const auto search = [&] { return motion_cuda::LabSearch(clip.pair(0), clip.place(i), g, code); };
      const auto at = [&](const Truth::Field& field) { return field(i % field.width(), i / field.width()); };
      auto one = search();
      while (one.advance(999)) {
      }
      EXPECT_EQ(one.best(), at(full)) << i;
      (one = search()).full(exact::Scan::columns);
      EXPECT_EQ(one.best(), at(columns)) << i;
      (one = search()).step();
      EXPECT_EQ(one.best(), at(step)) << i;
      (one = search()).step(exact::Grid::g13x13, exact::Scan::columns);
      EXPECT_EQ(one.best(), at(large)) << i;
      (one = search()).test_zones();
      EXPECT_EQ(one.best(), at(zones)) << i;
    }
}

TEST(MotionCuda, ScalarProgramIsTheReference) {
  const std::vector<Picture> pictures = noisy_clip({133, 97}, 2, 1);
  const Clip clip = motion_cuda::clips_of(pictures).front();
  ASSERT_EQ(clip.block_count(), 12);
  expect_the_reference(clip);
}

/// Two frames of the built-in scene, 96x96: matches and residues that a program in Python found, written from
/// exact_lab.md alone.
TEST(MotionCuda, GoldenOfTheBuiltInScene) {
  std::vector<Picture> pictures;
  motion_cuda::make_clips(settings_of(subject(), {{"sizes", "96x96"}, {"frames", "1"}}), pictures);
  const Clip clip = motion_cuda::clips_of(pictures).front();
  const motion_cuda::FramePair pair = clip.pair(0);
  const auto &current = pair.current, &reference = pair.reference;
  using Golden = std::vector<exact::Match>;
  const auto expect = [&](const Truth::Field& got, const Golden& golden, std::uint64_t residue) {
    ASSERT_EQ(got.size(), (Size{3, 3}));
    for (int i = 0; i < 9; ++i) EXPECT_EQ(got(i % 3, i / 3), golden[static_cast<std::size_t>(i)]) << i;
    Image<std::uint8_t> rebuilt(clip.size(), 0);
    exact::reconstruct(reference, got, rebuilt);
    EXPECT_EQ(exact::residue(current, rebuilt), residue);
  };
  expect(exact::full(current, reference),
         {{0, 0, 4210},
          {-2, 3, 30162},
          {-58, 4, 27223},
          {0, -1, 13983},
          {-3, -1, 25468},
          {-58, -32, 33477},
          {11, -64, 32429},
          {-1, -48, 41763},
          {-51, -41, 34885}},
         116483);
  const exact::Match none{0, 0, exact::no_sad};
  expect(exact::step(current, reference),
         {{0, 0, 4210}, {-23, 11, 42226}, none, {1, -29, 30722}, {-24, -28, 35282}, none, none, none, none}, 145888);
  expect(exact::step(current, reference, exact::Grid::g13x13),
         {{0, 0, 4210},
          {-23, 11, 42226},
          {-53, 29, 28265},
          {1, -29, 30722},
          {-24, -28, 35282},
          {-46, -2, 37157},
          {25, -36, 35448},
          {-2, -48, 42705},
          {-51, -41, 34885}},
         154344);
}

TEST(MotionCuda, ScalarProgramIsTheReferenceAtOtherSizes) {
  const std::vector<Picture> pictures = noisy_clip({101, 83}, 2, 3);
  for (const auto& [block, reach] : {std::pair{8, 8}, {16, 32}, {64, 16}, {32, 128}}) {
    SCOPED_TRACE(std::to_string(block) + ", " + std::to_string(reach));
    expect_the_reference(motion_cuda::clips_of(pictures, {{block, reach}}).front());
  }
}

/// What the variants are compared with is the reference's: a grid, the columns, border blocks of the host.
TEST(MotionCuda, TruthIsTheReference) {
  const std::vector<Picture> pictures = noisy_clip({196, 192}, 3, 4);
  const Clip clip = motion_cuda::clips_of(pictures).front();
  const std::vector<Variant> variants = variants_of("search,z,step-7x7,tz-z");
  const Truth truth(clip, variants, true);
  const auto [current, reference] = clip.pair(1);
  const auto rows = exact::full(current, reference), columns = exact::full(current, reference, exact::Scan::columns),
             grid = exact::step(current, reference, exact::Grid::g7x7, exact::Scan::columns),
             zones = exact::test_zones(current, reference);
  int by_host = 0;
  for (int i = 0; i < clip.block_count(); ++i) {
    const auto at = [&](const Truth::Field& field) { return field(i % field.width(), i / field.width()); };
    const bool inner = motion_cuda::is_inner(clip.size(), clip.place(i), clip.geometry);
    by_host += inner ? 0 : 1;
    for (const Variant& variant : variants)
      EXPECT_EQ(truth.expected(variant, 1, i), at(variant.rung == "search"     ? inner ? columns : rows
                                                  : variant.rung == "z"        ? columns
                                                  : variant.rung == "step-7x7" ? grid
                                                                               : zones));
  }
  EXPECT_EQ(by_host, 35);
}

TEST(MotionCuda, InnerBlocksNeedNoCondition) {
  const Size frame{224, 193};
  const std::vector<Picture> pictures = noisy_clip(frame, 2, 1);
  for (const auto& [block, reach, wanted] : {std::tuple{32, 64, 2}, {16, 16, 120}, {64, 8, 2}}) {
    const Clip clip = motion_cuda::clips_of(pictures, {{block, reach}}).front();
    int inner = 0;
    for (int i = 0; i < clip.block_count(); ++i) {
      const auto place = clip.place(i);
      bool all = place.x >= reach && place.y >= reach;
      for (int d = -reach; d < reach; ++d)
        all = all && exact::is_valid(frame, place.x, place.y, d, d, clip.geometry) &&
              place.x + d + block - 1 < frame.width && place.y + d + block - 1 < frame.height;
      EXPECT_EQ(motion_cuda::is_inner(frame, place, clip.geometry), all) << i;
      inner += all ? 1 : 0;
    }
    EXPECT_EQ(inner, wanted);
  }
}

TEST(MotionCuda, BlocksComeInTurn) {
  EXPECT_EQ(motion_cuda::in_turn(5, 0, 3), (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(motion_cuda::in_turn(5, 2, 0), (std::vector<int>{0, 3}));
  EXPECT_EQ(motion_cuda::in_turn(5, 2, 1), (std::vector<int>{1, 4}));
  EXPECT_EQ(motion_cuda::in_turn(5, 2, 5), (std::vector<int>{2}));
}

TEST(MotionCuda, BlockAndReachAreOptions) {
  EXPECT_EQ(motion_cuda::geometry_of(settings_of(subject(), {{"block", "16"}})).block, 16);
  EXPECT_THROW(motion_cuda::geometry_of(settings_of(subject(), {{"block", "24"}})), Error);
  EXPECT_THROW(motion_cuda::geometry_of(settings_of(subject(), {{"reach", "256"}})), Error);
}

TEST(MotionCuda, SpreadsOverAll) {
  EXPECT_EQ(motion_cuda::spread(5, 0), (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(motion_cuda::spread(3, 7), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(motion_cuda::spread(10, 2), (std::vector<int>{2, 7}));
}

TEST(MotionCuda, ScalesByAreas) {
  Image<std::uint8_t> picture(3, 4, 0);
  for (int x = 0; x < 3; ++x) picture(x, 1) = static_cast<std::uint8_t>(30 * (x + 1));
  // 3x4 to 2x2: of rows 0 to 2, pixels of 1.5 x 1.5. Row 1 lies half in the upper ones.
  const Image<std::uint8_t> half = motion_cuda::scaled_down(picture, {2, 2});
  EXPECT_EQ(half(0, 0), 13);  // (30 + 60 / 2) / 2 / 2.25
  EXPECT_EQ(half(1, 0), 27);  // (60 / 2 + 90) / 2 / 2.25
  EXPECT_EQ(half(0, 1), 13);
  EXPECT_THROW(motion_cuda::scaled_down(picture, {4, 2}), Error);
  const auto sizes_of = [](const char* text) {
    return motion_cuda::scale_sizes(settings_of(subject(), {{"scale", text}}));
  };
  EXPECT_EQ(sizes_of("no,64x32"), (std::vector<Size>{{}, {64, 32}}));
  EXPECT_THROW(sizes_of("64x32,"), Error);
  EXPECT_THROW(sizes_of("7x32"), Error);
}

TEST(MotionCuda, RefusesWhatIsNoClip) {
  std::vector<Picture> pictures = noisy_clip({40, 40}, 1, 1);
  EXPECT_THROW(motion_cuda::clips_of(pictures), Error);  // one frame
  pictures.push_back({"noise", noise({41, 40}, 1, 2)});
  EXPECT_THROW(motion_cuda::clips_of(pictures), Error);  // another size
  EXPECT_THROW(motion_cuda::clips_of(noisy_clip({31, 64}, 2, 1)), Error);
  pictures.back().pixels = noise({40, 40}, 2, 2);
  EXPECT_EQ(motion_cuda::clips_of(pictures).size(), 1u);
  pictures[1].input = 1;
  EXPECT_THROW(motion_cuda::clips_of(pictures), Error);  // two clips of one frame
  EXPECT_THROW(variants_of("all,sad"), Error);
  EXPECT_THROW(motion_cuda::choose_variants(settings_of(subject(), {{"streams", "0"}})), Error);
}

TEST(MotionCuda, OursRunsOnEachWorker) {
  const std::vector<Picture> pictures = noisy_clip({96, 64}, 2, 5);
  const Clip clip = motion_cuda::clips_of(pictures).front();
  const std::vector<Cell> cells = motion_cuda::encode_ours("reference", clip, 1);
  EXPECT_EQ(cells.size(), 3 * motion_cuda::our_searches({}).size());
  for (const Cell& cell : cells) EXPECT_EQ(cell.differing, 0) << cell.what.dump();
}

/// The smallest frame that has a block whose whole search area is inside, and its truth.
struct Subject {
  explicit Subject(const std::string& rungs, const motion_cuda::Geometry& geometry = {})
      : pictures(noisy_clip({196, 192}, 2, 7)),
        clip(motion_cuda::clips_of(pictures, geometry).front()),
        variants(variants_of(rungs)),
        truth(clip, variants, false) {
    effort.event_frames = 0;
    effort.launches = 1;
  }
  std::vector<Picture> pictures;
  Clip clip;
  std::vector<Variant> variants;
  Truth truth;
  Effort effort;
};

class MotionCudaOnDevices : public test::OnEveryDevice {};
class MotionCudaRung : public test::OnEveryDevice, public ::testing::WithParamInterface<const char*> {};

TEST_P(MotionCudaRung, EveryBlockIsTheReferences) {
  const Subject subject(GetParam());
  for (const gpu::Opened& device : devices) {
    Bench bench(device);
    for (const Variant& variant : subject.variants) {
      SCOPED_TRACE(device.name + ", " + variant.rung);
      const Cell cell = motion_cuda::encode(bench, subject.clip, subject.truth, variant, subject.effort);
      if (!cell.ran() && cell.refused.find("does not fit") == 0) continue;
      ASSERT_TRUE(cell.ran()) << cell.refused;
      EXPECT_EQ(cell.differing, 0);
      const bool by_candidate =
          variant.unit == motion_cuda::Unit::sad && variant.borders == motion_cuda::Borders::condition;
      EXPECT_EQ(test::printed(cell.counts)["searched"], by_candidate ? 1 : 36);
    }
  }
}

std::string rung_name(const ::testing::TestParamInfo<const char*>& parameter) {
  std::string name;
  for (const char c : std::string(parameter.param))
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, MotionCudaRung,
                         ::testing::Values("sad", "borders-overlapped", "search", "streams-portions", "streams-reduced",
                                           "all-on-device", "z,z-shuffles", "step-3x3,step-13x13", "step-z,step-7x7-z",
                                           "step-15x15-z", "tz-z", "pinned"),
                         rung_name);

/// Blocks of 16 px and vectors of up to 16 px: every kind of kernel.
TEST_F(MotionCudaOnDevices, OtherSizesAreTheReferencesToo) {
  const Subject subject("search,streams-reduced,all-on-device,z,step-3x3,step-13x13-z,tz-z", {{16, 16}});
  for (const gpu::Opened& device : devices) {
    Bench bench(device);
    for (const Variant& variant : subject.variants) {
      SCOPED_TRACE(device.name + ", " + variant.rung);
      const Cell cell = motion_cuda::encode(bench, subject.clip, subject.truth, variant, subject.effort);
      ASSERT_TRUE(cell.ran()) << cell.refused;
      EXPECT_EQ(cell.differing, 0);
      EXPECT_EQ(test::printed(cell.counts)["searched"], 144);
    }
  }
}

/// A launch for each candidate: frame by frame, where a part of a frame is asked for other blocks in each; a few of
/// them by the device's clock.
TEST_F(MotionCudaOnDevices, PartsOfFramesTakeTurns) {
  const motion_cuda::Geometry geometry{16, 16};
  const std::vector<Picture> pictures = noisy_clip({64, 48}, 4, 7);
  const Clip clip = motion_cuda::clips_of(pictures, geometry).front();
  const std::vector<Variant> variants = variants_of("sad");
  const Truth truth(clip, variants, false);
  Effort effort;
  effort.launches = 2 * geometry.candidates();
  Bench bench(devices.front());
  const Cell cell = motion_cuda::encode(bench, clip, truth, variants.front(), effort);
  ASSERT_TRUE(cell.ran()) << cell.refused;
  EXPECT_EQ(cell.differing, 0);
  EXPECT_EQ(cell.runs.size(), 3u);
  const auto counts = test::printed(cell.counts);
  EXPECT_EQ(counts["timed_frames"], 3);
  EXPECT_EQ(counts["searched"], 2);
  EXPECT_EQ(counts["event_frames"], 2);
  EXPECT_EQ(counts["event_blocks"], 4);
}

/// What a device finds in other frames is not what must come out.
TEST_F(MotionCudaOnDevices, DifferencesAreSeen) {
  const Subject subject("all-on-device");
  const std::vector<Picture> others = noisy_clip({196, 192}, 2, 99);
  Bench bench(devices.front());
  const Cell cell = motion_cuda::encode(bench, motion_cuda::clips_of(others).front(), subject.truth,
                                        subject.variants.front(), subject.effort);
  ASSERT_TRUE(cell.ran()) << cell.refused;
  EXPECT_GT(cell.differing, 30);
}

/// Clips as `vergence_study` reads and writes them, and a whole run of the study.
TEST_F(MotionCudaOnDevices, ARunTakesClips) {
  const std::string folder = ::testing::TempDir() + "/vergence-motion-cuda-run";
  std::filesystem::remove_all(folder);
  Request request;
  request.device = devices.front().name;
  request.output = folder;
  request.inputs = {"a", "b"};
  request.print = [](std::string_view) {};
  int wanted = 0;
  request.read = [&](const std::string& path, int most) {
    wanted = most;
    std::vector<Image<std::uint8_t>> frames;
    for (int i = 0; i < std::min(most, 3); ++i)
      frames.push_back(noise(path == "a" ? Size{64, 40} : Size{50, 33}, static_cast<unsigned>(i), 4));
    return frames;
  };
  request.values = {{"save-clips", "yes"}, {"frames", "7"}, {"scale", "32x32"}};
  EXPECT_TRUE(run(subject(), request));
  EXPECT_EQ(wanted, 8);
  io::ByteReader clip(folder + "/clip1.pgm");
  for (unsigned i = 0; i < 3; ++i) {
    const io::Raster frame = io::read_pnm(clip);
    const auto& grey = std::get<Image<std::uint8_t>>(frame.pixels);
    ASSERT_EQ(grey.size(), (Size{50, 33}));
    const Image<std::uint8_t> expected = noise({50, 33}, i, 4);
    for (int y = 0; y < 33; ++y) EXPECT_EQ(std::memcmp(grey.row(y), expected.row(y), 50), 0);
  }
  EXPECT_EQ(clip.remaining(), 0u);
  request.values = {{"rungs", "step-3x3"}, {"frames", "2"}, {"ours", "no"}, {"transfers", "4096"}};
  EXPECT_TRUE(run(subject(), request));
  const auto json = test::printed_file(folder + "/motion-cuda.json");
  ASSERT_EQ(json["cells"].size(), 14u);  // six of the scalar program and one rung, for both clips
  EXPECT_EQ(json["cells"][6]["clip"], "64x40");
  EXPECT_EQ(json["cells"][6]["counts"]["frames"], 2);
  EXPECT_GT(json["cells"][6]["counts"]["residue"], 0);
  EXPECT_EQ(json["cells"][13]["clip"], "50x33");
  EXPECT_EQ(json["transfers"].size(), 2u);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace vergence::studies
