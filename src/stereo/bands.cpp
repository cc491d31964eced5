// SPDX-License-Identifier: Apache-2.0
// Bands of rows: each band is matched as a picture of its own. Its outer rows, as many as windows reach over, are
// discarded, except at the picture's own edges.
#include "stereo/bands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "backend/access.hpp"
#include "core/device_times.hpp"
#include "devices.hpp"
#include "vergence/error.hpp"

namespace vergence {
namespace {

template <class T>
ImageView<T> rows_of(ImageView<T> view, int first, int count) {
  return view.empty() ? view : view.crop({0, first, view.width(), count});
}

/// Copies rows [first, end) of the picture from a band that begins with row `top`.
template <class T>
void copy_rows(ImageView<T> band, int top, ImageView<T> to, int first, int end) {
  if (to.empty()) return;
  for (int y = first; y < end; ++y)
    std::memcpy(to.row(y), band.row(y - top), static_cast<std::size_t>(to.width()) * sizeof(T));
}

template <class T>
void fill_row(ImageView<T> to, int y, T value) {
  if (!to.empty()) std::fill_n(to.row(y), to.width(), value);
}

template <class T>
void reserve(Image<T>& image, Size size, bool wanted) {
  if (wanted && image.size() != size) image = Image<T>(size);
}

template <class T>
std::size_t bytes_of_image(const Image<T>& image) {
  return static_cast<std::size_t>(image.stride()) * static_cast<std::size_t>(image.height());
}

/// The stage `match` in bands.
class Bands {
 public:
  Bands(Device device, const StereoPlan& plan)
      : device_(std::move(device)), plan_(plan), halo_(rows_around(plan)), least_(even_to_picture(2 * halo_ + 2)) {
    rows_ = std::max(least_, even_to_picture(plan.size.height / 2));
  }

  /// Makes the matcher of a band, as high as the memory allows. `problem`: why whole pictures do not fit.
  void prepare(const std::string& problem) {
    if (rows_ >= plan_.size.height) refuse(problem);
    fit([] {});
  }
  /// Fills `targets`.
  void match(const backend::StereoPair& pair, const backend::StereoTargets& targets) {
    fit([&] { match_all(pair, targets); });
  }

  int rows() const { return rows_; }
  void measure(bool on) {
    measures_ = on;
    if (stereo_ != nullptr) stereo_->measure(on);
  }
  /// Adds what its queues have seen.
  void add_times_to(std::optional<DeviceTimes>& sum) {
    if (stereo_ != nullptr) add_times(sum, stereo_->times());
    add_times(sum, std::exchange(lost_, std::nullopt));
  }
  std::size_t memory() const {
    std::size_t sum = bytes_of_image(narrow_) + bytes_of_image(wide_) + bytes_of_image(confidence_);
    for (const Image<std::uint32_t>& one : costs_) sum += bytes_of_image(one);
    return sum + (stereo_ != nullptr ? stereo_->memory() : 0);
  }

 private:
  /// Bands begin with even rows and end, if they must, with the picture: what looks at odd heights sees the picture's.
  int even_to_picture(int rows) const { return rows + (rows + plan_.size.height) % 2; }

  [[noreturn]] void refuse(const std::string& problem) const {
    const bool any = rows_ < plan_.size.height;
    throw Error(
        ErrorCode::out_of_memory,
        fmt::format("device {} has too little memory for pictures of {}x{} with {} disparities{}: {}; use narrower "
                    "pictures, a smaller window, fewer disparities or device cpu",
                    device_.name(), plan_.size.width, plan_.size.height, plan_.options.disparities,
                    any ? fmt::format(", not even for bands of {} rows", rows_) : "", problem));
  }

  /// Runs `work`, which needs bands; where memory is too small, again with bands of half the height.
  template <class Work>
  void fit(const Work& work) {
    for (;;) {
      try {
        if (stereo_ == nullptr) make(0);
        return work();
      } catch (const Error& error) {
        if (error.code() != ErrorCode::out_of_memory) throw;
        drop();
        if (rows_ == least_) refuse(error.what());
        rows_ = std::max(least_, even_to_picture(rows_ / 2));
      }
    }
  }

