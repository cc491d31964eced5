// SPDX-License-Identifier: Apache-2.0
// Rectification on a GPU: maps are uploaded once; a picture is one upload, one launch, one download.
#include "gpu/rectify/rectifier.hpp"

#include <array>
#include <cstdint>
#include <utility>

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
        remaps_{Remap(plan->left, programs_, *queue_, remap_pixels(device_->properties())),
                Remap(plan->right, programs_, *queue_, remap_pixels(device_->properties()))} {}

  void remap(backend::RigCamera camera, ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out) override {
    run(camera, in, out, 255);
  }
  void remap(backend::RigCamera camera, ImageView<const std::uint16_t> in, ImageView<std::uint16_t> out) override {
    run(camera, in, out, max_value_);
  }
  void measure(bool on) override { queue_->measure(on); }
  std::optional<DeviceTimes> times() override { return programs_.take_times(*queue_); }
  std::size_t memory() const override { return 0; }  // host memory: the queue's staging alone

 private:
  template <class P>
  void run(backend::RigCamera camera, ImageView<const P> in, ImageView<P> out, int largest) {
    constexpr int pixel_bytes = static_cast<int>(sizeof(P));
    const Remap& remap = remaps_[camera == backend::RigCamera::left ? 0 : 1];
    const Rows in_rows = packed_rows_of(in);
    Rows out_rows = packed_rows_of(out);
    out_rows.pitch = remap.out_pitch(pixel_bytes);
    reserve(in_, in_rows.row_bytes * in_rows.count);
    reserve(out_, remap.out_bytes(pixel_bytes));
    queue_->upload(*in_, in_rows, in.data());
    remap.run(*queue_, pixel_bytes, *in_, *out_, largest);
    queue_->start_download(*out_, out_rows, out.data());
    queue_->collect();
  }
  void reserve(std::unique_ptr<Buffer>& buffer, std::size_t bytes) {
    if (buffer == nullptr || buffer->bytes() < bytes) buffer = device_->allocate(bytes);
  }

  int max_value_;
  std::shared_ptr<Device> device_;
  Programs programs_;
  std::unique_ptr<Queue> queue_;
  std::array<Remap, 2> remaps_;
  std::unique_ptr<Buffer> in_, out_;
};

}  // namespace

std::unique_ptr<backend::Rectifier> make_rectifier(std::shared_ptr<const RectifyPlan> plan,
                                                   const std::shared_ptr<Device>& device) {
  return std::make_unique<Rectifier>(std::move(plan), device);
}

}  // namespace vergence::gpu
