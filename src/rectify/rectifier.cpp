// SPDX-License-Identifier: Apache-2.0
// StereoRectifier: makes the plan, checks pictures, calls backend/rectify.hpp.
#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "backend/access.hpp"
#include "backend/device.hpp"
#include "core/check_views.hpp"
#include "plan/rectify/plan.hpp"
#include "vergence/error.hpp"
#include "vergence/rectify.hpp"

namespace vergence {
namespace {

using backend::RigCamera;

Image<std::uint8_t> mask_of(const rectify::SourceMap& map) {
  Image<std::uint8_t> mask(map.x.size());
  for (int y = 0; y < mask.height(); ++y)
    for (int x = 0; x < mask.width(); ++x) mask(x, y) = map.x(x, y) >= 0 ? 1 : 0;
  return mask;
}

template <class T>
std::size_t bytes_of(const Image<T>& image) {
  return static_cast<std::size_t>(image.stride()) * static_cast<std::size_t>(image.height());
}

/// The names of a picture and of what is made of it.
struct ViewNames {
  const char *in, *out;
};
constexpr ViewNames left_names{"the left picture", "the rectified left picture"};
constexpr ViewNames right_names{"the right picture", "the rectified right picture"};

template <class... Pixels>
void check_place(const char* what, const ImageRef<Pixels...>& pixels) {
  if (pixels.on_device())
    throw Error(
        ErrorCode::unsupported,
        fmt::format("{} lies in a device's memory: rectification takes pictures in host memory, give an ImageView",
                    what));
}

/// Adds the views to the list; P is the type of `in`.
template <class P>
ImageView<P> check_pair(const ViewNames& names, const RectifyInput& in, const RectifyOutput& out, Size from, Size to,
                        ViewList& views) {
  check_place(names.in, in);
  check_place(names.out, out);
  if (!in.template holds<const P>())
    refuse_argument(names.in, fmt::format("{} has pixels of another type than the left one: give both of 8 or both of "
                                          "16 bits",
                                          names.in));
  if (!out.empty() && !out.template holds<P>())
    refuse_argument(names.out, fmt::format("{} has pixels of another type than {}: give a view of u{}", names.out,
                                           names.in, 8 * sizeof(P)));
  views.read(names.in, in.template view<const P>(), from);
  const ImageView<P> view = out.template view<P>();
  check_view(names.out, view, to);
  return view;
}

}  // namespace

struct StereoRectifier::Impl {
  Impl(Device chosen, const StereoRig& rig, const RectifyOptions& options)
      : device(std::move(chosen)),
        plan(std::make_shared<const RectifyPlan>(make_rectify_plan(rig, options))),
        left_mask(mask_of(plan->left)),
        right_mask(mask_of(plan->right)),
        rectifier(backend::of(device).make_rectifier(plan)) {}

  template <class P>
  void both(const RectifyInput& left, const RectifyInput& right, const RectifyOutput& left_out,
            const RectifyOutput& right_out) {
    const Size from = plan->left.source, to = plan->rig.projections.size;
    ViewList views;
    const ImageView<P> first = check_pair<P>(left_names, left, left_out, from, to, views);
    const ImageView<P> second = check_pair<P>(right_names, right, right_out, from, to, views);
    views.write(left_names.out, first, to);
    views.write(right_names.out, second, to);
    rectifier->remap(RigCamera::left, left.view<const P>(), first);
    rectifier->remap(RigCamera::right, right.view<const P>(), second);
  }
  template <class P>
  void one(RigCamera camera, const RectifyInput& in, const RectifyOutput& out) {
    const Size from = plan->left.source, to = plan->rig.projections.size;
    const ViewNames& names = camera == RigCamera::left ? left_names : right_names;
    ViewList views;
    const ImageView<P> view = check_pair<P>(names, in, out, from, to, views);
    views.write(names.out, view, to);
    rectifier->remap(camera, in.view<const P>(), view);
  }
  void any(RigCamera camera, const RectifyInput& in, const RectifyOutput& out) {
    if (in.holds<const std::uint16_t>())
      one<std::uint16_t>(camera, in, out);
    else
      one<std::uint8_t>(camera, in, out);
  }

  Device device;
  std::shared_ptr<const RectifyPlan> plan;
  Image<std::uint8_t> left_mask, right_mask;
  std::unique_ptr<backend::Rectifier> rectifier;
};

StereoRectifier::StereoRectifier(const Device& device, const StereoRig& rig, const RectifyOptions& options)
    : impl_(std::make_unique<Impl>(device, rig, options)) {}
StereoRectifier::StereoRectifier(StereoRectifier&&) noexcept = default;
StereoRectifier& StereoRectifier::operator=(StereoRectifier&&) noexcept = default;
StereoRectifier::~StereoRectifier() = default;

void StereoRectifier::rectify(const RectifyInput& left, const RectifyInput& right, const RectifyOutput& left_out,
                              const RectifyOutput& right_out) {
  if (left.holds<const std::uint16_t>())
    impl_->both<std::uint16_t>(left, right, left_out, right_out);
  else
    impl_->both<std::uint8_t>(left, right, left_out, right_out);
}
void StereoRectifier::rectify_left(const RectifyInput& in, const RectifyOutput& out) {
  impl_->any(RigCamera::left, in, out);
}
void StereoRectifier::rectify_right(const RectifyInput& in, const RectifyOutput& out) {
  impl_->any(RigCamera::right, in, out);
}
ImageView<const std::uint8_t> StereoRectifier::left_mask() const { return std::as_const(impl_->left_mask); }
ImageView<const std::uint8_t> StereoRectifier::right_mask() const { return std::as_const(impl_->right_mask); }
const RectifiedRig& StereoRectifier::rig() const { return impl_->plan->rig; }
Size StereoRectifier::size() const { return impl_->plan->rig.projections.size; }
Size StereoRectifier::source_size() const { return impl_->plan->left.source; }
std::size_t StereoRectifier::memory() const {
  const RectifyPlan& plan = *impl_->plan;
  return bytes_of(plan.left.x) + bytes_of(plan.left.y) + bytes_of(plan.right.x) + bytes_of(plan.right.y) +
         bytes_of(impl_->left_mask) + bytes_of(impl_->right_mask) + impl_->rectifier->memory();
}

}  // namespace vergence