  /// For the band that begins with row `top`; without masks it serves all.
  void make(int top) {
    StereoOptions options = plan_.options;
    options.speckle_size = 0;
    options.median = 0;
    options.fill = StereoFill::none;
    options.roi = Rect{plan_.roi.x, 0, plan_.roi.width, rows_};
    StereoPlan plan = make_stereo_plan({plan_.size.width, rows_}, options);
    if (plan_.masks != nullptr) plan.masks = masks_at(top);  // also where all pixels show something: others' do not
    stereo_ = backend::of(device_).make_stereo(plan);
    stereo_->measure(measures_);
    top_ = top;
  }
  /// Of the band that begins with row `top`.
  std::shared_ptr<const PlannedMasks> masks_at(int top) const {
    const auto part = [&](const Image<std::uint8_t>& whole) {
      Image<std::uint8_t> rows(plan_.size.width, rows_);
      for (int y = 0; y < rows_; ++y) std::copy_n(whole.row(top + y), plan_.size.width, rows.row(y));
      return rows;
    };
    return std::make_shared<const PlannedMasks>(PlannedMasks{part(plan_.masks->left), part(plan_.masks->right)});
  }
  void drop() {
    if (stereo_ == nullptr) return;
    try {
      add_times(lost_, stereo_->times());
    } catch (const Error&) {
      // the device is lost, and its times with it
    }
    stereo_.reset();
  }

  void match_all(const backend::StereoPair& pair, const backend::StereoTargets& targets) {
    const Size size{plan_.size.width, rows_};
    reserve(narrow_, size, !targets.disparity16.empty());
    reserve(wide_, size, !targets.disparity32.empty());
    reserve(confidence_, size, !targets.confidence.empty());
    const std::array<ImageView<std::uint32_t>, 4> costs{targets.cost, targets.second_cost, targets.cost_before,
                                                        targets.cost_after};
    for (std::size_t i = 0; i < costs.size(); ++i) reserve(costs_[i], size, !costs[i].empty());
    const int height = plan_.size.height, first_row = plan_.roi.y, end_row = first_row + plan_.roi.height;
    for (int y = 0; y < height; ++y) {
      if (y >= first_row && y < end_row) continue;
      fill_row(targets.disparity16, y, static_cast<std::int16_t>(plan_.invalid));
      fill_row(targets.disparity32, y, static_cast<std::int32_t>(plan_.invalid));
      fill_row(targets.confidence, y, std::uint8_t{0});
      for (const ImageView<std::uint32_t>& view : costs) fill_row(view, y, no_cost);
    }
    for (int y = first_row; y < end_row;) {
      const int top = std::min(std::max(0, y - halo_) / 2 * 2, height - rows_), bottom = top + rows_;
      match_one(pair, targets, costs, top);
      const int end = std::min(bottom == height ? height : bottom - halo_, end_row);
      copy_rows(narrow_.view(), top, targets.disparity16, y, end);
      copy_rows(wide_.view(), top, targets.disparity32, y, end);
      copy_rows(confidence_.view(), top, targets.confidence, y, end);
      for (std::size_t i = 0; i < costs.size(); ++i) copy_rows(costs_[i].view(), top, costs[i], y, end);
      y = end;
    }
  }

  /// The band that begins with row `top`.
  void match_one(const backend::StereoPair& pair, const backend::StereoTargets& targets,
                 const std::array<ImageView<std::uint32_t>, 4>& costs, int top) {
    if (plan_.masks != nullptr && top != top_) {
      if (stereo_->set_masks(masks_at(top))) {
        top_ = top;
      } else {
        drop();
        make(top);
      }
    }
    backend::StereoPair part;
    part.left8 = rows_of(pair.left8, top, rows_);
    part.right8 = rows_of(pair.right8, top, rows_);
    part.left16 = rows_of(pair.left16, top, rows_);
    part.right16 = rows_of(pair.right16, top, rows_);
    backend::StereoTargets maps;
    if (!targets.disparity16.empty()) maps.disparity16 = narrow_;
    if (!targets.disparity32.empty()) maps.disparity32 = wide_;
    if (!targets.confidence.empty()) maps.confidence = confidence_;
    ImageView<std::uint32_t>* const wanted[] = {&maps.cost, &maps.second_cost, &maps.cost_before, &maps.cost_after};
    for (std::size_t i = 0; i < costs.size(); ++i)
      if (!costs[i].empty()) *wanted[i] = costs_[i];
    stereo_->begin(part, maps);
    stereo_->match();
    stereo_->finish();
  }

