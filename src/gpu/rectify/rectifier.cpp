// SPDX-License-Identifier: Apache-2.0
// Rectification on a GPU: maps are uploaded once; a picture is one upload, one launch, one download.
#include "gpu/rectify/rectifier.hpp"

#include <array>
#include <cstdint>
#include <utility>

#include "gpu/grid.hpp"
#include "gpu/shared/rectify/remap.h"

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
      : plan_(std::move(plan)), device_(std::move(device)), programs_(device_), queue_(device_->make_queue()) {
    maps_ = {uploaded(plan_->left), uploaded(plan_->right)};
  }

  void remap(backend::RigCamera camera, ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out) override {
    run(camera, in, out, 255);
  }
  void remap(backend::RigCamera camera, ImageView<const std::uint16_t> in, ImageView<std::uint16_t> out) override {
    run(camera, in, out, plan_->max_value);
  }
  void measure(bool on) override { queue_->measure(on); }
  std::optional<DeviceTimes> times() override { return programs_.take_times(*queue_); }
  std::size_t memory() const override { return 0; }  // host memory: the queue's staging alone

 private:
  struct Map {
    std::unique_ptr<Buffer> x, y;
  };

  std::unique_ptr<Buffer> uploaded(ImageView<const std::int32_t> plane) {
    const Rows rows = packed_rows_of(plane);
    auto buffer = device_->allocate(rows.row_bytes * rows.count);
    queue_->upload(*buffer, rows, plane.data());
    return buffer;
  }
  Map uploaded(const rectify::SourceMap& map) { return {uploaded(map.x.view()), uploaded(map.y.view())}; }

  template <class P>
  void run(backend::RigCamera camera, ImageView<const P> in, ImageView<P> out, int largest) {
    const Grid grid(out.size(), device_->properties());
    const Kernel& kernel =
        programs_.kernel("rectify/remap.cl", grid.defines().set("WORDS", sizeof(P) == 2 ? 1 : 0), "remap");
    const Map& map = maps_[camera == backend::RigCamera::left ? 0 : 1];
    const Rows in_rows = packed_rows_of(in), out_rows = packed_rows_of(out);
    reserve(in_, in_rows);
    reserve(out_, out_rows);
    queue_->upload(*in_, in_rows, in.data());
    grid.launch(*queue_, kernel,
                {*in_, *map.x, *map.y, *out_,
                 shared::RemapArguments{.width = out.width(),
                                        .height = out.height(),
                                        .in_width = in.width(),
                                        .in_height = in.height(),
                                        .largest = largest}});
    queue_->start_download(*out_, out_rows, out.data());
    queue_->collect();
  }
  void reserve(std::unique_ptr<Buffer>& buffer, const Rows& rows) {
    const std::size_t bytes = rows.row_bytes * rows.count;
    if (buffer == nullptr || buffer->bytes() < bytes) buffer = device_->allocate(bytes);
  }

  std::shared_ptr<const RectifyPlan> plan_;
  std::shared_ptr<Device> device_;
  Programs programs_;
  std::unique_ptr<Queue> queue_;
  std::array<Map, 2> maps_;
  std::unique_ptr<Buffer> in_, out_;
};

}  // namespace

std::unique_ptr<backend::Rectifier> make_rectifier(std::shared_ptr<const RectifyPlan> plan,
                                                   const std::shared_ptr<Device>& device) {
  return std::make_unique<Rectifier>(std::move(plan), device);
}

}  // namespace vergence::gpu
