// SPDX-License-Identifier: Apache-2.0
// One view or two, beside each other or one over the other with a wipe; pointer, crosshair and epipolar line.

import { choice, h } from "./dom";
import type { Matching } from "./matching";
import type { State } from "./state";
import { disparity_at, index_in, is_there, paint, scale_table, shows_match, type ViewName, view_names } from "./views";

type Layout = "one" | "two" | "wipe";
const layouts: readonly Layout[] = ["one", "two", "wipe"];
/** As the server takes it. */
const most_every = 64;

/** A canvas with one of the views, which holds as many pixels as the screen shows of it. */
class Pane {
  private readonly canvas: HTMLCanvasElement;
  readonly marks: HTMLCanvasElement;
  readonly box: HTMLElement;

  constructor(
    private readonly state: State,
    private readonly table: Uint32Array,
    readonly which: "first" | "second",
    public view: ViewName,
  ) {
    const { width, height } = state;
    this.canvas = h("canvas", {});
    this.marks = h("canvas", {
      width,
      height,
      class: "marks",
      tabindex: 0,
      role: "img",
      pointermove: (event) => this.point(event as PointerEvent),
      pointerdown: (event) => this.point(event as PointerEvent),
      pointerleave: () => state.emit("pointer", undefined),
      keydown: (event) => this.step(event as KeyboardEvent),
    });
    this.box = h("div", { class: `pane ${which}` }, this.canvas, this.marks);
    this.box.style.aspectRatio = `${width} / ${height}`;
  }

  /** Each so-many-th pixel of the view is shown: the screen has no room for more. */
  get every(): number {
    const shown = this.box.clientWidth * window.devicePixelRatio;
    return shown > 0 ? Math.max(1, Math.min(most_every, Math.floor(this.state.width / shown))) : 1;
  }

  /** The picture that is searched: its pixels have no disparity of their own. */
  private get searched(): string {
    return this.state.match.settings.reference === "right" ? "left" : "right";
  }

  private point(event: PointerEvent): void {
    if (this.view === this.searched) return;
    const { left, top, width, height } = this.marks.getBoundingClientRect();
    const x = Math.floor(((event.clientX - left) / width) * this.state.width);
    const y = Math.floor(((event.clientY - top) / height) * this.state.height);
    const inside = x >= 0 && y >= 0 && x < this.state.width && y < this.state.height;
    this.state.emit("pointer", inside ? { x, y } : undefined);
  }

  private at = { x: 0, y: 0 };
  private step(event: KeyboardEvent): void {
    const by = event.shiftKey ? 10 : 1;
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-by, 0],
      ArrowRight: [by, 0],
      ArrowUp: [0, -by],
      ArrowDown: [0, by],
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const { width, height } = this.state;
    const x = Math.min(width - 1, Math.max(0, this.at.x + step[0]));
    const y = Math.min(height - 1, Math.max(0, this.at.y + step[1]));
    this.state.emit("pointer", { x, y });
  }

  /** Each `every`-th pixel of the view. The last ones may reach beyond it. */
  private put(canvas: HTMLCanvasElement, every: number): void {
    const { state } = this;
    const { columns } = state.sampling(every);
    const image = new ImageData(columns, Math.ceil(state.height / every));
    paint(state, this.view, this.table, { every, columns, pixels: new Uint32Array(image.data.buffer) });
    if (canvas.width !== image.width) canvas.width = image.width;
    if (canvas.height !== image.height) canvas.height = image.height;
    canvas.style.width = `${(100 * every * image.width) / state.width}%`;
    canvas.style.height = `${(100 * every * image.height) / state.height}%`;
    canvas.getContext("2d", { willReadFrequently: true })?.putImageData(image, 0, 0);
  }

  /** All pixels that there are of the view, to be saved. */
  whole(): HTMLCanvasElement {
    const canvas = h("canvas", {});
    this.put(canvas, shows_match(this.view) ? (this.state.maps?.every ?? 1) : 1);
    return canvas;
  }

  draw(): void {
    this.put(this.canvas, this.every);
    this.marks.setAttribute("aria-label", `${this.view}; arrow keys move the pixel that is read`);
  }

  /** The row of the pixel, which both pictures share, and the pixel or its match. */
  mark(at: { x: number; y: number } | undefined): void {
    const { width, height, maps } = this.state;
    if (at) this.at = at;
    const context = this.marks.getContext("2d");
    if (!context) return;
    context.clearRect(0, 0, width, height);
    if (!at) return;
    const disparity = maps ? disparity_at(maps, index_in(maps, at.x, at.y)) : Number.NaN;
    const sign = this.state.match.settings.reference === "right" ? 1 : -1;
    const x = this.view === this.searched ? at.x + sign * disparity : at.x;
    const size = Math.max(4, width / 100);
    context.lineWidth = Math.max(1, width / 640);
    context.strokeStyle = "#ffffffb0";
    context.beginPath();
    context.moveTo(0, at.y + 0.5);
    context.lineTo(width, at.y + 0.5);
    context.stroke();
    if (!Number.isFinite(x)) return;
    context.strokeStyle = "#ff2fd0";
    context.strokeRect(x + 0.5 - size, at.y + 0.5 - size, 2 * size, 2 * size);
  }
}

