// SPDX-License-Identifier: Apache-2.0
// Tracks: tails over the frame, why points were lost, and all that is known of the track under the pointer.

import { api, type Packet, type TrackAnswer } from "./api";
import { beside_each_other, mark_span, type Overlay, overlay, put_picture, scale_css } from "./canvas";
import { comparison } from "./comparison";
import { checkbox, choice, digits, h } from "./dom";
import { exports } from "./exports";
import { facts } from "./facts";
import { Following } from "./following";
import type { Panel } from "./motion";
import { settings_panel } from "./settings";
import type { State } from "./state";
import { sweep_panel } from "./sweep";

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
  span: number,
  track: Track,
  tail: Int32Array,
  colour: string,
): void {
  trace(context, track, tail, span / 160);
  for (const [ink, width] of [
    ["#000000", span / 220],
    [colour, span / 450],
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

type Found = Packet<TrackAnswer>;

function tracks_of({ arrays }: Found): Track[] {
  const numbers = (arrays.get("tracks") ?? new Int32Array()) as Int32Array;
  return Array.from({ length: numbers.length / columns }, (_, i) => track_of(numbers, i));
}

function following_tracks(state: State): Following<TrackAnswer> {
  return new Following<TrackAnswer>(state, {
    id: "track-",
    tab: "Tracks",
    domain: state.tables.track,
    start: state.scene.track as NonNullable<State["scene"]["track"]>,
    ask: api.track,
    ask_both: api.compare_tracks,
    told: ({ ms, survival, epe }) => {
      const error = epe === null ? "" : `, error ${digits(epe, 3)} px`;
      return `${digits(ms.track, 1)} ms, ${digits(survival, 1)} % of the first points are left${error}`;
    },
    left_out: ["history"],
    kept: [],
  });
}

function sweep_of(state: State, following: Following<TrackAnswer>): HTMLElement {
  return sweep_panel(state, following, {
    first: "window",
    metrics: {
      survival: "first points left, %",
      epe: "error of a step, px",
      residual: "residual, grey levels",
      ms: "time of a frame, ms",
    },
    measure: async (match, client, serial, frame) => {
      const { json } = await api.track(following.request(frame, client, serial, match));
      const { survival, epe, residual, ms, frames } = json;
      const number = (value: number | null) => value ?? Number.NaN;
      // Tracks that were there already took no time.
      const time = frames > 0 ? ms.track / frames : Number.NaN;
      return { survival: number(survival), epe: number(epe), residual: number(residual), ms: time };
    },
  });
}

/** The views of the tracks, and of those that they are compared with; the one under the pointer is told in `chosen`. */
function track_views(
  state: State,
  following: Following<TrackAnswer>,
  chosen: HTMLElement,
): { box: HTMLElement; a: Overlay } {
  const lost = h("ul", { class: "reasons" });
  const legend = h("span", { class: "small" });
  let under = -1;
  let side: "a" | "b" = "a";
  const point = (of: "a" | "b") => (x: number, y: number) => {
    const found = of === "a" ? following.answer : following.other_answer;
    if (!found) return;
    const apart = (track: Track) => Math.hypot(track.x - x, track.y - y);
    const nearest = tracks_of(found).reduce<Track | undefined>(
      (best, track) => (best && apart(best) <= apart(track) ? best : track),
      undefined,
    );
    under = nearest && apart(nearest) < state.width / 20 ? nearest.id : -1;
    side = of;
    draw();
  };
  const [a, b] = [overlay(state, "Tracks", point("a")), overlay(state, "Tracks of B", point("b"))];
  const place = beside_each_other(a, b);
  const show = (stage: Overlay, found: Found, marked: number) => {
    const context = stage.marks();
    if (state.pictures) put_picture(state.pictures.left, stage.pixels, 0.6);
    stage.put();
    const positions = (found.arrays.get("positions") ?? new Int32Array()) as Int32Array;
    const ends = (found.arrays.get("ends") ?? new Int32Array()) as Int32Array;
    const by = pick.select.value as Colouring;
    const [most] = most_of[by];
    const span = mark_span(state, following.other_answer !== undefined);
    tracks_of(found).forEach((track, i) => {
      if (track.status !== 0 && !losses.input.checked) return;
      const tail = tails.input.checked ? positions.subarray(2 * (ends[i - 1] ?? 0), 2 * ends[i]) : new Int32Array();
      const colour =
        track.status === 0
          ? scale_css(state.scene.scale, darkest + (1 - darkest) * Math.min(1, value_of(track, by) / most))
          : reasons[track.status];
      draw_track(context, span, track, tail, track.id === marked ? "#ff2fd0" : colour);
    });
  };
  const draw = () => {
    const { answer, other_answer } = following;
    place.show(other_answer !== undefined);
    if (!answer) return;
    show(a, answer, side === "a" ? under : -1);
    if (other_answer) show(b, other_answer, side === "b" ? under : -1);
    const [most, of] = most_of[pick.select.value as Colouring];
    legend.textContent = `the last colour is ${most} ${of} and more`;
    reasons_list(lost, answer.json, tracks_of(answer));
    const read = side === "b" && other_answer ? other_answer : answer;
    const one = tracks_of(read).find((track) => track.id === under);
    if (one) chosen.replaceChildren(table(one, read.json));
    else chosen.textContent = "Point at a track to read it.";
  };
  const pick = choice("Colours", colourings, "age", draw);
  const tails = checkbox("Tails", true, draw);
  const losses = checkbox("Lost points", true, draw);
  following.on("answer", draw);
  state.on("view", draw);
  const box = h(
    "div",
    { class: "panel" },
    h("div", { class: "tools" }, pick.box, tails.box, losses.box, legend),
    place.box,
    h("p", { class: "small" }, "Lost in this frame, by reason:"),
    lost,
  );
  return { box, a };
}

/** What is told of tracks beside the picture. */
function figures(json: TrackAnswer, tracks: Track[]): [string, string][] {
  const alive = tracks.filter((track) => track.status === 0);
  const mean = alive.reduce((sum, track) => sum + track.age, 0) / Math.max(1, alive.length);
  const longest = alive.reduce((most, track) => Math.max(most, track.age), 0);
  const frames = `${json.frames} frame${json.frames === 1 ? "" : "s"}`;
  const time = json.frames === 0 ? "no new frame" : `${digits(json.ms.track, 1)} ms for ${frames}`;
  const lines: [string, string][] = [
    ["tracks", `${alive.length} alive, ${tracks.length - alive.length} lost in this frame`],
    ["age", `${digits(mean, 1)} frames on average, the longest ${longest}`],
    ["survival", `${digits(json.survival, 1)} % of the first frame's points are left`],
    ["residual", `${digits(json.residual, 2)} grey levels on average`],
  ];
  if (json.epe !== null) lines.push(["error", `${digits(json.epe, 3)} px a step from the true flow`]);
  lines.push(["time", `${time} on ${json.device}`], ["hash", json.hash]);
  return lines;
}

export function tracks_panel(state: State): Panel {
  const following = following_tracks(state);
  const chosen = h("div", { class: "chosen", "aria-live": "polite" }, "Point at a track to read it.");
  const shown = track_views(state, following, chosen);
  const results = facts(following, "track", (json) =>
    figures(json, following.answer ? tracks_of(following.answer) : []),
  );
  const saved = exports(state, following, {
    part: "track",
    command: () => following.answer?.json.command || "No command reads this view alone.",
    canvas: () => shown.a.whole(),
    name: () => "tracks",
  });
  following.on("answer", saved.show);
  return {
    middle: shown.box,
    settings: settings_panel(following),
    right: [
      results,
      h("section", { "aria-label": "Track" }, chosen),
      comparison(state, following),
      saved.box,
      sweep_of(state, following),
    ],
  };
}
