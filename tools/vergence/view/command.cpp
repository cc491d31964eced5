// SPDX-License-Identifier: Apache-2.0
// `vergence view`: its command line, and the server from start to Ctrl-C.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "cli/command.hpp"
#include "cli/notes.hpp"
#include "cli/program.hpp"
#include "view/api.hpp"
#include "view/guard.hpp"
#include "view/start.hpp"

namespace vergence::cli {
namespace {

struct ViewArguments {
  StereoArguments stereo;
  std::string port = "0";
  std::string address = "127.0.0.1";
  bool no_open = false;
  std::optional<std::string> root, flow;
};

void check_address(const std::string& address) {
  if (is_address(address)) return;
  throw UsageError(
      fmt::format("--listen is '{}': give an IP address of this machine, such as 192.168.1.20, or 0.0.0.0 "
                  "for all",
                  address));
}

/// By the desktop's own program, where there is a desktop.
void open_browser(const std::string& address) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  std::string program = "xdg-open", argument = address;
  std::array<char*, 3> words{program.data(), argument.data(), nullptr};
  // The browser takes signals as the desktop's other programs do.
  posix_spawnattr_t plain;
  posix_spawnattr_init(&plain);
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&plain, &signals);
  sigaddset(&signals, SIGPIPE);
  sigaddset(&signals, SIGXFSZ);
  posix_spawnattr_setsigdefault(&plain, &signals);
  // In a session of its own: the Ctrl-C that ends this program is not meant for it.
  posix_spawnattr_setflags(&plain, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&quiet, stream, "/dev/null", O_RDWR, 0);
  pid_t child = 0;
  posix_spawnp(&child, program.c_str(), &quiet, &plain, words.data(), environ);
  posix_spawn_file_actions_destroy(&quiet);
  posix_spawnattr_destroy(&plain);
}

std::string host_of(const std::string& address) {
  return address.find(':') == std::string::npos ? address : "[" + address + "]";
}

int run(const ViewArguments& arguments) {
  const int port = static_cast<int>(parse_integer("--port", arguments.port, 0, 65535));
  check_address(arguments.address);
  const ViewModule& module = view_module();
  std::optional<ViewRoot> root;
  if (arguments.root) root.emplace(*arguments.root);
  ViewDevices devices(arguments.stereo.device);
  ViewFiles files{arguments.stereo, arguments.stereo, arguments.flow};
  files.has_root = root.has_value();
  const auto first = std::make_shared<ViewSession>(std::move(files), devices);
  for (const std::string& line : first->start().warnings) warn(line);

  // The guard knows the port only once it is taken; no request is answered before serve().
  std::unique_ptr<Guard> guard;
  std::unique_ptr<ViewApi> api;
  const auto admit = [&guard](const HttpRequest& request) {
    auto refused = guard->refuse(request);
    return refused ? std::optional(ViewApi::secured(std::move(*refused))) : std::nullopt;
  };
  const auto answer = [&api](const HttpRequest& request) { return api->answer(request); };
  const std::unique_ptr<HttpServer> server =
      module.make_server({admit, answer}, {.body_bytes = ViewRoot::largest_file});
  const std::optional<int> taken = server->listen(arguments.address, port);
  if (!taken)
    throw Error(ErrorCode::io, fmt::format("port {} of {} cannot be taken: another program has it, or the address is "
                                           "not this machine's; --port 0 takes any that is free",
                                           port, arguments.address));
  const std::string token = random_token();
  guard = std::make_unique<Guard>(arguments.address, *taken, token, root ? ViewRoot::largest_file : 0);
  api = std::make_unique<ViewApi>(first, devices, root ? &*root : nullptr, *guard, module.page());
  const std::string address = fmt::format("http://{}:{}/?token={}", host_of(arguments.address), *taken, token);
  print("view    {}\n", address);
  finish_stdout();
  if (!arguments.no_open) open_browser(address);
  server->serve();
  throw Error(ErrorCode::io, "the system gives `view` no more connections: start it again");
}

}  // namespace

void add_view(Program& program) {
  Command command =
      program.add("view",
                  "Show stereo, motion, tracks in a browser, with their settings\n\n"
                  "Starts a server on this machine, prints its address and opens it. Ctrl-C ends it. The "
                  "pictures must be RECTIFIED;\n"
                  "without any, the built-in scene is shown. One video alone is shown with its motion and "
                  "tracks.");
  const auto arguments = std::make_shared<ViewArguments>();
  StereoArguments& stereo = arguments->stereo;
  add_view_inputs(command, stereo);
  command.add("--port", arguments->port, "Port [0 .. 65535, 0 = any that is free; default: 0]").type("N");
  command
      .add("--listen", arguments->address,
           "IP address to listen at; others than this machine's own can then reach the server [default: 127.0.0.1]")
      .type("ADDRESS");
  command.flag("--no-open", arguments->no_open, "Print the address and open no browser");
  command
      .add("--root", arguments->root,
           "Folder below which the page may open pictures and videos, and save new files [default: none]")
      .type("FOLDER");
  add_view_settings(command, stereo);
  command.add("--flow", arguments->flow, "Score motion and tracks against this flow: a .flo, or numbered ones")
      .type("FILE")
      .group("Ground truth");
  add_live_options(command, stereo.live);
  command.common(
      "Without pictures the built-in scene is shown. The address that is printed holds a token: keep it secret.",
      {{"--port", "0 = any that is free"},
       {"--no-open", "Print the address and open no browser"},
       {"--listen", "IP address to listen at; default: 127.0.0.1"},
       {"--root", "The page opens and saves files below this folder"},
       {"--truth", "Score against this map: a picture, .pfm or .npy"},
       {"--calibration", "Of the rig: shows depths in m"},
       {"--preset", "Settings to begin with: `vergence presets`"},
       {"--device", "cpu, opencl, cuda, ...: `vergence devices`"}});
  add_settings_note(command, R"({"settings": {"cost": "census-9x7", "window": 9, "uniqueness": 10}})");
  command.footer(
      "Examples:\n"
      "  vergence view\n"
      "  vergence view left.png right.png --truth truth.pfm --calibration calib.txt\n"
      "  vergence view clip.mp4\n"
      "  vergence view udp://127.0.0.1:5000 --stream\n"
      "  vergence view left_%04d.png right_%04d.png --port 8080 --no-open");
  command.run([arguments] { return run(*arguments); });
}

}  // namespace vergence::cli
