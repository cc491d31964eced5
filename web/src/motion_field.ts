// SPDX-License-Identifier: Apache-2.0
// Fields of motion as arrows and as colours.

import type { MotionAnswer } from "./api";
import { scale_css } from "./canvas";
import { h } from "./dom";
import type { State } from "./state";

/** Direction as hue, length (1 = the longest) as colour on white: 0xAABBGGRR. */
function direction_colour(dx: number, dy: number, most: number): number {
  const length = Math.min(1, Math.hypot(dx, dy) / most);
  const hue = Math.atan2(dy, dx);
  const part = (shift: number) => Math.round(255 * (1 - length * (0.5 - 0.5 * Math.cos(hue + shift))));
  const third = (2 * Math.PI) / 3;
  return (0xff000000 | (part(third) << 16) | (part(-third) << 8) | part(0)) >>> 0;
}

/** The longest vector, px, at least 1. Numbers are quarters. */
export function longest(vectors: Int16Array): number {
  let most = 16;
  for (let i = 0; i < vectors.length; i += 2) most = Math.max(most, vectors[i] ** 2 + vectors[i + 1] ** 2);
  return Math.sqrt(most) / 4;
}

/** A colour for each direction, as the field has them. */
export function wheel(): HTMLElement {
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

/** `most`: the length, px, that has the last colour. */
export function paint_field(
  pixels: Uint32Array,
  state: State,
  json: MotionAnswer,
  vectors: Int16Array,
  most: number,
): void {
  const { width, height } = state;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = 2 * (Math.floor(y / json.block.height) * json.grid.width + Math.floor(x / json.block.width));
      pixels[y * width + x] = direction_colour(vectors[at], vectors[at + 1], 4 * most);
    }
}

/** Colours of arrows: those of one colour are drawn together. */
const levels = 16;

/** A line from a place to where it leads, with its head. */
function add_arrow(path: Path2D, from: [number, number], by: [number, number], most_head: number): void {
  const [x, y] = [from[0] + by[0], from[1] + by[1]];
  const head = Math.min(Math.hypot(...by), most_head);
  path.moveTo(...from);
  path.lineTo(x, y);
  for (const side of head > 0 ? [-0.5, 0.5] : []) {
    const turn = Math.atan2(by[1], by[0]) + Math.PI + side;
    path.moveTo(x, y);
    path.lineTo(x + head * Math.cos(turn), y + head * Math.sin(turn));
  }
}

/**
 * Arrows of the blocks: from a block's middle to where it was found in the frame before. `most`: the length, px, that
 * has the last colour; `span`: the width by which marks are sized (mark_span).
 */
export function draw_arrows(
  context: CanvasRenderingContext2D,
  state: State,
  json: MotionAnswer,
  vectors: Int16Array,
  most: number,
  span: number,
): void {
  /** Blocks smaller than this share an arrow. */
  const step = Math.ceil(span / 80 / json.block.width);
  const paths = Array.from({ length: levels + 1 }, () => new Path2D());
  for (let y = Math.floor(step / 2); y < json.grid.height; y += step)
    for (let x = Math.floor(step / 2); x < json.grid.width; x += step) {
      const at = 2 * (y * json.grid.width + x);
      const by: [number, number] = [vectors[at] / 4, vectors[at + 1] / 4];
      const from_x = Math.min((x + 0.5) * json.block.width, state.width);
      const from_y = Math.min((y + 0.5) * json.block.height, state.height);
      const level = Math.min(levels, Math.round((levels * Math.hypot(...by)) / most));
      add_arrow(paths[level], [from_x, from_y], by, span / 160);
    }
  context.lineCap = "round";
  paths.forEach((path, level) => {
    for (const [colour, width] of [
      ["#000000c0", span / 250],
      [scale_css(state.scene.scale, level / levels), span / 500],
    ] as const) {
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.stroke(path);
    }
  });
}
