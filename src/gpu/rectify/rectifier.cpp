// SPDX-License-Identifier: Apache-2.0
// Rectification on a GPU: maps are uploaded once; a picture is one launch, with an upload and a download where it comes
// from host memory or goes there.
#include "gpu/rectify/rectifier.hpp"

#include <array>
#include <cstdint>
#include <utility>

#include "backend/access.hpp"
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
        remaps_{Remap(plan->left, programs_, *queue_, remap_pixels(device_->properties())),
                Remap(plan->right, programs_, *queue_, remap_pixels(device_->properties()))} {}

  void remap(backend::RigCamera camera, const RectifyInput& in, const RectifyOutput& out) override {
    const bool words = in.on_device() ? in.image().type() == PixelType::u16 : in.holds<const std::uint16_t>();
    if (words)
      run<std::uint16_t>(camera, in, out, max_value_);
    else
      run<std::uint8_t>(camera, in, out, 255);
  }
  void measure(bool on) override { queue_->measure(on); }
  std::optional<DeviceTimes> times() override { return programs_.take_times(*queue_); }
  std::size_t memory() const override { return 0; }  // host memory: the queue's staging alone

 private:
  template <class P>
  static RemapPlace place_of(const DeviceImage& image) {
    const auto pixels = [](std::size_t bytes) { return static_cast<std::int64_t>(bytes / sizeof(P)); };
    const Buffer& buffer = static_cast<Memory&>(*backend::of(image.memory())).buffer();
    return {buffer, pixels(image.offset()), pixels(image.pitch())};  // which may begin anywhere: no room for words
  }
  /// A picture in host memory is uploaded.
  template <class P>
  RemapPlace place_of(const RectifyInput& in) {
    if (in.on_device()) return place_of<P>(in.image());
    const ImageView<const P> view = in.view<const P>();
    const Rows rows = packed_rows_of(view);
    reserve(in_, rows.row_bytes * rows.count);
    queue_->upload(*in_, rows, view.data());
    return {*in_, 0, view.width()};
  }

  template <class P>
  void run(backend::RigCamera camera, const RectifyInput& in, const RectifyOutput& out, int largest) {
    constexpr int pixel_bytes = static_cast<int>(sizeof(P));
    const Remap& remap = remaps_[camera == backend::RigCamera::left ? 0 : 1];
    const RemapPlace source = place_of<P>(in);
    if (out.on_device()) {
      remap.run(*queue_, pixel_bytes, source, place_of<P>(out.image()), largest);
      queue_->finish();
      return;
    }
    const ImageView<P> view = out.template view<P>();
    Rows rows = packed_rows_of(view);
    rows.pitch = static_cast<std::size_t>(remap.out_room()) * sizeof(P);
    reserve(out_, rows.pitch * rows.count);
    remap.run(*queue_, pixel_bytes, source, {*out_, 0, remap.out_room(), remap.out_room()}, largest);
    queue_->start_download(*out_, rows, view.data());
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
