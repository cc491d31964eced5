// SPDX-License-Identifier: Apache-2.0
// `vergence diff`: are two files equal, number by number?
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "cli/command.hpp"
#include "cli/jpeg_file.hpp"
#include "cli/json.hpp"
#include "cli/program.hpp"
#include "cli/strict.hpp"
#include "eval/file_pairs.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {
namespace {

struct DiffArguments {
  std::string a;
  std::string b;
  std::optional<std::string> frames;
  bool json = false;
};

/// What was found in a pair of files.
struct Differences {
  std::int64_t pixels = 0;
  int channels = 1;
  std::int64_t count = 0;  ///< Pixels in which at least one channel differs.
  int x = 0;               ///< The first one in raster order, and its first differing channel.
  int y = 0;
  int channel = 0;
  double value_a = 0;
  double value_b = 0;
  double largest = 0;  ///< |a - b|; infinite where only one of them is infinite or not a number.
};

/// Equal numbers, or both not a number.
bool equal(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

double distance(double a, double b) {
  const double difference = std::abs(a - b);
  return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
}

Differences compare(const RawValues& a, const RawValues& b) {
  Differences found;
  const int channels = a.channels;
  found.channels = channels;
  found.pixels = static_cast<std::int64_t>(a.values.width() / channels) * a.values.height();
  for (int y = 0; y < a.values.height(); ++y) {
    int last_pixel = -1;
    for (int column = 0; column < a.values.width(); ++column) {
      const double va = a.values(column, y);
      const double vb = b.values(column, y);
      if (equal(va, vb)) continue;
      const int x = column / channels;
      if (found.count == 0) {
        found.x = x;
        found.y = y;
        found.channel = column % channels;
        found.value_a = va;
        found.value_b = vb;
      }
      if (x != last_pixel) ++found.count;
      last_pixel = x;
      found.largest = std::max(found.largest, distance(va, vb));
    }
  }
  return found;
}

void check_comparable(const FilePair& files, const RawValues& a, const RawValues& b) {
  if (a.values.size() == b.values.size() && a.channels == b.channels) return;
  const auto shape = [](const RawValues& v, const std::string& name) {
    const bool luma = v.channels == 1 && is_jpeg_file(name);
    return fmt::format("{}x{} with {} channel{}{}", v.values.width() / v.channels, v.values.height(), v.channels,
                       v.channels == 1 ? "" : "s", luma ? " (of a JPEG its luma is read, beside what is none)" : "");
  };
  const bool of_one_size = static_cast<std::int64_t>(a.values.width()) * b.channels ==
                               static_cast<std::int64_t>(b.values.width()) * a.channels &&
                           a.values.height() == b.values.height();
  throw Error(ErrorCode::bad_data,
              fmt::format("{} is {}, {} is {}: give two files of one {}", files.a, shape(a, files.a), files.b,
                          shape(b, files.b), of_one_size ? "number of channels" : "size"));
}

/// Maps in the units of their formats: KITTI's PNG holds px * 256, .npy of integers px * 16, and .pfm px. The factor by
/// which one holds more than the other nearly everywhere; 1 where it is none of these.
int factor_of(const RawValues& a, const RawValues& b) {
  constexpr std::array factors{16, 256};
  std::array<std::int64_t, factors.size()> fitting{};
  std::int64_t known = 0;
  for (int y = 0; y < a.values.height(); ++y)
    for (int x = 0; x < a.values.width(); ++x) {
      const double va = a.values(x, y), vb = b.values(x, y);
      if (!std::isfinite(va) || !std::isfinite(vb) || va <= 0 || vb <= 0) continue;
      ++known;
      for (std::size_t i = 0; i < factors.size(); ++i) fitting[i] += va == factors[i] * vb || vb == factors[i] * va;
    }
  for (std::size_t i = 0; i < factors.size(); ++i)
    if (known > 0 && 10 * fitting[i] >= 9 * known) return factors[i];
  return 1;
}

RawValues colours_of(const std::string& path) {
  const Image<Rgb> picture = read_rgb(path);
  RawValues out{"u8", 3, Image<double>(Size{3 * picture.width(), picture.height()})};
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      const Rgb pixel = picture(x, y);
      out.values(3 * x, y) = pixel.r, out.values(3 * x + 1, y) = pixel.g, out.values(3 * x + 2, y) = pixel.b;
    }
  return out;
}

/// JSON has no infinity: text stands for it.
Json number_or_text(double value) {
  if (std::isfinite(value)) return value;
  return fmt::format("{}", value);
}

Json first_json(const Differences& found) {
  Json first{{"x", found.x}, {"y", found.y}};
  if (found.channels > 1) first["channel"] = found.channel;
  first["a"] = number_or_text(found.value_a);
  first["b"] = number_or_text(found.value_b);
  return first;
}

std::string first_text(const Differences& found) {
  const std::string channel = found.channels > 1 ? fmt::format(" channel {}", found.channel) : "";
  return fmt::format("x {} y {}{}: {} and {}", found.x, found.y, channel, found.value_a, found.value_b);
}

std::string share_text(const Differences& found) {
  return fmt::format("{} of {} pixels differ ({:.3f} %)", found.count, found.pixels,
                     100.0 * static_cast<double>(found.count) / static_cast<double>(found.pixels));
}

void print_one_json(const Differences& found, const Warnings& warnings) {
  Json report = json_report();
  report["equal"] = found.count == 0;
  report["pixels"] = found.pixels;
  report["differing"] = found.count;
  report["largest"] = number_or_text(found.largest);
  if (found.count > 0) report["first"] = first_json(found);
  report["warnings"] = warnings.lines();
  print_json(report);
}

void print_one(const Differences& found) {
  if (found.count == 0) {
    print("equal: all {} pixels\n", found.pixels);
    return;
  }
  print("{}\n", share_text(found));
  print("first: {}\n", first_text(found));
  print("largest difference: {}\n", found.largest);
}

/// Numbered files, one pair after the other: a line for each that differs, then sums.
class Sequence {
 public:
  explicit Sequence(bool json) : json_(json) {}

