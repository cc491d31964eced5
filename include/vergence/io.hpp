// SPDX-License-Identifier: Apache-2.0
// Files: pictures, video, disparity, depth and flow maps, calibration (target vergence::io).
//
// Everything that fails throws Error(not_found / io / bad_data / unsupported) naming the file, the reason and the cure.
// Formats are recognised by their first bytes when read and by the name's ending when written. Every written file is
// atomic (AtomicFile): it appears whole under its name or not at all.
//
// FFmpeg's libraries are opened when they are first needed: for PNG, JPEG, TIFF, BMP and video. Where they are missing,
// that is an Error(unsupported), and all else works. At its first use FFmpeg's log is silenced for the whole process,
// because a library never prints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vergence/flow.hpp"
#include "vergence/frame_options.hpp"
#include "vergence/image.hpp"
#include "vergence/output_file.hpp"
#include "vergence/stereo.hpp"

namespace vergence {

// ---------------------------------------------------------------------------------------------------------- pictures

/// A colour pixel, 8 bits each.
struct Rgb {
  std::uint8_t r = 0;
  std::uint8_t g = 0;
  std::uint8_t b = 0;
  friend bool operator==(const Rgb&, const Rgb&) = default;
};

/// A grey picture of 8 or 16 bits: exactly one of u8 and u16 holds it.
struct GreyPicture {
  Depth depth = Depth::u8;
  /// Largest value that the format allows: 255, a PNM's maxval, 2^bits - 1 of a 10- or 12-bit video, 65535.
  int max_value = 255;
  Image<std::uint8_t> u8;
  Image<std::uint16_t> u16;

