// SPDX-License-Identifier: Apache-2.0
// Rectification on GPUs: both pictures of pairs of 1920x1080 on the device, by the device's own clock, back to back and
// as a captured graph, and from host memory to host memory. What is found is compared with the device `cpu` before
// anything is timed. The device's clock also counts what begins and ends a launch; a graph's pairs share that.
// A line per measure: median and, in brackets, least and greatest. Usage: gpu_rectify [DEVICE...]      default: every
// OpenCL and CUDA device
// Environment, of resident frames: PIXELS=N (1, 4) to a work-item.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <vector>

#include "environment.hpp"
#include "gpu/devices.hpp"
#include "gpu/rectify/remap.hpp"
#include "gpu_rounds.hpp"
#include "plan/rectify/plan.hpp"
#include "rectify_rig.hpp"
#include "synth/scene.hpp"
#include "vergence/rectify.hpp"

namespace vergence::bench {
namespace {

constexpr Size full_hd{1920, 1080};

template <class P>
Image<P> picture() {
  synth::SceneOptions options;
  options.size = full_hd;
  options.samples = 1;
  options.noise_sigma = 2;
  const Image<std::uint8_t> bytes = std::move(synth::Scene(options).render(0).left);
  Image<P> made(full_hd);
  for (int y = 0; y < full_hd.height; ++y)
    for (int x = 0; x < full_hd.width; ++x) made(x, y) = static_cast<P>(bytes(x, y) * (sizeof(P) == 1 ? 1 : 257));
  return made;
}

void print(const gpu::Found& device, const std::string& what, const char* clock, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  std::printf("| %s | %s | %s | %.1f [%.1f .. %.1f] |\n", device.name.c_str(), what.c_str(), clock, median(times),
              times.front(), times.back());
  std::fflush(stdout);
}

template <class P>
void require_equal(const Image<P>& a, const Image<P>& b, const std::string& what) {
  for (int y = 0; y < a.height(); ++y)
    if (!std::equal(a.row(y), a.row(y) + a.width(), b.row(y))) {
      std::printf("DIFFERENT: %s, row %d\n", what.c_str(), y);
      std::exit(1);
    }
}

gpu::RemapTuning tuning_of(const gpu::Device& device) {
  gpu::RemapTuning tuning = gpu::default_remap_tuning(device.properties());
  take_number("PIXELS", tuning.pixels);
  return tuning;
}

/// Pairs and the maps of both cameras on the device.
template <class P>
class Resident {
 public:
  Resident(const RectifyPlan& plan, const std::shared_ptr<gpu::Device>& device, const Image<P>& picture)
      : programs_(device),
        queue_(device->make_queue()),
        remap_(plan, programs_, *queue_, tuning_of(*device)),
        width_(picture.width()) {
    const std::size_t row = static_cast<std::size_t>(picture.width()) * sizeof(P);
    const auto height = static_cast<std::size_t>(picture.height());
    for (Pair& pair : pairs_)
      for (int i = 0; i < 2; ++i) {
        pair.in[i] = device->allocate(row * height);
        pair.out[i] = device->allocate(row * height);
        queue_->upload(*pair.in[i], {0, row, picture.stride(), row, height}, picture.data());
      }
  }
  /// Each of some pairs in turn, which are more than the device's caches hold.
  void run() {
    const Pair& pair = pairs_[next_++ % std::size(pairs_)];
    const gpu::RemapPicture left{{*pair.in[0], 0, width_}, {*pair.out[0], 0, width_}},
        right{{*pair.in[1], 0, width_}, {*pair.out[1], 0, width_}};
    remap_.run(*queue_, sizeof(P), &left, &right, sizeof(P) == 1 ? 255 : 65535);
  }
  /// Of the first pair.
  void download(int camera, Image<P>& to) {
    const std::size_t row = static_cast<std::size_t>(width_) * sizeof(P);
    queue_->download(*pairs_[0].out[camera], {0, row, to.stride(), row, static_cast<std::size_t>(to.height())},
                     to.data());
  }
  gpu::Queue& queue() { return *queue_; }

 private:
  struct Pair {
    std::unique_ptr<gpu::Buffer> in[2], out[2];
  };
  gpu::Programs programs_;
  std::unique_ptr<gpu::Queue> queue_;
  gpu::Remap remap_;
  int width_;
  unsigned next_ = 0;
  Pair pairs_[6];
};

/// Us of one among the pairs of a captured graph, which is run several times: without what each launch costs the host.
template <class P>
std::vector<double> time_graph(Resident<P>& resident, int rounds) {
  constexpr int pairs = 24, times = 10;
  const auto graphs = [&](int count) {
    for (int i = 0; i < count; ++i) {
      resident.queue().begin_capture(1);
      for (int j = 0; j < pairs; ++j) resident.run();
      resident.queue().end_capture();
    }
    resident.queue().finish();
  };
  graphs(2);
  std::vector<double> found;
  for (int i = 0; i < rounds; ++i) found.push_back(microseconds([&] { graphs(times); }, 1) / (times * pairs));
  return found;
}

template <class P>
void time_pair(const gpu::Found& found, const std::shared_ptr<gpu::Device>& device, double degrees) {
  const std::string what =
      "a pair of u" + std::to_string(8 * sizeof(P)) + ", " + std::to_string(static_cast<int>(degrees)) + " degrees";
  const StereoRig rig = rig_of(full_hd, degrees);
  const Image<P> in = picture<P>();
  Image<P> left(full_hd), right(full_hd), got(full_hd);
  StereoRectifier(Device("cpu"), rig, {.alpha = 0}).rectify(in, in, left, right);
  Resident<P> resident(make_rectify_plan(rig, {.alpha = 0}), device, in);
  resident.run();
  resident.download(0, got);
  require_equal(left, got, found.name + ", left, " + what);
  resident.download(1, got);
  require_equal(right, got, found.name + ", right, " + what);

  const bool is_cpu = device->properties().is_cpu;
  const int times = is_cpu ? 1 : 50, rounds = is_cpu ? 3 : 15;
  std::vector<double> calls;
  const QueueTimes of_queue = time_queue(
      resident.queue(), [&] { resident.run(); }, rounds, times);
  print(found, what, "kernels, us", of_queue.kernels);
  print(found, what, "back to back, us", of_queue.back_to_back);
  if (found.name.starts_with("cuda")) print(found, what, "in a captured graph, us", time_graph(resident, rounds));
  StereoRectifier rectifier(Device(found.name), rig, {.alpha = 0});
  for (int i = 0; i < rounds; ++i)
    calls.push_back(microseconds([&] { rectifier.rectify(in, in, left, right); }, is_cpu ? 1 : 5));
  print(found, what, "host to host, us", calls);
}

void run(const gpu::Found& found, const std::shared_ptr<gpu::Device>& device) {
  for (const double degrees : {1., 3.}) time_pair<std::uint8_t>(found, device, degrees);
  time_pair<std::uint16_t>(found, device, 1);
}

}  // namespace
}  // namespace vergence::bench

int main(int argc, char** argv) {
  std::printf("1920x1080.\n| device | what | clock | median [least .. greatest] |\n|---|---|---|---|\n");
  return vergence::bench::run_on_devices(argc, argv, vergence::bench::run);
}
