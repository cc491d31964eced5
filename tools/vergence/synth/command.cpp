// SPDX-License-Identifier: Apache-2.0
// `vergence synth`: writes the built-in scene with everything that is true about it.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <string_view>

#include "cli/command.hpp"
#include "cli/files.hpp"
#include "cli/json.hpp"
#include "cli/program.hpp"
#include "cli/progress.hpp"
#include "cli/signals.hpp"
#include "synth/scene.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {
namespace {

namespace fs = std::filesystem;

struct SynthArguments {
  std::string directory;
  std::string size = "640x480";
  std::string seed = "1";
  std::string frames = "1";
  std::string noise = "0";
  std::string gain = "1";
  std::string offset = "0";
  std::string samples = "2";
  std::string threads = "0";
  std::optional<std::string> disparities, first;
  bool color = false;
  bool json = false;
};

/// "4:60", also "4.5:60".
void set_disparities(synth::SceneOptions& options, const std::string& text) {
  const std::size_t cut = text.find(':');
  if (cut == std::string::npos)
    throw UsageError(fmt::format("--disparity-range is '{}': allowed is MIN:MAX in px, such as 4:60", text));
  options.min_disparity = parse_number("--disparity-range MIN", text.substr(0, cut), 0, 65535);
  options.max_disparity = parse_number("--disparity-range MAX", text.substr(cut + 1), 0, 65535);
  if (*options.min_disparity <= 0 || *options.min_disparity >= *options.max_disparity ||
      *options.max_disparity > options.size.width)
    throw UsageError(fmt::format("--disparity-range is '{}': allowed are 0 < MIN < MAX <= {} (the pictures' width)",
                                 text, options.size.width));
}

synth::SceneOptions scene_options(const SynthArguments& arguments) {
  synth::SceneOptions options;
  const auto [width, height] = parse_size("--size", arguments.size, 1, 65535);
  options.size = {width, height};
  options.seed =
      static_cast<std::uint64_t>(parse_integer("--seed", arguments.seed, 0, std::numeric_limits<long long>::max()));
  options.frames = static_cast<int>(parse_integer("--frame-count", arguments.frames, 1, 1'000'000));
  options.noise_sigma = parse_number("--noise", arguments.noise, 0, 64);
  options.gain = parse_number("--gain", arguments.gain, 0, 8);
  options.offset = parse_number("--offset", arguments.offset, -255, 255);
  options.samples = static_cast<int>(parse_integer("--samples", arguments.samples, 1, 8));
  options.threads = static_cast<int>(parse_integer("--threads", arguments.threads, 0, 1024));
  options.color = arguments.color;
  if (arguments.disparities) set_disparities(options, *arguments.disparities);
  return options;
}

/// The directory of the scene. Where this run made it and then failed before the first file, it is removed again.
class SceneDirectory {
 public:
  explicit SceneDirectory(const std::string& path) : path_(path) {
    std::error_code making;
    std::error_code problem;
    made_ = fs::create_directory(path_, making);
    if (!fs::is_directory(path_, problem))
      throw Error(ErrorCode::io,
                  fmt::format("directory '{}' cannot be made: {}", path,
                              fs::exists(path_, problem) ? "a file of that name exists, give another name"
                                                         : missing_reason(making)));
    check_writable({"DIR", "scene", "directory", (path_ / "left.png").string()});
  }
  ~SceneDirectory() {
    std::error_code problem;
    if (made_) fs::remove(path_, problem);  // only ever removes an empty directory
  }
  SceneDirectory(const SceneDirectory&) = delete;
  SceneDirectory& operator=(const SceneDirectory&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::string missing_reason(const std::error_code& making) const {
    std::error_code problem;
    const fs::path parent = path_.has_parent_path() ? path_.parent_path() : fs::path(".");
    if (!fs::exists(parent, problem))
      return fmt::format("there is no directory '{}', create it or give another name", parent.string());
    return fmt::format(
        "none can be made in '{}' ({}), choose a place that you may write to", parent.string(),
        making == std::errc::no_such_file_or_directory ? "it holds only what the system puts there" : making.message());
  }

  fs::path path_;
  bool made_ = false;
};

/// Its pictures are PNG files, which are read up to this size; and a frame must fit into the memory that there is.
void check_size(const synth::SceneOptions& options) {
  constexpr std::int64_t most = std::int64_t{1} << 28;
  constexpr std::int64_t margin = 128;
  const Size size = options.size;
  if ((size.width + margin) * (size.height + margin) >= most)
    throw UsageError(
        fmt::format("--size is '{}x{}': no PNG of that size can be read back; allowed are about as many "
                    "pixels as 16000x16000 has",
                    size.width, size.height));
  constexpr std::int64_t bytes_per_pixel = 24;  // two pictures, disparities, masks, regions, flow and its mask
  constexpr std::int64_t bytes_of_colours = 12;
  const std::int64_t bytes =
      std::int64_t{size.width} * size.height * (bytes_per_pixel + (options.color ? bytes_of_colours : 0));
  const std::int64_t memory = std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
  if (memory > 0 && bytes > memory)
    throw UsageError(
        fmt::format("--size is '{}x{}': a frame takes {} MB and this machine has {} MB of memory: give a "
                    "smaller size",
                    size.width, size.height, bytes >> 20, memory >> 20));
}

/// 0, 85, 170, 255: regions that an eye can tell apart.
Image<std::uint8_t> region_picture(const Image<std::uint8_t>& regions) {
  Image<std::uint8_t> picture(regions.size());
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) picture(x, y) = static_cast<std::uint8_t>(regions(x, y) * 85);
  return picture;
}

/// Writes frames under names that carry a number where there are several.
class SceneWriter {
 public:
  SceneWriter(const SceneDirectory& directory, int frames, std::int64_t first)
      : directory_(directory), numbered_(frames > 1), first_(first) {}

