// SPDX-License-Identifier: Apache-2.0
// Tracks: points of a picture with structure around them, followed from frame to frame. Read motion.hpp first,
// pipeline.hpp next.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vergence/device.hpp"
#include "vergence/field.hpp"
#include "vergence/image.hpp"
#include "vergence/image_ref.hpp"

namespace vergence {

/// A position in 1/1024 px; whole numbers of pixels are centres of pixels, (0, 0) the first one.
struct TrackPosition {
  std::int32_t x = 0;
  std::int32_t y = 0;
  friend bool operator==(const TrackPosition&, const TrackPosition&) = default;
};
/// From and to pixels. to_position rounds to the nearest 1/1024 px, halves up; throws Error(invalid_argument) for NaN
/// and for what lies more than 1048576 px away.
TrackPosition to_position(double x, double y);
inline double position_to_pixels(std::int32_t component) { return component / 1024.0; }

/// What became of a point.
enum class TrackStatus : std::uint8_t {
  tracked,            ///< It was found.
  outside,            ///< It, or what was found, lies outside the picture, or its window left the picture altogether.
  small_determinant,  ///< Its window shows no structure, or an edge alone (TrackOptions::min_eigen).
  not_converged,      ///< The iterations ended before the steps were short (only with TrackOptions::must_converge).
  residual,           ///< What was found looks different (TrackOptions::max_residual).
  forward_backward,   ///< The way back ends elsewhere (TrackOptions::forward_backward).
  too_close,          ///< An older track is nearer than TrackOptions::min_separation.
};
/// "tracked", "outside", "small-determinant", "not-converged", "residual", "forward-backward", "too-close".
std::string_view to_text(TrackStatus status);

/// What was found for a point.
struct TrackedPoint {
  TrackPosition position;  ///< Of a lost point: where it was in the frame before, its last good position.
  TrackStatus status = TrackStatus::tracked;
  /// The steps became short on the finest level. Where not, the position may still be good: see the residual.
  bool converged = false;
  /// Mean |difference| of both windows, in 1/1024 grey levels of the frames, rounded down; 0 for points that were lost
  /// before it was known.
  std::uint32_t residual = 0;
  /// With TrackOptions::forward_backward: the square of the distance from the point to where its way back ended, in
  /// (1/1024 px)^2: see way_back_to_pixels. 4294967295 = 64 px or more, or lost on the way back. 0 without the option,
  /// and for points that were lost on the way there.
  std::uint32_t way_back = 0;
  friend bool operator==(const TrackedPoint&, const TrackedPoint&) = default;
};

/// How a pixel is scored as a corner, from the gradients around it.
enum class TrackCorner {
  /// The smaller eigenvalue of the structure tensor (J. Shi and C. Tomasi, "Good features to track", CVPR 1994, section
  /// 4).
  shi_tomasi,
  /// Determinant - k trace^2 of it (C. Harris and M. Stephens, "A combined corner and edge detector", Alvey Vision
  /// Conference 1988, section 3).
  harris,
};
/// Where the search for a track begins.
enum class TrackGuess {
  position,  ///< Where it was.
  velocity,  ///< Where it would be if it went on as in the frame before.
};

/// Settings of PointFlow and PointTracker. All are checked when the object is made; the error names the field, the
/// value and the allowed range. No device ignores a field.
struct TrackOptions {
  /// How many tracks PointTracker maintains, 0..1000000; 0 = it follows those that were added, and finds none itself.
  int points = 500;
  /// New points are looked for when fewer than this percentage of `points` is left, 1..100. Finding new points takes
  /// longer than following those there are.
  int refill = 80;
  TrackCorner corner = TrackCorner::shi_tomasi;
  /// k of Harris's score in 1/100, 1..25.
  int harris_k = 4;
  /// Side of the square over which a corner's gradients are summed in px: 3, 5 or 7.
  int block = 3;
  /// A corner's score exceeds this share of the best one's, 0 .. below 1.
  double quality = 0.01;
  /// Least distance of a new point from all others in px, 0..65535; 0 and 1 = two points may be neighbours.
  int min_distance = 10;
  /// Cells that the frame is divided into, 1..256 each way: no cell gets new points beyond its equal share of all
  /// points, rounded up. 1x1 = points may lie anywhere.
  Size grid{1, 1};
  /// New points lie in this rectangle of pixels, at least one, inside the frame; not given = anywhere.
  std::optional<Rect> roi{};

