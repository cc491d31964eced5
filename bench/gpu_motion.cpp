// SPDX-License-Identifier: Apache-2.0
// Motion on GPUs: times of the search on resident frames by the device's own clock and back to back, and whole calls
// from host memory to host memory. All vectors and costs are compared with the device `cpu` before anything is timed.
// Usage: gpu_motion [DEVICE...]      default: every OpenCL and CUDA device
// Environment: ONLY=TEXT takes cases whose name holds it, WIDTH=N frames so wide. GROUP, TILECOLS, TILESLABS, TILETALL,
// TILECHUNK, TILEGROUP, TILEREGS, ELIMGROUP, ELIMLEFT, ELIMREGS, ELIMPIXELS, WALKROWS, GRIDCHUNK, SIZECOLS, SIZESLABS,
// SIZETALL and SIZEREGS change the launch configuration (gpu/motion/tuning.hpp); BRUTE=1 eliminates nothing, WALK=0 has
// search.cl do all searches that are not exhaustive. PAIR=CURRENT.pgm:REFERENCE.pgm takes these frames in place of the
// built-in scene.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "environment.hpp"
#include "gpu/devices.hpp"
#include "gpu/motion/all_sizes.hpp"
#include "gpu/motion/motion.hpp"
#include "gpu/motion/search.hpp"
#include "gpu/motion/stages.hpp"
#include "gpu_rounds.hpp"
#include "synth/scene.hpp"
#include "vergence/motion.hpp"