  void write(const synth::SceneFrame& frame, int index) {
    const WriteGuard guard;
    FileGroup files;
    const Image<std::uint8_t>& seen = frame.visible_left;
    bool some = false;
    for (int y = 0; y < seen.height(); ++y) some = some || std::count(seen.row(y), seen.row(y) + seen.width(), 255) > 0;
    maskable_ = maskable_ && some;
    const Image<std::uint8_t> regions = region_picture(frame.region_left);
    if (frame.left_rgb.empty()) {
      write_picture(path("left", ".png", index), frame.left.view());
      write_picture(path("right", ".png", index), frame.right.view());
    } else {
      write_picture(path("left", ".png", index), frame.left_rgb.view());
      write_picture(path("right", ".png", index), frame.right_rgb.view());
    }
    write_pfm(path("disparity", ".pfm", index), frame.disparity_left.view());
    write_pfm(path("disparity_right", ".pfm", index), frame.disparity_right.view());
    write_picture(path("mask", ".png", index), frame.visible_left.view());
    write_picture(path("mask_right", ".png", index), frame.visible_right.view());
    write_picture(path("region", ".png", index), regions.view());
    if (!frame.flow.empty()) {
      write_flo(path("flow", ".flo", index), frame.flow.view());
      write_picture(path("flow_mask", ".png", index), frame.flow_visible.view());
    }
    files.commit();
  }

  /// Frames of other runs whose names go on where those of this one end: one line that names them, else "".
  std::string leftovers(int frames) const {
    if (!numbered_) return {};
    std::vector<std::int64_t> others;
    for (const char* const name : {"left_%04d.png", "right_%04d.png", "disparity_%04d.pfm", "mask_%04d.png"})
      for (const std::int64_t number : existing_numbers(directory_.file(name)))
        if (number < first_ || number >= first_ + frames) others.push_back(number);
    if (others.empty()) return {};
    const auto [least, most] = std::minmax_element(others.begin(), others.end());
    return fmt::format(
        "{} holds frames of another run, with numbers from {} to {}, and commands read all numbers there are: remove "
        "them, or give{}",
        directory_.file(""), *least, *most, own_frames(frames));
  }
  std::string own_frames(int frames) const { return fmt::format(" --frames {}:{}", first_, first_ + frames - 1); }

  /// Every frame has a pixel that both pictures show.
  bool maskable() const { return maskable_; }
  /// The name with %04d where frames are numbered.
  std::string pattern(const std::string& stem, const std::string& end) const {
    return directory_.file(stem + (numbered_ ? "_%04d" : "") + end);
  }

