// SPDX-License-Identifier: Apache-2.0
// From the raw pictures of two calibrated cameras to metres, host memory to host memory, 1920x1080, preset quality:
// frames/s and the share of each step. Rectified pictures stay on a GPU. What a device finds is compared with the
// device `cpu` before anything is timed. A line per device: medians.
// Usage: raw_to_metres [DEVICE...]      default: cpu and every GPU
// Environment: THREADS=N (2) of the processor, DISPARITIES=N (128), FRAMES=N (20) that are timed, PRESET=NAME.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "environment.hpp"
#include "gpu_rounds.hpp"
#include "synth/scene.hpp"
#include "vergence/rectify.hpp"
#include "vergence/stereo.hpp"

namespace vergence::bench {
namespace {

constexpr Size full_hd{1920, 1080};

struct Wishes {
  int threads = 2, disparities = 128, frames = 20;
  std::string preset = "quality";
};
Wishes wishes() {
  Wishes wanted;
  take_number("THREADS", wanted.threads);
  take_number("DISPARITIES", wanted.disparities);
  take_number("FRAMES", wanted.frames);
  if (const char* const name = std::getenv("PRESET"); name != nullptr) wanted.preset = name;
  return wanted;
}

/// Lenses that distort so little that rows of the scene still meet; what sampling takes does not depend on it.
StereoRig rig_of_scene() {
  StereoRig rig;
  const double focal = 0.9 * full_hd.width;
  rig.left = {full_hd, focal, focal, full_hd.width / 2.0, full_hd.height / 2.0, LensModel::pinhole, {-0.005}};
  rig.right = rig.left;
  rig.translation = {-0.12, 0, 0};
  return rig;
}

struct Pair {
  Image<std::uint8_t> left, right;
};
Pair scene_pair(int disparities) {
  synth::SceneOptions options;
  options.size = full_hd;
  options.samples = 1;
  options.noise_sigma = 2;
  options.max_disparity = disparities - 8;
  auto frame = synth::Scene(options).render(0);
  return {std::move(frame.left), std::move(frame.right)};
}

/// One device with all that a stream of frames needs.
class Chain {
 public:
  Chain(const Device& device, const Wishes& wanted)
      : rectifier_(device, rig_of_scene()), matcher_(device, full_hd, options_of(wanted), masks()) {
    const auto geometry = rectifier_.rig().projections;
    focal_px_ = geometry.p1[0];
    baseline_m_ = -geometry.p2[3] / geometry.p2[0];
    if (device.name().starts_with("cpu")) return;
    constexpr std::size_t pixels = std::size_t{1920} * 1080;
    for (DeviceImage& one : on_device_) one = DeviceImage(device.allocate(pixels), PixelType::u8, full_hd);
  }

  void rectify(const Pair& raw) {
    if (on_device_[0].empty())
      rectifier_.rectify(raw.left, raw.right, rectified_.left, rectified_.right);
    else
      rectifier_.rectify(raw.left, raw.right, on_device_[0], on_device_[1]);
  }
  void match() { matcher_.compute(input(), {.disparity = disparity_}); }
  void to_metres() {
    disparity_to_pixels(disparity_, matcher_.invalid(), pixels_);
    pixels_to_depth(pixels_, focal_px_, baseline_m_, 0, metres_);
  }
  void frame(const Pair& raw) {
    rectify(raw);
    match();
    to_metres();
  }
  const Image<float>& metres() const { return metres_; }

 private:
  static StereoOptions options_of(const Wishes& wanted) {
    StereoOptions options = stereo_preset(wanted.preset).options;
    options.disparities = wanted.disparities;
    return options;
  }
  SourceMasks masks() const { return {rectifier_.left_mask(), rectifier_.right_mask()}; }
  StereoInput input() const {
    if (on_device_[0].empty()) return {rectified_.left, rectified_.right};
    return {on_device_[0], on_device_[1]};
  }

  StereoRectifier rectifier_;
  StereoMatcher matcher_;
  DeviceImage on_device_[2];
  Pair rectified_{Image<std::uint8_t>(full_hd), Image<std::uint8_t>(full_hd)};
  Image<std::int16_t> disparity_{full_hd};
  Image<float> pixels_{full_hd}, metres_{full_hd};
  double focal_px_ = 0, baseline_m_ = 0;
};

void require_equal(const Image<float>& a, const Image<float>& b, const std::string& what) {
  for (int y = 0; y < a.height(); ++y)
    if (!std::equal(a.row(y), a.row(y) + a.width(), b.row(y))) {
      std::printf("DIFFERENT: %s, row %d\n", what.c_str(), y);
      std::exit(1);
    }
}

void run(const std::string& name, const Wishes& wanted, const Pair& raw, const Image<float>& expected) {
  Chain chain(name == "cpu" ? Device(name, {.threads = wanted.threads}) : Device(name), wanted);
  chain.frame(raw);
  require_equal(expected, chain.metres(), name);
  std::vector<double> steps[3], frames;
  for (int i = 0; i < wanted.frames; ++i) {
    const double times[3] = {microseconds([&] { chain.rectify(raw); }, 1), microseconds([&] { chain.match(); }, 1),
                             microseconds([&] { chain.to_metres(); }, 1)};
    for (std::size_t step = 0; step < 3; ++step) steps[step].push_back(times[step] / 1000);
    frames.push_back((times[0] + times[1] + times[2]) / 1000);
  }
  const double whole = median(frames);
  std::printf("| %s | %.1f | %.2f |", name.c_str(), 1000 / whole, whole);
  for (const std::vector<double>& step : steps)
    std::printf(" %.2f (%.0f %%) |", median(step), 100 * median(step) / whole);
  std::printf("\n");
  std::fflush(stdout);
}

std::vector<std::string> every_device() {
  std::vector<std::string> names{"cpu"};
  for (const std::vector<gpu::Found>& found : {gpu::opencl::find(), gpu::cuda::find()})
    for (const gpu::Found& one : found)
      if (one.available) names.push_back(one.name);
  return names;
}

}  // namespace
}  // namespace vergence::bench

int main(int argc, char** argv) try {
  using namespace vergence::bench;
  std::vector<std::string> names(argv + 1, argv + argc);
  if (names.empty()) names = every_device();
  const Wishes wanted = wishes();
  std::printf("1920x1080, preset %s, %d disparities, %d threads of the processor; ms, medians of %d frames.\n",
              wanted.preset.c_str(), wanted.disparities, wanted.threads, wanted.frames);
  std::printf("| device | frames/s | ms | rectify | match | metres |\n|---|---|---|---|---|---|\n");
  const Pair raw = scene_pair(wanted.disparities);
  Chain reference(vergence::Device("cpu"), wanted);
  reference.frame(raw);
  for (const std::string& name : names) run(name, wanted, raw, reference.metres());
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
  return 1;
}