namespace vergence::bench {
namespace {

/// Binary PGM of 8 bits.
Image<std::uint8_t> read_pgm(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string magic;
  Size size;
  int most = 0;
  file >> magic >> size.width >> size.height >> most;
  file.get();
  if (!file || magic != "P5" || most != 255) throw std::runtime_error("no binary PGM of 8 bits: " + path);
  Image<std::uint8_t> image(size);
  for (int y = 0; y < size.height; ++y) file.read(reinterpret_cast<char*>(image.row(y)), size.width);  // NOLINT: bytes
  if (!file) throw std::runtime_error("too short: " + path);
  return image;
}
/// A scene from two places: everything moves, near things far.
struct Frames {
  Image<std::uint8_t> current, reference;
};
Frames read_frames(const std::string& pair) {
  const std::size_t colon = pair.find(':');
  return {read_pgm(pair.substr(0, colon)), read_pgm(pair.substr(colon + 1))};
}
Frames make_frames(Size size) {
  if (const char* pair = std::getenv("PAIR"); pair != nullptr) return read_frames(pair);
  synth::SceneOptions options;
  options.size = size;
  options.max_disparity = 40;
  options.noise_sigma = 2;
  options.samples = 1;
  synth::SceneFrame frame = synth::Scene(options).render(0);
  return {std::move(frame.left), std::move(frame.right)};
}

struct Case {
  std::string name;
  MotionOptions options;
  bool one_pass = true;  ///< For all sizes; else each is searched by itself.
  bool all_sizes = false;
};

/// " 16x16, 64"
std::string text_of(int side) {
  const std::string number = std::to_string(side);
  return std::string(" ").append(number).append("x").append(number).append(", 64");
}

void add_all_sizes(std::vector<Case>& cases) {
  MotionOptions o;
  o.block = {8, 8};
  const std::size_t first = cases.size();
  cases.push_back({"all sizes, 64", o});
  o.border = MotionBorder::pad;
  cases.push_back({"all sizes, 64, pad", o});
  cases.push_back({"all sizes, 64, pad, a search for each", o, false});
  o.lambda = 4 << 16;
  cases.push_back({"all sizes, 64, pad, rate", o});
  o.lambda = 0;
  o.cost = MotionCost::ssd;
  cases.push_back({"all sizes, SSD, 64, pad", o});
  o.cost = MotionCost::sad;
  o.range_x = o.range_y = {-64, 63};
  cases.push_back({"all sizes, -64:63, pad", o});
  for (std::size_t i = first; i < cases.size(); ++i) cases[i].all_sizes = true;
}

std::vector<Case> cases() {
  MotionOptions o;
  o.block = {32, 32};
  o.range_x = o.range_y = {-64, 63};
  std::vector<Case> all{{"full 32x32, -64:63", o}};
  o.cost = MotionCost::ssd;
  all.push_back({"full SSD 32x32, -64:63", o});
  o.cost = MotionCost::sad;
  o.border = MotionBorder::pad;
  all.push_back({"full 32x32, -64:63, pad", o});
  o.range_x = o.range_y = {-64, 64};
  all.push_back({"full 32x32, 64, pad", o});
  o.lambda = 4 << 16;
  all.push_back({"full 32x32, 64, pad, rate", o});
  o.lambda = 0;
  for (const int side : {8, 16, 64}) {
    o.block = {side, side};
    all.push_back({std::string("full").append(text_of(side)).append(", pad"), o});
  }
  o.border = MotionBorder::inside;
  for (const int side : {16, 32}) {
    const std::string block = text_of(side);
    o.block = {side, side};
    o.search = MotionSearch::step;
    o.step_grid = MotionStepGrid::g3x3;
    all.push_back({"step 3x3" + block, o});
    o.step_grid = MotionStepGrid::g13x13;
    all.push_back({"step 13x13" + block, o});
    o.search = MotionSearch::diamond;
    all.push_back({"diamond" + block, o});
    o.search = MotionSearch::hexagon;
    all.push_back({"hexagon" + block, o});
    o.search = MotionSearch::tz;
    o.levels = 0;
    all.push_back({"tz, no levels" + block, o});
    o.levels = 2;
    all.push_back({"tz, 2 levels" + block, o});
    o.search = MotionSearch::hierarchical;
    o.levels = 3;
    all.push_back({"hierarchical, 3 levels" + block, o});
  }
  add_all_sizes(all);
  o.block = {32, 32};
  o.cost = MotionCost::satd;
  o.search = MotionSearch::tz;
  o.levels = 2;
  all.push_back({"tz, SATD, quarter pixels 32x32, 64", o});
  all.back().options.subpel = MotionSubpel::quarter;
  return all;
}

gpu::MotionTuning tuning_of(const gpu::Properties& properties) {
  gpu::MotionTuning tuning = gpu::default_motion_tuning(properties);
  take_number("GROUP", tuning.group);
  take_number("TILECOLS", tuning.tile_columns);
  take_number("TILESLABS", tuning.tile_slabs);
  take_number("TILETALL", tuning.tile_tall);
  take_number("TILECHUNK", tuning.tile_chunk);
  take_number("TILEGROUP", tuning.tile_group);
  take_number("TILEREGS", tuning.tile_registers);
  take_number("ELIMGROUP", tuning.eliminate_group);
  take_number("ELIMLEFT", tuning.eliminate_left);
  take_number("ELIMREGS", tuning.eliminate_registers);
  take_number("ELIMPIXELS", tuning.eliminate_pixels);
  take_number("WALKROWS", tuning.walk_rows);
  take_number("GRIDCHUNK", tuning.grid_chunk);
  take_number("SIZECOLS", tuning.sizes_columns);
  take_number("SIZESLABS", tuning.sizes_slabs);
  take_number("SIZETALL", tuning.sizes_tall);
  take_number("SIZEGROUP", tuning.sizes_group);
  take_number("SIZEREGS", tuning.sizes_registers);
  if (std::getenv("BRUTE") != nullptr) tuning.eliminate = false;
  if (const char* text = std::getenv("WALK"); text != nullptr) tuning.walk = std::atoi(text) != 0;
  return tuning;
}

/// What is found of each block.
struct Found {
  explicit Found(Size blocks) : vectors(blocks), cost(blocks), j(blocks) {}
  MotionOutput maps() {
    MotionOutput maps;
    maps.vectors = vectors;
    maps.cost = cost;
    maps.j = j;
    return maps;
  }
  Image<MotionVector> vectors;
  Image<std::uint64_t> cost, j;
};

void expect_equal(const Found& expected, const Found& got, const std::string& what) {
  for (int y = 0; y < expected.vectors.height(); ++y)
    for (int x = 0; x < expected.vectors.width(); ++x)
      if (expected.vectors(x, y) != got.vectors(x, y) || expected.cost(x, y) != got.cost(x, y) ||
          expected.j(x, y) != got.j(x, y)) {
        std::printf("DIFFERENT at block %d,%d: %s\n", x, y, what.c_str());
        std::exit(1);
      }
}

/// What is found of the blocks of each size.
using Sizes = std::vector<Found>;
Sizes make_found(const MotionPlan& plan) {
  Sizes sizes;
  for (const Size grid : plan.grids) sizes.emplace_back(grid);
  return sizes;
}
void expect_equal(const Sizes& expected, const Sizes& got, const std::string& what) {
  for (std::size_t i = 0; i < expected.size(); ++i) expect_equal(expected[i], got[i], what);
}
MotionPlan plan_of(Size size, const Case& one) {
  return one.all_sizes ? make_motion_sizes_plan(size, sizes_options(one.options)) : make_motion_plan(size, one.options);
}

/// A case on a device: blocks of one size, or of all.
class Search {
 public:
  Search(const Device& device, Size size, const Case& one) {
    if (one.all_sizes)
      all_ = std::make_unique<MotionSizesEstimator>(device, size, sizes_options(one.options));
    else
      one_ = std::make_unique<MotionEstimator>(device, size, one.options);
  }
  void compute(const Frames& frames, Sizes& sizes) const {
    if (all_ != nullptr)
      all_->compute({frames.current, frames.reference, {}},
                    {sizes[0].maps(), sizes[1].maps(), sizes[2].maps(), sizes[3].maps()});
    else
      one_->compute({frames.current, frames.reference}, sizes.front().maps());
  }