  /// Side of the window that is compared, in px: odd 3..63, or 8, 16, 32, 48 (which reach one pixel further to the left
  /// and up). Less than the frame's width and height. Large windows find more points, and blur motion within them.
  int window = 21;
  /// Largest number of coarse levels, each half as wide and high, 0..8; levels no larger than the window are left out
  /// (PointFlow::levels). They let points go far.
  int levels = 3;
  /// Steps per level, 1..1000.
  int iterations = 30;
  /// A step of at most this length in px ends a level, 0..1; the steps themselves are whole 1/1024 px.
  double epsilon = 0.01;
  /// A window is used only if the smaller eigenvalue of its structure tensor is at least this, 0..1000000; else its
  /// level is skipped, and on the finest level the point is lost (small_determinant). The scale is that of OpenCV's
  /// minEigThreshold: the eigenvalue is divided by the number of the window's pixels and by 1048576, with gradients of
  /// 32 times the change per pixel, of pixels of 8 bits; deeper ones count as if scaled to 8 bits.
  double min_eigen = 1e-4;
  /// Gain and offset compensation: before windows are compared, the target is given the mean and the standard deviation
  /// of the template, by a gain of 1/8..8 and an offset (model: H. Jin, P. Favaro and S. Soatto, "Real-time feature
  /// tracking and outlier rejection with changes in illumination", ICCV 2001).
  bool gain_offset = false;
  TrackGuess guess = TrackGuess::position;
  /// A point whose steps have not become short is lost.
  bool must_converge = false;
  /// Largest residual in grey levels of 8 bits, 0..255; 0 = any. Deeper pixels are scaled: 20 stands for 80 of 1023.
  double max_residual = 20;
  /// Each point found is tracked back into the previous frame; if it ends farther than this from where it began, in px,
  /// it is lost. 0..63, 0 = off. Takes twice as long (Z. Kalal, K. Mikolajczyk and J. Matas, "Forward-backward
  /// error: automatic detection of tracking failures", ICPR 2010).
  double forward_backward = 1;
  /// A track nearer than this to an older one, in px, is lost, 0..65535; 0 = off.
  double min_separation = 0;
  /// Number of positions of each track that are kept, the latest included, 1..65536.
  int history = 1;
  /// Type of the frames' pixels.
  Depth depth = Depth::u8;
  /// Largest pixel of 16-bit frames, 1..65535: 1023 for 10 bits. A frame that exceeds it is refused; of more than 12
  /// bits the upper 12 are used.
  int max_value = 65535;

  friend bool operator==(const TrackOptions&, const TrackOptions&) = default;
};

/// A frame's pyramid and gradients in host memory, which it owns. One device prepares it, any other device can use it.
/// It may be filled again; it reuses its memory where size and levels are the same. Several threads may read one
/// at once. Empty after a move.
///
/// ```cpp
/// Image<std::uint8_t> frame({640, 480}, 0);
/// PointFlow here(Device("cpu"), frame.size()), there(Device("reference"), frame.size());
/// PreparedFrame prepared;
/// here.push(frame);
/// here.read(prepared);
/// there.push(prepared);
/// ```
class PreparedFrame {
 public:
  PreparedFrame();
  PreparedFrame(PreparedFrame&&) noexcept;
  PreparedFrame& operator=(PreparedFrame&&) noexcept;
  ~PreparedFrame();

  /// Pins its memory (Device::pin) for a device that takes it from now on, so that it is copied there without a detour.
  /// Does nothing where it is pinned for that device already. Throws Error(invalid_argument) where it is empty, and
  /// what Device::pin throws.
  void pin(const Device& device);
  /// True where no frame has been read into it.
  bool empty() const;
  /// Bytes that it has allocated.
  std::size_t memory() const;

