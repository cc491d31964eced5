// SPDX-License-Identifier: Apache-2.0
// A field over a range: bad pixels, density and time of each value, as a plot; a click takes the value.

import { api, type Field, type Setting } from "./api";
import { choice, digits, h, svg } from "./dom";
import { asked, type State } from "./state";

interface Point {
  value: Setting;
  bad: number;
  density: number;
  ms: number;
}

const metrics = ["bad", "density", "ms"] as const;
const labels = { bad: "wrong or missing, %", density: "density, %", ms: "time, ms" };
const most_points = 64;

/** Values of a field between two of them, or all words of a choice. */
function values_of(field: Field, from: number, to: number, step: number): Setting[] {
  if (field.kind === "choice") return field.choices;
  if (field.kind === "boolean") return [false, true];
  const values: Setting[] = [];
  for (let value = from; value <= to && values.length < most_points; value += step) values.push(value);
  return values;
}

function plot(points: Point[], metric: (typeof metrics)[number], take: (value: Setting) => void): SVGElement {
  const values = points.map((point) => point[metric]);
  const most = Math.max(...values, 1e-9);
  const drawing = svg("svg", { viewBox: "0 0 320 120", class: `plot ${metric}` });
  const x = (i: number) => 20 + (points.length > 1 ? (280 * i) / (points.length - 1) : 140);
  const y = (value: number) => 100 - (80 * value) / most;
  drawing.append(
    svg("text", { x: 4, y: 12 }, `${labels[metric]} (0 .. ${digits(most, 2)})`),
    svg("polyline", { points: points.map((point, i) => `${x(i)},${y(point[metric])}`).join(" ") }),
  );
  points.forEach((point, i) => {
    const name = `${point.value}: ${digits(point[metric], 2)}`;
    const dot = svg(
      "circle",
      {
        cx: x(i),
        cy: y(point[metric]),
        r: 4,
        tabindex: 0,
        role: "button",
        "aria-label": `Take ${name}`,
        click: () => take(point.value),
        keydown: (event) => {
          if ((event as KeyboardEvent).key === "Enter") take(point.value);
        },
      },
      svg("title", {}, name),
    );
    drawing.append(dot);
    if (points.length <= 16 || i % Math.ceil(points.length / 16) === 0)
      drawing.append(svg("text", { x: x(i), y: 116, "text-anchor": "middle" }, String(point.value)));
  });
  return drawing;
}

/** The panel of sweeps. */
export function sweep_panel(state: State): HTMLElement {
  const fields = state.fields.filter((field) => field.kind !== "rectangle");
  const client = `sweep-${crypto.getRandomValues(new Uint32Array(1))[0]}`;
  let serial = 0;
  const number = (label: string, value: number) => {
    const input = h("input", { type: "number", value, step: "any" });
    return { box: h("label", { class: "choice" }, label, " ", input), input };
  };
  const from = number("from", 1);
  const to = number("to", 21);
  const step = number("step", 2);
  const plots = h("div", { class: "plots" });
  const status = h("p", { class: "small", role: "status" });
  const pick = choice(
    "Setting",
    fields.map((field) => field.name),
    "window",
    () => show(),
  );
  const field = () => fields.find((one) => one.name === pick.select.value) as Field;
  const show = () => {
    const counted = !["choice", "boolean"].includes(field().kind);
    for (const part of [from, to, step]) part.box.hidden = !counted;
  };
  const run = async () => {
    const own = ++serial;
    const swept = field();
    const values = values_of(swept, Number(from.input.value), Number(to.input.value), Number(step.input.value) || 1);
    const points: Point[] = [];
    let refused = 0;
    for (const value of values) {
      status.textContent = `${points.length + refused} of ${values.length}`;
      const match = { ...state.match, settings: { ...state.match.settings, [swept.name]: value } };
      try {
        const request = { client, serial: own, frame: state.frame, ...asked(state, match), report: true };
        const { json } = await api.stereo(request);
        if (own !== serial) return;
        points.push({
          value,
          bad: json.scores ? json.scores.all.total_bad["1"] : Number.NaN,
          density: json.density ?? Number.NaN,
          ms: json.ms.match,
        });
      } catch (error) {
        if (own !== serial) return;
        refused++;
        status.textContent = error instanceof Error ? error.message : String(error);
      }
      const drawn = metrics.filter((metric) => points.some((point) => Number.isFinite(point[metric])));
      plots.replaceChildren(...drawn.map((metric) => plot(points, metric, (taken) => state.set(swept.name, taken))));
    }
    status.textContent = `${points.length} values${refused > 0 ? `; ${refused} were refused` : ""}. A click on a point takes its value.`;
  };
  const start = h("button", { type: "button", id: "sweep", click: () => void run() }, "Sweep");
  const end = h(
    "button",
    {
      type: "button",
      click: () => {
        serial++;
        status.textContent = "Stopped.";
      },
    },
    "Stop",
  );
  show();
  return h(
    "section",
    { "aria-label": "Sweep" },
    h("h2", {}, "Sweep"),
    h("div", { class: "tools" }, pick.box, from.box, to.box, step.box, start, end),
    status,
    plots,
  );
}
