// SPDX-License-Identifier: Apache-2.0
// A frame with drawings over it: what the panels of motion and tracks share.

import { h } from "./dom";
import type { State } from "./state";

export interface Overlay {
  box: HTMLElement;
  /** The frame's pixels, 0xAABBGGRR; shown by put(). */
  pixels: Uint32Array;
  put(): void;
  /** Where drawings go, in pixels of the frame; cleared. */
  marks(): CanvasRenderingContext2D;
  /** Frame and drawings in one, to be saved. */
  whole(): HTMLCanvasElement;
}

/** The width by which marks are sized: half as large pictures have marks of the same size. */
export function mark_span(state: State, both: boolean): number {
  return both ? 2 * state.width : state.width;
}

/** Where the picture of A stands, and beside it that of B while there is one. */
export function beside_each_other(a: Overlay, b: Overlay): { box: HTMLElement; show: (both: boolean) => void } {
  const box = h("div", { class: "stage", "data-layout": "one" }, a.box);
  const show = (both: boolean) => {
    box.dataset.layout = both ? "two" : "one";
    if (both !== box.contains(b.box)) box.replaceChildren(...(both ? [a.box, b.box] : [a.box]));
  };
  return { box, show };
}

/** `point` gets the position under the pointer, or that which arrow keys move, in pixels of the frame. */
export function overlay(state: State, label: string, point: (x: number, y: number) => void): Overlay {
  const { width, height } = state;
  /** Drawings are finer than the pixels of small frames. */
  const zoom = Math.max(1, Math.ceil(900 / width));
  const picture = h("canvas", { width, height });
  const image = new ImageData(width, height);
  let at = { x: width / 2, y: height / 2 };
  const move = (event: PointerEvent) => {
    const box = drawing.getBoundingClientRect();
    at = {
      x: ((event.clientX - box.left) / box.width) * width,
      y: ((event.clientY - box.top) / box.height) * height,
    };
    point(at.x, at.y);
  };
  const step = (event: KeyboardEvent) => {
    const by = event.shiftKey ? 32 : 8;
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-by, 0],
      ArrowRight: [by, 0],
      ArrowUp: [0, -by],
      ArrowDown: [0, by],
    };
    const moved = steps[event.key];
    if (!moved) return;
    event.preventDefault();
    at = {
      x: Math.min(width - 1, Math.max(0, at.x + moved[0])),
      y: Math.min(height - 1, Math.max(0, at.y + moved[1])),
    };
    point(at.x, at.y);
  };
  const drawing = h("canvas", {
    width: width * zoom,
    height: height * zoom,
    class: "marks",
    tabindex: 0,
    role: "img",
    "aria-label": `${label}; arrow keys move the place that is read`,
    pointermove: (event) => move(event as PointerEvent),
    pointerdown: (event) => move(event as PointerEvent),
    keydown: (event) => step(event as KeyboardEvent),
  });
  return {
    box: h("div", { class: "pane" }, picture, drawing),
    pixels: new Uint32Array(image.data.buffer),
    put: () => picture.getContext("2d")?.putImageData(image, 0, 0),
    marks: () => {
      // Of a large frame, thousands of lines: where software stands for a GPU, they take seconds by that.
      const context = drawing.getContext("2d", { willReadFrequently: true }) as CanvasRenderingContext2D;
      context.setTransform(zoom, 0, 0, zoom, 0, 0);
      context.clearRect(0, 0, width, height);
      return context;
    },
    whole: () => {
      const both = h("canvas", { width: drawing.width, height: drawing.height });
      const context = both.getContext("2d") as CanvasRenderingContext2D;
      context.imageSmoothingEnabled = false;
      context.drawImage(picture, 0, 0, drawing.width, drawing.height);
      context.drawImage(drawing, 0, 0);
      return both;
    },
  };
}

/** Red, green and blue bytes, darker by `shade` (0 .. 1). */
export function put_picture(picture: Uint8Array, pixels: Uint32Array, shade = 1): void {
  for (let i = 0, at = 0; i < pixels.length; i++, at += 3)
    pixels[i] =
      0xff000000 | ((picture[at + 2] * shade) << 16) | ((picture[at + 1] * shade) << 8) | (picture[at] * shade);
}

export function put_grey(picture: Uint8Array, pixels: Uint32Array): void {
  for (let i = 0; i < pixels.length; i++) pixels[i] = 0xff000000 | (picture[i] * 0x010101);
}

/** "rgb(r g b)" of a position 0 .. 1 on the scale of colours. */
export function scale_css(scale: State["scene"]["scale"], position: number): string {
  const [r, g, b] = scale[Math.min(255, Math.max(0, Math.round(255 * position)))];
  return `rgb(${r} ${g} ${b})`;
}