  void add(std::int64_t frame, const Differences& found) {
    ++frames_;
    sum_.pixels += found.pixels;
    sum_.count += found.count;
    sum_.largest = std::max(sum_.largest, found.largest);
    if (found.count > 0) ++differing_;
    if (!json_ && found.count > 0)
      print("frame {}: {}, first {}, largest difference {}\n", frame, share_text(found), first_text(found),
            found.largest);
    if (!json_) return;
    Json one{{"frame", frame}, {"pixels", found.pixels}, {"differing", found.count}};
    one["largest"] = number_or_text(found.largest);
    if (found.count > 0) one["first"] = first_json(found);
    per_frame_.push_back(std::move(one));
  }
  void finish(const Warnings& warnings) {
    if (!json_) {
      if (sum_.count == 0)
        print("equal: all {} pixels of {} frame{}\n", sum_.pixels, frames_, frames_ == 1 ? "" : "s");
      else
        print("{} of {} frames differ, {}, largest difference {}\n", differing_, frames_, share_text(sum_),
              sum_.largest);
      return;
    }
    Json report = json_report();
    report["equal"] = sum_.count == 0;
    report["frames"] = frames_;
    report["differing_frames"] = differing_;
    report["pixels"] = sum_.pixels;
    report["differing"] = sum_.count;
    report["largest"] = number_or_text(sum_.largest);
    report["per_frame"] = std::move(per_frame_);
    report["warnings"] = warnings.lines();
    print_json(report);
  }
  bool equal() const { return sum_.count == 0; }

 private:
  bool json_;
  Differences sum_;
  std::int64_t frames_ = 0, differing_ = 0;
  Json per_frame_ = Json::array();
};

/// What was said of the files: of numbered ones, the first ones stand for all.
struct Said {
  bool alpha = false, colours = false, factor = false;
};

Differences compare_files(const FilePair& files, Said& said, Warnings& warnings) {
  const RawValues a = read_values(files.a);
  const RawValues b = read_values(files.b);
  check_comparable(files, a, b);
  if ((a.alpha || b.alpha) && !std::exchange(said.alpha, true))
    warnings.add(
        fmt::format("{} an alpha channel, which is not compared: extract it to compare it (`ffmpeg -i FILE -vf "
                    "alphaextract alpha.png`)",
                    a.alpha && b.alpha ? fmt::format("{} and {} have", files.a, files.b)
                                       : fmt::format("{} has", a.alpha ? files.a : files.b)));
  const Differences found = compare(a, b);
  if (found.count == 0 && is_jpeg_file(files.a) && is_jpeg_file(files.b)) {
    // Their numbers are the luma alone, which is what is matched.
    const Differences colours = compare(colours_of(files.a), colours_of(files.b));
    if (colours.count > 0 && !std::exchange(said.colours, true))
      warnings.add(fmt::format(
          "{} and {} have the same luma, which is all that is matched of a JPEG, and other colours", files.a, files.b));
    return colours.count > 0 ? colours : found;
  }
  if (found.count == 0 || said.factor) return found;
  if (const int factor = factor_of(a, b); factor != 1) {
    said.factor = true;
    warnings.add(fmt::format(
        "{} and {} hold the same in two units, with a factor of {}: compare files of one format (.png holds "
        "px * 256, .npy of integers px * 16, .pfm and .npy of floats px), or give both to `eval`",
        files.a, files.b, factor));
  }
  return found;
}

int run(const DiffArguments& arguments) {
  const FilePairs files = pair_files({"A", arguments.a}, {"B", arguments.b}, arguments.frames);
  Warnings warnings;
  Said said;
  if (!files.numbered) {
    const Differences found = compare_files(files.pairs.front(), said, warnings);
    if (arguments.json)
      print_one_json(found, warnings);
    else
      print_one(found);
    return found.count == 0 ? success : failure;
  }
  for (const std::string& line : files.notices) warnings.add(line);
  Sequence sequence(arguments.json);
  for (const FilePair& pair : files.pairs) sequence.add(pair.number, compare_files(pair, said, warnings));
  sequence.finish(warnings);
  return sequence.equal() ? success : failure;
}

}  // namespace

void add_diff(Program& program) {
  Command command = program.add(
      "diff",
      "Compare two files number by number\n\n"
      "Pictures, .npy, .pfm or .flo of one size. Numbered names (map_%04d.pfm) stand for all files with a number "
      "there,\n"
      "which are compared number by number. Alpha is not compared. Exit status 0: equal; 1: they differ, or one cannot "
      "be read.");
  const auto arguments = std::make_shared<DiffArguments>();
  command.add("A", arguments->a, "One file, or numbered ones").required();
  command.add("B", arguments->b, "The other file, or numbered ones").required();
  add_pair_options(command, arguments->frames);
  command.flag("--json", arguments->json, "Print one JSON object");
  command.common(
      "Pictures, .npy, .pfm or .flo of one size, without their alpha. Numbered names (map_%04d.pfm) are compared "
      "number by number. Status 0: equal, 1: they differ.",
      {{"--frames", "Numbers of the files, both included"}, {"--json", "Print one JSON object"}});
  command.run([arguments] { return run(*arguments); });
}

}  // namespace vergence::cli
