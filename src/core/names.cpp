// SPDX-License-Identifier: Apache-2.0
// Which of some names a given one is probably meant to be.
#include "vergence/names.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace vergence {
namespace {

constexpr std::size_t most_names = 3;

/// What other programs call an option, in small letters without hyphens; "" where there is none, however alike a name
/// may look.
struct Synonym {
  std::string_view other, ours;
};
constexpr Synonym synonyms[] = {
    // OpenCV's StereoBM and StereoSGBM, libSGM, VPI, ROS
    {"numdisparities", "disparities"},
    {"numberofdisparities", "disparities"},
    {"ndisp", "disparities"},
    {"numdisp", "disparities"},
    {"ndisparities", "disparities"},
    {"disparityrange", "disparities"},
    {"dispsize", "disparities"},
    {"maxdisp", "disparities"},
    {"maxdisp", "max-disparity"},
    {"maxdisparity", "disparities"},
    {"mindisp", "min-disparity"},
    {"blocksize", "window"},
    {"blocksize", "block"},
    {"blocksize", "corner-block"},
    {"windowsize", "window"},
    {"winsize", "window"},
    {"win", "window"},
    {"sadwindowsize", "window"},
    {"correlationwindowsize", "window"},
    {"mode", "aggregate"},
    {"mode", "search"},
    {"mode", "preset"},
    {"algorithm", "aggregate"},
    {"algorithm", "search"},
    {"sgm", "aggregate"},
    {"sgbm", "aggregate"},
    {"numpaths", "paths"},
    {"pathtype", "paths"},
    {"includediagonals", "paths"},
    {"disp12maxdiff", "left-right"},
    {"lrcheck", "left-right"},
    {"lr", "left-right"},
    {"lrc", "left-right"},
    {"lrmaxdiff", "left-right"},
    {"consistency", "left-right"},
    {"uniquenessratio", "uniqueness"},
    {"texturethreshold", "texture"},
    {"prefiltertype", "prefilter"},
    {"prefiltersize", "prefilter"},
    {"specklewindowsize", "speckle-size"},
    {"maxspecklesize", "speckle-size"},
    {"maxdiff", "speckle-range"},
    {"confidencethreshold", "uniqueness"},
    {"censussize", "cost"},
    {"census", "cost"},
    {"metric", "cost"},
    {"interpolate", "fill"},
    {"fillholes", "fill"},
    {"roi1", "roi"},
    {"intrinsics", "calibration"},
    {"camera", "calibration"},
    {"fx", "focal"},
    {"focallength", "focal"},
    {"groundtruth", "truth"},
    {"gt", "truth"},
    {"gtscale", "truth-scale"},
    {"noc", "mask"},
    // Optical flow and corners
    {"maxcorners", "points"},
    {"maxfeatures", "points"},
    {"numfeatures", "points"},
    {"nfeatures", "points"},
    {"maxpoints", "points"},
    {"qualitylevel", "quality"},
    {"maxlevel", "levels"},
    {"pyrlevels", "levels"},
    {"pyramidlevels", "levels"},
    {"numlevels", "levels"},
    {"criteria", "iterations"},
    {"criteria", "epsilon"},
    {"maxiter", "iterations"},
    {"iters", "iterations"},
    {"numiters", "iterations"},
    {"numiterations", "iterations"},
    {"maxcount", "iterations"},
    {"eps", "epsilon"},
    {"mineigthreshold", "min-eigen"},
    {"useharrisdetector", "corner"},
    {"harris", "corner"},
    {"k", "harris-k"},
    {"fb", "forward-backward"},
    {"backward", "forward-backward"},
    // FFmpeg, x264, mestimate
    {"me", "search"},
    {"memethod", "search"},
    {"method", "search"},
    {"merange", "range"},
    {"searchparam", "range"},
    {"searchrange", "range"},
    {"mbsize", "block"},
    {"macroblock", "block"},
    {"subme", "subpel"},
    {"subq", "subpel"},
    {"refs", "reference-distance"},
    {"bframes", ""},
    {"pixfmt", "format"},
    {"pixelformat", "format"},
    {"videosize", "size"},
    {"resolution", "size"},
    {"width", "size"},
    {"height", "size"},
    {"s", "size"},
    {"framerate", "rate"},
    {"fps", "rate"},
    {"r", "rate"},
    {"vframes", "frames"},
    {"numframes", "frames"},
    {"nframes", "frames"},
    {"startnumber", "frames"},
    {"ss", "frames"},
    // Programs in general
    {"gpu", "device"},
    {"cuda", "device"},
    {"opencl", "device"},
    {"backend", "device"},
    {"jobs", "threads"},
    {"j", "threads"},
    {"out", "output"},
    {"benchmark", "repeat"},
    {"runs", "repeat"},
    {"config", "settings"},
};

/// In small letters, with hyphens for underscores and none at the beginning.
std::string plain(std::string_view name) {
  std::string text(name.substr(std::min(name.find_first_not_of('-'), name.size())));
  for (char& c : text) c = c == '_' || c == '.' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

std::string without_hyphens(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), '-'), text.end());
  return text;
}