export interface Viewer {
  box: HTMLElement;
  /** All pixels that there are of the first view, to be saved. */
  canvas(): HTMLCanvasElement;
  first(): ViewName;
}

/** The views with their toolbar. Asks `matching` for the maps that they show. */
export function viewer(state: State, matching: Matching): Viewer {
  const table = scale_table(state.scene.scale);
  const first = new Pane(state, table, "first", "disparity");
  const second = new Pane(state, table, "second", "left");
  let layout: Layout = "two";
  const wipe = h("input", {
    type: "range",
    min: 0,
    max: 100,
    class: "wipe",
    "aria-label": "Wipe between both views",
    input: () => place(),
  });
  const stage = h("div", { class: "stage" }, first.box, second.box);

  const shown = () => (layout === "one" ? [first] : [first, second]);
  const place = () => {
    stage.dataset.layout = layout;
    second.box.hidden = layout === "one";
    wipe.hidden = layout !== "wipe";
    second.box.style.clipPath = layout === "wipe" ? `inset(0 0 0 ${wipe.value}%)` : "";
  };
  const draw = () => {
    for (const pane of shown()) pane.draw();
  };
  const ask = () => {
    const views = shown().map((pane) => pane.view);
    place();
    draw();
    matching.want("views", { mask: views.includes("validity"), confidence: views.includes("confidence") });
    state.emit("view", undefined);
  };
  const picks = [first, second].map((pane) => {
    const pick = choice(pane.which === "first" ? "View" : "Second view", view_names, pane.view, (word) => {
      pane.view = word as ViewName;
      ask();
    });
    pick.box.classList.add(pane.which);
    return pick.select;
  });
  const offer = () => {
    [first, second].forEach((pane, i) => {
      for (const option of picks[i].options)
        option.hidden = option.disabled = !is_there(state, option.value as ViewName);
      if (is_there(state, pane.view)) return;
      pane.view = "disparity";
      picks[i].value = pane.view;
    });
  };
  const layouts_pick = choice("Layout", layouts, layout, (word) => {
    layout = word as Layout;
    ask();
  });
  // While two are compared, B stands beside A.
  let compares = false;
  state.on("settings", () => {
    if (compares === (state.other !== undefined)) return;
    compares = !compares;
    second.view = compares ? "disparity B" : "left";
    if (compares && layout === "one") layout = "two";
    offer();
    picks[1].value = second.view;
    layouts_pick.select.value = layout;
    ask();
  });
  state.on("maps", () => {
    offer();
    for (const pane of shown()) if (shows_match(pane.view)) pane.draw();
  });
  // Where the panes are wider or narrower, more or fewer pixels are shown.
  let every = 0;
  new ResizeObserver(() => {
    if (first.every === every) return;
    every = first.every;
    draw();
  }).observe(first.box);
  state.on("view", draw);
  state.on("pointer", (at) => {
    for (const pane of shown()) pane.mark(at);
  });
  matching.samples = () => Math.min(...shown().map((pane) => pane.every));
  offer();
  place();
  const tools = h("div", { class: "tools" }, ...picks.map((pick) => pick.parentElement as HTMLElement));
  tools.append(layouts_pick.box, wipe);
  const box = h("section", { class: "viewer", "aria-label": "Views" }, tools, stage);
  return { box, canvas: () => first.whole(), first: () => first.view };
}
