// SPDX-License-Identifier: Apache-2.0
// Motion along a video on GPUs, host to host: microseconds a frame with 1, 2 and 4 frames in flight, each frame
// uploaded once from pinned memory, beside what the upload alone takes in the same run. All fields of the first frames
// are compared with the device `cpu` before anything is timed. Usage: gpu_motion_stream [DEVICE...]      default: every
// OpenCL and CUDA device Environment: ONLY=TEXT takes cases whose name holds it, WIDTH=N frames so wide, FRAMES=N so
// many to a round.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "environment.hpp"
#include "gpu/devices.hpp"
#include "gpu_rounds.hpp"
#include "synth/scene.hpp"
#include "vergence/motion_stream.hpp"

namespace vergence::bench {
namespace {

constexpr std::size_t places = MotionStream::most_in_flight + 2;  ///< Frames and fields in turn.

struct Case {
  std::string name;
  MotionOptions options;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const int side : {32, 16}) {
    MotionOptions o;
    o.block = {side, side};
    o.range_x = o.range_y = {-64, 64};
    const std::string block = side == 32 ? " 32x32, 64" : " 16x16, 64";
    o.search = MotionSearch::hierarchical;
    o.levels = 3;
    all.push_back({"hierarchical, 3 levels" + block, o});
    o.search = MotionSearch::step;
    all.push_back({"step 3x3" + block, o});
    o.step_grid = MotionStepGrid::g13x13;
    all.push_back({"step 13x13" + block, o});
    o.search = MotionSearch::tz;
    o.levels = 2;
    all.push_back({"tz, 2 levels" + block, o});
  }
  return all;
}

std::size_t bytes(const Image<std::uint8_t>& image) {
  return static_cast<std::size_t>(image.stride()) * static_cast<std::size_t>(image.height());
}

/// Two frames in turn, each several times so that none is written while it is read; pinned where that is possible.
struct Video {
  Video(Size size, const Device& device) {
    synth::SceneOptions options;
    options.size = size;
    options.max_disparity = 40;
    options.noise_sigma = 2;
    options.samples = 1;
    const synth::SceneFrame frame = synth::Scene(options).render(0);
    for (std::size_t i = 0; i < places; ++i) {
      const Image<std::uint8_t>& from = i % 2 == 0 ? frame.left : frame.right;
      frames.emplace_back(size);
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) frames.back()(x, y) = from(x, y);
    }
    for (Image<std::uint8_t>& one : frames) pins.push_back(device.pin(one.row(0), bytes(one)));
  }
  std::vector<Image<std::uint8_t>> frames;
  std::vector<std::shared_ptr<void>> pins;
};

/// What is found, in as many places.
struct Fields {
  Fields(Size blocks, const Device& device) {
    for (std::size_t i = 0; i < places; ++i) {
      vectors.emplace_back(blocks);
      costs.emplace_back(blocks);
    }
    for (std::size_t i = 0; i < places; ++i) {
      const auto height = static_cast<std::size_t>(blocks.height);
      pins.push_back(device.pin(vectors[i].row(0), static_cast<std::size_t>(vectors[i].stride()) * height));
      pins.push_back(device.pin(costs[i].row(0), static_cast<std::size_t>(costs[i].stride()) * height));
    }
  }
  MotionOutput maps(std::size_t place) {
    MotionOutput maps;
    maps.vectors = vectors[place];
    maps.cost = costs[place];
    return maps;
  }
  std::vector<Image<MotionVector>> vectors;
  std::vector<Image<std::uint64_t>> costs;
  std::vector<std::shared_ptr<void>> pins;
};

