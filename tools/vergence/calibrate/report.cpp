// SPDX-License-Identifier: Apache-2.0
// The report of `vergence calibrate`, as text and as JSON.
#include "calibrate/report.hpp"

#include <fmt/format.h>

#include "calibration/describe.hpp"
#include "cli/command.hpp"
#include "cli/json.hpp"
#include "vergence/rig_words.hpp"

namespace vergence::cli {
namespace {

std::string board_words(const CalibrateRun& run) {
  const calibrate::Board& board = run.board;
  if (board.kind == calibrate::Board::Kind::charuco)
    return fmt::format("ChArUco, {}x{} squares of {:.6g} m", board.columns + 1, board.rows + 1, board.square_m);
  return fmt::format("{}x{} inner corners, squares of {:.6g} m", board.columns, board.rows, board.square_m);
}

std::string found_words(const FoundBoards& found) {
  std::string text =
      fmt::format("{} pairs, the board in {} left and {} right ones", found.pictures,
                  found.pictures - std::ssize(found.without_left), found.pictures - std::ssize(found.without_right));
  if (found.candidates > 0)
    text +=
        fmt::format("; of {} with both, {} sharp ones that differ were chosen", found.candidates, found.views.size());
  return text;
}

std::string px_or_dash(const std::optional<double>& px) { return px ? fmt::format("{:.2f}", *px) : "-"; }

std::string errors_words(const calibrate::Errors& errors) {
  return fmt::format("median {:.3f} px, 95 % within {:.3f} px, largest {:.2f} px", errors.median, errors.most,
                     errors.largest);
}

std::string left_out_words(const CalibrateRun& run) {
  std::string text;
  for (std::size_t i = 0; i < run.result.views.size(); ++i)
    if (run.result.views[i].left_out)
      text += (text.empty() ? "" : ", ") + run.pictures->name(run.found.views[i].number);
  return text;
}

void print_views(const CalibrateRun& run) {
  print("views     {:>8} {:>8} {:>8} {:>8}\n", "number", "left", "right", "rows");
  for (std::size_t i = 0; i < run.result.views.size(); ++i) {
    const calibrate::ViewResult& view = run.result.views[i];
    print("{:<10}{:>8} {:>8} {:>8} {:>8}{}\n", "", run.found.views[i].number, px_or_dash(view.left_px),
          px_or_dash(view.right_px), px_or_dash(view.rows_px), view.left_out ? "  left out" : "");
  }
}

Json errors_json(const calibrate::Errors& errors) {
  return Json{{"median_px", json_number(errors.median, 4)},
              {"rms_px", json_number(errors.rms, 4)},
              {"within_95_px", json_number(errors.most, 4)},
              {"largest_px", json_number(errors.largest, 4)}};
}

Json px_json(const std::optional<double>& px) { return px ? json_number(*px, 4) : Json(nullptr); }

Json numbers_of(const std::vector<std::int64_t>& numbers) {
  Json list = Json::array();
  for (const std::int64_t number : numbers) list.push_back(number);
  return list;
}

Json views_json(const CalibrateRun& run) {
  Json list = Json::array();
  for (std::size_t i = 0; i < run.result.views.size(); ++i) {
    const calibrate::ViewResult& view = run.result.views[i];
    list.push_back(Json{{"number", run.found.views[i].number},
                        {"left_rms_px", px_json(view.left_px)},
                        {"right_rms_px", px_json(view.right_px)},
                        {"rows_rms_px", px_json(view.rows_px)},
                        {"left_out", view.left_out}});
  }
  return list;
}

}  // namespace

void print_calibrate(const CalibrateRun& run) {
  const calibrate::Calibrated& result = run.result;
  print("board     {}\n", board_words(run));
  print("pictures  {}\n", found_words(run.found));
  print_views(run);
  print("left fit  RMS {:.3f} px over {} views, boards over {:.0f} % of the picture\n", result.left.rms_px,
        result.left_views.size(), 100 * run.left_share);
  print("right fit RMS {:.3f} px over {} views, boards over {:.0f} % of the picture\n", result.right.rms_px,
        result.right_views.size(), 100 * run.right_share);
  print("pair fit  RMS {:.3f} px over {} views, {}\n", result.pair_rms_px, result.pair_views.size(),
        result.refined ? "cameras refined with their pose" : "cameras as calibrated alone");
  print("rows      {} (once rectified)\n", errors_words(result.rows));
  if (result.held_out)
    print("held out  {} (rows of views that the calibration did not use)\n", errors_words(*result.held_out));
  if (const std::string out = left_out_words(run); !out.empty())
    print("left out  {}: 3 times the median error and more\n", out);
  for (const std::string& line : describe_rig(result.rig)) print("{}\n", line);
  for (std::size_t i = 0; i < run.advice.size(); ++i) print("{:<10}{}\n", i == 0 ? "next" : "", run.advice[i]);
  if (run.advice.empty()) print("next      nothing lacks: check the board's size and flatness\n");
  for (const RigOutput& output : run.outputs) {
    const std::string rest = left_out(result.rig, output.format);
    print("wrote     {}: {}{}{}\n", rig_format_name(output.format), output.paths[0],
          output.paths.size() > 1 ? ", " + output.paths[1] : std::string(), rest.empty() ? "" : "; left out: " + rest);
  }
  if (run.arguments->coverage) print("wrote     coverage: {}\n", *run.arguments->coverage);
}

void print_calibrate_json(const CalibrateRun& run) {
  const calibrate::Calibrated& result = run.result;
  const auto camera_json = [](const calibrate::CameraFit& fit, std::size_t views, double share) {
    return Json{{"rms_px", json_number(fit.rms_px, 4)}, {"views", views}, {"coverage", json_number(share, 4)}};
  };
  Json report = json_report();
  report["solver"] = run.solver;
  report["board"] = Json{{"kind", run.board.kind == calibrate::Board::Kind::charuco ? "charuco" : "chessboard"},
                         {"columns", run.board.columns},
                         {"rows", run.board.rows},
                         {"square_m", run.board.square_m}};
  report["pictures"] = run.found.pictures;
  report["without_board"] =
      Json{{"left", numbers_of(run.found.without_left)}, {"right", numbers_of(run.found.without_right)}};
  report["edge_px"] = json_number(run.found.edge_px, 2);
  report["left"] = camera_json(result.left, result.left_views.size(), run.left_share);
  report["right"] = camera_json(result.right, result.right_views.size(), run.right_share);
  report["pair"] = Json{
      {"rms_px", json_number(result.pair_rms_px, 4)}, {"views", result.pair_views.size()}, {"refined", result.refined}};
  report["rows"] = errors_json(result.rows);
  report["held_out"] = result.held_out ? errors_json(*result.held_out) : Json(nullptr);
  report["views"] = views_json(run);
  report["next"] = run.advice;
  report["rig"] = rig_json(result.rig);
  Json outputs = Json::array();
  for (const RigOutput& output : run.outputs)
    outputs.push_back(Json{{"format", std::string(rig_format_name(output.format))},
                           {"files", output.paths},
                           {"left_out", left_out(result.rig, output.format)}});
  report["outputs"] = std::move(outputs);
  report["coverage"] = run.arguments->coverage ? Json(*run.arguments->coverage) : Json(nullptr);
  report["warnings"] = run.warnings;
  print_json(report);
}

}  // namespace vergence::cli
