// SPDX-License-Identifier: Apache-2.0
// Reading files of tracks.
#include "cli/track_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string_view>
#include <system_error>
#include <unordered_set>

#include "cli/files.hpp"
#include "cli/json.hpp"
#include "cli/printable.hpp"
#include "cli/text_file.hpp"
#include "vergence/error.hpp"
#include "vergence/io.hpp"

namespace vergence::cli {
namespace {

constexpr int statuses = 7;
/// In the order of .npy; files of others may hold more.
constexpr std::array<std::string_view, 7> columns{"frame", "id", "x", "y", "status", "residual", "age"};
enum Column : std::size_t {
  frame_column,
  id_column,
  x_column,
  y_column,
  status_column,
  residual_column,
  age_column,
};
constexpr std::array<Column, 6> number_columns{frame_column, id_column,       x_column,
                                               y_column,     residual_column, age_column};
/// By Column; that of the status stays unused.
using Numbers = std::array<double, columns.size()>;
using Places = std::array<std::size_t, columns.size()>;
constexpr std::size_t nowhere = ~std::size_t{0};

constexpr std::uint64_t most_csv_bytes = std::uint64_t{16} << 30;    // read line by line
constexpr std::uint64_t most_json_bytes = std::uint64_t{256} << 20;  // held as a whole
constexpr std::size_t most_rows = std::size_t{1} << 24;              // of one frame

constexpr const char* cure = "give a file that vergence track -o wrote";

/// Collects rows into frames, and refuses what no row can hold.
class Frames {
 public:
  using Take = std::function<void(std::int64_t, const std::vector<TrackRow>&)>;
  Frames(const std::string& path, const Take& take) : path_(path), take_(take) {}

  [[noreturn]] void fail(std::int64_t place, const std::string& what) const {
    throw Error(ErrorCode::bad_data,
                printable(fmt::format("tracks {}, {}: {}", path_, place_text(path_, place), what)));
  }

  void add(std::int64_t where, const Numbers& numbers, TrackStatus status) {
    constexpr double largest = 9007199254740992.0;  // whole numbers are exact up to 2^53
    const auto check_whole = [&](Column column, double most) {
      const double number = numbers[column];
      if (!(number >= 0 && number <= most && std::floor(number) == number))
        fail(where, fmt::format("{} is {}: it must be a whole number from 0 on{}", columns[column], number,
                                most < largest ? fmt::format(", up to {:.0f}", most) : ""));
    };
    check_whole(frame_column, largest);
    check_whole(id_column, largest);
    check_whole(age_column, std::numeric_limits<std::int32_t>::max());
    for (const Column column : {x_column, y_column})
      if (!std::isfinite(numbers[column]))
        fail(where, fmt::format("{} is {}: it must be a number of px", columns[column], numbers[column]));
    if (!(numbers[residual_column] >= 0 && numbers[residual_column] <= 65535))
      fail(where, fmt::format("residual is {}: it must be 0 .. 65535 grey levels", numbers[residual_column]));
    TrackRow row;
    row.frame = static_cast<std::int64_t>(numbers[frame_column]);
    row.id = static_cast<std::uint64_t>(numbers[id_column]);
    row.x = numbers[x_column];
    row.y = numbers[y_column];
    row.status = status;
    row.residual = static_cast<std::uint32_t>(std::llround(numbers[residual_column] * 1024));  // exact: formats.md
    row.age = static_cast<std::int32_t>(numbers[age_column]);
    row.place = where;
    if (!rows_.empty() && row.frame != rows_.front().frame) {
      if (row.frame < rows_.front().frame)
        fail(where, fmt::format("frame {} follows frame {}: sort the rows by frame", row.frame, rows_.front().frame));
      end();
    }
    if (rows_.size() >= most_rows) fail(where, fmt::format("frame {} has more than {} tracks", row.frame, most_rows));
    if (!ids_.insert(row.id).second) fail(where, fmt::format("track {} is there twice in frame {}", row.id, row.frame));
    rows_.push_back(row);
    any_ = true;
  }
  /// After the last row.
  void finish() {
    if (!any_) throw Error(ErrorCode::bad_data, fmt::format("tracks {} holds no track: {}", path_, cure));
    end();
  }

