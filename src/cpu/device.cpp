// SPDX-License-Identifier: Apache-2.0
// The device `cpu`: the stages of cpu/*/stages.hpp with one set of threads and one SIMD target.
#include "cpu/device.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/bit_probe.hpp"
#include "cpu/bit_probe.hpp"
#include "cpu/context.hpp"
#include "cpu/imgproc/stages.hpp"
#include "cpu/motion/scratch.hpp"
#include "cpu/postfilter/stages.hpp"
#include "cpu/rectify/stages.hpp"
#include "cpu/stereo/match_scratch.hpp"
#include "cpu/stereo/stages.hpp"
#include "cpu/track/stages.hpp"
#include "host/filters.hpp"
#include "host/motion.hpp"
#include "host/rectify.hpp"
#include "host/stereo.hpp"
#include "host/track.hpp"
#include "vergence/error.hpp"
#include "vergence/names.hpp"

namespace vergence::cpu {
namespace {

constexpr int most_threads = 1024;

class StereoStages {
 public:
  /// Allocates what the filters need; `match` sizes its own scratch at the first frame, when it knows which maps are
  /// wanted.
  StereoStages(const StereoPlan& plan, std::shared_ptr<Context> context) : context_(std::move(context)) {
    const int threads = context_->threads.count();
    if (plan.options.speckle_size > 0) speckle_.reserve(plan.size, threads);
    if (plan.options.fill != StereoFill::none) fill_.reserve(plan, threads);
  }

  template <class P, class T>
  void match(const StereoPlan& plan, ImageView<const P> left, ImageView<const P> right, const MatchMaps<T>& maps) {
    cpu::match<P, T>(plan, *context_, match_, left, right, maps);
  }
  template <class T>
  void source(const StereoPlan& plan, ImageView<T> map) {
    cpu::source<T>(plan, *context_, map);
  }
  template <class T>
  void speckle(const StereoPlan& plan, ImageView<T> map) {
    cpu::speckle<T>(plan, *context_, speckle_, map);
  }
  template <class T>
  void median(const StereoPlan& plan, ImageView<const T> in, ImageView<T> out) {
    cpu::median<T>(plan, *context_, in, out);
  }
  template <class T>
  void fill(const StereoPlan& plan, ImageView<const T> in, ImageView<T> out) {
    cpu::fill<T>(plan, *context_, fill_, in, out);
  }
  template <class F>
  void for_rows(int rows, F&& body) {
    constexpr int worth_a_thread = 64;  // rows
    context_->threads.rows(rows, worth_a_thread, [&](int first, int last, int) { body(first, last); });
  }
  std::size_t memory() const { return match_.bytes() + speckle_.bytes() + fill_.bytes(); }

 private:
  std::shared_ptr<Context> context_;
  MatchScratch match_;
  SpeckleScratch speckle_;
  FillScratch fill_;
};

class MotionStages {
 public:
  MotionStages(const MotionPlan& plan, std::shared_ptr<Context> context) : context_(std::move(context)) {
    if (plan.options.depth == Depth::u8)
      bytes_ = std::make_unique<MotionScratch<std::uint8_t>>(plan, *context_);
    else
      words_ = std::make_unique<MotionScratch<std::uint16_t>>(plan, *context_);
  }

  template <class P>
  void search(const MotionPlan& plan, const MotionPictures<P>& pictures, std::span<const MotionMaps> maps) {
    MotionScratch<P>& scratch = scratch_of<P>();
    begin_motion(plan, *context_, scratch, pictures);
    if (plan.all_sizes) return cpu::all_sizes(plan, *context_, scratch, maps);
    switch (plan.options.search) {
      case MotionSearch::full:
        return cpu::full(plan, *context_, scratch, maps.front());
      case MotionSearch::step:
        return cpu::step(plan, *context_, scratch, maps.front());
      case MotionSearch::diamond:
        return cpu::diamond(plan, *context_, scratch, maps.front());
      case MotionSearch::hexagon:
        return cpu::hexagon(plan, *context_, scratch, maps.front());
      case MotionSearch::tz:
        return cpu::tz(plan, *context_, scratch, maps.front());
      case MotionSearch::hierarchical:
        return cpu::hierarchical(plan, *context_, scratch, maps.front());
    }
  }
  /// The pictures of these two are those of the search.
  template <class P>
  void refine(const MotionPlan& plan, const MotionPictures<P>&, Size block, const MotionMaps& maps) {
    cpu::refine(plan, *context_, scratch_of<P>(), block, maps);
  }
  template <class P>
  void confidence(const MotionPlan& plan, const MotionPictures<P>&, Size block, const MotionMaps& maps) {
    cpu::confidence(plan, *context_, scratch_of<P>(), block, maps);
  }
  template <class P>
  void predict(const MotionPlan& plan, ImageView<const P> reference, ImageView<const MotionVector> vectors,
               const PlaneScale& scale, ImageView<P> prediction) {
    cpu::predict(plan, *context_, scratch_of<P>(), reference, vectors, scale, prediction);
  }
  std::size_t memory() const { return bytes_ != nullptr ? bytes_->bytes() : words_->bytes(); }

