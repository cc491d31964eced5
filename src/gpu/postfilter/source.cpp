// SPDX-License-Identifier: Apache-2.0
// Masks in device memory, and the stage `source`: one launch.
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
