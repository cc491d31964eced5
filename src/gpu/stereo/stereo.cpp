// SPDX-License-Identifier: Apache-2.0
// backend::Stereo on a GPU: pictures go up, the stages follow each other on the device, and what was asked for comes
// down. Pictures and maps of callers that keep them on the device are worked on there.
#include "gpu/stereo/stereo.hpp"

#include <array>
#include <cstdint>
#include <utility>

#include "gpu/event.hpp"
#include "gpu/grid.hpp"
#include "gpu/postfilter/stages.hpp"
#include "gpu/stereo/images.hpp"
#include "gpu/stereo/path_volumes.hpp"

namespace vergence::gpu {
namespace {

template <class T>
Rows rows_of(ImageView<T> view, std::size_t offset = 0) {
  const std::size_t row = static_cast<std::size_t>(view.width()) * sizeof(T);
  return {offset, row, view.stride(), row, static_cast<std::size_t>(view.height())};
}

/// The stages for one choice of outputs; made at the first frame that chooses so.
struct Stages {
  Stages(const StereoPlan& plan, Programs& programs, const MatchWants& wants, const MatchTuning& tuning,
         const Match::Shared& shared)
      : match(plan, programs, wants, tuning, shared) {
    const StereoOptions& o = plan.options;
    if (o.speckle_size > 0) speckle = std::make_unique<Speckle>(plan, programs, wants.wide);
    if (o.median > 0) median = std::make_unique<Median>(plan, programs, wants.wide);
    finish = &programs.kernel("stereo/finish.cl",
                              Grid(plan.size, programs.device().properties())
                                  .defines()
                                  .set("MAP", wants.wide ? "int" : "short")
                                  .set("INVALID", plan.invalid)
                                  .set("CONFIDENCE", wants.confidence ? 1 : 0),
                              "finish");
    if (o.fill == vergence::StereoFill::none) return;
    fill = std::make_unique<FillStage>(plan, programs, wants.wide);
    if (plan.masks != nullptr) source = std::make_unique<SourceStage>(plan, programs, wants.wide);
  }
  Match match;
  std::unique_ptr<SourceStage> source;
  std::unique_ptr<Speckle> speckle;
  std::unique_ptr<Median> median;
  std::unique_ptr<FillStage> fill;
  const Kernel* finish;
};

class Stereo final : public backend::Stereo {
 public:
  Stereo(const StereoPlan& plan, Programs programs, std::shared_ptr<Device> device, const MatchTuning& tuning)
      : plan_(plan),
        device_(std::move(device)),
        tuning_(tuning),
        grid_(plan.size, device_->properties()),
        programs_(std::move(programs)),
        images_(plan_, programs_),
        queue_(device_->make_queue()),
        pixels_(static_cast<std::size_t>(plan.size.width) * static_cast<std::size_t>(plan.size.height)) {
    const std::size_t pixel = plan.options.depth == Depth::u8 ? 1 : 2;
    left_ = device_->allocate(pixels_ * pixel);
    right_ = device_->allocate(pixels_ * pixel);
    const std::size_t map = plan.wide ? 4 : 2;
    for (auto& buffer : maps_) buffer = device_->allocate(pixels_ * map);
    byte_maps_ = {device_->allocate(pixels_), device_->allocate(pixels_)};
    if (plan.sums_paths()) shared_.volumes = make_path_volumes(plan, *device_, tuning_);
    if (plan.masks != nullptr) shared_.masks = masks_ = std::make_shared<SourceBuffers>(plan, *device_, *queue_);
    stages({plan.wide, false, false});  // what most callers want is compiled here
  }

