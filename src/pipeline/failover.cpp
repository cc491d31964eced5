// SPDX-License-Identifier: Apache-2.0
// with_failover: a device for tracks; when it fails, another device takes over.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backend/access.hpp"
#include "backend/device.hpp"
#include "vergence/error.hpp"
#include "vergence/pipeline.hpp"

namespace vergence {
namespace {

using OnLoss = std::function<void(const std::string& reason)>;

/// Tracks on one device after the other. It keeps the pictures of the two frames that a device holds, from which the
/// next device computes them again.
template <class P>
class FailoverTrack final : public backend::Track {
 public:
  FailoverTrack(const TrackPlan& plan, const Device& first, const Device& fallback, OnLoss on_loss)
      : plan_(plan), track_(backend::of(first).make_track(plan)), fallback_(fallback), on_loss_(std::move(on_loss)) {
    for (Image<P>& picture : pictures_) picture = Image<P>(plan.size);
  }

  void push(ImageView<const std::uint8_t> frame8, ImageView<const std::uint16_t> frame16) override {
    if constexpr (sizeof(P) == 1)
      keep(frame8, 0);
    else
      keep(frame16, 0);
    attempt([&] { track_->push(frame8, frame16); }, [] {});
  }
  void push(const PreparedPlanes& prepared) override {
    const Image<P>& picture = prepared.of<P>().pictures.front();
    keep(picture.view(), plan_.dropped_bits);  // the bits that were dropped do not matter
    attempt([&] { track_->push(prepared); }, [] {});
  }
  void read(PreparedPlanes& prepared) override {
    repeat([&] { track_->read(prepared); });
  }
  void corners(ImageView<const std::uint8_t> mask, std::vector<backend::Corner>& corners) override {
    repeat([&] { track_->corners(mask, corners); });
  }
  bool best_corners(ImageView<const std::uint8_t> mask, std::size_t enough,
                    std::vector<backend::Corner>& best) override {
    bool all = true;
    repeat([&] { all = track_->best_corners(mask, enough, best); });
    return all;
  }
  void lk(std::span<const backend::TrackQuery> queries, std::span<TrackedPoint> found) override {
    repeat([&] { track_->lk(queries, found); });
  }
  void measure(bool on) override { track_->measure(on); }
  std::optional<DeviceTimes> times() override { return track_->times(); }
  std::size_t memory() const override {
    std::size_t bytes = 0;
    for (const Image<P>& picture : pictures_)
      bytes += static_cast<std::size_t>(picture.stride()) * static_cast<std::size_t>(picture.height());
    return bytes + track_->memory();
  }

 private:
  void keep(ImageView<const P> picture, int shift) {
    std::swap(pictures_[0], pictures_[1]);
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) pictures_[1](x, y) = static_cast<P>(picture(x, y) << shift);
    kept_ = kept_ < 2 ? kept_ + 1 : 2;
  }
  template <class Call>
  void repeat(const Call& call) {
    attempt(call, call);
  }
  /// `again` is what is still due once the fallback holds all frames.
  template <class Call, class Again>
  void attempt(const Call& call, const Again& again) {
    try {
      call();
      return;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::device || relieved_) throw;
      relieved_ = true;
      if (on_loss_) on_loss_(error.what());
    }
    track_ = backend::of(fallback_).make_track(plan_);
    for (int i = 2 - kept_; i < 2; ++i) {
      const ImageView<const P> picture = std::as_const(pictures_[i]).view();
      if constexpr (sizeof(P) == 1)
        track_->push(picture, {});
      else
        track_->push({}, picture);
    }
    again();
  }

  TrackPlan plan_;
  std::unique_ptr<backend::Track> track_;
  Device fallback_;
  OnLoss on_loss_;
  Image<P> pictures_[2];  ///< The previous one, the current one.
  int kept_ = 0;
  bool relieved_ = false;
};

class FailoverDevice final : public backend::Device {
 public:
  FailoverDevice(vergence::Device first, vergence::Device fallback, OnLoss on_loss)
      : first_(std::move(first)), fallback_(std::move(fallback)), on_loss_(std::move(on_loss)) {}
  const std::string& name() const override { return first_.name(); }
  const std::string& kind() const override { return first_.kind(); }
  const std::string& description() const override { return first_.description(); }
  std::string pci_address() const override { return first_.pci_address(); }
  std::unique_ptr<backend::Stereo> make_stereo(const StereoPlan&) override {
    throw Error(ErrorCode::unsupported, "a device with fallback computes tracks alone: use " + name() + " itself");
  }
  std::unique_ptr<backend::Track> make_track(const TrackPlan& plan) override {
    // What the fallback refuses is refused here, not in the middle of a stream.
    static_cast<void>(backend::of(fallback_).make_track(plan));
    if (plan.options.depth == Depth::u8)
      return std::make_unique<FailoverTrack<std::uint8_t>>(plan, first_, fallback_, on_loss_);
    return std::make_unique<FailoverTrack<std::uint16_t>>(plan, first_, fallback_, on_loss_);
  }

 private:
  vergence::Device first_, fallback_;
  OnLoss on_loss_;
};

}  // namespace

Device with_failover(const Device& first, const Device& fallback, OnLoss on_loss) {
  return backend::handle(std::make_shared<FailoverDevice>(first, fallback, std::move(on_loss)));
}

}  // namespace vergence
