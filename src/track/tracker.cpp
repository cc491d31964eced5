// SPDX-License-Identifier: Apache-2.0
// PointTracker: identities, ages and histories of points along a video, and their replacement.
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "core/check_views.hpp"
#include "plan/track/plan.hpp"
#include "track/neighbours.hpp"
#include "vergence/track.hpp"

namespace vergence {
namespace {

/// The last positions of tracks, each in a slot of its own. A slot holds up to twice as many as are kept, so that they
/// are moved once in a while and not at each frame.
class Histories {
 public:
  explicit Histories(int kept) : kept_(static_cast<std::size_t>(kept)) {}

  std::size_t open(TrackPosition at) {
    if (free_.empty()) {
      slots_.emplace_back();
      free_.push_back(slots_.size() - 1);
      positions_.resize(slots_.size() * room());
    }
    const std::size_t slot = free_.back();
    free_.pop_back();
    slots_[slot] = {0, 0};
    add(slot, at);
    return slot;
  }
  void close(std::size_t slot) { free_.push_back(slot); }
  void add(std::size_t slot, TrackPosition at) {
    Range& range = slots_[slot];
    TrackPosition* const all = positions_.data() + slot * room();
    if (range.count == kept_) {
      ++range.first;
      --range.count;
    }
    if (range.first + range.count == room()) {
      for (std::size_t i = 0; i < range.count; ++i) all[i] = all[range.first + i];
      range.first = 0;
    }
    all[range.first + range.count++] = at;
  }
  std::span<const TrackPosition> of(std::size_t slot) const {
    return {positions_.data() + slot * room() + slots_[slot].first, slots_[slot].count};
  }
  std::size_t bytes() const {
    return positions_.capacity() * sizeof(TrackPosition) + slots_.capacity() * sizeof(Range) +
           free_.capacity() * sizeof(std::size_t);
  }

 private:
  struct Range {
    std::size_t first = 0;
    std::size_t count = 0;
  };
  std::size_t room() const { return 2 * kept_; }

  std::size_t kept_;
  std::vector<TrackPosition> positions_;
  std::vector<Range> slots_;
  std::vector<std::size_t> free_;
};

/// What is known of a track beside what the caller sees.
struct Hidden {
  std::size_t slot = 0;
  TrackPosition velocity{};
};

TrackPosition difference(TrackPosition a, TrackPosition b) { return {a.x - b.x, a.y - b.y}; }

/// Positions are bounded so that no sum of a few of them overflows.
void check_state(const TrackerState& state) {
  constexpr std::int32_t farthest = 1 << 29;
  const auto refuse = [](const std::string& what) { throw Error(ErrorCode::invalid_argument, what, "state"); };
  for (std::size_t i = 0; i < state.tracks.size(); ++i) {
    const TrackState& one = state.tracks[i];
    const std::string name = "the state's track " + std::to_string(one.id);
    if (i > 0 && one.id <= state.tracks[i - 1].id)
      refuse(name + " follows track " + std::to_string(state.tracks[i - 1].id) + ": ids must ascend");
    if (one.id >= state.next_id)
      refuse(name + " is not below next_id, which is " + std::to_string(state.next_id) + ": ids are used once");
    if (one.age < 0) refuse(name + " has the age " + std::to_string(one.age) + ": it must be 0 or more");
    for (const std::int32_t component : {one.position.x, one.position.y, one.previous.x, one.previous.y})
      if (component <= -farthest || component >= farthest)
        refuse(name + " lies at " + std::to_string(component) + ": positions in 1/1024 px must be within +-536870911");
  }
}

}  // namespace

struct PointTracker::Impl {
  Impl(const Device& device, Size size, const TrackOptions& options)
      : plan(make_track_plan(size, options)), flow(device, size, options), histories(options.history) {}

  /// A picture, or a frame that was prepared.
  template <class Frame>
  std::span<const Track> next(const Frame& frame) {
    flow.push(frame);
    forget_lost();
    if (flow.frames() > 1 && !tracks.empty()) follow();
    if (plan.separation > 0) separate();
    refill();
    return tracks;
  }

  template <class Frame>
  std::span<const Track> resume(const Frame& frame, const TrackerState& state) {
    check_state(state);
    flow.push(frame);  // may refuse, before anything is dropped
    clear();
    for (const TrackState& one : state.tracks) {
      start(one.age > 0 ? one.previous : one.position);
      tracks.back().id = one.id;
      tracks.back().age = one.age;
      tracks.back().position = one.position;
      if (one.age == 0) continue;
      hidden.back().velocity = difference(one.position, one.previous);
      histories.add(hidden.back().slot, one.position);
    }
    next_id = state.next_id;
    return tracks;
  }
  TrackerState state() const {
    TrackerState state;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      const Track& track = tracks[i];
      if (track.status != TrackStatus::tracked) continue;
      state.tracks.push_back({track.id, track.position, difference(track.position, hidden[i].velocity), track.age});
    }
    state.next_id = next_id;
    return state;
  }

