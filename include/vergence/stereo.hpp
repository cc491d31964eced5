// SPDX-License-Identifier: Apache-2.0
// Stereo matching: from a rectified pair to a disparity map. Read device.hpp and image_ref.hpp first, motion.hpp next.
#pragma once

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

/// How two pixels (or their neighbourhoods) are compared before the window sums.
enum class StereoCost {
  sad,  ///< Absolute difference, |a - b|.
  ssd,  ///< Squared difference, (a - b)^2.
  /// Hamming distance of 24-bit census words (R. Zabih and J. Woodfill, "Non-parametric local transforms for computing
  /// visual correspondence", ECCV 1994).
  census_5x5,
  census_9x7,  ///< The same with 62-bit words: neighbourhoods 9 wide and 7 high.
  /// The same with 31-bit words: each bit compares two pixels that lie opposite each other about the centre of a
  /// neighbourhood 9 wide and 7 high (R. Spangenberg, T. Langner and R. Rojas, "Weighted semi-global matching and
  /// center-symmetric census transform for robust driver assistance", CAIP 2013, section 3).
  census_symmetric_9x7,
};
/// How the costs of neighbouring pixels support each other.
enum class StereoAggregate {
  window,  ///< Sums over the window around the pixel.
  /// Semi-global matching (H. Hirschmüller, "Stereo processing by semiglobal matching and mutual information", IEEE
  /// Transactions on Pattern Analysis and Machine Intelligence 30(2), 2008, section 2.3): window costs, by default of a
  /// window of one pixel, are summed along paths that cross the whole picture; changes of disparity cost p1 or p2.
  sgm,
};
/// The picture whose pixels get disparities. For a disparity d, left pixel x is compared with right pixel x - d, and
/// right pixel x with left pixel x + d.
enum class StereoView { left, right };
/// What happens where the window leaves the reference picture.
enum class StereoBorder {
  partial,  ///< The window is clipped; costs of different tap counts are compared by their exact mean.
  invalid,  ///< Such pixels get no disparity.
};
/// What happens to a candidate that lies outside the other picture.
enum class StereoOutside {
  skip,   ///< It is no candidate.
  zero,   ///< The other picture continues with zeros.
  clamp,  ///< The other picture continues with its edge column.
};
/// Which of two candidates of equal cost wins.
enum class StereoTie { lowest, highest };
/// What is done to both pictures before matching.
enum class StereoPrefilter {
  none,
  xsobel,         ///< Horizontal 3x3 Sobel derivative, clipped to +-cap, stored as cap + derivative.
  xsobel_opencv,  ///< The same, and the last row of a picture of odd height is all cap, as OpenCV's StereoBM has it.
};
/// Unit of the left-right threshold.
enum class StereoCheckUnit {
  pixels,
  grey,  ///< The difference of the two disparities is scaled to grey levels: |dL - dR| * 255 / disparities.
};
/// How invalid pixels are filled.
enum class StereoFill {
  none,
  background,  ///< The smaller of the nearest valid disparities left and right in the row; an empty row: the nearest
               ///< one's.
  nearest,     ///< The valid pixel at the smallest Euclidean distance; of equals the first in raster order.
  mean,        ///< Mean of the valid pixels in a square window, rounded, halves up; none in it: stays invalid.
  mean_all,    ///< Sum over the window / (window^2 - 1), invalid ones counted as 0, centre left out.
};