 private:
  std::unique_ptr<MotionEstimator> one_;
  std::unique_ptr<MotionSizesEstimator> all_;
};

/// A search with resident frames.
class Resident {
 public:
  Resident(const MotionPlan& plan, const std::shared_ptr<gpu::Device>& device, const gpu::MotionTuning& tuning)
      : programs_(device), queue_(device->make_queue()) {
    const bool one_pass = gpu::AllSizes::serves(plan, device->properties(), tuning);
    for (std::size_t i = 0; i < plan.blocks.size(); ++i) {
      buffers_.emplace_back(plan.grids[i], *device);
      if (!one_pass) searches_.emplace_back(plan, plan.blocks[i], programs_, tuning);
    }
    if (one_pass) sizes_ = std::make_unique<gpu::AllSizes>(plan, programs_, tuning, false);
    Size size = plan.size;
    for (int level = 0; level <= gpu::coarse_levels(plan); ++level) {
      levels_.emplace_back(size, 1, *device);
      size = {(size.width + 1) / 2, (size.height + 1) / 2};
    }
    if (levels_.size() > 1) pyramid_ = std::make_unique<gpu::MotionPyramid>(plan, programs_);
    if (plan.options.subpel != MotionSubpel::none)
      refine_ = std::make_unique<gpu::MotionRefine>(plan, plan.blocks.front(), programs_, tuning);
  }
  void upload(const Frames& frames) {
    const auto put = [&](gpu::Buffer& to, const Image<std::uint8_t>& from) {
      queue_->upload(to,
                     {0, static_cast<std::size_t>(levels_.front().pitch), from.stride(),
                      static_cast<std::size_t>(from.width()), static_cast<std::size_t>(from.height())},
                     from.data());
    };
    put(*levels_.front().current, frames.current);
    put(*levels_.front().reference, frames.reference);
  }
  void run() {
    if (pyramid_ != nullptr) pyramid_->run(*queue_, levels_, true);
    if (sizes_ != nullptr)
      sizes_->run(*queue_, levels_.front(),
                  {{{&buffers_[0], false}, {&buffers_[1], false}, {&buffers_[2], false}, {&buffers_[3], false}}});
    for (std::size_t i = 0; i < searches_.size(); ++i) searches_[i].run(*queue_, levels_, buffers_[i], false, false);
    if (refine_ != nullptr) refine_->run(*queue_, levels_.front(), buffers_.front(), false);
  }
  void download(Sizes& sizes) {
    for (std::size_t i = 0; i < sizes.size(); ++i) download(buffers_[i], sizes[i]);
  }
  gpu::Queue& queue() { return *queue_; }

