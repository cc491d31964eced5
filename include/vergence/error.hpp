// SPDX-License-Identifier: Apache-2.0
// The one exception type of the library.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace vergence {

/// What kind of thing went wrong; the text of the Error says exactly what.
enum class ErrorCode {
  invalid_argument,  ///< An option, a size or a pointer is outside its allowed range.
  unsupported,       ///< Valid, but this device or this file format cannot honour it.
  not_found,         ///< A device, a preset, an option or a file of that name does not exist.
  bad_data,          ///< A file is truncated, empty or not what its name says.
  io,                ///< The operating system refused to read or write.
  out_of_memory,     ///< An allocation on the host or on a device failed.
  device,            ///< A device failed its bit probe, was lost, or refused work.
};

/// Thrown by everything in Vergence that can fail. what() names what failed, the value that was given and what to do
/// about it, in one line.
///
/// ```cpp
/// try {
///   Device("nonsense");
/// } catch (const Error& error) {
///   static_cast<void>(error.code() == ErrorCode::not_found);  // what() lists the devices that there are
/// }
/// ```
class Error : public std::runtime_error {
 public:
  /// `field` must live as long as the program, as literals and the names of Field do.
  Error(ErrorCode code, const std::string& message, std::string_view field = {})
      : std::runtime_error(message), code_(code), field_(field) {}
  ErrorCode code() const noexcept { return code_; }
  /// The option ("min-disparity", as Field::name) or the argument ("left picture", "disparity map") that it is about;
  /// empty where it is about none.
  std::string_view field() const noexcept { return field_; }

 private:
  ErrorCode code_;
  std::string_view field_;
};

}  // namespace vergence
