// SPDX-License-Identifier: Apache-2.0
// MotionSequence: the frames of a video one after the other, each against the one before it that the options name.
#include <fmt/format.h>

#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "vergence/error.hpp"
#include "vergence/motion.hpp"

namespace vergence {
namespace {

constexpr int most_distance = 64;

template <class P>
void copy(ImageView<const P> from, Image<P>& to) {
  for (int y = 0; y < from.height(); ++y)
    std::memcpy(to.row(y), from.row(y), sizeof(P) * static_cast<std::size_t>(from.width()));
}

/// The last `distance` frames as references, and what was made of the current one.
template <class P>
struct Frames {
  std::vector<Image<P>> kept;  ///< Frame t lies in t modulo distance.
  Image<P> reference;          ///< Of the last frame; taken out of `kept`, whose place the frame itself takes.
  Image<P> prediction;
};

}  // namespace

struct MotionSequence::Impl {
  Impl(const Device& device, Size size, const MotionOptions& options, const MotionSequenceOptions& chosen)
      : sequence(chosen), estimator(device, size, options) {
    if (sequence.distance < 1 || sequence.distance > most_distance)
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("distance is {}: allowed are 1 .. {} frames", sequence.distance, most_distance),
                  "distance");
    if (sequence.reference != MotionReference::original && sequence.reference != MotionReference::reconstruction)
      throw Error(
          ErrorCode::invalid_argument,
          fmt::format("reference has the unknown value {}: allowed are 0 .. 1", static_cast<int>(sequence.reference)),
          "reference");
    field = Image<MotionVector>(estimator.blocks(), MotionVector{});
    if (options.depth == Depth::u8)
      allocate(frames8);
    else
      allocate(frames16);
  }

  template <class P>
  void allocate(Frames<P>& frames) const {
    for (int i = 0; i < sequence.distance; ++i) frames.kept.emplace_back(estimator.size(), P{0});
    frames.reference = Image<P>(estimator.size(), P{0});
    frames.prediction = Image<P>(estimator.size(), P{0});
  }

  template <class P>
  Frames<P>& frames() {
    if constexpr (std::is_same_v<P, std::uint8_t>)
      return frames8;
    else
      return frames16;
  }

  template <class P>
  bool next(ImageView<const P> frame, const MotionOutput& output) {
    Frames<P>& all = frames<P>();
    check_frame(frame, all.kept.empty());
    Image<P>& place = all.kept[static_cast<std::size_t>(count % sequence.distance)];
    if (count < sequence.distance) {
      copy(frame, place);
      ++count;
      return false;
    }
    const bool repeats = sequence.distance == 1 && sequence.reference == MotionReference::original;
    estimator.compute_after(repeats ? last_call : 0, {frame, place, field}, output);
    last_call = estimator.calls();
    for (int y = 0; y < field.height(); ++y)
      for (int x = 0; x < field.width(); ++x) field(x, y) = output.vectors(x, y);
    std::swap(place, all.reference);
    has_prediction = false;
    has_reference = true;
    ++count;
    if (sequence.reference == MotionReference::original)
      copy(frame, place);
    else
      copy(prediction<P>(), place);
    return true;
  }

  bool is_wide() const { return estimator.options().depth == Depth::u16; }

  /// The first frames meet no estimator that would check them.
  template <class P>
  void check_frame(ImageView<const P> frame, bool wrong_type) const {
    if (wrong_type)
      throw Error(
          ErrorCode::invalid_argument,
          fmt::format("the frame has {}-bit pixels, but option pixel-depth says otherwise: make the sequence with "
                      "pixel-depth {}",
                      8 * sizeof(P), std::is_same_v<P, std::uint8_t> ? "u8" : "u16"),
          "pixel-depth");
    if (frame.data() == nullptr || frame.size() != estimator.size())
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("the frame is {}x{}: every frame must be {}x{}", frame.width(), frame.height(),
                              estimator.size().width, estimator.size().height),
                  "frame");
  }

  void require_reference() const {
    if (!has_reference)
      throw Error(ErrorCode::invalid_argument, "no frame has been measured yet: wait until next() returned true");
  }

  PictureRef reference() const {
    require_reference();
    return is_wide() ? PictureRef(frames16.reference) : PictureRef(frames8.reference);
  }
  template <class P>
  ImageView<const P> prediction() {
    Frames<P>& all = frames<P>();
    require_reference();
    if (!has_prediction) estimator.predict(all.reference, field, all.prediction);
    has_prediction = true;
    return std::as_const(all.prediction).view();
  }

  MotionSequenceOptions sequence;
  MotionEstimator estimator;
  Image<MotionVector> field;  ///< Of the last frame.
  Frames<std::uint8_t> frames8;
  Frames<std::uint16_t> frames16;
  std::int64_t count = 0;      ///< Frames since the start.
  std::int64_t last_call = 0;  ///< Of the estimator, for the last frame; 0 before the first one since the start.
  bool has_reference = false;
  bool has_prediction = false;
};

MotionSequence::MotionSequence(const Device& device, Size size, const MotionOptions& options,
                               const MotionSequenceOptions& sequence)
    : impl_(std::make_unique<Impl>(device, size, options, sequence)) {}
MotionSequence::MotionSequence(MotionSequence&&) noexcept = default;
MotionSequence& MotionSequence::operator=(MotionSequence&&) noexcept = default;
MotionSequence::~MotionSequence() = default;

bool MotionSequence::next(const PictureRef& frame, const MotionOutput& output) {
  if (frame.on_device())
    throw Error(ErrorCode::unsupported,
                "the frame lies in a device's memory: motion takes pictures in host memory, give an ImageView");
  if (frame.holds<const std::uint16_t>()) return impl_->next(frame.view<const std::uint16_t>(), output);
  return impl_->next(frame.view<const std::uint8_t>(), output);
}
PictureRef MotionSequence::reference() const { return impl_->reference(); }
PictureRef MotionSequence::prediction() {
  if (impl_->is_wide()) return impl_->prediction<std::uint16_t>();
  return impl_->prediction<std::uint8_t>();
}

void MotionSequence::restart() {
  impl_->count = 0;
  impl_->last_call = 0;
  impl_->has_reference = false;
  impl_->field.fill({});
}
MotionEstimator& MotionSequence::estimator() { return impl_->estimator; }

}  // namespace vergence