/// Levenshtein's distance: insertions, deletions and replacements that turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, above + 1, diagonal + (a[i] == b[j] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

/// Whether the words of `part` follow each other in `text`, both with hyphens between words.
bool has_words(const std::string& text, const std::string& part) {
  return ("-" + text + "-").find("-" + part + "-") != std::string::npos;
}

template <class Matches>
std::vector<std::string> all_that(const std::vector<std::string>& candidates, Matches matches) {
  std::vector<std::string> found;
  for (const std::string& candidate : candidates)
    if (matches(plain(candidate))) found.push_back(candidate);
  return found;
}

/// Those that the word begins with, as a whole word of it; the longest one.
std::vector<std::string> longest_beginning(const std::string& word, const std::vector<std::string>& candidates) {
  std::vector<std::string> found =
      all_that(candidates, [&](const std::string& name) { return word.starts_with(name + "-"); });
  if (found.empty()) return found;
  return {
      *std::max_element(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); })};
}

std::vector<std::string> nearest(const std::string& word, const std::vector<std::string>& candidates) {
  std::size_t least = std::max<std::size_t>(word.size() / 3, 1) + 1;
  for (const std::string& candidate : candidates) least = std::min(least, edit_distance(word, plain(candidate)));
  if (least > std::max<std::size_t>(word.size() / 3, 1) || least >= word.size()) return {};
  return all_that(candidates, [&](const std::string& name) { return edit_distance(word, name) == least; });
}

}  // namespace

std::vector<std::string> likely_names(std::string_view given, const std::vector<std::string>& candidates) {
  constexpr std::size_t enough_letters = 3;
  const std::string word = plain(given);
  const std::string letters = without_hyphens(word);
  if (letters.empty()) return {};
  std::vector<std::string> found =
      all_that(candidates, [&](const auto& name) { return without_hyphens(name) == letters; });
  if (!found.empty()) return {found.front()};
  for (const Synonym& synonym : synonyms) {
    if (synonym.other != letters) continue;
    if (synonym.ours.empty()) return {};
    const auto same = all_that(candidates, [&](const auto& name) { return name == synonym.ours; });
    found.insert(found.end(), same.begin(), same.end());
  }
  const auto enough = [&found] { return !found.empty() && found.size() <= most_names; };
  if (enough()) return found;
  if (word.size() >= enough_letters)
    found = all_that(candidates, [&](const auto& name) { return name.starts_with(word); });
  if (enough()) return found;
  found = longest_beginning(word, candidates);
  if (enough()) return found;
  found = nearest(word, candidates);
  if (enough()) return found;
  if (word.size() > enough_letters)
    found = all_that(candidates, [&](const auto& name) { return has_words(name, word); });
  if (enough()) return found;
  found = all_that(candidates, [&](const auto& name) { return has_words(word, name); });
  return enough() ? found : std::vector<std::string>{};
}

std::vector<std::string> sorted_by_likeness(std::string_view given, std::vector<std::string> candidates) {
  const std::string word = plain(given);
  std::stable_sort(candidates.begin(), candidates.end(), [&word](const std::string& a, const std::string& b) {
    return edit_distance(word, plain(a)) < edit_distance(word, plain(b));
  });
  return candidates;
}

}  // namespace vergence