/// Settings of a StereoMatcher. The defaults are the preset `default`. All are checked when the matcher is made; the
/// error names the field, the value and the allowed range. No device ignores a field.
struct StereoOptions {
  /// Pixel comparison. SAD is the fastest; census tolerates exposure differences.
  StereoCost cost = StereoCost::sad;
  StereoAggregate aggregate = StereoAggregate::window;
  /// Window in pixels, odd, 1..the picture's size; {0, 0}: 9x9, and 1x1 under SGM. Larger: smoother and fewer errors in
  /// weak texture, but thin objects are lost. Under SGM all taps count: those outside a picture are taken from its
  /// edge.
  Size window{0, 0};
  /// SGM: number of paths that meet in a pixel. 2: from left and right. 4: also from above and below. 5: from left,
  /// right and above, and both diagonals from above. 8: all.
  int paths = 8;
  /// SGM: cost of a change of disparity by 1 px between neighbours on a path, 1..2147483646; 0: a default that follows
  /// from cost, window and pixel type (docs/algorithms/stereo/sgm.md).
  int p1 = 0;
  /// SGM: cost of a larger change, p1 + 1..2147483647; 0: a default as for p1. paths * (largest window cost + p2) must
  /// be less than 2^32 - 1.
  int p2 = 0;
  /// SGM: lowers p2 where the two neighbours differ in the unfiltered reference picture, by g grey levels: to max(p1 +
  /// 1, p2 - floor(g * p2_slope / 256)). 0..65535; 0 = off.
  int p2_slope = 0;
  /// Number of candidates, 1..the picture's width.
  int disparities = 64;
  /// Smallest candidate in px, -1048576..1048576.
  int min_disparity = 0;
  StereoView reference = StereoView::left;
  /// With `invalid`, half a window at each side of the picture has no disparity, whatever `roi` is: one that lies there
  /// gives an empty map.
  StereoBorder border = StereoBorder::partial;
  StereoOutside outside = StereoOutside::skip;
  StereoTie tie = StereoTie::lowest;
  StereoPrefilter prefilter = StereoPrefilter::none;
  /// Clip of the x-Sobel derivative, 1..127, used by the prefilter and by the texture sum.
  int prefilter_cap = 31;
  /// Refine to 1/16 px from the costs of the winner and its two neighbours: two straight lines of opposite slope
  /// (V-fit, in the form that OpenCV's StereoBM has) for windowed SAD, a parabola for SSD, census and SGM.
  bool subpixel = true;
  /// Percent, 0..1000, 0 = off: reject where a candidate more than 1 px away costs at most (100 + ratio) % of the
  /// winner, by mean cost per pixel of the window. OpenCV's StereoBM has the same rule for costs of whole windows.
  int uniqueness_ratio = 0;
  /// Reject where candidates more than 1 px apart share the least cost, as everywhere in an area without texture, and
  /// where the picture's edge leaves the winner no candidate more than 1 px away.
  bool reject_ties = true;
  /// Sum of grey-level differences, 0..2147483647, 0 = off: reject where the window sum of |x-Sobel clipped to
  /// +-prefilter_cap| of the reference picture is below it, as in OpenCV's StereoBM.
  int texture_threshold = 0;
  /// Left-right check (P. Fua, "A parallel stereo algorithm that produces dense depth maps and preserves image
  /// features", Machine Vision and Applications 6, 1993): largest difference of both views' integer winners, in
  /// left_right_unit, -1..65535; -1 = off. Needs outside = skip.
  int left_right = 1;
  StereoCheckUnit left_right_unit = StereoCheckUnit::pixels;
  /// Regions of at most this many pixels are removed, 0..2147483647; 0 = off. With a `roi` of no more pixels that is
  /// all.
  int speckle_size = 100;
  /// Neighbours belong to one region when they differ by at most this, in 1/16 px, 0..65535.
  int speckle_range = 16;
  /// Median window, 0 (off), 3 or 5.
  int median = 0;
  StereoFill fill = StereoFill::none;
  /// Side of the square window of `mean` and `mean_all`, odd, 3..255.
  int fill_window = 11;
  /// Type of the pictures' pixels.
  Depth depth = Depth::u8;
  /// Largest pixel value of 16-bit pictures, 1..65535 (8-bit: 255). A picture that exceeds it is refused. With
  /// smaller values larger windows keep within the sums of 64 bits, beyond which the matcher is refused.
  int max_value = 65535;
  /// Only pixels in this rectangle get a disparity; the others are invalid. Windows still read outside it.
  std::optional<Rect> roi{};  // every member has an initialiser, so that {.cost = StereoCost::ssd} draws no warning

  friend bool operator==(const StereoOptions&, const StereoOptions&) = default;
};

/// What a validity mask holds.
enum class StereoValidity : std::uint8_t { invalid = 0, measured = 1, filled = 2 };

/// The two pictures of a frame: views of pixels of 8 or 16 bits, as StereoOptions::depth says, or images in the memory
/// of the matcher's device; both alike. Both have the matcher's size; strides are free, and they may share pixels.
struct StereoInput {
  PictureRef left{};
  PictureRef right{};
};

/// What is written for a frame. Only `disparity` must be given; the others are not wanted where they are not given, and
/// cost nothing then. All have the matcher's size and any stride, share no byte with each other or with the pictures,
/// and lie in the same kind of memory, the host's or that of the matcher's device. The caller owns the memory.
struct StereoOutput {
  /// Disparities in 1/16 px; StereoMatcher::invalid() where there is none. 16 bits hold -2047 .. 2047 px; a wider range
  /// needs 32 (StereoMatcher::needs_wide_output).
  DisparityRef disparity{};
  /// StereoValidity of every pixel of the disparity map.
  ImageRef<std::uint8_t> mask{};
  /// floor(255 (m2 - m) / m2), 0 where m2 is 0. m is the winner's mean cost per pixel of the window, m2 that of the
  /// best candidate more than 1 px away. 255 where there is no such candidate, 0 where the mask is not `measured`.
  ImageRef<std::uint8_t> confidence{};
  /// Window cost of the winner, of the best candidate more than 1 px away, and of the winner's neighbours d - 1 and d +
  /// 1 as used for sub-pixel; no_cost where there is none. Not changed by later rejections. Under SGM: the sums over
  /// the paths. DeviceImages: u32.
  ImageRef<std::uint32_t> cost{};
  ImageRef<std::uint32_t> second_cost{};
  ImageRef<std::uint32_t> cost_before{};
  ImageRef<std::uint32_t> cost_after{};
  /// The other view's map: byte for byte what the same options with the other picture as reference give. Not under SGM,
  /// where both maps come from the same sums, those of the reference's paths.
  DisparityRef other_disparity{};
};