 private:
  void end() {
    take_(rows_.front().frame, rows_);
    rows_.clear();
    ids_.clear();
  }

  const std::string& path_;
  const Take& take_;
  std::vector<TrackRow> rows_;
  std::unordered_set<std::uint64_t> ids_;  ///< of rows_
  bool any_ = false;
};

std::optional<TrackStatus> status_of(std::string_view word) {
  for (int i = 0; i < statuses; ++i)
    if (word == to_text(static_cast<TrackStatus>(i))) return static_cast<TrackStatus>(i);
  return std::nullopt;
}

bool holds_vectors(const std::vector<std::string>& names) {
  const auto has = [&](const char* name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  return has("dx") && has("dy");
}

Error vectors_error(const std::string& path) {
  return Error(ErrorCode::bad_data, fmt::format("tracks {} holds motion vectors of blocks: {}", path, cure));
}

/// Where the columns are among `names`.
Places find_columns(const std::string& path, const std::vector<std::string>& names, TrackColumns wanted) {
  Places places{};
  places.fill(nowhere);
  const std::size_t count = wanted == TrackColumns::all ? columns.size() : residual_column;
  for (std::size_t i = 0; i < count; ++i) {
    const auto found = std::find(names.begin(), names.end(), columns[i]);
    if (found == names.end() && holds_vectors(names)) throw vectors_error(path);
    if (found == names.end() && names.size() == 1 && names.front().find_first_of(";\t") != std::string::npos)
      throw Error(ErrorCode::bad_data,
                  fmt::format("tracks {} has semicolons or tabs between its columns, as spreadsheets write them: save "
                              "it with commas, and with a point as the decimal sign",
                              path));
    if (found == names.end())
      throw Error(ErrorCode::bad_data, fmt::format("tracks {} has no column '{}': {}", path, columns[i], cure));
    places[i] = static_cast<std::size_t>(found - names.begin());
    if (std::find(found + 1, names.end(), columns[i]) != names.end())
      throw Error(ErrorCode::bad_data, fmt::format("tracks {} has two columns '{}': {}", path, columns[i], cure));
  }
  return places;
}

std::vector<std::string> split(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  std::vector<std::string> cells;
  for (;;) {
    const std::size_t comma = line.find(',');
    cells.emplace_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

void read_csv(const std::string& path, TrackColumns wanted, Frames& frames) {
  TextFile file("tracks", path, most_csv_bytes);
  std::string line;
  if (!file.next_line(line)) file.fail(fmt::format("is empty: {}", cure));
  const std::vector<std::string> names = split(line);
  const Places places = find_columns(path, names, wanted);
  while (file.next_line(line)) {
    if (line.empty() || line == "\r") continue;
    const auto where = static_cast<std::int64_t>(file.line_number());
    const std::vector<std::string> cells = split(line);
    if (cells.size() != names.size())
      frames.fail(where, fmt::format("it has {} columns, the first line {}", cells.size(), names.size()));
    Numbers numbers{};
    for (const Column column : number_columns) {
      if (places[column] == nowhere) continue;
      const std::string& text = cells[places[column]];
      const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), numbers[column]);
      if (problem != std::errc() || stop != text.data() + text.size())
        frames.fail(where, fmt::format("{} is '{}': it must be a number", columns[column], text.substr(0, 40)));
    }
    const std::string& word = cells[places[status_column]];
    const std::optional<TrackStatus> status = status_of(word);
    if (!status) frames.fail(where, fmt::format("status is '{}', which is none", word.substr(0, 40)));
    frames.add(where, numbers, *status);
  }
}

std::optional<Size> size_of(const Json& json, const TextFile& file) {
  const Json& size = json["size"];
  if (!size["width"].is_integer() || !size["height"].is_integer()) return std::nullopt;
  constexpr int largest = std::numeric_limits<int>::max();
  for (const char* side : {"width", "height"})
    if (!(size[side].number() >= 1 && size[side].number() <= largest))
      file.fail(fmt::format("has a size whose {} is {}: allowed are 1 .. {}", side, size[side].dump(), largest));
  return Size{static_cast<int>(size["width"].number()), static_cast<int>(size["height"].number())};
}

TracksHead read_json(const std::string& path, TrackColumns wanted, Frames& frames) {
  TextFile file("tracks", path, most_json_bytes);
  Json content = cli::read_json(file, cure);
  const Json& json = content;
  if (json["vectors"].is_array()) throw vectors_error(path);
  if (!json["columns"].is_array() || !json["tracks"].is_array())
    throw Error(ErrorCode::bad_data,
                fmt::format("tracks {} is no JSON object with arrays 'columns' and 'tracks': {}", path, cure));
  std::vector<std::string> names;
  for (const Json& name : json["columns"].elements()) names.push_back(name.is_text() ? name.text() : "");
  const Places places = find_columns(path, names, wanted);
  std::int64_t number = 0;
  for (const Json& line : json["tracks"].elements()) {
    const std::int64_t where = ++number;
    if (!line.is_array() || line.elements().size() != names.size())
      frames.fail(where, fmt::format("it is no array of {} values", names.size()));
    const Json::Array& row = line.elements();
    Numbers numbers{};
    for (const Column column : number_columns) {
      if (places[column] == nowhere) continue;
      if (!row[places[column]].is_number()) frames.fail(where, fmt::format("{} is no number", columns[column]));
      numbers[column] = row[places[column]].number();
    }
    const Json& word = row[places[status_column]];
    const std::optional<TrackStatus> status = word.is_text() ? status_of(word.text()) : std::nullopt;
    if (!status) frames.fail(where, fmt::format("status is {}, which is none", one_line(text_of(word)).substr(0, 40)));
    frames.add(where, numbers, *status);
  }
  return {size_of(json, file), json["settings"].is_object() ? std::move(content["settings"]) : Json::object()};
}

void read_npy(const std::string& path, TrackColumns wanted, Frames& frames) {
  const RawValues values = [&] {
    try {
      return read_values(path);
    } catch (const Error& error) {
      const bool fields = std::string_view(error.what()).find("array of 4 dimensions") != std::string_view::npos;
      if (fields) throw vectors_error(path);
      throw;
    }
  }();
  if (values.values.width() != static_cast<int>(columns.size()) || values.channels != 1)
    throw Error(ErrorCode::bad_data, fmt::format("tracks {} has {} columns, not the {} of tracks: {}", path,
                                                 values.values.width(), columns.size(), cure));
  for (int y = 0; y < values.values.height(); ++y) {
    const double* const row = values.values.row(y);
    const std::int64_t where = y;
    const double status = row[status_column];
    if (!(status >= 0 && status < statuses && std::floor(status) == status))
      frames.fail(where, fmt::format("status is {}: it must be a whole number 0 .. {}", status, statuses - 1));
    Numbers numbers{};
    std::copy_n(row, wanted == TrackColumns::all ? numbers.size() : residual_column, numbers.begin());
    frames.add(where, numbers, static_cast<TrackStatus>(static_cast<int>(status)));
  }
}

}  // namespace

std::string place_text(const std::string& path, std::int64_t place) {
  const std::string kind = ending(path);
  return fmt::format("{} {}", kind == ".json" || kind == ".npy" ? "row" : "line", place);
}

TracksHead read_tracks(const std::string& path,
                       const std::function<void(std::int64_t, const std::vector<TrackRow>&)>& take_frame,
                       TrackColumns wanted) {
  std::error_code problem;
  if (!std::filesystem::exists(path, problem))
    throw Error(ErrorCode::not_found, fmt::format("tracks {} do not exist: check the name", path));
  if (std::filesystem::is_directory(path, problem))
    throw Error(ErrorCode::io, fmt::format("tracks {} is a directory: {}", path, cure));
  Frames frames(path, take_frame);
  TracksHead head;
  const std::string kind = ending(path);
  if (kind == ".json")
    head = read_json(path, wanted, frames);
  else if (kind == ".npy")
    read_npy(path, wanted, frames);
  else
    read_csv(path, wanted, frames);
  frames.finish();
  return head;
}

}  // namespace vergence::cli
