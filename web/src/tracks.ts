// SPDX-License-Identifier: Apache-2.0
// Tracks: tails over the frame, why points were lost, and all that is known of the track under the pointer.

import { api, type TrackAnswer } from "./api";
import { overlay, put_picture, scale_css } from "./canvas";
import { checkbox, choice, digits, h } from "./dom";
import { facts } from "./facts";
import { Following } from "./following";
import type { Panel } from "./motion";
import { settings_panel } from "./settings";
import type { State } from "./state";

const unit = 1024;
/** Of a way back: 64 px or more, or lost on it. */
const not_back = -1;
/** Colours of the reasons of loss, in the order of the statuses. */
const reasons = ["#ffffff", "#9aa4b2", "#ffb000", "#fe6100", "#dc267f", "#785ef0", "#648fff"];

interface Track {
  id: number;
  x: number;
  y: number;
  status: number;
  age: number;
  /** Grey levels. */
  residual: number;
  /** px; infinite where it is 64 px or more, or where the point was lost on it. */
  way_back: number;
}

const columns = 7;

function track_of(numbers: Int32Array, i: number): Track {
  const [id, x, y, status, age, residual, back] = numbers.subarray(columns * i, columns * (i + 1));
  const way_back = back === not_back ? Number.POSITIVE_INFINITY : Math.sqrt(back >>> 0) / unit;
  return { id, x: x / unit, y: y / unit, status, age, residual: (residual >>> 0) / unit, way_back };
}

const colourings = ["age", "residual", "way back"] as const;
type Colouring = (typeof colourings)[number];

/** What has the last colour of the scale. */
const most_of: Record<Colouring, [number, string]> = {
  age: [50, "frames"],
  residual: [20, "grey levels"],
  "way back": [1, "px"],
};

/** Where the scale begins: what lies before is too dark on a picture. */
const darkest = 0.35;

function value_of(track: Track, by: Colouring): number {
  return by === "age" ? track.age : by === "residual" ? track.residual : track.way_back;
}

/** How many were lost in this frame, for each reason. */
function reasons_list(place: HTMLElement, json: TrackAnswer, tracks: Track[]): void {
  const rows = json.statuses.slice(1).map((name, i) => {
    const count = tracks.filter((track) => track.status === i + 1).length;
    const mark = h("span", { class: "mark", "aria-hidden": "true" }, "x");
    mark.style.color = reasons[i + 1];
    return h("li", {}, mark, ` ${name}: ${count}`);
  });
  place.replaceChildren(...rows);
}

/** The path of a track: a cross where it was lost, else its tail and a dot. */
function trace(context: CanvasRenderingContext2D, track: Track, tail: Int32Array, size: number): void {
  const [x, y] = [track.x + 0.5, track.y + 0.5];
  context.beginPath();
  if (track.status !== 0) {
    context.moveTo(x - size, y - size);
    context.lineTo(x + size, y + size);
    context.moveTo(x + size, y - size);
    context.lineTo(x - size, y + size);
    return;
  }
  for (let i = 0; i < tail.length; i += 2) context.lineTo(tail[i] / unit + 0.5, tail[i + 1] / unit + 0.5);
  context.moveTo(x + size / 2, y);
  context.arc(x, y, size / 2, 0, 2 * Math.PI);
}

/** With an outline, so that it is seen on any ground. */
function draw_track(
  context: CanvasRenderingContext2D,
  state: State,
  track: Track,
  tail: Int32Array,
  colour: string,
): void {
  trace(context, track, tail, state.width / 160);
  for (const [ink, width] of [
    ["#000000", state.width / 220],
    [colour, state.width / 450],
  ] as const) {
    context.strokeStyle = ink;
    context.lineWidth = width;
    context.stroke();
  }
}

/** A table of one track. */
function table(track: Track, json: TrackAnswer): HTMLElement {
  const way_back = Number.isFinite(track.way_back) ? `${digits(track.way_back, 4)} px` : "64 px or more, or lost on it";
  const rows: [string, string][] = [
    ["track", String(track.id)],
    ["position", `${digits(track.x, 3)}, ${digits(track.y, 3)} px`],
    ["status", json.statuses[track.status]],
    ["age", `${track.age} frames`],
    ["residual", `${digits(track.residual, 3)} grey levels`],
    ["way back", json.settings["forward-backward"] === 0 ? "not checked" : way_back],
  ];
  return h(
    "table",
    { class: "track", id: "track-table" },
    h("caption", {}, "The track under the pointer"),
    ...rows.map(([name, text]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, text))),
  );
}

