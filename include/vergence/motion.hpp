// SPDX-License-Identifier: Apache-2.0
// Block motion: where every block of a frame went, measured against an earlier frame. Read stereo.hpp first;
// next motion_stream.hpp (frames in flight) and track.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "vergence/device.hpp"
#include "vergence/field.hpp"
#include "vergence/image.hpp"
#include "vergence/image_ref.hpp"

namespace vergence {

/// A block's displacement in quarter pixels: pixel (x, y) of the current frame is found at (x + dx / 4, y + dy / 4) of
/// the reference frame.
struct MotionVector {
  std::int16_t dx = 0;
  std::int16_t dy = 0;
  friend bool operator==(const MotionVector&, const MotionVector&) = default;
};

/// Which candidates are tried.
enum class MotionSearch {
  full,  ///< Every candidate of the range: the best vector there is.
  /// Grids of points around the best so far, each finer than the last (MotionStepGrid). It generalises the three-step
  /// search (T. Koga et al., "Motion compensated interframe coding for video conferencing", NTC 1981).
  step,
  /// A diamond of points moves to its best point until the centre is best (S. Zhu and K.-K. Ma, "A new diamond search
  /// algorithm for fast block-matching motion estimation", IEEE Trans. Image Processing 9, 2000).
  diamond,
  /// The same with a hexagon (C. Zhu, X. Lin and L.-P. Chau, "Hexagon-based search pattern for fast block motion
  /// estimation", IEEE Trans. Circuits and Systems for Video Technology 12, 2002).
  hexagon,
  /// The test-zone search of HM, the reference encoder of HEVC, changed so that each block is searched independently of
  /// its neighbours: start vectors come from the previous frame's field and from coarse levels. With levels > 0, each
  /// level tries small diamonds around the vectors that the coarser level found at this place and beside it. With
  /// levels = 0, it tries diamonds of growing size, then a raster of candidates, then diamonds around the best again.
  tz,
  /// Every candidate on a coarse level, refined level by level: large ranges at small cost (after M. Bierling,
  /// "Displacement estimation by hierarchical blockmatching", SPIE Visual Communications and Image Processing, 1988).
  hierarchical,
};
/// The grid that one round of search step tries. A grid of 7x7 or 15x15 does two or three rounds of 3x3 at once.
enum class MotionStepGrid {
  g3x3,
  g7x7,
  g13x13,  ///< 15x15 without the outermost ring: the grid of a published CUDA encoder (studies/motion-cuda).
  g15x15,
};
/// How a block and its candidate are compared: the distortion D.
enum class MotionCost {
  sad,   ///< Sum of |a - b|.
  ssd,   ///< Sum of (a - b)^2.
  satd,  ///< Sum of absolute Hadamard coefficients of a - b, in tiles of 8x8, then 4x4, then pixels.
};
/// What happens to a candidate that is not wholly inside the reference frame.
enum class MotionBorder {
  inside,  ///< It is no candidate.
  pad,     ///< The reference frame continues with its edge pixels.
};

/// How fine vectors are.
enum class MotionSubpel {
  none,     ///< Whole pixels.
  half,     ///< The eight half-pixel neighbours of the search's vector are tried.
  quarter,  ///< Then the eight quarter-pixel neighbours of the best of these.
};
/// A plane of a frame, for MotionEstimator::predict.
enum class MotionPlane {
  luma,
  chroma_420,  ///< Half as wide and high as the luma, rounded up.
  chroma_422,  ///< Half as wide.
  chroma_444,  ///< As large as the luma.
};

/// Whole-pixel displacements first .. last, both included.
struct MotionRange {
  int first = -64;
  int last = 64;
  friend bool operator==(const MotionRange&, const MotionRange&) = default;
};

/// Settings of a MotionEstimator. All are checked when the estimator is made; the error names the field, the value and
/// the allowed range. No device ignores a field.
struct MotionOptions {
  MotionSearch search = MotionSearch::full;
  /// For search step.
  MotionStepGrid step_grid = MotionStepGrid::g3x3;
  /// Coarse levels, each half as wide and high: 1..5 for search hierarchical, fewer where small things move fast; 0..5
  /// for search tz. With 0, tz searches the whole range on the full-size frames alone: slower, with a larger residue.
  int levels = 2;
  /// SAD is the fastest; SATD predicts an encoder's bits best.
  MotionCost cost = MotionCost::sad;
  /// Block in pixels, 4..64 in steps of 4, at most the frame. Blocks at the right and bottom edge are as large as the
  /// frame leaves them. Smaller: finer motion, but more blocks without enough texture to tell.
  Size block{16, 16};
  /// Candidates in px, -512..512, 0 included, at most the frame's side; not 0 on both axes.
  MotionRange range_x{};
  MotionRange range_y{};
  MotionBorder border = MotionBorder::inside;
  /// Weight of a vector's bits against its distortion, in 1/65536 of a unit of D per bit, 0..2147483647; 0 = off.
  /// Candidates are ranked by J = D + ((lambda x bits) >> 16). `bits` is what an encoder needs for the difference
  /// between the vector and the block's vector in MotionInput::previous. A larger lambda gives a smoother field.
  int lambda = 0;
  /// Refinement with HEVC's luma filters (ITU-T H.265, 8.5.3.3.3).
  MotionSubpel subpel = MotionSubpel::none;
  /// Each predicted pixel blends the predictions by its own block's vector and by those of the neighbouring blocks,
  /// weighted by the distance from the blocks' centres (M. T. Orchard and G. J. Sullivan, "Overlapped block motion
  /// compensation: an estimation-theoretic approach", IEEE Trans. Image Processing 3, 1994).
  bool overlap = false;
  /// Type of the frames' pixels.
  Depth depth = Depth::u8;
  /// Largest pixel of 16-bit frames, 1..65535: 1023 for 10 bits. A frame that exceeds it is refused.
  int max_value = 65535;

