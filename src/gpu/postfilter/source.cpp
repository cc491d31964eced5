// SPDX-License-Identifier: Apache-2.0
// Masks in device memory, and the stage `source`: one launch.
#include <algorithm>
#include <vector>

#include "gpu/grid.hpp"
#include "gpu/postfilter/stages.hpp"

namespace vergence::gpu {
namespace {

constexpr std::uint8_t all_show = 1, some_lack = 2;

/// The mask of a view as kernels/stereo/sources.h reads it.
Image<std::uint8_t> marked_mask(const StereoPlan& plan, StereoView view) {
  const bool left = view == StereoView::left;
  const Image<std::uint8_t>& own = plan.masks->of(view);
  const Image<std::uint8_t>& other = plan.masks->of(left ? StereoView::right : StereoView::left);
  const int width = plan.size.width, low = plan.options.min_disparity, high = plan.last_disparity();
  Image<std::uint8_t> marked(plan.size);
  std::vector<int> holes(static_cast<std::size_t>(width) + 1);  // left of each column
  for (int y = 0; y < plan.size.height; ++y) {
    for (int x = 0; x < width; ++x)
      holes[static_cast<std::size_t>(x) + 1] = holes[static_cast<std::size_t>(x)] + (other(x, y) == 0 ? 1 : 0);
    const auto before = [&](int x) { return holes[static_cast<std::size_t>(std::clamp(x, 0, width))]; };
    for (int x = 0; x < width; ++x) {
      const int first = left ? x - high : x + low, last = left ? x - low : x + high;
      marked(x, y) = own(x, y) == 0 ? std::uint8_t{0} : before(last + 1) > before(first) ? some_lack : all_show;
    }
  }
  return marked;
}

void upload_mask(const StereoPlan& plan, StereoView view, Queue& queue, Buffer& to) {
  const Image<std::uint8_t> mask = marked_mask(plan, view);
  const auto row = static_cast<std::size_t>(mask.width()), rows = static_cast<std::size_t>(mask.height());
  queue.upload(to, {0, row, mask.stride(), row, rows}, mask.row(0));
  queue.finish();
}

std::size_t pixels_of(Size size) {
  return static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height);
}

}  // namespace

SourceBuffers::SourceBuffers(const StereoPlan& plan, Device& device, Queue& queue)
    : left(device.allocate(pixels_of(plan.size))), right(device.allocate(pixels_of(plan.size))) {
  fill(plan, queue);
}
void SourceBuffers::fill(const StereoPlan& plan, Queue& queue) {
  upload_mask(plan, StereoView::left, queue, *left);
  upload_mask(plan, StereoView::right, queue, *right);
}

struct SourceStage::Impl {
  Impl(const StereoPlan& plan, Programs& programs, bool wide)
      : grid(plan.size, programs.device().properties()), reference(plan.options.reference) {
    kernel = &programs.kernel("postfilter/source.cl",
                              grid.defines().set("MAP", wide ? "int" : "short").set("INVALID", plan.invalid), "source");
  }
  Grid grid;
  StereoView reference;
  const Kernel* kernel;
};

SourceStage::SourceStage(const StereoPlan& plan, Programs& programs, bool wide)
    : impl_(std::make_unique<Impl>(plan, programs, wide)) {}
SourceStage::~SourceStage() = default;

void SourceStage::run(Queue& queue, Buffer& map, const SourceBuffers& masks) {
  impl_->grid.run(queue, *impl_->kernel, {map, masks.of(impl_->reference)});
}

}  // namespace vergence::gpu
