// SPDX-License-Identifier: Apache-2.0
// The library's errors as Python's exceptions (vergence/_errors.py), and the package's own.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <stdexcept>
#include <string>

namespace vergence::python {

namespace nb = nanobind;

/// A value of the wrong type: ArgumentTypeError, which is a TypeError too.
class WrongType : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
/// An object that another thread uses at this moment: BusyError.
class Busy : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An Error(invalid_argument) about something of the package's own.
[[noreturn]] void refuse(const std::string& message);

/// "uint8", "list": the name of a value's type, for messages.
std::string name_of_type(nb::handle value);

void register_errors();

}  // namespace vergence::python