  friend bool operator==(const MotionOptions&, const MotionOptions&) = default;
};

/// "There is no such cost."
inline constexpr std::uint64_t no_motion_cost = ~std::uint64_t{0};

/// Two frames and what is known of their motion. Pixels have 8 or 16 bits, as MotionOptions::depth says, and lie in
/// host memory; both frames have the estimator's size, strides are free.
struct MotionInput {
  PictureRef current{};
  PictureRef reference{};
  /// The field of the frame before, one vector per block, as prediction of the vectors, in quarter px: at most 512 px
  /// each way; zero vectors where not given.
  ImageView<const MotionVector> previous{};
};

/// What is written: one entry per block (MotionEstimator::blocks), in memory that the caller owns. Only `vectors` must
/// be given; an empty view is not wanted and costs nothing. No view shares a byte with another or with what is read.
struct MotionOutput {
  ImageView<MotionVector> vectors{};
  /// Distortion D of each block's vector: summed grey levels; with SSD, summed squares of them.
  ImageView<std::uint64_t> cost{};
  /// Rate-distortion cost J of each block's vector: D and the weighted rate (MotionOptions::lambda); equal to `cost`
  /// where lambda is 0.
  ImageView<std::uint64_t> j{};
  /// Smallest J of a whole-pixel candidate more than 1 px away from the best one in x or y, no_motion_cost where there
  /// is none. Search full alone.
  ImageView<std::uint64_t> second_j{};
  /// floor(255 (R - D) / R), 0 where D >= R. D is the vector's distortion. R is the smaller of two costs: the block's
  /// texture and, unless the vector is zero, the distortion of the zero vector. The texture is the smaller of the costs
  /// between the block and itself moved by one pixel to the side, and by one pixel down.
  ImageView<std::uint8_t> confidence{};
};

/// Whether what is found depends on MotionInput::previous: with lambda, and with searches that begin at a prediction
/// (all but full and step). Where it does not, the fields of a video can be found in any order, by several estimators.
bool uses_previous(const MotionOptions& options);

/// Finds the motion between frames of one size with one set of options on one device. Construction checks the settings
/// and allocates; frames reuse that memory. The first frame that asks for another map or plane may allocate once.
///
/// One object may be used by one thread at a time; several may share a Device. A moved-from estimator may be destroyed
/// or assigned to, and nothing else. After an Error of invalid_argument or unsupported nothing has been written and the
/// estimator goes on; it goes on after out_of_memory too, with what was to be written of uncertain contents; after
/// Error(device) every further call throws.
///
/// ```cpp
/// Image<std::uint8_t> current({640, 480}, 0), before({640, 480}, 0);
/// MotionEstimator estimator(Device("cpu"), current.size(), {.block = {16, 16}});
/// Image<MotionVector> field(estimator.blocks());
/// estimator.compute({current, before}, {.vectors = field});
/// float right_px = field(0, 0).dx / 4.0F;
/// ```
class MotionEstimator {
 public:
  /// Throws Error(invalid_argument) naming the field, Error(unsupported) naming a device that computes no motion, and
  /// Error(out_of_memory).
  MotionEstimator(const Device& device, Size size, const MotionOptions& options = {});
  MotionEstimator(MotionEstimator&&) noexcept;
  MotionEstimator& operator=(MotionEstimator&&) noexcept;
  ~MotionEstimator();