/// Microseconds that a frame's upload takes by itself, many one after the other.
double upload_time(gpu::Device& device, const Image<std::uint8_t>& frame) {
  const std::unique_ptr<gpu::Queue> queue = device.make_queue();
  const std::unique_ptr<gpu::Buffer> buffer = device.allocate(bytes(frame));
  const auto row = static_cast<std::size_t>(frame.width());
  const gpu::Rows rows{0, row, frame.stride(), row, static_cast<std::size_t>(frame.height())};
  constexpr int times = 100;
  const auto all = [&] {
    for (int i = 0; i < times; ++i) queue->upload(*buffer, rows, frame.row(0));
    queue->finish();
  };
  all();
  std::vector<double> rounds;
  for (int i = 0; i < 5; ++i) rounds.push_back(microseconds(all, 1) / times);
  return median(rounds);
}

/// Frames one after the other, so many in flight.
void run_video(MotionStream& stream, const Video& video, Fields& fields, std::size_t count, std::size_t in_flight) {
  std::vector<PendingMotion> pending(in_flight);
  for (std::size_t i = 0; i < count; ++i) {
    pending[i % in_flight].wait();
    pending[i % in_flight] = stream.enqueue(video.frames[i % places], fields.maps(i % places));
  }
  for (PendingMotion& one : pending) one.wait();
}

void compare(MotionStream& stream, const Case& one, const Video& video, Fields& fields, const std::string& what) {
  MotionSequence sequence(Device("cpu"), stream.size(), one.options);
  run_video(stream, video, fields, places, MotionStream::most_in_flight);
  Image<MotionVector> field(stream.blocks());
  Image<std::uint64_t> cost(stream.blocks());
  for (std::size_t i = 0; i < places; ++i) {
    MotionOutput maps;
    maps.vectors = field;
    maps.cost = cost;
    if (!sequence.next(video.frames[i], maps)) continue;
    for (int y = 0; y < field.height(); ++y)
      for (int x = 0; x < field.width(); ++x)
        if (field(x, y) != fields.vectors[i](x, y) || cost(x, y) != fields.costs[i](x, y)) {
          std::printf("DIFFERENT in frame %zu at block %d,%d: %s\n", i, x, y, what.c_str());
          std::exit(1);
        }
  }
  stream.restart();
}

void run_case(const gpu::Found& found, gpu::Device& device, const Case& one, Size size) {
  const Device opened(found.name);
  const Video video(size, opened);
  MotionStream stream(opened, size, one.options);
  Fields fields(stream.blocks(), opened);
  compare(stream, one, video, fields, found.name + ", " + one.name);
  int frames = device.properties().is_cpu ? 4 : 200;
  take_number("FRAMES", frames);
  const auto count = static_cast<std::size_t>(frames);
  const double upload = upload_time(device, video.frames.front());
  std::printf("| %s | %s | %dx%d | %s %.1f |", found.name.c_str(), one.name.c_str(), size.width, size.height,
              video.pins.front() != nullptr ? "pinned" : "pageable", upload);
  for (const std::size_t in_flight : {std::size_t{1}, std::size_t{2}, std::size_t{4}}) {
    std::vector<double> rounds;
    for (int i = 0; i < 6; ++i)
      rounds.push_back(microseconds([&] { run_video(stream, video, fields, count, in_flight); }, 1) /
                       static_cast<double>(count));
    rounds.erase(rounds.begin());  // graphs are captured by then
    const double time = median(rounds);
    std::printf(" %.1f (%.0f %%) |", time, 100 * upload / time);
  }
  std::printf("\n");
  std::fflush(stdout);
}

void run(const gpu::Found& found, const std::shared_ptr<gpu::Device>& device) {
  for (const Size size : {Size{416, 240}, Size{832, 480}, Size{1920, 1080}}) {
    if (!is_wanted(size)) continue;
    for (const Case& one : cases()) {
      if (!is_wanted(one.name)) continue;
      run_case(found, *device, one, size);
    }
  }
}

}  // namespace
}  // namespace vergence::bench

int main(int argc, char** argv) {
  std::printf(
      "| device | what | size | upload alone, us a frame | 1 in flight, us a frame (of the link) | 2 in flight | 4 in "
      "flight |\n|---|---|---|---|---|---|---|\n");
  return vergence::bench::run_on_devices(argc, argv, vergence::bench::run);
}