 private:
  std::string path(const std::string& stem, const std::string& end, int index) const {
    return directory_.file(numbered_ ? fmt::format("{}_{:04}{}", stem, first_ + index, end) : stem + end);
  }
  const SceneDirectory& directory_;
  bool numbered_;
  bool maskable_ = true;
  std::int64_t first_;
};

/// Candidates that hold all disparities of the scene when counted from 0.
int candidates(const synth::Scene& scene) {
  return static_cast<int>(std::ceil(scene.options().max_disparity.value())) + 1;
}

/// Middlebury's calib.txt.
std::string calibration_text(const synth::Scene& scene) {
  const Calibration c = scene.calibration();
  const synth::SceneOptions& options = scene.options();
  return fmt::format(
      "cam0=[{0} 0 {1}; 0 {0} {2}; 0 0 1]\ncam1=[{0} 0 {3}; 0 {0} {2}; 0 0 1]\ndoffs={4}\nbaseline={5}\n"
      "width={6}\nheight={7}\nndisp={8}\nvmin={9}\nvmax={10}\n",
      c.focal_px, c.center_x, c.center_y, c.center_x + c.offset_px, c.offset_px, c.baseline_m * 1000,
      options.size.width, options.size.height, candidates(scene), *options.min_disparity, *options.max_disparity);
}

/// The options with which `stereo` can match this scene: all disparities, and a window that fits.
std::string matching_options(const synth::Scene& scene) {
  const Size size = scene.options().size;
  constexpr int roomy = 18;  // twice the default window
  const int side = std::min(size.width, size.height);
  const char* const window = side >= roomy ? "" : side >= 3 ? " --window 3x3" : " --window 1x1";
  return fmt::format("--disparities {}{}", std::min(candidates(scene), size.width), window);
}

void print_report(const synth::Scene& scene, const SceneWriter& names, const std::string& calibration, bool json,
                  const std::string& warning) {
  const synth::SceneOptions& options = scene.options();
  const Calibration c = scene.calibration();
  const std::string left = names.pattern("left", ".png");
  const std::string right = names.pattern("right", ".png");
  const std::string truth = names.pattern("disparity", ".pfm");
  const std::string mask = names.pattern("mask", ".png");
  if (json) {
    Json report = json_report();
    report["size"] = Json{{"width", options.size.width}, {"height", options.size.height}};
    report["seed"] = options.seed;
    report["frames"] = options.frames;
    report["min_disparity"] = json_number(options.min_disparity.value(), 6);
    report["max_disparity"] = json_number(options.max_disparity.value(), 6);
    report["focal_px"] = json_number(c.focal_px, 6);
    report["baseline_m"] = json_number(c.baseline_m, 9);
    Json outputs{{"left", left}, {"right", right}, {"disparity", truth}};
    outputs["disparity_right"] = names.pattern("disparity_right", ".pfm");
    outputs["mask"] = mask;
    outputs["mask_right"] = names.pattern("mask_right", ".png");
    outputs["region"] = names.pattern("region", ".png");
    if (options.frames > 1) outputs["flow"] = names.pattern("flow", ".flo");
    if (options.frames > 1) outputs["flow_mask"] = names.pattern("flow_mask", ".png");
    outputs["calibration"] = calibration;
    report["outputs"] = std::move(outputs);
    report["warnings"] = warning.empty() ? Json::array() : Json::array({warning});
    print_json(report);
    return;
  }
  print("scene   {}x{}, seed {}, {} frame{}, disparities {:.2f} .. {:.2f} px\n", options.size.width,
        options.size.height, options.seed, options.frames, options.frames == 1 ? "" : "s",
        options.min_disparity.value(), options.max_disparity.value());
  print("wrote   {}, {}\n        truth {}, visible in both {}\n        calibration {}\n", left, right, truth, mask,
        calibration);
  print("try     vergence stereo {} {} {} --truth {}{}{}\n", shell_word(left), shell_word(right),
        matching_options(scene), shell_word(truth), names.maskable() ? " --mask " + shell_word(mask) : "",
        warning.empty() ? "" : names.own_frames(options.frames));
}

int run(const SynthArguments& arguments) {
  if (arguments.directory.empty()) throw UsageError("DIR is empty: give the directory to write into");
  const synth::SceneOptions options = scene_options(arguments);
  if (arguments.first && options.frames == 1)
    throw UsageError("--first is the number of the first of several frames: give --frame-count, or leave it out");
  const std::int64_t first = output_shift(arguments.first, 0);
  check_size(options);
  const synth::Scene scene = as_usage([&options] { return synth::Scene(options); });
  const SceneDirectory directory(arguments.directory);
  SceneWriter writer(directory, options.frames, first);
  std::optional<FileGroup> all_files;  // of one pair; frames appear one after the other
  if (options.frames == 1) all_files.emplace();
  {
    Progress progress("frames", options.frames);
    for (int index = 0; index < options.frames; ++index) {
      writer.write(scene.render(index), index);
      progress.step();
    }
  }
  const std::string calibration = directory.file("calib.txt");
  {
    const WriteGuard guard;
    AtomicFile file(calibration);
    file.write(calibration_text(scene));
    file.commit();
    if (all_files) all_files->commit();
  }
  const std::string warning = writer.leftovers(options.frames);
  if (!warning.empty()) warn(warning);
  print_report(scene, writer, calibration, arguments.json, warning);
  return success;
}

void add_scene_options(Command command, SynthArguments& arguments) {
  const auto add = [&command](const char* name, std::string& value, const char* type, const char* help) {
    command.add(name, value, help).type(type);
  };
  add("--size", arguments.size, "WxH", "Size of the pictures [px, 1x1 .. about 16000x16000; default: 640x480]");
  add("--seed", arguments.seed, "N", "Another scene for every number [0 .. 2^63 - 1; default: 1]");
  add("--frame-count", arguments.frames, "N",
      "Frames of the video; 1 = one pair without flow [1 .. 1000000; default: 1]");
  command.add("--first", arguments.first, "Number of the first frame in names [0 .. 10^12; default: 0]").type("N");
  add("--noise", arguments.noise, "S", "Deviation of the noise of each picture [grey levels, 0 .. 64; default: 0]");
  add("--gain", arguments.gain, "G", "Exposure of the right picture: value * gain + offset [0 .. 8; default: 1]");
  add("--offset", arguments.offset, "O", "See --gain [grey levels, -255 .. 255; default: 0]");
  command
      .add("--disparity-range", arguments.disparities,
           "All disparities lie within [px, 0 < MIN < MAX <= width; default: 4:60 per 640 px of width]")
      .type("MIN:MAX");
  add("--samples", arguments.samples, "N",
      "Rays per pixel and direction: more is smoother and slower [1 .. 8; default: 2]");
  command.flag("--rgb", arguments.color, "Pictures in colour");
  add("--threads", arguments.threads, "N", "Threads; changes speed only [0 .. 1024, 0 = one per core; default: 0]");
  command.flag("--json", arguments.json, "Print one JSON object");
}

}  // namespace

