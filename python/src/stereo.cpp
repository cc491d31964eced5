// SPDX-License-Identifier: Apache-2.0
// Calls of StereoMatcher: takes arrays, lets the library work without the GIL, gives float pixels.
#include "stereo.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "device.hpp"
#include "vergence/error.hpp"

namespace vergence::python {
namespace {

template <class T>
void to_float(const Image<T>& from, ImageView<float> to, int invalid) {
  for (int y = 0; y < to.height(); ++y) {
    const T* const in = from.row(y);
    float* const out = to.row(y);
    for (int x = 0; x < to.width(); ++x)
      out[x] = in[x] == invalid ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(in[x]) / 16.0F;
  }
}

constexpr const char* disparity_name = "disparity map";
constexpr const char* other_name = "other disparity map";

}  // namespace

Matcher::Matcher(const Device& device, std::unique_ptr<StereoMatcher> matcher)
    : device_(device), matcher_("StereoMatcher", std::move(matcher)) {}

std::shared_ptr<Sixteenths> Matcher::free_sixteenths() {
  for (const auto& one : pool_)
    if (one.use_count() == 1) return one;
  const Size size = constant().size();
  auto made = constant().needs_wide_output() ? std::make_shared<Sixteenths>(Image<std::int32_t>(size))
                                             : std::make_shared<Sixteenths>(Image<std::int16_t>(size));
  pool_.push_back(made);
  return made;
}

DisparityRef Matcher::disparity_map(const Map& map, std::shared_ptr<Sixteenths>& sixteenths) {
  if (!map.wanted()) return {};
  const ElementType type = map.array.type();
  map.array.check({element_type<float>(), element_type<std::int16_t>(), element_type<std::int32_t>()}, 2);
  if (type == element_type<std::int16_t>())
    return map_ref<std::int16_t>(map, device_, PixelType::i16).visit([](const auto& what) {
      return DisparityRef(what);
    });
  if (type == element_type<std::int32_t>())
    return map_ref<std::int32_t>(map, device_, PixelType::i32).visit([](const auto& what) {
      return DisparityRef(what);
    });
  static_cast<void>(map.array.view<float>());  // refuses what is not in host memory
  sixteenths = free_sixteenths();
  return std::visit([](auto& image) { return DisparityRef(image.view()); }, *sixteenths);
}

void Matcher::take_maps(const StereoWants& wants, StereoFrame& frame) {
  const Size size = constant().size();
  const bool device = frame.left.on_device();
  if (device && !wants.raw && wants.disparity.is_none())
    refuse(
        "the pictures lie in a device's memory, where disparities are int16 or int32 in 1/16 px: pass raw=True, or "
        "a float32 array of host memory as disparity");
  const Place place{device ? &device_ : nullptr, spare_};
  const ElementType raw = constant().needs_wide_output() ? element_type<std::int32_t>() : element_type<std::int16_t>();
  const ElementType disparity = wants.raw ? raw : element_type<float>();
  const auto shape = {std::int64_t{size.height}, std::int64_t{size.width}};
  const auto bytes = element_type<std::uint8_t>(), words = element_type<std::uint32_t>();
  frame.disparity = needed_map(wants.disparity, disparity_name, disparity, shape, place);
  frame.other_disparity = map_of(wants.other_disparity, other_name, disparity, shape, place);
  frame.mask = map_of(wants.mask, "mask", bytes, shape, place);
  frame.confidence = map_of(wants.confidence, "confidence map", bytes, shape, place);
  frame.cost = map_of(wants.cost, "cost map", words, shape, place);
  frame.second_cost = map_of(wants.second_cost, "second cost map", words, shape, place);
  frame.cost_before = map_of(wants.cost_before, "map of costs before", words, shape, place);
  frame.cost_after = map_of(wants.cost_after, "map of costs after", words, shape, place);
  frame.output = {disparity_map(frame.disparity, frame.sixteenths),
                  map_ref<std::uint8_t>(frame.mask, device_, PixelType::u8),
                  map_ref<std::uint8_t>(frame.confidence, device_, PixelType::u8),
                  map_ref<std::uint32_t>(frame.cost, device_, PixelType::u32),
                  map_ref<std::uint32_t>(frame.second_cost, device_, PixelType::u32),
                  map_ref<std::uint32_t>(frame.cost_before, device_, PixelType::u32),
                  map_ref<std::uint32_t>(frame.cost_after, device_, PixelType::u32),
                  disparity_map(frame.other_disparity, frame.other_sixteenths)};
}

Order Matcher::take(nb::handle left, nb::handle right, const StereoWants& wants, StereoFrame& frame) {
  const Size size = constant().size();
  frame.left = Array(left, "left picture", Array::Access::read);
  frame.right = Array(right, "right picture", Array::Access::read);
  frame.input = {picture(frame.left, device_, size), picture(frame.right, device_, size)};
  take_maps(wants, frame);
  Order order(device_);
  order.reads(frame.left);
  order.reads(frame.right);
  for (const Map* map : {&frame.disparity, &frame.mask, &frame.confidence, &frame.cost, &frame.second_cost,
                         &frame.cost_before, &frame.cost_after, &frame.other_disparity})
    order.writes(map->array);
  return order;
}

std::shared_ptr<StereoFrame> Matcher::enqueue(nb::handle left, nb::handle right, const StereoWants& wants) {
  auto matcher = matcher_.use();
  while (!flights_.empty() && (flights_.front()->done || flights_.size() >= StereoMatcher::most_in_flight)) {
    wait_once(*flights_.front());
    flights_.pop_front();
  }
  auto frame = std::make_shared<StereoFrame>();
  Order order = take(left, right, wants, *frame);
  const auto before = order.before();
  frame->pending = without_gil([&] { return matcher->enqueue(frame->input, frame->output, before); });
  flights_.push_back(frame);
  return frame;
}

StereoResult Matcher::compute(nb::handle left, nb::handle right, const StereoWants& wants) {
  auto matcher = matcher_.use();
  StereoFrame frame;
  Order order = take(left, right, wants, frame);
  const auto before = order.before();
  if (frame.output.disparity.on_device()) {
    last_ = without_gil([&] { return matcher->submit(frame.input, frame.output, before); });
    order.after(last_);
  } else {
    without_gil([&] {
      matcher->compute(frame.input, frame.output, before);
      convert(frame);
    });
  }
  return result(frame);
}

void Matcher::convert(StereoFrame& frame) const {
  const int invalid = constant().invalid();
  const auto one = [&](const std::shared_ptr<Sixteenths>& from, const Map& to) {
    if (from == nullptr) return;
    const auto view = to.array.view<float>();
    std::visit([&](const auto& image) { to_float(image, view, invalid); }, *from);
  };
  one(frame.sixteenths, frame.disparity);
  one(frame.other_sixteenths, frame.other_disparity);
}

void Matcher::wait_once(StereoFrame& frame) const {
  if (frame.done) return;
  without_gil([&] {
    try {
      frame.pending.wait();
      convert(frame);
    } catch (...) {
      frame.error = std::current_exception();
    }
  });
  frame.done = true;
  frame.sixteenths.reset();
  frame.other_sixteenths.reset();
  frame.left = Array();
  frame.right = Array();
  frame.input = {};
}

StereoResult Matcher::wait(StereoFrame& frame) {
  if (!frame.done) {
    const auto in_use = matcher_.use();
    wait_once(frame);
  }
  if (frame.error) std::rethrow_exception(frame.error);
  return result(frame);
}

void Matcher::finish() noexcept {
  try {
    const auto in_use = matcher_.use();
    for (const auto& frame : flights_) wait_once(*frame);
    flights_.clear();
    without_gil([&] { last_.wait(); });
  } catch (...) {  // another thread uses it, or this is a forked child: nothing can be done at exit
    return;
  }
}

StereoResult Matcher::result(const StereoFrame& frame) const {
  return {frame.disparity.object,   frame.mask.object,        frame.confidence.object, frame.cost.object,
          frame.second_cost.object, frame.cost_before.object, frame.cost_after.object, frame.other_disparity.object,
          constant().invalid()};
}

}  // namespace vergence::python
