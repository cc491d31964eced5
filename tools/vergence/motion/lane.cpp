// SPDX-License-Identifier: Apache-2.0
// One search of a video's frames.
#include "motion/lane.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace vergence::cli {
namespace {

GreyPicture picture_like(const GreyPicture& other) {
  GreyPicture picture;
  picture.depth = other.depth;
  if (other.depth == Depth::u8)
    picture.u8 = Image<std::uint8_t>(other.size());
  else
    picture.u16 = Image<std::uint16_t>(other.size());
  return picture;
}

MotionPlane plane_of(ChromaFormat chroma) {
  if (chroma == ChromaFormat::c420) return MotionPlane::chroma_420;
  return chroma == ChromaFormat::c422 ? MotionPlane::chroma_422 : MotionPlane::chroma_444;
}

/// Into `picture`, whose memory is used again.
void predict_plane(MotionEstimator& estimator, const GreyPicture& reference, const Image<MotionVector>& vectors,
                   MotionPlane plane, GreyPicture& picture) {
  if (picture.size() != reference.size() || picture.depth != reference.depth) picture = picture_like(reference);
  picture.max_value = reference.max_value;
  if (reference.depth == Depth::u8)
    estimator.predict(reference, vectors, picture.u8, plane);
  else
    estimator.predict(reference, vectors, picture.u16, plane);
}

BlockField make_field(Size block, Size size, const MotionWants& wants) {
  const Size grid = grid_of(size, block);
  BlockField field;
  field.block = block;
  field.vectors = Image<MotionVector>(grid);
  field.cost = Image<std::uint64_t>(grid);
  if (wants.j) field.j = Image<std::uint64_t>(grid);
  if (wants.second_j) field.second_j = Image<std::uint64_t>(grid);
  if (wants.confidence) field.confidence = Image<std::uint8_t>(grid);
  if (!wants.check) return field;
  field.consistent = Image<std::uint8_t>(grid);
  field.back = Image<MotionVector>(grid);
  return field;
}

void copy(const Image<MotionVector>& from, Image<MotionVector>& to) {
  if (to.empty() && !from.empty()) to = Image<MotionVector>(from.size());
  for (int y = 0; y < from.height(); ++y) std::copy_n(from.row(y), from.width(), to.row(y));
}

}  // namespace

Size grid_of(Size size, Size block) {
  return {(size.width + block.width - 1) / block.width, (size.height + block.height - 1) / block.height};
}

bool carries_on(const MotionOptions& options, const MotionWants& wants) {
  return uses_previous(options) && !wants.independent;
}

MotionOutput maps_of(BlockField& field) {
  return {field.vectors.view(), field.cost.view(), field.j.view(), field.second_j.view(), field.confidence.view()};
}

FoundMotion make_found(Size size, const MotionOptions& options, const MotionWants& wants) {
  FoundMotion found;
  if (wants.all_sizes)
    for (const int side : MotionSizesEstimator::sides) found.fields.push_back(make_field({side, side}, size, wants));
  else
    found.fields.push_back(make_field(options.block, size, wants));
  return found;
}

MotionLane::MotionLane(const Device& device, Size size, const MotionOptions& options, const MotionWants& wants)
    : options_(options), wants_(wants) {
  if (wants.all_sizes)
    sizes_.emplace(device, size, sizes_options(options));
  else
    estimator_.emplace(device, size, options);
}

std::size_t MotionLane::memory() const { return sizes_ ? sizes_->memory() : estimator_->memory(); }
void MotionLane::measure(bool on) { sizes_ ? sizes_->measure(on) : estimator_->measure(on); }
std::optional<DeviceTimes> MotionLane::times() { return sizes_ ? sizes_->times() : estimator_->times(); }

ImageView<const MotionVector> MotionLane::previous_of(std::size_t index, bool back) const {
  if (previous_.empty()) return {};
  return back ? previous_[index].back.view() : previous_[index].vectors.view();
}

