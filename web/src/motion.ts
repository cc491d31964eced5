// SPDX-License-Identifier: Apache-2.0
// Motion: arrows over the frame, the field in colours, the compensated picture, the residue, and figures of each frame.

import { api, type MotionAnswer } from "./api";
import { overlay, put_grey, put_picture, scale_css } from "./canvas";
import { checkbox, choice, digits, h, svg } from "./dom";
import { facts } from "./facts";
import { Following } from "./following";
import { settings_panel } from "./settings";
import type { State } from "./state";

const views = ["frame", "field in colours", "compensated", "residue"] as const;
const metrics = ["psnr", "residue", "entropy", "bits"] as const;
type Metric = (typeof metrics)[number];
const labels: Record<Metric, string> = {
  psnr: "PSNR, dB",
  residue: "residue, sum of |difference|",
  entropy: "entropy, bits a vector",
  bits: "vectors, bits",
};

/** Direction as hue, length (1 = the longest) as colour on white: 0xAABBGGRR. */
function direction_colour(dx: number, dy: number, most: number): number {
  const length = Math.min(1, Math.hypot(dx, dy) / most);
  const hue = Math.atan2(dy, dx);
  const part = (shift: number) => Math.round(255 * (1 - length * (0.5 - 0.5 * Math.cos(hue + shift))));
  const third = (2 * Math.PI) / 3;
  return (0xff000000 | (part(third) << 16) | (part(-third) << 8) | part(0)) >>> 0;
}

/** The longest vector, px, at least 1. */
function longest(vectors: Int16Array): number {
  let most = 16;
  for (let i = 0; i < vectors.length; i += 2) most = Math.max(most, vectors[i] ** 2 + vectors[i + 1] ** 2);
  return Math.sqrt(most) / 4;
}

/** A colour for each direction, as the field has them. */
function wheel(): HTMLElement {
  const size = 48;
  const canvas = h("canvas", {
    width: size,
    height: size,
    role: "img",
    class: "wheel",
    "aria-label": "Colours of directions; white is no motion",
  });
  const image = new ImageData(size, size);
  const pixels = new Uint32Array(image.data.buffer);
  const half = size / 2;
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const [dx, dy] = [x + 0.5 - half, y + 0.5 - half];
      pixels[y * size + x] = Math.hypot(dx, dy) <= half ? direction_colour(dx, dy, half) : 0;
    }
  canvas.getContext("2d")?.putImageData(image, 0, 0);
  return canvas;
}

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
    const name = `frame ${frame}: ${digits(one[metric], 3)}`;
    const dot = svg("circle", { cx: x(frame), cy: y(one[metric]), r: 3, click: () => state.go(frame) });
    dot.append(svg("title", {}, name));
    drawing.append(dot);
  }
  return drawing;
}