void add_synth(Program& program) {
  Command command = program.add(
      "synth",
      "Write the built-in scene: a pair or video with exact truth\n\n"
      "Into DIR: left.png, right.png; disparity.pfm and disparity_right.pfm (px); mask.png and mask_right.png (255 =\n"
      "visible in both); region.png (0 textured, 85 flat, 170 repetitive, 255 thin); flow.flo and flow_mask.png (left\n"
      "picture to its next frame); calib.txt. With several frames all names but the last carry _0000, _0001, ...");
  const auto arguments = std::make_shared<SynthArguments>();
  command.add("DIR", arguments->directory, "Directory to write into; made where it is missing").required();
  add_scene_options(command, *arguments);
  command.common(
      "Into DIR: left and right picture, disparities (.pfm, px), masks, regions, flow to the next frame, calib.txt.",
      {{"--size", "Size of the pictures"},
       {"--seed", "Another scene for every number"},
       {"--frame-count", "Frames of the video; 1 = one pair"},
       {"--first", "Number of the first frame in names"},
       {"--noise", "Deviation of each picture's noise, grey levels"},
       {"--gain", "The right picture is value * gain + offset"},
       {"--offset", "See --gain, grey levels"},
       {"--disparity-range", "All disparities lie within, px"},
       {"--samples", "Rays per pixel and direction"},
       {"--rgb", "Pictures in colour"},
       {"--threads", "0 = one per core; changes speed only"},
       {"--json", "Print one JSON object"}});
  command.run([arguments] { return run(*arguments); });
}

}  // namespace vergence::cli