  /// Finds each block of `current` in `reference`. Throws Error(invalid_argument) naming a view of the wrong size or
  /// type or one that overlaps another, a pixel above max_value, or a vector of MotionInput::previous that is too long.
  /// Throws Error(unsupported) for pictures in device memory and for second_j with another search than full.
  void compute(const MotionInput& input, const MotionOutput& output);

  /// Predicts a plane of the current frame from that plane of the reference frame: each pixel is read where its block's
  /// vector points (`vectors`: one per block). Between pixels HEVC's filters interpolate (ITU-T H.265, 8.5.3.3.3);
  /// beyond the frame its edge pixels are repeated. A luma plane has the estimator's size, a chroma plane the size that
  /// MotionPlane says; reference and prediction have the same type of pixels. Throws as compute().
  void predict(const PictureRef& reference, ImageView<const MotionVector> vectors, const WritablePictureRef& prediction,
               MotionPlane plane = MotionPlane::luma);

  Size size() const;
  const MotionOptions& options() const;
  /// Blocks per row and column: the size of every view of MotionOutput.
  Size blocks() const;
  /// Bytes that this estimator has allocated on the host.
  std::size_t memory() const;

  /// As StereoMatcher::measure and times.
  void measure(bool on);
  std::optional<DeviceTimes> times();

 private:
  friend class MotionSequence;
  /// How many calls of compute have ended well.
  std::int64_t calls() const;
  /// The same as compute. `call` says that the reference frame is the current frame of that call, counted from 1 (0: of
  /// no call). A device that still holds that frame need not upload it again.
  void compute_after(std::int64_t call, const MotionInput& input, const MotionOutput& output);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Settings of a MotionSizesEstimator, with the meaning, the ranges and the defaults that they have in MotionOptions.
/// The search is exhaustive.
struct MotionSizesOptions {
  MotionCost cost = MotionCost::sad;
  MotionRange range_x{};
  MotionRange range_y{};
  MotionBorder border = MotionBorder::inside;
  int lambda = 0;
  MotionSubpel subpel = MotionSubpel::none;
  Depth depth = Depth::u8;
  int max_value = 65535;

  friend bool operator==(const MotionSizesOptions&, const MotionSizesOptions&) = default;
};

/// Those of the settings that a MotionSizesEstimator has.
MotionSizesOptions sizes_options(const MotionOptions& options);
/// The exhaustive search of its largest blocks.
MotionOptions motion_options(const MotionSizesOptions& options);

/// As MotionInput, with a prediction for each of MotionSizesEstimator::sides.
struct MotionSizesInput {
  PictureRef current{};
  PictureRef reference{};
  std::array<ImageView<const MotionVector>, 4> previous{};
};
/// A MotionOutput for each of MotionSizesEstimator::sides.
using MotionSizesOutput = std::array<MotionOutput, 4>;

/// Finds the motion of all square blocks of 8, 16, 32 and 64 px in one pass, each size as MotionEstimator's search full
/// finds it for blocks of that size. Frames have at least 8x8 px. For the rest, as MotionEstimator.
///
/// ```cpp
/// Image<std::uint8_t> current({640, 480}, 0), before({640, 480}, 0);
/// MotionSizesEstimator estimator(Device("cpu"), current.size(), {.range_x = {-16, 16}, .range_y = {-8, 8}});
/// Image<MotionVector> f8(estimator.blocks(0)), f16(estimator.blocks(1)), f32(estimator.blocks(2)),
///     f64(estimator.blocks(3));
/// estimator.compute({current, before}, {{{.vectors = f8}, {.vectors = f16}, {.vectors = f32}, {.vectors = f64}}});
/// ```
class MotionSizesEstimator {
 public:
  /// Width and height of the blocks in px.
  static constexpr std::array<int, 4> sides{8, 16, 32, 64};

  /// Throws as MotionEstimator does.
  MotionSizesEstimator(const Device& device, Size size, const MotionSizesOptions& options = {});
  MotionSizesEstimator(MotionSizesEstimator&&) noexcept;
  MotionSizesEstimator& operator=(MotionSizesEstimator&&) noexcept;
  ~MotionSizesEstimator();