 private:
  friend class PointFlow;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// TrackedPoint::way_back in px.
inline double way_back_to_pixels(std::uint32_t way_back) { return std::sqrt(static_cast<double>(way_back)) / 1024; }

/// Finds corners, and finds points of one frame in the next, on one device with one set of options. PointTracker is
/// built on it. The method is pyramidal Lucas-Kanade (B. D. Lucas and T. Kanade, "An iterative image registration
/// technique with an application to stereo vision", IJCAI 1981; J.-Y. Bouguet, "Pyramidal implementation of the Lucas
/// Kanade feature tracker: description of the algorithm", Intel Microprocessor Research Labs, 2000). All sums are of
/// integers; each step solves one 2x2 equation in double: docs/algorithms/track.
///
/// One object may be used by one thread at a time; several may share a Device. A moved-from object may be destroyed or
/// assigned to, and nothing else. After an Error of invalid_argument or unsupported it goes on as if the call had not
/// been made; after Error(device) every further call throws. A frame is copied by push(); a pinned one is read later,
/// see push().
///
/// ```cpp
/// Image<std::uint8_t> before({640, 480}, 0), now({640, 480}, 0);
/// PointFlow flow(Device("cpu"), before.size());
/// flow.push(before);
/// const std::vector<TrackPosition> points = flow.corners(100);
/// flow.push(now);
/// std::vector<TrackedPoint> found(points.size());
/// flow.track(points, found);
/// ```
class PointFlow {
 public:
  /// Throws Error(invalid_argument) naming the field, Error(unsupported) naming a device that computes no tracks, and
  /// Error(out_of_memory).
  PointFlow(const Device& device, Size size, const TrackOptions& options = {});
  PointFlow(PointFlow&&) noexcept;
  PointFlow& operator=(PointFlow&&) noexcept;
  ~PointFlow();

  /// Takes the next frame, of 8 or 16 bits as the option depth says, in host memory: the current one becomes the
  /// previous one. It may be changed as soon as this returns, but for a frame in pinned memory (Device::pin), which is
  /// read until the next call of track, corners or read has returned. Throws Error(invalid_argument) naming size, type
  /// or the pixel above max_value that does not fit, and Error(unsupported) for a DeviceImage.
  void push(const PictureRef& frame);
  /// The same with a frame that was prepared by a PointFlow on any device, of equal size, depth, max_value and levels:
  /// the bits that follow are those that follow the frame itself. Throws Error(invalid_argument) where they differ.
  void push(const PreparedFrame& frame);
  /// Copies the current frame, prepared. Throws Error(invalid_argument) where no frame has been pushed.
  void read(PreparedFrame& frame) const;
  /// Frames that were pushed since construction or the last restart().
  std::int64_t frames() const;
  /// Drops the frames: the next one is the first.
  void restart();

  /// Finds points of the previous frame in the current one: found[i] is that of points[i]. `guesses`, where given, says
  /// where each is expected; what lies outside the picture is moved onto its edge. Throws Error(invalid_argument) where
  /// lengths differ or two frames have not been pushed.
  void track(std::span<const TrackPosition> points, std::span<TrackedPoint> found,
             std::span<const TrackPosition> guesses = {});

  /// Corners of the current frame, best first, at most `most`: those that keep options.min_distance from each other and
  /// from `occupied`, and the quota of options.grid. `mask`, where given, has the frame's size and is 0 where no point
  /// may be. Throws Error(invalid_argument) where no frame has been pushed.
  std::vector<TrackPosition> corners(std::size_t most, std::span<const TrackPosition> occupied = {},
                                     ImageView<const std::uint8_t> mask = {});

