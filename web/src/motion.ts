// SPDX-License-Identifier: Apache-2.0
// Motion: arrows over the frame, the field in colours, the compensated picture, the residue, and figures of each frame.

import { api, type MotionAnswer, type Packet } from "./api";
import { beside_each_other, mark_span, type Overlay, overlay, put_grey, put_picture } from "./canvas";
import { comparison } from "./comparison";
import { checkbox, choice, digits, h } from "./dom";
import { exports } from "./exports";
import { facts } from "./facts";
import { Following } from "./following";
import { draw_arrows, longest, paint_field, wheel } from "./motion_field";
import { motion_plots } from "./motion_plots";
import { settings_panel } from "./settings";
import type { State } from "./state";
import { sweep_panel } from "./sweep";
import { scale_table } from "./views";

const views = ["frame", "field in colours", "compensated", "residue"] as const;

export interface Panel {
  middle: HTMLElement;
  settings: HTMLElement;
  right: HTMLElement[];
}

type Found = Packet<MotionAnswer>;
const vectors_of = (found: Found) => found.arrays.get("vectors") as Int16Array;

function following_motion(state: State): Following<MotionAnswer> {
  return new Following<MotionAnswer>(state, {
    id: "motion-",
    tab: "Motion",
    domain: state.tables.motion,
    start: state.scene.motion as NonNullable<State["scene"]["motion"]>,
    ask: api.motion,
    ask_both: api.compare_motion,
    told: ({ ms, psnr, epe }) => {
      const error = epe === null ? "" : `, error ${digits(epe, 3)} px`;
      return `${digits(ms.search, 1)} ms, PSNR ${digits(psnr, 2)} dB${error}`;
    },
    left_out: [],
    kept: ["range"],
  });
}

/** What is known of the block at a place, in pixels of the frame. */
function block_text(state: State, { json, arrays }: Found, x: number, y: number): string {
  const { block, grid } = json;
  const vectors = arrays.get("vectors") as Int16Array;
  const column = Math.min(grid.width - 1, Math.max(0, Math.floor(x / block.width)));
  const row = Math.min(grid.height - 1, Math.max(0, Math.floor(y / block.height)));
  const at = 2 * (row * grid.width + column);
  const [dx, dy] = [vectors[at] / 4, vectors[at + 1] / 4];
  const pixel = Math.floor(y) * state.width + Math.floor(x);
  const residue = arrays.get("difference")?.[pixel];
  return [
    `block ${column}, ${row}`,
    `vector ${digits(dx, 2)}, ${digits(dy, 2)} px`,
    `length ${digits(Math.hypot(dx, dy), 2)} px`,
    `residue ${residue ?? "none"} of 255`,
  ].join("   ");
}

function sweep_of(state: State, following: Following<MotionAnswer>): HTMLElement {
  return sweep_panel(state, following, {
    first: "block",
    metrics: {
      epe: "error of the vectors, px",
      psnr: "PSNR, dB",
      residue: "residue",
      bits: "vectors, bits",
      ms: "time, ms",
    },
    measure: async (match, client, serial, frame) => {
      const { json } = await api.motion({ ...following.request(frame, client, serial, match), pictures: false });
      const { psnr, epe, residue, bits, ms } = json;
      return { epe: epe ?? Number.NaN, psnr: psnr ?? Number.NaN, residue, bits, ms: ms.search };
    },
  });
}

/** The views of the field that was found, and of that which it is compared with. */
function motion_views(
  state: State,
  following: Following<MotionAnswer>,
): { box: HTMLElement; a: Overlay; view: () => string } {
  const text = h("output", { class: "readout", "aria-live": "polite" }, "Point at a block to read it.");
  const read = (x: number, y: number) => {
    const { answer, other_answer } = following;
    const own = answer ? block_text(state, answer, x, y) : "";
    text.textContent = answer && other_answer ? `A: ${own}\nB: ${block_text(state, other_answer, x, y)}` : own;
  };
  const [a, b] = [overlay(state, "Motion", read), overlay(state, "Motion of B", read)];
  const place = beside_each_other(a, b);
  const scale = scale_table(state.scene.scale);
  const legend = h("span", { class: "small", id: "motion-legend" });
  const show = (stage: Overlay, { json, arrays }: Found, most: number) => {
    const view = pick.select.value as (typeof views)[number];
    const found = arrays.get("vectors") as Int16Array;
    const compensated = arrays.get("predicted") as Uint8Array | undefined;
    const difference = arrays.get("difference") as Uint8Array | undefined;
    if (view === "frame" && state.pictures) put_picture(state.pictures.left, stage.pixels, 0.7);
    if (view === "field in colours") paint_field(stage.pixels, state, json, found, most);
    if (view === "compensated" && compensated) put_grey(compensated, stage.pixels);
    if (view === "residue" && difference)
      for (let i = 0; i < difference.length; i++) stage.pixels[i] = scale[Math.min(255, 4 * difference[i])];
    stage.put();
    const context = stage.marks();
    if (arrows.input.checked)
      draw_arrows(context, state, json, found, most, mark_span(state, following.other_answer !== undefined));
  };
  const draw = () => {
    const { answer, other_answer } = following;
    place.show(other_answer !== undefined);
    if (!answer) return;
    const most = Math.max(...[answer, other_answer].map((one) => (one ? longest(vectors_of(one)) : 0)));
    show(a, answer, most);
    if (other_answer) show(b, other_answer, most);
    const ends = pick.select.value === "residue" ? "residue: the last colour is 64 of 255 and more; " : "";
    legend.textContent = `${ends}arrows and field: the longest vector has ${digits(most, 2)} px`;
  };
  const pick = choice("View", views, "frame", draw);
  const arrows = checkbox("Arrows", true, draw);
  following.on("answer", draw);
  state.on("view", draw);
  const tools = h("div", { class: "tools" }, pick.box, arrows.box, wheel(), legend);
  return { box: h("div", {}, tools, place.box, text), a, view: () => pick.select.value };
}

export function motion_panel(state: State): Panel {
  // The first frame has none before it.
  const { first_frame, live } = state.scene;
  state.on("shown", () => {
    if (!live && state.tab === "Motion" && state.frame === first_frame) state.go(first_frame + 1);
  });
  const following = following_motion(state);
  const shown = motion_views(state, following);
  const results = facts(following, "motion", (json) => [
    ["field", `frame ${json.frame} against frame ${json.frame - 1}`],
    ["search", `${digits(json.ms.search, 1)} ms on ${json.device}`],
    ["PSNR", `${digits(json.psnr, 2)} dB`],
    ...(json.epe === null ? [] : [["error", `${digits(json.epe, 3)} px from the true flow`] as [string, string]]),
    ["residue", json.residue.toLocaleString("en")],
    ["entropy", `${digits(json.entropy, 3)} bits a vector, ${json.bits.toLocaleString("en")} bits in all`],
    ["scene cut", json.scene_cut ? "yes" : "no"],
    ["hash", json.hash],
  ]);
  const saved = exports(state, following, {
    part: "motion",
    command: () => following.answer?.json.command || "No command reads this view alone.",
    canvas: () => shown.a.whole(),
    name: () => `motion-${shown.view()}`,
  });
  following.on("answer", saved.show);
  return {
    middle: h("div", { class: "panel" }, shown.box, ...(live ? [] : [motion_plots(state, following)])),
    settings: settings_panel(following),
    right: [results, comparison(state, following), saved.box, sweep_of(state, following)],
  };
}