 private:
  template <class P>
  MotionScratch<P>& scratch_of() {
    if constexpr (std::is_same_v<P, std::uint8_t>)
      return *bytes_;
    else
      return *words_;
  }

  std::shared_ptr<Context> context_;
  std::unique_ptr<MotionScratch<std::uint8_t>> bytes_;  ///< of 8-bit frames, or
  std::unique_ptr<MotionScratch<std::uint16_t>> words_;
};

class TrackStages {
 public:
  TrackStages(const TrackPlan& plan, std::shared_ptr<Context> context)
      : context_(std::move(context)), scratch_(plan, *context_) {}
  template <class P>
  using Frame = TrackPlanes<P>;
  template <class P>
  void prepare(const TrackPlan& plan, ImageView<const P> picture, TrackPlanes<P>& frame) {
    cpu::prepare(plan, *context_, scratch_, picture, frame);
  }
  template <class P>
  void take(const TrackFrame<P>& prepared, TrackPlanes<P>& frame) {
    cpu::take(*context_, prepared, frame);
  }
  template <class P>
  void give(const TrackPlanes<P>& frame, TrackFrame<P>& prepared) {
    cpu::give(*context_, frame, prepared);
  }
  template <class P>
  void corners(const TrackPlan& plan, const TrackPlanes<P>& frame, ImageView<const std::uint8_t> mask,
               std::vector<backend::Corner>& corners) {
    cpu::corners(plan, *context_, scratch_, frame, mask, corners);
  }
  template <class P>
  void lk(const TrackPlan& plan, const TrackPlanes<P>& previous, const TrackPlanes<P>& current,
          std::span<const backend::TrackQuery> queries, std::span<TrackedPoint> found) {
    cpu::lk(plan, *context_, scratch_, previous, current, queries, found);
  }
  std::size_t memory() const { return scratch_.bytes(); }

 private:
  std::shared_ptr<Context> context_;
  TrackScratch scratch_;
};

class FilterStages {
 public:
  FilterStages(Size size, std::shared_ptr<Context> context)
      : context_(std::move(context)), scratch_(size, context_->threads.count()) {}
  template <class P>
  void blur(ImageView<const P> in, ImageView<P> out, FilterBorder border) {
    cpu::blur(*context_, scratch_, in, out, border);
  }
  template <class P, class T>
  void gradients(ImageView<const P> in, const backend::GradientWeights& kernel, ImageView<T> dx, ImageView<T> dy,
                 FilterBorder border) {
    cpu::gradients(*context_, scratch_, in, kernel, dx, dy, border);
  }
  template <class P>
  void half(ImageView<const P> in, ImageView<P> out, FilterBorder border) {
    cpu::half(*context_, scratch_, in, out, border);
  }
  std::size_t memory() const { return scratch_.bytes(); }

 private:
  std::shared_ptr<Context> context_;
  FilterScratch scratch_;
};

/// The blocks of a map are made for the first picture that is sampled by it.
class RectifyStages {
 public:
  explicit RectifyStages(std::shared_ptr<Context> context) : context_(std::move(context)) {}
  template <class P>
  void remap(backend::RigCamera camera, const rectify::SourceMap& map, ImageView<const P> in, ImageView<P> out,
             int largest) {
    RemapBlocks& blocks = (sizeof(P) == 1 ? of_bytes_ : of_words_)[camera == backend::RigCamera::left ? 0 : 1];
    if (blocks.left.empty()) blocks = make_remap_blocks<P>(*context_, map);
    cpu::remap(*context_, map, blocks, in, out, largest);
  }
  std::size_t memory() const {
    return of_bytes_[0].bytes() + of_bytes_[1].bytes() + of_words_[0].bytes() + of_words_[1].bytes();
  }

