// SPDX-License-Identifier: Apache-2.0
// backend::Motion on a GPU: uploads two frames, runs the stages one after the other on the device, and downloads what
// was asked for.
#include "gpu/motion/motion.hpp"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "definitions/motion/pyramid.h"
#include "gpu/motion/all_sizes.hpp"
#include "gpu/motion/frames.hpp"
#include "gpu/motion/search.hpp"
#include "gpu/motion/stages.hpp"

namespace vergence::gpu {
namespace {

template <class T>
Rows rows_of(ImageView<T> view, std::size_t pitch = 0) {
  const std::size_t row = static_cast<std::size_t>(view.width()) * sizeof(T);
  return {0, pitch > 0 ? pitch : row, view.stride(), row, static_cast<std::size_t>(view.height())};
}

constexpr int most_places = 16;  ///< Of frames on the device, so that keys of commands tell them apart.

/// One block size: what is known of its blocks, and the stages that find it.
struct Field {
  Field(const MotionPlan& plan, std::size_t index, Programs& programs, const MotionTuning& tuning)
      : block(plan.blocks[index]), buffers(plan.grids[index], programs.device()), predictions(buffers.predictions) {
    if (!AllSizes::serves(plan, programs.device().properties(), tuning))
      search = std::make_unique<BlockSearch>(plan, block, programs, tuning);
    if (plan.options.subpel != MotionSubpel::none)
      refine = std::make_unique<MotionRefine>(plan, block, programs, tuning);
  }
  Size block;
  MotionBuffers buffers;
  std::shared_ptr<Buffer> predictions;  ///< For those that are given.
  std::unique_ptr<BlockSearch> search;  ///< Null where one pass finds all sizes.
  std::unique_ptr<MotionRefine> refine;
  std::unique_ptr<MotionConfidence> confidence;  ///< Made when it is first asked for.
  MotionMaps maps;
};

class Motion final : public backend::Motion {
 public:
  /// `frames` may be null: then they are not shared.
  Motion(const MotionPlan& plan, Programs programs, std::shared_ptr<Device> device, const MotionTuning& tuning,
         std::shared_ptr<MotionFrames> frames)
      : plan_(plan),
        device_(std::move(device)),
        tuning_(tuning),
        programs_(std::move(programs)),
        queue_(device_->make_queue()),
        pixel_bytes_(plan.options.depth == Depth::u8 ? 1 : 2),
        done_(device_->new_event()),
        frames_(std::move(frames)) {
    const int coarse = coarse_levels(plan_);
    Size size = plan_.size;
    for (int level = 0; level <= coarse; ++level) {
      levels_.emplace_back(size, pixel_bytes_);
      size = {definitions::half_side(size.width), definitions::half_side(size.height)};
    }
    if (frames_ == nullptr) frames_ = std::make_shared<MotionFrames>(plan_, levels_.size(), *device_);
    if (coarse > 0) pyramid_ = std::make_unique<MotionPyramid>(plan_, programs_);
    fields_.reserve(plan_.blocks.size());
    for (std::size_t i = 0; i < plan_.blocks.size(); ++i) fields_.emplace_back(plan_, i, programs_, tuning_);
    if (fields_.front().search == nullptr) sizes_ = std::make_unique<AllSizes>(plan_, programs_, tuning_, false);
  }

  void begin(const backend::MotionPair& pair, std::span<const MotionMaps> maps) override {
    int key = 0;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      Field& field = fields_[i];
      field.maps = maps[i];
      // What is wanted for the first time is compiled before any command of the frame.
      if (!maps[i].second_j.empty()) prepare_second(field);
      if (!maps[i].confidence.empty() && field.confidence == nullptr)
        field.confidence = std::make_unique<MotionConfidence>(plan_, field.block, programs_, tuning_);
      key = 8 * key + (maps[i].previous.empty() ? 0 : 1) + (maps[i].second_j.empty() ? 0 : 2) +
            (maps[i].confidence.empty() ? 0 : 4);
    }
    // The last current frame, with its coarse levels and its field, becomes the reference where it lies.
    pair_ = frames_->take(pair.follows);
    continues_ = pair.continues && pair_.follows;
    place_frames();
    if (plan_.options.depth == Depth::u8)
      upload(pair.current8, pair.reference8);
    else
      upload(pair.current16, pair.reference16);
    for (Field& field : fields_)
      if (const auto& previous = field.maps.previous; !previous.empty())
        queue_->upload(*field.buffers.predictions, rows_of(previous), previous.data());
    // A captured graph knows its buffers.
    key = 4 * key + (pair_.follows ? 2 : 0) + (continues_ ? 1 : 0);
    key = (key * most_places + static_cast<int>(pair_.current)) * most_places + static_cast<int>(pair_.reference);
    make_ready(key);
    queue_->begin_capture(2 * key + 1);
  }