  void forget_lost() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      if (tracks[i].status != TrackStatus::tracked) {
        histories.close(hidden[i].slot);
        continue;
      }
      tracks[kept] = tracks[i];
      hidden[kept++] = hidden[i];
    }
    tracks.resize(kept);
    hidden.resize(kept);
  }

  void follow() {
    const std::size_t count = tracks.size();
    points.resize(count);
    guesses.resize(count);
    found.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      points[i] = guesses[i] = tracks[i].position;
      if (plan.options.guess != TrackGuess::velocity) continue;
      guesses[i].x += hidden[i].velocity.x;
      guesses[i].y += hidden[i].velocity.y;
    }
    flow.track(points, found, guesses);
    for (std::size_t i = 0; i < count; ++i) {
      Track& track = tracks[i];
      track.status = found[i].status;
      track.converged = found[i].converged;
      track.residual = found[i].residual;
      track.way_back = found[i].way_back;
      if (track.status != TrackStatus::tracked) continue;
      const TrackPosition at = found[i].position;
      hidden[i].velocity = difference(at, track.position);
      track.position = at;
      ++track.age;
    }
    if (plan.separation > 0) return;  // which may yet lose some
    for (std::size_t i = 0; i < count; ++i) remember(i);
  }

  void remember(std::size_t i) {
    if (tracks[i].status == TrackStatus::tracked && tracks[i].age > 0)
      histories.add(hidden[i].slot, tracks[i].position);
  }

  /// The tracks are in the order of their ids, so that of two that are too close the later one is lost.
  void separate() {
    neighbours.restart(plan.size, plan.separation);
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      Track& track = tracks[i];
      if (track.status != TrackStatus::tracked) continue;
      if (neighbours.is_free(track.position)) {
        neighbours.add(track.position);
        remember(i);
        continue;
      }
      track.status = TrackStatus::too_close;
      if (track.age == 0) continue;  // it was added here, and has no position before
      track.position = difference(track.position, hidden[i].velocity);
      --track.age;
    }
  }

  void refill() {
    const auto target = static_cast<std::size_t>(plan.options.points);
    const auto living = static_cast<std::size_t>(
        std::count_if(tracks.begin(), tracks.end(), [](const Track& t) { return t.status == TrackStatus::tracked; }));
    if (living >= target || living * 100 >= target * static_cast<std::size_t>(plan.options.refill)) return;
    points.clear();
    for (const Track& track : tracks)
      if (track.status == TrackStatus::tracked) points.push_back(track.position);
    for (const TrackPosition at : flow.corners(target - living, points, mask)) start(at);
  }

  void start(TrackPosition at) {
    Track track;
    track.id = next_id++;
    track.position = at;
    tracks.push_back(track);
    hidden.push_back({histories.open(at), {}});
  }

  void clear() {
    for (const Hidden& one : hidden) histories.close(one.slot);
    tracks.clear();
    hidden.clear();
  }
  void restart() {
    clear();
    flow.restart();
  }

  std::size_t memory() const {
    return flow.memory() + histories.bytes() + neighbours.bytes() + tracks.capacity() * sizeof(Track) +
           hidden.capacity() * sizeof(Hidden) + (points.capacity() + guesses.capacity()) * sizeof(TrackPosition) +
           found.capacity() * sizeof(TrackedPoint) + static_cast<std::size_t>(mask.stride() * mask.height());
  }

  TrackPlan plan;
  PointFlow flow;
  Histories histories;
  Neighbours neighbours;
  std::vector<Track> tracks;
  std::vector<Hidden> hidden;  ///< one per track
  std::vector<TrackPosition> points, guesses;
  std::vector<TrackedPoint> found;
  Image<std::uint8_t> mask;
  std::uint64_t next_id = 0;
};

PointTracker::PointTracker(const Device& device, Size size, const TrackOptions& options)
    : impl_(std::make_unique<Impl>(device, size, options)) {}
PointTracker::PointTracker(PointTracker&&) noexcept = default;
PointTracker& PointTracker::operator=(PointTracker&&) noexcept = default;
PointTracker::~PointTracker() = default;

std::span<const Track> PointTracker::next(const PictureRef& frame) { return impl_->next(frame); }
std::span<const Track> PointTracker::next(const PreparedFrame& frame) { return impl_->next(frame); }
std::span<const Track> PointTracker::resume(const PictureRef& frame, const TrackerState& state) {
  return impl_->resume(frame, state);
}
std::span<const Track> PointTracker::resume(const PreparedFrame& frame, const TrackerState& state) {
  return impl_->resume(frame, state);
}
TrackerState PointTracker::state() const { return impl_->state(); }
std::span<const Track> PointTracker::tracks() const { return impl_->tracks; }

std::span<const TrackPosition> PointTracker::history(std::size_t index) const {
  if (index >= impl_->tracks.size())
    throw Error(ErrorCode::invalid_argument, "history was asked for track number " + std::to_string(index) + " of " +
                                                 std::to_string(impl_->tracks.size()) + ": they are counted from 0");
  return impl_->histories.of(impl_->hidden[index].slot);
}

std::uint64_t PointTracker::add(std::span<const TrackPosition> points) {
  const std::uint64_t first = impl_->next_id;
  for (const TrackPosition at : points) impl_->start(at);
  return first;
}

void PointTracker::set_mask(ImageView<const std::uint8_t> mask) {
  if (mask.data() == nullptr) {
    impl_->mask = {};
    return;
  }
  check_view("the mask", mask, impl_->plan.size);
  impl_->mask = Image<std::uint8_t>(mask.size());
  for (int y = 0; y < mask.height(); ++y)
    std::memcpy(impl_->mask.row(y), mask.row(y), static_cast<std::size_t>(mask.width()));
}

void PointTracker::restart() { impl_->restart(); }
PointFlow& PointTracker::flow() { return impl_->flow; }
std::size_t PointTracker::memory() const { return impl_->memory(); }

}  // namespace vergence
