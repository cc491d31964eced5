// SPDX-License-Identifier: Apache-2.0
// The stage `source` on a GPU: masks are uploaded once; one launch.
#include "gpu/grid.hpp"
#include "gpu/postfilter/stages.hpp"

namespace vergence::gpu {
namespace {

std::unique_ptr<Buffer> uploaded_mask(Device& device, Queue& queue, const Image<std::uint8_t>& mask) {
  const auto row = static_cast<std::size_t>(mask.width()), rows = static_cast<std::size_t>(mask.height());
  auto buffer = device.allocate(row * rows);
  queue.upload(*buffer, {0, row, mask.stride(), row, rows}, mask.row(0));
  return buffer;
}

}  // namespace

SourceBuffers::SourceBuffers(const StereoPlan& plan, Device& device, Queue& queue)
    : left(uploaded_mask(device, queue, plan.masks->left)), right(uploaded_mask(device, queue, plan.masks->right)) {
  queue.finish();
}

struct SourceStage::Impl {
  Impl(const StereoPlan& plan, Programs& programs, bool wide)
      : grid(plan.size, programs.device().properties()), left(plan.matches_left()) {
    const Defines defines =
        grid.defines().set("MAP", wide ? "int" : "short").set("INVALID", plan.invalid).set("LEFT", left ? 1 : 0);
    match = &programs.kernel("postfilter/source.cl", defines, "source_match");
    pixel = &programs.kernel("postfilter/source.cl", defines, "source_pixel");
  }
  Grid grid;
  bool left;  ///< The reference picture is the left one.
  const Kernel *match, *pixel;
};

SourceStage::SourceStage(const StereoPlan& plan, Programs& programs, bool wide)
    : impl_(std::make_unique<Impl>(plan, programs, wide)) {}
SourceStage::~SourceStage() = default;

void SourceStage::run(Queue& queue, Buffer& map, const SourceBuffers& masks, SourceRule rule) {
  const Buffer& own = impl_->left ? *masks.left : *masks.right;
  const Buffer& other = impl_->left ? *masks.right : *masks.left;
  if (rule == SourceRule::pixel)
    impl_->grid.run(queue, *impl_->pixel, {map, own});
  else
    impl_->grid.run(queue, *impl_->match, {map, own, other});
}

}  // namespace vergence::gpu
