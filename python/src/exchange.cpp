// SPDX-License-Identifier: Apache-2.0
// Finds DLPack's table of functions once for each type, and reads CuPy's arrays.
#include "exchange.hpp"

#include <string_view>
#include <unordered_map>

namespace vergence::python {
namespace {

/// What is known of a type. Types are kept, so that none can take another's place.
struct KnownType {
  const ExchangeApi* api = nullptr;
  bool is_cupy = false;
};

const ExchangeApi* find_api(nb::handle type) {
  const nb::object capsule = nb::getattr(type, "__dlpack_c_exchange_api__", nb::none());
  if (capsule.is_none()) return nullptr;
  const auto* api = static_cast<const ExchangeApi*>(PyCapsule_GetPointer(capsule.ptr(), "dlpack_exchange_api"));
  if (api == nullptr) PyErr_Clear();
  while (api != nullptr && api->major != 1) api = api->older;
  const bool is_whole = api != nullptr && api->tensor_of != nullptr && api->current_stream != nullptr;
  return is_whole ? api : nullptr;
}

KnownType look_at(nb::handle type) {
  KnownType known;
  known.api = find_api(type);
  const nb::object module = nb::getattr(type, "__module__", nb::none()),
                   name = nb::getattr(type, "__name__", nb::none());
  known.is_cupy = nb::isinstance<nb::str>(module) && nb::isinstance<nb::str>(name) &&
                  std::string_view(nb::cast<const char*>(module)) == "cupy" &&
                  std::string_view(nb::cast<const char*>(name)) == "ndarray";
  return known;
}

/// Guarded by the GIL.
KnownType known_type(nb::handle object) {
  static auto* const all = new std::unordered_map<PyObject*, KnownType>;
  constexpr std::size_t most = 64;  // programs that make types all the time pay for each look
  const nb::handle type = object.type();
  if (const auto found = all->find(type.ptr()); found != all->end()) return found->second;
  const KnownType known = look_at(type);
  if (all->size() < most) {
    type.inc_ref();
    all->emplace(type.ptr(), known);
  }
  return known;
}

}  // namespace

const ExchangeApi* exchange_api(nb::handle object) { return known_type(object).api; }

TensorOwner tensor_of(const ExchangeApi& api, nb::handle object) {
  ManagedTensor* tensor = nullptr;
  if (api.tensor_of(object.ptr(), &tensor) == 0) return TensorOwner(tensor);
  PyErr_Clear();  // the usual way, __dlpack__, says what is wrong
  return nullptr;
}

bool is_cupy(nb::handle object) { return known_type(object).is_cupy; }

CupyArray read_cupy(nb::handle object) {
  const nb::object data = object.attr("data");
  return {reinterpret_cast<void*>(nb::cast<std::uintptr_t>(nb::object(data.attr("ptr")))),
          nb::cast<nb::tuple>(nb::object(object.attr("shape"))),
          nb::cast<nb::tuple>(nb::object(object.attr("strides"))), nb::object(object.attr("dtype"))};
}

std::uintptr_t cupy_stream() {
  static PyObject* const current =
      nb::object(nb::module_::import_("cupy.cuda").attr("get_current_stream")).release().ptr();
  return nb::cast<std::uintptr_t>(nb::object(nb::handle(current)().attr("ptr")));
}

}  // namespace vergence::python
