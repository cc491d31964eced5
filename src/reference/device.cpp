// SPDX-License-Identifier: Apache-2.0
// The device `reference`: one thread, no SIMD, the stages of reference/*/stages.hpp.
#include "reference/device.hpp"

#include <fmt/format.h>

#include "core/bit_probe.hpp"
#include "host/filters.hpp"
#include "host/motion.hpp"
#include "host/rectify.hpp"
#include "host/stereo.hpp"
#include "host/track.hpp"
#include "reference/imgproc/stages.hpp"
#include "reference/motion/stages.hpp"
#include "reference/postfilter/stages.hpp"
#include "reference/rectify/stages.hpp"
#include "reference/stereo/stages.hpp"
#include "reference/track/stages.hpp"
#include "vergence/error.hpp"

namespace vergence::reference {
namespace {

struct StereoStages {
  explicit StereoStages(const StereoPlan&) {}
  template <class P, class T>
  void match(const StereoPlan& plan, ImageView<const P> left, ImageView<const P> right, const MatchMaps<T>& maps) {
    reference::match<P, T>(plan, left, right, maps);
  }
  template <class T>
  void source(const StereoPlan& plan, ImageView<T> map) {
    reference::source<T>(plan, map);
  }
  template <class T>
  void speckle(const StereoPlan& plan, ImageView<T> map) {
    reference::speckle<T>(plan, map);
  }
  template <class T>
  void median(const StereoPlan& plan, ImageView<const T> in, ImageView<T> out) {
    reference::median<T>(plan, in, out);
  }
  template <class T>
  void fill(const StereoPlan& plan, ImageView<const T> in, ImageView<T> out) {
    reference::fill<T>(plan, in, out);
  }
  template <class F>
  void for_rows(int rows, F&& body) {
    body(0, rows);
  }
  /// The stages allocate what they need call by call and keep nothing.
  static std::size_t memory() { return 0; }
};

struct MotionStages {
  explicit MotionStages(const MotionPlan&) {}
  template <class P>
  void search(const MotionPlan& plan, const MotionPictures<P>& pictures, std::span<const MotionMaps> maps) {
    if (plan.all_sizes) return reference::all_sizes(plan, pictures, maps);
    switch (plan.options.search) {
      case MotionSearch::full:
        return reference::full(plan, pictures, maps.front());
      case MotionSearch::step:
        return reference::step(plan, pictures, maps.front());
      case MotionSearch::diamond:
        return reference::diamond(plan, pictures, maps.front());
      case MotionSearch::hexagon:
        return reference::hexagon(plan, pictures, maps.front());
      case MotionSearch::tz:
        return reference::tz(plan, pictures, maps.front());
      case MotionSearch::hierarchical:
        return reference::hierarchical(plan, pictures, maps.front());
    }
  }
  template <class P>
  void refine(const MotionPlan& plan, const MotionPictures<P>& pictures, Size block, const MotionMaps& maps) {
    reference::refine(plan, pictures, block, maps);
  }
  template <class P>
  void confidence(const MotionPlan& plan, const MotionPictures<P>& pictures, Size block, const MotionMaps& maps) {
    reference::confidence(plan, pictures, block, maps);
  }
  template <class P>
  void predict(const MotionPlan& plan, ImageView<const P> reference, ImageView<const MotionVector> vectors,
               const PlaneScale& scale, ImageView<P> prediction) {
    reference::predict(plan, reference, vectors, scale, prediction);
  }
  static std::size_t memory() { return 0; }
};

struct TrackStages {
  explicit TrackStages(const TrackPlan&) {}
  template <class P>
  using Frame = TrackFrame<P>;
  template <class P>
  void prepare(const TrackPlan& plan, ImageView<const P> picture, TrackFrame<P>& frame) {
    reference::pyramid(plan, picture, frame);
    reference::gradients(plan, frame);
  }
  template <class P>
  static void take(const TrackFrame<P>& prepared, TrackFrame<P>& frame) {
    frame.copy_from(prepared);
  }
  template <class P>
  static void give(const TrackFrame<P>& frame, TrackFrame<P>& prepared) {
    prepared.copy_from(frame);
  }
  template <class P>
  void corners(const TrackPlan& plan, const TrackFrame<P>& frame, ImageView<const std::uint8_t> mask,
               std::vector<backend::Corner>& corners) {
    reference::corners(plan, frame, mask, corners);
  }
  template <class P>
  void lk(const TrackPlan& plan, const TrackFrame<P>& previous, const TrackFrame<P>& current,
          std::span<const backend::TrackQuery> queries, std::span<TrackedPoint> found) {
    reference::lk(plan, previous, current, queries, found);
  }
  static std::size_t memory() { return 0; }
};

struct FilterStages {
  template <class P>
  void blur(ImageView<const P> in, ImageView<P> out, FilterBorder border) {
    reference::blur(in, out, border);
  }
  template <class P, class T>
  void gradients(ImageView<const P> in, const backend::GradientWeights& kernel, ImageView<T> dx, ImageView<T> dy,
                 FilterBorder border) {
    reference::gradients(in, kernel, dx, dy, border);
  }
  template <class P>
  void half(ImageView<const P> in, ImageView<P> out, FilterBorder border) {
    reference::half(in, out, border);
  }
  static std::size_t memory() { return 0; }
};

struct RectifyStages {
  template <class P>
  void remap(backend::RigCamera /*camera*/, const rectify::SourceMap& map, ImageView<const P> in, ImageView<P> out,
             int largest) {
    reference::remap(map, in, out, largest);
  }
  static std::size_t memory() { return 0; }
};

class Device final : public backend::Device {
 public:
  const std::string& name() const override { return info_.name; }
  const std::string& kind() const override { return info_.kind; }
  const std::string& description() const override { return info_.description; }
  std::unique_ptr<backend::Stereo> make_stereo(const StereoPlan& plan) override {
    return std::make_unique<host::Stereo<StereoStages>>(plan);
  }
  std::unique_ptr<backend::Motion> make_motion(const MotionPlan& plan) override {
    return std::make_unique<host::Motion<MotionStages>>(plan);
  }
  std::unique_ptr<backend::Track> make_track(const TrackPlan& plan) override {
    return std::make_unique<host::Track<TrackStages>>(plan);
  }
  std::unique_ptr<backend::Filters> make_filters(Size /*size*/) override {
    return std::make_unique<host::Filters<FilterStages>>();
  }
  std::unique_ptr<backend::Rectifier> make_rectifier(std::shared_ptr<const RectifyPlan> plan) override {
    return std::make_unique<host::Rectifier<RectifyStages>>(std::move(plan));
  }

 private:
  DeviceInfo info_ = device_info();
};

}  // namespace

DeviceInfo device_info() {
  const std::string failure = probe_failure(scalar_probe());
  return {"reference", "reference", "the definition in plain code: one thread, no SIMD", failure.empty(), failure};
}

std::unique_ptr<backend::Device> open_device(const DeviceOptions& options) {
  if (options.threads > 1)
    throw Error(ErrorCode::unsupported,
                fmt::format("threads is {}: device reference runs on one thread, give 0 or 1 or use device cpu",
                            options.threads));
  if (!options.simd.empty())
    throw Error(
        ErrorCode::unsupported,
        fmt::format("simd is '{}': device reference uses no SIMD, leave it empty or use device cpu", options.simd));
  if (!options.kernel_cache)
    throw Error(ErrorCode::unsupported, "kernel_cache is off: device reference compiles no kernels, leave it on");
  const std::string failure = probe_failure(scalar_probe());
  if (!failure.empty()) throw Error(ErrorCode::device, "device reference is not available: " + failure);
  return std::make_unique<Device>();
}

}  // namespace vergence::reference