  Size size() const { return depth == Depth::u8 ? u8.size() : u16.size(); }
  int width() const { return size().width; }
  int height() const { return size().height; }
  /// What matchers, estimators and trackers take: u8 or u16, as depth says.
  operator PictureRef() const& {
    return depth == Depth::u8 ? PictureRef(u8) : PictureRef(u16);
  }                                        // NOLINT(google-explicit-constructor): a picture is readable
  operator PictureRef() const&& = delete;  // what refers to a temporary would dangle
};

/// Reads a picture as grey: PNG, JPEG, TIFF, BMP, PNM (P1..P6), NPY, PFM. From YUV the Y plane untouched, from RGB
/// (9798 R + 19235 G + 3735 B + 16384) >> 15; alpha is dropped, palettes are expanded, values are never rescaled (but
/// bits of one-bit pictures become 0 and 255). NPY arrays of u1 are 8-bit, of u2 16-bit; other NPY types and PFM come
/// as 16 bit and must hold whole numbers 0..65535.
///
/// ```cpp
/// const GreyPicture left = read_grey("left.png"), right = read_grey("right.png");
/// StereoMatcher matcher(Device("cpu"), left.size(), {.depth = left.depth});
/// Image<std::int16_t> map(matcher.size());
/// matcher.compute({left, right}, {.disparity = map});
/// write_disparity("disparity.pfm", map, matcher.invalid());
/// ```
GreyPicture read_grey(const std::string& path);
/// Reads a picture as 8-bit colour: grey is repeated, deeper values are scaled to 0..255, YUV is converted.
Image<Rgb> read_rgb(const std::string& path);

/// Every number of a file, exactly, for comparisons: all picture formats, NPY, PFM, .flo.
struct RawValues {
  std::string type;  ///< "u8", "u16", "i16", "i32", "u32", "f32", "f64".
  int channels = 1;
  Image<double> values;  ///< width * channels columns, channels side by side. JPEG: the Y plane.
  bool alpha = false;    ///< The file has an alpha channel, which is not among the values.
};
RawValues read_values(const std::string& path);

/// Writes a grey or colour picture: .png, .pgm / .ppm, grey also .npy.
void write_picture(const std::string& path, ImageView<const std::uint8_t> grey);
void write_picture(const std::string& path, ImageView<const std::uint16_t> grey);
void write_picture(const std::string& path, ImageView<const Rgb> colour);

// -------------------------------------------------------------------------------------------------- maps of numbers

/// How numbers of a file become a float map.
struct FloatMapOptions {
  /// The map holds value / scale. Must be finite and positive.
  double scale = 1;
  /// The stored value that means "unknown". Not given: 0 in pictures, none in PFM and NPY. NaN: every value is known.
  std::optional<double> unknown = std::nullopt;
};
/// Ground truth and other maps: PFM, NPY, or a picture (colour pictures are refused). Unknown values, NaN and
/// infinities become +infinity. A PFM's scale only tells its byte order, whatever its size.
Image<float> read_float_map(const std::string& path, const FloatMapOptions& options = {});

void write_pfm(const std::string& path, ImageView<const float> map);
void write_npy(const std::string& path, ImageView<const std::uint8_t> map);
void write_npy(const std::string& path, ImageView<const std::uint16_t> map);
void write_npy(const std::string& path, ImageView<const std::int16_t> map);
void write_npy(const std::string& path, ImageView<const std::uint32_t> map);
void write_npy(const std::string& path, ImageView<const std::int32_t> map);
void write_npy(const std::string& path, ImageView<const float> map);

/// Window costs: .npy (uint32, untouched) or .pfm (no_cost is +infinity; costs above 2^24, which float cannot hold
/// exactly, are refused).
void write_cost(const std::string& path, ImageView<const std::uint32_t> cost);

// ---------------------------------------------------------------------------------------------- disparity and depth

/// Writes a disparity map given in 1/16 px. .png: KITTI's 16-bit PNG, 256 x disparity, 0 = invalid, disparity 0 becomes
/// 1/256 px; a negative disparity or one of 256 px and more is refused. .pfm: px, +infinity = invalid. .npy: the int16
/// or int32 values themselves; the invalid value is noted in the header.
void write_disparity(const std::string& path, ImageView<const std::int16_t> disparity, int invalid);
void write_disparity(const std::string& path, ImageView<const std::int32_t> disparity, int invalid);
/// Refuses, before any work, a name whose ending is none of these or whose format cannot hold the range.
void check_disparity_path(const std::string& path, int min_disparity, int disparities);
/// Reads such a file in px, +infinity = invalid. `invalid` (1/16 px) is needed for .npy files of integers that do not
/// note it; float .npy files are in px. PNG files must be 16-bit grey.
Image<float> read_disparity(const std::string& path, std::optional<int> invalid = std::nullopt);

/// Writes depth in metres (+infinity = unknown): .pfm and .npy in metres, .png in 16-bit steps of 1/per_metre m (1000:
/// millimetres, as RealSense has; 5000: as TUM's RGB-D files), rounded half up, 0 = unknown, known depths below one
/// step become 1, those above 65535 steps become 65535. Returns how many were so saturated. `per_metre` is 1..1000000.
std::int64_t write_depth(const std::string& path, ImageView<const float> metres, int per_metre = 1000);

/// What a rectified pair's geometry needs. Depth = focal_px * baseline_m / (disparity + offset_px).
struct Calibration {
  double focal_px = 0;
  double baseline_m = 0;
  /// Principal point of the right camera minus the left one's, x (Middlebury's doffs).
  double offset_px = 0;
  /// Principal point of the left camera.
  double center_x = 0;
  double center_y = 0;
  Size size;            ///< 0x0 where the file does not tell.
  int disparities = 0;  ///< Middlebury's ndisp; 0 where the file does not tell.
  /// For checks: the focal lengths of the left camera along y and of the right one; 0 where the file does not tell.
  double focal_y_px = 0;
  double focal_right_px = 0;
  std::optional<double> center_right_x;  ///< Principal point of the right camera, where the file tells.
  std::optional<double> center_right_y;
};
/// One file that holds both cameras: Middlebury's calib.txt (baseline in mm), KITTI's (P_rect_02 and P_rect_03, or P0
/// and P1; or the cameras asked for), one of OpenCV (YAML, XML, JSON) with P1 and P2 (its unit taken as metres).
Calibration read_calibration(const std::string& path);
Calibration read_calibration(const std::string& path, int left_camera, int right_camera);
/// Two YAML files of ROS or OpenCV, each with one projection matrix; or the two of one rig of OpenCV, with P1 and P2.
Calibration read_calibration(const std::string& left_path, const std::string& right_path);

/// Middlebury's .flo.
Image<FlowVector> read_flo(const std::string& path);
void write_flo(const std::string& path, ImageView<const FlowVector> flow);
/// The same of rows that are made as they are written: `row` gives those of all y, in order, each of the size's width.
void write_flo(const std::string& path, Size size, const std::function<const FlowVector*(int y)>& row);

// -------------------------------------------------------------------------------------------------------- colour map

/// How a map is coloured. The scale is fixed: equal numbers have equal colours in every picture made with equal limits.
struct ColourOptions {
  double low = 0;
  double high = 64;    ///< Must exceed low; values outside take the end colours.
  bool legend = true;  ///< A bar with numbers below the map; the picture gets higher (and wider, if the map is narrow).
  bool invalid = true;  ///< The legend tells the colour of invalid pixels where the map has some.
  /// What the legend's numbers are: digits and small letters, such as "grey levels". Left empty, it is "px" for
  /// disparities, and a float map's legend has none.
  std::string unit{};
  /// What the map holds, such as "depth", in the same characters; it stands above the bar with the unit. Left empty, it
  /// is "disparity" for disparities, and a float map's legend has none.
  std::string name{};
  std::string note{};  ///< Stands at the right above the bar, in the same characters.
  bool whole = false;  ///< The numbers of the legend are whole, as counts are.
  /// The matcher's mask, of the map's size: pixels of value 2 (filled) are drawn pale with dark dots, and the legend
  /// tells so where there are some. An empty view: all values are drawn alike.
  ImageView<const std::uint8_t> mask{};
};
/// Colours a disparity map (1/16 px, limits in px) or a float map (limits in its unit; +infinity, NaN = invalid).
/// Lightness rises evenly from dark (low) to light (high); invalid pixels are grey with diagonal hatching, which the
/// scale does not hold. Where numbers lie beyond a limit, its own reads "<= 0" or ">= 64".
Image<Rgb> colour_map(ImageView<const std::int16_t> disparity, int invalid, const ColourOptions& options);
Image<Rgb> colour_map(ImageView<const std::int32_t> disparity, int invalid, const ColourOptions& options);
Image<Rgb> colour_map(ImageView<const float> map, const ColourOptions& options);
/// The colour of position 0..1 on the scale.
Rgb scale_colour(double position);

// ------------------------------------------------------------------------------------------------------------ frames

/// Frames first..last of a source, both included. The numbers of a sequence are those in its files' names; videos count
/// from 0, and a single picture is frame 0.
struct FrameRange {
  std::int64_t first = -1;  ///< Negative: from the source's first frame.
  std::int64_t last = -1;   ///< Negative: to its end.
};
/// "A:B", "A:", ":B" or "A". Throws Error(invalid_argument).
FrameRange parse_frame_range(std::string_view text);

/// How the chroma planes of a YUV frame lie to its luma.
enum class ChromaFormat {
  none,  ///< There are none.
  c420,  ///< Half as wide and high, rounded up.
  c422,  ///< Half as wide, rounded up.
  c444,  ///< As large.
};

/// A frame as YUV stores it, untouched. Both chroma planes have the luma's depth and max_value.
struct YuvFrame {
  GreyPicture luma;
  ChromaFormat chroma = ChromaFormat::none;
  GreyPicture cb;
  GreyPicture cr;
  bool full_range = false;  ///< Black is 0, not 16 (of 8 bits).
};

/// A source's name for messages and pages: of an address without user, password and query, which may hold secrets
/// ("rtsp://***@camera/stream?***").
std::string shown_source(const std::string& source);

/// Grey frames of a picture (one frame), a numbered sequence or a video. A name with one %d, %4d or %04d is a sequence,
/// unless a file of that very name exists: its frames have the numbers of the names, it starts at the lowest one found,
/// and a missing number in the range is an error when it is opened.
///
/// ```cpp
/// FrameSource source("video.mp4", {.first = 10, .last = 19});
/// while (const std::optional<GreyPicture> frame = source.next()) {
///   const PictureRef picture = *frame;  // what a MotionStream or a PointTracker takes
///   static_cast<void>(picture.on_device());
/// }
/// ```
class FrameSource {
 public:
  /// Opens the source; an unreadable one, or one that has no frame in the range's start, is an Error, as is a raw file
  /// whose length is no multiple of a frame.
  explicit FrameSource(const std::string& path, const FrameRange& range = {}, const FrameSourceOptions& options = {});
  FrameSource(FrameSource&&) noexcept;
  FrameSource& operator=(FrameSource&&) noexcept;
  ~FrameSource();