  void begin(const backend::StereoPair& pair, const backend::StereoTargets& targets) override {
    held_.release();
    wait_for(*queue_, targets.order);
    targets_ = targets;
    targets_.order.after = {};
    wants_.wide = targets.disparity32.data() != nullptr ||
                  (!targets.disparity.empty() && targets.disparity.type() == PixelType::i32);
    wants_.confidence = targets.wants_confidence();
    wants_.costs = targets.wants_costs();
    if (wants_.wide && maps_[0]->bytes() < 4 * pixels_)
      maps_ = {device_->allocate(4 * pixels_), device_->allocate(4 * pixels_)};  // both or, where one fails, neither
    if (wants_.costs && costs_ == nullptr) costs_ = device_->allocate(16 * pixels_);
    stages_ = &stages(wants_);
    place_maps();
    pictures_ = {left_.get(), right_.get()};
    if (!pair.left.empty()) {
      images_.check_values(*queue_, "the left picture", pair.left);
      images_.check_values(*queue_, "the right picture", pair.right);
    } else if (plan_.options.depth == Depth::u8) {
      queue_->upload(*left_, rows_of(pair.left8), pair.left8.data());
      queue_->upload(*right_, rows_of(pair.right8), pair.right8.data());
    } else {
      queue_->upload(*left_, rows_of(pair.left16), pair.left16.data());
      queue_->upload(*right_, rows_of(pair.right16), pair.right16.data());
    }
    const int images = images_.key(pair, targets);
    uses_images_ = images != 0;
    is_captured_ = images >= 0;
    if (is_captured_) queue_->begin_capture(key() + 32 * images);
    if (!pair.left.empty())
      pictures_ = {&images_.picture(*queue_, pair.left, *left_), &images_.picture(*queue_, pair.right, *right_)};
    pair_ = {{}, {}, {}, {}, pair.left, pair.right};  // kept until the device has read them
  }

  void match() override {
    stages_->match.run(*queue_, *pictures_[0], *pictures_[1], map(0), confidences(),
                       costs_ != nullptr ? *costs_ : map(1));
  }
  void speckle() override { stages_->speckle->run(*queue_, map(0)); }
  void median() override {
    stages_->median->run(*queue_, map(0), map(1));
    current_ = 1 - current_;
  }
  void fill() override {
    stages_->fill->run(*queue_, map(0), map(1));
    current_ = 1 - current_;
    if (stages_->source != nullptr) stages_->source->run(*queue_, map(0), *shared_.masks);
  }

  void finish() override {
    download([this](const Buffer& from, const Rows& rows, void* to) { queue_->download(from, rows, to); });
    if (uses_images_) queue_->finish();
    release();
  }
  void submit() override {
    download([this](const Buffer& from, const Rows& rows, void* to) { queue_->start_download(from, rows, to); });
    if (const DeviceEvent done = targets_.order.done; !done.empty()) {  // a copy: the targets are moved away
      queue_->set(event_of(done));
      held_.hold(done, {std::move(pair_), std::move(targets_)});
      release();
    } else if (uses_images_) {
      queue_->flush();
    }
  }
  void wait() override {
    if (uses_images_) queue_->finish();
    queue_->collect();
    release();
  }
  bool set_masks(std::shared_ptr<const PlannedMasks> masks) override {
    plan_.masks = std::move(masks);
    masks_->fill(plan_, *queue_);
    return true;
  }
  void measure(bool on) override { queue_->measure(on); }
  std::optional<DeviceTimes> times() override { return programs_.take_times(*queue_); }
  std::unique_ptr<backend::Stereo> another() const override {
    if (device_->properties().is_cpu) return nullptr;  // all its cores work on one frame
    return std::make_unique<Stereo>(plan_, Programs(device_), device_, tuning_);
  }

  std::size_t memory() const override { return 0; }  // host memory: the queue's staging alone

