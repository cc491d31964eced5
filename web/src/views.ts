// SPDX-License-Identifier: Apache-2.0
// The views of a pair and its maps: the value of each pixel, and its colours.

import type { Geometry } from "./api";
import type { Maps, Sampling, State } from "./state";

export const view_names = [
  "left",
  "right",
  "disparity",
  "confidence",
  "validity",
  "truth",
  "error",
  "disparity B",
  "difference A - B",
] as const;
export type ViewName = (typeof view_names)[number];

/** Pixels without a value. */
const none = 0xff303030;
const amber = 0xff30a8f0;
const green = 0xff6ab04c;
/** The largest error that has a colour of its own, px. */
export const most_error = 4;

export interface Scale {
  low: number;
  high: number;
  unit: string;
}

/** Colours as the program's own, 0xAABBGGRR. */
export function scale_table(scale: State["scene"]["scale"]): Uint32Array {
  return Uint32Array.from(scale, ([r, g, b]) => (0xff000000 | (b << 16) | (g << 8) | r) >>> 0);
}

/** In px; NaN where there is none. */
export function disparity_at(maps: Maps, index: number): number {
  const value = maps.disparity[index];
  return value === maps.invalid ? Number.NaN : value / 16;
}

/** Where the maps hold a pixel of the picture, or the nearest that they hold. */
export function index_in(maps: Maps, x: number, y: number): number {
  return Math.floor(y / maps.every) * maps.columns + Math.floor(x / maps.every);
}

/** Of the mask: not measured. */
export const filled = 2;

/** The same of measured pixels alone: what is filled gets no depth, as in `vergence stereo --cloud`. */
export function measured_at(maps: Maps, index: number): number {
  return maps.mask?.[index] === filled ? Number.NaN : disparity_at(maps, index);
}

/** In metres; NaN where it cannot be told. */
export function depth_of(disparity: number, geometry: Geometry): number {
  const apart = disparity + geometry.offset_px;
  return apart > 0 ? (geometry.focal_px * geometry.baseline_m) / apart : Number.NaN;
}

/** Views that there are something for. */
export function is_there(state: State, view: ViewName): boolean {
  switch (view) {
    case "truth":
    case "error":
      // The truth is the left picture's.
      return state.scene.truth && state.match.settings.reference === "left";
    case "disparity B":
    case "difference A - B":
      return state.other !== undefined;
    default:
      return true;
  }
}

export function scale_of(state: State, view: ViewName): Scale | undefined {
  const [low, high] = state.colours;
  switch (view) {
    case "disparity":
    case "truth":
    case "disparity B":
      return { low, high, unit: "px" };
    case "error":
    case "difference A - B":
      return { low: 0, high: most_error, unit: "px" };
    case "confidence":
      return { low: 0, high: 255, unit: "" };
    default:
      return undefined;
  }
}

/** The number that a view shows at a pixel, NaN where there is none; of pictures nothing. */
function value_at(state: State, view: ViewName, x: number, y: number): number {
  const { maps, other_maps, truth } = state;
  if (!maps) return Number.NaN;
  const index = index_in(maps, x, y);
  const own = () => disparity_at(maps, index);
  const other = () => (other_maps ? disparity_at(other_maps, index_in(other_maps, x, y)) : Number.NaN);
  const true_one = () => (truth ? truth[y * state.width + x] : Number.NaN);
  switch (view) {
    case "disparity":
      return own();
    case "truth":
      return true_one();
    case "error":
      return Math.abs(own() - true_one());
    case "confidence":
      return maps.confidence ? maps.confidence[index] : Number.NaN;
    case "disparity B":
      return other();
    case "difference A - B":
      return own() - other();
    default:
      return Number.NaN;
  }
}

/** A picture to be filled: each `every`-th pixel of each `every`-th row of the view, 0xAABBGGRR. */
export interface Canvas extends Sampling {
  pixels: Uint32Array;
}

/** Fills the canvas with the colours that `colour` gives for places of the view. */
function fill(state: State, to: Canvas, colour: (x: number, y: number) => number): void {
  const { pixels, every } = to;
  let at = 0;
  for (let y = 0; y < state.height; y += every)
    for (let x = 0; x < state.width; x += every) pixels[at++] = colour(x, y);
}

function paint_picture(state: State, picture: Uint8Array, to: Canvas): void {
  fill(state, to, (x, y) => {
    const at = 3 * (y * state.width + x);
    return 0xff000000 | (picture[at + 2] << 16) | (picture[at + 1] << 8) | picture[at];
  });
}

/** The colour of each value of 16 bits, of a map that was painted last. */
const colours = { key: "", of: new Uint32Array(65536) };

/** Every value of 16 bits has its colour in a table: a map of two million pixels takes some milliseconds. */
function paint_disparity(state: State, maps: Maps, scale: Scale, table: Uint32Array, to: Canvas): void {
  const { disparity, invalid } = maps;
  const low = scale.low * 16;
  const factor = 255 / ((scale.high - scale.low) * 16);
  const colour = (value: number) =>
    value === invalid ? none : table[Math.min(255, Math.max(0, Math.round((value - low) * factor)))];
  if (!(disparity instanceof Int16Array)) {
    fill(state, to, (x, y) => colour(disparity[index_in(maps, x, y)]));
    return;
  }
  const key = `${low} ${factor} ${invalid}`;
  if (colours.key !== key) {
    for (let value = -32768; value < 32768; value++) colours.of[value + 32768] = colour(value);
    colours.key = key;
  }
  const known = colours.of;
  const { pixels } = to;
  if (maps.every === to.every) for (let i = 0; i < pixels.length; i++) pixels[i] = known[disparity[i] + 32768];
  else fill(state, to, (x, y) => known[disparity[index_in(maps, x, y)] + 32768]);
}

function paint_validity(state: State, maps: Maps, to: Canvas): void {
  const { mask } = maps;
  if (!mask) return;
  fill(state, to, (x, y) => {
    const value = mask[index_in(maps, x, y)];
    return value === 1 ? green : value === filled ? amber : none;
  });
}

function paint_values(state: State, view: ViewName, scale: Scale, table: Uint32Array, to: Canvas): void {
  const factor = 255 / (scale.high - scale.low);
  fill(state, to, (x, y) => {
    const value = Math.abs(value_at(state, view, x, y));
    return Number.isFinite(value) ? table[Math.min(255, Math.max(0, Math.round((value - scale.low) * factor)))] : none;
  });
}

/** Whether a view shows the maps, or takes its colours from their settings as the truth does. */
export function shows_match(view: ViewName): boolean {
  return view !== "left" && view !== "right";
}

/** Paints a view; leaves what is not there yet as it is. */
export function paint(state: State, view: ViewName, table: Uint32Array, to: Canvas): void {
  const { pictures, maps, other_maps } = state;
  if (view === "left" || view === "right") {
    if (pictures) paint_picture(state, pictures[view], to);
    return;
  }
  if (!maps) return;
  const scale = scale_of(state, view);
  if (view === "validity") paint_validity(state, maps, to);
  else if (scale && view === "disparity") paint_disparity(state, maps, scale, table, to);
  else if (scale && view === "disparity B") {
    if (other_maps) paint_disparity(state, other_maps, scale, table, to);
  } else if (scale) paint_values(state, view, scale, table, to);
}