 private:
  void download(const gpu::MotionBuffers& buffers, Found& found) {
    const auto get = [&](const gpu::Buffer& from, auto& image, std::size_t bytes) {
      const std::size_t row = static_cast<std::size_t>(image.width()) * bytes;
      queue_->download(from, {0, row, image.stride(), row, static_cast<std::size_t>(image.height())}, image.data());
    };
    get(*buffers.vectors, found.vectors, 4);
    get(*buffers.costs, found.cost, 8);
    get(*buffers.j, found.j, 8);
  }

  gpu::Programs programs_;
  std::unique_ptr<gpu::Queue> queue_;
  std::vector<gpu::MotionLevel> levels_;
  std::vector<gpu::MotionBuffers> buffers_;  ///< By size.
  std::vector<gpu::BlockSearch> searches_;
  std::unique_ptr<gpu::AllSizes> sizes_;  ///< In place of them.
  std::unique_ptr<gpu::MotionPyramid> pyramid_;
  std::unique_ptr<gpu::MotionRefine> refine_;
};

void run_case(const gpu::Found& device_found, const std::shared_ptr<gpu::Device>& device, const Case& one,
              const Frames& frames) {
  const Size size = frames.current.size();
  const MotionPlan plan = plan_of(size, one);
  const std::string what = device_found.name + ", " + one.name;
  Sizes expected = make_found(plan), got = make_found(plan);
  Search(Device("cpu"), size, one).compute(frames, expected);
  gpu::MotionTuning tuning = tuning_of(device->properties());
  if (!one.one_pass) tuning.sizes = false;
  Resident resident(plan, device, tuning);
  resident.upload(frames);
  resident.run();
  resident.download(got);
  expect_equal(expected, got, what);

  const bool is_cpu = device->properties().is_cpu;
  const int times = is_cpu ? 1 : 50, rounds = is_cpu ? 3 : 9;
  std::vector<double> calls;
  const QueueTimes of_queue = time_queue(
      resident.queue(), [&] { resident.run(); }, rounds, times);
  const Search search(Device(device_found.name), size, one);
  for (int i = 0; i < rounds; ++i) calls.push_back(microseconds([&] { search.compute(frames, got); }, is_cpu ? 1 : 5));
  expect_equal(expected, got, what + ", whole calls");
  const double candidates = one.options.search == MotionSearch::full
                                ? (one.options.range_x.last - one.options.range_x.first + 1.0) *
                                      (one.options.range_y.last - one.options.range_y.first + 1.0)
                                : 0;
  const double differences = candidates * size.width * size.height;
  std::printf("| %s | %s | %dx%d | %.1f | %.1f | %.1f | %.0f |\n", device_found.name.c_str(), one.name.c_str(),
              size.width, size.height, median(of_queue.kernels), median(of_queue.back_to_back), median(calls),
              differences / median(of_queue.kernels) / 1000);
  std::fflush(stdout);
}

void run(const gpu::Found& found, const std::shared_ptr<gpu::Device>& device) {
  for (const Size size : {Size{416, 240}, Size{832, 480}, Size{1920, 1080}}) {
    if (!is_wanted(size)) continue;
    const Frames frames = make_frames(size);
    if (frames.current.size() != size) continue;
    for (const Case& one : cases()) {
      if (!is_wanted(one.name)) continue;
      run_case(found, device, one, frames);
    }
  }
}

}  // namespace
}  // namespace vergence::bench

int main(int argc, char** argv) {
  std::printf(
      "| device | what | size | kernels, us | back to back, us | host to host, us | G differences/s by kernels |\n"
      "|---|---|---|---|---|---|---|\n");
  return vergence::bench::run_on_devices(argc, argv, vergence::bench::run);
}
