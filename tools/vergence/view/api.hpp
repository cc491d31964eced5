// SPDX-License-Identifier: Apache-2.0
// What the server of `vergence view` answers to each path.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "view/answers.hpp"
#include "view/guard.hpp"
#include "view/matching.hpp"
#include "view/motion.hpp"
#include "view/server.hpp"
#include "view/tracks.hpp"
#include "view/work.hpp"

namespace vergence::cli {

/// Answers requests that the guard let pass; any number of threads at once.
class ViewApi {
 public:
  /// All that is referred to must outlive it.
  ViewApi(ViewWork& work, const Guard& guard, std::span<const PageFile> page, ViewStart start);

  /// Never throws: errors become responses with the message and the field's name.
  HttpResponse answer(const HttpRequest& request);
  /// Adds the headers that each response has.
  static HttpResponse secured(HttpResponse response);

 private:
  HttpResponse route(const HttpRequest& request);
  HttpResponse get(const HttpRequest& request);
  HttpResponse page_file(const HttpRequest& request) const;
  HttpResponse pictures(const HttpRequest& request);
  HttpResponse stereo(const std::string& body);
  HttpResponse compare(const std::string& body);
  HttpResponse report(const std::string& body);
  HttpResponse live(const HttpRequest& request);
  HttpResponse motion(const std::string& body);
  HttpResponse track(const std::string& body);

  using Client = std::pair<std::string, std::uint64_t>;  ///< Name and serial of the request.
  void keep(const ViewRequest& request, std::shared_ptr<const ViewMaps> maps);

  ViewWork& work_;
  ViewScene& scene_;
  ViewMatching matching_;
  ViewMotion motion_;
  ViewTracks tracks_;
  const Guard& guard_;
  std::span<const PageFile> page_;
  ViewStart start_;
  std::mutex mutex_;
  std::deque<std::pair<Client, std::shared_ptr<const ViewMaps>>> kept_;  ///< For reports; the newest in front.
};

}  // namespace vergence::cli
