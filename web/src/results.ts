// SPDX-License-Identifier: Apache-2.0
// What a change did: times, scores, hash.

import type { Report, ScoreShares } from "./api";
import { digits, h } from "./dom";
import type { State } from "./state";

const threshold = "1";

/** A line for the totals of a score. */
function score_text(name: string, score: ScoreShares): string {
  return `${name}: ${digits(score.total_bad[threshold], 2)} % wrong by more than 1 px or missing, average error ${digits(score.average_error, 3)} px`;
}

function result_lines(report: Report): [string, string][] {
  const lines: [string, string][] = [["match", `${digits(report.ms.match, 1)} ms on ${report.device}`]];
  if (report.density !== undefined) lines.push(["density", `${digits(report.density, 2)} % have a disparity`]);
  if (report.scores) {
    lines.push(["all pixels", score_text("truth", report.scores.all)]);
    if (report.scores.non_occluded) lines.push(["visible in both", score_text("truth", report.scores.non_occluded)]);
  }
  if (report.hash) lines.push(["hash", report.hash]);
  return lines;
}

/** Times, scores and hash of the newest maps. */
export function results(state: State): HTMLElement {
  const list = h("dl", { class: "results", "aria-live": "polite" });
  const warnings = h("div", { role: "status", id: "warnings" });
  const error = h("p", { class: "refused", role: "alert", id: "refused" });
  state.on("report", () => {
    const { report } = state;
    if (!report) return;
    const lines = result_lines(report);
    lines.unshift(["change to screen", `${digits(state.change_ms, 0)} ms`]);
    list.replaceChildren(
      ...lines.flatMap(([name, value]) => [
        h("dt", {}, name),
        h("dd", { "data-result": name.replaceAll(" ", "-") }, value.replace(/^truth: /, "")),
      ]),
    );
    // They come with hash and scores, and stay until the next ones.
    if (report.warnings)
      warnings.replaceChildren(...report.warnings.map((line) => h("p", { class: "warning" }, `Warning: ${line}`)));
  });
  state.on("refused", ({ field, message }) => {
    error.textContent = field === "" || !document.getElementById(`setting-${field}`) ? message : "";
  });
  return h("section", { "aria-label": "Results" }, h("h2", {}, "Results"), error, warnings, list);
}
