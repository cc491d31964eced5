// SPDX-License-Identifier: Apache-2.0
// Paths and what they do.
#include "view/api.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>

#include "cli/command.hpp"
#include "cli/printable.hpp"

namespace vergence::cli {
namespace {

/// That the page opened, beside the one that the program was started with.
constexpr std::size_t most_opened = 4;

/// The page's own files and nothing else.
constexpr const char* content_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// 422: what was asked for is refused; 500: it could not be done.
int status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
    case ErrorCode::unsupported:
    case ErrorCode::not_found:
    case ErrorCode::bad_data:
      return 422;
    case ErrorCode::io:
    case ErrorCode::out_of_memory:
    case ErrorCode::device:
      return 500;
  }
  return 500;
}

HttpResponse not_found(const HttpRequest& request) {
  return error_response(404, one_line(fmt::format("nothing is called '{}' here", request.path.substr(0, 200))));
}

}  // namespace

ViewApi::ViewApi(std::shared_ptr<ViewSession> first, ViewDevices& devices, const ViewRoot* root, const Guard& guard,
                 std::span<const PageFile> page)
    : devices_(devices), root_(root), guard_(guard), page_(page), first_(std::move(first)) {}

HttpResponse ViewApi::secured(HttpResponse response) {
  response.headers.insert(response.headers.end(), {{"Content-Security-Policy", content_policy},
                                                   {"X-Content-Type-Options", "nosniff"},
                                                   {"Cross-Origin-Resource-Policy", "same-origin"},
                                                   {"Cross-Origin-Opener-Policy", "same-origin"},
                                                   {"Referrer-Policy", "no-referrer"},
                                                   {"Cache-Control", "no-store"}});
  return response;
}

/// Names of held files are told as the user knows them.
HttpResponse ViewApi::refused(int status, std::string_view message, std::string_view field) const {
  return secured(error_response(status, root_ ? root_->plain(std::string(message)) : std::string(message), field));
}

HttpResponse ViewApi::answer(const HttpRequest& request) {
  try {
    return secured(route(request));
  } catch (const Superseded& error) {
    return refused(409, error.what());
  } catch (const UsageError& error) {
    return refused(422, error.what(), error.field());
  } catch (const Error& error) {
    return refused(status_of(error.code()), error.what(), error.field());
  } catch (const std::bad_alloc&) {
    return refused(500, "out of memory: use smaller pictures or free memory");
  } catch (const std::exception& error) {
    return refused(500, error.what());
  }
}

HttpResponse ViewApi::route(const HttpRequest& request) {
  const bool reads = request.method == "GET" || request.method == "HEAD";
  if (reads && !request.path.starts_with("/api/")) return page_file(request);
  if (reads && request.path == "/api/fields") return json_response(view_fields_json());
  if (reads && request.path == "/api/devices") return json_response(view_devices_json());
  if (reads && request.path == "/api/files") return list(request);
  if (!reads && request.path == "/api/open") return open(request.body);
  if (!reads && request.path == "/api/save") return save(request);
  const std::shared_ptr<ViewSession> asked = session(request);
  if (!asked) return error_response(410, "this scene is no longer open: open its files again");
  auto answered = asked->answer(request);
  return answered ? std::move(*answered) : not_found(request);
}

std::shared_ptr<ViewSession> ViewApi::session(const HttpRequest& request) {
  const std::optional<std::string> name = request.parameter("scene");
  if (!name) return first_;
  const std::lock_guard lock(mutex_);
  for (auto one = sessions_.begin(); one != sessions_.end(); ++one) {
    if (one->first != *name) continue;
    sessions_.splice(sessions_.begin(), sessions_, one);
    return one->second;
  }
  return nullptr;
}

const ViewRoot& ViewApi::root() const {
  if (!root_)
    throw Error(ErrorCode::unsupported, "no files are opened or saved here: start `view` with --root FOLDER", "path");
  return *root_;
}

HttpResponse ViewApi::list(const HttpRequest& request) const {
  const std::string folder = request.parameter("folder").value_or("");
  const std::vector<FolderEntry> found = root().list(folder);
  Json entries = Json::array();
  for (const FolderEntry& one : found) {
    if (entries.elements().size() == ViewRoot::most_entries) break;
    entries.push_back(Json{{"name", one.name}, {"folder", one.folder}, {"bytes", one.bytes}});
  }
  Json json{{"folder", folder}, {"more", found.size() > ViewRoot::most_entries}};
  json["entries"] = std::move(entries);
  return json_response(json);
}

HttpResponse ViewApi::open(const std::string& body) {
  const ViewOpenRequest request = parse_open_request(body);
  ViewFiles files;
  files.has_root = true;
  const auto hold = [&](const std::string& path) {
    files.held.push_back(root().hold(path));
    return files.held.back();
  };
  const auto set = [&](const std::string& path, auto& read, auto& told) {
    if (path.empty()) return;
    const HeldFile file = hold(path);
    read = file.read;
    told = file.told;
  };
  set(request.left, files.read.left, files.told.left);
  set(request.right, files.read.right, files.told.right);
  set(request.truth, files.read.truth.file, files.told.truth.file);
  if (!request.calibration.empty())
    set(request.calibration, files.read.geometry.calibration.emplace_back(),
        files.told.geometry.calibration.emplace_back());
  if (!request.frames.empty()) files.read.frames = files.told.frames = request.frames;
  if (!request.truth_scale.empty()) files.read.truth.scale = files.told.truth.scale = request.truth_scale;
  if (!request.flow.empty()) files.flow = hold(request.flow).read;
  auto opened = std::make_shared<ViewSession>(std::move(files), devices_);
  Json warnings = warnings_json(opened->start());
  std::shared_ptr<ViewSession> oldest;  // destroyed without the lock: it may be large
  const std::lock_guard lock(mutex_);
  const std::string name = std::to_string(++opened_);
  sessions_.emplace_front(name, std::move(opened));
  if (sessions_.size() > most_opened) {
    oldest = std::move(sessions_.back().second);
    sessions_.pop_back();
  }
  return json_response(Json{{"scene", name}, {"warnings", std::move(warnings)}});
}

HttpResponse ViewApi::save(const HttpRequest& request) const {
  const std::string path = request.parameter("path").value_or("");
  root().save(path, request.body);
  return json_response(Json{{"saved", path}});
}

HttpResponse ViewApi::page_file(const HttpRequest& request) const {
  const std::string_view path = request.path == "/" ? "/index.html" : std::string_view(request.path);
  const auto found = std::find_if(page_.begin(), page_.end(), [&](const PageFile& file) { return file.path == path; });
  if (found == page_.end()) return not_found(request);
  if (request.header("Accept-Encoding").value_or("").find("gzip") == std::string::npos)
    return error_response(406, "the page is compressed by gzip: send the header Accept-Encoding: gzip");
  HttpResponse response;
  response.type = found->type;
  response.headers = {{"Content-Encoding", "gzip"}};
  // The address that was printed holds the token; what the page loads then carries it in this cookie.
  if (path == "/index.html") response.headers.emplace_back("Set-Cookie", guard_.cookie());
  response.pieces = {std::as_bytes(found->bytes)};
  return response;
}

}  // namespace vergence::cli