  /// The next frame of the range, or nothing after the last. A frame of another size or depth than the first is an
  /// Error.
  std::optional<GreyPicture> next();
  /// The same with the chroma of 4:2:0, 4:2:2 and 4:4:4 video; pictures and other video have none.
  std::optional<YuvFrame> next_yuv();
  /// The number of the frame that next() gives: a sequence's from the name of the file, else counted from 0.
  std::int64_t number() const;
  /// True for sequences and videos, false for a single picture.
  bool is_stream() const;
  /// True for numbered pictures.
  bool is_sequence() const;
  /// Frames in the range, where known beforehand (for progress bars; a video's own figure may be wrong).
  std::optional<std::int64_t> count() const;
  /// Frames per second of a video; 0 where unknown.
  double rate() const;
  /// When the frame that next() gave last is shown, in seconds, counted as the video's file does; nothing where it does
  /// not say, and of pictures.
  std::optional<double> time() const;
  /// Once next() gave nothing: one line where frames of a video got lost, by the numbers of its pictures (H.264, HEVC)
  /// or the count in its header (AVI), or where a later picture is to be shown otherwise, or holds several; else empty.
  std::string missing() const;
  /// What users should know of the source, a line each: which of several streams or pictures is read; that a video
  /// begins without a keyframe; that it, or its first picture (Exif), is to be shown turned or stretched; once next()
  /// gave nothing, also that frames come late, or what missing() tells.
  std::vector<std::string> notices() const;
  /// Of raw video that can be read once only, as from a pipe: the first bytes that were read, those of frames before
  /// the range included, up to raw_start_bytes.
  const std::vector<std::uint8_t>& raw_start() const;
  /// Of live sources.
  std::optional<LiveReport> live() const;
  /// For messages: the path, or the path of the sequence's current file.
  const std::string& name() const;
  /// The files that it reads: the picture, the video, or those of the sequence that are in the range.
  std::vector<std::string> files() const;

