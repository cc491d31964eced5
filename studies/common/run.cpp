// SPDX-License-Identifier: Apache-2.0
// Runs a study: inputs, device, cells, and the files that it leaves.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "common/study.hpp"
#include "io/pnm.hpp"
#include "synth/scene.hpp"
#include "vergence/error.hpp"
#include "vergence/io.hpp"
#include "vergence/version.hpp"

namespace vergence::studies {
namespace {

namespace fs = std::filesystem;

/// Where the results go. If this run made the folder and then failed, it is removed again.
class Folder {
 public:
  Folder(const Study& study, const Request& request)
      : path_(request.output.empty() ? fmt::format("study-{}", study.name) : request.output) {
    std::error_code problem;
    made_ = fs::create_directories(path_, problem);
    if (!fs::is_directory(path_))
      throw Error(ErrorCode::io, fmt::format("folder '{}' cannot be made ({}): give another with --output", path_,
                                             problem ? problem.message() : "a file of that name exists"));
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    if (made_) fs::remove(path_, ignored);  // which it does to empty folders only
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool made_ = false;
};

void save(const std::string& folder, const Study& study, const Report& report, const std::vector<Picture>& results) {
  for (std::size_t i = 0; i < results.size();) {
    AtomicFile pictures(fmt::format("{}/{}.pgm", folder, results[i].name));
    const std::size_t first = i;
    for (; i < results.size() && results[i].name == results[first].name; ++i)
      io::write_pgm(pictures, results[i].pixels);
    pictures.commit();
  }
  AtomicFile file(fmt::format("{}/{}.json", folder, study.name));
  file.write(report.json_text());
  file.commit();
}

/// The figures so far, while a run goes on: long ones end early more often than not.
std::string partial_name(const std::string& folder, const Study& study) {
  return fmt::format("{}/{}.partial.json", folder, study.name);
}
void save_partial(const std::string& folder, const Study& study, const Report& report) {
  AtomicFile file(partial_name(folder, study));
  file.write(report.json_text());
  file.commit();
}

std::vector<Picture> read_inputs(const Study& study, const Request& request, const Settings& settings) {
  std::vector<Picture> inputs;
  if (request.inputs.empty()) {
    study.make_inputs(settings, inputs);
    return inputs;
  }
  const bool clips = study.frames != nullptr;
  if (clips ? request.inputs.size() > study.input_count : request.inputs.size() != study.input_count)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{} inputs are given: allowed are {}{} ({}), or none for the built-in scene",
                            request.inputs.size(), clips ? "up to " : "", study.input_count, study.arguments));
  const int frames = clips ? study.frames(settings) : 1;
  for (std::size_t i = 0; i < request.inputs.size(); ++i)
    for (Image<std::uint8_t>& frame : request.read(request.inputs[i], frames))
      inputs.push_back({request.inputs[i], std::move(frame), static_cast<int>(i)});
  return inputs;
}

Json inputs_json(const std::vector<Picture>& inputs, bool built_in) {
  Json json = Json::object();
  json["built_in_scene"] = built_in;
  json["names"] = Json::array();
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (i == 0 || inputs[i].input != inputs[i - 1].input || inputs[i].name != inputs[i - 1].name)
      json["names"].push_back(fs::path(inputs[i].name).filename().string());
  json["width"] = inputs.front().pixels.width();
  json["height"] = inputs.front().pixels.height();
  return json;
}

std::string progress_line(const Cell& cell) {
  std::string line;
  for (const auto& [name, value] : cell.what.members())
    line += fmt::format("{}{} {}", line.empty() ? "" : ", ", name, value.is_text() ? value.text() : value.dump());
  if (!cell.ran()) return fmt::format("{}: {}\n", line, cell.refused);
  return fmt::format("{}: kernel {:.4f} ms, {}\n", line, cell.median().kernel,
                     cell.differing == 0 ? "equal" : fmt::format("{} pixels differ", cell.differing));
}

}  // namespace

const Study& study(std::string_view name) {
  std::string names;
  for (const Study& one : studies()) {
    if (one.name == name) return one;
    names.append(names.empty() ? "" : ", ").append(one.name);
  }
  throw Error(ErrorCode::not_found, fmt::format("no study is called '{}': there are {}", name, names));
}

bool run(const Study& study, const Request& request) {
  Settings settings(study.fields);
  for (const auto& [name, value] : request.values) settings.set(name, value);
  std::vector<Picture> inputs = read_inputs(study, request, settings);
  const Folder folder(study, request);
  Report report;
  std::vector<Picture> results;
  Context context{gpu::open_by_name(request.device), settings, inputs, report, results, [&](const Cell& cell) {
                    request.print(progress_line(cell));
                    request.write([&] { save_partial(folder.path(), study, report); });
                  }};
  report.head = {{"version", VERGENCE_VERSION},
                 {"commit", commit()},
                 {"study", study.name},
                 {"date", utc_now()},
                 {"machine", machine_json()}};
  report.head["device"] = device_json(context.device.name, context.device.device->properties());
  report.head["inputs"] = inputs_json(inputs, request.inputs.empty());
  Json& chosen = report.head["settings"] = Json::object();
  for (const auto& [name, value] : settings.values()) chosen[name] = value;
  study.run(context);
  request.print(fmt::format("\n{}", report.table()));
  request.write([&] {
    save(folder.path(), study, report, results);
    std::error_code ignored;
    fs::remove(partial_name(folder.path(), study), ignored);
  });
  request.print(fmt::format("\n{} and {} pictures are in {}\n",
                            report.all_equal() ? "every map that has to equal the reference does; figures"
                                               : "MAPS DIFFER OR VARIANTS FAILED; figures",
                            results.size(), folder.path()));
  return report.all_equal();
}

void make_pair(Size size, int disparities, std::vector<Picture>& inputs) {
  synth::SceneOptions options;
  options.size = size;
  options.max_disparity = std::clamp(disparities * 15 / 16, 1, size.width);
  synth::SceneFrame frame = synth::Scene(options).render(0);
  inputs.push_back({"left", std::move(frame.left)});
  inputs.push_back({"right", std::move(frame.right)});
}

void check_pair(const std::vector<Picture>& inputs) {
  const Size left = inputs.at(0).pixels.size(), right = inputs.at(1).pixels.size();
  if (left == right) return;
  throw Error(ErrorCode::invalid_argument,
              fmt::format("the left picture has {}x{} pixels, the right one {}x{}: give two of one size", left.width,
                          left.height, right.width, right.height));
}

}  // namespace vergence::studies
