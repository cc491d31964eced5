// SPDX-License-Identifier: Apache-2.0
// PictureFilter: checks what it is given, then calls backend/filter.hpp.
#include <fmt/format.h>

#include <cstdint>
#include <type_traits>
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

/// What a filter of pictures of P gives.
template <class P>
using Gradient = std::conditional_t<std::is_same_v<P, float>, float, std::int16_t>;

template <class... Pixels>
void check_in_host(const char* what, const ImageRef<Pixels...>& pixels) {
  if (pixels.on_device())
    throw Error(
        ErrorCode::unsupported,
        fmt::format("{} lies in a device's memory: filters take pictures in host memory, give an ImageView", what));
}

/// What is written: of T, because the picture's pixels say so; an empty view where it is not given.
template <class T, class... Pixels>
ImageView<T> written(const char* what, const FilterInput& in, const ImageRef<Pixels...>& out) {
  check_in_host(what, out);
  if (!out.empty() && !out.template holds<T>())
    refuse_argument(what, fmt::format("{} does not fit the picture, which has pixels of type {}: give a view of {}",
                                      what, in.holds<const float>() ? "float" : "u8",
                                      std::is_same_v<T, float>          ? "float"
                                      : std::is_same_v<T, std::int16_t> ? "i16"
                                                                        : "u8"));
  return out.template view<T>();
}

/// Calls `run` with the view of the picture.
template <class Run>
void with_picture(const FilterInput& in, const Run& run) {
  check_in_host("the picture", in);
  if (in.holds<const float>())
    run(in.view<const float>());
  else
    run(in.view<const std::uint8_t>());
}

}  // namespace

struct PictureFilter::Impl {
  Impl(Device chosen_device, Size picture)
      : device(std::move(chosen_device)), size(checked(picture)), filters(backend::of(device).make_filters(size)) {}

  Size half_size() const { return {definitions::half_side(size.width), definitions::half_side(size.height)}; }

  void blur(const FilterInput& in, const FilterOutput& out, FilterBorder border) {
    with_picture(in, [&]<class P>(ImageView<const P> picture) {
      filters->blur(picture, check_one(in, picture, out, size, border), border);
    });
  }
  void half(const FilterInput& in, const FilterOutput& out, FilterBorder border) {
    with_picture(in, [&]<class P>(ImageView<const P> picture) {
      filters->half(picture, check_one(in, picture, out, half_size(), border), border);
    });
  }
  void gradients(const FilterInput& in, const backend::GradientWeights& slope, const FilterGradient& dx,
                 const FilterGradient& dy, FilterBorder border) {
    with_picture(in, [&]<class P>(ImageView<const P> picture) {
      check_border(border);
      ViewList views;
      views.read("the picture", picture, size);
      if (dx.empty() && dy.empty())
        throw Error(ErrorCode::invalid_argument, "neither dx nor dy was given: give a view for one of them");
      const ImageView<Gradient<P>> across = written<Gradient<P>>("dx", in, dx),
                                   down = written<Gradient<P>>("dy", in, dy);
      views.write("dx", across, size);
      views.write("dy", down, size);
      filters->gradients(picture, slope, across, down, border);
    });
  }
  /// The view of `out`.
  template <class P>
  ImageView<P> check_one(const FilterInput& in, ImageView<const P> picture, const FilterOutput& out, Size out_size,
                         FilterBorder border) const {
    check_border(border);
    ViewList views;
    views.read("the picture", picture, size);
    const ImageView<P> view = written<P>("the filtered picture", in, out);
    if (view.data() == nullptr) check_view("the filtered picture", view, out_size);
    views.write("the filtered picture", view, out_size);
    return view;
  }

  Device device;
  Size size;
  std::unique_ptr<backend::Filters> filters;
};

PictureFilter::PictureFilter(const Device& device, Size size) : impl_(std::make_unique<Impl>(device, size)) {}
PictureFilter::PictureFilter(PictureFilter&&) noexcept = default;
PictureFilter& PictureFilter::operator=(PictureFilter&&) noexcept = default;
PictureFilter::~PictureFilter() = default;

void PictureFilter::blur(const FilterInput& in, const FilterOutput& out, FilterBorder border) {
  impl_->blur(in, out, border);
}
void PictureFilter::sobel(const FilterInput& in, const FilterGradient& dx, const FilterGradient& dy,
                          FilterBorder border) {
  impl_->gradients(in, sobel_weights, dx, dy, border);
}
void PictureFilter::scharr(const FilterInput& in, const FilterGradient& dx, const FilterGradient& dy,
                           FilterBorder border) {
  impl_->gradients(in, scharr_weights, dx, dy, border);
}
void PictureFilter::half(const FilterInput& in, const FilterOutput& out, FilterBorder border) {
  impl_->half(in, out, border);
}
Size PictureFilter::size() const { return impl_->size; }
Size PictureFilter::half_size() const { return impl_->half_size(); }
std::size_t PictureFilter::memory() const { return impl_->filters->memory(); }

}  // namespace vergence