  Device device_;
  const StereoPlan& plan_;
  int halo_, least_, rows_;
  int top_ = 0;                              ///< Of the band whose masks the matcher has.
  std::unique_ptr<backend::Stereo> stereo_;  ///< Of a band.
  Image<std::int16_t> narrow_;
  Image<std::int32_t> wide_;
  Image<std::uint8_t> confidence_;
  std::array<Image<std::uint32_t>, 4> costs_;
  bool measures_ = false;
  std::optional<DeviceTimes> lost_;  ///< Times of bands that did not fit the memory.
};

/// Paths of SGM cross the whole picture, so that no band knows what its rows cost.
[[noreturn]] void refuse_paths(const Device& device, const StereoPlan& plan, const std::string& problem) {
  throw Error(
      ErrorCode::out_of_memory,
      fmt::format("device {} has too little memory for sgm, whose paths cross the whole picture of {}x{}, so "
                  "that it cannot be done in bands of rows: {}; use fewer disparities or paths, smaller pictures "
                  "or device cpu",
                  device.name(), plan.size.width, plan.size.height, problem));
}

/// Whole frames as long as they fit the memory, then bands.
class FittingStereo final : public backend::Stereo {
 public:
  FittingStereo(Device device, const StereoPlan& plan, std::unique_ptr<backend::Stereo> whole, std::string problem)
      : device_(std::move(device)), plan_(plan), whole_(std::move(whole)), problem_(std::move(problem)) {
    if (whole_ == nullptr) make_bands();
  }

  void begin(const backend::StereoPair& pair, const backend::StereoTargets& targets) override {
    pair_ = pair;
    targets_ = targets;
    done_.clear();
    run(Step::begin);
  }
  void match() override { run(Step::match); }
  void speckle() override { run(Step::speckle); }
  void median() override { run(Step::median); }
  void fill() override { run(Step::fill); }
  void finish() override {
    run(Step::finish);
    forget();
  }
  void submit() override {
    run(Step::submit);
    forget();
  }
  void wait() override {
    if (whole_ != nullptr) whole_->wait();
  }
  void measure(bool on) override {
    measures_ = on;
    if (whole_ != nullptr) whole_->measure(on);
    if (bands_ != nullptr) bands_->measure(on);
  }
  std::optional<DeviceTimes> times() override {
    std::optional<DeviceTimes> sum = std::exchange(lost_, std::nullopt);
    if (whole_ != nullptr) add_times(sum, whole_->times());
    if (bands_ != nullptr) bands_->add_times_to(sum);
    if (!sum) sum.emplace();
    return sum;
  }
  std::unique_ptr<backend::Stereo> another() const override {
    if (whole_ == nullptr) return nullptr;  // bands use all the memory: no second frame fits
    try {
      std::unique_ptr<backend::Stereo> more = whole_->another();
      if (more == nullptr) return nullptr;
      return std::make_unique<FittingStereo>(device_, plan_, std::move(more), "");
    } catch (const Error& error) {
      if (error.code() == ErrorCode::out_of_memory) return nullptr;
      throw;
    }
  }
  std::size_t memory() const override {
    return (whole_ != nullptr ? whole_->memory() : 0) + (bands_ != nullptr ? bands_->memory() + host_->memory() : 0);
  }
  int band_rows() const override { return bands_ != nullptr ? bands_->rows() : 0; }

