// SPDX-License-Identifier: Apache-2.0
// Options of the studies, made from their tables of settings.
#include "driver/options.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <memory>
#include <vector>

#include "cli/program.hpp"
#include "common/study.hpp"

namespace vergence::cli {
namespace {

struct StudyArguments {
  std::string device = "opencl";
  std::string output;
  std::vector<std::string> inputs;
  std::map<std::string, std::string> values;
};

int run(const studies::Study& study, const StudyArguments& arguments, const ReadGrey& read, const WriteFiles& write) {
  studies::Request request;
  request.device = arguments.device;
  request.output = arguments.output;
  request.inputs = arguments.inputs;
  request.values.assign(arguments.values.begin(), arguments.values.end());
  request.read = [&](const std::string& path, int most) {
    try {
      return read(path, most);
    } catch (const Error& error) {
      throw Error(ErrorCode::io, error.what());  // what a file lacks is no wrong usage
    }
  };
  request.print = [](std::string_view text) {
    print_text(text);
    std::fflush(stdout);  // a study takes minutes
  };
  request.write = write;
  return as_usage([&] { return studies::run(study, request); }) ? success : failure;
}

}  // namespace

void add_studies(Program& program, const ReadGrey& read, const WriteFiles& write) {
  for (const studies::Study& study : studies::studies()) {
    Command command = program.add(
        std::string(study.name),
        fmt::format(
            "{}\n\nWithout {} the built-in scene is used. Figures (JSON) and pictures (PGM) go to a folder. Fails "
            "where a map differs from the reference.",
            study.summary, study.arguments));
    const auto arguments = std::make_shared<StudyArguments>();
    command.add("INPUTS", arguments->inputs,
                fmt::format("{}: {}", study.arguments, study.frames != nullptr ? "clips" : "pictures"));
    for (const studies::Field& field : study.fields) {
      std::string& value = arguments->values[field.name];
      value = field.fallback;
      command.add(fmt::format("--{}", field.name), value, fmt::format("{} [default: {}]", field.help, field.fallback))
          .type(field.type);
    }
    command.add("--device", arguments->device, "OpenCL or CUDA device; `vergence devices` lists them [default: opencl]")
        .type("NAME");
    command
        .add("-o,--output", arguments->output,
             fmt::format("Folder, made where it is missing [default: study-{}]", study.name))
        .type("DIR");
    // Studies live as long as the program.
    command.run([&study, arguments, read, write] { return run(study, *arguments, read, write); });
  }
}

}  // namespace vergence::cli
