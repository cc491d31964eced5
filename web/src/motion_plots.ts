// SPDX-License-Identifier: Apache-2.0
// Figures of the fields of all frames, over the timeline.

import { api, type MotionAnswer } from "./api";
import { digits, h, pressed, svg } from "./dom";
import type { Following } from "./following";
import type { State } from "./state";

const metrics = ["psnr", "residue", "entropy", "bits"] as const;
type Metric = (typeof metrics)[number];
const labels: Record<Metric, string> = {
  psnr: "PSNR, dB",
  residue: "residue, sum of |difference|",
  entropy: "entropy, bits a vector",
  bits: "vectors, bits",
};

type Figures = Record<Metric, number>;

/** A metric of the frames that were searched; a click on a point shows its frame. */
function plot(state: State, metric: Metric, figures: Map<number, Figures>): SVGElement {
  const { first_frame, frames } = state.scene;
  const points = [...figures].sort(([a], [b]) => a - b).filter(([, one]) => Number.isFinite(one[metric]));
  const most = Math.max(...points.map(([, one]) => one[metric]), 1e-9);
  const x = (frame: number) => 10 + (300 * (frame - first_frame)) / Math.max(1, frames - 1);
  const y = (value: number) => 78 - (60 * value) / most;
  const drawing = svg("svg", { viewBox: "0 0 320 84", class: `plot motion-${metric}` });
  drawing.append(
    svg("text", { x: 4, y: 10 }, `${labels[metric]} (0 .. ${digits(most, most < 100 ? 2 : 0)})`),
    svg("line", { x1: x(state.frame), x2: x(state.frame), y1: 14, y2: 80, class: "now" }),
    svg("polyline", { points: points.map(([frame, one]) => `${x(frame)},${y(one[metric])}`).join(" ") }),
  );
  for (const [frame, one] of points) {
    const dot = svg("circle", { cx: x(frame), cy: y(one[metric]), r: 3 });
    drawing.append(pressed(dot, `Show frame ${frame}: ${digits(one[metric], 3)}`, () => state.go(frame)));
  }
  return drawing;
}

/** The plots over the timeline, and the button that fills them. */
export function motion_plots(state: State, following: Following<MotionAnswer>): HTMLElement {
  const figures = new Map<number, Figures>();
  const place = h("div", { class: "motion-plots" });
  const status = h("p", { class: "small", role: "status" });
  const client = `${state.page}-plot`;
  let serial = 0;
  const draw = () => place.replaceChildren(...metrics.map((metric) => plot(state, metric, figures)));
  const take = (answer: MotionAnswer) => {
    const { psnr, residue, entropy, bits } = answer;
    figures.set(answer.frame, { psnr: psnr ?? Number.NaN, residue, entropy, bits });
  };
  const run = async () => {
    const own = ++serial;
    const { first_frame, frames } = state.scene;
    for (let frame = first_frame + 1; frame < first_frame + frames && own === serial; frame++) {
      if (figures.has(frame)) continue;
      status.textContent = `frame ${frame} of ${first_frame + frames - 1}`;
      try {
        const { json } = await api.motion({ ...following.request(frame, client, own), pictures: false });
        if (own === serial) take(json);
      } catch (error) {
        status.textContent = error instanceof Error ? error.message : String(error);
        return;
      }
      draw();
    }
    if (own === serial) status.textContent = "A click on a point shows its frame.";
  };
  following.on("settings", () => {
    serial++;
    figures.clear();
    status.textContent = "";
    draw();
  });
  following.on("answer", () => {
    if (following.answer && following.is_current) take(following.answer.json);
    draw();
  });
  const stop = () => {
    serial++;
    status.textContent = "Stopped.";
  };
  return h(
    "section",
    { "aria-label": "Figures of each frame" },
    h(
      "div",
      { class: "tools" },
      h("button", { type: "button", id: "measure", click: () => void run() }, "Search all frames"),
      h("button", { type: "button", click: stop }, "Stop"),
    ),
    status,
    place,
  );
}
