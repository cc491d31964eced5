// SPDX-License-Identifier: Apache-2.0
// Tables and JSON of a study's figures.
#include "common/report.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include "core/parallel.hpp"

namespace vergence::studies {
namespace {

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// No digits that no clock has.
double rounded(double ms) { return std::round(ms * 1e5) / 1e5; }

Json times_json(const Times& times) {
  return Json{{"upload_ms", rounded(times.upload)},
              {"kernel_ms", rounded(times.kernel)},
              {"download_ms", rounded(times.download)},
              {"wall_ms", rounded(times.wall)}};
}

std::string word(const Json& value) { return value.is_text() ? value.text() : value.dump(); }

std::string range_text(const gpu::Range& range) { return fmt::format("{}x{}", range.x, range.y); }

std::string verdict(const Cell& cell) {
  if (cell.differing == 0) return "equal";
  return fmt::format("{} differ", cell.differing);
}

using Row = std::vector<std::string>;

Row titles(const Cell& cell) {
  Row row;
  for (const auto& [name, value] : cell.what.members()) row.push_back(name);
  for (const char* title : {"launches", "global", "local", "local B", "up B", "down B", "code B", "set-up ms", "up ms",
                            "kernel ms", "down ms", "wall ms", "frames/s", "pixels"})
    row.emplace_back(title);
  return row;
}

Row figures(const Cell& cell) {
  Row row;
  for (const auto& [name, value] : cell.what.members()) row.push_back(word(value));
  if (!cell.ran()) {
    row.push_back(cell.refused);
    return row;
  }
  const Times m = cell.median();
  for (const std::string& text :
       {fmt::format("{}", cell.launches), range_text(cell.global), range_text(cell.local),
        fmt::format("{}", cell.local_bytes), fmt::format("{}", cell.bytes_up), fmt::format("{}", cell.bytes_down),
        fmt::format("{}", cell.code_bytes), fmt::format("{:.1f}", cell.setup_ms), fmt::format("{:.4f}", m.upload),
        fmt::format("{:.4f}", m.kernel), fmt::format("{:.4f}", m.download), fmt::format("{:.4f}", m.wall),
        fmt::format("{:.0f}", m.kernel > 0 ? 1000 / m.kernel : 0), verdict(cell)})
    row.push_back(text);
  return row;
}

Json cell_json(const Cell& cell) {
  Json json = cell.what;
  json["refused"] = cell.ran() ? Json(nullptr) : Json(cell.refused);
  json["local_bytes"] = cell.local_bytes;
  json["counts"] = cell.counts;
  json["global_size"] = Json::array({cell.global.x, cell.global.y});
  json["local_size"] = Json::array({cell.local.x, cell.local.y});
  if (!cell.ran()) return json;
  json["setup_ms"] = rounded(cell.setup_ms);
  json["compile_ms"] = rounded(cell.compile_ms);
  json["code_bytes"] = cell.code_bytes;
  json["code_kind"] = cell.code_kind;
  json["launches"] = cell.launches;
  json["bytes_up"] = cell.bytes_up;
  json["bytes_down"] = cell.bytes_down;
  const Times middle = cell.median();
  json["median"] = times_json(middle);
  json["frames_per_s"] = middle.kernel > 0 ? Json(std::round(10000 / middle.kernel) / 10) : Json(nullptr);
  json["must_equal"] = cell.must_equal;
  json["differing"] = cell.differing;
  json["runs"] = Json::array();
  for (const Times& run : cell.runs)
    json["runs"].push_back(
        Json::array({rounded(run.upload), rounded(run.kernel), rounded(run.download), rounded(run.wall)}));
  return json;
}

}  // namespace

Times median_of(const std::vector<Times>& runs) {
  const auto of = [&](double Times::*member) {
    std::vector<double> values;
    values.reserve(runs.size());
    for (const Times& run : runs) values.push_back(run.*member);
    return median(std::move(values));
  };
  return {of(&Times::upload), of(&Times::kernel), of(&Times::download), of(&Times::wall)};
}

Times Cell::median() const { return median_of(runs); }

std::string Report::table() const {
  if (cells.empty()) return "no variant was chosen\n";
  std::vector<Row> rows{titles(cells.front())};
  for (const Cell& cell : cells) rows.push_back(figures(cell));
  std::vector<std::size_t> widths(rows.front().size(), 0);
  const std::size_t names = cells.front().what.members().size();
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      if (row.size() == widths.size() || i < names) widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string Report::json_text() const {
  Json json = head;
  for (const auto& [name, value] : notes.members()) json[name] = value;
  json["all_equal"] = all_equal();
  std::string text = "{";
  for (const auto& [name, value] : json.members()) text += fmt::format("\"{}\": {},\n", name, value.dump());
  text += "\"cells\": [";
  for (std::size_t i = 0; i < cells.size(); ++i)
    text += fmt::format("{}\n{}", i == 0 ? "" : ",", cell_json(cells[i]).dump());
  return text + "\n]}\n";
}

bool Report::all_equal() const {
  return std::all_of(cells.begin(), cells.end(), [](const Cell& cell) {
    return !cell.failed && (!cell.ran() || !cell.must_equal || cell.differing == 0);
  });
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

std::string commit() {
  const char* const said = std::getenv("VERGENCE_COMMIT");
  return said != nullptr && *said != '\0' ? said : "not known";
}

Json machine_json() {
  std::string processor = "not known";
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos) {
      processor = line.substr(line.find(": ") + 2);
      break;
    }
  return Json{{"processor", processor}, {"threads", Threads().count()}};
}

Json device_json(const std::string& name, const gpu::Properties& p) {
  return Json{{"name", name},
              {"device", p.device},
              {"api", p.api},
              {"driver", p.driver},
              {"compute_units", p.compute_units},
              {"clock_mhz", p.clock_mhz},
              {"local_memory", p.local_memory},
              {"largest_group", p.largest_group}};
}

}  // namespace vergence::studies
