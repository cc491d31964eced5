// SPDX-License-Identifier: Apache-2.0
// PictureFilter: checks what it is given, then calls backend/filter.hpp.
#include <fmt/format.h>

#include <utility>

#include "backend/access.hpp"
#include "backend/device.hpp"
#include "core/check_views.hpp"
#include "definitions/motion/pyramid.h"
#include "vergence/error.hpp"
#include "vergence/filter.hpp"

namespace vergence {
namespace {

constexpr int largest_side = 1 << 20;
constexpr backend::GradientWeights sobel_weights{1, 2}, scharr_weights{3, 10};

Size checked(Size size) {
  if (size.width < 1 || size.height < 1 || size.width > largest_side || size.height > largest_side)
    throw Error(ErrorCode::invalid_argument, fmt::format("picture size is {}x{}: allowed are 1x1 .. {}x{}", size.width,
                                                         size.height, largest_side, largest_side));
  return size;
}

void check_border(FilterBorder border) {
  const int number = static_cast<int>(border);
  if (number < 0 || number > static_cast<int>(FilterBorder::blank))
    throw Error(ErrorCode::invalid_argument,
                fmt::format("border has the unknown value {}: allowed are 0 .. 3", number));
}

}  // namespace

struct PictureFilter::Impl {
  Impl(Device chosen_device, Size picture)
      : device(std::move(chosen_device)), size(checked(picture)), filters(backend::of(device).make_filters(size)) {}

  Size half_size() const { return {definitions::half_side(size.width), definitions::half_side(size.height)}; }

  template <class P>
  void blur(ImageView<const P> in, ImageView<P> out, FilterBorder border) {
    check_one(in, out, size, border);
    filters->blur(in, out, border);
  }
  template <class P>
  void half(ImageView<const P> in, ImageView<P> out, FilterBorder border) {
    check_one(in, out, half_size(), border);
    filters->half(in, out, border);
  }
  template <class P, class T>
  void gradients(ImageView<const P> in, const backend::GradientWeights& slope, ImageView<T> dx, ImageView<T> dy,
                 FilterBorder border) {
    check_border(border);
    ViewList views;
    views.read("the picture", in, size);
    if (dx.data() == nullptr && dy.data() == nullptr)
      throw Error(ErrorCode::invalid_argument, "neither dx nor dy was given: give a view for one of them");
    views.write("dx", dx, size);
    views.write("dy", dy, size);
    filters->gradients(in, slope, dx, dy, border);
  }
  template <class P>
  void check_one(ImageView<const P> in, ImageView<P> out, Size out_size, FilterBorder border) {
    check_border(border);
    ViewList views;
    views.read("the picture", in, size);
    if (out.data() == nullptr) check_view("the filtered picture", out, out_size);
    views.write("the filtered picture", out, out_size);
  }

  Device device;
  Size size;
  std::unique_ptr<backend::Filters> filters;
};

PictureFilter::PictureFilter(const Device& device, Size size) : impl_(std::make_unique<Impl>(device, size)) {}
PictureFilter::PictureFilter(PictureFilter&&) noexcept = default;
PictureFilter& PictureFilter::operator=(PictureFilter&&) noexcept = default;
PictureFilter::~PictureFilter() = default;

void PictureFilter::blur(ImageView<const float> in, ImageView<float> out, FilterBorder border) {
  impl_->blur(in, out, border);
}
void PictureFilter::blur(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, FilterBorder border) {
  impl_->blur(in, out, border);
}
void PictureFilter::sobel(ImageView<const float> in, ImageView<float> dx, ImageView<float> dy, FilterBorder border) {
  impl_->gradients(in, sobel_weights, dx, dy, border);
}
void PictureFilter::sobel(ImageView<const std::uint8_t> in, ImageView<std::int16_t> dx, ImageView<std::int16_t> dy,
                          FilterBorder border) {
  impl_->gradients(in, sobel_weights, dx, dy, border);
}
void PictureFilter::scharr(ImageView<const float> in, ImageView<float> dx, ImageView<float> dy, FilterBorder border) {
  impl_->gradients(in, scharr_weights, dx, dy, border);
}
void PictureFilter::scharr(ImageView<const std::uint8_t> in, ImageView<std::int16_t> dx, ImageView<std::int16_t> dy,
                           FilterBorder border) {
  impl_->gradients(in, scharr_weights, dx, dy, border);
}
void PictureFilter::half(ImageView<const float> in, ImageView<float> out, FilterBorder border) {
  impl_->half(in, out, border);
}
void PictureFilter::half(ImageView<const std::uint8_t> in, ImageView<std::uint8_t> out, FilterBorder border) {
  impl_->half(in, out, border);
}
Size PictureFilter::size() const { return impl_->size; }
Size PictureFilter::half_size() const { return impl_->half_size(); }
std::size_t PictureFilter::memory() const { return impl_->filters->memory(); }

}  // namespace vergence