void MotionLane::compute(const GreyPicture& current, const GreyPicture& reference, FoundMotion& found, bool back) {
  const auto output_of = [&](std::size_t index) {
    BlockField& field = found.fields[index];
    return back ? MotionOutput{.vectors = field.back} : cli::maps_of(field);
  };
  if (!sizes_) return estimator_->compute({current, reference, previous_of(0, back)}, output_of(0));
  MotionSizesInput input{current, reference, {}};
  MotionSizesOutput output;
  for (std::size_t i = 0; i < output.size(); ++i) {
    input.previous[i] = previous_of(i, back);
    output[i] = output_of(i);
  }
  sizes_->compute(input, output);
}

void MotionLane::search(const GreyPicture& current, const GreyPicture& reference, FoundMotion& found) {
  compute(current, reference, found, false);
}

void MotionLane::check(const YuvFrame& current, const YuvFrame& reference, FoundMotion& found) {
  compute(reference.luma, current.luma, found, true);
  for (BlockField& field : found.fields) {
    check_motion(field.vectors.view(), field.back.view(), current.luma.size(), field.block, *wants_.check,
                 field.consistent.view());
    for (int y = 0; y < field.consistent.height(); ++y)
      for (int x = 0; x < field.consistent.width(); ++x) found.report.consistent += field.consistent(x, y);
  }
}

void MotionLane::predict(const YuvFrame& reference, FoundMotion& found) {
  if (!found.prediction) found.prediction = std::make_shared<YuvFrame>();
  if (wants_.all_sizes) return;
  YuvFrame& prediction = *found.prediction;
  const Image<MotionVector>& vectors = found.fields.front().vectors;
  prediction.full_range = reference.full_range;
  predict_plane(*estimator_, reference.luma, vectors, MotionPlane::luma, prediction.luma);
  if (!wants_.chroma || reference.chroma == ChromaFormat::none) return;
  prediction.chroma = reference.chroma;
  predict_plane(*estimator_, reference.cb, vectors, plane_of(reference.chroma), prediction.cb);
  predict_plane(*estimator_, reference.cr, vectors, plane_of(reference.chroma), prediction.cr);
}

void MotionLane::keep(const FoundMotion& found) {
  if (!carries_on(options_, wants_)) return;
  previous_.resize(found.fields.size());
  for (std::size_t i = 0; i < previous_.size(); ++i) {
    copy(found.fields[i].vectors, previous_[i].vectors);
    copy(found.fields[i].back, previous_[i].back);
  }
}

void MotionLane::finish(std::int64_t frame, const YuvFrame& current, const YuvFrame& reference, FoundMotion& found) {
  FieldReport& report = found.report;
  report = {};
  report.frame = frame;
  if (wants_.check) check(current, reference, found);
  // With all sizes, of the smallest blocks.
  const BlockField& field = found.fields.front();
  for (int y = 0; y < field.cost.height(); ++y)
    for (int x = 0; x < field.cost.width(); ++x) report.cost += field.cost(x, y);
  report.entropy = vector_entropy(field.vectors.view());
  predict(reference, found);
  keep(found);
}

void MotionLane::score(const YuvFrame& current, FoundMotion& found) const {
  if (wants_.all_sizes) return;
  FieldReport& report = found.report;
  const auto compare = [&](auto frame, auto predicted, int max_value) {
    report.score = score_prediction(frame, predicted, max_value, wants_.ssim);
    // Most residues are too small for a cut, which needs no other look at the frame.
    report.cut = 64 * report.score.residue > static_cast<std::uint64_t>(frame.width()) *
                                                 static_cast<std::uint64_t>(frame.height()) *
                                                 static_cast<std::uint64_t>(max_value) &&
                 is_scene_cut(frame, predicted, max_value);
  };
  const GreyPicture& luma = current.luma;
  const GreyPicture& predicted = found.prediction->luma;
  if (luma.depth == Depth::u8)
    compare(luma.u8.view(), predicted.u8.view(), 255);
  else
    compare(luma.u16.view(), predicted.u16.view(), options_.max_value);
}

}  // namespace vergence::cli
