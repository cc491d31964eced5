// SPDX-License-Identifier: Apache-2.0
// What `stereo` would say of a pair that is shown.
#include "view/pair_doubts.hpp"

#include <utility>

#include "eval/scores.hpp"
#include "stereo/doubts.hpp"
#include "stereo/source.hpp"
#include "stereo/stock.hpp"

namespace vergence::cli {
namespace {

std::string renamed(std::string line, const std::string& from, const std::string& to) {
  if (from.empty() || from == to) return line;
  for (std::size_t at = line.find(from); at != std::string::npos; at = line.find(from, at + to.size()))
    line.replace(at, from.size(), to);
  return line;
}

}  // namespace

std::vector<std::string> pair_doubts(const StereoArguments& read, const StereoArguments& told, const ViewMaps& maps,
                                     StereoSettings settings) {
  if (read.left.empty()) return {};
  settings.options = maps.options;
  const StereoFrame& pair = maps.frame->pair;
  StereoDoubts doubts(told.left, told.right, halves_of(told.layout));
  const MapShares shares = stock_of(*maps.maps, maps.options, maps.invalid).shares(maps.options.disparities);
  std::vector<std::string> lines = doubts.look(pair, settings, shares, 0);
  if (!read.truth.file || maps.options.reference != StereoView::left) return lines;
  Truth truth(read.truth);
  if (maps.options.roi) truth.limit_to(*maps.options.roi);
  truth.load(pair.index, pair.left.size());
  const std::string& name = told.truth.file.value_or(*read.truth.file);
  truth.doubts(
      pixels_of(maps).view(), [&](const std::string& line) { lines.push_back(renamed(line, *read.truth.file, name)); },
      !doubts.pair_is_wrong());
  return lines;
}

}  // namespace vergence::cli