 private:
  friend class StereoSource;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// How both pictures of a pair share a frame; the left one is at the left or at the top.
enum class StereoLayout { side_by_side, top_bottom };

struct StereoFrame {
  std::int64_t index = 0;  ///< The frame's number; see FrameRange.
  GreyPicture left;
  GreyPicture right;
};

/// Pairs of frames from two sources or from one that holds both. Left and right are paired by number: of two sequences,
/// each number of the range must have both files, and a video beside a sequence is taken from its first number. A size
/// that cannot be halved, and left and right of different size, depth or max_value, are Errors that name both.
///
/// ```cpp
/// StereoSource source("left_%d.png", "right_%d.png");
/// while (const std::optional<StereoFrame> frame = source.next()) {
///   const StereoInput pair{frame->left, frame->right};  // what a StereoMatcher takes
///   std::int64_t number = frame->index;
/// }
/// ```
class StereoSource {
 public:
  StereoSource(const std::string& left_path, const std::string& right_path, const FrameRange& range = {});
  StereoSource(const std::string& path, StereoLayout layout, const FrameRange& range = {},
               const FrameSourceOptions& options = {});
  StereoSource(StereoSource&&) noexcept;
  StereoSource& operator=(StereoSource&&) noexcept;
  ~StereoSource();

  std::optional<StereoFrame> next();
  /// The number of the pair that next() gives.
  std::int64_t number() const;
  bool is_stream() const;
  std::optional<std::int64_t> count() const;
  double rate() const;
  /// Those of both sources, and that their rates differ by more than 1 %, or the orientations of their pictures.
  std::vector<std::string> notices() const;
  /// The files that both read.
  std::vector<std::string> files() const;
  /// Of live sources.
  std::optional<LiveReport> live() const;
  /// After the end: one line when one stream was longer than the other, frames got lost, or left and right are shown at
  /// different times, or the range reached beyond the end; else empty.
  const std::string& warning() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// ------------------------------------------------------------------------------------------------------------ output

/// What a VideoWriter is given.
struct VideoFormat {
  Size size;
  double rate = 25;  ///< Frames per second, above 0.
  ChromaFormat chroma = ChromaFormat::c420;
  Depth depth = Depth::u8;
  int max_value = 255;
  bool full_range = false;
};

/// Writes a video, frame by frame, in constant memory. It is PATH.partial until commit(), and what was written stays
/// readable where that never comes. .y4m holds the very numbers; .mp4 is H.264 of high quality (MPEG-4 part 2 where
/// FFmpeg lacks x264), of 8 or 10 bits, grey as 4:2:0 without colour, odd sides made even by repeating the last column
/// or row.
///
/// ```cpp
/// const Image<Rgb> colours({640, 480}, Rgb{255, 128, 0});
/// VideoWriter video("map.mp4", {.size = colours.size(), .rate = 25});
/// for (int frame = 0; frame < 50; ++frame) video.write(colours);
/// video.commit();
/// ```
class VideoWriter {
 public:
  /// Throws Error(unsupported) for another ending and for what the format cannot hold, Error(io).
  VideoWriter(const std::string& path, const VideoFormat& format);
  VideoWriter(VideoWriter&&) noexcept;
  VideoWriter& operator=(VideoWriter&&) noexcept;
  ~VideoWriter();

  /// A frame of the writer's form. Throws Error(invalid_argument) for another.
  void write(const YuvFrame& frame);
  /// Colours, as YUV of ITU-R BT.601; for writers of 8 bits with chroma and limited range.
  void write(ImageView<const Rgb> frame);
  void commit();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Versions of FFmpeg's libraries that this one was built for, for `--version`: "libavcodec 59.37.100, ...". Any of the
/// same major versions is opened, where it is first needed.
std::string io_libraries();

}  // namespace vergence