 private:
  /// Ends the frame's commands and brings home what was asked for.
  template <class Download>
  void download(const Download& bring) {
    const bool filled = plan_.options.fill != vergence::StereoFill::none;
    if (targets_.wants_mask() || wants_.confidence)
      grid_.run(*queue_, *stages_->finish, {map(filled ? 1 : 0), map(0), *byte_places_[1], confidences()});
    deliver();
    if (is_captured_) queue_->end_capture();
    if (targets_.disparity32.data() != nullptr)
      bring(map(0), rows_of(targets_.disparity32), targets_.disparity32.data());
    if (targets_.disparity16.data() != nullptr)
      bring(map(0), rows_of(targets_.disparity16), targets_.disparity16.data());
    if (!targets_.mask.empty()) bring(*byte_places_[1], rows_of(targets_.mask), targets_.mask.data());
    if (!targets_.confidence.empty()) bring(confidences(), rows_of(targets_.confidence), targets_.confidence.data());
    std::size_t plane = 0;
    for (const ImageView<std::uint32_t>& view :
         {targets_.cost, targets_.second_cost, targets_.cost_before, targets_.cost_after}) {
      if (!view.empty()) bring(*costs_, rows_of(view, plane), view.data());
      plane += 4 * pixels_;
    }
  }
  /// Moves maps to images that kernels could not write where they lie.
  void deliver() {
    const auto move = [this](const Buffer& from, const DeviceImage& to) {
      if (!to.empty() && !to.is_direct()) images_.deliver(*queue_, from, 0, to);
    };
    move(map(0), targets_.disparity);
    move(*byte_places_[1], targets_.images.mask);
    move(confidences(), targets_.images.confidence);
    std::size_t plane = 0;
    for (const DeviceImage* image : {&targets_.images.cost, &targets_.images.second_cost, &targets_.images.cost_before,
                                     &targets_.images.cost_after}) {
      if (!image->empty()) images_.deliver(*queue_, *costs_, plane, *image);
      plane += 4 * pixels_;
    }
  }
  /// The map starts in the place from which its last move leads to the caller's image, where kernels can write there.
  void place_maps() {
    const StereoOptions& o = plan_.options;
    const std::size_t moves = (o.median > 0 ? 1U : 0U) + (o.fill != vergence::StereoFill::none ? 1U : 0U);
    current_ = 0;
    places_ = {maps_[0].get(), maps_[1].get()};
    places_[moves % 2] = &Images::place(targets_.disparity, *places_[moves % 2]);
    byte_places_ = {&Images::place(targets_.images.confidence, *byte_maps_[0]),
                    &Images::place(targets_.images.mask, *byte_maps_[1])};
  }
  /// The frame is done: callers' memory may go.
  void release() {
    if (!uses_images_) return;
    targets_ = {};
    pair_ = {};
  }
  /// What the captured graph of a frame depends on.
  int key() const {
    return static_cast<int>(index_of(wants_)) + (targets_.wants_mask() ? 8 : 0) +
           (maps_[0]->bytes() < 4 * pixels_ ? 0 : 16);
  }
  static std::size_t index_of(const MatchWants& wants) {
    return (wants.wide ? 1U : 0U) + (wants.confidence ? 2U : 0U) + (wants.costs ? 4U : 0U);
  }
  Buffer& map(int step) { return *places_[static_cast<std::size_t>((current_ + step) % 2)]; }
  Buffer& confidences() { return *byte_places_[0]; }

  Stages& stages(const MatchWants& wants) {
    const std::size_t index = index_of(wants);
    if (all_stages_[index] == nullptr)
      all_stages_[index] = std::make_unique<Stages>(plan_, programs_, wants, tuning_, shared_);
    return *all_stages_[index];
  }

  StereoPlan plan_;
  std::shared_ptr<Device> device_;
  MatchTuning tuning_;
  Grid grid_;
  Programs programs_;
  Images images_;
  std::unique_ptr<Queue> queue_;
  std::size_t pixels_;
  std::unique_ptr<Buffer> left_, right_, costs_;
  std::array<std::unique_ptr<Buffer>, 2> maps_, byte_maps_;  ///< byte_maps_: confidence, mask
  std::shared_ptr<SourceBuffers> masks_;                     ///< Those of shared_.
  Match::Shared shared_;                                     ///< All stages take turns with them.
  std::array<std::unique_ptr<Stages>, 8> all_stages_;
  Stages* stages_ = nullptr;
  backend::StereoPair pair_;  ///< Its images alone.
  backend::StereoTargets targets_;
  std::array<const Buffer*, 2> pictures_{};
  std::array<Buffer*, 2> places_{}, byte_places_{};  ///< Of this frame: ours, or the caller's.
  bool uses_images_ = false, is_captured_ = true;
  MatchWants wants_;
  int current_ = 0;  ///< The place of the current map.
  /// Of frames that nobody waits for. The last member: it goes first, and waits for what works on all others.
  Held<std::pair<backend::StereoPair, backend::StereoTargets>> held_;
};

}  // namespace

std::unique_ptr<backend::Stereo> make_stereo(const StereoPlan& plan, const std::shared_ptr<Device>& device) {
  return make_stereo(plan, device, default_match_tuning(device->properties()));
}
std::unique_ptr<backend::Stereo> make_stereo(const StereoPlan& plan, const std::shared_ptr<Device>& device,
                                             const MatchTuning& tuning) {
  return std::make_unique<Stereo>(plan, Programs(device), device, tuning);
}

}  // namespace vergence::gpu