  /// As MotionEstimator::compute; the vectors of every size must be given.
  void compute(const MotionSizesInput& input, const MotionSizesOutput& output);

  Size size() const;
  const MotionSizesOptions& options() const;
  /// Blocks of sides[index] per row and column. Throws Error(invalid_argument) for another index than 0..3.
  Size blocks(int index) const;
  /// Bytes that this estimator has allocated on the host.
  std::size_t memory() const;

  /// As StereoMatcher::measure and times.
  void measure(bool on);
  std::optional<DeviceTimes> times();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// In what form an earlier frame of a video serves as reference.
enum class MotionReference {
  original,  ///< The earlier frame itself.
  /// The prediction of the earlier frame from its own vectors: what a decoder without a residue would show.
  reconstruction,
};
struct MotionSequenceOptions {
  /// Each frame is searched in the one that lies this many frames earlier, 1..64.
  int distance = 1;
  MotionReference reference = MotionReference::original;
};

/// Motion along a video, frame by frame: keeps copies of the frames that later ones refer to, and hands each field to
/// the next search as MotionInput::previous. Threads, errors and moves are as with MotionEstimator; a frame that is
/// refused counts as not given.
///
/// ```cpp
/// MotionSequence sequence(Device("cpu"), {640, 480});
/// Image<MotionVector> field(sequence.estimator().blocks());
/// Image<std::uint8_t> frame({640, 480}, 0);
/// bool first = !sequence.next(frame, {.vectors = field});
/// bool found = sequence.next(frame, {.vectors = field});
/// ```
class MotionSequence {
 public:
  /// Throws as MotionEstimator does.
  MotionSequence(const Device& device, Size size, const MotionOptions& options = {},
                 const MotionSequenceOptions& sequence = {});
  MotionSequence(MotionSequence&&) noexcept;
  MotionSequence& operator=(MotionSequence&&) noexcept;
  ~MotionSequence();

  /// Takes the next frame, which may be changed afterwards. False, and nothing is written, for the first `distance`
  /// frames, which have no reference; every later frame is delivered, the last one too.
  bool next(const PictureRef& frame, const MotionOutput& output);

  /// The reference that the last frame was measured against, and its prediction (luma), computed at the first request
  /// where the sequence does not need it itself: views of the option depth's pixels, valid until the next call of
  /// next() or restart(). Throws Error(invalid_argument) before next() returned true.
  PictureRef reference() const;
  PictureRef prediction();

  /// Starts anew, as after a scene cut: the next frame is the first.
  void restart();
  /// The estimator that it works with; lives as long as this object.
  MotionEstimator& estimator();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Forward-backward check of two fields: `forward` (blocks of `current` found in `reference`) and `backward` (blocks of
/// `reference` found in `current`). For each block, its middle pixel is moved by the forward vector, rounded to whole
/// px. The backward vector of the block that lies there must be the opposite of the forward vector, within `threshold`
/// quarter px in x and in y. Writes 1 per block where that holds; 0 elsewhere and where the vector leaves the frame.
/// `frame` and `block` are in px; all views have one entry per block. Throws Error(invalid_argument) where they do not
/// fit.
void check_motion(ImageView<const MotionVector> forward, ImageView<const MotionVector> backward, Size frame, Size block,
                  int threshold, ImageView<std::uint8_t> consistent);

/// One vector per pixel of the frame, which has the size of `dense`: its block's. Throws Error(invalid_argument) where
/// sizes do not fit.
void dense_motion(ImageView<const MotionVector> vectors, Size block, ImageView<MotionVector> dense);

/// A preset: a name and every field.
struct MotionPreset {
  std::string_view name;
  std::string_view summary;  ///< One sentence for people.
  MotionOptions options;
};
/// `fast`, `default`, `exhaustive`.
std::span<const MotionPreset> motion_presets();
/// Throws Error(not_found) listing the names.
const MotionPreset& motion_preset(std::string_view name);

/// All fields of MotionOptions in a fixed order, for command lines, files, pages and tables. "range" stands for range_x
/// and range_y.
std::span<const Field> motion_fields();
/// As stereo_get and stereo_set: get(o, "range") == "-64:63,32".
std::string motion_get(const MotionOptions& options, std::string_view name);
void motion_set(MotionOptions& options, std::string_view name, std::string_view value);

}  // namespace vergence
