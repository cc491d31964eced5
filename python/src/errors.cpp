// SPDX-License-Identifier: Apache-2.0
// Translates exceptions: one class of vergence/_errors.py for each ErrorCode.
#include "errors.hpp"

#include <new>
#include <string_view>

#include "options.hpp"
#include "vergence/error.hpp"

namespace vergence::python {
namespace {

const char* class_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
      return "ArgumentError";
    case ErrorCode::unsupported:
      return "UnsupportedError";
    case ErrorCode::not_found:
      return "NotFoundError";
    case ErrorCode::bad_data:
      return "BadDataError";
    case ErrorCode::io:
      return "IoError";
    case ErrorCode::out_of_memory:
      return "OutOfMemoryError";
    case ErrorCode::device:
      return "DeviceError";
  }
  return "Error";
}

/// The library names options as the command line does; here they are keywords.
std::string python_message(std::string text, std::string_view field) {
  const std::string name = keyword_of(field);
  if (name == field) return text;
  for (std::size_t at = text.find(field); at != text.npos; at = text.find(field, at + name.size()))
    text.replace(at, field.size(), name);
  return text;
}

void raise(const char* name, const std::string& message, std::string_view field) {
  try {
    const nb::object type = nb::module_::import_("vergence._errors").attr(name);
    const nb::object error = type(nb::str(message.data(), message.size()));
    // Arguments are told by their names ("left picture"), options by their keywords.
    const std::string told = field.find(' ') == field.npos ? keyword_of(field) : std::string(field);
    error.attr("field") = nb::str(told.data(), told.size());
    PyErr_SetObject(type.ptr(), error.ptr());
  } catch (nb::python_error& error) {
    error.restore();
  }
}

void translate(const std::exception_ptr& thrown, void* /*payload*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    raise(class_of(error.code()), python_message(error.what(), error.field()), error.field());
  } catch (const WrongType& error) {
    raise("ArgumentTypeError", error.what(), {});
  } catch (const Busy& error) {
    raise("BusyError", error.what(), {});
  } catch (const std::bad_alloc&) {
    raise("OutOfMemoryError", "no memory: use smaller pictures or free memory", {});
  }
}

}  // namespace

void refuse(const std::string& message) { throw Error(ErrorCode::invalid_argument, message); }

std::string name_of_type(nb::handle value) { return nb::cast<std::string>(nb::handle(value.type()).attr("__name__")); }

void register_errors() { nb::register_exception_translator(translate); }

}  // namespace vergence::python
