// SPDX-License-Identifier: Apache-2.0
// Scores of disparities, predictions and fields.
#include "score.hpp"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>

#include <optional>
#include <span>

#include "arrays.hpp"
#include "motion.hpp"
#include "process.hpp"
#include "vergence/score.hpp"

namespace vergence::python {
namespace {

template <class T, std::size_t N>
nb::dict by_number(const std::array<T, N>& keys, const std::array<double, N>& values) {
  nb::dict all;
  for (std::size_t i = 0; i < N; ++i) all[nb::cast(keys[i])] = values[i];
  return all;
}

nb::object to_dict(const std::optional<StereoScore>& score) {
  if (!score) return nb::none();
  nb::dict all;
  all["pixels"] = score->pixels;
  all["valid_pixels"] = score->valid_pixels;
  all["bad"] = by_number(StereoScore::thresholds, score->bad);
  all["total_bad"] = by_number(StereoScore::thresholds, score->total_bad);
  all["invalid"] = score->invalid;
  all["density"] = score->density;
  all["average_error"] = score->average_error;
  all["rms"] = score->rms;
  all["quantiles"] = by_number(StereoScore::quantile_percents, score->quantiles);
  all["d1"] = score->d1;
  all["total_d1"] = score->total_d1;
  return all;
}

Array given(nb::handle object, const char* what) {
  return object.is_none() ? Array() : Array(object, what, Array::Access::read);
}

nb::dict stereo(const nb::handle& disparity, const nb::handle& truth, const nb::handle& mask,
                const nb::handle& validity, std::optional<double> max_disparity, bool round) {
  const Array map(disparity, "disparity map", Array::Access::read), true_map(truth, "truth", Array::Access::read);
  const Array mask_array = given(mask, "mask"), validity_array = given(validity, "validity");
  const auto a = map.view<const float>(), b = true_map.view<const float>();
  const StereoScoreOptions options{max_disparity, round, mask_view(validity_array)};
  const auto visible = mask_view(mask_array);
  const StereoScores scores = without_gil([&] { return score_stereo(a, b, visible, options); });
  nb::dict all;
  all["all"] = to_dict(scores.all);
  all["non_occluded"] = to_dict(scores.non_occluded);
  all["measured"] = to_dict(scores.measured);
  return all;
}

/// Calls `f` with views of both pictures, which have one type.
template <class F>
auto with_pictures(nb::handle frame, nb::handle prediction, F&& f) {
  const Array a(frame, "frame", Array::Access::read), b(prediction, "prediction", Array::Access::read);
  a.check({element_type<std::uint8_t>(), element_type<std::uint16_t>()}, 2);
  if (a.type() == element_type<std::uint8_t>())
    return f(a.view<const std::uint8_t>(), b.view<const std::uint8_t>(), 255);
  return f(a.view<const std::uint16_t>(), b.view<const std::uint16_t>(), 65535);
}

nb::dict prediction_score(const nb::handle& frame, const nb::handle& predicted, std::optional<int> max_value) {
  const PredictionScore score = with_pictures(frame, predicted, [&](auto a, auto b, int most) {
    return without_gil([&] { return score_prediction(a, b, max_value.value_or(most)); });
  });
  nb::dict all;
  all["residue"] = score.residue;
  all["mse"] = score.mse;
  all["psnr"] = score.psnr;
  all["ssim"] = score.ssim;
  return all;
}

bool scene_cut(const nb::handle& frame, const nb::handle& predicted, std::optional<int> max_value) {
  return with_pictures(frame, predicted, [&](auto a, auto b, int most) {
    return without_gil([&] { return is_scene_cut(a, b, max_value.value_or(most)); });
  });
}

double entropy(const nb::handle& vectors) {
  const Array array(vectors, "vectors", Array::Access::read);
  return vector_entropy(vectors_view(array));
}

}  // namespace

void register_score(nb::module_& module) {
  module.def(
      "score_stereo", stereo, nb::arg("disparity").none(), nb::arg("truth").none(), nb::arg("mask") = nb::none(),
      nb::kw_only(), nb::arg("validity") = nb::none(), nb::arg("max_disparity") = nb::none(), nb::arg("round") = false,
      nb::sig("def score_stereo(disparity: numpy.ndarray, truth: numpy.ndarray, mask: numpy.ndarray | None = "
              "None, *, validity: numpy.ndarray | None = None, max_disparity: float | None = None, round: bool = "
              "False) -> dict[str, dict | None]"),
      R"(Compares a disparity map with the truth, in Middlebury's measures and KITTI's D1.

Both maps are float32 in px; what is not finite is invalid in `disparity` and unknown in `truth`. `mask` is 255 where a
pixel is visible in both pictures; `validity` is a result's mask. The dict holds 'all', 'non_occluded' (with `mask`) and
'measured' (with `validity`); shares are in percent, errors in px, 'bad' and 'total_bad' by threshold in px, 'quantiles'
by percent.)");
  module.def("score_prediction", prediction_score, nb::arg("frame").none(), nb::arg("prediction").none(),
             nb::arg("max_value") = nb::none(),
             nb::sig("def score_prediction(frame: numpy.ndarray, prediction: numpy.ndarray, max_value: int | None = "
                     "None) -> dict[str, float]"),
             "How well a prediction meets its frame: residue, mse, psnr (dB), ssim.");
  module.def(
      "is_scene_cut", scene_cut, nb::arg("frame").none(), nb::arg("prediction").none(),
      nb::arg("max_value") = nb::none(),
      nb::sig("def is_scene_cut(frame: numpy.ndarray, prediction: numpy.ndarray, max_value: int | None = None) -> "
              "bool"),
      "True where motion explains the frame hardly better than flat tiles do.");
  module.def("vector_entropy", entropy, nb::arg("vectors").none(),
             nb::sig("def vector_entropy(vectors: numpy.ndarray) -> float"),
             "Entropy of raw vectors (int16, quarter px) in bits per vector.");
}

}  // namespace vergence::python
