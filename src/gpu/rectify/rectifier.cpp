// SPDX-License-Identifier: Apache-2.0
// Rectification on a GPU: maps are uploaded once; a picture or a pair is one launch, with uploads and
// downloads of what comes from host memory or goes there.
#include "gpu/rectify/rectifier.hpp"

#include <array>
#include <cstdint>
#include <utility>

#include "backend/access.hpp"
#include "gpu/event.hpp"
#include "gpu/memory.hpp"
#include "gpu/rectify/remap.hpp"

namespace vergence::gpu {
namespace {

template <class P>
Rows packed_rows_of(ImageView<P> view) {
  const std::size_t row = static_cast<std::size_t>(view.width()) * sizeof(P);
  return {0, row, view.stride(), row, static_cast<std::size_t>(view.height())};
}

class Rectifier final : public backend::Rectifier {
 public:
  Rectifier(std::shared_ptr<const RectifyPlan> plan, std::shared_ptr<Device> device)
      : max_value_(plan->max_value),
        device_(std::move(device)),
        programs_(device_),
        queue_(device_->make_queue()),
        remap_(*plan, programs_, *queue_, default_remap_tuning(device_->properties())) {}

  void remap(backend::RigCamera camera, const RectifyInput& in, const RectifyOutput& out,
             const backend::Order& order) override {
    start(order);
    if (has_words(in))
      run_one<std::uint16_t>(camera, in, out, max_value_);
    else
      run_one<std::uint8_t>(camera, in, out, 255);
    end(order, {in.image(), {}, out.image(), {}});
  }
  void remap_pair(const RectifyInput& left, const RectifyInput& right, const RectifyOutput& left_out,
                  const RectifyOutput& right_out, const backend::Order& order) override {
    start(order);
    if (has_words(left))
      run_pair<std::uint16_t>(left, right, left_out, right_out, max_value_);
    else
      run_pair<std::uint8_t>(left, right, left_out, right_out, 255);
    end(order, {left.image(), right.image(), left_out.image(), right_out.image()});
  }
  void measure(bool on) override { queue_->measure(on); }
  std::optional<DeviceTimes> times() override { return programs_.take_times(*queue_); }
  std::size_t memory() const override { return 0; }  // host memory: the queue's staging alone

 private:
  /// Buffers of the pictures of a camera that are in host memory.
  struct Staging {
    std::unique_ptr<Buffer> in, out;
  };
  static bool has_words(const RectifyInput& in) {
    return in.on_device() ? in.image().type() == PixelType::u16 : in.holds<const std::uint16_t>();
  }

  template <class P>
  static RemapPlace place_of(const DeviceImage& image) {
    const auto pixels = [](std::size_t bytes) { return static_cast<std::int64_t>(bytes / sizeof(P)); };
    const Buffer& buffer = static_cast<Memory&>(*backend::of(image.memory())).buffer();
    return {buffer, pixels(image.offset()), pixels(image.pitch())};
  }
  /// A picture in host memory is uploaded.
  template <class P>
  RemapPlace place_of(const RectifyInput& in, std::unique_ptr<Buffer>& buffer) {
    if (in.on_device()) return place_of<P>(in.image());
    const ImageView<const P> view = in.view<const P>();
    const Rows rows = packed_rows_of(view);
    reserve(buffer, rows.row_bytes * rows.count);
    queue_->upload(*buffer, rows, view.data());
    return {*buffer, 0, view.width()};
  }
  template <class P>
  RemapPlace place_of(const RectifyOutput& out, std::unique_ptr<Buffer>& buffer) {
    if (out.on_device()) return place_of<P>(out.image());
    const ImageView<P> view = out.template view<P>();
    const Rows rows = packed_rows_of(view);
    reserve(buffer, rows.row_bytes * rows.count);
    return {*buffer, 0, view.width()};
  }
  /// Nothing to do for a picture that stays on the device.
  template <class P>
  void start_download(const RectifyOutput& out, const Staging& staging) {
    if (out.on_device()) return;
    const ImageView<P> view = out.template view<P>();
    queue_->start_download(*staging.out, packed_rows_of(view), view.data());
  }
  void start(const backend::Order& order) {
    held_.release();
    wait_for(*queue_, order);
  }
  void end(const backend::Order& order, std::array<DeviceImage, 4> images) {
    if (order.done.empty()) {
      queue_->collect();
      queue_->finish();
      return;
    }
    queue_->set(event_of(order.done));
    held_.hold(order.done, std::move(images));
  }

  template <class P>
  void run_one(backend::RigCamera camera, const RectifyInput& in, const RectifyOutput& out, int largest) {
    const bool is_left = camera == backend::RigCamera::left;
    Staging& staging = staging_[is_left ? 0 : 1];
    const RemapPicture picture{place_of<P>(in, staging.in), place_of<P>(out, staging.out)};
    remap_.run(*queue_, sizeof(P), is_left ? &picture : nullptr, is_left ? nullptr : &picture, largest);
    start_download<P>(out, staging);
  }
  template <class P>
  void run_pair(const RectifyInput& left, const RectifyInput& right, const RectifyOutput& left_out,
                const RectifyOutput& right_out, int largest) {
    const RemapPicture first{place_of<P>(left, staging_[0].in), place_of<P>(left_out, staging_[0].out)};
    const RemapPicture second{place_of<P>(right, staging_[1].in), place_of<P>(right_out, staging_[1].out)};
    remap_.run(*queue_, sizeof(P), &first, &second, largest);
    start_download<P>(left_out, staging_[0]);
    start_download<P>(right_out, staging_[1]);
  }
  void reserve(std::unique_ptr<Buffer>& buffer, std::size_t bytes) {
    if (buffer == nullptr || buffer->bytes() < bytes) buffer = device_->allocate(bytes);
  }

  int max_value_;
  std::shared_ptr<Device> device_;
  Programs programs_;
  std::unique_ptr<Queue> queue_;
  Remap remap_;
  std::array<Staging, 2> staging_;
  Held<std::array<DeviceImage, 4>> held_;  ///< The last member: it waits for what works on all others.
};

}  // namespace

std::unique_ptr<backend::Rectifier> make_rectifier(std::shared_ptr<const RectifyPlan> plan,
                                                   const std::shared_ptr<Device>& device) {
  return std::make_unique<Rectifier>(std::move(plan), device);
}

}  // namespace vergence::gpu
