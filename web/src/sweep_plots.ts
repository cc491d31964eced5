// SPDX-License-Identifier: Apache-2.0
// What a sweep found, drawn: a line for each device, or a heat map of two settings. A click takes the settings.

import type { Setting } from "./api";
import { scale_css } from "./canvas";
import { digits, svg } from "./dom";
import type { State } from "./state";

/** Of one match: the settings that were swept, one or two, and their values. */
export interface Point {
  names: string[];
  values: Setting[];
  device: string;
  bad: number;
  density: number;
  ms: number;
}

export const metrics = ["bad", "density", "ms"] as const;
export type Metric = (typeof metrics)[number];
const labels: Record<Metric, string> = { bad: "wrong or missing, %", density: "density, %", ms: "time, ms" };
const dashes = ["", "6 3", "2 3", "8 3 2 3"];

type Take = (point: Point) => void;

/** A mark that takes the settings of its point. */
function button(mark: SVGElement, point: Point, metric: Metric, take: Take): SVGElement {
  const name = `${point.values.join(", ")} on ${point.device}: ${digits(point[metric], 2)}`;
  mark.setAttribute("tabindex", "0");
  mark.setAttribute("role", "button");
  mark.setAttribute("aria-label", `Take ${name}`);
  mark.addEventListener("click", () => take(point));
  mark.addEventListener("keydown", (event) => {
    if ((event as KeyboardEvent).key === "Enter") take(point);
  });
  mark.append(svg("title", {}, name));
  return mark;
}

/** Which marks have a text: at most 16. */
const is_told = (i: number, count: number) => i % Math.ceil(count / 16) === 0;

function lines(points: Point[], values: Setting[], metric: Metric, take: Take): SVGElement {
  const most = Math.max(...points.map((point) => point[metric]), 1e-9);
  const devices = [...new Set(points.map((point) => point.device))];
  const drawing = svg("svg", { viewBox: "0 0 320 120", class: `plot ${metric}` });
  const x = (point: Point) =>
    values.length > 1 ? 20 + (280 * values.indexOf(point.values[0])) / (values.length - 1) : 160;
  const y = (point: Point) => 100 - (80 * point[metric]) / most;
  const by =
    devices.length > 1
      ? `; ${devices.map((name, i) => `${name} ${["solid", "dashed", "dotted"][i] ?? "dash-dot"}`).join(", ")}`
      : "";
  drawing.append(svg("text", { x: 4, y: 12 }, `${labels[metric]} (0 .. ${digits(most, 2)})${by}`));
  devices.forEach((device, i) => {
    const own = points.filter((point) => point.device === device);
    const path = own.map((point) => `${x(point)},${y(point)}`).join(" ");
    drawing.append(svg("polyline", { points: path, "stroke-dasharray": dashes[i % dashes.length] }));
    for (const point of own)
      drawing.append(button(svg("circle", { cx: x(point), cy: y(point), r: 4 }), point, metric, take));
  });
  values.forEach((value, i) => {
    const at = values.length > 1 ? 20 + (280 * i) / (values.length - 1) : 160;
    if (is_told(i, values.length))
      drawing.append(svg("text", { x: at, y: 116, "text-anchor": "middle" }, String(value)));
  });
  return drawing;
}

function heat(
  state: State,
  points: Point[],
  grid: [Setting[], Setting[]],
  metric: Metric,
  device: string,
  take: Take,
): SVGElement {
  const own = points.filter((point) => point.device === device);
  const numbers = own.map((point) => point[metric]).filter(Number.isFinite);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const [columns, rows] = grid;
  const [width, height] = [270 / columns.length, 150 / rows.length];
  const drawing = svg("svg", { viewBox: "0 0 320 190", class: `heat ${metric}` });
  const range = `${digits(low, 2)} dark .. ${digits(high, 2)} light`;
  drawing.append(svg("text", { x: 4, y: 12 }, `${labels[metric]}, ${device} (${range})`));
  for (const point of own) {
    const share = high > low ? (point[metric] - low) / (high - low) : 0;
    const cell = svg("rect", {
      x: 44 + width * columns.indexOf(point.values[0]),
      y: 18 + height * rows.indexOf(point.values[1]),
      width,
      height,
    });
    cell.style.fill = Number.isFinite(share) ? scale_css(state.scene.scale, share) : "none";
    drawing.append(button(cell, point, metric, take));
  }
  columns.forEach((value, i) => {
    if (is_told(i, columns.length))
      drawing.append(svg("text", { x: 44 + width * (i + 0.5), y: 182, "text-anchor": "middle" }, String(value)));
  });
  rows.forEach((value, i) => {
    if (is_told(i, rows.length))
      drawing.append(svg("text", { x: 40, y: 21 + height * (i + 0.5), "text-anchor": "end" }, String(value)));
  });
  return drawing;
}

/** All metrics that there is something of. `grid` has the values of the first setting, and of the second where there is one. */
export function sweep_plots(state: State, points: Point[], grid: Setting[][], take: Take): SVGElement[] {
  const [columns, rows] = grid;
  const drawn = metrics.filter((metric) => points.some((point) => Number.isFinite(point[metric])));
  if (!rows) return drawn.map((metric) => lines(points, columns, metric, take));
  const devices = [...new Set(points.map((point) => point.device))];
  return devices.flatMap((device) => drawn.map((metric) => heat(state, points, [columns, rows], metric, device, take)));
}
