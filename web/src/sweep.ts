// SPDX-License-Identifier: Apache-2.0
// One or two settings over ranges, on one device or all, with scores and times; a click takes the settings.

import type { Field, Match, Setting } from "./api";
import { checkbox, choice, h } from "./dom";
import type { Adjustable } from "./emitter";
import type { State } from "./state";
import { type Metrics, type Point, sweep_plots } from "./sweep_plots";

const most_values = 64;
/** Of all values of both settings and all devices. */
const most_points = 400;

/** Values of a field between two of them, or all words of a choice. */
function values_of(field: Field, from: number, to: number, step: number): Setting[] {
  if (field.kind === "choice") return field.choices;
  if (field.kind === "boolean") return [false, true];
  const values: Setting[] = [];
  // To the digits that a user writes: 0.1 + 2 * 0.1 is 0.3.
  const nth = (i: number) => Number((from + i * step).toPrecision(12));
  for (let i = 0; nth(i) <= to && i < most_values; i++) values.push(nth(i));
  return values;
}

interface Axis {
  nodes: HTMLElement[];
  /** Undefined: no setting is chosen. */
  field(): Field | undefined;
  values(): Setting[];
}

/** From, to and step of a sweep that holds the value of now, in some ten steps of those that are allowed. */
function useful_range(field: Field, now: Setting): [number, number, number] {
  const value = Number.parseFloat(String(now)) || 0;
  if (field.kind === "real") return value > 0 ? [value / 2, 2 * value, value / 4] : [0, 1, 0.1];
  const step = Math.max(1, field.step);
  const from = Math.max(field.least, Math.min(1, value));
  const to = Math.min(field.most, Math.max(from + 10 * step, 2 * value));
  return [from, to, step * Math.max(1, Math.ceil((to - from) / (10 * step)))];
}

/** A setting with its range. */
function axis(label: string, subject: Adjustable, fields: Field[], chosen: string, optional: boolean): Axis {
  const number = (name: string) => {
    const input = h("input", { type: "number", step: "any" });
    return { box: h("label", { class: "choice" }, name, " ", input), input };
  };
  const parts = [number("from"), number("to"), number("step")];
  const words = [...(optional ? ["none"] : []), ...fields.map((field) => field.name)];
  const pick = choice(label, words, chosen, () => show());
  const field = () => fields.find((one) => one.name === pick.select.value);
  const show = () => {
    const counted = field() !== undefined && !["choice", "boolean"].includes(field()?.kind ?? "");
    const swept = field();
    const range = swept && counted ? useful_range(swept, subject.match.settings[swept.name]) : [];
    parts.forEach((part, i) => {
      part.box.hidden = !counted;
      part.input.value = String(range[i] ?? "");
    });
  };
  show();
  return {
    nodes: [pick.box, ...parts.map((part) => part.box)],
    field,
    values: () => {
      const [from, to, step] = parts.map((part) => Number(part.input.value));
      const swept = field();
      return swept ? values_of(swept, from, to, step > 0 ? step : 1) : [];
    },
  };
}

/** All values of the first setting, for each value of the second, for each device. */
function plan(subject: Adjustable, axes: Axis[], devices: string[]): { match: Match; values: Setting[] }[] {
  const [first, second] = axes;
  const rows = second.field() ? second.values() : [undefined];
  const all: { match: Match; values: Setting[] }[] = [];
  for (const device of devices)
    for (const row of rows)
      for (const column of first.values()) {
        const settings = { ...subject.match.settings, [(first.field() as Field).name]: column };
        if (row !== undefined) settings[(second.field() as Field).name] = row;
        const values = row === undefined ? [column] : [column, row];
        all.push({ match: { ...subject.match, device, settings }, values });
      }
  return all.slice(0, most_points);
}

/** What is swept. */
export interface Swept {
  /** The setting that is chosen at first. */
  first: string;
  metrics: Metrics;
  /** The metrics of one run; not finite where there is none. A newer serial of the client ends it. */
  measure(match: Match, client: string, serial: number, frame: number): Promise<Record<string, number>>;
}

/** The panel of sweeps. */
export function sweep_panel(state: State, subject: Adjustable, what: Swept): HTMLElement {
  const fields = subject.fields.filter((field) => field.kind !== "rectangle" && field.kind !== "range");
  const client = `${state.page}-sweep-${subject.id}`;
  let serial = 0;
  const axes = [
    axis("Setting", subject, fields, what.first, false),
    axis("Second setting", subject, fields, "none", true),
  ];
  const everywhere = checkbox("All devices", false, () => undefined);
  const plots = h("div", { class: "plots" });
  const status = h("p", { class: "small", role: "status" });
  const take = (point: Point) => {
    const settings = { ...subject.match.settings };
    point.values.forEach((value, i) => {
      settings[point.names[i]] = value;
    });
    subject.take({ ...subject.match, device: point.device, settings }, subject.other);
  };
  const run = async () => {
    const own = ++serial;
    const usable = state.devices.filter((device) => device.available).map((device) => device.name);
    const work = plan(subject, axes, everywhere.input.checked ? usable : [subject.match.device]);
    const grid = axes.filter((one) => one.field()).map((one) => one.values());
    const names = axes.flatMap((one) => one.field()?.name ?? []);
    const points: Point[] = [];
    let refused = "";
    let refusals = 0;
    const frame = state.frame; // of all points, whatever the timeline does
    for (const { match, values } of work) {
      status.textContent = `${points.length + refusals} of ${work.length}`;
      try {
        const figures = await what.measure(match, client, own, frame);
        if (own !== serial) return;
        points.push({ names, values, device: match.device, figures });
      } catch (error) {
        if (own !== serial) return;
        refusals++;
        refused = error instanceof Error ? error.message : String(error);
      }
      plots.replaceChildren(...sweep_plots(state, what.metrics, points, grid, take));
    }
    const told = refusals > 0 ? `; ${refusals} were refused, the last: ${refused}` : "";
    status.textContent = `${points.length} points${told}. A click on a point takes its settings.`;
  };
  const start = h("button", { type: "button", id: `${subject.id}sweep`, click: () => void run() }, "Sweep");
  const end = () => {
    serial++;
    status.textContent = "Stopped.";
  };
  return h(
    "section",
    { "aria-label": "Sweep" },
    h("h2", {}, "Sweep"),
    ...axes.map((one) => h("div", { class: "tools" }, ...one.nodes)),
    h("div", { class: "tools" }, everywhere.box, start, h("button", { type: "button", click: end }, "Stop")),
    status,
    plots,
  );
}
