// SPDX-License-Identifier: Apache-2.0
// Filters of pictures on a GPU: one upload, one launch, and the download of what was asked for. A filter is compiled,
// and its memory allocated, at the first call.
#include "gpu/imgproc/filters.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "gpu/grid.hpp"
#include "gpu/shared/imgproc/separable.h"

namespace vergence::gpu {
namespace {

constexpr int rows = 8;  // of a work-item

class Filters final : public backend::Filters {
 public:
  Filters(Size size, std::shared_ptr<Device> device)
      : size_(size), device_(std::move(device)), programs_(device_), queue_(device_->make_queue()) {}

  void blur(ImageView<const float> in, ImageView<float> out, FilterBorder border) override {
    every(1, in, out, border);
  }
  void blur(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, FilterBorder border) override {
    every(1, in, out, border);
  }
  void half(ImageView<const float> in, ImageView<float> out, FilterBorder border) override {
    every(2, in, out, border);
  }
  void half(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, FilterBorder border) override {
    every(2, in, out, border);
  }
  void gradients(ImageView<const float> in, const backend::GradientWeights& weights, ImageView<float> dx,
                 ImageView<float> dy, FilterBorder border) override {
    both(in, weights, dx, dy, border);
  }
  void gradients(ImageView<const std::uint8_t> in, const backend::GradientWeights& weights, ImageView<std::int16_t> dx,
                 ImageView<std::int16_t> dy, FilterBorder border) override {
    both(in, weights, dx, dy, border);
  }

  void measure(bool on) override { queue_->measure(on); }
  std::optional<DeviceTimes> times() override { return programs_.take_times(*queue_); }
  std::size_t memory() const override { return 0; }  // host memory: the queue's staging alone

 private:
  /// The blurred picture, or every second pixel of it.
  template <class P>
  void every(int step, ImageView<const P> in, ImageView<P> out, FilterBorder border) {
    const Grid grid = grid_of(out.size());
    const Kernel& kernel = kernel_of<P>(step, "blur");
    upload(in);
    reserve(first_, out);
    grid.launch(*queue_, kernel,
                {*in_, *first_,
                 shared::BlurArguments{.width = out.width(),
                                       .height = out.height(),
                                       .in_width = size_.width,
                                       .in_height = size_.height,
                                       .border = static_cast<int>(border)}});
    download(*first_, out);
    queue_->collect();
  }
  template <class P, class T>
  void both(ImageView<const P> in, const backend::GradientWeights& weights, ImageView<T> dx, ImageView<T> dy,
            FilterBorder border) {
    const Kernel& kernel = kernel_of<P>(1, "gradients");
    upload(in);
    if (!dx.empty()) reserve(first_, dx);
    if (!dy.empty()) reserve(second_, dy);
    grid_of(size_).launch(*queue_, kernel,
                          {*in_, dx.empty() ? *second_ : *first_, dy.empty() ? *first_ : *second_,
                           shared::GradientArguments{.width = size_.width,
                                                     .height = size_.height,
                                                     .border = static_cast<int>(border),
                                                     .outer = weights.outer,
                                                     .inner = weights.inner,
                                                     .wants_dx = dx.empty() ? 0 : 1,
                                                     .wants_dy = dy.empty() ? 0 : 1}});
    if (!dx.empty()) download(*first_, dx);
    if (!dy.empty()) download(*second_, dy);
    queue_->collect();
  }

  Grid grid_of(Size out) const { return {{out.width, (out.height + rows - 1) / rows}, device_->properties()}; }
  template <class P>
  const Kernel& kernel_of(int step, const char* function) {
    return programs_.kernel(
        "imgproc/separable.cl",
        grid_of(size_).defines().set("FLOATS", std::is_same_v<P, float> ? 1 : 0).set("STEP", step).set("ROWS", rows),
        function);
  }
  template <class P>
  static Rows rows_of(ImageView<P> view) {
    const std::size_t row = static_cast<std::size_t>(view.width()) * sizeof(P);
    return {0, row, view.stride(), row, static_cast<std::size_t>(view.height())};
  }
  template <class P>
  void reserve(std::unique_ptr<Buffer>& buffer, ImageView<P> view) {
    const std::size_t bytes =
        static_cast<std::size_t>(view.width()) * static_cast<std::size_t>(view.height()) * sizeof(P);
    if (buffer == nullptr || buffer->bytes() < bytes) buffer = device_->allocate(bytes);
  }
  template <class P>
  void upload(ImageView<const P> in) {
    reserve(in_, in);
    queue_->upload(*in_, rows_of(in), in.data());
  }
  template <class T>
  void download(const Buffer& from, ImageView<T> to) {
    queue_->start_download(from, rows_of(to), to.data());
  }

  Size size_;
  std::shared_ptr<Device> device_;
  Programs programs_;
  std::unique_ptr<Queue> queue_;
  std::unique_ptr<Buffer> in_, first_, second_;
};

}  // namespace

std::unique_ptr<backend::Filters> make_filters(Size size, const std::shared_ptr<Device>& device) {
  return std::make_unique<Filters>(size, device);
}

}  // namespace vergence::gpu
