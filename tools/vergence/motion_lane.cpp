// SPDX-License-Identifier: Apache-2.0
// One search along a video.
#include "motion_lane.hpp"

#include <array>
#include <utility>

namespace vergence::cli {
namespace {

GreyPicture picture_like(const GreyPicture& other, Size size) {
  GreyPicture picture;
  picture.depth = other.depth;
  picture.max_value = other.max_value;
  if (other.depth == Depth::u8)
    picture.u8 = Image<std::uint8_t>(size);
  else
    picture.u16 = Image<std::uint16_t>(size);
  return picture;
}

MotionPlane plane_of(ChromaFormat chroma) {
  if (chroma == ChromaFormat::c420) return MotionPlane::chroma_420;
  return chroma == ChromaFormat::c422 ? MotionPlane::chroma_422 : MotionPlane::chroma_444;
}

GreyPicture predict_plane(MotionEstimator& estimator, const GreyPicture& reference, const Image<MotionVector>& vectors,
                          MotionPlane plane) {
  GreyPicture picture = picture_like(reference, reference.size());
  if (reference.depth == Depth::u8)
    estimator.predict(reference.u8.view(), vectors.view(), picture.u8.view(), plane);
  else
    estimator.predict(reference.u16.view(), vectors.view(), picture.u16.view(), plane);
  return picture;
}

BlockField make_field(Size block, Size grid, const MotionWants& wants) {
  BlockField field;
  field.block = block;
  field.vectors = Image<MotionVector>(grid);
  field.previous = Image<MotionVector>(grid);
  field.cost = Image<std::uint64_t>(grid);
  if (wants.j) field.j = Image<std::uint64_t>(grid);
  if (wants.second_j) field.second_j = Image<std::uint64_t>(grid);
  if (wants.confidence) field.confidence = Image<std::uint8_t>(grid);
  if (!wants.check) return field;
  field.consistent = Image<std::uint8_t>(grid);
  field.back = Image<MotionVector>(grid);
  field.previous_back = Image<MotionVector>(grid);
  return field;
}

}  // namespace

MotionLane::MotionLane(const Device& device, Size size, const MotionOptions& options, const MotionWants& wants)
    : options_(options), wants_(wants), estimator_(device, size, options) {
  if (!options.all_sizes) {
    fields_.push_back(make_field(options.block, estimator_.blocks(), wants));
    return;
  }
  for (std::size_t i = 0; i < MotionEstimator::all_sizes.size(); ++i) {
    const int side = MotionEstimator::all_sizes[i];
    fields_.push_back(make_field({side, side}, estimator_.blocks_of_size(static_cast<int>(i)), wants));
  }
}

MotionMaps MotionLane::maps_of(BlockField& field, bool back) const {
  MotionMaps maps;
  maps.vectors = back ? field.back.view() : field.vectors.view();
  if (has_previous_) maps.previous = back ? field.previous_back.view() : field.previous.view();
  if (back) return maps;
  maps.cost = field.cost.view();
  maps.j = field.j.view();
  maps.second_j = field.second_j.view();
  maps.confidence = field.confidence.view();
  return maps;
}

void MotionLane::compute(const GreyPicture& current, const GreyPicture& reference, bool back) {
  const bool narrow = current.depth == Depth::u8;
  if (options_.all_sizes) {
    MotionEstimator::SizeMaps maps;
    for (std::size_t i = 0; i < maps.size(); ++i) maps[i] = maps_of(fields_[i], back);
    if (narrow)
      estimator_.compute_sizes(current.u8.view(), reference.u8.view(), maps);
    else
      estimator_.compute_sizes(current.u16.view(), reference.u16.view(), maps);
    return;
  }
  const MotionMaps maps = maps_of(fields_.front(), back);
  if (narrow)
    estimator_.compute(current.u8.view(), reference.u8.view(), maps);
  else
    estimator_.compute(current.u16.view(), reference.u16.view(), maps);
}

void MotionLane::start_next() {
  finished_ = false;
  has_previous_ = true;
  for (BlockField& field : fields_) {
    std::swap(field.vectors, field.previous);
    std::swap(field.back, field.previous_back);
  }
}

void MotionLane::search(const GreyPicture& current, const GreyPicture& reference) {
  if (finished_) start_next();
  compute(current, reference, false);
}

void MotionLane::predict(const YuvFrame& reference) {
  prediction_ = std::make_shared<YuvFrame>();
  if (options_.all_sizes) return;
  const Image<MotionVector>& vectors = fields_.front().vectors;
  prediction_->full_range = reference.full_range;
  prediction_->luma = predict_plane(estimator_, reference.luma, vectors, MotionPlane::luma);
  if (!wants_.chroma || reference.chroma == ChromaFormat::none) return;
  prediction_->chroma = reference.chroma;
  prediction_->cb = predict_plane(estimator_, reference.cb, vectors, plane_of(reference.chroma));
  prediction_->cr = predict_plane(estimator_, reference.cr, vectors, plane_of(reference.chroma));
}

FieldReport MotionLane::finish(std::int64_t frame, const YuvFrame& current, const YuvFrame& reference) {
  FieldReport report;
  report.frame = frame;
  if (wants_.check) {
    compute(reference.luma, current.luma, true);
    for (BlockField& field : fields_) {
      check_motion(field.vectors.view(), field.back.view(), current.luma.size(), field.block, *wants_.check,
                   field.consistent.view());
      for (int y = 0; y < field.consistent.height(); ++y)
        for (int x = 0; x < field.consistent.width(); ++x) report.consistent += field.consistent(x, y);
    }
  }
  // With all sizes, of the smallest blocks.
  const BlockField& field = fields_.front();
  for (int y = 0; y < field.cost.height(); ++y)
    for (int x = 0; x < field.cost.width(); ++x) report.cost += field.cost(x, y);
  report.entropy = vector_entropy(field.vectors.view());
  predict(reference);
  finished_ = true;
  if (options_.all_sizes) return report;
  const GreyPicture& luma = current.luma;
  if (luma.depth == Depth::u8) {
    report.score = score_prediction(luma.u8.view(), prediction_->luma.u8.view());
    report.cut = is_scene_cut(luma.u8.view(), prediction_->luma.u8.view());
  } else {
    report.score = score_prediction(luma.u16.view(), prediction_->luma.u16.view(), options_.max_value);
    report.cut = is_scene_cut(luma.u16.view(), prediction_->luma.u16.view(), options_.max_value);
  }
  return report;
}

}  // namespace vergence::cli
