// SPDX-License-Identifier: Apache-2.0
// Writes the page of `vergence report`.
#include "report/page.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "cli/json.hpp"
#include "cli/times.hpp"
#include "vergence/version.hpp"
#include "view/answers.hpp"

namespace vergence::cli {
namespace {

constexpr const char* style =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:76rem;margin:1rem auto;padding:0 1rem;color:#1a1d23;"
    "background:#fff}img{max-width:100%}figure{margin:0 0 1rem}.pictures{display:grid;gap:1rem;"
    "grid-template-columns:repeat(auto-fit,minmax(20rem,1fr))}table{border-collapse:collapse}td,th{text-align:left;"
    "padding:.1rem 1rem .1rem 0;vertical-align:top}pre{white-space:pre-wrap;background:#f0f2f5;padding:.6rem}"
    "svg{width:100%;height:8rem;fill:#0a58b0}";

/// A folder that vanishes with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "vergence-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      throw Error(ErrorCode::io, fmt::format("no folder can be made in {}", pattern.substr(0, pattern.rfind('/'))));
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code problem;
    std::filesystem::remove_all(path_, problem);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// The picture inside the page.
std::string figure(const TemporaryFolder& folder, ImageView<const Rgb> picture, std::string_view caption) {
  const std::string path = folder.file("picture.png");
  write_picture(path, picture);
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return fmt::format(
      "<figure><img alt=\"{0}\" src=\"data:image/png;base64,{1}\"><figcaption>{0}</figcaption></figure>\n",
      html_text(caption), base64(bytes));
}

/// Scale of all candidates.
ColourOptions colours_of(const ViewMaps& maps) {
  ColourOptions options;
  options.low = maps.options.min_disparity;
  options.high = maps.options.min_disparity + std::max(1, maps.options.disparities - 1);
  options.mask = maps.maps->mask;
  return options;
}

std::string histogram(const Image<float>& pixels, const ColourOptions& scale) {
  constexpr int bins = 64;
  std::array<std::int64_t, bins> counts{};
  for (int y = 0; y < pixels.height(); ++y)
    for (int x = 0; x < pixels.width(); ++x) {
      if (!std::isfinite(pixels(x, y)) || scale.mask(x, y) == filled_pixel) continue;
      const double bin = (static_cast<double>(pixels(x, y)) - scale.low) * bins / (scale.high - scale.low);
      ++counts[static_cast<std::size_t>(std::clamp(static_cast<int>(bin), 0, bins - 1))];
    }
  const std::int64_t most = std::max<std::int64_t>(1, *std::max_element(counts.begin(), counts.end()));
  std::string bars;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double height = 100.0 * static_cast<double>(counts[i]) / static_cast<double>(most);
    bars += fmt::format("<rect x=\"{}\" y=\"{:.2f}\" width=\"0.9\" height=\"{:.2f}\"/>", i, 100 - height, height);
  }
  return fmt::format(
      "<h2>Histogram of disparities, {:g} .. {:g} px</h2>\n<svg viewBox=\"0 0 {} 100\" "
      "preserveAspectRatio=\"none\" role=\"img\" aria-label=\"Histogram of disparities\">{}</svg>\n",
      scale.low, scale.high, bins, bars);
}

std::string row(std::string_view name, std::string_view value) {
  return fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", html_text(name), html_text(value));
}

std::string score_rows(std::string_view name, const StereoScore& score) {
  std::string text;
  for (std::size_t i = 0; i < score.bad.size(); ++i)
    text += row(fmt::format("{}: wrong by more than {:g} px or missing", name, StereoScore::thresholds[i]),
                fmt::format("{:.2f} %", score.total_bad[i]));
  return text + row(fmt::format("{}: average error", name), fmt::format("{:.3f} px", score.average_error));
}

std::string result_table(const ViewMaps& maps, const ViewReport& report) {
  std::string text = "<h2>Results</h2>\n<table>\n";
  text += row("device", maps.device) + row("match", ms_text(maps.match_ms) + " ms, in one run");
  text += row("have a disparity", fmt::format("{:.2f} %", report.density)) + row("hash", hash_text(report.hash));
  if (report.scores) {
    text += score_rows("all pixels", report.scores->all);
    if (report.scores->non_occluded) text += score_rows("visible in both", *report.scores->non_occluded);
  }
  return text + "</table>\n";
}

std::string settings_table(const StereoOptions& options) {
  std::string text = "<h2>Settings</h2>\n<table>\n";
  for (const Field& field : stereo_fields())
    text += row(field.name, fmt::format("{} {}", stereo_get(options, field.name), field.unit));
  return text + "</table>\n";
}

std::string pictures(const ViewMaps& maps, const Image<float>& pixels, const ColourOptions& scale) {
  const TemporaryFolder folder;
  const ViewFrame& frame = *maps.frame;
  std::string text =
      "<div class=\"pictures\">\n" + figure(folder, frame.left, "left") + figure(folder, frame.right, "right");
  ColourOptions named = scale;
  named.name = "disparity";
  named.unit = "px";
  text += figure(folder, colour_map(pixels, named).view(), "disparity");
  if (!frame.truth.empty() && maps.options.reference == StereoView::left) {
    Image<float> error(pixels.size());
    for (int y = 0; y < error.height(); ++y)
      for (int x = 0; x < error.width(); ++x) error(x, y) = std::abs(pixels(x, y) - frame.truth(x, y));
    ColourOptions errors;
    errors.high = 4;
    errors.name = "error";
    errors.unit = "px";
    text += figure(folder, colour_map(error, errors).view(), "error, against the truth");
  }
  return text + "</div>\n";
}

}  // namespace

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    unsigned word = 0;
    for (std::size_t i = 0; i < 3; ++i) word = word << 8 | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i) text.push_back(i <= count ? digits[word >> (18 - 6 * i) & 63u] : '=');
  }
  return text;
}

std::string html_text(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string report_page(const ViewMaps& maps, const ViewReport& report, const ViewScene& scene,
                        std::span<const std::string> warnings) {
  const Image<float> pixels = pixels_of(maps);
  const ColourOptions scale = colours_of(maps);
  const Size size = pixels.size();
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Vergence: {0}</title>"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src "
      "'unsafe-inline'\"><style>{1}</style></head>\n<body><h1>{0}</h1>\n<p>{2}x{3}, frame {4}, vergence {5}</p>\n",
      html_text(scene.name()), style, size.width, size.height, maps.frame->pair.index, VERGENCE_VERSION);
  if (!warnings.empty()) text += "<h2>Warnings</h2>\n<ul class=\"warnings\">\n";
  for (const std::string& line : warnings) text += fmt::format("<li>{}</li>\n", html_text(line));
  if (!warnings.empty()) text += "</ul>\n";
  text += pictures(maps, pixels, scale) + result_table(maps, report) + histogram(pixels, scale);
  const Json json = maps_json(maps, scene);
  text += fmt::format("<h2>The same elsewhere</h2>\n<pre>{}</pre>\n", html_text(json["command"].text()));
  return text + settings_table(maps.options) + "</body></html>\n";
}

}  // namespace vergence::cli