  Size size() const;
  const TrackOptions& options() const;
  /// Coarse levels in use: options.levels, or fewer in small frames.
  int levels() const;
  /// Bytes that this object has allocated on the host.
  std::size_t memory() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A point that is followed along a video.
struct Track {
  std::uint64_t id = 0;    ///< Counted from 0, never used again.
  TrackPosition position;  ///< In the last frame; of a lost track: the last good one.
  /// Frames since the one it was found in, where it is 0.
  std::int32_t age = 0;
  TrackStatus status = TrackStatus::tracked;
  bool converged = true;
  std::uint32_t residual = 0;  ///< As TrackedPoint::residual, against the frame before.
  std::uint32_t way_back = 0;  ///< As TrackedPoint::way_back.
};

/// What PointTracker needs to go on with a track.
struct TrackState {
  std::uint64_t id = 0;
  TrackPosition position;  ///< In the last frame.
  /// In the frame before; equal to `position` where age is 0. TrackGuess::velocity begins its search from both.
  TrackPosition previous;
  std::int32_t age = 0;
  friend bool operator==(const TrackState&, const TrackState&) = default;
};
/// What PointTracker needs to go on with a video.
struct TrackerState {
  std::vector<TrackState> tracks;  ///< Those that live, in the order of their ids.
  std::uint64_t next_id = 0;       ///< Above all ids that were given.
};

/// Follows points along a video: finds them, keeps their identities, says why one is lost, and replaces it. Threads,
/// errors and moves are as with PointFlow.
///
/// ```cpp
/// Image<std::uint8_t> frame({640, 480}, 0);
/// PointTracker tracker(Device("cpu"), frame.size(), {.points = 200});
/// for (const Track& track : tracker.next(frame))
///   if (track.status == TrackStatus::tracked) static_cast<void>(position_to_pixels(track.position.x));
/// ```
class PointTracker {
 public:
  /// As PointFlow.
  PointTracker(const Device& device, Size size, const TrackOptions& options = {});
  PointTracker(PointTracker&&) noexcept;
  PointTracker& operator=(PointTracker&&) noexcept;
  ~PointTracker();

  /// Takes the next frame and gives all tracks in the order of their ids: those that live on, new ones (age 0), and,
  /// this one time, those that were lost in this frame, with the reason. Throws as PointFlow does; a frame that is
  /// refused counts as not given. The tracks stay where they are until the next call.
  std::span<const Track> next(const PictureRef& frame);
  /// The same with a frame that was prepared by a PointFlow on any device: see PointFlow::push.
  std::span<const Track> next(const PreparedFrame& frame);
  /// What the last next() gave; valid until the next call of next(), add() or restart().
  std::span<const Track> tracks() const;

  /// The kept positions of tracks()[index], oldest first; the last is its position. At most options.history. Valid as
  /// tracks() is. Throws Error(invalid_argument) for an index beyond tracks().
  std::span<const TrackPosition> history(std::size_t index) const;

  /// What another tracker needs to go on from here: 32 bytes a track, copied.
  TrackerState state() const;
  /// In place of next() for the frame that `state` was taken after: drops all tracks and frames, and takes over those
  /// of the state, without looking for new ones. With equal options and mask, what follows is what would have followed
  /// there, on every device. Histories begin anew with two positions at most. Residuals are 0 until the next frame.
  /// Throws as next(), and Error(invalid_argument) where ids do not ascend or reach next_id, an age is negative, or a
  /// position lies 524288 px away or more; the tracker stays as it was.
  std::span<const Track> resume(const PictureRef& frame, const TrackerState& state);
  std::span<const Track> resume(const PreparedFrame& frame, const TrackerState& state);

  /// Starts tracks at these points of the current frame (before the first: of that one) and returns the first one's id;
  /// the others' follow. A point outside the picture starts a track that is lost in the next frame. min_distance,
  /// grid and roi do not apply to them.
  std::uint64_t add(std::span<const TrackPosition> points);
  /// Pixels where points may be found (not 0), for all frames from the next one on; an empty view allows all. It is
  /// copied. Tracks that move into the masked area are kept. Throws Error(invalid_argument)
  /// for a mask of another size than the frames'.
  void set_mask(ImageView<const std::uint8_t> mask);
  /// Drops all tracks and the last frame, as after a scene cut: the next frame is the first. Ids go on.
  void restart();

  /// What it is built on; lives as long as this object.
  PointFlow& flow();
  /// Bytes that this object has allocated on the host.
  std::size_t memory() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A preset: a name and every field.
struct TrackPreset {
  std::string_view name;
  std::string_view summary;  ///< One sentence for people.
  TrackOptions options;
};
/// `fast`, `default`, `strict`.
std::span<const TrackPreset> track_presets();
/// Throws Error(not_found) listing the names.
const TrackPreset& track_preset(std::string_view name);

/// All fields of TrackOptions in a fixed order, for command lines, files, pages and tables.
std::span<const Field> track_fields();
/// As stereo_get and stereo_set: get(o, "grid") == "4x3".
std::string track_get(const TrackOptions& options, std::string_view name);
void track_set(TrackOptions& options, std::string_view name, std::string_view value);

}  // namespace vergence