/// Where pictures show something: 0 where a pixel does not, any other value where it does. A view that is not given:
/// all pixels do. Made for pixels of rectified pictures whose source lies outside the camera's
/// (StereoRectifier::left_mask), they serve as well for a car's bonnet or a lens' black corners.
///
/// A pixel of the reference picture that shows nothing has no disparity, and is never filled. One of the other picture
/// is nobody's candidate. Windows read all pixels, so what these hold should resemble their neighbours
/// (docs/algorithms/stereo/match.md, section 1).
struct SourceMasks {
  ImageView<const std::uint8_t> left{};
  ImageView<const std::uint8_t> right{};
};

/// "There is no such cost."
inline constexpr std::uint32_t no_cost = 0xFFFFFFFFu;

/// A frame that was given to StereoMatcher::enqueue. A small handle: copies mean the same frame. It may be dropped
/// without waiting, and outlive its matcher.
///
/// ```cpp
/// StereoMatcher matcher(Device("cpu"), {640, 480});
/// Image<std::uint8_t> left({640, 480}, 0), right({640, 480}, 0);
/// Image<std::int16_t> map(640, 480);
/// PendingStereo done = matcher.enqueue({left, right}, {.disparity = map});
/// done.wait();  // now the map is whole
/// ```
class PendingStereo {
 public:
  /// Nothing to wait for.
  PendingStereo() = default;
  /// Its maps are whole when this returns. The first call throws the frame's Error, if any; later calls do nothing.
  /// Frames may be waited for in any order, by the matcher's thread.
  void wait();