export function tracks_panel(state: State): Panel {
  const following = new Following<TrackAnswer>(
    state,
    "track-",
    "Tracks",
    state.tables.track,
    state.scene.track as NonNullable<State["scene"]["track"]>,
    api.track,
    ["history"],
    [],
  );
  const chosen = h("div", { class: "chosen", "aria-live": "polite" }, "Point at a track to read it.");
  const lost = h("ul", { class: "reasons" });
  const legend = h("span", { class: "small" });
  let tracks: Track[] = [];
  let under = -1;
  const stage = overlay(state, "Tracks", (x, y) => {
    if (!following.answer) return;
    const reach = state.width / 20;
    const apart = (track: Track) => Math.hypot(track.x - x, track.y - y);
    const nearest = tracks.reduce<Track | undefined>(
      (best, track) => (best && apart(best) <= apart(track) ? best : track),
      undefined,
    );
    under = nearest && apart(nearest) < reach ? nearest.id : -1;
    draw();
  });
  const draw = () => {
    const context = stage.marks();
    if (!following.answer) return;
    const { json, arrays } = following.answer;
    if (state.pictures) put_picture(state.pictures.left, stage.pixels, 0.6);
    stage.put();
    const numbers = (arrays.get("tracks") ?? new Int32Array()) as Int32Array;
    const positions = (arrays.get("positions") ?? new Int32Array()) as Int32Array;
    const ends = (arrays.get("ends") ?? new Int32Array()) as Int32Array;
    tracks = Array.from({ length: numbers.length / columns }, (_, i) => track_of(numbers, i));
    const by = pick.select.value as Colouring;
    const [most, of] = most_of[by];
    tracks.forEach((track, i) => {
      if (track.status !== 0 && !losses.input.checked) return;
      const tail = tails.input.checked ? positions.subarray(2 * (ends[i - 1] ?? 0), 2 * ends[i]) : new Int32Array();
      const colour =
        track.status === 0
          ? scale_css(state.scene.scale, darkest + (1 - darkest) * Math.min(1, value_of(track, by) / most))
          : reasons[track.status];
      draw_track(context, state, track, tail, track.id === under ? "#ff2fd0" : colour);
    });
    legend.textContent = `the last colour is ${most} ${of} and more`;
    reasons_list(lost, json, tracks);
    const one = tracks.find((track) => track.id === under);
    if (one) chosen.replaceChildren(table(one, json));
    else chosen.textContent = "Point at a track to read it.";
  };
  const pick = choice("Colours", colourings, "age", draw);
  const tails = checkbox("Tails", true, draw);
  const losses = checkbox("Lost points", true, draw);
  following.on("answer", draw);
  state.on("view", draw);
  const results = facts(following, "track", (json) => {
    const alive = tracks.filter((track) => track.status === 0);
    const mean = alive.reduce((sum, track) => sum + track.age, 0) / Math.max(1, alive.length);
    const longest = alive.reduce((most, track) => Math.max(most, track.age), 0);
    return [
      ["tracks", `${alive.length} alive, ${tracks.length - alive.length} lost in this frame`],
      ["age", `${digits(mean, 1)} frames on average, the longest ${longest}`],
      [
        "time",
        `${digits(json.ms.track, 1)} ms for ${json.frames} frame${json.frames === 1 ? "" : "s"} on ${json.device}`,
      ],
      ["hash", json.hash],
    ];
  });
  return {
    middle: h(
      "div",
      { class: "panel" },
      h("div", { class: "tools" }, pick.box, tails.box, losses.box, legend),
      stage.box,
      h("p", { class: "small" }, "Lost in this frame, by reason:"),
      lost,
    ),
    settings: settings_panel(following),
    right: h("div", { class: "right" }, results, h("section", { "aria-label": "Track" }, chosen)),
  };
}
