// SPDX-License-Identifier: Apache-2.0
// Calls of MotionEstimator and MotionStream: takes arrays, lets the library work without the GIL.
#include "motion.hpp"

#include <fmt/format.h>

#include <utility>

#include "vergence/error.hpp"

namespace vergence::python {
namespace {

constexpr auto quarter_type = element_type<std::int16_t>();
constexpr const char* vectors_name = "vectors";

void check_vectors(const Array& array) {
  array.check({quarter_type}, 3, ": (rows, columns, 2) of int16, in quarter px (raw=True gives them)");
}

}  // namespace

MotionMaps::MotionMaps(const MotionWants& wants, Size blocks) {
  const auto shape = {std::int64_t{blocks.height}, std::int64_t{blocks.width}};
  const auto pairs = {std::int64_t{blocks.height}, std::int64_t{blocks.width}, std::int64_t{2}};
  vectors = needed_map(wants.vectors, vectors_name, wants.raw ? quarter_type : element_type<float>(), pairs);
  vectors.array.check({element_type<float>(), quarter_type}, 3);
  static_cast<void>(vectors.array.whole());
  const auto words = element_type<std::uint64_t>();
  cost = map_of(wants.cost, "cost map", words, shape);
  j = map_of(wants.j, "j map", words, shape);
  second_j = map_of(wants.second_j, "second_j map", words, shape);
  confidence = map_of(wants.confidence, "confidence map", element_type<std::uint8_t>(), shape);
  if (vectors.array.type() == quarter_type) {
    output.vectors = {static_cast<MotionVector*>(vectors.array.whole()), blocks.width, blocks.height};
  } else {
    quarters = Image<MotionVector>(blocks);
    output.vectors = quarters;
  }
  output.cost = map_view<std::uint64_t>(cost);
  output.j = map_view<std::uint64_t>(j);
  output.second_j = map_view<std::uint64_t>(second_j);
  output.confidence = map_view<std::uint8_t>(confidence);
}

void MotionMaps::convert() {
  if (quarters.empty()) return;
  auto* out = static_cast<float*>(vectors.array.whole());
  for (int y = 0; y < quarters.height(); ++y)
    for (int x = 0; x < quarters.width(); ++x) {
      *out++ = static_cast<float>(quarters(x, y).dx) / 4.0F;
      *out++ = static_cast<float>(quarters(x, y).dy) / 4.0F;
    }
}

MotionResult MotionMaps::result() const {
  return {vectors.object, cost.object, j.object, second_j.object, confidence.object};
}

ImageView<const MotionVector> vectors_view(const Array& array) {
  check_vectors(array);
  return vectors_view(array, {static_cast<int>(array.length(1)), static_cast<int>(array.length(0))});
}

ImageView<const MotionVector> vectors_view(const Array& array, Size blocks) {
  check_vectors(array);
  if (array.length(0) != blocks.height || array.length(1) != blocks.width || array.length(2) != 2)
    refuse(fmt::format("{} has the shape {}: ({}, {}, 2) is needed, one vector a block", array.what(),
                       array.shape_text(), blocks.height, blocks.width));
  return {static_cast<const MotionVector*>(array.whole()), blocks.width, blocks.height};
}

Estimator::Estimator(const Device& device, std::unique_ptr<MotionEstimator> estimator)
    : device_(device), estimator_("MotionEstimator", std::move(estimator)) {}

MotionResult Estimator::compute(nb::handle current, nb::handle reference, nb::handle previous,
                                const MotionWants& wants) {
  auto estimator = estimator_.use();
  const Array now(current, "current frame", Array::Access::read);
  const Array before(reference, "reference frame", Array::Access::read);
  Array field;
  MotionInput input{picture(now, device_, estimator->size()), picture(before, device_, estimator->size()), {}};
  if (!previous.is_none()) {
    field = Array(previous, "previous vectors", Array::Access::read);
    input.previous = vectors_view(field, estimator->blocks());
  }
  MotionMaps maps(wants, estimator->blocks());
  without_gil([&] {
    estimator->compute(input, maps.output);
    maps.convert();
  });
  return maps.result();
}

nb::object Estimator::predict(nb::handle reference, nb::handle vectors, nb::handle prediction) {
  auto estimator = estimator_.use();
  const Array from(reference, "reference frame", Array::Access::read);
  const Array field(vectors, vectors_name, Array::Access::read);
  const Size size = estimator->size();
  const PictureRef read = picture(from, device_, size);
  const Map map = needed_map(prediction, "prediction", from.type(), {size.height, size.width});
  const WritablePictureRef written = written_picture(map.array, device_);
  const auto view = vectors_view(field, estimator->blocks());
  without_gil([&] { estimator->predict(read, view, written); });
  return map.object;
}

Stream::Stream(const Device& device, const MotionOptions& options, std::unique_ptr<MotionStream> stream)
    : device_(device), options_(options), stream_("MotionStream", std::move(stream)) {}

std::shared_ptr<MotionFrame> Stream::enqueue(nb::handle object, const MotionWants& wants) {
  auto stream = stream_.use();
  // The frame before one under way is still read.
  while (flights_.size() > MotionStream::most_in_flight) {
    wait_once(*flights_[1]);
    flights_.pop_front();
  }
  auto frame = std::make_shared<MotionFrame>();
  frame->frame = Array(object, "frame", Array::Access::read);
  const PictureRef read = picture(frame->frame, device_, stream->size());
  frame->maps = std::make_unique<MotionMaps>(wants, stream->blocks());
  frame->pending = without_gil([&] { return stream->enqueue(read, frame->maps->output); });
  flights_.push_back(frame);
  return frame;
}

void Stream::wait_once(MotionFrame& frame) const {
  if (frame.done) return;
  without_gil([&] {
    try {
      frame.measured = frame.pending.wait();
      frame.maps->convert();
    } catch (...) {
      frame.error = std::current_exception();
    }
  });
  frame.done = true;
}

nb::object Stream::wait(MotionFrame& frame) {
  if (!frame.done) {
    const auto in_use = stream_.use();
    wait_once(frame);
  }
  if (frame.error) std::rethrow_exception(frame.error);
  return frame.measured ? nb::cast(frame.maps->result()) : nb::none();
}

void Stream::restart() {
  auto stream = stream_.use();
  for (const auto& frame : flights_) wait_once(*frame);
  flights_.clear();
  without_gil([&] { stream->restart(); });
}

void Stream::finish() noexcept {
  try {
    const auto in_use = stream_.use();
    for (const auto& frame : flights_) wait_once(*frame);
  } catch (...) {  // another thread uses it, or this is a forked child: nothing can be done at exit
    return;
  }
}

}  // namespace vergence::python