 private:
  friend class StereoMatcher;
  struct State;
  explicit PendingStereo(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

/// Matches rectified pairs of one size with one set of options on one device. Construction checks the settings and
/// allocates: whatever can fail because of a setting fails there. Frames reuse that memory. Later allocations happen at
/// the first frame that asks for another map or is one more in flight, and once for each thread that gets work;
/// enqueue() also makes one small handle per frame.
///
/// One object may be used by one thread at a time; several matchers may share a Device. A moved-from matcher may be
/// destroyed or assigned to, and nothing else. After an Error of invalid_argument, unsupported or out_of_memory the
/// matcher goes on as if the call had not been made, and what it was to write is unchanged or, after out_of_memory, of
/// uncertain contents; after Error(device) every further call throws.
///
/// Frames that exceed the memory of an OpenCL or CUDA device, or its largest single allocation, are matched there in
/// bands of rows. A band is as high as fits. Speckle filter, median and filling need whole maps and are then done by
/// the device `cpu`. The bytes are the same. band_rows() tells whether frames are matched in bands. A matcher may
/// change to bands later: at a frame that asks for more maps than the frames before it.
///
/// ```cpp
/// Image<std::uint8_t> left({640, 480}, 0), right({640, 480}, 0);
/// StereoMatcher matcher(Device("cpu"), left.size(), {.window = {9, 9}, .disparities = 128});
/// Image<std::int16_t> map(left.size());
/// Image<std::uint8_t> mask(left.size());
/// matcher.compute({left, right}, {.disparity = map, .mask = mask});
/// ```
class StereoMatcher {
 public:
  /// Throws Error(invalid_argument / unsupported) naming the field or a mask that has not the pictures' size, and
  /// Error(out_of_memory), on an OpenCL or CUDA device where not even the smallest band fits. Masks are copied.
  StereoMatcher(const Device& device, Size size, const StereoOptions& options = {}, const SourceMasks& masks = {});
  StereoMatcher(StereoMatcher&&) noexcept;
  StereoMatcher& operator=(StereoMatcher&&) noexcept;
  /// Waits for all frames.
  ~StereoMatcher();

  /// Matches a frame; all that was asked for is whole when it returns. Throws Error(invalid_argument), before anything
  /// is written, naming a picture or a map of another size, pixel type, device or context than the matcher's, that
  /// overlaps another, or that is CL_MEM_READ_ONLY and to be written, and the pixel that exceeds max_value;
  /// Error(unsupported) for cost maps whose costs exceed 32 bits; Error(device) where the device is lost.
  ///
  /// Images in device memory are read and written where they lie, and nothing passes through host memory. The matcher
  /// has streams of its own, and the device begins when the events `after` have come: what other queues or streams do
  /// with the images comes before these (Device::record), or has ended when the call is made. An event of another
  /// Device is refused, Error(invalid_argument); an empty one has come. With depth u16 and a max_value below 65535 the
  /// device looks for larger values first; all calls wait for its answer.
  void compute(const StereoInput& input, const StereoOutput& output, std::span<const DeviceEvent> after = {});

  /// The same, but the device works on while the caller goes on: pictures in host memory may be changed as soon as this
  /// returns; those in device memory, and all that is written, stay where they are until the frame was waited for or
  /// the matcher is gone (which waits). Up to most_in_flight frames are under way on a GPU, where copies and kernels of
  /// different frames overlap; one more waits for the oldest. Devices in host memory finish the frame before this
  /// returns. Each frame in flight has buffers of its own on the device, made when first needed. `other_disparity` is
  /// finished at once.
  PendingStereo enqueue(const StereoInput& input, const StereoOutput& output, std::span<const DeviceEvent> after = {});
  /// Frames that a GPU works on at the same time.
  static constexpr int most_in_flight = 4;

  /// As compute() for maps in device memory, but nothing is waited for on the host: the maps are whole when the
  /// returned event has come, for which a stream or a queue waits (DeviceEvent::make_wait), a call of another object,
  /// or the host. Images stay where they are until the event has come, and memory of a DeviceMemory is kept as long.
  /// Pictures in host memory may be changed as soon as this returns, unless they are pinned (Device::pin); they pass
  /// through memory of two frames, so that the third such frame waits for the first one's copy, which comes after its
  /// `after`. Frames that are given so follow each other on the device. Throws besides Error(invalid_argument) for maps
  /// in host memory.
  DeviceEvent submit(const StereoInput& input, const StereoOutput& output, std::span<const DeviceEvent> after = {});

  Size size() const;
  /// As given, but with the window and, under SGM, the penalties that {0, 0} and 0 stand for.
  const StereoOptions& options() const;
  /// The value of pixels without disparity: (min_disparity - 1) * 16.
  int invalid() const;
  /// True where the range does not fit the int16 map; 16-bit maps are then refused.
  bool needs_wide_output() const;
  /// Bytes that this matcher has allocated on the host, its scratch memory per thread included.
  std::size_t memory() const;

  /// Rows of a band, where frames are matched in bands because whole ones do not fit the device's memory; 0 where they
  /// are not. Frames in bands follow each other (nothing is in flight), and images in device memory are refused with
  /// Error(unsupported).
  int band_rows() const;

  /// Lets the device's own clock time every copy and kernel from now on, or not. Frames take longer while it does.
  /// Devices that work in host memory have no such clock: nothing changes.
  void measure(bool on);
  /// Where the time went since the matcher was made, or since this was last asked; waits for the device. Nothing for
  /// devices that work in host memory. Throws Error(device) where the device was lost.
  std::optional<DeviceTimes> times();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A preset: a name and every field.
struct StereoPreset {
  std::string_view name;
  std::string_view summary;  ///< One sentence for people.
  StereoOptions options;
};
/// `fast`, `default`, `quality`, `quality-window`, `sad-2018`, `ssd-cross-check`, `opencv-bm`.
std::span<const StereoPreset> stereo_presets();
/// Throws Error(not_found) listing the names.
const StereoPreset& stereo_preset(std::string_view name);

/// All fields of StereoOptions in a fixed order, for command lines, files, pages and tables.
std::span<const Field> stereo_fields();
/// The field's value as text: get(o, "window") == "9x9". Throws Error(not_found) for an unknown name.
std::string stereo_get(const StereoOptions& options, std::string_view name);
/// Sets a field from text; throws Error(not_found) for an unknown name and Error(invalid_argument) for a text that is
/// not of the field's form (both list what is allowed). Ranges that depend on the picture are checked by StereoMatcher.
void stereo_set(StereoOptions& options, std::string_view name, std::string_view value);

/// Disparities of a map in px as float; pixels equal to `invalid` become +infinity.
void disparity_to_pixels(ImageView<const std::int16_t> disparity, int invalid, ImageView<float> pixels);
void disparity_to_pixels(ImageView<const std::int32_t> disparity, int invalid, ImageView<float> pixels);
/// Depth in metres = focal_px * baseline_m / (disparity in px + offset_px); +infinity where the disparity is invalid or
/// the denominator is not positive. `offset_px` is the difference of the principal points (calibration's doffs).
void pixels_to_depth(ImageView<const float> pixels, double focal_px, double baseline_m, double offset_px,
                     ImageView<float> metres);
/// The standard deviation of each depth, in metres, where that of the disparities is `error_px` px: to first order,
/// metres^2 * error_px / (focal_px * baseline_m). +infinity where the depth is not a positive number.
void depth_deviation(ImageView<const float> metres, double focal_px, double baseline_m, double error_px,
                     ImageView<float> deviation);

}  // namespace vergence