  void search() override {
    if (sizes_ != nullptr) return search_sizes();
    for (Field& field : fields_)
      field.search->run(*queue_, levels_, field.buffers, predicted(field), !field.maps.second_j.empty());
  }
  void refine() override {
    for (Field& field : fields_) field.refine->run(*queue_, levels_.front(), field.buffers, predicted(field));
  }
  void confidence() override {
    for (Field& field : fields_)
      if (!field.maps.confidence.empty()) field.confidence->run(*queue_, levels_.front(), field.buffers);
  }
  void finish() override {
    submit();
    wait();
  }
  void submit() override {
    queue_->end_capture();
    MotionFrames::Place& place = frames_->at(pair_.current);
    if (is_shared()) queue_->set(*place.found);
    for (const Field& field : fields_) {
      const MotionMaps& maps = field.maps;
      download(*field.buffers.vectors, maps.vectors);
      download(*field.buffers.costs, maps.cost);
      download(*field.buffers.j, maps.j);
      download(*field.buffers.second, maps.second_j);
      download(*field.buffers.confidences, maps.confidence);
    }
    queue_->flush();
    if (is_shared()) {
      queue_->set(*done_);
      place.readers[0] = frames_->at(pair_.reference).readers[1] = done_;
    }
    frames_->done(pair_);
  }
  void wait() override { queue_->collect(); }
  std::unique_ptr<backend::Motion> another() const override {
    if (device_->properties().is_cpu) return nullptr;  // all its cores work on one frame
    frames_->add(*device_);
    queue_->finish();  // it set no events behind what it did alone
    return std::make_unique<Motion>(plan_, Programs(device_), device_, tuning_, frames_);
  }
  bool keeps_frames() const override { return true; }

  void predict(const backend::MotionPrediction& plane) override {
    if (plan_.options.depth == Depth::u8)
      predict_plane(plane.reference8, plane.vectors, plane.scale, plane.prediction8);
    else
      predict_plane(plane.reference16, plane.vectors, plane.scale, plane.prediction16);
  }

  void measure(bool on) override { queue_->measure(on); }
  std::optional<DeviceTimes> times() override { return programs_.take_times(*queue_); }
  std::size_t memory() const override { return 0; }  // host memory: the queue's staging alone

 private:
  void prepare_second(Field& field) {
    if (field.search != nullptr) return field.search->prepare_second(programs_);
    if (size_second_best_ == nullptr) size_second_best_ = std::make_unique<AllSizes>(plan_, programs_, tuning_, true);
  }
  void search_sizes() {
    AllSizes::Fields fields{};
    bool want_second = false;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      fields[i] = {&fields_[i].buffers, predicted(fields_[i])};
      want_second = want_second || !fields_[i].maps.second_j.empty();
    }
    sizes_->run(*queue_, levels_.front(), fields);
    if (want_second) size_second_best_->run(*queue_, levels_.front(), fields);
  }
  bool predicted(const Field& field) const { return continues_ || !field.maps.previous.empty(); }
  /// Others may be at work on frames of theirs, in queues of their own.
  bool is_shared() const { return frames_.use_count() > 1; }

