// SPDX-License-Identifier: Apache-2.0
// The class MotionSizesEstimator: calls, signatures and documentation.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "device.hpp"
#include "motion.hpp"
#include "options.hpp"

namespace vergence::python {
namespace {

constexpr std::size_t sizes = MotionSizesEstimator::sides.size();

/// Those fields of motion that this class has; it has no presets.
struct SizesDomain {
  using Options = MotionSizesOptions;
  static const std::vector<Field>& fields() {
    static const std::vector<Field> all = [] {
      constexpr std::array<std::string_view, 7> own{"cost",   "range",       "border",   "lambda",
                                                    "subpel", "pixel-depth", "max-value"};
      std::vector<Field> found;
      for (const Field& field : motion_fields())
        if (std::find(own.begin(), own.end(), field.name) != own.end()) found.push_back(field);
      return found;
    }();
    return all;
  }
  static std::string get(const Options& options, std::string_view field) {
    return motion_get(motion_options(options), field);
  }
  static void set(Options& options, std::string_view name, std::string_view text) {
    const auto named = [name](const Field& field) { return field.name == name; };
    if (std::none_of(fields().begin(), fields().end(), named)) refuse_name(name);
    MotionOptions all = motion_options(options);
    motion_set(all, name, text);
    options = sizes_options(all);
  }

 private:
  [[noreturn]] static void refuse_name(std::string_view name) {
    std::string known;
    for (const Field& field : fields()) known += fmt::format("{}{}", known.empty() ? "" : ", ", keyword_of(field.name));
    throw WrongType(fmt::format("MotionSizesEstimator has no option {}: known are {}", keyword_of(name), known));
  }
};

/// What is given for the blocks of one side: the same value for all, or an entry of a dict.
nb::object of_side(nb::handle given, int side, const char* what) {
  if (given.is_none() || given.is(Py_True) || given.is(Py_False)) return nb::borrow(given);
  if (!nb::isinstance<nb::dict>(given))
    throw WrongType(fmt::format("{} is {}: a dict by side is needed, {{8: array, 16: array, 32: array, 64: array}}",
                                what, name_of_type(given)));
  const auto by_side = nb::borrow<nb::dict>(given);
  const nb::int_ key(side);
  return by_side.contains(key) ? nb::object(by_side[key]) : nb::none();
}

void check_sides(nb::handle given, const char* what) {
  constexpr auto& sides = MotionSizesEstimator::sides;
  if (!nb::isinstance<nb::dict>(given)) return;
  for (const auto& [key, value] : nb::borrow<nb::dict>(given)) {
    int side = 0;
    if (!nb::try_cast(nb::handle(key), side) || std::find(sides.begin(), sides.end(), side) == sides.end())
      refuse(fmt::format("{} has the key {}: sides are 8, 16, 32 and 64", what, nb::cast<std::string>(nb::repr(key))));
  }
}

class SizesEstimator {
 public:
  SizesEstimator(const Device& device, std::unique_ptr<MotionSizesEstimator> estimator)
      : device_(device), estimator_("MotionSizesEstimator", std::move(estimator)) {}

  nb::dict compute(nb::handle current, nb::handle reference, nb::handle previous, const MotionWants& wants) {
    auto estimator = estimator_.use();
    const Array now(current, "current frame", Array::Access::read);
    const Array before(reference, "reference frame", Array::Access::read);
    MotionSizesInput input{picture(now, device_, estimator->size()), picture(before, device_, estimator->size()), {}};
    MotionSizesOutput output;
    std::array<Array, sizes> fields;
    std::array<std::optional<MotionMaps>, sizes> maps;
    check_all_sides(previous, wants);
    for (std::size_t i = 0; i < sizes; ++i) {
      const int side = MotionSizesEstimator::sides[i];
      const Size blocks = estimator->blocks(static_cast<int>(i));
      if (const nb::object field = of_side(previous, side, "previous"); !field.is_none()) {
        fields[i] = Array(field, "previous vectors", Array::Access::read);
        input.previous[i] = vectors_view(fields[i], blocks);
      }
      output[i] = maps[i].emplace(wants_of(side, wants), blocks).output;
    }
    without_gil([&] {
      estimator->compute(input, output);
      for (auto& one : maps) one->convert();
    });
    nb::dict result;
    for (std::size_t i = 0; i < sizes; ++i)
      result[nb::int_(MotionSizesEstimator::sides[i])] = nb::cast(maps[i]->result());
    return result;
  }
  nb::dict blocks() const {
    nb::dict all;
    for (std::size_t i = 0; i < sizes; ++i)
      all[nb::int_(MotionSizesEstimator::sides[i])] = to_python(constant().blocks(static_cast<int>(i)));
    return all;
  }
  const MotionSizesEstimator& constant() const { return estimator_.constant(); }
  std::size_t memory() { return estimator_.use()->memory(); }
  const Device& device() const { return device_; }