/** The plots over the timeline, and the button that fills them. */
function plots(state: State, following: Following<MotionAnswer>): HTMLElement {
  const figures = new Map<number, Figures>();
  const place = h("div", { class: "motion-plots" });
  const status = h("p", { class: "small", role: "status" });
  const client = `motion-plot-${crypto.getRandomValues(new Uint32Array(1))[0]}`;
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
    if (following.answer) take(following.answer.json);
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

/** Arrows of the blocks: from a block's middle to where it was found in the frame before. */
function draw_arrows(context: CanvasRenderingContext2D, state: State, json: MotionAnswer, vectors: Int16Array): void {
  const most = longest(vectors);
  /** Blocks smaller than this share an arrow. */
  const step = Math.ceil(state.width / 80 / json.block.width);
  context.lineCap = "round";
  for (let y = Math.floor(step / 2); y < json.grid.height; y += step)
    for (let x = Math.floor(step / 2); x < json.grid.width; x += step) {
      const at = 2 * (y * json.grid.width + x);
      const [dx, dy] = [vectors[at] / 4, vectors[at + 1] / 4];
      const from_x = Math.min((x + 0.5) * json.block.width, state.width);
      const from_y = Math.min((y + 0.5) * json.block.height, state.height);
      const length = Math.hypot(dx, dy);
      const head = Math.min(length, state.width / 160);
      context.beginPath();
      context.moveTo(from_x, from_y);
      context.lineTo(from_x + dx, from_y + dy);
      for (const side of length > 0 ? [-0.5, 0.5] : []) {
        const turn = Math.atan2(dy, dx) + Math.PI + side;
        context.moveTo(from_x + dx, from_y + dy);
        context.lineTo(from_x + dx + head * Math.cos(turn), from_y + dy + head * Math.sin(turn));
      }
      for (const [colour, width] of [
        ["#000000c0", state.width / 250],
        [scale_css(state.scene.scale, length / most), state.width / 500],
      ] as const) {
        context.strokeStyle = colour;
        context.lineWidth = width;
        context.stroke();
      }
    }
}

export interface Panel {
  middle: HTMLElement;
  settings: HTMLElement;
  right: HTMLElement;
}

export function motion_panel(state: State): Panel {
  // The first frame has none before it.
  const { first_frame } = state.scene;
  state.on("shown", () => {
    if (!state.scene.live && state.tab === "Motion" && state.frame === first_frame) state.go(first_frame + 1);
  });
  const following = new Following<MotionAnswer>(
    state,
    "motion-",
    "Motion",
    state.tables.motion,
    state.scene.motion as NonNullable<State["scene"]["motion"]>,
    api.motion,
    [],
    ["range"],
  );
  const text = h("output", { class: "readout", "aria-live": "polite" }, "Point at a block to read it.");
  const vectors = () => following.answer?.arrays.get("vectors") as Int16Array | undefined;
  const stage = overlay(state, "Motion", (x, y) => {
    const found = vectors();
    if (!following.answer || !found) return;
    const { block, grid } = following.answer.json;
    const column = Math.min(grid.width - 1, Math.max(0, Math.floor(x / block.width)));
    const row = Math.min(grid.height - 1, Math.max(0, Math.floor(y / block.height)));
    const at = 2 * (row * grid.width + column);
    const [dx, dy] = [found[at] / 4, found[at + 1] / 4];
    const pixel = Math.floor(y) * state.width + Math.floor(x);
    const residue = following.answer.arrays.get("difference")?.[pixel];
    text.textContent = [
      `block ${column}, ${row}`,
      `vector ${digits(dx, 2)}, ${digits(dy, 2)} px`,
      `length ${digits(Math.hypot(dx, dy), 2)} px`,
      `residue ${residue ?? "none"} of 255`,
    ].join("   ");
  });
  const scale = Uint32Array.from(state.scene.scale, ([r, g, b]) => (0xff000000 | (b << 16) | (g << 8) | r) >>> 0);
  const legend = h("span", { class: "small", id: "motion-legend" });
  const paint_field = (json: MotionAnswer, found: Int16Array) => {
    const most = longest(found);
    for (let y = 0; y < state.height; y++)
      for (let x = 0; x < state.width; x++) {
        const at = 2 * (Math.floor(y / json.block.height) * json.grid.width + Math.floor(x / json.block.width));
        stage.pixels[y * state.width + x] = direction_colour(found[at], found[at + 1], 4 * most);
      }
  };
  const draw = () => {
    const context = stage.marks();
    const found = vectors();
    if (!following.answer || !found) return;
    const { json, arrays } = following.answer;
    const view = pick.select.value as (typeof views)[number];
    const compensated = arrays.get("predicted") as Uint8Array | undefined;
    const difference = arrays.get("difference") as Uint8Array | undefined;
    if (view === "frame" && state.pictures) put_picture(state.pictures.left, stage.pixels, 0.7);
    if (view === "field in colours") paint_field(json, found);
    if (view === "compensated" && compensated) put_grey(compensated, stage.pixels);
    if (view === "residue" && difference)
      for (let i = 0; i < difference.length; i++) stage.pixels[i] = scale[Math.min(255, 4 * difference[i])];
    stage.put();
    if (arrows.input.checked) draw_arrows(context, state, json, found);
    const ends = view === "residue" ? "residue: the last colour is 64 of 255 and more; " : "";
    legend.textContent = `${ends}arrows and field: the longest vector has ${digits(longest(found), 2)} px`;
  };
  const pick = choice("View", views, "frame", draw);
  const arrows = checkbox("Arrows", true, draw);
  following.on("answer", draw);
  state.on("view", draw);
  const results = facts(following, "motion", (json) => [
    ["field", `frame ${json.frame} against frame ${json.frame - 1}`],
    ["search", `${digits(json.ms.search, 1)} ms on ${json.device}`],
    ["PSNR", `${digits(json.psnr, 2)} dB`],
    ["residue", json.residue.toLocaleString("en")],
    ["entropy", `${digits(json.entropy, 3)} bits a vector, ${json.bits.toLocaleString("en")} bits in all`],
    ["scene cut", json.scene_cut ? "yes" : "no"],
    ["hash", json.hash],
  ]);
  const tools = h("div", { class: "tools" }, pick.box, arrows.box, wheel(), legend);
  return {
    middle: h(
      "div",
      { class: "panel" },
      tools,
      stage.box,
      text,
      ...(state.scene.live ? [] : [plots(state, following)]),
    ),
    settings: settings_panel(following),
    right: results,
  };
}
