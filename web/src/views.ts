// SPDX-License-Identifier: Apache-2.0
// The views of a pair and its maps: the value of each pixel, and its colours.

import type { Geometry } from "./api";
import type { Maps, State } from "./state";

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
export function value_at(state: State, view: ViewName, index: number): number {
  const { maps, other_maps, truth } = state;
  if (!maps) return Number.NaN;
  const own = () => disparity_at(maps, index);
  switch (view) {
    case "disparity":
      return own();
    case "truth":
      return truth ? truth[index] : Number.NaN;
    case "error":
      return truth ? Math.abs(own() - truth[index]) : Number.NaN;
    case "confidence":
      return maps.confidence ? maps.confidence[index] : Number.NaN;
    case "validity":
      return maps.mask ? maps.mask[index] : Number.NaN;
    case "disparity B":
      return other_maps ? disparity_at(other_maps, index) : Number.NaN;
    case "difference A - B":
      return other_maps ? own() - disparity_at(other_maps, index) : Number.NaN;
    default:
      return Number.NaN;
  }
}

function paint_picture(picture: Uint8Array, pixels: Uint32Array): void {
  for (let i = 0, at = 0; i < pixels.length; i++, at += 3)
    pixels[i] = 0xff000000 | (picture[at + 2] << 16) | (picture[at + 1] << 8) | picture[at];
}

/** Every value of 16 bits has its colour in a table: a map of two million pixels takes some milliseconds. */
function paint_disparity(maps: Maps, scale: Scale, table: Uint32Array, pixels: Uint32Array): void {
  const { disparity, invalid } = maps;
  const low = scale.low * 16;
  const factor = 255 / ((scale.high - scale.low) * 16);
  const colour = (value: number) =>
    value === invalid ? none : table[Math.min(255, Math.max(0, Math.round((value - low) * factor)))];
  if (disparity instanceof Int16Array) {
    const colours = new Uint32Array(65536);
    for (let value = -32768; value < 32768; value++) colours[value + 32768] = colour(value);
    for (let i = 0; i < pixels.length; i++) pixels[i] = colours[disparity[i] + 32768];
  } else {
    for (let i = 0; i < pixels.length; i++) pixels[i] = colour(disparity[i]);
  }
}

function paint_values(state: State, view: ViewName, scale: Scale, table: Uint32Array, pixels: Uint32Array): void {
  const factor = 255 / (scale.high - scale.low);
  for (let i = 0; i < pixels.length; i++) {
    const value = Math.abs(value_at(state, view, i));
    pixels[i] = Number.isFinite(value)
      ? table[Math.min(255, Math.max(0, Math.round((value - scale.low) * factor)))]
      : none;
  }
}

/** Paints a view; leaves what is not there yet as it is. */
export function paint(state: State, view: ViewName, table: Uint32Array, pixels: Uint32Array): void {
  const { pictures, maps, other_maps } = state;
  if (view === "left" || view === "right") {
    if (pictures) paint_picture(pictures[view], pixels);
    return;
  }
  if (!maps) return;
  const scale = scale_of(state, view);
  if (view === "validity") {
    const { mask } = maps;
    if (mask) for (let i = 0; i < pixels.length; i++) pixels[i] = mask[i] === 1 ? green : mask[i] === 2 ? amber : none;
  } else if (scale && view === "disparity") {
    paint_disparity(maps, scale, table, pixels);
  } else if (scale && view === "disparity B") {
    if (other_maps) paint_disparity(other_maps, scale, table, pixels);
  } else if (scale) {
    paint_values(state, view, scale, table, pixels);
  }
}
