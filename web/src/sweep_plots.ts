// SPDX-License-Identifier: Apache-2.0
// What a sweep found, drawn: a line for each device, or a heat map of two settings. A click takes the settings.

import type { Setting } from "./api";
import { scale_css } from "./canvas";
import { digits, pressed, svg } from "./dom";
import type { State } from "./state";

/** What one run gave: the settings that were swept, one or two, their values, and the figures by metric. */
export interface Point {
  names: string[];
  values: Setting[];
  device: string;
  figures: Record<string, number>;
}

/** The labels of metrics, by name. */
export type Metrics = Record<string, string>;

const dashes = ["", "6 3", "2 3", "8 3 2 3"];

type Take = (point: Point) => void;

const told = (value: number) => digits(value, Math.abs(value) < 100 ? 2 : 0);

/** A mark that takes the settings of its point. */
function taking(mark: SVGElement, point: Point, metric: string, take: Take): SVGElement {
  const name = `Take ${point.values.join(", ")} on ${point.device}: ${digits(point.figures[metric], 2)}`;
  return pressed(mark, name, () => take(point));
}

/** Which marks have a text: at most 16. */
const is_told = (i: number, count: number) => i % Math.ceil(count / 16) === 0;

function lines(all: Point[], values: Setting[], metric: string, label: string, take: Take): SVGElement {
  const points = all.filter((point) => Number.isFinite(point.figures[metric]));
  const numbers = points.map((point) => point.figures[metric]);
  const most = Math.max(...numbers, 1e-9);
  const least = Math.min(...numbers);
  // Of figures that are close together, what differs is shown.
  const low = least > most / 2 && least < most ? least : 0;
  const devices = [...new Set(points.map((point) => point.device))];
  const drawing = svg("svg", { viewBox: "0 0 320 120", class: `plot ${metric}` });
  const x = (point: Point) =>
    values.length > 1 ? 20 + (280 * values.indexOf(point.values[0])) / (values.length - 1) : 160;
  const y = (point: Point) => 100 - (80 * (point.figures[metric] - low)) / (most - low);
  const by =
    devices.length > 1
      ? `; ${devices.map((name, i) => `${name} ${["solid", "dashed", "dotted"][i] ?? "dash-dot"}`).join(", ")}`
      : "";
  drawing.append(svg("text", { x: 4, y: 12 }, `${label} (${told(low)} .. ${told(most)})${by}`));
  devices.forEach((device, i) => {
    const own = points.filter((point) => point.device === device);
    const path = own.map((point) => `${x(point)},${y(point)}`).join(" ");
    drawing.append(svg("polyline", { points: path, "stroke-dasharray": dashes[i % dashes.length] }));
    for (const point of own)
      drawing.append(taking(svg("circle", { cx: x(point), cy: y(point), r: 4 }), point, metric, take));
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
  metric: string,
  label: string,
  device: string,
  take: Take,
): SVGElement {
  const own = points.filter((point) => point.device === device);
  const numbers = own.map((point) => point.figures[metric]).filter(Number.isFinite);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const [columns, rows] = grid;
  const [width, height] = [270 / columns.length, 150 / rows.length];
  const drawing = svg("svg", { viewBox: "0 0 320 190", class: `heat ${metric}` });
  const range = `${told(low)} dark .. ${told(high)} light`;
  drawing.append(svg("text", { x: 4, y: 12 }, `${label}, ${device} (${range})`));
  for (const point of own) {
    const share = high > low ? (point.figures[metric] - low) / (high - low) : 0;
    const cell = svg("rect", {
      x: 44 + width * columns.indexOf(point.values[0]),
      y: 18 + height * rows.indexOf(point.values[1]),
      width,
      height,
    });
    cell.style.fill = Number.isFinite(share) ? scale_css(state.scene.scale, share) : "none";
    drawing.append(taking(cell, point, metric, take));
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
export function sweep_plots(
  state: State,
  metrics: Metrics,
  points: Point[],
  grid: Setting[][],
  take: Take,
): SVGElement[] {
  const [columns, rows] = grid;
  const drawn = Object.entries(metrics).filter(([name]) =>
    points.some((point) => Number.isFinite(point.figures[name])),
  );
  if (!rows) return drawn.map(([name, label]) => lines(points, columns, name, label, take));
  const devices = [...new Set(points.map((point) => point.device))];
  return devices.flatMap((device) =>
    drawn.map(([name, label]) => heat(state, points, [columns, rows], name, label, device, take)),
  );
}
