// SPDX-License-Identifier: Apache-2.0
// The page: what it shows, and where.

import "./style.css";
import "./panels.css";
import { api, Refusal, scene_query } from "./api";
import { comparison, device_choice } from "./comparison";
import { h } from "./dom";
import { asked } from "./emitter";
import { exports } from "./exports";
import { files_panel } from "./files";
import { histogram, legend, readout } from "./legend";
import { live_bar } from "./live";
import { Matching } from "./matching";
import { motion_panel, type Panel } from "./motion";
import { results } from "./results";
import { settings_panel } from "./settings";
import { State } from "./state";
import { sweep_panel } from "./sweep";
import { timeline } from "./timeline";
import { tracks_panel } from "./tracks";
import { viewer } from "./viewer";

type Theme = "dark" | "light";

/** Dark or light: as the system has it until the button is pressed. */
function theme_button(): HTMLElement {
  const system: Theme = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
  const button = h("button", { type: "button", id: "theme" });
  const set = (theme: Theme) => {
    document.documentElement.dataset.theme = theme;
    button.textContent = theme === "dark" ? "Light" : "Dark";
  };
  button.addEventListener("click", () => set(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
  set(system);
  return button;
}

async function load_pictures(state: State): Promise<void> {
  const { frame } = state;
  state.busy(1);
  const { arrays } = await api.pictures(frame, state.page).finally(() => state.busy(-1));
  if (frame !== state.frame) return;
  const truth = arrays.get("truth");
  const left = arrays.get("left") as Uint8Array;
  state.pictures = { left, right: (arrays.get("right") as Uint8Array | undefined) ?? left };
  if (truth) state.pictures.truth = truth as Float32Array;
  state.emit("view", undefined);
}

function head(state: State): HTMLElement {
  const { width, height } = state.scene.size;
  return h(
    "header",
    {},
    h("h1", {}, "Vergence"),
    h("span", { class: "scene" }, `${state.scene.name}, ${width}x${height}`),
    device_choice(
      state,
      state,
      "Device",
      () => state.match.device,
      (device) => state.take({ ...state.match, device }, state.other),
    ),
    theme_button(),
  );
}

/** One panel is shown at a time; each is made when it is first opened. Arrow keys move between the tabs. */
function tabs(state: State, panels: Record<string, () => Promise<HTMLElement>>): HTMLElement {
  const names = Object.keys(panels);
  const places = names.map((name) =>
    h("div", { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}` }),
  );
  const open = async (chosen: number) => {
    state.tab = names[chosen];
    buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === chosen));
      button.tabIndex = i === chosen ? 0 : -1;
      places[i].hidden = i !== chosen;
    });
    if (!places[chosen].hasChildNodes()) places[chosen].append(await panels[names[chosen]]());
    state.emit("shown", undefined);
  };
  const step = (event: Event, i: number) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[(event as KeyboardEvent).key];
    if (by === undefined) return;
    const next = (i + by + names.length) % names.length;
    buttons[next].focus();
    void open(next);
  };
  const buttons = names.map((name, i) =>
    h(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${name}`,
        "aria-controls": `panel-${name}`,
        click: () => void open(i),
        keydown: (event) => step(event, i),
      },
      name,
    ),
  );
  void open(0);
  return h("div", {}, h("div", { class: "tabs", role: "tablist", "aria-label": "Panels" }, ...buttons), ...places);
}

function sweep_of_maps(state: State): HTMLElement {
  return sweep_panel(state, state, {
    first: "window",
    metrics: { bad: "wrong or missing, %", density: "density, %", ms: "time, ms" },
    measure: async (match, client, serial, frame) => {
      const { json } = await api.stereo({ client, serial, frame, ...asked(state, match), report: true });
      const bad = json.scores ? json.scores.all.total_bad["1"] : Number.NaN;
      return { bad, density: json.density ?? Number.NaN, ms: json.ms.match };
    },
  });
}

/** three.js is loaded when the cloud is first opened. */
async function cloud(state: State, matching: Matching): Promise<HTMLElement> {
  const { cloud_panel } = await import("./cloud");
  return cloud_panel(state, () => matching.want("cloud", { mask: false, confidence: true }));
}

/** Settings and results stand at the sides of the panels that they belong to. */
function beside(state: State, tabs_of: string[], node: HTMLElement): HTMLElement {
  const show = () => {
    node.hidden = !tabs_of.includes(state.tab);
  };
  state.on("shown", show);
  show();
  return node;
}

async function start(): Promise<void> {
  // The token is in a cookie by now: it need not stay in the address.
  history.replaceState(undefined, "", location.pathname + (scene_query === "" ? "" : `?${scene_query}`));
  const [scene, tables] = await Promise.all([api.scene(), api.fields()]);
  const state = new State(scene, tables);
  const matching = new Matching(state);
  const panels: Record<string, () => Promise<HTMLElement>> = {};
  const aside = h("aside", {});
  const right = h("div", { class: "right" });
  const add = (tab: string, panel: Panel) => {
    panels[tab] = async () => panel.middle;
    aside.append(beside(state, [tab], panel.settings));
    right.append(...panel.right.map((part) => beside(state, [tab], part)));
  };
  if (scene.pair) {
    const view = viewer(state, matching);
    const maps = h("div", { class: "panel" }, view.box, readout(state), legend(state), histogram(state));
    panels.Maps = async () => maps;
    panels.Cloud = () => cloud(state, matching);
    aside.append(beside(state, ["Maps", "Cloud"], settings_panel(state)));
    const saved = exports(state, state, {
      part: "",
      command: () => state.report?.command ?? "",
      canvas: view.canvas,
      name: view.first,
    });
    state.on("report", saved.show);
    for (const part of [results(state), comparison(state, state), saved.box, sweep_of_maps(state)])
      right.append(beside(state, ["Maps", "Cloud"], part));
  }
  const load = () => load_pictures(state);
  const frames = scene.live ? live_bar(state, load) : timeline(state, load);
  if (scene.motion) add("Motion", motion_panel(state));
  if (scene.track) add("Tracks", tracks_panel(state));
  if (scene.root) panels.Files = async () => files_panel(state);
  document.body.replaceChildren(
    head(state),
    ...scene.warnings.map((line) => h("p", { class: "warning", role: "status" }, `Warning: ${line}`)),
    h("main", {}, aside, h("div", { class: "middle" }, frames, tabs(state, panels)), right),
  );
  matching.change();
  if (!scene.live) await load();
  document.body.dataset.ready = "yes";
  performance.mark("ready");
  state.devices = await api.devices();
  state.emit("devices", undefined);
}

start().catch((error: Error) => {
  // The scene of this address is closed: the first one always stays.
  const is_closed = error instanceof Refusal && error.status === 410;
  document.body.replaceChildren(
    h(
      "main",
      {},
      h("p", { class: "refused", role: "alert" }, error.message),
      ...(is_closed ? [h("a", { href: "/" }, "Go to the scene of the command line")] : []),
    ),
  );
});