  /// The frames' buffers are this call's; what is written waits for those who read it.
  void place_frames() {
    MotionFrames::Place &current = frames_->at(pair_.current), &reference = frames_->at(pair_.reference);
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      levels_[i].current = current.levels[i];
      levels_[i].reference = reference.levels[i];
    }
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      fields_[i].buffers.vectors = current.fields[i];
      fields_[i].buffers.predictions = continues_ ? reference.fields[i] : fields_[i].predictions;
    }
    if (!is_shared()) return;
    for (const MotionFrames::Place* written : {&current, pair_.follows ? nullptr : &reference})
      if (written != nullptr)
        for (const std::shared_ptr<Event>& reader : written->readers)
          if (reader != nullptr) queue_->wait_for(*reader);
  }
  /// Makes coarse levels, and tells the others; waits for what others make of the reference.
  void make_ready(int key) {
    if (pyramid_ != nullptr) {
      queue_->begin_capture(2 * key);
      pyramid_->run(*queue_, levels_, !pair_.follows);
      queue_->end_capture();
    }
    if (!is_shared()) return;
    MotionFrames::Place& reference = frames_->at(pair_.reference);
    queue_->set(*frames_->at(pair_.current).ready);
    if (!pair_.follows) queue_->set(*reference.ready);
    if (pair_.follows) queue_->wait_for(*reference.ready);
    if (continues_) queue_->wait_for(*reference.found);
  }

  template <class P>
  void upload(ImageView<const P> current, ImageView<const P> reference) {
    MotionLevel& frames = levels_.front();
    const std::size_t pitch = static_cast<std::size_t>(frames.pitch) * sizeof(P);
    queue_->upload(*frames.current, rows_of(current, pitch), current.data());
    if (!pair_.follows) queue_->upload(*frames.reference, rows_of(reference, pitch), reference.data());
  }
  template <class T>
  void download(const Buffer& from, ImageView<T> to) {
    if (!to.empty()) queue_->start_download(from, rows_of(to), to.data());
  }

  template <class P>
  void predict_plane(ImageView<const P> reference, ImageView<const MotionVector> vectors, const PlaneScale& scale,
                     ImageView<P> prediction) {
    const std::size_t index = scale.is_luma ? 0 : static_cast<std::size_t>(1 + 2 * scale.x + scale.y);
    std::unique_ptr<MotionPredict>& predict = predicts_[index];
    if (predict == nullptr) predict = std::make_unique<MotionPredict>(plan_, scale, programs_);
    const std::size_t pixels = static_cast<std::size_t>(plan_.size.width) * static_cast<std::size_t>(plan_.size.height);
    for (auto* const buffer : {&plane_, &prediction_})  // no plane has more pixels than the luma
      if (*buffer == nullptr) *buffer = device_->allocate(pixels * pixel_bytes_);
    if (vectors_ == nullptr) vectors_ = device_->allocate(fields_.front().predictions->bytes());
    queue_->upload(*plane_, rows_of(reference), reference.data());
    queue_->upload(*vectors_, rows_of(vectors), vectors.data());
    predict->run(*queue_, *plane_, *vectors_, *prediction_);
    queue_->download(*prediction_, rows_of(prediction), prediction.data());
  }

  MotionPlan plan_;
  std::shared_ptr<Device> device_;
  MotionTuning tuning_;
  Programs programs_;
  std::unique_ptr<Queue> queue_;
  std::size_t pixel_bytes_;
  std::shared_ptr<Event> done_;  ///< Behind the last call.
  std::shared_ptr<MotionFrames> frames_;
  MotionFrames::Pair pair_{};  ///< This call's.
  bool continues_ = false;     ///< Its prediction is the last one's field.
  std::vector<MotionLevel> levels_;
  std::unique_ptr<MotionPyramid> pyramid_;
  std::vector<Field> fields_;
  std::unique_ptr<AllSizes> sizes_, size_second_best_;      ///< In place of the fields' searches.
  std::array<std::unique_ptr<MotionPredict>, 5> predicts_;  ///< By plane; made when first asked for.
  std::unique_ptr<Buffer> plane_, vectors_, prediction_;
};

}  // namespace

std::unique_ptr<backend::Motion> make_motion(const MotionPlan& plan, const std::shared_ptr<Device>& device,
                                             const MotionTuning& tuning) {
  return std::make_unique<Motion>(plan, Programs(device), device, tuning, nullptr);
}

}  // namespace vergence::gpu