 private:
  std::shared_ptr<Context> context_;
  std::array<RemapBlocks, 2> of_bytes_, of_words_;
};

std::string target_names() {
  std::string names;
  for (const std::int64_t target : simd_targets()) names.append(names.empty() ? "" : ", ").append(simd_name(target));
  return names;
}

class Device final : public backend::Device {
 public:
  Device(int threads, std::int64_t target) : context_(std::make_shared<Context>(threads, target)) {
    const int count = context_->threads.count();
    description_ = fmt::format("{} {}; {} thread{}", simd_name(target),
                               has_all_targets() ? "of " + target_names() : "alone (built for one machine)", count,
                               count == 1 ? "" : "s");
  }
  const std::string& name() const override { return name_; }
  const std::string& kind() const override { return name_; }
  const std::string& description() const override { return description_; }
  std::unique_ptr<backend::Stereo> make_stereo(const StereoPlan& plan) override {
    return std::make_unique<host::Stereo<StereoStages>>(plan, context_);
  }
  std::unique_ptr<backend::Motion> make_motion(const MotionPlan& plan) override {
    return std::make_unique<host::Motion<MotionStages>>(plan, context_);
  }
  std::unique_ptr<backend::Track> make_track(const TrackPlan& plan) override {
    return std::make_unique<host::Track<TrackStages>>(plan, context_);
  }
  std::unique_ptr<backend::Filters> make_filters(Size size) override {
    return std::make_unique<host::Filters<FilterStages>>(size, context_);
  }
  std::unique_ptr<backend::Rectifier> make_rectifier(std::shared_ptr<const RectifyPlan> plan) override {
    return std::make_unique<host::Rectifier<RectifyStages>>(std::move(plan), context_);
  }

 private:
  std::string name_ = "cpu";
  std::string description_;
  std::shared_ptr<Context> context_;
};

constexpr const char* build_all = "this build holds one SIMD target: build with VERGENCE_SIMD_REST=ON for the others";

std::int64_t find_target(const std::string& name) {
  const std::vector<std::int64_t> targets = simd_targets();
  if (targets.empty())
    throw Error(ErrorCode::unsupported, fmt::format("device cpu: this machine does not run its code; {}", build_all));
  if (name.empty()) return targets.front();
  for (const std::int64_t target : targets)
    if (simd_name(target) == name) return target;
  std::vector<std::string> names;
  for (const std::int64_t target : targets) names.push_back(simd_name(target));
  const std::vector<std::string> likely = likely_names(name, names);
  throw Error(ErrorCode::not_found,
              fmt::format("simd is '{}': {}this machine and this build of device cpu have {}{}", name,
                          likely.empty() ? "" : fmt::format("did you mean {}? ", likely.front()), target_names(),
                          has_all_targets() ? "" : fmt::format("; {}", build_all)));
}

}  // namespace

DeviceInfo device_info() {
  const std::vector<std::int64_t> targets = simd_targets();
  if (targets.empty()) return {"cpu", "cpu", "SIMD: no target that this machine runs", false, build_all};
  const std::string failure = probe_failure(simd_probe(targets.front()));
  return {"cpu", "cpu",
          fmt::format("SIMD {}{}; {} threads", target_names(),
                      has_all_targets() ? "" : " alone (built for one machine)", Threads(0).count()),
          failure.empty(), failure};
}

std::unique_ptr<backend::Device> open_device(const DeviceOptions& options) {
  if (options.threads < 0 || options.threads > most_threads)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("threads is {}: allowed are 0 (one per core) .. {}", options.threads, most_threads));
  if (!options.kernel_cache)
    throw Error(ErrorCode::unsupported, "kernel_cache is off: device cpu compiles no kernels, leave it on");
  const std::int64_t target = find_target(options.simd);
  const std::string failure = probe_failure(simd_probe(target));
  if (!failure.empty())
    throw Error(ErrorCode::device, fmt::format("device cpu cannot use {}: {}; choose another simd target of {}",
                                               simd_name(target), failure, target_names()));
  return std::make_unique<Device>(options.threads, target);
}

}  // namespace vergence::cpu
