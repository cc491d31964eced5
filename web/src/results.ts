// SPDX-License-Identifier: Apache-2.0
// What a change did: times, scores, hash; two settings or devices compared; what can be copied and saved.

import type { Report, ScoreShares } from "./api";
import { digits, h, save } from "./dom";
import { asked, type State } from "./state";
import type { Viewer } from "./viewer";

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
  });
  state.on("refused", ({ field, message }) => {
    error.textContent = field === "" || !document.getElementById(`setting-${field}`) ? message : "";
  });
  return h("section", { "aria-label": "Results" }, h("h2", {}, "Results"), error, list);
}

/** The device of the maps, of those that can be used here. */
export function device_choice(state: State, label: string, other: boolean): HTMLElement {
  const select = h("select", {
    change: () => {
      if (!other) state.set_device(select.value);
      else if (state.other) {
        state.other = { ...state.other, device: select.value };
        state.emit("settings", undefined);
      }
    },
  });
  const offer = () => {
    const options = state.devices.map(({ name, available, description, reason }) =>
      h(
        "option",
        { value: name, disabled: !available, title: `${description} ${reason}` },
        available ? name : `${name} (not available)`,
      ),
    );
    select.replaceChildren(...options);
    show();
  };
  const show = () => {
    select.value = (other ? state.other : state.match)?.device ?? state.match.device;
  };
  state.on("settings", show);
  state.on("devices", offer);
  offer();
  return h("label", { class: "choice" }, label, " ", select);
}

/** Two settings or devices beside each other. */
export function comparison(state: State): HTMLElement {
  const badge = h("output", { class: "badge", id: "badge", "aria-live": "polite" });
  const detail = h("p", { class: "small" });
  const stop = h(
    "button",
    {
      type: "button",
      click: () => {
        state.other = undefined;
        show();
        state.emit("settings", undefined);
      },
    },
    "Stop",
  );
  const keep = h(
    "button",
    {
      type: "button",
      id: "keep",
      click: () => {
        state.other = structuredClone(state.match);
        show();
        state.emit("settings", undefined);
      },
    },
    "Keep these settings as B",
  );
  const device = device_choice(state, "Device of B", true);
  const swap = h(
    "button",
    {
      type: "button",
      click: () => {
        if (!state.other) return;
        [state.match, state.other] = [state.other, state.match];
        state.emit("settings", undefined);
      },
    },
    "Exchange A and B",
  );
  const show = () => {
    const on = state.other !== undefined;
    for (const node of [stop, swap, device, badge, detail]) node.hidden = !on;
  };
  state.on("maps", () => {
    const found = state.comparison;
    if (!found) return;
    badge.dataset.equal = found.differing_bytes === 0 ? "yes" : "no";
    badge.textContent = `${found.differing_bytes.toLocaleString("en")} differing bytes`;
    const changed = state.fields.filter(
      ({ name }) => String(found.a.settings[name]) !== String(found.b.settings[name]),
    );
    const names = changed.map(({ name }) => `${name} ${found.a.settings[name]} / ${found.b.settings[name]}`);
    const told = (name: string, one: { device: string; ms: { match: number } }) =>
      `${name}: ${one.device}, ${digits(one.ms.match, 1)} ms.`;
    const settings =
      names.length > 0 ? `Settings that differ (A / B): ${names.join(", ")}.` : "The settings are the same.";
    const pixels = `${found.differing_pixels.toLocaleString("en")} pixels differ.`;
    detail.textContent = [told("A", found.a), told("B", found.b), pixels, settings].join(" ");
  });
  show();
  return h(
    "section",
    { "aria-label": "Comparison" },
    h("h2", {}, "Compare A with B"),
    h("div", { class: "tools" }, keep, device, swap, stop),
    badge,
    detail,
  );
}

async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "The browser does not allow it";
  }
  setTimeout(() => {
    button.textContent = label;
  }, 1500);
}

/** The command line of the same result, the settings file, the view as a picture. */
export function exports(state: State, viewer: Viewer): HTMLElement {
  const command = h("code", { class: "command", id: "command" });
  state.on("report", () => {
    command.textContent = state.report?.command ?? "";
  });
  const settings = () => `${JSON.stringify({ settings: asked(state, state.match).settings }, undefined, 2)}\n`;
  const button = (text: string, click: (button: HTMLButtonElement) => void) => {
    const node = h("button", { type: "button", click: () => click(node) }, text);
    return node;
  };
  return h(
    "section",
    { "aria-label": "The same elsewhere" },
    h("h2", {}, "The same elsewhere"),
    h("pre", { tabindex: 0, "aria-label": "Command line of the same result" }, command),
    h(
      "div",
      { class: "tools" },
      button("Copy command line", (node) => void copy(command.textContent ?? "", node)),
      button("Copy settings (JSON)", (node) => void copy(settings(), node)),
      button("Save settings (JSON)", () => save("settings.json", new Blob([settings()], { type: "application/json" }))),
      button("Save view (PNG)", () =>
        viewer.canvas().toBlob((blob) => {
          if (blob) save(`${viewer.first().replaceAll(" ", "-")}.png`, blob);
        }),
      ),
    ),
  );
}
