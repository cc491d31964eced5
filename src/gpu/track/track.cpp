// SPDX-License-Identifier: Apache-2.0
// backend::Track on a GPU: a frame goes up once and stays with its levels until the next but one comes; points go up
// and what was found comes down.
#include "gpu/track/track.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "gpu/track/stages.hpp"

namespace vergence::gpu {
namespace {

Rows one_row(std::size_t bytes) { return {0, bytes, static_cast<std::ptrdiff_t>(bytes), bytes, 1}; }

class Track final : public backend::Track {
 public:
  Track(const TrackPlan& plan, std::shared_ptr<Device> device, const TrackTuning& tuning)
      : plan_(plan),
        device_(std::move(device)),
        programs_(device_),
        queue_(device_->make_queue()),
        levels_(plan_, *device_, *queue_),
        frames_{TrackBuffers(plan_, levels_, *device_), TrackBuffers(plan_, levels_, *device_)},
        prepare_(plan_, programs_, tuning),
        points_(plan_, programs_, tuning),
        exchange_(programs_) {
    reserve(static_cast<std::size_t>(std::max(plan_.options.points, 1)));
    if (plan_.options.points > 0) corners_ = std::make_unique<TrackCorners>(plan_, programs_);
  }

  void push(ImageView<const std::uint8_t> frame8, ImageView<const std::uint16_t> frame16) override {
    current_ ^= 1;
    if (plan_.options.depth == Depth::u8)
      upload(frame8);
    else
      upload(frame16);
    queue_->begin_capture(current_);
    prepare_.run(*queue_, levels_, frames_[static_cast<std::size_t>(current_)]);
    queue_->end_capture();
    queue_->flush();
  }

  void push(const PreparedPlanes& prepared) override {
    current_ ^= 1;
    exchange_.upload(*queue_, levels_, prepared, frames_[static_cast<std::size_t>(current_)]);
  }
  void read(PreparedPlanes& prepared) override {
    exchange_.download(*queue_, levels_, frames_[static_cast<std::size_t>(current_)], prepared);
  }

  void corners(ImageView<const std::uint8_t> mask, std::vector<backend::Corner>& corners) override {
    corner_stage().run(*queue_, levels_, frames_[static_cast<std::size_t>(current_)], mask, corners);
  }
  bool best_corners(ImageView<const std::uint8_t> mask, std::size_t enough,
                    std::vector<backend::Corner>& best) override {
    return corner_stage().find_best(*queue_, levels_, frames_[static_cast<std::size_t>(current_)], mask, enough, best);
  }

  void lk(std::span<const backend::TrackQuery> queries, std::span<TrackedPoint> found) override {
    if (queries.empty()) return;
    reserve(queries.size());
    queue_->upload(*queries_, one_row(queries.size_bytes()), queries.data());
    points_.run(*queue_, levels_, frames_[static_cast<std::size_t>(current_ ^ 1)],
                frames_[static_cast<std::size_t>(current_)], *queries_, *found_, queries.size());
    queue_->download(*found_, one_row(found.size_bytes()), found.data());
  }

  void measure(bool on) override { queue_->measure(on); }
  std::optional<DeviceTimes> times() override { return programs_.take_times(*queue_); }
  std::size_t memory() const override { return 0; }

 private:
  TrackCorners& corner_stage() {
    if (corners_ == nullptr) corners_ = std::make_unique<TrackCorners>(plan_, programs_);
    return *corners_;
  }
  template <class P>
  void upload(ImageView<const P> frame) {
    const std::size_t row = static_cast<std::size_t>(frame.width()) * sizeof(P);
    queue_->upload(*frames_[static_cast<std::size_t>(current_)].pictures,
                   {0, levels_.pitch(0) * sizeof(P), frame.stride(), row, static_cast<std::size_t>(frame.height())},
                   frame.data());
  }
  void reserve(std::size_t points) {
    if (points <= capacity_) return;
    queries_ = device_->allocate(points * sizeof(backend::TrackQuery));
    found_ = device_->allocate(points * sizeof(TrackedPoint));
    capacity_ = points;
  }

  TrackPlan plan_;
  std::shared_ptr<Device> device_;
  Programs programs_;
  std::unique_ptr<Queue> queue_;
  TrackLevels levels_;
  std::array<TrackBuffers, 2> frames_;
  int current_ = 0;  ///< The frame pushed last.
  TrackPrepare prepare_;
  TrackPoints points_;
  TrackExchange exchange_;
  std::unique_ptr<TrackCorners> corners_;  ///< Where options ask for points, or once corners were asked for.
  std::size_t capacity_ = 0;               ///< Points that the buffers hold.
  std::unique_ptr<Buffer> queries_, found_;
};

}  // namespace

std::unique_ptr<backend::Track> make_track(const TrackPlan& plan, const std::shared_ptr<Device>& device,
                                           const TrackTuning& tuning) {
  return std::make_unique<Track>(plan, device, tuning);
}

}  // namespace vergence::gpu