 private:
  /// The wants of one side; they hold what they refer to.
  struct SideWants {
    nb::object vectors, cost, j, second_j, confidence;
    bool raw;
    operator MotionWants() const { return {raw, vectors, cost, j, second_j, confidence}; }
  };
  static SideWants wants_of(int side, const MotionWants& wants) {
    return {of_side(wants.vectors, side, "vectors"),
            of_side(wants.cost, side, "cost"),
            of_side(wants.j, side, "j"),
            of_side(wants.second_j, side, "second_j"),
            of_side(wants.confidence, side, "confidence"),
            wants.raw};
  }
  static void check_all_sides(nb::handle previous, const MotionWants& wants) {
    check_sides(previous, "previous");
    check_sides(wants.vectors, "vectors");
    check_sides(wants.cost, "cost");
    check_sides(wants.j, "j");
    check_sides(wants.second_j, "second_j");
    check_sides(wants.confidence, "confidence");
  }

  Device device_;
  Guarded<MotionSizesEstimator> estimator_;
};

void make(SizesEstimator* self, const nb::handle& device, const nb::handle& size, const nb::kwargs& keywords) {
  const Settings<SizesDomain> settings{to_device(device), to_size(size, "size"), changed<SizesDomain>({}, keywords)};
  new (self) SizesEstimator(settings.device, make_object<MotionSizesEstimator>(settings, keywords));
}

constexpr const char* purpose = R"(Finds the motion of all square blocks of 8, 16, 32 and 64 px in one pass.

Each size gets the vectors that MotionEstimator's search full finds for blocks of that size; frames have at least 8x8
px. One estimator may be used by one thread at a time.
)";
constexpr const char* examples = R"(
Examples
--------
>>> video = vergence.Scene(size=(64, 96), frames=2)
>>> before, now = video.render(0)["left"], video.render(1)["left"]
>>> estimator = vergence.MotionSizesEstimator("cpu", now.shape, range=8)
>>> fields = estimator.compute(now, before, cost=True)
>>> {side: field.vectors.shape for side, field in fields.items()}
{8: (8, 12, 2), 16: (4, 6, 2), 32: (2, 3, 2), 64: (1, 2, 2)}
>>> bool((fields[64].cost >= 0).all())
True
)";
constexpr const char* compute_text =
    R"(Finds each block of `current` in `reference`, both uint8 or uint16 of shape (height, width).

Parameters
----------
previous : dict, optional
    By side, the raw vectors of the frame before, as prediction: {8: array, 16: array, ...}.
raw : bool
    Vectors as int16 in quarter px, in the place of float px.
vectors : dict, optional
    By side, where to write the vectors: float32 or int16, (rows, columns, 2), without gaps.
cost, j, second_j, confidence : bool or dict
    True: also give this map for all sizes; a dict by side: write it into these arrays.

Returns
-------
dict
    A MotionResult for each of the sides 8, 16, 32 and 64.
)";

}  // namespace

void register_motion_sizes(nb::module_& module) {
  static const std::string signature = init_signature(SizesDomain::fields(), "", Presets::none);
  static const std::string text = class_docstring(purpose, "", SizesDomain::fields()) + examples;
  nb::class_<SizesEstimator>(module, "MotionSizesEstimator", text.c_str())
      .def("__init__", make, nb::arg("device") = "cpu", nb::arg("size") = nb::none(), nb::arg("options"),
           nb::sig(signature.c_str()))
      .def(
          "compute",
          [](SizesEstimator& self, const nb::handle& current, const nb::handle& reference, const nb::handle& previous,
             bool raw, const nb::handle& vectors, const nb::handle& cost, const nb::handle& j,
             const nb::handle& second_j, const nb::handle& confidence) {
            return self.compute(current, reference, previous, {raw, vectors, cost, j, second_j, confidence});
          },
          nb::arg("current").none(), nb::arg("reference").none(), nb::arg("previous") = nb::none(), nb::kw_only(),
          nb::arg("raw") = false, nb::arg("vectors") = nb::none(), nb::arg("cost") = nb::none(),
          nb::arg("j") = nb::none(), nb::arg("second_j") = nb::none(), nb::arg("confidence") = nb::none(),
          nb::sig("def compute(self, current: numpy.ndarray, reference: numpy.ndarray, previous: dict[int, "
                  "numpy.ndarray] | None = None, *, raw: bool = False, vectors: dict[int, numpy.ndarray] | None = "
                  "None, cost: bool | dict[int, numpy.ndarray] = False, j: bool | dict[int, numpy.ndarray] = False, "
                  "second_j: bool | dict[int, numpy.ndarray] = False, confidence: bool | dict[int, numpy.ndarray] = "
                  "False) -> dict[int, MotionResult]"),
          compute_text)
      .def_prop_ro(
          "size", [](const SizesEstimator& self) { return to_python(self.constant().size()); },
          nb::sig("def size(self) -> tuple[int, int]"), "(height, width).")
      .def_prop_ro("blocks", &SizesEstimator::blocks, nb::sig("def blocks(self) -> dict[int, tuple[int, int]]"),
                   "(rows, columns) of blocks, by side.")
      .def_prop_ro(
          "options", [](const SizesEstimator& self) { return options_dict<SizesDomain>(self.constant().options()); },
          nb::sig("def options(self) -> dict[str, object]"), "All options by keyword.")
      .def_prop_ro("device", &SizesEstimator::device)
      .def_prop_ro("memory", &SizesEstimator::memory, "Bytes allocated on the host.");
}

}  // namespace vergence::python
