// SPDX-License-Identifier: Apache-2.0
// `vergence calibrate`: calibrates two cameras from pictures of a board.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "calibrate/report.hpp"
#include "cli/command.hpp"
#include "cli/files.hpp"
#include "cli/program.hpp"
#include "cli/signals.hpp"
#include "cli/strict.hpp"
#include "vergence/output_file.hpp"

namespace vergence::cli {
namespace {

/// Here the baseline's unit is that of the board, and no file's.
std::string baseline_doubt(const CalibrateRun& run) {
  return fmt::format("the baseline is {:.4g} m, with squares of {:.4g} m: is --square given in the right unit?",
                     run.result.rig.baseline_m(), run.board.square_m);
}

/// Views that were copied add nothing; those that are held out would be the same as those that are used.
void add_copies(const CalibrateRun& run, Warnings& warnings) {
  const auto& again = run.found.again;
  if (again.empty() || run.pictures->is_video()) return;
  warnings.add(
      fmt::format("{} of {} pairs show the board where another pair does, to the last bit, and are left out, "
                  "such as number {}, which is number {} once more: give each view once",
                  again.size(), run.found.pictures, again.front().first, again.front().second));
}

/// Pixels that are longer one way, alike in both cameras: check_rig allows what old video cameras have.
std::string pixel_doubt(const StereoRig& rig) {
  constexpr double most = 1.03;
  const double left = rig.left.fx / rig.left.fy, right = rig.right.fx / rig.right.fy;
  const double least_off = std::min(std::max(left, 1 / left), std::max(right, 1 / right));
  if ((left > 1) != (right > 1) || least_off < most || std::max({left, right, 1 / left, 1 / right}) > most_pixel_aspect)
    return {};
  return fmt::format(
      "focal lengths along rows are {:.0f} % {} than along columns in both cameras ({:.4g} and {:.4g} px, {:.4g} and "
      "{:.4g}), and the pixels of nearly all sensors are square: measure the board's squares both ways, since printers "
      "fit pages, and check that the pictures were not squeezed",
      100 * (least_off - 1), left > 1 ? "longer" : "shorter", rig.left.fx, rig.left.fy, rig.right.fx, rig.right.fy);
}

/// What is doubtful about a calibration that stands.
void add_doubts(const CalibrateRun& run, Warnings& warnings) {
  const calibrate::Calibrated& result = run.result;
  constexpr double times = 3, floor_px = 0.5;
  // Lenses resolve no more than a part of the width, however many pixels there are.
  const double high_px = std::max(1.0, run.found.size.width / 2000.0);
  for (const auto& [name, fit] : {std::pair{"left", &result.left}, std::pair{"right", &result.right}})
    if (fit->rms_px > high_px)
      warnings.add(
          fmt::format("the {} camera fits to {:.2f} px only, and below 0.5 is usual: check that the board is "
                      "flat and --lens is the lens'",
                      name, fit->rms_px));
  if (result.pair_rms_px > std::max(floor_px, times * std::max(result.left.rms_px, result.right.rms_px)))
    warnings.add(
        fmt::format("both cameras together fit to {:.2f} px, each alone far better: did they take their "
                    "pictures at one moment, and did they not move against each other?",
                    result.pair_rms_px));
  const double wide_px = std::max(4.0, run.found.size.width / 400.0);
  if (run.found.edge_px > wide_px)
    warnings.add(
        fmt::format("edges of the board are {:.1f} px wide, and 2 to 3 are sharp: hold the board still, focus, "
                    "add light",
                    run.found.edge_px));
  if (const std::string doubt = pixel_doubt(result.rig); !doubt.empty()) warnings.add(doubt);
  for (const std::string& doubt : check_rig(result.rig))
    warnings.add(doubt.starts_with("the baseline is") ? baseline_doubt(run) : doubt);
}

void write_outputs(const CalibrateRun& run) {
  const WriteGuard guard;
  FileGroup together;
  for (const RigOutput& output : run.outputs) write_rig(output.paths, run.result.rig, output.format);
  if (run.arguments->coverage) write_picture(*run.arguments->coverage, coverage_picture(run).view());
  together.commit();
}

int most_views(const CalibrateArguments& arguments) {
  constexpr int usual = 30, most = 200;
  if (!arguments.views) return usual;
  return static_cast<int>(parse_integer("--views", *arguments.views, calibrate::least_views, most));
}

int run_calibrate(const CalibrateArguments& arguments) {
  CalibrateRun run;
  run.arguments = &arguments;
  run.board = parse_board(arguments);
  calibrate::Settings settings{run.board, parse_lens(arguments), arguments.keep_all};
  run.outputs = parse_outputs(arguments, settings.lens);
  const int views = most_views(arguments);
  const std::vector<OutputName> names = output_names(arguments, run.outputs);
  calibrate::Solver& solver = calibrate::solver();
  run.solver = solver.name();
  if (run.board.kind == calibrate::Board::Kind::charuco && !solver.reads_charuco())
    throw Error(ErrorCode::unsupported,
                fmt::format("{} was built without ChArUco: install its contrib modules (Debian: "
                            "libopencv-contrib-dev) or OpenCV 4.7, and build again",
                            run.solver));
  PairPictures pictures(arguments);
  run.pictures = &pictures;
  check_distinct(names, pictures.files(), FrameRange{0, 0});
  check_names(names);
  Warnings warnings(arguments.strict);
  run.found = find_boards(solver, pictures, run.board, views);
  for (const std::string& notice : pictures.notices()) warnings.add(notice);
  add_copies(run, warnings);
  run.result = calibrate::calibrate_rig(solver, settings, run.found.size, run.found.views);
  const auto share = [&](const std::vector<int>& used, calibrate::Corners calibrate::View::*side) {
    return calibrate::covered_share(
        calibrate::boards_over(calibrate::used_corners(run.found.views, used, side), run.found.size).view());
  };
  run.left_share = share(run.result.left_views, &calibrate::View::left);
  run.right_share = share(run.result.right_views, &calibrate::View::right);
  run.advice = calibrate::advice(run.result, run.found.views, run.board);
  add_doubts(run, warnings);
  run.warnings = warnings.lines();
  write_outputs(run);
  (arguments.json ? print_calibrate_json : print_calibrate)(run);
  return success;
}

void add_board_options(Command command, CalibrateArguments& arguments) {
  command
      .add("--board", arguments.board,
           "Inner corners of a chessboard, one fewer each way than squares, such as 9x6; or the squares of a ChArUco "
           "board, such as charuco:12x9")
      .type("CxR")
      .group("Board")
      .required();
  command.add("--square", arguments.square, "Side of a square, with its unit, such as 25mm, 2.5cm or 0.025m")
      .type("LENGTH")
      .group("Board")
      .required();
  command.add("--marker", arguments.marker, "ChArUco: side of a marker, with its unit").type("LENGTH").group("Board");
  command.add("--dictionary", arguments.dictionary, "ChArUco: the markers, as OpenCV names them [4X4_50 .. 7X7_1000]")
      .type("NAME")
      .group("Board");
}

void add_outputs(Command command, CalibrateArguments& arguments) {
  command
      .add("-o,--output", arguments.outputs,
           "File to write, may be given again [.yml, .xml, .json: OpenCV; else FORMAT:FILE, such as "
           "kalibr:camchain.yaml or ros:left.yaml,right.yaml]")
      .type("FILE")
      .group("Outputs")
      .required()
      .repeatable();
  command.add("--coverage", arguments.coverage, "Picture of where the boards were, of both cameras [.png, .ppm]")
      .type("FILE")
      .group("Outputs");
}

}  // namespace

void add_calibrate(Program& program) {
  Command command = program.add("calibrate",
                                "Calibrate two cameras from pictures of a board\n\n"
                                "Both cameras photograph a printed chessboard or ChArUco board at one moment, 10 to 30 "
                                "times: tilted to all sides,\n"
                                "near and far, into all corners of both pictures. From a video, sharp frames that "
                                "differ are chosen. The report says\n"
                                "how good the result is and what to photograph next. Needs a build with OpenCV.");
  const auto arguments = std::make_shared<CalibrateArguments>();
  command
      .add("LEFT", arguments->left,
           "Numbered pictures (left_%02d.png) or video of the left camera; with --layout, of both")
      .type("FILE")
      .required();
  command.add("RIGHT", arguments->right, "The same of the right camera").type("FILE");
  add_board_options(command, *arguments);
  add_outputs(command, *arguments);
  command
      .add(
          "--layout", arguments->layout,
          "How the pictures come [pair, side-by-side, top-bottom (the left one at the left or the top); default: pair]")
      .type("WORD")
      .choices({"pair", "side-by-side", "top-bottom"});
  command.add("--frames", arguments->frames, "Frames A to B of a stream, both included [A:B, A:, :B]").type("A:B");
  command
      .add("--lens", arguments->lens,
           "Model of both lenses: pinhole (k1 k2 p1 p2 k3), pinhole-4 (without k3), rational (k4 k5 k6 too), fisheye "
           "[default: pinhole]")
      .type("NAME")
      .choices({"pinhole", "pinhole-4", "rational", "fisheye"});
  command.add("--views", arguments->views, "Most views to use: of more, those that differ most [4 .. 200; default: 30]")
      .type("N");
  command.flag("--keep-all", arguments->keep_all, "Leave no view out, however large its error");
  add_strict_option(command, arguments->strict);
  command.flag("--json", arguments->json, "Print one JSON object");
  command.common("LEFT and RIGHT are numbered pictures (left_%02d.png) or videos.",
                 {{"--board", "Inner corners, such as 9x6, or charuco:12x9; needed"},
                  {"--square", "Side of a square, such as 25mm; needed"},
                  {"--output", "Calibration to write; may be repeated"},
                  {"--coverage", "Picture of where the boards were"},
                  {"--layout", "pair, side-by-side, top-bottom"},
                  {"--lens", "pinhole, pinhole-4, rational, fisheye"},
                  {"--keep-all", "Leave no view out"},
                  {"--strict", "A warning is an error"},
                  {"--json", "Print one JSON object"}});
  command.run([arguments] { return run_calibrate(*arguments); });
}

}  // namespace vergence::cli
