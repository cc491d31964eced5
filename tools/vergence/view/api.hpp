// SPDX-License-Identifier: Apache-2.0
// What the server of `vergence view` answers to each path.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "view/guard.hpp"
#include "view/root.hpp"
#include "view/server.hpp"
#include "view/session.hpp"

namespace vergence::cli {

/// Answers requests that the guard let pass; any number of threads at once.
class ViewApi {
 public:
  /// All that is referred to must outlive it. `root`: null where the page may open no files.
  ViewApi(std::shared_ptr<ViewSession> first, ViewDevices& devices, const ViewRoot* root, const Guard& guard,
          std::span<const PageFile> page);

  /// Never throws: errors become responses with the message and the field's name.
  HttpResponse answer(const HttpRequest& request);
  /// Adds the headers that each response has.
  static HttpResponse secured(HttpResponse response);

 private:
  HttpResponse route(const HttpRequest& request);
  HttpResponse refused(int status, std::string_view message, std::string_view field = {}) const;
  HttpResponse page_file(const HttpRequest& request) const;
  const ViewRoot& root() const;
  HttpResponse list(const HttpRequest& request) const;
  HttpResponse open(const std::string& body);
  HttpResponse save(const HttpRequest& request) const;
  /// Of the scene that the request names, else the first; null where it is no longer open.
  std::shared_ptr<ViewSession> session(const HttpRequest& request);

  ViewDevices& devices_;
  const ViewRoot* root_;
  const Guard& guard_;
  std::span<const PageFile> page_;
  const std::shared_ptr<ViewSession> first_;
  std::mutex mutex_;
  std::uint64_t opened_ = 0;
  std::list<std::pair<std::string, std::shared_ptr<ViewSession>>> sessions_;  ///< By the name in requests.
};

}  // namespace vergence::cli