 private:
  enum class Step { begin, match, speckle, median, fill, finish, submit };

  /// A step of the frame; where memory is too small for it, the frame begins again in bands.
  void run(Step step) {
    done_.push_back(step);
    if (whole_ == nullptr) return run_in_bands(step);
    try {
      return run(*whole_, step);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::out_of_memory) throw;
      if (plan_.sums_paths()) refuse_paths(device_, plan_, error.what());
      problem_ = error.what();
    }
    leave_whole();
    for (const Step before : done_) run_in_bands(before);
  }
  void run(backend::Stereo& stereo, Step step) const {
    switch (step) {
      case Step::begin:
        return stereo.begin(pair_, targets_);
      case Step::match:
        return stereo.match();
      case Step::speckle:
        return stereo.speckle();
      case Step::median:
        return stereo.median();
      case Step::fill:
        return stereo.fill();
      case Step::finish:
        return stereo.finish();
      case Step::submit:
        return stereo.submit();
    }
  }
  void run_in_bands(Step step) {
    if (bands_ == nullptr) make_bands();  // also where an earlier attempt failed: memory may be free by now
    if (step == Step::begin) refuse_images();
    if (step != Step::match) return run(*host_, step);
    backend::StereoTargets targets = targets_;
    const backend::HostMap map = host_->current();
    targets.disparity16 = map.narrow;
    targets.disparity32 = map.wide;
    bands_->match(pair_, targets);
  }
  void refuse_images() const {
    if (pair_.left.empty() && targets_.disparity.empty()) return;
    throw Error(
        ErrorCode::unsupported,
        fmt::format(
            "device {} has too little memory for whole pictures of {}x{}, and bands of their rows are made from "
            "host memory: give pictures and maps as ImageViews ({})",
            device_.name(), plan_.size.width, plan_.size.height, problem_));
  }
  void leave_whole() {
    try {
      add_times(lost_, whole_->times());
    } catch (const Error&) {
      // the device is lost, and its times with it
    }
    whole_.reset();
  }
  void make_bands() {
    auto bands = std::make_unique<Bands>(device_, plan_);
    bands->measure(measures_);
    bands->prepare(problem_);
    host_ = make_host_stereo(plan_);
    bands_ = std::move(bands);
  }
  /// Forgets the caller's memory, which may be freed from now on.
  void forget() {
    pair_ = {};
    targets_ = {};
  }

  Device device_;
  StereoPlan plan_;
  std::unique_ptr<backend::Stereo> whole_;  ///< Null once a whole frame did not fit the memory.
  std::string problem_;                     ///< Why not.
  std::unique_ptr<Bands> bands_;
  std::unique_ptr<backend::Stereo> host_;  ///< What follows on `match`.
  backend::StereoPair pair_;
  backend::StereoTargets targets_;
  std::vector<Step> done_;  ///< Of this frame.
  bool measures_ = false;
  std::optional<DeviceTimes> lost_;
};

}  // namespace

int rows_around(const StereoPlan& plan) {
  const StereoOptions& o = plan.options;
  const bool high = o.cost == StereoCost::census_9x7 || o.cost == StereoCost::census_symmetric_9x7;
  const int census = o.cost == StereoCost::census_5x5 ? 2 : high ? 3 : 0;
  const int prefilter = o.prefilter != StereoPrefilter::none ? 1 : 0, texture = o.texture_threshold > 0 ? 1 : 0;
  return plan.ry + std::max(prefilter + census, texture);
}

std::unique_ptr<backend::Stereo> make_fitting_stereo(const Device& device, const StereoPlan& plan) {
  if (backend::of(device).space() == nullptr) return backend::of(device).make_stereo(plan);
  std::unique_ptr<backend::Stereo> whole;
  std::string problem;
  try {
    whole = backend::of(device).make_stereo(plan);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_memory) throw;
    if (plan.sums_paths()) refuse_paths(device, plan, error.what());
    problem = error.what();
  }
  return std::make_unique<FittingStereo>(device, plan, std::move(whole), std::move(problem));
}

}  // namespace vergence
