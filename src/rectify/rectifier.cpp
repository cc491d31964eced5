// SPDX-License-Identifier: Apache-2.0
// StereoRectifier: makes the plan, checks pictures, calls backend/rectify.hpp.
#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "backend/access.hpp"
#include "backend/check_image.hpp"
#include "backend/device.hpp"
#include "backend/event.hpp"
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
std::size_t bytes_in(const Image<T>& image) {
  return static_cast<std::size_t>(image.stride()) * static_cast<std::size_t>(image.height());
}

/// The names of a picture and of what is made of it.
struct ViewNames {
  const char *in, *out;
};
constexpr ViewNames left_names{"the left picture", "the rectified left picture"};
constexpr ViewNames right_names{"the right picture", "the rectified right picture"};

/// Checks the pictures of one call: size, type, place, overlap.
class PictureCheck {
 public:
  explicit PictureCheck(const backend::ImageTaker& taker) : taker_(taker) {}

  /// The first picture chooses the type of all.
  void read(const char* what, const RectifyInput& in, Size size) {
    const PixelType type = type_of(in);
    if (type_ && *type_ != type)
      refuse_argument(what, fmt::format("{} has pixels of another type than the left one: give both of 8 or both of 16 "
                                        "bits",
                                        what));
    type_ = type;
    in.visit([&](const auto& picture) {
      if constexpr (is_image<decltype(picture)>) {
        backend::check_image(what, picture, size, {type}, taker_);
        views_.add_read(backend::extent_of(what, picture));
      } else {
        views_.read(what, picture, size);
      }
    });
  }
  /// Must be given.
  void write(const ViewNames& names, const RectifyOutput& out, Size size) {
    out.visit([&](const auto& picture) {
      if constexpr (is_image<decltype(picture)>) {
        backend::check_image(names.out, picture, size, {*type_}, taker_);
        backend::check_image_writable(names.out, picture);
        views_.add_written(backend::extent_of(names.out, picture));
      } else {
        check_view(names.out, picture, size);
        if (type_of(out) != *type_)
          refuse_argument(names.out, fmt::format("{} has pixels of another type than {}: give a view of u{}", names.out,
                                                 names.in, 8 * bytes_of(*type_)));
        views_.write(names.out, picture, size);
      }
    });
  }

 private:
  template <class T>
  static constexpr bool is_image = std::is_same_v<std::remove_cvref_t<T>, DeviceImage>;

  template <class... Pixels>
  static PixelType type_of(const ImageRef<Pixels...>& pixels) {
    return pixels.visit([](const auto& picture) {
      if constexpr (is_image<decltype(picture)>)
        return picture.type() == PixelType::u16 ? PixelType::u16 : PixelType::u8;
      else
        return sizeof(*picture.data()) == 2 ? PixelType::u16 : PixelType::u8;
    });
  }
  backend::ImageTaker taker_;
  std::optional<PixelType> type_;
  ViewList views_;
};

}  // namespace

struct StereoRectifier::Impl {
  Impl(Device chosen, const StereoRig& rig, const RectifyOptions& options)
      : device(std::move(chosen)),
        plan(std::make_shared<const RectifyPlan>(make_rectify_plan(rig, options))),
        left_mask(mask_of(plan->left)),
        right_mask(mask_of(plan->right)),
        rectifier(backend::of(device).make_rectifier(plan)) {}

  void both(const RectifyInput& left, const RectifyInput& right, const RectifyOutput& left_out,
            const RectifyOutput& right_out, const backend::Order& order = {}) {
    PictureCheck check(taker());
    check.read(left_names.in, left, from());
    check.read(right_names.in, right, from());
    check.write(left_names, left_out, to());
    check.write(right_names, right_out, to());
    rectifier->remap_pair(left, right, left_out, right_out, order);
  }
  void one(RigCamera camera, const RectifyInput& in, const RectifyOutput& out, const backend::Order& order = {}) {
    const ViewNames& names = names_of(camera);
    PictureCheck check(taker());
    check.read(names.in, in, from());
    check.write(names, out, to());
    rectifier->remap(camera, in, out, order);
  }
  /// Of a call that waits for nothing on the host.
  backend::Order order(std::span<const DeviceEvent> after) const {
    backend::check_events(after, taker());
    return {after, backend::handle(backend::of(device).new_event())};
  }
  static const ViewNames& names_of(RigCamera camera) { return camera == RigCamera::left ? left_names : right_names; }
  static void refuse_host_memory(RigCamera camera, const RectifyOutput& out) {
    if (!out.on_device()) backend::refuse_host_memory(names_of(camera).out, "rectify()");
  }
  DeviceEvent submit_one(RigCamera camera, const RectifyInput& in, const RectifyOutput& out,
                         std::span<const DeviceEvent> after) {
    refuse_host_memory(camera, out);
    const backend::Order when = order(after);
    one(camera, in, out, when);
    return when.done;
  }
  backend::ImageTaker taker() const { return {"rectifier", backend::of(device).space(), device.name()}; }
  Size from() const { return plan->left.source; }
  Size to() const { return plan->rig.projections.size; }

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
  impl_->both(left, right, left_out, right_out);
}
void StereoRectifier::rectify_left(const RectifyInput& in, const RectifyOutput& out) {
  impl_->one(RigCamera::left, in, out);
}
void StereoRectifier::rectify_right(const RectifyInput& in, const RectifyOutput& out) {
  impl_->one(RigCamera::right, in, out);
}
DeviceEvent StereoRectifier::submit(const RectifyInput& left, const RectifyInput& right, const RectifyOutput& left_out,
                                    const RectifyOutput& right_out, std::span<const DeviceEvent> after) {
  Impl::refuse_host_memory(RigCamera::left, left_out);
  Impl::refuse_host_memory(RigCamera::right, right_out);
  const backend::Order when = impl_->order(after);
  impl_->both(left, right, left_out, right_out, when);
  return when.done;
}
DeviceEvent StereoRectifier::submit_left(const RectifyInput& in, const RectifyOutput& out,
                                         std::span<const DeviceEvent> after) {
  return impl_->submit_one(RigCamera::left, in, out, after);
}
DeviceEvent StereoRectifier::submit_right(const RectifyInput& in, const RectifyOutput& out,
                                          std::span<const DeviceEvent> after) {
  return impl_->submit_one(RigCamera::right, in, out, after);
}
ImageView<const std::uint8_t> StereoRectifier::left_mask() const { return std::as_const(impl_->left_mask); }
ImageView<const std::uint8_t> StereoRectifier::right_mask() const { return std::as_const(impl_->right_mask); }
const RectifiedRig& StereoRectifier::rig() const { return impl_->plan->rig; }
Size StereoRectifier::size() const { return impl_->to(); }
Size StereoRectifier::source_size() const { return impl_->from(); }
std::size_t StereoRectifier::memory() const {
  const RectifyPlan& plan = *impl_->plan;
  return bytes_in(plan.left.x) + bytes_in(plan.left.y) + bytes_in(plan.right.x) + bytes_in(plan.right.y) +
         bytes_in(impl_->left_mask) + bytes_in(impl_->right_mask) + impl_->rectifier->memory();
}

}  // namespace vergence
