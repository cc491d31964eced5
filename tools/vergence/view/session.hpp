// SPDX-License-Identifier: Apache-2.0
// What the server of `vergence view` answers about one scene.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "view/answers.hpp"
#include "view/matching.hpp"
#include "view/motion.hpp"
#include "view/root.hpp"
#include "view/start.hpp"
#include "view/tracks.hpp"
#include "view/work.hpp"

namespace vergence::cli {

/// What a scene is opened from. Files of the page's choice (ViewRoot) are read by other names than those that are told.
struct ViewFiles {
  StereoArguments read, told;
  std::optional<std::string> flow = std::nullopt;
  std::vector<HeldFile> held{};  ///< Keeps the names that are read.
  bool has_root = false;         ///< Others can be opened.
};

/// A scene, and what is found in it. Any number of threads may ask.
class ViewSession {
 public:
  /// As open_view_scene and view_start. `devices` outlives it.
  ViewSession(ViewFiles files, ViewDevices& devices);
  ViewSession(const ViewSession&) = delete;
  ViewSession& operator=(const ViewSession&) = delete;

  const ViewStart& start() const { return start_; }
  /// Of a path below /api that is about a scene; nothing for another one. Throws what the work throws.
  std::optional<HttpResponse> answer(const HttpRequest& request);

 private:
  std::optional<HttpResponse> get(const HttpRequest& request);
  std::optional<HttpResponse> post_pair(const HttpRequest& request);
  HttpResponse pictures(const HttpRequest& request);
  HttpResponse stereo(const std::string& body);
  HttpResponse compare(const std::string& body);
  HttpResponse report(const std::string& body);
  HttpResponse whole_maps(const std::string& body);
  std::shared_ptr<const ViewMaps> kept(const ViewRequest& request);
  HttpResponse live(const HttpRequest& request);
  HttpResponse motion(const std::string& body);
  HttpResponse compare_motion(const std::string& body);
  HttpResponse track(const std::string& body);
  HttpResponse compare_tracks(const std::string& body);

  using Client = std::pair<std::string, std::uint64_t>;  ///< Name and serial of the request.
  void keep(const ViewRequest& request, std::shared_ptr<const ViewMaps> maps);

  const ViewFiles files_;
  const std::unique_ptr<ViewScene> scene_;
  const ViewStart start_;
  ViewWork work_;
  ViewMatching matching_{work_};
  ViewMotion motion_{work_};
  ViewTracks tracks_{work_};
  std::mutex mutex_;
  std::deque<std::pair<Client, std::shared_ptr<const ViewMaps>>> kept_;  ///< For reports; the newest in front.
};

}  // namespace vergence::cli
